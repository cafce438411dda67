"""Which vendor answers: tool override, `data_vendor`, category; fall-back only where answers are interchangeable."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from datetime import date
from functools import cached_property
from typing import Any

from tradingagents.dataflows.gateway.limits import LIMITS_FILE, RateLimiter
from tradingagents.dataflows.gateway.registry import registration_of
from tradingagents.dataflows.gateway.resilience import Trust
from tradingagents.dataflows.gateway.single_flight import SingleFlight
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.row_text import cleaned
from tradingagents.dataflows.vendor import Vendor
from tradingagents.environment import readable_environment
from tradingagents.errors import (
    AllVendorsFailed,
    DataError,
    NotForPastDate,
    NotInPlan,
    SettingsError,
    UsageError,
    VendorNotConfigured,
    VendorUnavailable,
)
from tradingagents.redaction import KnownSecrets, secrets_in_environment
from tradingagents.settings import Category, Settings, environment, nearest, secrets_of

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
    "get_financials": "fundamental_data",
    "get_macro_indicators": "macro_data",
    "get_social_posts": "social_data",
    "get_filings": "filing_data",
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
"""Methods whose answers mean the same whoever gives them. Every other method asks one vendor and fails fast.

A stated exception is `get_financials`, which does not come through `route_to_vendor`: it asks its vendors in turn until
one has statements (`financial_sources`). Its answer is normalised, all of one source, stamped with it, checked against
the others, and names those passed over. The raw statement methods fail fast.
"""

VENDOR_METHOD = {
    "get_balance_sheet": "get_statements",
    "get_cashflow": "get_statements",
    "get_income_statement": "get_statements",
    "get_financials": "get_statements",
    # computed here from the vendor's prices, the same way for every vendor:
    "get_indicators": "get_stock_data",
    "get_market_indices": "get_stock_data",
    "get_sector_performance": "get_stock_data",
}
"""Where the vendor's method is called differently."""


class Vendors:
    """The vendors of one graph, each made when first asked and then shared by its runs. Thread-safe."""

    def __init__(
        self,
        settings: Settings,
        made: Mapping[str, Vendor] | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Prepare the vendors.

        Args:
            settings: Says how each vendor is made.
            made: Vendors by name that exist already; they win over those made from settings.
            environ: Where keys are read; None reads `.env` and the process environment when first needed.
            sleep: Waits between attempts.
        """
        self._settings = settings
        self._environ = environ
        self._made: dict[str, Vendor] = dict(made or {})
        self._unmade: dict[str, str] = {}
        self._lock = threading.Lock()
        self._limiter = RateLimiter(settings.home_dir / LIMITS_FILE)
        self.trust = Trust(retries=settings.vendor_max_retries, patience=settings.vendor_timeout, sleep=sleep)
        self.flights = SingleFlight()

    def get(self, name: str) -> Vendor:
        """Return a vendor by name.

        Raises:
            SettingsError: No vendor is called that.
            VendorNotConfigured: It lacks a key or a folder.
        """
        with self._lock:
            if name in self._unmade:
                raise VendorNotConfigured(self._unmade[name])
            if name not in self._made:
                try:
                    self._made[name] = registration_of(name).make(self.access(name))
                except VendorNotConfigured as error:
                    self._unmade[name] = str(error)
                    raise
            return self._made[name]

    def access(self, name: str) -> Access:
        """Return how a vendor is reached."""
        if self._environ is None:
            self._environ = environment()
        known = registration_of(name)
        return Access(
            name,
            settings=self._settings,
            environ=self._environ,
            url=known.url,
            variables=(*known.needs, *known.takes),
            rates=known.rates,
            limiter=self._limiter,
            sign_up=known.sign_up,
        )

    def ask(self, name: str, method: str, *args: Any) -> Any:
        """Ask one vendor: again where a failure may pass, not at all for a while after several.

        Raises:
            TradingAgentsError: What the vendor raised.
        """
        vendor = self.get(name)
        answer = getattr(vendor, vendor_method(method))
        given = answer(*args) if vendor.local else self.trust.call(name, lambda: answer(*args))
        return cleaned(given, self._secrets)

    @cached_property
    def _secrets(self) -> KnownSecrets:
        """What a source that quotes it must not bring into a prompt, a cache or a report."""
        environ = readable_environment() if self._environ is None else self._environ
        return KnownSecrets(secrets_in_environment(environ) | secrets_of(self._settings))


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


def candidates(
    method: str, *, settings: Settings, vendors: Vendors, past: date | None = None
) -> tuple[tuple[str, ...], Exception | None]:
    """Return who can be asked, in order of preference, and why the first of the others cannot.

    Passed over are vendors without their key or folder, those that know today only where `past` is a day that is over,
    and those that do not answer the method at all. None of that is a failure: nobody was asked.
    """
    names = settings.vendors_for(method, METHOD_CATEGORY[method])
    able: list[str] = []
    unable: list[str] = []
    today_only: list[str] = []
    unmade: Exception | None = None
    for name in names:
        try:
            vendor = vendors.get(name)
        except VendorNotConfigured as error:
            unmade = unmade or error
            continue
        if not vendor.can(vendor_method(method)):
            unable.append(name)
        elif past is not None and method in vendor.live_only:
            today_only.append(name)
        else:
            able.append(name)
    if today_only:
        return tuple(able), NotForPastDate(
            f"{', '.join(today_only)} answers {method} for today only, not for {past}; for a past date use recorded "
            f"data (data_vendor='snapshot'), or choose another vendor in tool_vendors."
        )
    # Where none has the method, the first one says so itself.
    return tuple(able or unable[:1]), unmade


def vendor_method(method: str) -> str:
    """Return what the vendor's method is called."""
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

    That plain form takes what the tool of that name takes, in its order or by name, is dated by its latest date and
    uses the settings of `dataflows.config`. With `settings` and `vendors` it is the router: see `ask_vendors`, which it
    then returns.

    Raises:
        UsageError: In the plain form: no such tool, or other arguments than it takes.
        TradingAgentsError: As `ask_vendors` raises.
    """
    if settings is not None and vendors is not None:
        return ask_vendors(method, *args, settings=settings, vendors=vendors, past=past, ask=ask)
    from tradingagents.capabilities.standalone import ask_named

    return ask_named(method, *args, settings=settings, vendors=vendors, **kwargs).to_markdown()


def ask_vendors(
    method: str,
    *args: Any,
    settings: Settings,
    vendors: Vendors,
    past: date | None = None,
    ask: Callable[..., Any] | None = None,
) -> tuple[Any, str]:
    """Ask the vendor that settings choose for `method`, and say which one answered.

    Of several vendors the first that can be asked answers. When it fails, the next one is asked only for the fungible
    methods; or where the first one's plan does not include the question.

    Args:
        method: A documented tool method, see `METHOD_CATEGORY`.
        *args: What the vendor's method takes.
        settings: Chooses the vendors.
        vendors: Where they live.
        past: The day asked about, where it is over: vendors that know today only are passed over. None for today.
        ask: Asks one vendor: name, method, arguments; None: `vendors.ask`.

    Returns:
        The vendor's answer and the vendor's name.

    Raises:
        NoData: The vendor has nothing; no other is asked, since the answer would be another question's.
        NotForPastDate: Every vendor that may answer knows today only.
        VendorNotConfigured: Every vendor lacks a key or folder, or the one asked refuses its key.
        AllVendorsFailed: Every vendor that may answer is unavailable; names method and vendors, chained from the last.
    """
    ask = ask or vendors.ask
    able, passed_over = candidates(method, settings=settings, vendors=vendors, past=past)
    failure: DataError | VendorNotConfigured | None = None
    failed: list[str] = []
    for name in able:
        failed.append(name)
        try:
            return ask(name, method, *args), name
        except (VendorUnavailable, VendorNotConfigured) as error:
            if not isinstance(failure, VendorUnavailable):
                failure = error
            if method not in FALLBACK_ALLOWED and not isinstance(error, NotInPlan):
                break
    if failure is None:
        if passed_over is not None:
            raise passed_over
        raise VendorNotConfigured(f"No vendor is named for {method}; choose one with data_vendor or tool_vendors.")
    if isinstance(failure, VendorNotConfigured):
        raise failure
    raise AllVendorsFailed(
        f"{method} failed at {', '.join(failed)}: {failure} Or choose another vendor with data_vendor or data_vendors."
    ) from failure


def get_category_for_method(method: str) -> str:
    """Return the category that settings choose the vendors of a method by.

    Raises:
        UsageError: There is no such method; names the nearest.
    """
    if method in METHOD_CATEGORY:
        return METHOD_CATEGORY[method]
    close = nearest(method, METHOD_CATEGORY)
    hint = f"did you mean {close}?" if close else f"known are: {', '.join(METHOD_CATEGORY)}."
    raise UsageError(f"There is no method {method!r}; {hint}")


def __getattr__(name: str) -> Any:
    """Return `VENDOR_METHODS`, `TOOLS_CATEGORIES` or `VENDOR_LIST`, the tables of the public API, made when asked."""
    if name not in ("TOOLS_CATEGORIES", "VENDOR_LIST", "VENDOR_METHODS"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from tradingagents.dataflows.gateway import vendor_tables

    return getattr(vendor_tables, name)
