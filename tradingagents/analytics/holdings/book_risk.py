"""Risk of holdings as they are weighted today, from the daily returns that their instruments had.

Figures are of a portfolio that was brought back to today's weights every day. Cash moves nothing and earns nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from tradingagents.dataflows.models import Prices

Floats = NDArray[np.float64]
YEAR = 252
"""Sessions of a year."""
LEAST_DAYS = 60
"""Fewest common daily returns from which a risk is told."""
WORST = 3
"""Months that are shown."""


@dataclass(frozen=True, slots=True)
class HoldingRisk:
    """One holding's part."""

    weight: float
    """Signed, as a fraction of all holdings and cash."""
    volatility: float
    """Standard deviation of daily returns, times the root of 252."""
    beta: float | None
    """Against the benchmark; None where that does not move or is not known."""
    contribution: float
    """Fraction of the variance of all; the fractions sum to 1. Negative for a holding that offsets others."""


@dataclass(frozen=True, slots=True)
class BookRisk:
    """The risk of all holdings together."""

    days: int
    volatility: float
    beta: float | None
    drawdown: float
    """Largest fall from a peak, as a fraction of the peak."""
    concentration: float
    """Sum of squared weights, over the squared sum of their sizes (Herfindahl): 1 for a single holding."""
    holdings: Mapping[str, HoldingRisk]
    correlations: Floats
    """Of daily returns, in the order of `holdings`; NaN for an instrument that does not move."""
    worst_months: tuple[tuple[str, float], ...]
    """Calendar months such as `2024-04` in which today's weights would have lost most, with the return."""

    @property
    def effective_holdings(self) -> float:
        """Return how many holdings of the same weight would be as concentrated."""
        return 1 / self.concentration


@dataclass(frozen=True, slots=True)
class BookSwing:
    """How much all holdings together move."""

    volatility: float
    """Standard deviation of daily returns, times the root of 252."""
    beta: float | None
    """Against the benchmark; None where that does not move or is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyReturns:
    """Daily total returns of several instruments on the days that all of them have, in the currency of each listing."""

    symbols: tuple[str, ...]
    """In the order of the columns; those with too short a history are left out."""
    returns: Floats
    days: tuple[date, ...]
    benchmark: Floats | None
    """None where its prices are not known."""

    def risk(self, weights: Mapping[str, float]) -> BookRisk | None:
        """Return the risk of weights, of which symbols without returns are left out; see `book_risk`."""
        known = {symbol: weights.get(symbol, 0.0) for symbol in self.symbols}
        return book_risk(known, self.returns, self.days, self.benchmark)

    def swing(self, weights: Mapping[str, float]) -> BookSwing | None:
        """Return volatility and beta of weights alone; None where `risk` is None."""
        sizes = np.array([weights.get(symbol, 0.0) for symbol in self.symbols])
        if len(self.days) < LEAST_DAYS or not np.any(sizes):
            return None
        own = self.returns @ sizes
        return BookSwing(float(np.std(own, ddof=1)) * math.sqrt(YEAR), _beta(own, self.benchmark))

    def columns(self, symbols: Sequence[str]) -> Floats:
        """Return the returns of some instruments, in their order; none where one of them has too short a history."""
        if not all(symbol in self.symbols for symbol in symbols):
            return np.empty((0, 0))
        return self.returns[:, [self.symbols.index(symbol) for symbol in symbols]]


def daily_returns(
    prices: Mapping[str, Prices], benchmark: Prices | None = None, *, sessions: int | None = None
) -> DailyReturns:
    """Return daily total returns on the days that all instruments have.

    Args:
        prices: By symbol; those with fewer than `LEAST_DAYS` returns are left out.
        benchmark: Its prices; None where they are not known.
        sessions: How many of the last days; None: all.
    """
    closes = {symbol: _closes(bars) for symbol, bars in sorted(prices.items())}
    closes = {symbol: found for symbol, found in closes.items() if len(found[0]) > LEAST_DAYS}
    index = _closes(benchmark) if benchmark is not None else None
    if not closes:
        return DailyReturns(symbols=(), returns=np.empty((0, 0)), days=(), benchmark=None)
    common = reduce(_in_both, [days for days, _ in closes.values()])
    if index is not None:
        shared = _in_both(common, index[0])
        common, index = (shared, index) if len(shared) > LEAST_DAYS else (common, None)
    common = common if sessions is None else common[-sessions - 1 :]

    def returns(found: tuple[np.ndarray, Floats]) -> Floats:
        days, adjusted = found
        on_days = adjusted[np.searchsorted(days, common)]
        changes: Floats = on_days[1:] / on_days[:-1] - 1
        return changes

    return DailyReturns(
        symbols=tuple(closes),
        returns=np.column_stack([returns(found) for found in closes.values()]),
        days=tuple(common[1:].tolist()),
        benchmark=None if index is None else returns(index),
    )


def _in_both(days: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the days that stand in both, in order; the first `np.intersect1d` of a process takes 40 ms."""
    return days[np.isin(days, others, assume_unique=True)]


def _closes(prices: Prices) -> tuple[np.ndarray, Floats]:
    """Return the days and closes for returns, without those that the data gate withholds."""
    known = np.isfinite(prices.adj_close) & (prices.adj_close > 0)
    return prices.days[known], prices.adj_close[known]


def book_risk(
    weights: Mapping[str, float], returns: Floats, days: Sequence[date], benchmark: Floats | None = None
) -> BookRisk | None:
    """Return the risk of holdings; None where there are none, or fewer than `LEAST_DAYS` days.

    Args:
        weights: Signed weight by symbol, in the order of the columns of `returns`.
        returns: Daily returns as fractions, one row a day and one column a symbol, without gaps.
        days: Day of each row.
        benchmark: Its daily returns, one a row; None where they are not known.
    """
    sizes = np.array(list(weights.values()))
    if len(days) < LEAST_DAYS or not len(sizes) or not np.any(sizes):
        return None
    covariance = np.atleast_2d(np.cov(returns, rowvar=False))
    variance = float(sizes @ covariance @ sizes)
    deviations = np.sqrt(np.diag(covariance))
    with np.errstate(divide="ignore", invalid="ignore"):
        correlations = covariance / np.outer(deviations, deviations)
    shares = sizes * (covariance @ sizes) / variance if variance > 0 else np.full(len(sizes), 1 / len(sizes))
    own = returns @ sizes
    return BookRisk(
        days=len(days),
        volatility=math.sqrt(variance * YEAR),
        beta=_beta(own, benchmark),
        drawdown=_drawdown(own),
        concentration=float((sizes**2).sum() / np.abs(sizes).sum() ** 2),
        holdings={
            symbol: HoldingRisk(
                weight=float(sizes[column]),
                volatility=float(deviations[column]) * math.sqrt(YEAR),
                beta=_beta(returns[:, column], benchmark),
                contribution=float(shares[column]),
            )
            for column, symbol in enumerate(weights)
        },
        correlations=correlations,
        worst_months=_worst_months(own, days),
    )


def _beta(returns: Floats, benchmark: Floats | None) -> float | None:
    """Return the slope of returns on those of the benchmark."""
    if benchmark is None or not (spread := float(np.var(benchmark, ddof=1))):
        return None
    return float(np.cov(returns, benchmark)[0, 1]) / spread


def _drawdown(returns: Floats) -> float:
    values = np.concatenate([[1.0], np.cumprod(1 + returns)])
    return float((1 - values / np.maximum.accumulate(values)).max())


def _worst_months(returns: Floats, days: Sequence[date]) -> tuple[tuple[str, float], ...]:
    """Return the months with the largest losses, the first and the last left out where they may be cut."""
    months: dict[str, float] = {}
    for day, change in zip(days, returns, strict=True):
        month = f"{day:%Y-%m}"
        months[month] = months.get(month, 1.0) * (1 + float(change))
    whole = list(months)[1:-1]
    losses = sorted((months[month] - 1, month) for month in whole if months[month] < 1)
    return tuple((month, loss) for loss, month in losses[:WORST])
