"""How often earlier decisions with similar confidence were right, shown next to a model's stated confidence."""

from __future__ import annotations

from datetime import date

from tradingagents.agents.schemas import Decision
from tradingagents.analytics.decisions.outcome import SIDE
from tradingagents.analytics.decisions.scoreboard import BINS
from tradingagents.memory.outcomes import OutcomeStore

FEWEST = 10
"""Minimum number of evaluated calls; a rate over fewer is not meaningful."""


def with_track_record(decision: Decision, store: OutcomeStore, model: str, as_of: date) -> Decision:
    """Add to a decision how often the model's earlier calls with the same action and similar confidence were right.

    Only outcomes known by the day of the decision count. A HOLD, a NO_DECISION, and a decision that already states
    its track record (as those of the offline rules do) are returned unchanged.

    Args:
        decision: The decision of a run.
        store: Outcomes of the run's cohort.
        model: `provider/model` that decided.
        as_of: The trading day of the run.
    """
    if decision.track_record or not SIDE.get(decision.action):
        return decision
    number = min(int(decision.confidence * BINS), BINS - 1)
    low, high = number / BINS, (number + 1) / BINS
    found = store.hits(decision.action, (low, high if number < BINS - 1 else 1.01), model, as_of)
    if found.calls < FEWEST:
        return decision
    kind = f"{decision.action} by {model}, stated {low:.0%} to {high:.0%}"
    rate = found.right / found.calls
    told = f"Stated {decision.confidence:.0%}; {found.calls} earlier calls like this ({kind}) were right in {rate:.0%}."
    return decision.model_copy(update={"track_record": told})
