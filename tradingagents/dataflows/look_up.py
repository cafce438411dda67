"""Looks up what a run cannot do without: the instrument and its prices."""

from __future__ import annotations

from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.errors import NoData


def look_up(data: MarketData, symbol: str) -> Prices:
    """Resolve an instrument and return its prices: without them there is nothing to study.

    Raises:
        NoData: The vendor has no prices of it for the day.
        DataError: The vendor does not answer.
    """
    try:
        prices = data.prices(symbol)
    except NoData as error:
        raise NoData(f"No prices of {symbol} for {data.as_of}: {error}") from error
    data.instrument(symbol)
    return prices
