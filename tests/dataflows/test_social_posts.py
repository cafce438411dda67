"""Posts are asked of every source that can be asked; what was known later, or counted later, does not pass."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from tests.support.fakes import RowsVendor
from tradingagents.capabilities.social import get_social_sentiment
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import SocialPost
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import (
    AllVendorsFailed,
    NoData,
    NotForPastDate,
    TradingAgentsError,
    VendorDown,
    VendorNotConfigured,
)
from tradingagents.settings import load_settings

FRIDAY = date(2025, 3, 14)
CLOSE = datetime(2025, 3, 14, 20, tzinfo=UTC)
START = date(2025, 3, 7)
ON_THE_DAY, MONTHS_LATER = CLOSE + timedelta(minutes=5), datetime(2025, 6, 30, 22, tzinfo=UTC)


def post(posted_at: datetime, source: str = "rows", **more: Any) -> SocialPost:
    return SocialPost("ACME", f"{posted_at:%d %H:%M}", posted_at, posted_at, source, **more)


def ago(hours: float, source: str = "rows", **more: Any) -> SocialPost:
    return post(CLOSE - timedelta(hours=hours), source, **more)


class TodayOnly(RowsVendor):
    live_only = frozenset({"get_social_posts"})


def market(vendors: Mapping[str, Vendor], *, now: datetime = ON_THE_DAY, names: str = "one,two") -> MarketData:
    settings = load_settings({"tool_vendors": {"get_social_posts": names}}, environ={})
    made = Vendors(settings, vendors, environ={}, sleep=lambda _: None)
    return MarketData(settings, FRIDAY, vendors=made, now=lambda: now)


def failing(error: TradingAgentsError) -> RowsVendor:
    return RowsVendor(error=error)


def test_all_sources_are_asked_and_their_posts_stand_together_newest_first():
    data = market({"one": RowsVendor(posts=[ago(3), ago(1)]), "two": RowsVendor(posts=[ago(2, "other")])})
    found = data.social_posts("acme", START, FRIDAY)
    assert [one.text for one in found.posts] == ["14 19:00", "14 18:00", "14 17:00"]
    assert (found.answered, found.silent) == (("one", "two"), {})
    assert [(row.vendor, row.rows, row.symbol, row.known_at) for row in data.sheet.rows] == [
        ("one", 2, "ACME", CLOSE - timedelta(hours=1)),
        ("two", 1, "ACME", CLOSE - timedelta(hours=2)),
    ]


def test_each_source_is_asked_once_and_the_window_ends_at_the_cut_off():
    one, two = RowsVendor(posts=[ago(1)]), RowsVendor()
    data = market({"one": one, "two": two}, now=CLOSE)
    for _ in range(2):
        data.social_posts("ACME", START, date(2025, 6, 1))
    assert one.asked == two.asked == [("get_social_posts", "ACME", datetime(2025, 3, 7, tzinfo=UTC), CLOSE)]


def test_a_post_that_two_sources_give_counts_once():
    same = ago(1, url="https://posts.invalid/1")
    found = market({"one": RowsVendor(posts=[same, ago(2)]), "two": RowsVendor(posts=[same, ago(2)])})
    assert len(found.social_posts("ACME", START, FRIDAY).posts) == 2


def test_what_was_posted_or_known_after_the_cut_off_does_not_pass():
    late = SocialPost("ACME", "known later", CLOSE - timedelta(hours=1), CLOSE + timedelta(hours=1), "rows")
    early = post(datetime(2025, 3, 6, 23, 59, tzinfo=UTC))
    vendor = RowsVendor(posts=[ago(-0.01), late, early, ago(1)])
    found = market({"one": vendor}, names="one", now=CLOSE).social_posts("ACME", START, FRIDAY)
    assert [one.text for one in found.posts] == ["14 19:00"]
    evening = market({"one": vendor}, names="one", now=ON_THE_DAY).social_posts("ACME", START, FRIDAY)
    assert [one.text for one in evening.posts] == ["14 20:00", "14 19:00"], "posted 36 seconds after the close"


def test_likes_counted_after_a_past_day_s_cut_off_do_not_pass_either():
    counted = [
        ago(3, score=5, comments=2, counted_at=CLOSE),
        ago(2, score=500, comments=90, counted_at=CLOSE + timedelta(seconds=1)),
    ]
    later, today = [
        market({"one": RowsVendor(posts=counted)}, names="one", now=now).social_posts("ACME", START, FRIDAY).posts
        for now in (MONTHS_LATER, ON_THE_DAY)
    ]
    assert [(one.score, one.comments, one.counted_at) for one in later] == [(None, None, None), (5, 2, CLOSE)]
    assert [one.score for one in today] == [500, 5]


@pytest.mark.parametrize(
    "error", [VendorDown("the wire is cut."), VendorNotConfigured("check the key."), NoData("no such stream.")]
)
def test_a_source_that_fails_is_named_and_the_others_answer(error: TradingAgentsError):
    data = market({"one": failing(error), "two": RowsVendor(posts=[ago(1)])})
    result = get_social_sentiment.ask(data, ticker="ACME")
    assert (result.posts, result.source, result.answered, result.silent) == (1, "two", ("two",), ("one",))
    assert f"one did not answer: {error}" in result.notes[0]
    assert "Sources that did not answer: one." in result.to_markdown()


@pytest.mark.parametrize(
    ("one", "two", "expected", "words"),
    [
        (VendorDown("cut."), VendorDown("shut."), AllVendorsFailed, r"get_social_posts failed at one, two: .*shut\."),
        (VendorDown("cut."), NoData("no stream."), AllVendorsFailed, "no stream"),
        (NoData("no stream."), NoData("no such word."), NoData, "no stream"),
        (VendorNotConfigured("key one."), VendorNotConfigured("key two."), VendorNotConfigured, "key one"),
    ],
)
def test_where_nobody_answers_the_error_says_why(one, two, expected: type[Exception], words: str):
    data = market({"one": failing(one), "two": failing(two)})
    with pytest.raises(expected, match=words) as caught:
        data.social_posts("ACME", START, FRIDAY)
    assert type(caught.value) is expected
    assert str(caught.value).endswith(".")


def test_a_past_day_is_asked_of_those_only_that_knew_it():
    today, recorded = TodayOnly(posts=[ago(1, "today")]), RowsVendor(posts=[ago(2, "recorded")])
    vendors = {"one": today, "two": recorded}
    assert market(vendors).social_posts("ACME", START, FRIDAY).answered == ("one", "two")
    today.asked.clear()
    assert market(vendors, now=MONTHS_LATER).social_posts("ACME", START, FRIDAY).answered == ("two",)
    with pytest.raises(NotForPastDate, match="one answers get_social_posts for today only, not for 2025-03-14"):
        market(vendors, now=MONTHS_LATER, names="one").social_posts("ACME", START, FRIDAY)
    assert today.asked == []


def test_the_two_of_the_defaults_refuse_a_past_day_without_being_asked(tmp_path):
    settings = load_settings({"home": tmp_path}, environ={})
    data = MarketData(settings, FRIDAY, vendors=Vendors(settings, environ={}), now=lambda: MONTHS_LATER)
    assert not data.supports("get_social_posts")
    with pytest.raises(NotForPastDate, match="stocktwits, reddit"):
        get_social_sentiment.ask(data, ticker="ACME")


def test_a_window_of_the_past_in_a_run_of_today_is_a_past_day():
    data = market({"one": TodayOnly(posts=[ago(1)])}, names="one")
    assert get_social_sentiment.ask(data, ticker="ACME").posts == 1
    with pytest.raises(NotForPastDate):
        get_social_sentiment.ask(data, ticker="ACME", curr_date="2025-03-12")


def test_the_look_back_is_the_window():
    data = market({"one": RowsVendor(posts=[ago(1), ago(50), ago(24 * 8)])}, names="one")
    for days, posts in ((1, 1), (2, 2), (30, 3)):
        result = get_social_sentiment.ask(data, ticker="ACME", look_back_days=days)
        assert (result.posts, result.start) == (posts, FRIDAY - timedelta(days=days))
