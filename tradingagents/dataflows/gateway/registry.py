"""The vendors there are: ours, and those that installed packages add by the entry point `tradingagents.vendors`."""

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
    """How a vendor is made, and what a user must know to use it."""

    make: Callable[[Access], Vendor]
    """Imports what it needs when called."""
    url: str = ""
    """Base address; `vendor_urls` may name another."""
    needs: tuple[str, ...] = ()
    """Variables without which it cannot be made."""
    takes: tuple[str, ...] = ()
    """Variables it reads where they are set."""
    rates: str = ""
    """How often it may be asked on its free plan; `vendor_rates` may name more."""
    sign_up: str = ""
    """Where a key is had."""
    terms: str = ""
    """What its data may be used for, in one sentence; empty where nobody's terms apply."""
    declares: type[Vendor] | None = None
    """A vendor class that declares questions of its own, where `make` is not the class itself."""

    @property
    def methods(self) -> Mapping[str, VendorMethod[..., Any]]:
        """The questions that an installed vendor brings with it, and those of the library, by name."""
        kind = self.declares or (self.make if isinstance(self.make, type) else Vendor)
        return methods_of(kind)


def _of(module: str, name: str) -> Callable[[Access], Vendor]:
    """Return what makes a vendor of ours; its module, and whatever it needs, is imported by the first one made."""
    return _Ours(f"tradingagents.dataflows.vendors.{module}", name)


@dataclass(frozen=True, slots=True)
class _Ours:
    """Makes a vendor of this library, importing its module then."""

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
    """Return every vendor by name: ours first, then those of installed packages, which cannot take a name of ours.

    A package's vendor that cannot be loaded is in it too: whoever asks for it is told, others are not disturbed.
    """
    found = dict(BUILT_IN)
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: (point.name, point.value)):
        if point.name in BUILT_IN:
            _LOG.warning("%s", f"{point.value} offers a data vendor {point.name!r}; tradingagents' own is used.")
        elif point.name in found:
            found[point.name] = _broken(point, "several packages offer a vendor of that name")
        else:
            found[point.name] = _loaded(point)
    return found


def all_methods() -> Mapping[str, VendorMethod[..., Any]]:
    """Return every question by name: this library's, then those that installed packages bring with their vendors."""
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
        return _broken(point, "it is no tradingagents Registration")
    return registration


def _broken(point: EntryPoint, why: str) -> Registration:
    def make(access: Access) -> Vendor:
        raise VendorNotConfigured(
            f"The vendor {access.name!r} of {point.value} cannot be loaded ({why}); update or uninstall that package."
        )

    return Registration(make)


def vendor_class(name: str) -> type[Vendor]:
    """Import the class of a vendor of this library."""
    make = BUILT_IN[name].make
    if not isinstance(make, _Ours):
        raise TypeError(f"{name} is not made from a class of ours")
    return make.kind()


def registration_of(name: str) -> Registration:
    """Return how a vendor is made.

    Raises:
        SettingsError: No vendor is called that; names the nearest.
    """
    known = registrations()
    if registration := known.get(name):
        return registration
    close = nearest(name, known)
    hint = f"did you mean {close}?" if close else f"known are: {', '.join(known)}."
    raise SettingsError(f"Unknown data vendor {name!r}; {hint}")
