"""The tavily vendor against a local Tavily: dated articles of today's web, and nothing of the past."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.sources.tavily import KEY, SOURCE, fill, found
from tests.support.vendor_server import Reply, VendorServer, vendor_server
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import NewsItem
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.tavily import TavilyVendor
from tradingagents.errors import NoData, NotForPastDate, RateLimited, VendorDown, VendorNotConfigured
from tradingagents.settings import load_settings

NOW = datetime(2025, 3, 14, 22, tzinfo=UTC)
START, END = datetime(2025, 3, 7, tzinfo=UTC), datetime(2025, 3, 14, 20, tzinfo=UTC)
THURSDAY = datetime(2025, 3, 13, 14, tzinfo=UTC)


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        fill(running, None)
        yield running


@pytest.fixture
def vendor(server: VendorServer, tmp_path: Path) -> Vendor:
    return SOURCE.open(server, tmp_path, now=lambda: NOW)


def answer(server: VendorServer, *results: Any) -> None:
    server.answer("/search", {"results": list(results)})


def test_company_news(vendor: Vendor, server: VendorServer):
    assert vendor.get_news("ACMQ", START, END) == (
        NewsItem(
            "Quarks sell well",
            THURSDAY,
            THURSDAY,
            "post.example",
            "Quarks sell well, it is said.",
            "https://www.post.example/Quarks-sell-well",
            "ACMQ",
        ),
    )
    (asked,) = server.asked
    assert (asked.method, asked.path, dict(asked.query)) == ("POST", "/search", {})
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.json == {
        "query": "ACMQ stock",
        "topic": "news",
        "search_depth": "basic",
        "max_results": 20,
        "start_date": "2025-03-07",
        "end_date": "2025-03-15",
    }


def test_topics_keep_the_order_of_the_search_and_market_news_are_the_newest_first(vendor: Vendor, server: VendorServer):
    older, newer = "Mon, 10 Mar 2025 08:00:00 GMT", "2025-03-12T08:00:00+01:00"
    answer(server, found("Older", older), found("Newer", newer))
    assert [one.title for one in vendor.get_topic_news("oil", START, END)] == ["Older", "Newer"]
    assert server.asked[-1].json["query"] == "oil"
    news = vendor.get_global_news(START, END)
    assert [(one.title, one.symbol) for one in news] == [("Newer", None), ("Older", None)]
    assert news[0].published_at == datetime(2025, 3, 12, 7, tzinfo=UTC)


def test_what_cannot_be_dated_or_lies_outside_is_left_out(vendor: Vendor, server: VendorServer):
    good = "Thu, 13 Mar 2025 14:00:00 GMT"
    answer(
        server,
        found("Undated", None),
        found("Without a zone", "2025-03-13T14:00:00"),
        found("Misdated", "yesterday"),
        found("A number", 1741874400),
        found("Before all zones", "0001-01-01T00:00:00+05:00"),
        found("Early", "Thu, 06 Mar 2025 23:59:59 GMT"),
        found("Late", "Fri, 14 Mar 2025 20:00:01 GMT"),
        found("", good),
        "no result",
        found("Kept", good, content="x  y\n" * 400, url=None),
        found("Twice", good, url="https://a.example/1"),
        found("Twice again", good, url="https://a.example/1"),
    )
    found_now = vendor.get_topic_news("oil", START, END)
    assert [one.title for one in found_now] == ["Kept", "Twice"]
    assert (found_now[0].source, found_now[0].url) == (None, None)
    assert len(found_now[0].summary or "") == 600


def test_an_article_found_twice_keeps_its_first_place(vendor: Vendor, server: VendorServer):
    good = "Thu, 13 Mar 2025 14:00:00 GMT"
    answer(
        server,
        found("First", good, url="https://a.example/1"),
        found("Second", good, url="https://a.example/2"),
        found("First again", good, url="https://a.example/1"),
    )
    assert [one.title for one in vendor.get_topic_news("oil", START, END)] == ["First", "Second"]


def test_an_address_that_is_none_has_no_publisher(vendor: Vendor, server: VendorServer):
    answer(server, found("Kept", "Thu, 13 Mar 2025 14:00:00 GMT", url="http://[broken"))
    (kept,) = vendor.get_news("ACMQ", START, END)
    assert (kept.title, kept.source, kept.url) == ("Kept", None, "http://[broken")


def test_a_search_without_results_is_an_answer(vendor: Vendor, server: VendorServer):
    answer(server)
    assert vendor.get_news("ACMQ", START, END) == ()
    answer(server, found("Undated", None))
    assert vendor.get_news("ACMQ", START, END) == ()


@pytest.mark.parametrize("odd", [{}, {"results": "none"}, [], {"results": [1, {"name": "x"}]}])
def test_an_answer_in_another_shape_is_unreadable(vendor: Vendor, server: VendorServer, odd: Any):
    server.answer("/search", Reply(odd))
    with pytest.raises(VendorDown, match="cannot be read"):
        vendor.get_global_news(START, END)


@pytest.mark.parametrize("symbol", ["^GSPC", "BTC-USD", "7203.T", "EURUSD=X"])
def test_symbols_that_are_no_words_are_not_searched_for(vendor: Vendor, server: VendorServer, symbol: str):
    with pytest.raises(NoData):
        vendor.get_news(symbol, START, END)
    assert server.asked == []


@pytest.mark.parametrize("status", [432, 433])
def test_spent_credits_are_a_limit_that_no_retry_lifts(vendor: Vendor, server: VendorServer, status: int):
    server.failing = Reply({"detail": {"error": "plan"}}, status=status)
    with pytest.raises(RateLimited, match="credits of this key are used up") as caught:
        vendor.get_global_news(START, END)
    assert caught.value.retry_after is None


def test_without_a_key_it_is_not_configured():
    with pytest.raises(VendorNotConfigured, match="tavily needs TAVILY_API_KEY"):
        TavilyVendor(Access("tavily", settings=load_settings(environ={}), environ={}))


def test_a_past_day_is_refused_before_the_web_is_searched(vendor: Vendor, server: VendorServer):
    settings = load_settings({"data_vendor": "tavily"}, environ={})
    vendors = Vendors(settings, {"tavily": vendor}, environ={})
    past = MarketData(settings, date(2025, 3, 12), vendors=vendors, now=lambda: NOW)
    with pytest.raises(NotForPastDate, match="tavily answers get_news for today only"):
        past.news("ACMQ", date(2025, 3, 7), date(2025, 3, 12))
    assert server.asked == []
    today = MarketData(settings, date(2025, 3, 14), vendors=vendors, now=lambda: NOW)
    assert len(today.news("ACMQ", date(2025, 3, 7), date(2025, 3, 14))) == 1
