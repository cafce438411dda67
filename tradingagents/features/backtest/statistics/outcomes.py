"""Outcomes of decisions: the stock's return from the close after a decision to the close after the next one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from tradingagents.analytics.performance.intervals import MeanInterval, day_sums, mean_interval
from tradingagents.dataflows.models import Floats
from tradingagents.features.backtest.traded_prices import TradedPrices

LEAST_DAYS = 20
"""Decision days below which no interval is given: those of shares do not cover (`benchmarks.interval_coverage`)."""
LEAST_OTHER_DAYS = 8
"""Days on which not all was called as usual, below which a hit rate beyond chance has no interval: few calls decide."""
NEUTRAL = 0.05
"""Size of a score below which it points nowhere."""
ROUNDING = 1e-12
"""Standard error below which a figure is the same on every day."""
NO_INTERVAL = "no interval: "
"""What every reason for a missing interval begins with."""
ALIKE = f"{NO_INTERVAL}every decision day gave the same, which tells nothing of other days"
Wanted = tuple[str, date]
"""A ticker and the day on which it was decided."""


@dataclass(frozen=True, slots=True)
class Pointed:
    """A score of one day, and what the stock did then."""

    day: date
    score: float
    """-1 (falls) to 1 (rises)."""
    change: float
    """Total return to the next decision."""

    @property
    def right(self) -> bool:
        """Whether the stock moved to the side of the score."""
        return self.score * self.change > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PointedShare:
    """How often scores pointed to the side to which the stock moved. Shares are fractions."""

    calls: int
    """Scores that pointed to a side and whose outcome is known."""
    days: int
    """Decision days that they are from: calls of one day are no independent evidence."""
    right: float | None
    """Share that was right; None without calls."""
    by_chance: float | None
    """The share that as many scores to each side on random tickers and days would have had."""
    beyond: float | None
    """`right` less `by_chance`."""
    beyond_low: float | None
    """Lower end of its 95 % interval, paired: what the market does to both cancels; None where `no_interval` tells."""
    beyond_high: float | None
    no_interval: str
    """Why there is no interval; empty where there is one."""
    after_bullish: float | None
    """Mean return after scores above 0."""
    after_bearish: float | None
    tells: int
    """1 if the interval lies above 0, -1 if below, 0 otherwise."""


def outcomes(decided: Iterable[Wanted], table: TradedPrices, last: date) -> dict[Wanted, float]:
    """Return what each ticker did from the close after its decision to the close after the next decision day.

    Args:
        decided: Tickers and days; without those that did not trade on both closes, and those after the last session.
        table: Prices.
        last: Last session of the backtest; the outcome of the last decisions ends there.
    """
    wanted = list(decided)
    days = sorted({day for _, day in wanted})
    until = dict(zip(days, [*days[1:], last][: len(days)], strict=True))
    found: dict[Wanted, float] = {}
    for ticker, day in wanted:
        first, end = table.after(day), table.after(until[day])
        if first is None or first >= last:
            continue
        end = last if end is None or end > last else end
        change = table.total_return(ticker, first, end)
        if change is not None and first < end:
            found[ticker, day] = change
    return found


def pointed_share(scores: Sequence[Pointed], known: Mapping[Wanted, float]) -> PointedShare:
    """Count how often scores were right.

    Args:
        scores: Scores with their outcomes; those next to 0 are left out.
        known: Every outcome of the backtest, which chance is computed from.
    """
    calls = [score for score in scores if abs(score.score) >= NEUTRAL]
    bullish = sum(call.score > 0 for call in calls)
    right = sum(call.right for call in calls) / len(calls) if calls else None
    chance = by_chance(bullish, len(calls) - bullish, known.values())
    beyond, why = beyond_chance([(call.day, call.score, call.change) for call in calls], known)
    return PointedShare(
        calls=len(calls),
        days=len({call.day for call in calls}),
        right=right,
        by_chance=chance,
        beyond=None if right is None or chance is None else right - chance,
        beyond_low=beyond.low if beyond else None,
        beyond_high=beyond.high if beyond else None,
        no_interval=why,
        after_bullish=_mean([call.change for call in calls if call.score > 0]),
        after_bearish=_mean([call.change for call in calls if call.score < 0]),
        tells=_side(beyond) if beyond else 0,
    )


def _side(found: MeanInterval) -> int:
    return 1 if found.low > 0 else -1 if found.high < 0 else 0


def beyond_chance(
    calls: Sequence[tuple[date, float, float]], known: Mapping[Wanted, float]
) -> tuple[MeanInterval | None, str]:
    """Return the hit rate less what chance gives, with its interval.

    Both move with the market: where most stocks rise, calls to buy are right and calls by chance as well. So the
    difference of each decision day is what counts, and a decider that always says BUY on every ticker has the
    difference 0 with certainty, for which there is no interval.

    Args:
        calls: Day, side (its sign) and outcome of each call.
        known: Every outcome of the backtest.

    Returns:
        The interval, and an empty reason; or None and why there is none.
    """
    why = too_few_days([day for day, _, _ in calls])
    if why:
        return None, why
    days = [*(day for day, _, _ in calls), *(day for _, day in known)]
    # By row: call, right, bullish, bearish; outcome, rising, falling.
    made = [(1, side * change > 0, side > 0, side < 0, 0, 0, 0) for _, side, change in calls]
    happened = [(0, 0, 0, 0, 1, change > 0, change < 0) for change in known.values()]
    sums = day_sums(days, np.array([*made, *happened], float))
    why = _too_alike(np.column_stack([sums[:, 2], sums[:, 3], sums[:, 4] - sums[:, 0]]))
    if why:
        return None, why
    difference, influences = _paired_with_chance(sums)
    found = mean_interval(difference, influences, len({day for day, _, _ in calls}) - 1)
    return (found, "") if found.error > ROUNDING else (None, ALIKE)


def _paired_with_chance(sums: Floats) -> tuple[float, Floats]:
    """Return the hit rate less the rate by chance, and what each day adds to it.

    Args:
        sums: By day: calls, right, bullish, bearish; outcomes, rising, falling. Shape (days, 7).
    """
    count, right, bullish, bearish, of, rising, falling = sums.sum(axis=0)
    up, down = rising / of, falling / of
    shares = sums[:, 1:4] - np.outer(sums[:, 0], np.array([right, bullish, bearish]) / count)
    rates = sums[:, 5:7] - np.outer(sums[:, 4], np.array([up, down]))
    by_day: Floats = shares @ np.array([1, -up, -down]) / count - rates @ np.array([bullish, bearish]) / count / of
    return float((right - bullish * up - bearish * down) / count), len(sums) * by_day


def _too_alike(sides: Floats) -> str:
    """Say why calls that almost all are alike have no interval; empty where enough days have others.

    Args:
        sides: Outcomes by day of bullish, bearish and no call, shape (days, 3).
    """
    others = np.delete(sides, int(sides.sum(axis=0).argmax()), axis=1)
    days = int((others > 0).any(axis=1).sum())
    if days >= LEAST_OTHER_DAYS:
        return ""
    return (
        f"{NO_INTERVAL}on {days} decision days a call was other than the most frequent one, "
        f"a 95 % interval needs {LEAST_OTHER_DAYS}"
    )


def too_few_days(days: Iterable[date]) -> str:
    """Say why so many decision days are too few for an interval; empty where they are enough."""
    count = len(set(days))
    if count >= LEAST_DAYS:
        return ""
    return f"{NO_INTERVAL}{count} decision days are fewer than the {LEAST_DAYS} that a 95 % interval needs"


def by_chance(bullish: int, bearish: int, changes: Collection[float]) -> float | None:
    """Return the share that so many calls to each side on random tickers and days would have right; None without any.

    Args:
        bullish: Calls that a stock rises.
        bearish: Calls that it falls.
        changes: Every outcome of the backtest.
    """
    if not bullish + bearish or not changes:
        return None
    rising, falling = (float(np.mean([sign * change > 0 for change in changes])) for sign in (1, -1))
    share = bullish / (bullish + bearish)
    return share * rising + (1 - share) * falling


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None
