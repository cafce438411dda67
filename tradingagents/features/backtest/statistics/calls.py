"""How good decisions were, apart from weights and costs: direction, confidence, and rank among the tickers of a day."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

import numpy as np

from tradingagents.analytics.decisions.outcome import SIDE
from tradingagents.analytics.decisions.scoreboard import ConfidenceRange
from tradingagents.analytics.performance import rank_ic
from tradingagents.analytics.performance.intervals import MeanInterval, mean_by_day
from tradingagents.analytics.performance.paired import smallest_seen
from tradingagents.dataflows.models import Floats
from tradingagents.features.backtest.statistics.outcomes import (
    ALIKE,
    ROUNDING,
    beyond_chance,
    by_chance,
    outcomes,
    too_few_days,
)
from tradingagents.features.backtest.strategies import Decisions
from tradingagents.features.backtest.traded_prices import TradedPrices

CONFIDENCE_EDGES = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Edges of the reliability table; a bin holds its lower edge, the last one 1 too."""


@dataclass(frozen=True, slots=True)
class CallInterval:
    """What the decision days say of a mean: calls of one day are one piece of evidence."""

    low: float
    high: float
    """95 % interval."""
    smallest_edge: float
    """The smallest true distance from what chance gives that this test would have seen with 80 % power."""


@dataclass(frozen=True, slots=True)
class ConfidenceBin(ConfidenceRange):
    """Calls of similar confidence, in the reliability table."""

    right: float
    """Share that was right about the direction."""


@dataclass(frozen=True, slots=True)
class DayRankIC:
    """Rank correlation of one decision day."""

    day: date
    rank_ic: float
    tickers: int


@dataclass(frozen=True, slots=True)
class CallQuality:
    """How good decisions were over the sessions to the next decision."""

    actions: Mapping[str, int]
    """Decisions by action."""
    calls: int
    """BUY and SELL with a known outcome."""
    hit_rate: float | None
    """Share of them that the stock's total return proved right."""
    hit_rate_by_chance: float | None
    """The share that as many BUY and SELL on random tickers and days would have had: in a rising market more than half
    of all BUY are right."""
    beyond_chance: float | None
    """`hit_rate` less `hit_rate_by_chance`."""
    brier: float | None
    """Mean squared difference between confidence and outcome (0 best, 0.25 for always saying 50 %)."""
    calibration_error: float | None
    """Mean distance between confidence and share right over the bins, weighted by calls."""
    rank_ic: float | None
    """Mean over days of the rank correlation of signed confidence and later return."""
    ic_days: int
    reliability: tuple[ConfidenceBin, ...]
    """Bins that have calls."""
    ic_by_day: tuple[DayRankIC, ...]
    """Of the days with three tickers at least."""
    ci: Mapping[str, CallInterval | None]
    """Of `beyond_chance`, `brier` and `rank_ic`; None where `no_interval` says why."""
    no_interval: Mapping[str, str]
    """Why there is no interval, by figure; without those that have one."""


@dataclass(frozen=True, slots=True)
class _KnownCall:
    ticker: str
    day: date
    side: float
    confidence: float
    change: float

    @property
    def right(self) -> bool:
        return self.side * self.change > 0


def call_quality(
    decisions: Decisions, table: TradedPrices, last: date, *, only: Collection[date] | None = None
) -> CallQuality:
    """Measure decisions from the session after each to the session after the next, by closes.

    Args:
        decisions: By day and ticker.
        table: Prices.
        last: Last session of the backtest; outcomes after it do not count.
        only: Days whose decisions count; None: all of them.
    """
    days = decisions.keys() if only is None else set(only)
    known, counts = [call for call in _calls(decisions, table, last) if call.day in days], dict[str, int]()
    for decision in (decision for day, made in decisions.items() if day in days for decision in made.values()):
        counts[decision.action] = counts.get(decision.action, 0) + 1
    calls = [call for call in known if call.side]
    hits = np.array([call.right for call in calls], float)
    squares = (np.array([call.confidence for call in calls]) - hits) ** 2
    by_day, bins = _ic_by_day(known), _reliability(calls)
    correlations = np.array([day.rank_ic for day in by_day])
    rate = float(hits.mean()) if calls else None
    chance = by_chance(
        sum(call.side > 0 for call in calls), sum(call.side < 0 for call in calls), [call.change for call in known]
    )
    intervals = {
        "beyond_chance": beyond_chance(
            [(call.day, call.side, call.change) for call in calls],
            {(call.ticker, call.day): call.change for call in known},
        ),
        "brier": mean_over_days([call.day for call in calls], squares),
        "rank_ic": mean_over_days([day.day for day in by_day], correlations),
    }
    return CallQuality(
        actions=dict(sorted(counts.items())),
        calls=len(calls),
        hit_rate=rate,
        hit_rate_by_chance=chance,
        beyond_chance=None if rate is None or chance is None else rate - chance,
        brier=float(squares.mean()) if calls else None,
        calibration_error=sum(abs(group.confidence - group.right) * group.calls for group in bins) / len(calls)
        if calls
        else None,
        rank_ic=float(correlations.mean()) if by_day else None,
        ic_days=len(by_day),
        reliability=bins,
        ic_by_day=by_day,
        ci={name: _interval(found) for name, (found, _) in intervals.items()},
        no_interval={name: why for name, (_, why) in intervals.items() if why},
    )


def _calls(decisions: Decisions, table: TradedPrices, last: date) -> list[_KnownCall]:
    """Return the decisions with a side and a known outcome; HOLD has the side 0."""
    made = {(ticker, day): decision for day, own in sorted(decisions.items()) for ticker, decision in own.items()}
    known = outcomes(made, table, last)
    return [
        _KnownCall(*wanted, SIDE[decision.action], decision.confidence, known[wanted])
        for wanted, decision in made.items()
        if wanted in known and decision.action in SIDE
    ]


def _reliability(calls: Sequence[_KnownCall]) -> tuple[ConfidenceBin, ...]:
    """Return the reliability table: what share of the calls of each confidence was right."""
    found = list[ConfidenceBin]()
    for low, high in pairwise(CONFIDENCE_EDGES):
        inside = [call for call in calls if low <= call.confidence < high or call.confidence == high == 1]
        if inside:
            confidence = float(np.mean([call.confidence for call in inside]))
            right = float(np.mean([call.right for call in inside]))
            found.append(ConfidenceBin(low, high, len(inside), confidence, right))
    return tuple(found)


def _ic_by_day(known: Sequence[_KnownCall]) -> tuple[DayRankIC, ...]:
    found, days = list[DayRankIC](), dict[date, list[_KnownCall]]()
    for call in known:
        days.setdefault(call.day, []).append(call)
    for day, made in days.items():
        signals = np.array([call.side * call.confidence for call in made])
        value = rank_ic(signals, np.array([call.change for call in made]))
        if value is not None:
            found.append(DayRankIC(day, value, len(made)))
    return tuple(found)


def mean_over_days(days: Sequence[date], values: Floats) -> tuple[MeanInterval | None, str]:
    """Return the mean with the interval of independent days, and an empty reason; or None and why there is none."""
    why = too_few_days(days)
    if why:
        return None, why
    found = mean_by_day(days, values)
    return (found, "") if found.error > ROUNDING else (None, ALIKE)


def _interval(found: MeanInterval | None) -> CallInterval | None:
    return None if found is None else CallInterval(found.low, found.high, smallest_seen(found.error, found.freedom))
