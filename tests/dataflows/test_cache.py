"""The disk cache: every kind of answer comes back as it was, for as long as its kind stays good."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tradingagents.dataflows.cache import DiskCache, cache_key
from tradingagents.dataflows.interface import METHOD_CATEGORY, VENDOR_METHOD
from tradingagents.dataflows.rows import (
    Dividend,
    EarningsEvent,
    EconomicEvent,
    Filing,
    InsiderTransaction,
    MacroObservation,
    MacroSeries,
    Mover,
    NewsItem,
    Prices,
    Profile,
    Ratios,
    SectorMember,
    SocialPost,
    Split,
    Statement,
)
from tradingagents.errors import HomeNotWritable

NOW = datetime(2025, 3, 14, 22, 0, 0, 123456, tzinfo=UTC)
DAY = date(2025, 3, 14)
STATEMENTS = (Statement("ZYX", "income", "quarterly", 2024, "Q4", DAY, NOW, "USD", "yfinance", {"revenue": 0.1}),)
NEWS = (NewsItem("Zyxolar — rises", NOW, NOW, source=None, summary="It did.", symbol="ZYX"),)
ANSWERS: dict[str, Any] = {
    "get_profile": Profile("ZYX", "Zyxolar", "stock", sector="technology"),
    "get_fundamentals": Ratios("ZYX", {"pe_ttm": 20.5}, "yfinance", NOW),
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
PRICED = [method for method in METHOD_CATEGORY if VENDOR_METHOD.get(method, method) == "get_stock_data"]


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
    assert {*ANSWERS, *PRICED, "get_peers", "get_financials"} == set(METHOD_CATEGORY)


@pytest.mark.parametrize("method", ANSWERS)
def test_an_answer_comes_back_as_it_was(cache: DiskCache, tmp_path: Path, method: str) -> None:
    cache.put("key", method, ANSWERS[method], now=NOW)
    another_process = DiskCache(tmp_path / "cache" / "answers.sqlite")
    assert another_process.get("key", method, live=True, now=NOW) == ANSWERS[method]


@pytest.mark.parametrize("method", PRICED)
def test_prices_come_back_as_they_were_whatever_they_were_asked_for(cache: DiskCache, method: str) -> None:
    cache.put("key", method, prices(), now=NOW)
    found = cache.get("key", method, live=True, now=NOW)
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
        ("get_earnings_calendar", timedelta(hours=1)),
        ("get_economic_calendar", timedelta(hours=1)),
        ("get_industry_performance", timedelta(days=1)),
        ("get_profile", timedelta(days=7)),
    ],
)
def test_todays_answer_stays_good_for_the_lifetime_of_its_kind(
    cache: DiskCache, method: str, lifetime: timedelta
) -> None:
    cache.put("key", method, ANSWERS.get(method) or prices(), now=NOW)
    assert cache.get("key", method, live=True, now=NOW + lifetime) is not None
    assert cache.get("key", method, live=True, now=NOW + lifetime + timedelta(seconds=1)) is None


def test_a_past_days_answer_stays_good_for_a_month(cache: DiskCache) -> None:
    cache.put("key", "get_news", NEWS, now=NOW)
    assert cache.get("key", "get_news", live=False, now=NOW + timedelta(days=30)) == NEWS
    assert cache.get("key", "get_news", live=False, now=NOW + timedelta(days=30, seconds=1)) is None


@pytest.mark.parametrize("method", ["get_market_movers", "get_earnings_calendar", "get_news"])
def test_an_empty_answer_is_asked_for_again(cache: DiskCache, method: str) -> None:
    cache.put("key", method, (), now=NOW)
    assert cache.get("key", method, live=True, now=NOW) is None


def test_a_question_is_told_from_others_by_vendor_method_arguments_and_cut_off() -> None:
    asked = ("yfinance", "get_market_movers", ("day_gainers", DAY), NOW)
    keys = {
        cache_key(*asked, live=False),
        cache_key(*asked, live=True),
        cache_key("other", *asked[1:], live=False),
        cache_key("yfinance", "get_topic_news", *asked[2:], live=False),
        cache_key("yfinance", "get_market_movers", ("day_losers", DAY), NOW, live=False),
        cache_key(*asked[:3], NOW - timedelta(days=1), live=False),
    }
    assert len(keys) == 6
    assert cache_key(*asked[:3], NOW - timedelta(hours=1), live=True) in keys  # today's are one and the same


def test_a_file_that_is_no_cache_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "answers.sqlite"
    broken.write_text("this is no database, but long enough to be read as one" * 40)
    with pytest.raises(HomeNotWritable, match=r"answers\.sqlite.*remove it"):
        DiskCache(broken).get("key", "get_news", live=True, now=NOW)
