"""Finds the finished run of a conversation that a question is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from tradingagents.errors import UsageError
from tradingagents.runtime.runs.run_folder import is_component
from tradingagents.runtime.runs.run_index import RunIndex
from tradingagents.runtime.runs.session_findings import SessionFindings
from tradingagents.schemas.workspace import SessionInfo, TaskInfo

NAMED_BY: Mapping[str, tuple[str, ...]] = {
    "debate": ("debate",),
    "company_comparison": ("comparison", "compare"),
    "deep_report": ("report",),
    "research": ("research",),
}
"""Words of a question that name a kind of run."""
NO_RUN = "No research, debate, comparison or report of this conversation has ended yet."


def run_asked_about(
    home: Path, session: SessionInfo, tasks: Sequence[TaskInfo], wanted: str, question: str, day: date | None
) -> Mapping[str, Any]:
    """Return the card of a run: the named one, the one that is open, else the latest of the kind that is named.

    Args:
        session: The conversation; a run that is open in its view may be another's.
        tasks: Its tasks, the newest first.
        wanted: The run's id, or its beginning; empty for none.
        day: The day of the turn, which must not know a run of a later one; None for the present.

    Raises:
        UsageError: The conversation has no such run that has ended.
    """
    opened = session.view.run_id
    if opened and opened.startswith(wanted):
        card = _card(home, opened)
        if card is not None and _known(card, day):
            return card
    ids = [run_id for run_id in _run_ids(home, session.session_id, tasks) if run_id.startswith(wanted)]
    cards = [card for run_id in ids if (card := _card(home, run_id)) is not None and _known(card, day)]
    cards = [card for card in cards if card.get("kind") in NAMED_BY]
    if not cards:
        raise UsageError(f"{NO_RUN} {f'There is none with the id {wanted}.' if wanted else ''}".strip())
    said = question.lower()
    named = [kind for kind, words in NAMED_BY.items() if any(word in said for word in words)]
    return next((card for card in cards if card.get("kind") in named), cards[0])


def _run_ids(home: Path, session_id: str, tasks: Iterable[TaskInfo]) -> Iterator[str]:
    """Yield the runs of a conversation, the latest first. Run ids begin with the time."""
    found = {answered.run_id for answered in SessionFindings(home, session_id).known()}
    found |= {run_id for task in tasks for run_id in task.run_ids}
    yield from sorted(found - {""}, reverse=True)


def _card(home: Path, run_id: str) -> Mapping[str, Any] | None:
    if not (is_component(run_id) and (home / "runs" / run_id).is_dir()):  # deleted since
        return None
    card = RunIndex(home).find(run_id).card()
    return card if card is not None and card.get("status") == "done" else None


def _known(card: Mapping[str, Any], day: date | None) -> bool:
    return day is None or str(card.get("as_of") or card.get("trade_date") or "") <= day.isoformat()
