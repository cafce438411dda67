"""Breadth of the market: how many of the stocks at hand rise, stand above their averages, and reach new highs."""

from __future__ import annotations

from datetime import date, datetime
from typing import ClassVar

import numpy as np
from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.market.scanned import session_note
from tradingagents.analytics.market.universe import TODAY_S_MEMBERS, Universe
from tradingagents.analytics.text import table_of
from tradingagents.dataflows.models import Floats
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.dataflows.results import Result

YEAR = 252
MONTH = 21


class SectorBreadth(BaseModel):
    """Breadth within one sector."""

    model_config = ConfigDict(frozen=True)

    sector: str
    """Sector key."""
    stocks: int
    advancing_pct: float | None
    """Percent of the stocks that closed higher than the session before."""
    above_50_pct: float | None
    """Percent of those with 50 closes that stand above their mean."""
    above_200_pct: float | None


class MarketBreadth(Result):
    """How widely a market's move is shared, over the stocks at hand."""

    tabulated: ClassVar[bool] = True

    stocks: int
    advancing: int
    declining: int
    advancing_pct: float | None
    above_50_pct: float | None
    """Percent of the stocks with 50 closes that stand above their mean; `above_200_pct` likewise."""
    above_200_pct: float | None
    new_highs: int
    """Stocks whose close is the highest of 252 sessions."""
    new_lows: int
    median_return_1m_pct: float | None
    """Median return over 21 sessions, percent."""
    sectors: tuple[SectorBreadth, ...]

    @property
    def title(self) -> str:
        """Heading."""
        return "Market breadth"

    def figures(self) -> tuple[Figure, ...]:
        """Return the counts and shares of the market, then the shares of each sector."""
        own = (
            Figure("breadth_stocks", self.stocks),
            Figure("breadth_advancing", self.advancing),
            Figure("breadth_declining", self.declining),
            Figure("breadth_advancing_pct", self.advancing_pct, "%"),
            Figure("breadth_above_50_sma", self.above_50_pct, "%"),
            Figure("breadth_above_200_sma", self.above_200_pct, "%"),
            Figure("breadth_new_highs", self.new_highs),
            Figure("breadth_new_lows", self.new_lows),
            Figure("breadth_median_return_1m", self.median_return_1m_pct, "%"),
        )
        return (*own, *(figure for row in self.sectors for figure in _sector_figures(row)))

    def body(self) -> str:
        """Return the market's figures and the sectors as tables."""
        own = [figure for figure in self.figures() if figure.name.startswith("breadth_")]
        market = table_of(("Figure", "Value"), ((figure.name, figure.text) for figure in own))
        rows = ((DISPLAY[row.sector], *(figure.text for figure in _sector_figures(row))) for row in self.sectors)
        head = ("Sector", "Stocks", "Advancing", "Above 50-day mean", "Above 200-day mean")
        return f"{market}\n\n{table_of(head, rows)}"


def market_breadth(stocks: Universe, *, as_of: date, session: date, known_at: datetime) -> MarketBreadth:
    """Measure the breadth of the stocks at hand at their newest session.

    Args:
        stocks: The stocks, with at least two sessions.
        session: The last closed session.
        known_at: When its bars became known.
    """
    closes = stocks.closes
    change = closes[-1] - closes[-2] if len(closes) > 1 else np.full(closes.shape[1], np.nan)
    above = {length: _above_mean(closes, length) for length in (50, 200)}
    highs, lows = _extremes(closes)
    month = closes[-1] / closes[-1 - MONTH] - 1 if len(closes) > MONTH else np.full(closes.shape[1], np.nan)
    keys = np.array(stocks.sectors)
    sectors = tuple(
        SectorBreadth(
            sector=sector,
            stocks=int((keys == sector).sum()),
            advancing_pct=_share(change[keys == sector] > 0, change[keys == sector]),
            above_50_pct=_share(above[50][keys == sector] > 0, above[50][keys == sector]),
            above_200_pct=_share(above[200][keys == sector] > 0, above[200][keys == sector]),
        )
        for sector in dict.fromkeys(stocks.sectors)
    )
    known = month[np.isfinite(month)]
    return MarketBreadth(
        as_of=as_of,
        source="+".join(stocks.sources),
        known_at=known_at,
        fetched_at=stocks.fetched_at,
        end=stocks.last_day,
        rows=len(stocks.symbols),
        notes=(*session_note(stocks.last_day, session), TODAY_S_MEMBERS),
        stocks=len(stocks.symbols),
        advancing=int((change > 0).sum()),
        declining=int((change < 0).sum()),
        advancing_pct=_share(change > 0, change),
        above_50_pct=_share(above[50] > 0, above[50]),
        above_200_pct=_share(above[200] > 0, above[200]),
        new_highs=highs,
        new_lows=lows,
        median_return_1m_pct=100 * float(np.median(known)) if len(known) else None,
        sectors=sectors,
    )


def _above_mean(closes: Floats, length: int) -> Floats:
    """Return how far each last close lies above the mean of the last closes; NaN with fewer of them."""
    window = closes[-length:]
    if len(window) < length:
        return np.full(closes.shape[1], np.nan)
    return np.asarray(closes[-1] - window.mean(axis=0))


def _extremes(closes: Floats) -> tuple[int, int]:
    """Count the stocks whose last close is the highest, and the lowest, of 252 sessions."""
    window = closes[-YEAR:]
    if len(window) < YEAR:
        return 0, 0
    full = np.isfinite(window).all(axis=0)
    kept = window[:, full]
    return int((kept[-1] >= kept.max(axis=0)).sum()), int((kept[-1] <= kept.min(axis=0)).sum())


def _share(holds: np.ndarray, among: Floats) -> float | None:
    known = int(np.isfinite(among).sum())
    return 100 * int(holds.sum()) / known if known else None


def _sector_figures(one: SectorBreadth) -> tuple[Figure, ...]:
    return (
        Figure(f"{one.sector}_companies", one.stocks),
        Figure(f"{one.sector}_advancing_pct", one.advancing_pct, "%"),
        Figure(f"{one.sector}_above_50_sma", one.above_50_pct, "%"),
        Figure(f"{one.sector}_above_200_sma", one.above_200_pct, "%"),
    )
