"""Prices for accounts, from the vendors of the settings."""

from __future__ import annotations

from datetime import date

from tradingagents.dataflows.gateway.checks.price_checks import check_prices
from tradingagents.dataflows.gateway.router import ask_vendors
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.data_faults import FaultKind, reference
from tradingagents.dataflows.vendor import Vendor
from tradingagents.features.backtest.financing.derived_dividends import UntradablePrices, with_unlisted_dividends
from tradingagents.runtime.services import Services

UNTRADED: frozenset[FaultKind] = frozenset(
    ("split-not-applied", "split-not-listed", "split-applied-twice", "unit-change", "price-jump", "dividends-disagree")
)
"""Faults by which an account would gain or lose what never was, such as a dividend that the closes contain too."""


def read_prices(services: Services, symbol: str, first: date, last: date) -> Prices:
    """Return the bars of a symbol that may have ended: accounts need those of companies that are gone, too.

    Dividends that the adjusted closes contain and the list lacks are added to it, each with its `rounding`.

    Raises:
        UntradablePrices: They have a fault of `UNTRADED`, contradict the end of the listing, or lack dividends that
            cannot be derived.
        DataError, VendorNotConfigured: No vendor has them.
    """
    vendors = services.vendors

    def ask(name: str) -> Prices:
        return vendors.answer(name, Vendor.get_stock_data, symbol, first, last)

    found, _ = ask_vendors(Vendor.get_stock_data, ask, settings=services.settings, vendors=vendors, past=last)
    known = found.upto(last)
    if broken := next((one for one in check_prices(known, last).faults if one.kind in UNTRADED), None):
        raise UntradablePrices(
            f"{found.vendor}'s prices of {symbol} cannot be traded in a test: {broken.text()} "
            f"({reference(broken.kind)}). Correct them, name another vendor, or leave {symbol} out."
        )
    if known.ended is not None and len(known) and known.days[-1].item() >= known.ended.day:
        raise UntradablePrices(
            f"{found.vendor} says that {symbol} was {known.ended.kind} on {known.ended.day}, and has a bar of "
            f"{known.days[-1].item()}: one of them is wrong. Correct it, name another vendor, or leave {symbol} out."
        )
    return with_unlisted_dividends(known)
