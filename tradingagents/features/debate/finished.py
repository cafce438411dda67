"""Reads the record of a debate that has ended, for questions about it."""

from __future__ import annotations

from pathlib import Path

from tradingagents.errors import UsageError
from tradingagents.features.debate.schemas import DEBATE_KIND, DebateRecord
from tradingagents.runtime.runs.run_index import RunIndex


def finished_debate(home: Path, run: str) -> DebateRecord:
    """Return the record of a debate with statements.

    Raises:
        NoSuchRun: There is no such run.
        UsageError: It is no debate, or no case was stated.
    """
    found = RunIndex(home).find(run)
    card = found.card()
    if card is None or card.get("kind") != DEBATE_KIND:
        what = "has not ended" if card is None else "is no debate"
        raise UsageError(f"{found.run_id} {what}; `tradingagents runs list --kind debate` lists the debates.")
    if not card.get("cases"):
        raise UsageError(
            f"{found.run_id} ended before a case was stated; continue it with `tradingagents debate --resume "
            f"{found.run_id}`."
        )
    return DebateRecord.model_validate(card)
