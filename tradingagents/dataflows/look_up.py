"""Looks up what a run cannot do without: its day, the instrument and its prices."""

from __future__ import annotations

from datetime import date

from tradingagents.dataflows.cutoff import latest_day, utc_now
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.dataflows.reference.symbols import MARKET
from tradingagents.errors import ConfigurationError, DataError, NoData
from tradingagents.settings import Settings

RECORDED = "snapshot"


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


def default_day(settings: Settings, symbol: str = MARKET) -> date:
    """Return the day of a question that names none: today, where the exchange is, or the last recorded session.

    Args:
        settings: Choose the vendors.
        symbol: Whose exchange gives the sessions.
    """
    exchange = exchange_of(symbol)
    today, recorded = latest_day(exchange, utc_now()), recorded_until(settings)
    return today if recorded is None else min(today, sessions(exchange).on_or_before(recorded))


def recorded_until(settings: Settings) -> date | None:
    """Return the last day of the folder that prices come from first; None where they come from elsewhere.

    A folder that cannot be read has no last day: the question itself then fails, with the reason.
    """
    if settings.data_dir is None or settings.vendors_for("get_stock_data", "core_stock_apis")[:1] != (RECORDED,):
        return None
    from tradingagents.dataflows.vendors.snapshot.folder import open_folder  # imported here, because it loads pyarrow

    try:
        return open_folder(settings.data_dir).last
    except (ConfigurationError, DataError):
        return None
