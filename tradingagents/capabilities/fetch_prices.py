"""Prices of several symbols at once: one after the other where they cost nothing, else side by side."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.errors import BadSymbol, DataError

MOST_AT_ONCE = 16
"""Most questions put to a remote vendor at the same time; its own limits hold beneath."""


def fetch_prices(
    market: MarketData, symbols: Sequence[str], *, method: str = "get_stock_data", days: int | None = None
) -> dict[str, Prices]:
    """Return the prices of the symbols that have any; the analytics say what a missing one means.

    Args:
        market: The market.
        symbols: Whose.
        method: The tool method whose vendor is asked.
        days: Calendar days back from the cut-off; None: `price_history_days`.
    """

    def one(symbol: str) -> Prices | None:
        try:
            return market.prices(symbol, method=method, days=days)
        except (BadSymbol, DataError):
            return None

    if market.is_local(method):
        found = {symbol: one(symbol) for symbol in symbols}
    else:
        with ThreadPoolExecutor(max_workers=min(len(symbols), MOST_AT_ONCE) or 1) as pool:
            found = dict(zip(symbols, pool.map(one, symbols), strict=True))
    return {symbol: prices for symbol, prices in found.items() if prices is not None}
