"""Asks the questions of a world through the routing of a run, and keeps what reaches an agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from yfinance.cache import get_tz_cache

from benchmarks.data_corruptions.asking import Reply as Answered
from benchmarks.data_corruptions.asking import Shown, cells
from benchmarks.vendor_mutations.second_answers import as_of_edgar, as_of_yahoo, index_of
from benchmarks.vendor_mutations.worlds import Question, World
from tests.dataflows.vendors.sec_payloads import tickers
from tests.support import yahoo_server as yahoo
from tests.support.outside_server import OutsideServer, outside_server
from tests.support.vendor_server import Reply, Request
from tradingagents.capabilities.registry import built_in
from tradingagents.dataflows.gateway.cache import DiskCache
from tradingagents.dataflows.gateway.drift.second_vendor import CHECKED
from tradingagents.dataflows.gateway.registry import BUILT_IN, vendor_class
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.yfinance.client import YahooSession
from tradingagents.dataflows.vendors.yfinance.vendor import YFinanceVendor
from tradingagents.errors import TradingAgentsError
from tradingagents.settings import Settings, load_settings

Change = Callable[[Reply], Reply]
SECOND = "yfinance"
"""Who is asked beside the vendor of a world where no key is needed; see `second_vendor` of the settings."""
REGULATOR, CIK = "sec_edgar", 320193
"""Who is asked beside Yahoo of a company's statements, and its number of the company."""
NO_WAIT = {name: "100000/second" for name, known in BUILT_IN.items() if known.rates}


@dataclass(frozen=True)
class Heard:
    """What became of the questions of a world."""

    answers: Mapping[str, Answered]
    """By question."""
    vendors: Mapping[str, str]
    """Who answered each, as the answer says; "" for nobody."""
    texts: Mapping[str, str]
    """The answers as an agent reads them, or the error's message."""


class Asker:
    """Asks worlds, each of its own servers' answers."""

    def __init__(self, home: Path) -> None:
        """Start the servers; what runs leave goes into a folder."""
        self._home = home
        self._patch = pytest.MonkeyPatch()
        self._context = outside_server(home, self._patch)
        self.server: OutsideServer = self._context.__enter__()
        self._session = YahooSession()
        self._second: dict[str, tuple[Any, Any]] = {}
        self.asked: list[tuple[str, Reply]] = []
        """The endpoints asked of the vendor of the world that was asked last, with their unchanged replies."""

    def close(self) -> None:
        """Stop the servers."""
        self._session.close()
        self._context.__exit__(None, None, None)
        self._patch.undo()

    def ask(
        self, world: World, endpoint: str = "", change: Change | None = None, cache: DiskCache | None = None
    ) -> Heard:
        """Put a world's questions, with the replies of one endpoint of its vendor changed.

        Args:
            world: The world.
            endpoint: Whose replies are changed.
            change: Changes them.
            cache: What the home folder holds of earlier questions; None: nothing.
        """
        server = self.server
        server.reset()
        world.fill(server)
        settings, vendors = self._vendors(world)
        self._fill_second(world, vendors)
        self.asked = []

        def mangle(host: str, request: Request, reply: Reply) -> Reply:
            name = endpoint_of(host, request, world)
            if not name or reply.status != 200:
                return reply
            self.asked.append((name, reply))
            return change(reply) if change is not None and name == endpoint else reply

        server.mangle = mangle
        get_tz_cache().store(world.symbol, None)
        answers, who, texts = {}, {}, {}
        data = self._market(world, settings, vendors, cache)
        for question in world.questions:
            answers[question[0]], texts[question[0]], who[question[0]] = self._answer(data, world, question)
        return Heard(answers, who, texts)

    def _fill_second(self, world: World, vendors: Vendors) -> None:
        """Have Yahoo give what the vendor of a world gives, as Yahoo calls it and as far as it goes back.

        Beside Yahoo's statements stand those that the company filed.
        """
        if world.filed is not None:
            self._fill_filings(world, vendors)
        if world.vendor == SECOND or world.vendor not in CHECKED:
            return
        if world.name not in self._second:
            self.server.mangle = lambda _host, _request, reply: reply
            self._second[world.name] = as_of_yahoo(vendors.get(world.vendor), world.symbol, world.now.date())
        chart, series = self._second[world.name]
        for symbol in (world.symbol,) if world.recorded else (world.symbol, "SPY"):  # small ones give all alike
            if chart is not None:
                self.server.yahoo.answer("chart", chart, symbol)
        self.server.yahoo.answer("timeseries", series, world.symbol)
        if world.recorded:
            currency = yahoo.quote_summary(financialData={"financialCurrency": "USD"})
            self.server.yahoo.answer("quoteSummary", currency, world.symbol)
            self.server.yahoo.answer("quote", yahoo.quote(symbol=world.symbol), world.symbol)

    def _fill_filings(self, world: World, vendors: Vendors) -> None:
        if world.name not in self._second:
            self.server.mangle = lambda _host, _request, reply: reply
            facts = world.filed or as_of_edgar(vendors.get(world.vendor), world.symbol)
            self._second[world.name] = facts, index_of(facts, world.symbol)
        facts, index = self._second[world.name]
        site = self.server.sites[REGULATOR]
        site.answer("/files/company_tickers.json", tickers(**{world.symbol: CIK}))
        site.answer(f"/api/xbrl/companyfacts/CIK{CIK:010d}.json", facts)
        site.answer(f"/submissions/CIK{CIK:010d}.json", index)

    def _market(self, world: World, settings: Settings, vendors: Vendors, cache: DiskCache | None) -> MarketData:
        exchange = exchange_of(world.symbol)
        return MarketData(settings, world.day, exchange=exchange, vendors=vendors, cache=cache, now=lambda: world.now)

    def _vendors(self, world: World) -> tuple[Settings, Vendors]:
        chain = f"{world.vendor}, {world.next_vendor}" if world.next_vendor else world.vendor
        tools = {}
        if not vendor_class(world.vendor).implements(Vendor.get_stock_data):
            tools = {"get_stock_data": "yfinance"}
        if not vendor_class(world.vendor).implements(Vendor.get_profile):
            tools["get_profile"] = "yfinance"
        settings = load_settings(
            {
                "home": self._home / "home",
                "data_vendor": chain,
                "tool_vendors": tools,
                "vendor_max_retries": 0,
                "vendor_timeout": 5.0,
                "vendor_rates": NO_WAIT,
            },
            environ={},
        )
        vendors = Vendors(settings, environ=world.environ)
        made: dict[str, Vendor] = {}
        beside = REGULATOR if world.filed is not None else ""
        for name in {world.vendor, world.next_vendor, SECOND, beside, *tools.values()} - {""}:
            if name == "yfinance":
                cache = self._home / "yahoo"
                made[name] = YFinanceVendor(timeout=5.0, cache_dir=cache, session=self._session, now=lambda: world.now)
            else:
                kind: Any = vendor_class(name)
                made[name] = kind(vendors.access(name), now=lambda: world.now)
        return settings, Vendors(settings, made, environ=world.environ)

    def _answer(self, data: MarketData, world: World, question: Question) -> tuple[Answered, str, str]:
        name, more = question
        asked = built_in()[name]
        arguments = {**asked.example_arguments(world.symbol, world.day), **more}
        try:
            result: Any = asked.reply(data, asked.checked(arguments)).result
            text = result.to_markdown()
            figures = {one.name: Shown(one.rounded, one.unit) for one in result.figures() if one.rounded is not None}
        except TradingAgentsError as error:
            return Answered(refused=type(error).__name__, sentences=frozenset((str(error),))), str(error), ""
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            return Answered(crash=f"{type(error).__name__}: {error}"), str(error), ""
        said = {line.strip() for line in text.splitlines() if line.strip() and not line.startswith(("|", "(source"))}
        source = text.partition("(source ")[2].partition(",")[0].partition(")")[0]
        found = Answered(figures, dict(cells(text)), frozenset((*said, *result.warnings)), result.currency)
        return found, text, source


def endpoint_of(host: str, request: Request, world: World) -> str:
    """Return what was asked of the world's vendor, by a name; "" for what is no data, and for other vendors."""
    if world.vendor == "yfinance":
        if not host.endswith("yahoo.com"):
            return ""
        parts = [part for part in request.path.split("/") if part]
        for kind in (
            "chart",
            "quoteSummary",
            "timeseries",
            "quote",
            "ncp",
            "search",
            "screener",
            "sectors",
            "visualization",
        ):
            if kind in parts:
                return kind
        return ""
    if host.endswith("yahoo.com"):
        return ""
    if world.vendor == "alpha_vantage":
        return request.query.get("function", "")
    if "access_token" in request.path:
        return ""
    return request.path
