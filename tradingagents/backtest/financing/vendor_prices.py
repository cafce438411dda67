"""Prices for accounts, from the vendors of the settings."""

from __future__ import annotations

from datetime import date

from tradingagents.dataflows.gateway.price_breaks import price_breaks
from tradingagents.dataflows.gateway.router import ask_vendors
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import NoData
from tradingagents.runtime.services import Services


def read_prices(services: Services, symbol: str, first: date, last: date) -> Prices:
    """Return the bars of a symbol that may have ended: accounts need those of companies that are gone, too.

    Raises:
        DataError, VendorNotConfigured: No vendor has them, or they have a break: an account that holds across it would
            gain or lose what never was.
    """
    vendors = services.vendors

    def ask(name: str) -> Prices:
        return vendors.ask(name, Vendor.get_stock_data, symbol, first, last)

    found, _ = ask_vendors(Vendor.get_stock_data, ask, settings=services.settings, vendors=vendors, past=last)
    known = found.upto(last)
    if broken := price_breaks(known):
        raise NoData(
            f"{found.vendor}'s prices of {symbol} cannot be traded in a test: {broken[0].text}. Correct them, name "
            f"another vendor, or leave {symbol} out."
        )
    return known
