"""The made-up crowd: the same for the same seed, following moves and headlines, and silent about some companies."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest

from tradingagents.dataflows.models import SocialPost
from tradingagents.dataflows.reference.calendar import Sessions, sessions
from tradingagents.dataflows.vendors.simulated import COMPANIES, NO_NEWS, NO_POSTS, SimulatedVendor
from tradingagents.dataflows.vendors.simulated.posts import BULLPEN, TAPECHATTER
from tradingagents.errors import NoData

pytestmark = pytest.mark.own_market

FIRST, LAST = datetime(2018, 1, 2, tzinfo=UTC), datetime(2025, 6, 30, 20, tzinfo=UTC)
SYMBOL = next(symbol for symbol in COMPANIES if symbol not in NO_POSTS)


@pytest.fixture(scope="module")
def vendor() -> SimulatedVendor:
    return SimulatedVendor()


@pytest.fixture(scope="module")
def every(vendor: SimulatedVendor) -> tuple[SocialPost, ...]:
    return vendor.get_social_posts(SYMBOL, FIRST, LAST)


def test_the_same_seed_says_the_same_whatever_the_window(vendor: SimulatedVendor, every):
    assert SimulatedVendor().get_social_posts(SYMBOL, FIRST, LAST) == every
    assert SimulatedVendor(seed=8).get_social_posts(SYMBOL, FIRST, LAST) != every
    start, end = datetime(2024, 3, 1, tzinfo=UTC), datetime(2024, 4, 1, 15, tzinfo=UTC)
    assert vendor.get_social_posts(SYMBOL, start, end) == tuple(
        post for post in every if start <= post.posted_at <= end
    )


def test_a_longer_calendar_only_adds(every):
    calendar = sessions("XNYS")
    count = calendar.days.index(date(2024, 6, 28)) + 1
    shorter = Sessions("XNYS", calendar.days[:count], calendar.opens[:count], calendar.closes[:count])
    known = SimulatedVendor(calendar=shorter).get_social_posts(SYMBOL, FIRST, LAST)
    assert known == tuple(post for post in every if post.posted_at <= shorter.closes[-1])


def test_posts_are_known_when_posted_newest_first_and_each_has_an_address_of_its_own(every):
    assert all(post.known_at == post.posted_at == post.counted_at for post in every)
    assert [post.posted_at for post in every] == sorted((post.posted_at for post in every), reverse=True)
    assert len({post.url for post in every}) == len(every)
    assert all(f"${SYMBOL}" in post.text for post in every)


def test_one_place_has_tags_and_likes_the_other_communities_and_comments(every):
    places = {place: [post for post in every if post.source == place] for place in (TAPECHATTER, BULLPEN)}
    assert sum(map(len, places.values())) == len(every)
    assert {post.sentiment for post in places[TAPECHATTER]} == {"bullish", "bearish", None}
    assert {(post.community, post.comments) for post in places[TAPECHATTER]} == {(None, None)}
    assert {(post.sentiment, post.community) for post in places[BULLPEN]} == {(None, "longterm"), (None, "daytrade")}
    assert all(post.score is not None and post.score >= 1 for post in every)


def test_the_crowd_follows_the_last_session_s_move(vendor: SimulatedVendor, every):
    prices = vendor.get_stock_data(SYMBOL, date(2018, 1, 2), date(2025, 6, 30))
    moves = dict(zip(prices.days[1:].tolist(), np.diff(np.log(prices.close)).tolist(), strict=True))
    calendar = sessions("XNYS")
    followed = [
        (moves[day], 1 if post.sentiment == "bullish" else -1)
        for post in every
        if post.sentiment and (day := calendar.last_closed(post.posted_at - timedelta(seconds=1))) in moves
    ]
    assert len(followed) > 1000
    risen = [tone for move, tone in followed if move > 0.01]
    fallen = [tone for move, tone in followed if move < -0.01]
    assert np.mean(risen) > 0.5
    assert np.mean(fallen) < 0.0


def test_a_post_that_names_a_move_names_the_one_that_was(vendor: SimulatedVendor, every):
    named = next(post for post in every if "%" in post.text)
    day = sessions("XNYS").last_closed(named.posted_at - timedelta(seconds=1))
    close = vendor.get_stock_data(SYMBOL, day - timedelta(days=7), day).close
    move = 100 * (close[-1] / close[-2] - 1)
    assert f"{'up' if move > 0 else 'down'}" in named.text
    assert f"{abs(move):.1f}%" in named.text
    assert f"{day:%A}" in named.text


def test_some_companies_have_no_posts_and_neither_have_funds(vendor: SimulatedVendor):
    assert set(NO_NEWS) < set(NO_POSTS)
    assert 5 <= len(NO_POSTS) <= len(COMPANIES) // 5
    for symbol in (*NO_POSTS, "SPY", "^VIX"):
        assert vendor.get_social_posts(symbol, FIRST, LAST) == ()
    with pytest.raises(NoData, match="does not exist"):
        vendor.get_social_posts("AAPL", FIRST, LAST)


def test_every_other_company_is_talked_about(vendor: SimulatedVendor):
    month = (datetime(2025, 2, 14, tzinfo=UTC), datetime(2025, 3, 14, 20, tzinfo=UTC))
    counts = {symbol: len(vendor.get_social_posts(symbol, *month)) for symbol in COMPANIES if symbol not in NO_POSTS}
    assert min(counts.values()) >= 5
    assert max(counts.values()) <= 150
