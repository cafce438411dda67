"""News of recorded days: what the ten market articles, the searches and a company's articles are about, by count."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path

import pytest

from tradingagents.analytics.company.news import NewsDigest, TopicDigest
from tradingagents.capabilities.news import get_global_news, get_news
from tradingagents.capabilities.scanner import get_topic_news
from tradingagents.dataflows.market_data import MarketData
from tradingagents.settings import load_settings

pytestmark = pytest.mark.real_data

QUIET, TARIFFS = date(2025, 3, 14), date(2025, 4, 4)
TARIFF = re.compile(r"tariff|trade war|liberation day|reciprocal", re.IGNORECASE)
MARKET = re.compile(
    r"tariff|trade war|wall street|stock market|dow|s&p|nasdaq|equit|inflation|fed\b|recession|yield|sell[- ]?off"
    r"|stocks",
    re.IGNORECASE,
)
JUNK = re.compile(r"streaming|dividend|stocks to buy|bispecific|Q4 2024|dish|platinum plus|law firm", re.IGNORECASE)
TOPICS = ("geopolitics", "trade policy sanctions", "central bank monetary policy", "energy oil commodities")


def market(test_data: Path, day: date) -> MarketData:
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(test_data / "snapshot")}, environ={})
    return MarketData(settings, day)


def global_news(test_data: Path, day: date) -> NewsDigest:
    result = get_global_news.ask(market(test_data, day), curr_date=day, look_back_days=7, limit=10)
    assert isinstance(result, NewsDigest)
    return result


def topic_news(test_data: Path, day: date, topic: str) -> TopicDigest:
    result = get_topic_news.ask(market(test_data, day), topic=topic, limit=10)
    assert isinstance(result, TopicDigest)
    return result


def about(result: NewsDigest, pattern: re.Pattern[str]) -> int:
    return sum(bool(pattern.search(f"{one.title} {one.summary or ''}")) for one in result.articles)


def test_two_sessions_after_the_tariffs_market_news_are_about_tariffs_and_markets(test_data: Path):
    result = global_news(test_data, TARIFFS)
    assert len(result.articles) == 10
    assert about(result, TARIFF) >= 7
    assert about(result, MARKET) == 10
    assert sum(bool(JUNK.search(one.title)) for one in result.articles) == 0
    assert not any(one.weak for one in result.articles)
    assert any("later events are not covered" in note for note in result.notes), "the folder ends a day earlier"


def test_on_a_quieter_day_they_are_about_the_market_too(test_data: Path):
    result = global_news(test_data, QUIET)
    assert len(result.articles) == 10
    assert about(result, MARKET) >= 8
    assert sum(bool(JUNK.search(one.title)) for one in result.articles) == 0


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("day", [QUIET, TARIFFS], ids=str)
def test_no_search_counts_dividends_or_soap(test_data: Path, day: date, topic: str):
    result = topic_news(test_data, day, topic)
    clear = [one for one in result.articles if not one.weak]
    assert sum(bool(JUNK.search(one.title)) for one in clear) == 0


def test_the_tariffs_are_found_where_trade_is_asked_for(test_data: Path):
    result = topic_news(test_data, TARIFFS, "trade policy sanctions")
    clear = [one for one in result.articles if not one.weak]
    assert len(clear) >= 7
    assert all(TARIFF.search(f"{one.title} {one.summary or ''}") for one in clear)


def test_thin_coverage_is_said(test_data: Path):
    result = topic_news(test_data, QUIET, "geopolitics")
    assert sum(not one.weak for one in result.articles) < 3
    assert any(note.startswith("Coverage is thin: ") for note in result.notes)


@pytest.mark.parametrize(("ticker", "name"), [("AAPL", "apple"), ("HD", "home depot"), ("BA", "boeing")])
def test_a_company_s_clear_matches_name_it_in_the_title(test_data: Path, ticker: str, name: str):
    result = get_news.ask(
        market(test_data, TARIFFS), ticker=ticker, start_date=TARIFFS - timedelta(days=7), end_date=TARIFFS
    )
    assert isinstance(result, NewsDigest)
    clear = [one for one in result.articles if not one.weak]
    assert len(clear) >= 2
    assert all(re.search(rf"{name}|\b{ticker}\b", f"{one.title}", re.IGNORECASE) for one in clear)


def test_nothing_later_than_the_cut_off_is_shown(test_data: Path):
    early = TARIFFS - timedelta(days=2)
    shown = global_news(test_data, early).articles
    assert shown
    assert all(one.published_at.date() <= early for one in shown)
