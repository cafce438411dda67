"""Reddit through a local server: signing in, the API, the feed, and which posts speak of a symbol."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.contracts.sources import reddit as with_an_app
from tests.contracts.sources import reddit_feed as without
from tests.dataflows.vendors.social_payloads import Payload, entry, feed, listing, submission
from tests.support.vendor_server import Reply, Request, VendorServer, vendor_server
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.models import SocialPost
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.reddit.parse import names_of, speaks_of
from tradingagents.dataflows.vendors.reddit.vendor import RedditVendor
from tradingagents.errors import NoData, RateLimited, VendorDown, VendorNotConfigured
from tradingagents.settings import load_settings

START, END = datetime(2025, 3, 7, tzinfo=UTC), datetime(2025, 3, 14, 20, tzinfo=UTC)
NOW = datetime(2025, 3, 14, 20, 1, tzinfo=UTC)
POSTED = datetime(2025, 3, 14, 13, 0, 5, tzinfo=UTC)
SEARCH = "/r/stocks+wallstreetbets+investing/search"
TOKEN = {"access_token": "made-up-token", "token_type": "bearer", "expires_in": 3600}


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        running.answer("/api/v1/access_token", TOKEN)
        yield running


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(server: VendorServer, tmp_path: Path, clock: Clock) -> Vendor:
    return with_an_app.SOURCE.open(server, tmp_path, now=clock)


@pytest.fixture
def anybody(server: VendorServer, tmp_path: Path, clock: Clock) -> Vendor:
    return without.SOURCE.open(server, tmp_path, now=clock)


def asked(vendor: Vendor, symbol: str = "ACMQ", start: datetime = START) -> tuple[SocialPost, ...]:
    return vendor.get_social_posts(symbol, start, END)


# Through the API


def test_every_field_of_a_post(app: Vendor, server: VendorServer):
    server.answer(SEARCH, listing([submission(1, POSTED.timestamp(), "ACMQ\n beats &amp; raises")]))
    assert asked(app) == (
        SocialPost(
            symbol="ACMQ",
            text="ACMQ beats & raises What do you think?",
            posted_at=POSTED,
            known_at=POSTED,
            source="reddit",
            author="quill_reader",
            community="stocks",
            sentiment=None,
            score=12,
            comments=5,
            url="https://www.reddit.com/r/stocks/comments/x1/a_title/",
            counted_at=NOW,
        ),
    )


def test_what_is_sent(app: Vendor, server: VendorServer):
    server.answer(SEARCH, listing([]))
    assert asked(app) == ()
    signing_in, search = server.asked
    signed = base64.b64encode(b"made-up-id-SECRET-1:made-up-SECRET-2").decode()
    assert (signing_in.method, signing_in.headers["authorization"]) == ("POST", f"Basic {signed}")
    assert parse_qs(signing_in.body.decode()) == {"grant_type": ["client_credentials"]}
    assert (search.method, search.path, search.headers["authorization"]) == ("GET", SEARCH, "Bearer made-up-token")
    assert search.query == {
        "q": '"ACMQ"',
        "restrict_sr": "1",
        "sort": "new",
        "t": "month",
        "limit": "100",
        "raw_json": "1",
    }
    assert all("tradingagents" in request.headers["user-agent"] for request in server.asked)


@pytest.mark.parametrize(
    ("days", "span"), [(0.5, "day"), (1, "day"), (7, "week"), (7.5, "month"), (30, "month"), (90, "year")]
)
def test_the_search_reaches_back_as_far_as_it_must(app: Vendor, server: VendorServer, days: float, span: str):
    server.answer(SEARCH, listing([]))
    asked(app, start=NOW - timedelta(days=days))
    assert server.asked[-1].query["t"] == span


def test_a_token_is_kept_until_a_minute_before_it_ends(app: Vendor, server: VendorServer, clock: Clock):
    server.answer(SEARCH, listing([]))
    for minutes, tokens in ((0, 1), (58, 1), (59, 2)):
        clock.now = NOW + timedelta(minutes=minutes)
        asked(app)
        assert server.count("/api/") == tokens


def test_a_token_that_was_withdrawn_is_not_used_again(app: Vendor, server: VendorServer):
    server.answer(SEARCH, Reply({"message": "Unauthorized"}, status=401))
    with pytest.raises(VendorNotConfigured, match="REDDIT_CLIENT_SECRET"):
        asked(app)
    server.answer(SEARCH, listing([]))
    assert asked(app) == ()
    assert server.count("/api/") == 2


@pytest.mark.parametrize(
    "answer",
    [{}, [], {"access_token": None, "expires_in": 60}, {"access_token": "t"}, {"access_token": "t", "expires_in": "x"}],
)
def test_an_answer_without_a_token_is_no_answer(app: Vendor, server: VendorServer, answer: Any):
    server.answer("/api/v1/access_token", Reply(answer))
    with pytest.raises(VendorDown, match="a token for posts about ACMQ cannot be read"):
        asked(app)


@pytest.mark.parametrize("missing", ["REDDIT_CLIENT_ID", "REDDIT_CLIENT_SECRET"])
def test_half_an_app_is_none(server: VendorServer, tmp_path: Path, missing: str):
    environ = {name: value for name, value in with_an_app.SOURCE.environ.items() if name != missing}
    vendors = Vendors(load_settings({"home": tmp_path}, environ={}), environ=environ)
    with pytest.raises(VendorNotConfigured, match=f"{missing}.*prefs/apps") as caught:
        vendors.get("reddit")
    assert "SECRET-" not in str(caught.value)


@pytest.mark.parametrize(
    ("more", "field", "value"),
    [
        ({"score": -4}, "score", -4),
        ({"score": None}, "score", None),
        ({"score": math.nan}, "score", None),
        ({"score": "12"}, "score", 12),
        ({"score": "1.2K"}, "score", None),
        ({"num_comments": math.inf}, "comments", None),
        ({"num_comments": 0}, "comments", 0),
        ({"score": None, "num_comments": None}, "counted_at", None),
        ({"author": None}, "author", None),
        ({"subreddit": 7}, "community", None),
        ({"selftext": None}, "text", "ACMQ earnings"),
        ({"selftext": "y" * 900}, "text", "ACMQ earnings " + "y" * 486),
        ({"permalink": "https://elsewhere.invalid/"}, "url", None),
    ],
)
def test_an_optional_field_of_the_wrong_type_is_not_there(
    app: Vendor, server: VendorServer, more: Payload, field: str, value: object
):
    server.answer(SEARCH, listing([submission(1, POSTED.timestamp(), **more)]))
    (post,) = asked(app)
    assert getattr(post, field) == value


@pytest.mark.parametrize(
    "unusable",
    [
        submission(2, POSTED.timestamp(), title=""),
        submission(2, POSTED.timestamp(), title=None),
        submission(2, "1741957205"),  # type: ignore[arg-type]
        submission(2, math.nan),
        submission(2, 1e30),
        submission(2, True),
        {"kind": "t3"},
        None,
    ],
)
def test_an_unusable_post_is_left_out_and_a_page_of_them_is_no_answer(app: Vendor, server: VendorServer, unusable: Any):
    server.answer(SEARCH, listing([unusable, submission(1, POSTED.timestamp())]))
    assert len(asked(app)) == 1
    server.answer(SEARCH, listing([unusable]))
    with pytest.raises(VendorDown, match="cannot be read"):
        asked(app)


@pytest.mark.parametrize("answer", [{}, {"data": None}, {"data": {"children": None}}, []])
def test_another_shape_is_no_answer(app: Vendor, server: VendorServer, answer: Any):
    server.answer(SEARCH, Reply(answer))
    with pytest.raises(VendorDown, match="cannot be read"):
        asked(app)


def pages(server: VendorServer, *, days_a_page: int) -> None:
    def answer(request: Request) -> Payload:
        number = int(request.query.get("after", "0"))
        posted = POSTED - timedelta(days=days_a_page * number)
        return listing([submission(number, posted.timestamp())], after=str(number + 1))

    server.answer(SEARCH, answer)


def test_three_pages_are_the_most(app: Vendor, server: VendorServer):
    pages(server, days_a_page=1)
    assert [post.posted_at.day for post in asked(app)] == [14, 13, 12]
    assert [request.query.get("after") for request in server.asked[1:]] == [None, "1", "2"]


def test_no_page_is_read_beyond_the_start_of_the_window(app: Vendor, server: VendorServer):
    pages(server, days_a_page=9)
    assert [post.posted_at.day for post in asked(app)] == [14]
    assert server.count(SEARCH) == 2


# By the feed


def answer_feed(server: VendorServer, *entries: str) -> None:
    server.answer(f"{SEARCH}.rss", Reply(feed(*entries), content_type="application/atom+xml; charset=UTF-8"))


def test_a_feed_tells_who_wrote_what_and_no_counts(anybody: Vendor, server: VendorServer):
    answer_feed(server, entry(1, "2025-03-14T13:00:05+00:00", "ACMQ & co", "Up &amp; away?</p><p>Maybe."))
    assert asked(anybody) == (
        SocialPost(
            symbol="ACMQ",
            text="ACMQ & co Up & away? Maybe.",
            posted_at=POSTED,
            known_at=POSTED,
            source="reddit",
            author="quill_reader",
            community="stocks",
            sentiment=None,
            score=None,
            comments=None,
            url="https://www.reddit.com/r/stocks/comments/x1/a_title/",
            counted_at=None,
        ),
    )
    (request,) = server.asked
    assert (request.method, request.path) == ("GET", f"{SEARCH}.rss")
    assert request.query == {"q": '"ACMQ"', "restrict_sr": "1", "sort": "new", "t": "month", "limit": "100"}
    assert "authorization" not in request.headers


def test_a_post_that_is_only_a_link_has_its_title_for_a_text(anybody: Vendor, server: VendorServer):
    answer_feed(server, entry(1, "2025-03-14T13:00:05+00:00", "ACMQ 10-K", text=None))
    assert asked(anybody)[0].text == "ACMQ 10-K"


def test_an_empty_feed_is_an_answer(anybody: Vendor, server: VendorServer):
    answer_feed(server)
    assert asked(anybody) == ()


def test_entries_without_title_or_time_are_left_out(anybody: Vendor, server: VendorServer):
    good = entry(1, "2025-03-14T13:00:05+00:00")
    for bad in (entry(2, "soon"), entry(2, "2025-03-14T13:00:05"), entry(2, "2025-03-14T13:00:05+00:00", "")):
        answer_feed(server, bad, good)
        assert len(asked(anybody)) == 1
        answer_feed(server, bad)
        with pytest.raises(VendorDown, match="cannot be read"):
            asked(anybody)


GROWING = """<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<feed xmlns="http://www.w3.org/2005/Atom"><title>&b;</title></feed>"""


@pytest.mark.parametrize(
    "body",
    [
        GROWING,
        GROWING.replace('"1.0"', '"1.0" encoding="utf-16"').encode("utf-16"),
        '<!DOCTYPE feed SYSTEM "file:///etc/passwd"><feed xmlns="http://www.w3.org/2005/Atom"/>',
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry>",
        '<?xml version="1.0" encoding="made-up"?><feed xmlns="http://www.w3.org/2005/Atom"/>',
        "<rss><channel/></rss>",
        "<html><body>whoa there, pardner!</body></html>",
        '{"data": {"children": []}}',
        "",
    ],
    ids=["entities", "entities in UTF-16", "outside", "broken off", "encoding", "rss", "page", "json", "empty"],
)
def test_what_is_no_feed_is_no_answer_and_a_document_type_is_refused(
    anybody: Vendor, server: VendorServer, body: str | bytes
):
    server.answer(SEARCH, Reply(body, content_type="application/atom+xml"))
    with pytest.raises(VendorDown, match="cannot be read"):
        asked(anybody)


def test_reddit_refuses_whom_it_does_not_like(anybody: Vendor, server: VendorServer):
    server.answer(SEARCH, Reply("<html>blocked</html>", status=403))
    with pytest.raises(VendorDown, match="HTTP 403"):
        asked(anybody)
    server.answer(SEARCH, Reply("", status=429, headers={"Retry-After": "30"}))
    with pytest.raises(RateLimited):
        asked(anybody)


# Which posts count


@pytest.mark.parametrize(
    ("symbol", "text", "speaks"),
    [
        ("ACMQ", "ACMQ to the moon", True),
        ("ACMQ", "bought $acmq.", True),
        ("ACMQ", "(ACMQ)", True),
        ("ACMQ", "ACMQ's results", True),
        ("ACMQ", "acmq to the moon", False),
        ("ACMQ", "ACMQX and XACMQ", False),
        ("ACMQ", "$ACMQX", False),
        ("ACMQ", "ACMQ.L trades in London", False),
        ("ACMQ", "ACMQ-B and ACMQ&CO", False),
        ("F", "F in the chat", False),
        ("F", "is $F cheap?", True),
        ("GM", "GM everyone", False),
        ("GM", "$GM", True),
        ("ALL", "ALL IN", False),
        ("ALL", "sold $ALL yesterday", True),
        ("BRK-B", "BRK.B is cheap", True),
        ("BRK-B", "BRK-B is cheap", True),
        ("BRK-B", "BRKB is cheap", True),
        ("BRK-B", "BRK.A is cheap", False),
        ("BTC-USD", "BTC fell", True),
    ],
)
def test_a_post_speaks_of_a_symbol_by_cashtag_or_as_a_word_in_capitals(symbol: str, text: str, speaks: bool):
    assert speaks_of(symbol)(text) is speaks


@pytest.mark.parametrize(
    ("symbol", "query"), [("F", '"$F"'), ("BRK-B", '"BRK.B" OR "BRK-B" OR "BRKB"'), ("BTC-USD", '"BTC"')]
)
def test_how_symbols_are_searched_for(anybody: Vendor, server: VendorServer, symbol: str, query: str):
    answer_feed(server)
    asked(anybody, symbol)
    assert server.asked[-1].query["q"] == query


def test_only_posts_that_speak_of_it_count_wherever_in_the_text(app: Vendor, server: VendorServer):
    late = submission(1, POSTED.timestamp(), "A long read", selftext="y" * 800 + " ACMQ")
    other = submission(2, POSTED.timestamp(), "Elsewhere", selftext="Nothing about it")
    server.answer(SEARCH, listing([late, other]))
    assert [post.text[:11] for post in asked(app)] == ["A long read"]


def test_posts_outside_the_window_are_dropped_and_the_rest_is_newest_first_each_once(app: Vendor, server: VendorServer):
    times = (END + timedelta(seconds=1), END - timedelta(days=2), END - timedelta(days=1), START - timedelta(seconds=1))
    posts = [submission(number, when.timestamp()) for number, when in enumerate(times)]
    server.answer(SEARCH, listing([*posts, posts[1]]))
    assert [post.posted_at for post in asked(app)] == [times[2], times[1]]


@pytest.mark.parametrize("symbol", ["^GSPC", "7203.T", "EURUSD=X", "GC=F"])
def test_what_nobody_writes_like_that_is_not_asked_for(anybody: Vendor, server: VendorServer, symbol: str):
    assert names_of(symbol) == ()
    with pytest.raises(NoData, match="reddit has no posts about"):
        asked(anybody, symbol)
    assert server.asked == []


def test_it_answers_for_today_only():
    assert RedditVendor.live_only == {"get_social_posts"}


def test_the_hosts_are_reddits_own_unless_told_otherwise(tmp_path: Path):
    vendors = Vendors(load_settings({"home": tmp_path}, environ={}), environ=dict(with_an_app.SOURCE.environ))
    vendor = vendors.get("reddit")
    assert isinstance(vendor, RedditVendor)
    assert vendor._app is not None
    assert (vendor._access.url, vendor._app.host) == ("https://www.reddit.com", "https://oauth.reddit.com")
    with vendor_server() as server:
        local = without.SOURCE.open(server, tmp_path)
        assert isinstance(local, RedditVendor)
        assert (local._access.url, local._app) == (server.url, None)
