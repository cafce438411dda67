"""What came of earlier decisions like this one: said beside the confidence that a model states."""

from __future__ import annotations

from datetime import date

from tradingagents.agents.schemas import Decision
from tradingagents.analytics.decisions.outcome import SIDE
from tradingagents.analytics.decisions.scoreboard import BINS
from tradingagents.memory.outcomes import OutcomeStore

FEWEST = 10
"""Settled calls below which nothing is said: a rate of fewer tells nothing."""


def with_track_record(decision: Decision, store: OutcomeStore, model: str, as_of: date) -> Decision:
    """Return a decision with what came of the same model's calls of the same action and a like confidence.

    Only outcomes that were settled on or before the day of the decision count. A decision that says what its confidence
    rests on, as those of the offline rules do, is returned as it is, and so are a HOLD and NO_DECISION.

    Args:
        decision: Of a run.
        store: Outcomes of the run's cohort.
        model: `provider/model` that decided.
        as_of: The day of the run.
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
