"""A symbol at its last session: price, changes, range, averages, volume and volatility in one view."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import ClassVar

import numpy as np

from tradingagents.analytics.least_history import YEAR, short_history_note
from tradingagents.analytics.price.indicators import latest
from tradingagents.analytics.price.returns import (
    annualised_volatility,
    last_day,
    percent,
    price_unit,
    simple_return,
    year_to_date,
)
from tradingagents.analytics.price.stock_data import year_range
from tradingagents.analytics.text import table_of
from tradingagents.dataflows.models import Prices, Profile
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData

MOVES: Mapping[str, int] = {"change_1d": 1, "change_1w": 5, "change_1m": 21, "change_3m": 63, "return_252d": 252}
"""Sessions of each change; dividends are included."""
NEEDING_HISTORY = (*MOVES, *("high_52w", "low_52w", "sma_50", "sma_200", "rsi", "volatility_20d", "avg_volume_20d"))
"""Figures that a short history lacks."""


class MarketSnapshot(Result):
    """Where a symbol stands at its last session."""

    tabulated: ClassVar[bool] = True

    name: str
    price: float
    """Last close, as traded."""
    unit: str
    """Unit of the prices: the currency, or empty for an index."""
    changes: Mapping[str, float | None]
    """Percent by name: `change_1d`, `change_1w`, `change_1m`, `change_3m`, `return_252d`, `return_ytd`; None: short."""
    high_52w: float | None
    """As traded, as are `low_52w`, `sma_50` and `sma_200` (means of so many closes)."""
    low_52w: float | None
    sma_50: float | None
    sma_200: float | None
    rsi: float | None
    """Relative strength index of 14 sessions, 0 to 100, of the closes as traded; None before its warm-up ends."""
    volatility_20d_pct: float | None
    """Annualised, percent."""
    volume: float | None
    """Shares traded in the session; None for an index without volume."""
    avg_volume_20d: float | None

    @property
    def title(self) -> str:
        """Heading."""
        return f"Market snapshot: {self.name} ({self.symbol})"

    def figures(self) -> tuple[Figure, ...]:
        """Return every number of the view."""
        levels = ("high_52w", "low_52w", "sma_50", "sma_200")
        return (
            Figure("price", self.price, self.unit),
            *(Figure(name, value, "%") for name, value in self.changes.items()),
            *(Figure(name, getattr(self, name), self.unit) for name in levels),
            Figure("rsi", self.rsi),
            Figure("volatility_20d", self.volatility_20d_pct, "%"),
            Figure("session_volume", self.volume, "shares"),
            Figure("avg_volume_20d", self.avg_volume_20d, "shares"),
        )

    def body(self) -> str:
        """Return the numbers as a table."""
        return table_of(("Figure", "Value"), ((figure.name, figure.text) for figure in self.figures()))


def market_snapshot(prices: Prices, profile: Profile | None, *, as_of: date, known_at: datetime) -> MarketSnapshot:
    """Sum up a symbol's bars.

    Args:
        prices: Bars as traded on the last session.
        profile: Who it is; None: the symbol stands for the name.
        known_at: When the last bar became known.

    Raises:
        NoData: There are no bars.
    """
    bars = prices.upto(as_of)
    if not len(bars):
        raise NoData(f"{prices.symbol} has no bars up to {as_of}; name a later date or check the symbol.")
    high, low = year_range(bars)
    moves = {name: percent(simple_return(bars, sessions)) for name, sessions in MOVES.items()}
    traded = bars.volume[-20:]
    has_volume = bool(np.isfinite(traded).all() and traded.sum() > 0)
    mean_volume = float(traded.mean()) if has_volume and len(traded) == 20 and not bars.spans_gap(20) else None
    short = short_history_note(bars, NEEDING_HISTORY)
    shown = latest(bars, "close_50_sma", "close_200_sma", "rsi")
    year = bars.since(last_day(bars) - YEAR)
    return MarketSnapshot(
        symbol=prices.symbol,
        as_of=as_of,
        source=prices.vendor,
        currency=prices.currency,
        known_at=known_at,
        fetched_at=prices.fetched_at,
        start=year.days[0].item(),
        end=last_day(bars),
        rows=len(bars),
        notes=(short,) if short else (),
        name=profile.name if profile is not None else prices.symbol,
        price=float(bars.close[-1]),
        unit=price_unit(bars),
        changes={**moves, "return_ytd": percent(year_to_date(bars))},
        high_52w=high,
        low_52w=low,
        sma_50=shown["close_50_sma"],
        sma_200=shown["close_200_sma"],
        rsi=shown["rsi"],
        volatility_20d_pct=percent(annualised_volatility(bars)),
        volume=float(bars.volume[-1]) if has_volume else None,
        avg_volume_20d=mean_volume,
    )
