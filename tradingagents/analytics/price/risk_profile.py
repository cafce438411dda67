"""Risk of a stock from its daily prices: volatility, beta, drawdowns, tail losses and liquidity."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime
from typing import ClassVar

import numpy as np
from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.least_history import HISTORY, LEAST_HISTORY, is_long_enough, short_history_note
from tradingagents.analytics.price.returns import (
    SESSIONS_PER_YEAR,
    annualised_volatility,
    around_gaps,
    beta,
    last_day,
    mean_dollar_volume,
    percent,
    too_many_lost,
)
from tradingagents.analytics.text import table_of
from tradingagents.dataflows.models import Floats, Prices
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData

LEAST_RETURNS = LEAST_HISTORY["var_95_1d"] - 1
"""Daily returns below which no profile is given."""
TAIL_RETURNS = {level: LEAST_HISTORY[f"var_{level}_1d"] - 1 for level in (95, 99)}
"""Daily returns that a loss at a level of confidence needs at least."""
NEEDING_HISTORY = ("volatility_252d", "downside_deviation_252d", "amihud_illiquidity")
"""Further figures that a short history lacks."""
MOST_DRAWDOWNS = 3


class DrawdownSpan(BaseModel):
    """One fall from a high and its recovery."""

    model_config = ConfigDict(frozen=True)

    depth_pct: float
    """Percent from the high to the low, negative."""
    peak: date
    trough: date
    recovered: date | None
    """First close at or above the high; None if there is none yet."""


class RiskProfile(Result):
    """Risk of a stock over the last 800 days of its price history. Returns include dividends."""

    tabulated: ClassVar[bool] = True

    measures: Mapping[str, float | None]
    """By figure; percentages in percent, `mean_dollar_volume_20d` in `currency`. None: the history is too short."""
    drawdowns: tuple[DrawdownSpan, ...]
    """The deepest, deepest first; none where sessions without a bar could have changed them, which a note says."""
    benchmark: str | None
    """Market of the beta; None if there is none."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Risk profile: {self.symbol}"

    def figures(self) -> tuple[Figure, ...]:
        """Return the measures, then the depth of the drawdowns."""
        own = (Figure(name, value, self._unit(name)) for name, value in self.measures.items())
        deep = (
            Figure(f"drawdown_{number}", drawdown.depth_pct, "%") for number, drawdown in enumerate(self.drawdowns, 1)
        )
        return (*own, *deep)

    def body(self) -> str:
        """Return the measures and the drawdowns as tables."""
        figures = {figure.name: figure.text for figure in self.figures()}
        measures = table_of(
            ("Figure", "Value", "Meaning"), ((name, figures[name], _MEANINGS[name]) for name in self.measures)
        )
        spans = (
            (
                figures[f"drawdown_{number}"],
                drawdown.peak.isoformat(),
                drawdown.trough.isoformat(),
                drawdown.recovered.isoformat() if drawdown.recovered else "not yet",
            )
            for number, drawdown in enumerate(self.drawdowns, 1)
        )
        falls = table_of(("Drawdown", "High", "Low", "Recovered"), spans)
        return f"{measures}\n\n{falls}" if self.drawdowns else measures

    def _unit(self, name: str) -> str:
        if name == "mean_dollar_volume_20d":
            return self.currency or ""
        return "" if name in _PLAIN else "%"


_MEANINGS: Mapping[str, str] = {
    "volatility_20d": "standard deviation of daily log returns, 20 sessions, annualised",
    "volatility_252d": "the same over 252 sessions",
    "downside_deviation_252d": "root mean square of the negative daily returns of 252 sessions, annualised",
    "beta": "slope of daily returns on the benchmark's, two years",
    "var_95_1d": "loss that 5% of the days exceeded (historical)",
    "var_99_1d": "loss that 1% of the days exceeded (historical)",
    "expected_shortfall_95_1d": "mean loss of the worst 5% of the days",
    "expected_shortfall_99_1d": "mean loss of the worst 1% of the days",
    "worst_day": "lowest daily return",
    "skewness": "third standardised moment of daily returns",
    "excess_kurtosis": "fourth standardised moment of daily returns, less 3",
    "current_drawdown": "last close against the highest close",
    "mean_dollar_volume_20d": "close times volume, mean of 20 sessions",
    "amihud_illiquidity": "mean absolute return in percent per billion traded, 252 sessions (Amihud 2002)",
}
_OF_EVERY_DAY = frozenset(
    {
        *(f"{name}_{level}_1d" for name in ("var", "expected_shortfall") for level in TAIL_RETURNS),
        *("worst_day", "skewness", "excess_kurtosis"),
    }
)
"""Measures of the daily returns of the whole history, absent where too many sessions have no bar."""
_PLAIN = frozenset({"beta", "skewness", "excess_kurtosis", "amihud_illiquidity"})


def risk_profile(prices: Prices, *, as_of: date, benchmark: Prices | None, known_at: datetime) -> RiskProfile:
    """Measure the risk of a stock.

    Args:
        prices: Its bars, as traded, at least for `least_history.HISTORY`; earlier ones are not used.
        benchmark: The market of the beta; None leaves it n/a.
        known_at: When the last bar became known.

    Raises:
        NoData: Fewer than 60 daily returns.
    """
    bars = prices.upto(as_of)
    bars = bars.since(last_day(bars) - HISTORY) if len(bars) else bars
    closes = bars.adj_close
    if len(bars) <= LEAST_RETURNS or not (np.isfinite(closes).all() and (closes > 0).all()):
        usable = max(int(np.isfinite(closes).sum()) - 1, 0)
        raise NoData(
            f"{prices.symbol} has {usable} usable daily returns up to {as_of}; a risk profile needs "
            f"{LEAST_RETURNS}. Name a later day or another symbol."
        )
    returns = np.diff(closes) / closes[:-1]
    market = benchmark.upto(as_of) if benchmark is not None else None
    slope = beta(bars, market) if market is not None else None
    short = [name for level in TAIL_RETURNS for name in (f"{level}%",) if len(returns) < TAIL_RETURNS[level]]
    notes = [f"Tail losses at {', '.join(short)} need a longer history than {len(returns)} returns."] if short else []
    if slope is None:
        notes.append("Beta is not available: no benchmark, or fewer than 60 common sessions.")
    lacking = short_history_note(bars, NEEDING_HISTORY)
    are_sure = drawdowns_are_sure(bars)
    if not are_sure:
        notes.append(
            f"Drawdowns are n/a: sessions without a bar, the last on {bars.gaps[-1]}, could have changed them."
        )
    elif current_drawdown(bars) is None:
        notes.append(
            f"The current drawdown is n/a: one of the sessions without a bar, the last on {bars.gaps[-1]}, may have "
            "closed higher."
        )
    return RiskProfile(
        symbol=prices.symbol,
        as_of=as_of,
        source=prices.vendor,
        currency=prices.currency,
        known_at=known_at,
        fetched_at=prices.fetched_at,
        start=bars.days[0].item(),
        end=last_day(bars),
        rows=len(bars),
        inputs=(market.symbol,) if market is not None else (),
        notes=(*notes, *((lacking,) if lacking else ())),
        measures=_measures(bars, returns, slope),
        drawdowns=drawdowns(bars) if are_sure else (),
        benchmark=market.symbol if market is not None else None,
    )


def value_at_risk(returns: Floats, level: int) -> float | None:
    """Return the loss that (100 - level) percent of the returns exceed: the lower quantile, as a positive fraction.

    Returns:
        None with fewer returns than `TAIL_RETURNS`; 0 where the quantile is a gain.
    """
    if len(returns) < TAIL_RETURNS[level]:
        return None
    return max(0.0, -float(np.quantile(returns, 1 - level / 100, method="lower")))


def expected_shortfall(returns: Floats, level: int) -> float | None:
    """Return the mean of the returns at or below the quantile of `value_at_risk`, as a positive fraction."""
    if len(returns) < TAIL_RETURNS[level]:
        return None
    edge = np.quantile(returns, 1 - level / 100, method="lower")
    return max(0.0, -float(returns[returns <= edge].mean()))


def drawdowns(prices: Prices, most: int = MOST_DRAWDOWNS) -> tuple[DrawdownSpan, ...]:
    """Return the deepest falls from a running high, deepest first, each from its high until it is regained."""
    days = prices.days
    return tuple(
        DrawdownSpan(
            depth_pct=depth,
            peak=days[start - 1].item(),
            trough=days[low].item(),
            recovered=days[stop].item() if stop < len(days) else None,
        )
        for depth, start, low, stop in _falls(prices.adj_close)[:most]
    )


def drawdowns_are_sure(prices: Prices, most: int = MOST_DRAWDOWNS) -> bool:
    """Return whether no price of a session without a bar could have changed the depths of the deepest falls."""
    if not prices.gaps:
        return True
    closes, gaps = prices.adj_close, around_gaps(prices, prices.adj_close, prices.adj_close)
    places = np.repeat(gaps[:, 0].astype(np.intp), 2)
    with_gaps = np.insert(closes, places, gaps[:, 1:].ravel())
    return [fall[0] for fall in _falls(closes)[:most]] == [fall[0] for fall in _falls(with_gaps)[:most]]


def current_drawdown(prices: Prices) -> float | None:
    """Return the last close against the highest in percent; None where a session without a bar may have been higher."""
    highest = float(prices.adj_close.max())
    if prices.gaps and (around_gaps(prices, prices.adj_close, prices.adj_close)[:, 1] > highest).any():
        return None
    return 100 * float(prices.adj_close[-1] / highest - 1)


def _falls(closes: Floats) -> list[tuple[float, int, int, int]]:
    """Return each fall from a running high, deepest first: its depth in percent, first close, lowest, and end."""
    highs = np.maximum.accumulate(closes)
    fallen = closes < highs
    edges = np.flatnonzero(np.diff(np.concatenate(([False], fallen, [False])).astype(np.int8)))
    found = []
    for start, stop in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        low = int(start + np.argmin(closes[start:stop]))
        found.append((100 * float(closes[low] / highs[low] - 1), start, low, stop))
    return sorted(found)


def _measures(bars: Prices, returns: Floats, slope: float | None) -> dict[str, float | None]:
    measures = _all_measures(bars, returns, slope)
    lost = too_many_lost(bars, len(bars))
    return {name: None if lost and name in _OF_EVERY_DAY else value for name, value in measures.items()}


def _all_measures(bars: Prices, returns: Floats, slope: float | None) -> dict[str, float | None]:
    year = returns[-SESSIONS_PER_YEAR:]
    down = np.minimum(year, 0.0)
    spread = float(returns.std())
    scaled = (returns - returns.mean()) / spread if spread > 0 else np.zeros_like(returns)
    return {
        "volatility_20d": percent(annualised_volatility(bars)),
        "volatility_252d": percent(annualised_volatility(bars, SESSIONS_PER_YEAR)),
        "downside_deviation_252d": None
        if not _has_year(bars)
        else 100 * math.sqrt(float((down**2).mean()) * SESSIONS_PER_YEAR),
        "beta": slope,
        **{f"var_{level}_1d": percent(value_at_risk(returns, level)) for level in TAIL_RETURNS},
        **{f"expected_shortfall_{level}_1d": percent(expected_shortfall(returns, level)) for level in TAIL_RETURNS},
        "worst_day": 100 * float(returns.min()),
        "skewness": float((scaled**3).mean()),
        "excess_kurtosis": float((scaled**4).mean()) - 3 if spread > 0 else None,
        "current_drawdown": current_drawdown(bars),
        "mean_dollar_volume_20d": mean_dollar_volume(bars),
        "amihud_illiquidity": _amihud(bars, returns),
    }


def _has_year(bars: Prices) -> bool:
    """Return whether there are the returns of 252 sessions, each of which has a bar."""
    least = LEAST_HISTORY["volatility_252d"]
    return is_long_enough(bars, "volatility_252d") and not bars.spans_gap(least)


def _amihud(bars: Prices, returns: Floats) -> float | None:
    """Return the mean of |return| over money traded (Amihud, Journal of Financial Markets 5, 2002), per billion."""
    if not _has_year(bars):
        return None
    traded = (bars.close[1:] * bars.volume[1:])[-SESSIONS_PER_YEAR:]
    if np.isnan(traded).any():
        return None  # volumes of the window are withheld
    moved = np.abs(returns)[-SESSIONS_PER_YEAR:]
    usable = np.isfinite(traded) & (traded > 0)
    return float(100 * (moved[usable] / (traded[usable] / 1e9)).mean()) if usable.any() else None
