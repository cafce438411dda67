"""Quality of decisions: hit rate, mean excess return with its confidence interval, calibration of confidence.

Calls are decisions to buy or to sell. A HOLD takes no side, so it is counted but not scored.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from tradingagents.analytics.performance.intervals import disjoint_windows, mean_by_day

BINS = 5
"""Number of bins of stated confidence, each 0.2 wide; the last one includes 1."""
LEAST_WINDOWS = 4
"""Windows without a common day below which there is no interval: two waves would cover, one is too wide to tell."""


@dataclass(frozen=True, slots=True)
class ScoredDecision:
    """One evaluated decision to buy or to sell."""

    ticker: str
    start: date
    end: date
    confidence: float
    """Stated probability that the action proves right, 0 to 1."""
    right: bool
    """See `outcome.proved_right`."""
    earned: float
    """Return of the position; a fraction."""
    excess: float | None
    """Return beyond the benchmark; None without one."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its 95 % confidence interval; limits are None where `reason` says why."""

    mean: float
    low: float | None
    high: float | None
    windows: int
    """The most windows of its calls that share no day: what the calls tell independently of each other."""
    reason: str = ""
    """Why there is no interval; empty where there is one."""


@dataclass(frozen=True, slots=True)
class ConfidenceRange:
    """Calls of similar confidence."""

    low: float
    high: float
    calls: int
    confidence: float
    """Mean stated confidence."""


@dataclass(frozen=True, slots=True)
class ScoreBin(ConfidenceRange):
    """Calls of similar confidence, with the share that was right."""

    hit_rate: float


@dataclass(frozen=True, slots=True)
class ScoreSummary:
    """Quality of a set of calls."""

    calls: int
    hit_rate: float | None
    """Share of calls that were right; None without calls."""
    mean_return: float | None
    excess: Interval | None
    """Mean over the calls with a benchmark; None without any."""
    brier: float | None
    """Mean squared difference of confidence and outcome (Brier, 1950): 0 is perfect, 0.25 is reached by always stating
    50 %; None without calls."""
    calibration: tuple[ScoreBin, ...]
    """Non-empty bins, lowest confidence first."""
    overlapping: int
    """Calls whose window overlaps that of another call. They share days of one market, so together they carry less
    information than their number suggests, even on different tickers."""


def score(calls: Sequence[ScoredDecision]) -> ScoreSummary:
    """Return the quality of a set of calls."""
    measured = [call for call in calls if call.excess is not None]
    return ScoreSummary(
        calls=len(calls),
        hit_rate=_mean([float(call.right) for call in calls]),
        mean_return=_mean([call.earned for call in calls]),
        excess=_excess(measured) if measured else None,
        brier=_mean([(call.confidence - call.right) ** 2 for call in calls]),
        calibration=_bins(calls),
        overlapping=overlapping(calls),
    )


def _excess(calls: Sequence[ScoredDecision]) -> Interval:
    """Return the mean excess with its interval, over the calls with a benchmark, one at least."""
    excesses = [call.excess for call in calls if call.excess is not None]
    mean = math.fsum(excesses) / len(excesses)
    windows = disjoint_windows((call.start, call.end) for call in calls)
    if windows < LEAST_WINDOWS:
        return Interval(
            mean, None, None, windows, f"no interval: {windows} of {LEAST_WINDOWS} windows that share no day"
        )
    days = [call.start for call in calls]
    # Days whose windows all follow each other are independent; of others, two windows are needed for each wave.
    found = mean_by_day(days, np.array(excesses), None if windows == len(set(days)) else windows // 2)
    if not found.error:
        return Interval(mean, None, None, windows, "no interval: every call earned the same")
    return Interval(mean, found.low, found.high, windows)


def overlapping(calls: Sequence[ScoredDecision]) -> int:
    """Return how many calls have a window that overlaps that of another call, on the same ticker or another.

    Windows that only share an endpoint (one's last close is the other's first) do not overlap.
    """
    windows = sorted((call.start, call.end) for call in calls)
    shared: set[int] = set()
    furthest = 0
    for number in range(1, len(windows)):
        if windows[number][0] < windows[furthest][1]:
            shared |= {furthest, number}
        if windows[number][1] > windows[furthest][1]:
            furthest = number
    return len(shared)


def _bins(calls: Sequence[ScoredDecision]) -> tuple[ScoreBin, ...]:
    held: dict[int, list[ScoredDecision]] = {}
    for call in calls:
        held.setdefault(min(int(call.confidence * BINS), BINS - 1), []).append(call)
    return tuple(
        ScoreBin(
            low=number / BINS,
            high=(number + 1) / BINS,
            calls=len(some),
            confidence=math.fsum(call.confidence for call in some) / len(some),
            hit_rate=sum(call.right for call in some) / len(some),
        )
        for number, some in sorted(held.items())
    )


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
