"""The public names of the router: `route_to_vendor`, and the tables of methods, categories and vendors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import cache, partial
from typing import Any

from tradingagents.dataflows.config import current_settings
from tradingagents.dataflows.gateway.registry import BUILT_IN, vendor_class
from tradingagents.dataflows.gateway.router import (
    Vendors,
    ask_vendors,
    candidates,
    check_tool_vendors,
    unknown_method,
)
from tradingagents.dataflows.plain_calls import plain_answer
from tradingagents.dataflows.vendor import METHODS
from tradingagents.settings import CATEGORIES, Category, Settings

__all__ = [
    "FALLBACK_ALLOWED",
    "METHOD_CATEGORY",
    "VENDOR_METHOD",
    "Vendors",
    "ask_vendors",
    "candidates",
    "check_tool_vendors",
    "get_category_for_method",
    "route_to_vendor",
    "vendor_method",
]

METHOD_CATEGORY: Mapping[str, Category] = {name: method.category for name, method in METHODS.items()}
"""Methods a vendor may be asked, with the category that settings choose vendors by."""

FALLBACK_ALLOWED = frozenset(name for name, method in METHODS.items() if method.fungible)
"""Methods whose answers mean the same from any vendor. Every other method asks one vendor and fails fast.

`get_financials` is an exception: it does not come through `route_to_vendor`, but asks its vendors in turn until one has
statements (`gateway.financial_sources`). Its answer is normalised, all of one source, stamped with it, checked against
the others, and names those passed over. The raw statement methods fail fast.
"""

VENDOR_METHOD: Mapping[str, str] = {
    name: method.vendor_name for name, method in METHODS.items() if method.vendor_name != name
}
"""What the method is called on a vendor, where that is another name."""


def vendor_method(method: str) -> str:
    """Return what a method is called on a vendor."""
    return VENDOR_METHOD.get(method, method)


def route_to_vendor(
    method: str,
    *args: Any,
    settings: Settings | None = None,
    vendors: Vendors | None = None,
    past: date | None = None,
    ask: Callable[..., Any] | None = None,
    **kwargs: Any,
) -> Any:
    """Answer a tool method: `route_to_vendor("get_stock_data", "AAPL", "2025-01-02", "2025-03-14")` returns its text.

    This plain form takes what the tool of that name takes, in its order or by name, is dated by its latest date and
    uses the settings of `dataflows.config`. With `settings` and `vendors` it is the router: it takes what the vendor's
    method takes, and returns the answer and the vendor's name as `gateway.router.ask_vendors` does.

    Args:
        method: A tool, or with `settings` and `vendors` a method of `METHOD_CATEGORY`.
        *args: Its arguments, in their order.
        settings: Chooses the vendors; None: those of `dataflows.config`.
        vendors: Where they live; None makes them.
        past: For the router: the day asked about, where it is over. None for today.
        ask: For the router: asks one vendor by name, method and arguments; None: `vendors.answer`.
        **kwargs: For the plain form: its arguments, by name.

    Raises:
        UsageError: There is no such tool or method, or it takes other arguments.
        TradingAgentsError: As `ask_vendors` raises.
    """
    if settings is not None and vendors is not None:
        put = ask or vendors.answer
        return ask_vendors(method, lambda name: put(name, method, *args), settings=settings, vendors=vendors, past=past)
    return plain_answer()(method, *args, settings=settings, vendors=vendors, **kwargs).to_markdown()


def get_category_for_method(method: str) -> str:
    """Return the category that settings choose the vendors of a method by.

    Raises:
        UsageError: There is no such method; names the nearest.
    """
    if method in METHOD_CATEGORY:
        return METHOD_CATEGORY[method]
    raise unknown_method(method, METHODS)


_DESCRIPTIONS: Mapping[Category, str] = {
    "core_stock_apis": "Prices, company profiles and peers",
    "technical_indicators": "Technical indicators",
    "fundamental_data": "Ratios and financial statements",
    "news_data": "News and insider transactions",
    "scanner_data": "Movers, indices, sectors, industries and topics",
    "calendar_data": "Earnings and economic calendars",
    "macro_data": "Macroeconomic series",
    "social_data": "Posts about a company",
    "filing_data": "Filings with the regulator",
}
TOOLS_CATEGORIES: Mapping[str, Mapping[str, Any]] = {
    category: {
        "description": _DESCRIPTIONS[category],
        "tools": [method for method, its in METHOD_CATEGORY.items() if its == category],
    }
    for category in CATEGORIES
}
"""By category, what it is about and the methods in it."""
VENDOR_LIST: list[str] = list(BUILT_IN)


def __getattr__(name: str) -> Any:
    """Return `VENDOR_METHODS`, which imports every vendor, when first asked for."""
    if name != "VENDOR_METHODS":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _vendor_methods()


@cache
def _vendor_methods() -> Mapping[str, Mapping[str, Callable[..., Any]]]:
    """Return by method who answers it, each as a function of the vendor's own arguments."""
    kinds = {name: vendor_class(name) for name in VENDOR_LIST}
    return {
        name: {
            vendor: partial(_ask, vendor, name)
            for vendor, kind in kinds.items()
            if kind.implements(method) or method.default_answer
        }
        for name, method in METHODS.items()
    }


def _ask(vendor: str, method: str, *args: Any) -> Any:
    """Ask one vendor a method with the settings of `dataflows.config`; returns the vendor's rows."""
    return Vendors(current_settings()).answer(vendor, method, *args)
