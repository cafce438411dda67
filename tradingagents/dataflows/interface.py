"""Which vendor answers: tool override, `data_vendor`, category; fall-back only where answers are interchangeable."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import (
    AllVendorsFailed,
    DataError,
    NotForPastDate,
    SettingsError,
    VendorNotConfigured,
    VendorUnavailable,
)
from tradingagents.settings import Category, Settings, nearest

METHOD_CATEGORY: Mapping[str, Category] = {
    "get_stock_data": "core_stock_apis",
    "get_profile": "core_stock_apis",
    "get_peers": "core_stock_apis",
    "get_indicators": "technical_indicators",
    "get_fundamentals": "fundamental_data",
    "get_balance_sheet": "fundamental_data",
    "get_cashflow": "fundamental_data",
    "get_income_statement": "fundamental_data",
    "get_news": "news_data",
    "get_global_news": "news_data",
    "get_insider_transactions": "news_data",
    "get_market_movers": "scanner_data",
    "get_market_indices": "scanner_data",
    "get_sector_performance": "scanner_data",
    "get_industry_performance": "scanner_data",
    "get_topic_news": "scanner_data",
    "get_earnings_calendar": "calendar_data",
    "get_economic_calendar": "calendar_data",
}
"""Methods a vendor may be asked, with the category that settings choose vendors by."""

FALLBACK_ALLOWED = frozenset(
    {
        "get_stock_data",
        "get_market_indices",
        "get_sector_performance",
        "get_market_movers",
        "get_industry_performance",
    }
)
"""Methods whose answers mean the same whoever gives them. Every other method asks one vendor and fails fast."""

VENDOR_METHOD = {
    "get_balance_sheet": "get_statements",
    "get_cashflow": "get_statements",
    "get_income_statement": "get_statements",
    # computed here from the vendor's prices, the same way for every vendor:
    "get_indicators": "get_stock_data",
    "get_market_indices": "get_stock_data",
    "get_sector_performance": "get_stock_data",
}
"""Where the vendor's method is called differently."""


def _snapshot(settings: Settings) -> Vendor:
    from tradingagents.dataflows.vendors.snapshot import SnapshotVendor

    if settings.data_dir is None:
        raise VendorNotConfigured(
            "The snapshot vendor needs a folder; name it with --data-dir or TRADINGAGENTS_DATA_DIR."
        )
    return SnapshotVendor(settings.data_dir)


def _simulated(settings: Settings) -> Vendor:
    from tradingagents.dataflows.vendors.simulated import SimulatedVendor

    return SimulatedVendor(seed=settings.simulated_seed)


def _yfinance(settings: Settings) -> Vendor:
    from tradingagents.dataflows.vendors.yfinance import YFinanceVendor

    return YFinanceVendor(timeout=settings.vendor_timeout, cache_dir=settings.home_dir / "cache" / "yfinance")


VENDORS: Mapping[str, Callable[[Settings], Vendor]] = {
    "yfinance": _yfinance,
    "snapshot": _snapshot,
    "simulated": _simulated,
}


def maker_of(name: str) -> Callable[[Settings], Vendor]:
    """Return what makes a vendor from settings.

    Raises:
        SettingsError: No vendor is called that; names the nearest.
    """
    if maker := VENDORS.get(name):
        return maker
    close = nearest(name, VENDORS)
    hint = f"did you mean {close}?" if close else f"known are: {', '.join(VENDORS)}."
    raise SettingsError(f"Unknown data vendor {name!r}; {hint}")


class Vendors:
    """The vendors of one graph, each made when first asked and then shared by its runs. Thread-safe."""

    def __init__(self, settings: Settings, made: Mapping[str, Vendor] | None = None) -> None:
        """Prepare the vendors.

        Args:
            settings: Says how each vendor is made.
            made: Vendors by name that exist already; they win over those made from settings.
        """
        self._settings = settings
        self._made: dict[str, Vendor] = dict(made or {})
        self._lock = threading.Lock()

    def get(self, name: str) -> Vendor:
        """Return a vendor by name.

        Raises:
            SettingsError: No vendor is called that.
            VendorNotConfigured: It lacks a key or a folder.
        """
        with self._lock:
            if name not in self._made:
                self._made[name] = maker_of(name)(self._settings)
            return self._made[name]


def check_tool_vendors(settings: Settings) -> None:
    """Refuse a `tool_vendors` entry that would do nothing: an unknown tool, or one that is computed from others.

    Raises:
        SettingsError: Names the tool and the nearest that has vendors.
    """
    for tool in settings.tool_vendors:
        if tool not in METHOD_CATEGORY:
            close = nearest(tool, METHOD_CATEGORY)
            hint = f"did you mean {close}?" if close else f"tools with vendors are: {', '.join(METHOD_CATEGORY)}."
            raise SettingsError(f"tool_vendors names {tool!r}, which no vendor answers; {hint}")


def route_to_vendor(
    method: str, *args: Any, settings: Settings, vendors: Vendors, past: date | None = None
) -> tuple[Any, str]:
    """Ask the vendor that settings choose for `method`, and say which one answered.

    Args:
        method: A documented tool method, see `METHOD_CATEGORY`.
        *args: What the vendor's method takes.
        settings: Chooses the vendors.
        vendors: Where they live.
        past: The day asked about, where it is over: vendors that know today only are passed over. None for today.

    Returns:
        The vendor's answer and the vendor's name.

    Raises:
        NoData: The vendor has nothing; no other is asked, since the answer would be another question's.
        NotForPastDate: Every vendor that may answer knows today only.
        VendorNotConfigured: The only vendor lacks a key or folder.
        AllVendorsFailed: Every vendor that may answer is unavailable; names method and vendors, chained from the last.
    """
    names = settings.vendors_for(method, METHOD_CATEGORY[method])
    allowed = names if method in FALLBACK_ALLOWED else names[:1]
    failure: DataError | VendorNotConfigured | None = None
    for name in allowed:
        try:
            vendor = vendors.get(name)
            if past is not None and method in vendor.live_only:
                continue
            return getattr(vendor, VENDOR_METHOD.get(method, method))(*args), name
        except (VendorUnavailable, VendorNotConfigured) as error:
            if not isinstance(failure, VendorUnavailable):
                failure = error
    if isinstance(failure, VendorNotConfigured):
        raise failure
    if allowed and failure is None:
        raise NotForPastDate(
            f"{', '.join(allowed)} answers {method} for today only, not for {past}; for a past date use recorded data "
            f"(--data-vendor snapshot), or choose another vendor in tool_vendors."
        )
    raise AllVendorsFailed(
        f"{method} failed at {', '.join(allowed) or 'no vendor'}: {failure} "
        f"Or choose another vendor with --data-vendor or data_vendors."
    ) from failure
