"""The answers that are changed: recorded ones, and small ones in the vendors' shapes, each with what is asked of it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from benchmarks.vendor_mutations.second_answers import chart_of
from benchmarks.vendor_mutations.small_yahoo import beside_the_rows
from tests.contracts.sources.all import every_source
from tests.contracts.sources.sec_edgar import SOURCE as EDGAR
from tests.contracts.sources.source import SYMBOL, Source
from tests.contracts.yahoo_market import fill_yahoo
from tests.dataflows.vendors import alpha_vantage_payloads as alpha_vantage
from tests.dataflows.vendors.sec_payloads import INVESTOR, tickers
from tests.support import yahoo_server as yahoo
from tests.support.outside_server import OutsideServer
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor

Question = tuple[str, Mapping[str, Any]]
PRICES = ("get_stock_data", "get_price_change", "get_indicators")
RATIOS = ("get_fundamentals", "company_info")
BOOKS = ("get_income_statement", "get_balance_sheet", "get_cashflow")
ALL, OF_BOOKS = ("quoteSummary", "quote", "timeseries"), ("timeseries", "timeseries", "quoteSummary")
CALENDARS = ("visualization", "sectors")
FILED = {
    "AAPL": "sec/companyfacts/CIK0000320193.json.gz",
    "GOOG": "sec/companyfacts/CIK0001652044.json.gz",
}
"""Recorded facts of companies whose statements of Yahoo are recorded."""
SMALL_NOW = datetime(2025, 6, 13, 21, tzinfo=UTC)
"""The moment of the small answers: an hour after the close of their last session."""


@dataclass(frozen=True)
class World:
    """One vendor's answers about one company, the moment they are of, and the questions that are answered from them."""

    name: str
    vendor: str
    symbol: str
    now: datetime
    fill: Callable[[OutsideServer], None]
    questions: tuple[Question, ...]
    next_vendor: str = ""
    """Who answers where the vendor fails; "" for nobody."""
    environ: Mapping[str, str] = field(default_factory=dict)
    recorded: bool = True
    """Whether the vendor gave these answers; they are written in its shape otherwise."""
    endpoints: tuple[str, ...] = ()
    """What is changed; () for whatever the questions ask."""
    filed: Any = None
    """Facts of the filings of a company, which are served beside Yahoo's statements; empty: they are made of these.
    None: EDGAR is not asked."""
    as_of: date | None = None
    """The day asked about; None: that of `now`."""
    is_later: bool = False
    """Whether its methods were added after the first 5,000 cases, which stay what they are: seeds from there on."""

    @property
    def day(self) -> date:
        """The day asked about."""
        return self.as_of or self.now.date()


class Recordings:
    """The recorded answers of a folder."""

    def __init__(self, folder: Path) -> None:
        """Take `market/vendor_payloads` of a folder."""
        self._folder = folder / "market" / "vendor_payloads"

    def read(self, name: str) -> Any:
        """Return a recorded answer."""
        raw = (self._folder / name).read_bytes()
        return json.loads(gzip.decompress(raw) if name.endswith(".gz") else raw)

    def has(self, name: str) -> bool:
        """Tell whether an answer was recorded."""
        return (self._folder / name).is_file()

    def text(self, name: str) -> str:
        """Return a recorded text."""
        return (self._folder / name).read_text(encoding="utf-8")


def every_world(folder: Path) -> tuple[World, ...]:
    """Return every world of the recordings in a folder, and the small ones."""
    found = Recordings(folder)
    return (*_of_yahoo(found, folder), *_of_alpha_vantage(found), *_further(found), *small_worlds(), *later_worlds())


def small_worlds() -> tuple[World, ...]:
    """Return the worlds that need no recordings: one of each vendor, in its shape."""
    of_source = {
        "alpha_vantage": (
            *_plain(*PRICES, *RATIOS, *BOOKS, "get_news", "get_insider_transactions", "get_market_movers"),
            ("get_global_news", {}),
            ("get_topic_news", {"topic": "oil"}),
            ("get_earnings_calendar", {"from_date": date(2025, 6, 13), "to_date": date(2025, 8, 1)}),
        ),
        "finnhub": (
            *_plain("company_info", "get_fundamentals", "get_news", "get_insider_transactions"),
            ("get_earnings_calendar", {"from_date": date(2025, 6, 1), "to_date": date(2025, 6, 13)}),
            ("get_economic_calendar", {"from_date": date(2025, 6, 1), "to_date": date(2025, 6, 13)}),
        ),
        "fred": (
            ("get_macro_indicators", {"indicator": "unemployment rate", "look_back_days": 300}),
            ("get_economic_calendar", {"from_date": date(2025, 3, 1), "to_date": date(2025, 7, 10)}),
        ),
        "sec_edgar": (
            *_plain("company_info", *BOOKS, "get_insider_transactions"),
            ("get_filings", {"start_date": date(2024, 9, 1), "end_date": date(2025, 6, 13)}),
        ),
        "financial_datasets": _plain("company_info", *BOOKS, "get_insider_transactions", "get_news"),
        "stocktwits": (("get_social_sentiment", {"look_back_days": 20}),),
        "reddit": (("get_social_sentiment", {"look_back_days": 20}),),
        "tavily": (*_plain("get_news"), ("get_topic_news", {"topic": "oil"}), ("get_global_news", {})),
    }
    worlds = []
    for source in every_source():
        if source.name in of_source and (source.name != "reddit" or source.environ):
            is_social = source.name in ("stocktwits", "reddit")
            day = date(2025, 3, 14) if is_social or source.name in ("finnhub", "tavily") else None
            worlds.append(
                World(
                    f"{source.name} small",
                    source.name,
                    SYMBOL,
                    datetime(2025, 3, 14, 21, tzinfo=UTC) if day else SMALL_NOW,
                    _filled(source),
                    of_source[source.name],
                    environ=source.environ,
                    recorded=False,
                )
            )
    questions = (*_plain(*PRICES, "company_info", *BOOKS, "get_insider_transactions", "get_news"),)
    questions += (("get_market_movers", {}), ("get_global_news", {}))
    now = datetime(2025, 6, 30, 21, tzinfo=UTC)
    small = World(
        "yfinance small",
        "yfinance",
        SYMBOL,
        now,
        _small_yahoo,
        questions,
        environ=EDGAR.environ,
        recorded=False,
        filed={},
    )
    return (small, *worlds)


def later_worlds() -> tuple[World, ...]:
    """Return the worlds of methods that no other asks, made up too: calendars, sectors, holdings, texts, feeds."""
    days = {"from_date": date(2025, 6, 20), "to_date": date(2025, 7, 14)}
    sector = ("get_industry_performance", {"sector_key": "technology"})
    at, march = datetime(2025, 6, 30, 21, tzinfo=UTC), datetime(2025, 3, 14, 21, tzinfo=UTC)
    asked: dict[str, tuple[datetime, tuple[Question, ...]]] = {
        "alpha_vantage": (at, (("get_market_movers", {}), sector)),
        "finnhub": (march, (("get_global_news", {}),)),
        "sec_edgar": (march, (("sec_filing_document", {"form": "10-K"}), ("portfolio", {"investor": str(INVESTOR)}))),
        "reddit": (march, (("get_social_sentiment", {"look_back_days": 20}),)),
    }
    calendars = (("get_earnings_calendar", days), ("get_economic_calendar", days), sector)
    made = [World("yfinance calendars", "yfinance", SYMBOL, at, _small_yahoo, calendars, endpoints=CALENDARS)]
    for source in every_source():
        if source.name in asked and (source.name != "reddit" or not source.environ):
            now, questions = asked[source.name]
            name = f"{source.name} further"
            made.append(World(name, source.name, SYMBOL, now, _filled(source), questions, environ=source.environ))
    return tuple(replace(world, recorded=False, is_later=True) for world in made)


def _plain(*names: str) -> tuple[Question, ...]:
    return tuple((name, {}) for name in names)


def _filled(source: Source) -> Callable[[OutsideServer], None]:
    def fill(server: OutsideServer) -> None:
        fill_yahoo(server.yahoo, SYMBOL, poisoned_after=None)
        source.fill(server.sites[source.name], None)

    return fill


def _small_yahoo(server: OutsideServer) -> None:
    fill_yahoo(server.yahoo, SYMBOL, poisoned_after=None)
    beside_the_rows(server.yahoo, SYMBOL)


def _of_yahoo(found: Recordings, folder: Path) -> Iterator[World]:
    charts = (
        ("AAPL", "rs_history_chart_AAPL.json", datetime(2025, 10, 29, 21, tzinfo=UTC)),
        ("MSFT", "rs_history_chart_MSFT.json", datetime(2025, 10, 29, 21, tzinfo=UTC)),
        ("AAPL", "chart-AAPL-2020-08-31-to-2020-11-07.json", datetime(2020, 11, 6, 22, tzinfo=UTC)),
    )
    for symbol, name, now in charts:
        chart = found.read(f"yahoo/chart/{name}")
        bars = _bars_of(chart)

        def fill(server: OutsideServer, chart: Any = chart, bars: Any = bars, symbol: str = symbol) -> None:
            server.yahoo.answer("chart", chart, symbol)
            _next_prices(server, bars, chart)

        yield World(
            f"yfinance prices {symbol} {now.date()}",
            "yfinance",
            symbol,
            now,
            fill,
            _plain(*PRICES),
            next_vendor="alpha_vantage",
            environ={"ALPHA_VANTAGE_API_KEY": alpha_vantage.KEY},
        )
    now = datetime(2025, 2, 24, 22, tzinfo=UTC)
    stored = SnapshotVendor(folder / "snapshot")
    for symbol in ("AAPL", "AMZN", "GOOG", "ABBV", "CRM"):
        summary = found.read(f"yahoo/quoteSummary/quoteSummary-all-{symbol}.json.gz")
        quote = f"yahoo/quote/quote-{symbol}.json"
        series = f"yahoo/fundamentals-timeseries/fundamentalsTimeSeries-{symbol}-financials-quarterly.json"
        if symbol == "AAPL":
            series = "yahoo/fundamentals-timeseries/fundamentalsTimeSeries-AAPL-all-quarterly.json"
        if not found.has(quote):
            continue
        quoted, given = found.read(quote), found.read(series)
        for module in summary["quoteSummary"]["result"][0].values():
            if isinstance(module, dict) and "forwardPE" in module:  # it was recorded a week after the quote
                module["forwardPE"] = quoted["quoteResponse"]["result"][0].get("forwardPE")
        try:
            bars = stored.get_stock_data(symbol, date(2024, 2, 1), now.date())
        except Exception:  # noqa: S112, BLE001 - the snapshot may lack one
            continue

        def fill_company(
            server: OutsideServer,
            summary: Any = summary,
            quote: Any = quoted,
            series: Any = given,
            bars: Any = bars,
            symbol: str = symbol,
        ) -> None:
            server.yahoo.answer("quoteSummary", summary, symbol)
            server.yahoo.answer("quote", quote, symbol)
            server.yahoo.answer("timeseries", series, symbol)
            server.yahoo.answer("chart", chart_of(bars), symbol)

        yield World(f"yfinance ratios {symbol}", "yfinance", symbol, now, fill_company, _plain(*RATIOS), endpoints=ALL)
        books = (*BOOKS, "get_ttm_analysis") if symbol == "AAPL" else ("get_income_statement",)
        yield World(
            f"yfinance statements {symbol}",
            "yfinance",
            symbol,
            now if symbol == "AAPL" else now.replace(year=2024),
            fill_company,
            _plain(*books),
            endpoints=OF_BOOKS,
            environ=EDGAR.environ,
            filed=found.read(FILED[symbol]) if symbol in FILED else {},
        )
        insiders = _plain("get_insider_transactions")
        yield World(f"yfinance insiders {symbol}", "yfinance", symbol, now, fill_company, insiders, endpoints=ALL[:1])
    news = found.read("yahoo/news/rs_news_latestNews_AAPL.json")
    yield World(
        "yfinance news AAPL",
        "yfinance",
        "AAPL",
        datetime(2025, 10, 29, 23, tzinfo=UTC),
        lambda server: server.yahoo.answer("news", news, "AAPL"),
        _plain("get_news"),
    )
    gainers = found.read("yahoo/screener/dailyGainers.json")
    yield World(
        "yfinance movers",
        "yfinance",
        "AAPL",
        datetime(2025, 2, 21, 11, tzinfo=UTC),
        lambda server: server.yahoo.answer("screen", gainers),
        _plain("get_market_movers"),
    )
    searched = found.read("yahoo/search/search-AAPL.json")
    yield World(
        "yfinance market news",
        "yfinance",
        "AAPL",
        datetime(2025, 2, 25, 11, 30, tzinfo=UTC),
        lambda server: server.yahoo.answer("search", searched),
        (("get_global_news", {}), ("get_topic_news", {"topic": "earnings season"})),
    )


def _of_alpha_vantage(found: Recordings) -> Iterator[World]:
    for symbol in ("AAPL", "ABNB", "ADBE", "MSFT", "NVDA", "COST"):
        daily = found.read(f"alpha_vantage/TIME_SERIES_DAILY/{symbol}.json")
        days = daily["Time Series (Daily)"]
        last = date.fromisoformat(max(days))

        def fill(server: OutsideServer, daily: Any = daily, days: Any = days, symbol: str = symbol) -> None:
            answers = {"TIME_SERIES_DAILY": daily, "SPLITS": alpha_vantage.events()}
            alpha_vantage.fill(server.sites["alpha_vantage"], **answers, DIVIDENDS=alpha_vantage.events())
            names = ("1. open", "2. high", "3. low", "4. close", "4. close", "5. volume")
            bars = {day: tuple(float(days[day][name]) for name in names) for day in sorted(days)}
            server.yahoo.answer("chart", yahoo.chart(symbol, bars), symbol)

        yield World(
            f"alpha_vantage prices {symbol}",
            "alpha_vantage",
            symbol,
            datetime(last.year, last.month, last.day, 22, tzinfo=UTC),
            fill,
            _plain("get_stock_data", "get_indicators"),
            next_vendor="yfinance",
            environ={"ALPHA_VANTAGE_API_KEY": alpha_vantage.KEY},
        )
    books = {
        "INCOME_STATEMENT": found.read("alpha_vantage/INCOME_STATEMENT/rt_mock_fundamental_data.json"),
        "BALANCE_SHEET": found.read("alpha_vantage/java_fundamentaldata/balancesheet.json"),
        "CASH_FLOW": found.read("alpha_vantage/java_fundamentaldata/cashflow.json"),
    }
    of_ibm = {**alpha_vantage.OVERVIEW, "Symbol": "IBM", "Name": "International Business Machines"}
    yield World(
        "alpha_vantage statements IBM",
        "alpha_vantage",
        "IBM",
        datetime(2021, 4, 30, 22, tzinfo=UTC),
        lambda server: alpha_vantage.fill(
            server.sites["alpha_vantage"], **books, EARNINGS=alpha_vantage.earnings(), OVERVIEW=of_ibm
        ),
        _plain(*BOOKS),
        environ={"ALPHA_VANTAGE_API_KEY": alpha_vantage.KEY},
    )
    feed = found.read("alpha_vantage/NEWS_SENTIMENT/GLW_20240417.json")
    overview = {**alpha_vantage.OVERVIEW, "Symbol": "GLW", "Name": "Corning Incorporated"}
    newest = max(article["time_published"] for article in feed["feed"])
    yield World(
        "alpha_vantage news GLW",
        "alpha_vantage",
        "GLW",
        datetime.strptime(newest, "%Y%m%dT%H%M%S").replace(tzinfo=UTC, hour=23),
        lambda server: alpha_vantage.fill(server.sites["alpha_vantage"], NEWS_SENTIMENT=feed, OVERVIEW=overview),
        _plain("get_news"),
        environ={"ALPHA_VANTAGE_API_KEY": alpha_vantage.KEY},
    )


def _further(found: Recordings) -> Iterator[World]:
    """EDGAR's pages of Marvell, and a page of StockTwits."""
    facts = found.read("sec/companyfacts/CIK0001835632.json.gz")
    submissions = found.read("sec/submissions/CIK0001835632.json")

    def fill(server: OutsideServer) -> None:
        site = server.sites["sec_edgar"]
        site.answer("/files/company_tickers.json", tickers(MRVL=1835632))
        site.answer("/api/xbrl/companyfacts/CIK0001835632.json", facts)
        site.answer("/submissions/CIK0001835632.json", submissions)

    yield World(
        "sec_edgar MRVL",
        "sec_edgar",
        "MRVL",
        datetime(2026, 6, 5, 22, tzinfo=UTC),
        fill,
        (*_plain(*BOOKS), ("get_filings", {})),
        environ=EDGAR.environ,
    )
    posts = found.read("stocktwits/streams_symbol/AAPL_2020-04-24.json")
    page = {**posts, "cursor": {**posts["cursor"], "more": False}}
    yield World(
        "stocktwits AAPL",
        "stocktwits",
        "AAPL",
        datetime(2020, 4, 24, 23, tzinfo=UTC),
        lambda server: server.sites["stocktwits"].answer("/streams/symbol/AAPL.json", page),
        (("get_social_sentiment", {}),),
    )


def _bars_of(chart: Any) -> dict[str, tuple[float, ...]]:
    """Return the whole bars of a recorded chart, in Alpha Vantage's order, by day in New York."""
    result = chart["chart"]["result"][0]
    quote = result["indicators"]["quote"][0]
    columns = [quote[name] for name in ("open", "high", "low", "close", "volume")]
    shift = result["meta"].get("gmtoffset", 0)
    days = [datetime.fromtimestamp(stamp + shift, UTC).date().isoformat() for stamp in result["timestamp"]]
    rows = zip(days, *columns, strict=True)
    return {day: tuple(values) for day, *values in rows if None not in values}


def _next_prices(server: OutsideServer, bars: Mapping[str, tuple[float, ...]], chart: Any) -> None:
    """Have Alpha Vantage answer with the same bars, as traded, with the splits and dividends of the chart."""
    events = chart["chart"]["result"][0].get("events", {})
    splits, paid = [], []
    for event in events.get("splits", {}).values():
        day = datetime.fromtimestamp(event["date"], UTC).date()
        splits.append(alpha_vantage.split(day.isoformat(), str(event["numerator"] / event["denominator"])))
    for event in events.get("dividends", {}).values():
        day = datetime.fromtimestamp(event["date"], UTC).date()
        paid.append(alpha_vantage.dividend(day.isoformat(), str(event["amount"])))
    alpha_vantage.fill(
        server.sites["alpha_vantage"],
        TIME_SERIES_DAILY=alpha_vantage.daily({day: alpha_vantage.bar(*values) for day, values in bars.items()}),
        SPLITS=alpha_vantage.events(*splits),
        DIVIDENDS=alpha_vantage.events(*paid),
    )
