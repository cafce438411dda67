"""A live rehearsal: whole runs on Yahoo's and EDGAR's answers, with the clock where a person would start one.

What is known is known: on a Sunday, on an earnings evening, ten minutes after a filing. The same day asked about a week
later, with what the live run left in the home folder, knows what was known at its close and nothing that came after it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.live_market import (
    ACCEPTED,
    FILING_DAY,
    NEW_QUARTER,
    QUARTER_BEFORE,
    RELEASE_DAY,
    RELEASE_NEWS,
    SOLD,
    SYMBOL,
    WEEKEND_NEWS,
    LiveMarket,
    live_market,
)
from tradingagents.dataflows import cutoff
from tradingagents.dataflows.gateway.cache import CACHE_FILE, DiskCache
from tradingagents.dataflows.market_data import MarketData
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.settings import load_settings

CONFIG: dict[str, Any] = {
    "llm_provider": "offline",
    "data_vendor": "yfinance",
    "tool_vendors": {"get_filings": "sec_edgar"},
    "auto_settle": False,
}
STATEMENTS = ("get_income_statement", "get_balance_sheet", "get_cashflow")


@dataclass(frozen=True)
class Moment:
    """When a run is started, and what it must know; what `later` lists is not known at the close of its day."""

    now: datetime
    day: date
    session: date
    headlines: frozenset[str]
    quarter: date
    sold: bool
    at_close: tuple[frozenset[str], date]


RELEASE, BOTH, NONE = frozenset({RELEASE_NEWS}), frozenset({RELEASE_NEWS, WEEKEND_NEWS}), frozenset[str]()
MOMENTS = {
    "on a Sunday": Moment(
        datetime(2025, 5, 4, 17, 40, tzinfo=UTC),
        date(2025, 5, 4),
        FILING_DAY,
        BOTH,
        NEW_QUARTER,
        sold=True,
        at_close=(RELEASE, QUARTER_BEFORE),
    ),
    "on an earnings evening": Moment(
        datetime(2025, 5, 1, 21, 30, tzinfo=UTC),
        RELEASE_DAY,
        RELEASE_DAY,
        RELEASE,
        NEW_QUARTER,
        sold=False,
        at_close=(NONE, QUARTER_BEFORE),
    ),
    "ten minutes after a filing": Moment(
        ACCEPTED + timedelta(minutes=10),
        FILING_DAY,
        FILING_DAY,
        RELEASE,
        NEW_QUARTER,
        sold=True,
        at_close=(RELEASE, QUARTER_BEFORE),
    ),
}


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveMarket]:
    """Both services; the process's clock is theirs."""
    with live_market(tmp_path) as running:

        class Clock(datetime):
            @classmethod
            def now(cls, tz: Any = None) -> datetime:
                return running.now.astimezone(tz)

        monkeypatch.setattr(cutoff, "datetime", Clock)
        yield running


def analyzed(live: LiveMarket, day: date | None) -> Any:
    """Run the whole graph at the services' moment, and return the record of the run."""

    async def ran(graph: TradingAgentsGraph) -> Any:
        return (await graph.start(SYMBOL, day).result()).record

    with TradingAgentsGraph(config=CONFIG, vendors=live.vendors(load_settings(CONFIG, environ={}))) as graph:
        return asyncio.run(ran(graph))


def headlines(record: Any) -> frozenset[str]:
    """The news that only came on or after the evening of the release, as far as the run read them."""
    return frozenset(article["title"] for article in record["articles_read"]) & BOTH


def rows(record: Any, *methods: str) -> list[Any]:
    return [row for row in record["data_sheet"] if row["method"] in methods and row["symbol"] == SYMBOL and row["rows"]]


@pytest.mark.parametrize("name", MOMENTS)
def test_a_whole_run_knows_what_is_known_at_its_moment_and_a_week_later_what_was_at_the_close(
    live: LiveMarket, name: str
):
    moment = MOMENTS[name]
    live.at(moment.now)
    record = analyzed(live, None)
    assert (record["trade_date"], record["session"]) == (moment.day.isoformat(), moment.session.isoformat())
    assert datetime.fromisoformat(record["cutoff"]) == moment.now
    assert f"prices to the close of {moment.session:%a %Y-%m-%d}" in record["known"]
    assert _ends(record) == (moment.session, moment.quarter)
    assert headlines(record) == moment.headlines
    assert bool(rows(record, "get_insider_transactions")) == moment.sold
    assert record["decision"]["action"] in ("BUY", "HOLD", "SELL")

    live.at(moment.now + timedelta(days=7))
    past = analyzed(live, moment.day)
    close = cutoff.cutoff_for(moment.day, exchange="XNYS", now=live.now).close
    assert datetime.fromisoformat(past["cutoff"]) == close
    known, quarter = moment.at_close
    assert _ends(past) == (moment.session, quarter)
    assert headlines(past) == known
    assert not rows(past, "get_insider_transactions")
    assert all(
        row["known_at"] is None or datetime.fromisoformat(row["known_at"]) <= close for row in past["data_sheet"]
    )


def _ends(record: Any) -> tuple[date, date]:
    """Return the last session of the prices, and the newest quarter, which all three statements must agree on."""
    (quarter,) = {max(row["end"] for row in rows(record, method)) for method in STATEMENTS}
    return date.fromisoformat(max(row["end"] for row in rows(record, "get_stock_data"))), date.fromisoformat(quarter)


@pytest.fixture
def market(live: LiveMarket, tmp_path: Path) -> Any:
    """What answers as of the services' moment, run after run with one cache and the same vendors."""
    cache = DiskCache(tmp_path / CACHE_FILE)
    vendors = live.vendors(load_settings({}, environ={}))

    def ask(vendor: str, day: date | None = None) -> MarketData:
        settings = load_settings(CONFIG | {"data_vendor": vendor}, environ={})
        clock = lambda: live.now  # noqa: E731
        return MarketData(settings, day or live.now.date(), vendors=vendors, cache=cache, now=clock)

    return ask


def newest(data: MarketData) -> tuple[date, datetime, str]:
    row = data.statements(SYMBOL, "income")[0]
    return row.period_end, row.known_at, row.known_by


def test_a_filing_is_seen_ten_minutes_later_whoever_asked_just_before_it(live: LiveMarket, market: Any):
    before = ACCEPTED - timedelta(minutes=1)
    live.at(before)
    assert [filing.period_end for filing in market("yfinance").filings(SYMBOL, RELEASE_DAY, FILING_DAY)] == []
    assert newest(market("yfinance")) == (NEW_QUARTER, before, "fetched")
    assert newest(market("sec_edgar"))[0] == QUARTER_BEFORE
    live.at(ACCEPTED + timedelta(minutes=10))
    (form4, report) = market("yfinance").filings(SYMBOL, RELEASE_DAY, FILING_DAY)
    assert (form4.form, report.form, report.known_at) == ("4", "10-Q", ACCEPTED)
    for vendor in ("yfinance", "sec_edgar"):
        assert newest(market(vendor)) == (NEW_QUARTER, ACCEPTED, "accepted")
    (sale,) = market("yfinance").insider_transactions(SYMBOL)
    assert (sale.transaction_date, sale.known_by) == (SOLD, "accepted")


def test_what_a_live_run_left_in_the_cache_reaches_no_past_day(live: LiveMarket, market: Any):
    evening = MOMENTS["on an earnings evening"].now
    live.at(evening)
    assert newest(market("yfinance"))[0] == NEW_QUARTER
    live.at(evening + timedelta(minutes=2))
    assert newest(market("yfinance")) == (NEW_QUARTER, live.now, "fetched")
    live.at(evening + timedelta(days=1))
    assert newest(market("yfinance", RELEASE_DAY))[0] == QUARTER_BEFORE
    assert newest(market("yfinance", FILING_DAY)) == (NEW_QUARTER, ACCEPTED, "accepted")  # today, after the filing
    live.at(evening + timedelta(days=7))
    assert newest(market("yfinance", FILING_DAY))[0] == QUARTER_BEFORE  # accepted after that day's close
    assert newest(market("yfinance", date(2025, 5, 5))) == (NEW_QUARTER, ACCEPTED, "accepted")
