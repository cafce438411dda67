"""Notes on a decision: a degraded run, and reviewers' comments."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.analytics.text import one_line
from tradingagents.schemas.cards import RunRecord
from tradingagents.schemas.decision import Decision
from tradingagents.schemas.records import DegradedRecord, ReviewRecord

_SAID = {"approve": "approved", "revise": "sent back", "reject": "rejected"}
_WORDS = {
    "missing_report": "{agents} could not report",
    "silent_debater": "{agents} did not speak in every turn",
    "no_verdict": "{agents} gave no usable verdict",
    "no_evidence": "{agents} named no evidence found in the data",
    "other_company": "{agents} wrote about another company",
    "untraced_figures": "{agents} rested on figures most of which are not in the data",
    "no_plan": "{agents} had no plan of the trader to act on",
    "withheld_prices": "{detail}",
    "withheld_statements": "{detail}",
    "fallback_model": "{detail} answered in place of the model of {agents}",
    "by_rules": "fixed rules answered in place of the model of {agents}",
}
"""Text for each kind, in this order."""


def degraded_notice(found: Sequence[DegradedRecord]) -> str:
    """Return the note on the gaps of a degraded run; empty where there are none."""
    if not found:
        return ""
    said = [
        words.format(agents=_listed([f"the {gap.agent}" for gap in same]), detail=detail)
        for kind, words in _WORDS.items()
        for detail, same in _grouped([gap for gap in found if gap.kind == kind], by_detail="{detail}" in words)
    ]
    return f"This is a degraded run: {'; '.join(said)}."


def decision_notes_of(record: RunRecord) -> str:
    """Return the notes on a run's decision; empty if there are none."""
    return " ".join(part for part in (degraded_notice(record.degraded), *map(_sentence, record.reviews)) if part)


def track_record(decision: Decision) -> str:
    """Return the track record of similar decisions and the rules' strength; empty if neither is known."""
    if decision.action == "NO_DECISION":
        return ""
    strong = decision.strength
    told = "" if strong is None else f"Strength {strong:.2f} of 1 by the rules."
    return " ".join(part for part in (decision.track_record or "", told) if part)


def _sentence(review: ReviewRecord) -> str:
    note = one_line(review.note).rstrip(".")
    return f"A person {_SAID[review.verdict]} {review.action} on {review.at[:10]}{f': {note}' if note else ''}."


def _grouped(found: Sequence[DegradedRecord], *, by_detail: bool) -> list[tuple[str, list[DegradedRecord]]]:
    groups: dict[str, dict[str, DegradedRecord]] = {}
    for gap in found:
        groups.setdefault(gap.detail if by_detail else "", {}).setdefault(gap.agent, gap)
    return [(detail, list(agents.values())) for detail, agents in groups.items()]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]
