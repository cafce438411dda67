"""The registered vendors: built-in ones, and those of installed packages (entry point `tradingagents.vendors`)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.vendor import METHODS, Vendor
from tradingagents.dataflows.vendor_method import VendorMethod, methods_of
from tradingagents.errors import SettingsError, VendorNotConfigured
from tradingagents.settings import nearest

ENTRY_POINTS = "tradingagents.vendors"
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Registration:
    """How to create a vendor, and what users need to know about it."""

    make: Callable[[Access], Vendor]
    """Imports the vendor's module when called."""
    url: str = ""
    """Base address; `vendor_urls` may override it."""
    needs: tuple[str, ...] = ()
    """Required environment variables."""
    takes: tuple[str, ...] = ()
    """Optional environment variables."""
    rates: str = ""
    """Rate limits of its free plan; `vendor_rates` may override them."""
    sign_up: str = ""
    """Where to get a key."""
    terms: str = ""
    """Terms of use for its data, in one sentence; empty if there are none."""
    declares: type[Vendor] | None = None
    """A vendor class that declares its own methods, if `make` isn't the class itself."""

    @property
    def methods(self) -> Mapping[str, VendorMethod[..., Any]]:
        """The methods that an installed vendor declares, together with the library's, by name."""
        return methods_of(self._declared)

    @property
    def kind(self) -> type[Vendor]:
        """Its class; a built-in vendor's module is imported, and a factory that declares none gives `Vendor`."""
        return self.make.kind() if isinstance(self.make, _Ours) else self._declared

    @property
    def _declared(self) -> type[Vendor]:
        return self.declares or (self.make if isinstance(self.make, type) else Vendor)


def _of(module: str, name: str) -> Callable[[Access], Vendor]:
    """Return a factory for a built-in vendor; its module is imported on first use."""
    return _Ours(f"tradingagents.dataflows.vendors.{module}", name)


@dataclass(frozen=True, slots=True)
class _Ours:
    """Creates a built-in vendor and imports its module on first use."""

    module: str
    name: str

    def __call__(self, access: Access) -> Vendor:
        return self.kind().open(access)

    def kind(self) -> type[Vendor]:
        """Import the vendor's class."""
        kind: type[Vendor] = getattr(import_module(self.module), self.name)
        return kind


BUILT_IN: Mapping[str, Registration] = {
    "yfinance": Registration(
        _of("yfinance", "YFinanceVendor"),
        rates="4/second, 2000/hour",
        terms="Yahoo's data are for personal use.",
    ),
    "alpha_vantage": Registration(
        _of("alpha_vantage", "AlphaVantageVendor"),
        url="https://www.alphavantage.co",
        needs=("ALPHA_VANTAGE_API_KEY",),
        rates="1/second, 25/day",
        sign_up="https://www.alphavantage.co/support/#api-key",
        terms="Alpha Vantage's free key is for personal use.",
    ),
    "finnhub": Registration(
        _of("finnhub", "FinnhubVendor"),
        url="https://api.finnhub.io/api/v1",
        needs=("FINNHUB_API_KEY",),
        rates="10/second, 60/minute",
        sign_up="https://finnhub.io/register",
        terms="Finnhub's free plan is for personal use.",
    ),
    "fred": Registration(
        _of("fred", "FredVendor"),
        url="https://api.stlouisfed.org",
        needs=("FRED_API_KEY",),
        rates="2/second, 100/minute",
        sign_up="https://fred.stlouisfed.org/docs/api/api_key.html",
        terms="FRED's series belong to their sources; most of the US government's are public domain.",
    ),
    "sec_edgar": Registration(
        _of("sec_edgar", "SecEdgarVendor"),
        url="https://data.sec.gov",
        needs=("EDGAR_IDENTITY",),
        rates="8/second",
        sign_up="https://www.sec.gov/os/accessing-edgar-data (a name and an e-mail address, no key)",
        terms="EDGAR's filings are public.",
    ),
    "financial_datasets": Registration(
        _of("financial_datasets", "FinancialDatasetsVendor"),
        url="https://api.financialdatasets.ai",
        needs=("FINANCIAL_DATASETS_API_KEY",),
        rates="5/second, 200/minute",
        sign_up="https://financialdatasets.ai",
        terms="Financial Datasets' data are for the holder of the key.",
    ),
    "stocktwits": Registration(
        _of("stocktwits", "StockTwitsVendor"),
        url="https://api.stocktwits.com/api/2",
        rates="2/second, 200/hour",
        terms="StockTwits' posts belong to their authors.",
    ),
    "reddit": Registration(
        _of("reddit", "RedditVendor"),
        url="https://www.reddit.com",
        takes=("REDDIT_CLIENT_ID", "REDDIT_CLIENT_SECRET"),
        rates="1/second, 10/minute",
        sign_up="https://www.reddit.com/prefs/apps",
        terms="Reddit's posts belong to their authors.",
    ),
    "tavily": Registration(
        _of("tavily", "TavilyVendor"),
        url="https://api.tavily.com",
        needs=("TAVILY_API_KEY",),
        rates="100/minute",
        sign_up="https://app.tavily.com",
        terms="Found pages belong to their publishers.",
    ),
    "snapshot": Registration(_of("snapshot", "SnapshotVendor")),
    "simulated": Registration(_of("simulated", "SimulatedVendor")),
}


@cache
def registrations() -> Mapping[str, Registration]:
    """Return every vendor by name: built-in ones first, then those of installed packages, which can't replace them.

    A package's vendor that fails to load is included: using it raises an error, and other vendors aren't affected.
    """
    found = dict(BUILT_IN)
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: (point.name, point.value)):
        if point.name in BUILT_IN:
            _LOG.warning("%s", f"{point.value} offers a data vendor {point.name!r}; tradingagents' own is used.")
        elif point.name in found:
            found[point.name] = _broken(point, "more than one package offers a vendor of that name")
        else:
            found[point.name] = _loaded(point)
    return found


def all_methods() -> Mapping[str, VendorMethod[..., Any]]:
    """Return every method by name: the library's, then those of installed packages."""
    known: dict[str, VendorMethod[..., Any]] = {}
    for registration in registrations().values():
        known.update(registration.methods)
    return {**METHODS, **{name: method for name, method in known.items() if name not in METHODS}}


def _loaded(point: EntryPoint) -> Registration:
    try:
        registration = point.load()
    except Exception as error:  # noqa: BLE001 - whatever a package's code does
        return _broken(point, f"{type(error).__name__}: {error}")
    if not isinstance(registration, Registration):
        return _broken(point, "it is not a tradingagents Registration")
    return registration


def _broken(point: EntryPoint, why: str) -> Registration:
    def make(access: Access) -> Vendor:
        raise VendorNotConfigured(
            f"The vendor {access.name!r} of {point.value} cannot be loaded ({why}); update or uninstall that package."
        )

    return Registration(make)


def vendor_class(name: str) -> type[Vendor]:
    """Import the class of a built-in vendor."""
    make = BUILT_IN[name].make
    if not isinstance(make, _Ours):
        raise TypeError(f"{name} is not a built-in vendor class")
    return make.kind()


def registration_of(name: str) -> Registration:
    """Return how to create a vendor.

    Raises:
        SettingsError: Unknown vendor; suggests the nearest name.
    """
    known = registrations()
    if registration := known.get(name):
        return registration
    close = nearest(name, known)
    hint = f"did you mean {close}?" if close else f"known are: {', '.join(known)}."
    raise SettingsError(f"Unknown data vendor {name!r}; {hint}")
