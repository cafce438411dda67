"""Prices for accounts, from the vendors of the settings."""

from __future__ import annotations

from datetime import date

from tradingagents.dataflows.gateway.router import ask_vendors
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.vendor import Vendor
from tradingagents.runtime.services import Services


def read_prices(services: Services, symbol: str, first: date, last: date) -> Prices:
    """Return the bars of a symbol that may have ended: accounts need those of companies that are gone, too.

    Raises:
        DataError, VendorNotConfigured: No vendor has them.
    """
    vendors = services.vendors

    def ask(name: str) -> Prices:
        return vendors.ask(name, Vendor.get_stock_data, symbol, first, last)

    found, _ = ask_vendors(Vendor.get_stock_data, ask, settings=services.settings, vendors=vendors, past=last)
    return found.upto(last)
