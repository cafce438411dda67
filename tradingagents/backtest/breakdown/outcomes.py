"""Outcomes of decisions: the stock's return from the close after a decision to the close after the next one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from tradingagents.analytics.performance.paired import DRAWS, LEVEL, SEED
from tradingagents.backtest.traded_prices import TradedPrices
from tradingagents.dataflows.models import Floats

LEAST_DAYS = 5
"""Decision days below which no interval is given."""
NEUTRAL = 0.05
"""Size of a score below which it points nowhere."""
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
    low: float | None
    """Lower end of its 95 % interval: days are drawn with replacement; None with fewer than 5 days."""
    high: float | None
    by_chance: float | None
    """The share that as many scores to each side on random tickers and days would have had."""
    after_bullish: float | None
    """Mean return after scores above 0."""
    after_bearish: float | None
    tells: int
    """1 if the interval lies above what chance gives, -1 if below, 0 otherwise."""


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
    calls = [one for one in scores if abs(one.score) >= NEUTRAL]
    hits = np.array([one.right for one in calls], float)
    means = drawn_means([one.day for one in calls], hits)
    low, high = (None, None) if means is None else middle_of(means)
    bullish = sum(one.score > 0 for one in calls)
    chance = by_chance(bullish, len(calls) - bullish, known.values())
    return PointedShare(
        calls=len(calls),
        days=len({one.day for one in calls}),
        right=float(hits.mean()) if calls else None,
        low=low,
        high=high,
        by_chance=chance,
        after_bullish=_mean([one.change for one in calls if one.score > 0]),
        after_bearish=_mean([one.change for one in calls if one.score < 0]),
        tells=0 if None in (low, high, chance) else _side(low or 0.0, high or 0.0, chance or 0.0),
    )


def _side(low: float, high: float, chance: float) -> int:
    return 1 if low > chance else -1 if high < chance else 0


def by_chance(bullish: int, bearish: int, changes: Collection[float]) -> float | None:
    """Return the share that so many calls to each side on random tickers and days would have right; None without any.

    Args:
        bullish: Calls that a stock rises.
        bearish: Calls that it falls.
        changes: Every outcome of the backtest.
    """
    if not bullish + bearish or not changes:
        return None
    rising, falling = (float(np.mean([sign * one > 0 for one in changes])) for sign in (1, -1))
    share = bullish / (bullish + bearish)
    return share * rising + (1 - share) * falling


def drawn_means(days: Sequence[date], values: Floats) -> Floats | None:
    """Return bootstrap samples of a mean over calls: whole days are drawn, because calls of one day go together.

    Args:
        days: Of each call.
        values: Of each call.

    Returns:
        The means; None with fewer than 5 days.
    """
    places = {day: number for number, day in enumerate(dict.fromkeys(days))}
    if len(places) < LEAST_DAYS:
        return None
    own = [places[day] for day in days]
    sums, counts = np.bincount(own, values), np.bincount(own).astype(float)
    random = np.random.default_rng(SEED)
    drawn = random.multinomial(len(places), np.full(len(places), 1 / len(places)), DRAWS).astype(float)
    found: Floats = (drawn @ sums) / (drawn @ counts)
    return found


def middle_of(means: Floats) -> tuple[float, float]:
    """Return the 95 % interval of bootstrap samples."""
    low, high = np.quantile(means, (LEVEL / 2, 1 - LEVEL / 2))
    return float(low), float(high)


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None
