"""The disk cache: every kind of answer comes back as it was, for as long as its kind stays good."""

from __future__ import annotations

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zlib import compress

import numpy as np
import pytest

from tradingagents.dataflows.gateway.cache import PUTS_BETWEEN_SWEEPS, DiskCache, Held, Question, encode
from tradingagents.dataflows.models import (
    Dividend,
    EarningsEvent,
    EconomicEvent,
    Filing,
    FilingDocument,
    Holding,
    HoldingsReport,
    InsiderTransaction,
    MacroObservation,
    MacroSeries,
    Mover,
    NewsItem,
    Prices,
    Profile,
    Ratios,
    ReportedFact,
    SectorMember,
    SocialPost,
    Split,
    Statement,
)
from tradingagents.dataflows.vendor import METHODS, Vendor
from tradingagents.errors import HomeNotWritable

NOW = datetime(2025, 3, 14, 22, 0, 0, 123456, tzinfo=UTC)
DAY = date(2025, 3, 14)
STATEMENTS = (Statement("ZYX", "income", "quarterly", 2024, "Q4", DAY, NOW, "USD", "yfinance", {"revenue": 0.1}),)
NEWS = (NewsItem("Zyxolar — rises", NOW, NOW, source=None, summary="It did.", symbol="ZYX"),)
ANSWERS: dict[str, Any] = {
    "get_profile": Profile("ZYX", "Zyxolar", "stock", sector="technology"),
    "get_fundamentals": Ratios("ZYX", {"pe_ttm": 20.5}, "yfinance", NOW, business="Makes widgets."),
    "get_balance_sheet": STATEMENTS,
    "get_cashflow": STATEMENTS,
    "get_income_statement": STATEMENTS,
    "get_news": NEWS,
    "get_global_news": NEWS,
    "get_topic_news": NEWS,
    "get_insider_transactions": (InsiderTransaction("ZYX", "Doe", "CEO", "buy", 5.0, None, DAY, NOW, text="5 at 1."),),
    "get_market_movers": (
        Mover("ZYX", "Zyxolar", 28.0, -3.25, 5e6, NOW, market_cap=1.1e10, sector="energy", currency="GBP"),
        Mover("ZYA", "Zya", 0.1, 3.0, 1.0, NOW),
    ),
    "get_industry_performance": (SectorMember("ZYX", "Zyxolar", "Tools", "Buy", 12.34), SectorMember("ZYA", "Zya")),
    "get_social_posts": (
        SocialPost("ZYX", "$ZYX!", NOW, NOW, "reddit", "a", "stocks", "bearish", -3, 0, "https://r.example/1", NOW),
        SocialPost("ZYX", "$ZYX?", NOW, NOW, "stocktwits"),
    ),
    "get_macro_indicators": MacroSeries(
        "ZYXRATE",
        "Zyxolar rate",
        (MacroObservation(DAY, 4.1, NOW), MacroObservation(DAY, 4.25, NOW)),
        "%",
        "monthly",
        vintages=False,
    ),
    "get_filings": (
        Filing("ZYX", "8-K", NOW, DAY, "1-25-2", "https://f.example/1", "News", DAY, ("2.02", "9.01")),
        Filing("ZYX", "4", NOW, DAY, "1-25-1", "https://f.example/2"),
    ),
    "get_filing_document": (
        FilingDocument(
            "ZYX", "8-K", NOW, DAY, "1-25-2", "https://f.example/1", "application/pdf", b"%PDF-1.7\x00\xe2\xff", DAY
        ),
        FilingDocument("ZYX", "4", NOW, DAY, "1-25-1", "https://f.example/2", "text/plain", b""),
    ),
    "get_reported_facts": (
        ReportedFact(
            "ZYX",
            "10-K",
            NOW,
            DAY,
            "1-25-3",
            "https://f.example/3",
            "us-gaap:Assets",
            "USD",
            DAY,
            5e9,
        ),
        ReportedFact(
            "ZYX", "10-K", NOW, DAY, "1-25-3", "https://f.example/3", "us-gaap:Revenues", "USD", DAY, 1.5, DAY
        ),
    ),
    "get_holdings": (
        HoldingsReport(
            "Zyxolar Capital",
            7,
            date(2024, 12, 31),
            NOW,
            DAY,
            "7-25-2",
            "13F-HR/A",
            (
                Holding("ZYA PLC", "CL A", "ZZZ000101", "call", 1e9, 2.5, "ZYA"),
                Holding("Zyb", "", "", "principal", 1, 2),
            ),
            "new_holdings",
            "https://f.example/3",
        ),
        HoldingsReport("Zyxolar Capital", 7, date(2024, 12, 31), NOW, DAY, "7-25-1", "13F-HR", ()),
    ),
    "get_earnings_calendar": (
        EarningsEvent("ZYX", "Zyxolar", DAY, NOW, date(2024, 12, 31), "Q4", 1.31, 1.25, 9e8),
        EarningsEvent("ZYA", "Zya", DAY, NOW),
    ),
    "get_economic_calendar": (
        EconomicEvent("CPI", DAY, NOW, "Feb", 2.8, 3.0, 2.9, "%", "US", day_assumed=True),
        EconomicEvent("FOMC", DAY, NOW),
    ),
}
"""An answer of every method that is cached, but for prices."""
PRICED = [name for name, method in METHODS.items() if method.answer_type is Prices]


def prices() -> Prices:
    figures = np.array([1.1, np.nan])
    return Prices(
        symbol="ZYX",
        days=np.array(["2025-03-13", "2025-03-14"], dtype="datetime64[D]"),
        **dict.fromkeys(("open", "high", "low", "close", "adj_close", "volume"), figures),
        currency="USD",
        vendor="yfinance",
        fetched_at=NOW,
        splits=(Split(DAY, 4.0),),
        dividends=(Dividend(DAY, 0.25),),
        basis="index",
    )


@pytest.fixture
def cache(tmp_path: Path) -> DiskCache:
    return DiskCache(tmp_path / "cache" / "answers.sqlite")


def test_every_method_but_peers_is_tried_here() -> None:
    """The vendors of `get_financials` are asked for each statement by its own method."""
    assert {*ANSWERS, *PRICED, "get_peers", "get_financials"} == set(METHODS)


def asked(method: str, *args: object, vendor: str = "yfinance", live: bool = True, cutoff: datetime = NOW) -> Question:
    return Question(vendor, METHODS[method], args or ("ZYX",), cutoff, live)


@pytest.mark.parametrize("method", ANSWERS)
def test_an_answer_comes_back_as_it_was(cache: DiskCache, method: str) -> None:
    cache.put(asked(method), ANSWERS[method], now=NOW)
    another_process = DiskCache(cache.path)
    assert another_process.get(asked(method), now=NOW) == ANSWERS[method]


@pytest.mark.parametrize("method", PRICED)
def test_prices_come_back_as_they_were_whatever_they_were_asked_for(cache: DiskCache, method: str) -> None:
    cache.put(asked(method), prices(), now=NOW)
    found = cache.get(asked(method), now=NOW)
    assert found is not None
    for name in ("days", "open", "high", "low", "close", "adj_close", "volume"):
        np.testing.assert_array_equal(getattr(found, name), getattr(prices(), name))
        assert getattr(found, name).dtype == getattr(prices(), name).dtype
    for name in ("symbol", "currency", "vendor", "fetched_at", "splits", "dividends", "basis"):
        assert getattr(found, name) == getattr(prices(), name)


@pytest.mark.parametrize(
    ("method", "lifetime"),
    [
        ("get_market_movers", timedelta(minutes=15)),
        ("get_market_indices", timedelta(minutes=15)),
        ("get_sector_performance", timedelta(minutes=15)),
        ("get_topic_news", timedelta(minutes=15)),
        ("get_social_posts", timedelta(minutes=15)),
        ("get_earnings_calendar", timedelta(minutes=15)),
        ("get_economic_calendar", timedelta(minutes=15)),
        ("get_macro_indicators", timedelta(minutes=15)),
        ("get_filings", timedelta(minutes=5)),
        ("get_reported_facts", timedelta(minutes=5)),
        ("get_holdings", timedelta(hours=1)),
        ("get_filing_document", timedelta(days=90)),
        ("get_income_statement", timedelta(minutes=5)),
        ("get_industry_performance", timedelta(days=1)),
        ("get_profile", timedelta(days=7)),
    ],
)
def test_todays_answer_stays_good_for_the_lifetime_of_its_kind(
    cache: DiskCache, method: str, lifetime: timedelta
) -> None:
    answer = ANSWERS[method] if method in ANSWERS else prices()
    cache.put(asked(method), answer, now=NOW)
    assert cache.get(asked(method), now=NOW + lifetime) is not None
    assert cache.get(asked(method), now=NOW + lifetime + timedelta(seconds=1)) is None


@pytest.mark.parametrize(
    ("days_after", "lifetime"), [(0, timedelta(days=1)), (6, timedelta(days=1)), (7, timedelta(days=30))]
)
def test_a_past_days_answer_stays_good_for_a_month_once_the_day_is_a_week_old(
    cache: DiskCache, days_after: int, lifetime: timedelta
) -> None:
    stored, question = NOW + timedelta(days=days_after), asked("get_news", live=False)
    cache.put(question, NEWS, now=stored)
    assert cache.get(question, now=stored + lifetime) == NEWS
    assert cache.get(question, now=stored + lifetime + timedelta(seconds=1)) is None


def test_an_answer_given_later_than_now_is_not_served(cache: DiskCache) -> None:
    """A clock that was set back, or a folder of another machine."""
    cache.put(asked("get_news"), NEWS, now=NOW)
    assert cache.get(asked("get_news"), now=NOW - timedelta(seconds=1)) is None


@pytest.mark.parametrize("method", ["get_market_movers", "get_earnings_calendar", "get_news"])
def test_an_empty_answer_is_asked_for_again(cache: DiskCache, method: str) -> None:
    cache.put(asked(method), (), now=NOW)
    assert cache.get(asked(method), now=NOW) is None


def test_a_question_is_told_from_others_by_vendor_method_arguments_cut_off_and_address() -> None:
    question = Question("yfinance", Vendor.get_market_movers, ("day_gainers", DAY), NOW, live=False)
    others = [
        replace(question, live=True),
        replace(question, vendor="other"),
        replace(question, method=Vendor.get_topic_news),
        replace(question, args=("day_losers", DAY)),
        replace(question, args=("day_gainers",)),
        replace(question, cutoff=NOW - timedelta(days=1)),
        replace(question, address="http://127.0.0.1:1"),
    ]
    assert len({one.key for one in (question, *others)}) == 8
    today = replace(question, live=True, cutoff=NOW - timedelta(hours=1))
    assert today.key == replace(question, live=True).key, "today's are one and the same"


@pytest.mark.parametrize(
    "other",
    [{"vendor": "other"}, {"live": False}, {"live": False, "cutoff": NOW + timedelta(days=1)}],
    ids=["vendor", "past", "later"],
)
def test_no_answer_is_served_to_another_question(cache: DiskCache, other: dict[str, Any]) -> None:
    cache.put(asked("get_news", **other), NEWS, now=NOW)
    assert cache.get(asked("get_news"), now=NOW) is None
    assert cache.get(asked("get_news", **other), now=NOW) == NEWS


def test_what_is_held_and_how_often_it_served_is_counted_by_vendor_and_method(cache: DiskCache) -> None:
    earlier = NOW - timedelta(minutes=10)
    cache.get(asked("get_news", "ZYX"), now=NOW)
    cache.put(asked("get_news", "ZYX"), NEWS, now=earlier)
    cache.put(asked("get_news", "ZYA"), NEWS, now=NOW)
    cache.put(asked("get_news", "ZYA", DAY), NEWS, now=NOW)
    for _ in range(3):
        DiskCache(cache.path).get(asked("get_news", "ZYX"), now=NOW)
    cache.get(asked("get_profile", vendor="other"), now=NOW)
    profile, news = cache.held()
    assert (news.vendor, news.method, news.entries, news.subjects) == ("yfinance", "get_news", 3, 2)
    assert (news.oldest, news.newest, news.hits, news.misses, news.hit_rate) == (earlier, NOW, 3, 1, 0.75)
    assert news.size > 100
    assert profile == Held("other", "get_profile", misses=1)
    assert Held("other", "get_profile").hit_rate is None


def test_counts_of_many_threads_are_all_there(cache: DiskCache) -> None:
    cache.put(asked("get_news"), NEWS, now=NOW)
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda _: cache.get(asked("get_news"), now=NOW), range(200)))
    assert found == [NEWS] * 200
    assert cache.held()[0].hits == 200


def test_one_vendors_answers_or_all_are_removed(cache: DiskCache) -> None:
    assert cache.clear() == 0
    for vendor in ("one", "two", "three"):
        cache.put(asked("get_news", vendor=vendor), NEWS, now=NOW)
    assert cache.clear("two") == 1
    assert [held.vendor for held in cache.held()] == ["one", "three"]
    assert cache.get(asked("get_news", vendor="one"), now=NOW) == NEWS
    assert cache.clear() == 2
    assert cache.held() == ()


def test_what_is_too_old_goes_when_something_is_stored(cache: DiskCache) -> None:
    cache.put(asked("get_news", "today"), NEWS, now=NOW)
    cache.put(asked("get_news", "past", live=False), NEWS, now=NOW)
    DiskCache(cache.path).put(asked("get_profile"), ANSWERS["get_profile"], now=NOW + timedelta(hours=1))
    assert [(held.method, held.entries) for held in cache.held()] == [("get_news", 1), ("get_profile", 1)]
    DiskCache(cache.path).put(asked("get_profile"), ANSWERS["get_profile"], now=NOW + timedelta(days=31))
    assert [(held.method, held.entries) for held in cache.held()] == [("get_profile", 1)]


def test_above_its_size_the_oldest_go(tmp_path: Path) -> None:
    size = len(compress(json.dumps(encode(Vendor.get_news, NEWS)).encode()))
    cache = DiskCache(tmp_path / "answers.sqlite", max_bytes=3 * size)
    for number in range(PUTS_BETWEEN_SWEEPS + 1):
        cache.put(asked("get_news", str(number)), NEWS, now=NOW + timedelta(seconds=number))
    (held,) = cache.held()
    assert held.entries == 3
    assert held.oldest == NOW + timedelta(seconds=PUTS_BETWEEN_SWEEPS - 2)


def test_a_file_of_the_earlier_format_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE answers (key TEXT PRIMARY KEY, method TEXT, stored_at TEXT, payload BLOB)")
        connection.execute("INSERT INTO answers VALUES ('k', 'get_news', '2025-03-14T22:00:00+00:00', x'00')")
    cache = DiskCache(path)
    assert cache.get(asked("get_news"), now=NOW) is None
    cache.put(asked("get_news"), NEWS, now=NOW)
    assert cache.get(asked("get_news"), now=NOW) == NEWS


@pytest.mark.parametrize("payload", [b"", b"damaged", compress(b"[{}]"), compress(b'[{"title": 7}]'), compress(b"7")])
@pytest.mark.parametrize("method", ["get_news", "get_stock_data", "get_profile"])
def test_an_answer_that_cannot_be_read_is_asked_for_again(cache: DiskCache, method: str, payload: bytes) -> None:
    """Rows of another version of tradingagents, a damaged file."""
    answer = ANSWERS[method] if method in ANSWERS else prices()
    cache.put(asked(method), answer, now=NOW)
    with closing(sqlite3.connect(cache.path)) as connection, connection:
        connection.execute("UPDATE answers SET payload = ?", (payload,))
    assert cache.get(asked(method), now=NOW) is None


def test_a_file_deleted_meanwhile_is_made_anew(cache: DiskCache) -> None:
    cache.put(asked("get_news"), NEWS, now=NOW)
    for file in cache.path.parent.iterdir():
        file.unlink()
    assert cache.get(asked("get_news"), now=NOW) is None
    cache.put(asked("get_news"), NEWS, now=NOW)
    assert cache.get(asked("get_news"), now=NOW) == NEWS


def test_a_file_that_is_no_cache_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "answers.sqlite"
    broken.write_text("this is no database, but long enough to be read as one" * 40)
    with pytest.raises(HomeNotWritable, match=r"answers\.sqlite.*remove it"):
        DiskCache(broken).get(asked("get_news"), now=NOW)
