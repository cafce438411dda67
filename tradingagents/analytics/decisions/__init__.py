"""Measures of decisions: outcome, scoreboard, confidence intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.lazy_names import lazy_names

if TYPE_CHECKING:
    from tradingagents.analytics.decisions.bootstrap import block_interval
    from tradingagents.analytics.decisions.outcome import earned, excess, position, proved_right, window_end
    from tradingagents.analytics.decisions.scoreboard import (
        Interval,
        ScoredDecision,
        ScoreSummary,
        mean_interval,
        score,
    )

__all__ = [
    "Interval",
    "ScoreSummary",
    "ScoredDecision",
    "block_interval",
    "earned",
    "excess",
    "mean_interval",
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
        "block_interval": "bootstrap",
        "earned": "outcome",
        "excess": "outcome",
        "mean_interval": "scoreboard",
        "position": "outcome",
        "proved_right": "outcome",
        "score": "scoreboard",
        "window_end": "outcome",
    },
)
