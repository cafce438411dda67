"""Questions about a run that has ended: finds its card, and lets its kind answer."""

from __future__ import annotations

from pathlib import Path

from tradingagents.errors import UsageError
from tradingagents.runtime.registry import kind_of, record_of
from tradingagents.runtime.runs.run_index import RunIndex
from tradingagents.schemas.cards import CardRecord


def finished_run(home: Path, run: str) -> CardRecord:
    """Return the record of a run that has ended and can be asked about.

    Args:
        home: The home folder.
        run: Its id, or the beginning of it.

    Raises:
        NoSuchRun: There is no such run.
        UsageError: It has not ended, or has found nothing that could be asked about.
    """
    found = RunIndex(home).find(run)
    card = found.card()
    if card is None or not (card.get("cases") or card.get("answer")):
        what = "has not ended" if card is None else "has no answer to ask about"
        raise UsageError(f"{found.run_id} {what}; `tradingagents runs list` lists the runs.")
    return record_of(card)


def answer_about(record: CardRecord, question: str) -> str:
    """Answer a question about a finished run from its record, by rule and with its sources.

    Args:
        record: Of a run of any kind.
        question: In plain words.
    """
    return kind_of(record.kind).answer_about(record, question)
