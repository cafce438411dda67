"""Measure the outcomes of past decisions, draw lessons from them, and score them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tradingagents.lazy_names import lazy_names

if TYPE_CHECKING:
    from tradingagents.graph.evaluation.evaluate import Settled
    from tradingagents.graph.evaluation.evaluate_due import reflect_on, settle_due
    from tradingagents.graph.evaluation.pending import Pending
    from tradingagents.graph.evaluation.scoreboard import Scoreboard, ScoreRow, scoreboards
    from tradingagents.graph.evaluation.track_record import with_track_record

__all__ = [
    "Pending",
    "ScoreRow",
    "Scoreboard",
    "Settled",
    "reflect_on",
    "scoreboards",
    "settle_due",
    "with_track_record",
]

_LOAD = lazy_names(
    __name__,
    {
        "Pending": "pending",
        "ScoreRow": "scoreboard",
        "Scoreboard": "scoreboard",
        "Settled": "evaluate",
        "reflect_on": "evaluate_due",
        "scoreboards": "scoreboard",
        "settle_due": "evaluate_due",
        "with_track_record": "track_record",
    },
)


def __getattr__(name: str) -> Any:
    return _LOAD(name)
