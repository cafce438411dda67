"""What stands beside a decision: that a run was degraded, and what a person said of what was proposed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tradingagents.analytics.text import one_line
from tradingagents.reports.degraded import degraded_notice
from tradingagents.schemas.records import DecisionRecord, ReviewRecord

_SAID = {"approve": "approved", "revise": "sent back", "reject": "rejected"}


def beside_decision(record: Mapping[str, Any]) -> str:
    """Return the sentences that stand beside a run's decision; empty where there is nothing to say.

    Args:
        record: Of a run; `degraded` and `reviews` may be absent.
    """
    return " ".join(part for part in (degraded_notice(record), _reviews(record.get("reviews") or ())) if part)


def track_record(decision: DecisionRecord) -> str:
    """Return what is known of decisions like this one, and how strongly the rules speak; empty where nothing is."""
    if decision["action"] == "NO_DECISION":
        return ""
    strong = decision.get("strength")
    told = "" if strong is None else f"Strength {strong:.2f} of 1 by the rules."
    return " ".join(part for part in (decision.get("track_record") or "", told) if part)


def _reviews(reviews: Any) -> str:
    return " ".join(_sentence(review) for review in reviews)


def _sentence(review: ReviewRecord) -> str:
    note = one_line(review["note"]).rstrip(".")
    return (
        f"A person {_SAID[review['verdict']]} {review['action']} on {review['at'][:10]}{f': {note}' if note else ''}."
    )
