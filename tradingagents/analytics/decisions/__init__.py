"""Measures of decisions: outcome, scoreboard, confidence intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.lazy_names import lazy_names

if TYPE_CHECKING:
    from tradingagents.analytics.decisions.outcome import earned, excess, position, proved_right, window_end
    from tradingagents.analytics.decisions.scoreboard import (
        Interval,
        ScoredDecision,
        ScoreSummary,
        score,
    )

__all__ = [
    "Interval",
    "ScoreSummary",
    "ScoredDecision",
    "earned",
    "excess",
    "position",
    "proved_right",
    "score",
    "window_end",
]

__getattr__ = lazy_names(
    __name__,
    {
        "Interval": "scoreboard",
        "ScoreSummary": "scoreboard",
        "ScoredDecision": "scoreboard",
        "earned": "outcome",
        "excess": "outcome",
        "position": "outcome",
        "proved_right": "outcome",
        "score": "scoreboard",
        "window_end": "outcome",
    },
)
