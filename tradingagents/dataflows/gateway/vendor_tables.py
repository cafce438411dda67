"""The router's tables in the form of the public API: tools by category, and who answers each method."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from tradingagents.dataflows.config import current_settings
from tradingagents.dataflows.interface import METHOD_CATEGORY, Vendors, vendor_method
from tradingagents.dataflows.vendor import Vendor
from tradingagents.settings import CATEGORIES

DESCRIPTIONS: Mapping[str, str] = {
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
        "description": DESCRIPTIONS[category],
        "tools": [method for method, its in METHOD_CATEGORY.items() if its == category],
    }
    for category in CATEGORIES
}
CLASSES: Mapping[str, tuple[str, str]] = {
    "yfinance": ("yfinance", "YFinanceVendor"),
    "alpha_vantage": ("alpha_vantage", "AlphaVantageVendor"),
    "finnhub": ("finnhub", "FinnhubVendor"),
    "fred": ("fred", "FredVendor"),
    "sec_edgar": ("sec_edgar", "SecEdgarVendor"),
    "financial_datasets": ("financial_datasets", "FinancialDatasetsVendor"),
    "stocktwits": ("stocktwits", "StockTwitsVendor"),
    "reddit": ("reddit", "RedditVendor"),
    "tavily": ("tavily", "TavilyVendor"),
    "snapshot": ("snapshot", "SnapshotVendor"),
    "simulated": ("simulated", "SimulatedVendor"),
}
"""Module and class of each built-in vendor."""
VENDOR_LIST: list[str] = list(CLASSES)


def _answers(vendor: str, method: str) -> bool:
    module, name = CLASSES[vendor]
    kind: type[Vendor] = getattr(import_module(f"tradingagents.dataflows.vendors.{module}"), name)
    return getattr(kind, method) is not getattr(Vendor, method) or method == "get_peers"


def _ask(vendor: str, method: str, *args: Any) -> Any:
    """Ask one vendor a method with the settings of `dataflows.config`; returns the vendor's rows."""
    return Vendors(current_settings()).ask(vendor, method, *args)


VENDOR_METHODS: Mapping[str, Mapping[str, Callable[..., Any]]] = {
    method: {vendor: partial(_ask, vendor, method) for vendor in VENDOR_LIST if _answers(vendor, vendor_method(method))}
    for method in METHOD_CATEGORY
}
"""By method, who answers it, each as a function of the vendor's own arguments."""
