"""Quality of decisions: hit rate, mean excess return with its confidence interval, calibration of confidence.

Calls are decisions to buy or to sell. A HOLD takes no side, so it is counted but not scored.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from statistics import NormalDist

from tradingagents.analytics.decisions.bootstrap import block_interval, block_weeks

BINS = 5
"""Number of bins of stated confidence, each 0.2 wide; the last one includes 1."""
EXACT_UP_TO = 100
"""Degrees of freedom up to which Student's distribution is summed exactly; above, a series is accurate to 1e-7."""


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
    """A mean and its 95 % confidence interval; limits are None for a single observation."""

    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Bin:
    """Calls with similar confidence."""

    low: float
    high: float
    calls: int
    confidence: float
    """Mean stated confidence."""
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
    calibration: tuple[Bin, ...]
    """Non-empty bins, lowest confidence first."""
    overlapping: int
    """Calls whose window overlaps that of another call. They share days of one market, so together they carry less
    information than their number suggests, even on different tickers."""
    block_weeks: int | None
    """Block length in weeks for the interval of `excess` when windows overlap; None when Student's t is used. There is
    no interval when the calls span fewer than four such blocks."""


def score(calls: Sequence[ScoredDecision]) -> ScoreSummary:
    """Return the quality of a set of calls."""
    measured = [call for call in calls if call.excess is not None]
    shared = overlapping(calls)
    block = block_weeks([(call.start, call.end) for call in measured]) if shared and measured else None
    return ScoreSummary(
        calls=len(calls),
        hit_rate=_mean([float(call.right) for call in calls]),
        mean_return=_mean([call.earned for call in calls]),
        excess=_excess(measured, block) if measured else None,
        brier=_mean([(call.confidence - call.right) ** 2 for call in calls]),
        calibration=_bins(calls),
        overlapping=shared,
        block_weeks=block,
    )


def _excess(calls: Sequence[ScoredDecision], block: int | None) -> Interval:
    """Return the mean excess with its interval, over the calls with a benchmark."""
    excesses = [call.excess for call in calls if call.excess is not None]
    if block is None:
        return mean_interval(excesses)
    found = block_interval(excesses, [call.start for call in calls], block)
    low, high = found or (None, None)
    return Interval(math.fsum(excesses) / len(excesses), low, high)


def mean_interval(values: Sequence[float]) -> Interval:
    """Return the mean and its 95 % interval: mean ± t(0.975, n - 1) · s / √n (Student, 1908), s the sample's deviation.

    It requires independent values; for overlapping windows use `bootstrap.block_interval`.
    """
    count = len(values)
    mean = math.fsum(values) / count
    if count < 2:
        return Interval(mean, None, None)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (count - 1))
    margin = student_t(0.975, count - 1) * deviation / math.sqrt(count)
    return Interval(mean, mean - margin, mean + margin)


def student_t(probability: float, freedom: int) -> float:
    """Return the quantile of Student's t distribution for a probability above 0.5 and whole degrees of freedom.

    Up to `EXACT_UP_TO`, the finite sums of Abramowitz and Stegun 26.7.3 and 26.7.4 are inverted by bisection; above,
    the asymptotic series 26.7.5 is used.
    """
    if freedom > EXACT_UP_TO:
        z = NormalDist().inv_cdf(probability)
        terms = (
            (z**3 + z) / 4,
            (5 * z**5 + 16 * z**3 + 3 * z) / 96,
            (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        )
        more: float = sum(term / freedom**power for power, term in enumerate(terms, start=1))
        return z + more
    low, high = 0.0, 1.0
    while _within(high, freedom) < 2 * probability - 1:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < 2 * probability - 1 else (low, middle)
    return (low + high) / 2


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


def _within(t: float, freedom: int) -> float:
    """Return the probability that Student's t lies between -t and t."""
    angle = math.atan(t / math.sqrt(freedom))
    square = math.cos(angle) ** 2
    odd = freedom % 2
    term = math.cos(angle) if odd else 1.0
    total = 0.0
    for power in range(odd, freedom - 1, 2):
        total += term
        term *= square * (power + 1) / (power + 2)
    return 2 / math.pi * (angle + math.sin(angle) * total) if odd else math.sin(angle) * total


def _bins(calls: Sequence[ScoredDecision]) -> tuple[Bin, ...]:
    held: dict[int, list[ScoredDecision]] = {}
    for call in calls:
        held.setdefault(min(int(call.confidence * BINS), BINS - 1), []).append(call)
    return tuple(
        Bin(
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
