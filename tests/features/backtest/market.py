"""Small markets of made prices, split-adjusted as vendors give them, with corporate actions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

import numpy as np

from tradingagents.dataflows.models import Dividend, ListingEnd, Prices, Split
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.features.backtest.broker import TradingCosts
from tradingagents.features.backtest.traded_prices import TradedPrices

FIRST = date(2024, 1, 2)
NO_COSTS = TradingCosts(0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
"""Trades at the open without cost; the volume still limits them."""


def days_of(count: int) -> tuple[date, ...]:
    return sessions().between(FIRST, date(2025, 12, 31))[:count]


def made_prices(
    symbol: str,
    days: Sequence[date],
    traded: Sequence[float],
    *,
    opens: Sequence[float] | None = None,
    volume: float = 1e9,
    splits: Sequence[Split] = (),
    dividends: Sequence[tuple[date, float]] = (),
    missing: Sequence[date] = (),
    ended: ListingEnd | None = None,
) -> Prices:
    """Return prices from closes as traded and dividends per share of their day."""
    after = np.array([np.prod([one.ratio for one in splits if one.day > day]) for day in days], dtype=float)
    close = np.array(traded, dtype=float) / after
    opened = close if opens is None else np.array(opens, dtype=float) / after
    paid = tuple(
        Dividend(day, amount / float(np.prod([one.ratio for one in splits if one.day > day])))
        for day, amount in dividends
    )
    keep = np.array([day not in missing for day in days])
    adjusted = close.copy()
    for dividend in paid:
        place = next((n for n, day in enumerate(days) if day >= dividend.day), 0)
        if place:
            adjusted[:place] *= 1 - dividend.amount / close[place - 1]
    return Prices(
        symbol=symbol,
        days=np.array(days, dtype="datetime64[D]")[keep],
        open=opened[keep],
        high=np.maximum(opened, close)[keep],
        low=np.minimum(opened, close)[keep],
        close=close[keep],
        adj_close=adjusted[keep],
        volume=(np.full(len(days), float(volume)) * after)[keep],
        currency="USD",
        vendor="made",
        fetched_at=datetime(2026, 1, 1, tzinfo=UTC),
        splits=tuple(splits),
        dividends=paid,
        ended=ended,
    )


def table_of(*prices: Prices, days: Sequence[date]) -> TradedPrices:
    return TradedPrices({one.symbol: one for one in prices}, days)
