"""StockTwits through a local server: what is asked, what its messages become, and how far back the pages are read."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.sources.stocktwits import SOURCE
from tests.dataflows.vendors.social_payloads import Payload, message, stream
from tests.support.vendor_server import Reply, Request, VendorServer, vendor_server
from tradingagents.dataflows.models import SocialPost
from tradingagents.dataflows.responses.lost_rows import noting_lost_rows
from tradingagents.dataflows.vendors.stocktwits import StockTwitsVendor, stream_of
from tradingagents.errors import NoData, RateLimited, VendorDown

START, END = datetime(2025, 3, 7, tzinfo=UTC), datetime(2025, 3, 14, 20, tzinfo=UTC)
NOW = datetime(2025, 3, 14, 20, 1, tzinfo=UTC)
PATH = "/streams/symbol/ACMQ.json"


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        yield running


@pytest.fixture
def ask(server: VendorServer, tmp_path: Path):
    vendor = SOURCE.open(server, tmp_path, now=lambda: NOW)

    def ask(answer: Any = None, symbol: str = "ACMQ", path: str = PATH) -> tuple[SocialPost, ...]:
        if answer is not None:
            server.answer(path, answer)
        return vendor.get_social_posts(symbol, START, END)

    return ask


def test_every_field_of_a_message(ask, server: VendorServer):
    told = message(
        41,
        "2025-03-14T13:00:05Z",
        "Let&#39;s go\n  $ACMQ",
        entities={"sentiment": {"basic": "Bullish"}},
        likes={"total": 3, "user_ids": [1, 2, 3]},
    )
    posted_at = datetime(2025, 3, 14, 13, 0, 5, tzinfo=UTC)
    assert ask(stream([told])) == (
        SocialPost(
            symbol="ACMQ",
            text="Let's go $ACMQ",
            posted_at=posted_at,
            known_at=posted_at,
            source="stocktwits",
            author="quillfan",
            community=None,
            sentiment="bullish",
            score=3,
            comments=None,
            url="https://stocktwits.com/quillfan/message/41",
            counted_at=NOW,
        ),
    )
    (request,) = server.asked
    assert (request.path, request.query) == (PATH, {})
    assert request.headers["user-agent"].startswith("tradingagents")


@pytest.mark.parametrize(
    ("more", "field", "value"),
    [
        ({"entities": {"sentiment": {"basic": "Bearish"}}}, "sentiment", "bearish"),
        ({"entities": {"sentiment": None}}, "sentiment", None),
        ({"entities": None}, "sentiment", None),
        ({"entities": {"sentiment": {"basic": "Euphoric"}}}, "sentiment", None),
        ({"entities": {"sentiment": {"basic": ["Bullish"]}}}, "sentiment", None),
        ({}, "score", None),
        ({}, "counted_at", None),
        ({"likes": {"total": 0}}, "score", 0),
        ({"likes": {"total": "7"}}, "score", 7),
        ({"likes": {"total": math.nan}}, "score", None),
        ({"likes": {"total": True}}, "score", None),
        ({"likes": 4}, "score", None),
        ({"user": None}, "author", None),
        ({"user": None}, "url", None),
        ({"user": {"username": "a/../b"}}, "url", "https://stocktwits.com/a%2F..%2Fb/message/1"),
        ({"body": "x" * 900}, "text", "x" * 500),
    ],
)
def test_an_optional_field_of_the_wrong_type_is_not_there(ask, more: Payload, field: str, value: object):
    (post,) = ask(stream([message(1, "2025-03-14T13:00:00Z", **more)]))
    assert getattr(post, field) == value


UNUSABLE = [
    message(2, "2025-03-14T13:00:00Z", body=""),
    message(2, "2025-03-14T13:00:00Z", body=None),
    message(2, "yesterday"),
    message(2, "2025-03-14T13:00:00"),
    message(2, 1741957200),
    message("two", "2025-03-14T13:00:00Z"),
    None,
    "a text",
]


@pytest.mark.parametrize("unusable", UNUSABLE)
def test_an_unusable_message_is_left_out_and_a_page_of_them_is_no_answer(ask, unusable: Any):
    assert len(ask(stream([unusable, message(1, "2025-03-14T13:00:00Z")]))) == 1
    with pytest.raises(VendorDown, match="cannot be read"):
        ask(stream([unusable]))


def test_a_page_without_any_field_for_tags_is_not_whole(ask):
    untagged = message(41, "2025-03-14T13:00:05Z", "Up", entities={"sentiment": None})
    renamed = message(41, "2025-03-14T13:00:05Z", "Up", entities={"mood": {"basic": "Bullish"}})
    for answer, noted in ((untagged, 0), (renamed, 1)):
        with noting_lost_rows() as lost:
            assert len(ask(stream([answer]))) == 1
        assert lost.total() == noted


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"entities": {"sentiment": {"basic": None}}}, ["tag of a post without a readable entities.sentiment.basic"]),
        (
            {"entities": {"sentiment": {"basic": "Neutral"}}},
            ["tag of a post without a readable entities.sentiment.basic"],
        ),
        ({"entities": {"sentiment": "Bullish"}}, ["tag of a post without a readable entities.sentiment.basic"]),
        ({"likes": {"total": "N/A"}}, ["value of likes.total that cannot be read"]),
        ({"likes": {"total": "1.2K"}}, ["value of likes.total that cannot be read"]),
        ({"likes": {"total": "12"}, "entities": {"sentiment": {"basic": "Bullish"}}}, []),
        ({"likes": {"total": "12.0"}}, []),
        ({"likes": None}, []),
    ],
)
def test_a_tag_or_number_that_cannot_be_read_is_told_and_a_number_as_text_is_read(ask, more: Any, told: list[str]):
    with noting_lost_rows() as noted:
        (post,) = ask(stream([message(41, "2025-03-14T13:00:05Z", "Up", **more)]))
    assert [row.what for row in noted] == told
    total = (more.get("likes") or {}).get("total")
    assert post.score == (12 if str(total).startswith("12") else post.score)


def test_no_messages_are_an_answer(ask):
    assert ask(stream([])) == ()


@pytest.mark.parametrize("answer", [{"response": {"status": 200}}, {"messages": None}, {"messages": {}}, []])
def test_another_shape_is_no_answer(ask, answer: Any):
    with pytest.raises(VendorDown, match="cannot be read"):
        ask(Reply(answer))


def test_a_failure_told_in_the_body_counts_as_one(ask):
    with pytest.raises(RateLimited):
        ask({"response": {"status": 429}, "errors": [{"message": "Rate limit exceeded"}]})
    with pytest.raises(NoData):
        ask({"response": {"status": 404}, "errors": [{"message": "Symbol not found"}]})


@pytest.mark.parametrize("status", [403, 503])
def test_a_page_that_asks_for_a_browser_is_a_vendor_that_is_down(ask, status: int):
    with pytest.raises(VendorDown):
        ask(Reply("<html><title>Just a moment...</title></html>", status=status))


def test_posts_outside_the_window_are_dropped_and_the_rest_is_newest_first_each_once(ask):
    days = {1: "2025-03-14T20:00:01Z", 2: "2025-03-12T09:00:00Z", 3: "2025-03-13T09:00:00Z", 4: "2025-03-06T23:59:59Z"}
    messages = [message(number, day) for number, day in days.items()]
    found = ask(stream([*messages, messages[1]]))
    assert [post.url for post in found] == [f"https://stocktwits.com/quillfan/message/{number}" for number in (3, 2)]


def pages(server: VendorServer, count: int, *, day: int = 13) -> None:
    """Answer `count` pages of one message each, an hour apart."""

    def answer(request: Request) -> Payload:
        number = int(request.query.get("max", count))
        return stream(
            [message(number, f"2025-03-{day:02}T{10 + number:02}:00:00Z")], more=number > 1, oldest=number - 1
        )

    server.answer(PATH, answer)


def test_pages_are_read_back_to_the_end_of_the_stream(ask, server: VendorServer):
    pages(server, 3)
    assert [post.posted_at.hour for post in ask()] == [13, 12, 11]
    assert [request.query for request in server.asked] == [{}, {"max": "2"}, {"max": "1"}]


def test_five_pages_are_the_most(ask, server: VendorServer):
    pages(server, 9)
    assert len(ask()) == 5
    assert len(server.asked) == 5


def test_no_page_is_read_beyond_the_start_of_the_window(ask, server: VendorServer):
    pages(server, 3, day=6)
    assert ask() == ()
    assert len(server.asked) == 1


def test_a_cursor_that_leads_nowhere_ends_the_reading(ask, server: VendorServer):
    again = stream([message(5, "2025-03-13T10:00:00Z")], more=True, oldest=5)
    assert len(ask(again)) == 1
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("symbol", "stream_name"),
    [("ACMQ", "ACMQ"), ("BRK-B", "BRK.B"), ("BTC-USD", "BTC.X"), ("F", "F")]
    + [(symbol, None) for symbol in ("^GSPC", "7203.T", "EURUSD=X", "GC=F")],
)
def test_how_symbols_are_spelled(symbol: str, stream_name: str | None):
    assert stream_of(symbol) == stream_name


def test_a_spelling_is_what_is_asked_for(ask, server: VendorServer):
    (post,) = ask(stream([message(1, "2025-03-13T10:00:00Z")]), "BTC-USD", "/streams/symbol/BTC.X.json")
    assert post.symbol == "BTC-USD"
    with pytest.raises(NoData, match=r"stocktwits has no posts about 7203\.T"):
        ask(symbol="7203.T")
    assert len(server.asked) == 1


def test_it_answers_for_today_only():
    assert StockTwitsVendor.live_only == {"get_social_posts"}
