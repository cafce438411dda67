"""Every method of every remote vendor at the vendor's own address: real client libraries, through a proxy, with TLS.

Nothing of the vendors is set here but keys and clock: addresses are those of the registry.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.contracts.sources.all import every_source
from tests.contracts.sources.source import NOW, SYMBOL, Source
from tests.contracts.yahoo_market import fill_yahoo
from tests.support.outside_server import YAHOO as YAHOO_SITE
from tests.support.outside_server import OutsideServer, Throttle, outside_server
from tests.support.yahoo_server import CRUMB, HTML, Reply, quote
from tradingagents.dataflows.gateway.registry import BUILT_IN, vendor_class
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.vendor import METHODS, Vendor
from tradingagents.dataflows.vendors.yfinance.client import YahooSession
from tradingagents.dataflows.vendors.yfinance.vendor import YFinanceVendor
from tradingagents.errors import RateLimited, VendorDown
from tradingagents.settings import load_settings

WINDOW = (datetime(2025, 3, 1, tzinfo=UTC), datetime(2025, 3, 14, 20, tzinfo=UTC))
DAYS = (date(2025, 3, 3), date(2025, 3, 14))
OF_YAHOO: dict[str, tuple[Any, ...]] = {
    "get_stock_data": (SYMBOL, date(2024, 1, 2), date(2025, 3, 14)),
    "get_profile": (SYMBOL,),
    "get_statements": (SYMBOL, "income", "quarterly"),
    "get_fundamentals": (SYMBOL,),
    "get_news": (SYMBOL, *WINDOW),
    "get_global_news": WINDOW,
    "get_topic_news": ("oil", *WINDOW),
    "get_insider_transactions": (SYMBOL,),
    "get_market_movers": ("day_gainers", date(2025, 6, 30)),
    "get_industry_performance": ("technology",),
    "get_earnings_calendar": DAYS,
    "get_economic_calendar": DAYS,
}


@dataclass(frozen=True)
class Call:
    """One method of a vendor, and what it is asked."""

    vendor: str
    method: str
    arguments: tuple[Any, ...]
    source: Source | None = None
    """Who fills its site; None: Yahoo's."""


SOURCES = every_source()
CALLS = [
    *(Call("yfinance", method, arguments) for method, arguments in OF_YAHOO.items()),
    *(Call(one.name, method, asked, one) for one in SOURCES for method, asked in one.asks.items()),
]


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OutsideServer]:
    with outside_server(tmp_path, monkeypatch) as running:
        fill_yahoo(running.yahoo, SYMBOL, poisoned_after=None)
        ratios = quote(symbol=SYMBOL, currency="USD", regularMarketPrice=40.0, marketCap=4e9, trailingPE=20.0)
        running.yahoo.answer("quote", ratios, SYMBOL)
        yield running


def opened(call: Call, tmp_path: Path, timeout: float = 5.0) -> Vendor:
    """Make the vendor as a run does, but for the clock; Yahoo's with a session of its own."""
    if call.source is None:
        return YFinanceVendor(timeout=timeout, cache_dir=tmp_path / "yahoo", session=YahooSession(), now=lambda: NOW)
    quick = {name: "1000/second" for name, known in BUILT_IN.items() if known.rates}
    settings = load_settings({"vendor_timeout": timeout, "home": tmp_path, "vendor_rates": quick}, environ={})
    access = Vendors(settings, environ=call.source.environ).access(call.vendor)
    return call.source.kind(access, now=lambda: NOW)  # type: ignore[call-arg]


def host_of(vendor: str) -> str:
    return str(urlsplit(BUILT_IN[vendor].url).hostname)


def remote_methods() -> set[tuple[str, str]]:
    """Return every method that a remote vendor of the registry answers, by the vendor's name of it."""
    asked = {method.vendor_name: method for method in METHODS.values()}
    remote = [name for name, known in BUILT_IN.items() if known.rates]
    return {
        (name, method)
        for name in remote
        for method, question in asked.items()
        if vendor_class(name).implements(question)
    }


def test_every_method_of_the_registry_has_a_call():
    assert {(call.vendor, call.method) for call in CALLS} == remote_methods()
    assert len(remote_methods()) == 49


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.vendor}-{call.method}")
def test_every_method_answers_at_the_vendor_s_own_address(call: Call, outside: OutsideServer, tmp_path: Path):
    if call.source is not None:
        call.source.fill(outside.sites[call.vendor], None)
    answer = getattr(opened(call, tmp_path), call.method)(*call.arguments)
    rows = list(answer) if isinstance(answer, tuple) else [answer]
    assert rows
    assert outside.hosts, "it was asked through the proxy"
    site = YAHOO_SITE if call.source is None else host_of(call.vendor).split(".", 1)[-1]
    assert all(host.endswith(site) for host in outside.hosts), outside.hosts


YAHOO = Call("yfinance", "get_stock_data", OF_YAHOO["get_stock_data"])


def test_yahoo_s_cookie_and_crumb_are_fetched_once_and_sent(outside: OutsideServer, tmp_path: Path):
    vendor = opened(YAHOO, tmp_path)
    vendor.get_profile(SYMBOL)  # yfinance may hold a cookie and a crumb of an earlier test, and must find new ones
    before = len(outside.yahoo.asked)
    vendor.get_fundamentals(SYMBOL)
    later = outside.yahoo.asked[before:]
    assert {asked.kind for asked in later} == {"quoteSummary", "quote", "timeseries"}
    assert all("A3=" in asked.cookie and asked.query["crumb"] == CRUMB for asked in later)


def test_a_crumb_that_yahoo_no_longer_takes_is_renewed(outside: OutsideServer, tmp_path: Path):
    vendor = opened(YAHOO, tmp_path)
    vendor.get_profile(SYMBOL)
    outside.crumb = "another-fictional-crumb"
    assert vendor.get_fundamentals(SYMBOL).values["pe_ttm"] == 20.0
    assert outside.yahoo.asked[-1].query["crumb"] == "another-fictional-crumb"


def test_a_limit_of_yahoo_s_is_a_limit_with_its_wait(outside: OutsideServer, tmp_path: Path):
    for host in ("query1.finance.yahoo.com", "query2.finance.yahoo.com"):
        outside.throttles[host] = Throttle(left=99, retry_after=17)
    with pytest.raises(RateLimited) as caught:
        opened(YAHOO, tmp_path).get_stock_data(*YAHOO.arguments)
    assert caught.value.retry_after == 17


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_a_limit_is_waited_for_and_the_next_attempt_answers(source: Source, outside: OutsideServer, tmp_path: Path):
    source.fill(outside.sites[source.name], None)
    method, arguments = next(iter(source.asks.items()))
    call = Call(source.name, method, arguments, source)
    for known in (host_of(source.name), "www.sec.gov", "oauth.reddit.com"):
        outside.throttles[known] = Throttle(left=1, retry_after=3)
    waits: list[float] = []
    settings = load_settings({"home": tmp_path, "vendor_max_retries": 2}, environ={})
    vendors = Vendors(settings, {source.name: opened(call, tmp_path)}, environ=source.environ, sleep=waits.append)
    assert vendors.answer(source.name, method, *arguments)
    assert waits
    assert min(waits) >= 3


def test_yahoo_moved_to_another_of_its_hosts_is_followed(outside: OutsideServer, tmp_path: Path):
    outside.moved["query2.finance.yahoo.com"] = "query1.finance.yahoo.com"
    assert len(opened(YAHOO, tmp_path).get_stock_data(*YAHOO.arguments)) > 250
    assert outside.count("query2.finance.yahoo.com")


def test_a_vendor_moved_to_a_stranger_s_host_is_not_followed(outside: OutsideServer, tmp_path: Path):
    source = next(one for one in SOURCES if one.name == "alpha_vantage")
    source.fill(outside.sites["alpha_vantage"], None)
    outside.moved["www.alphavantage.co"] = "api.finnhub.io"
    call = Call("alpha_vantage", "get_profile", (SYMBOL,), source)
    with pytest.raises(VendorDown, match="another host"):
        opened(call, tmp_path).get_profile(SYMBOL)
    assert outside.count("api.finnhub.io") == 0


@pytest.mark.parametrize("reply", [HTML, Reply({"x": "y" * 400}, truncated=True)], ids=["page", "cut"])
def test_a_page_or_a_cut_body_of_yahoo_s_is_no_answer(outside: OutsideServer, tmp_path: Path, reply: Reply):
    outside.yahoo.answer("chart", reply, SYMBOL)
    with pytest.raises(VendorDown):
        opened(YAHOO, tmp_path).get_stock_data(*YAHOO.arguments)


def test_a_certificate_that_is_not_trusted_is_not_talked_to(
    outside: OutsideServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"):
        monkeypatch.delenv(name)
    for source in SOURCES:
        if source.name in ("alpha_vantage", "finnhub"):
            method, arguments = next(iter(source.asks.items()))
            with pytest.raises(VendorDown):
                getattr(opened(Call(source.name, method, arguments, source), tmp_path), method)(*arguments)
    with pytest.raises(VendorDown):
        opened(YAHOO, tmp_path).get_stock_data(*YAHOO.arguments)
    assert outside.hosts == []
