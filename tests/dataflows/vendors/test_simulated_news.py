"""News of the simulated market: what leads, what lags, what means nothing, and that it says what it knows."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.tiers import sampled
from tradingagents.dataflows.reference.calendar import Sessions, sessions
from tradingagents.dataflows.vendors.simulated import COMPANIES, NO_NEWS, NewsTruth, SimulatedVendor
from tradingagents.errors import NoData

pytestmark = pytest.mark.own_market

VENDOR = SimulatedVendor()
CALENDAR = sessions("XNYS")
START, END = datetime(2018, 1, 1, tzinfo=UTC), datetime(2026, 6, 30, tzinfo=UTC)
COVERED = tuple(symbol for symbol in COMPANIES if symbol not in NO_NEWS)
GOOD = {"beats", "tops", "strong", "improve", "wins", "upgrades", "gain", "favor", "approval", "rallies"}
GOOD |= {"positive", "best"}
BAD = {"misses", "short", "weak", "decline", "lawsuit", "downgrades", "probe", "delays", "loses", "drop", "slumps"}
BAD |= {"negative", "warns", "criticizes"}


@cache
def truths(symbol: str) -> tuple[NewsTruth, ...]:
    return VENDOR.news_truth(symbol, START, END)


def of_kind(kind: str) -> list[NewsTruth]:
    return [truth for symbol in COVERED for truth in truths(symbol) if truth.kind == kind]


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))


@pytest.mark.parametrize("symbol", sampled(COVERED, every=5))
def test_a_company_is_in_the_news_two_to_eight_times_a_week(symbol):
    listed = COMPANIES[symbol].listed
    begin = datetime(listed.year, listed.month, listed.day, tzinfo=UTC) if listed else START
    assert 2.0 <= len(truths(symbol)) / ((END - begin).days / 7.0) <= 8.0


def test_leading_articles_come_before_the_move_they_tell():
    leading = of_kind("lead")
    in_session = 0
    for truth in leading:
        assert truth.session is not None
        eve = CALENDAR.on_or_before(truth.session - timedelta(days=1))
        published = truth.item.published_at
        assert CALENDAR.next_open(eve - timedelta(days=1)) < published < CALENDAR.next_open(eve)
        assert truth.tone * truth.own_shock > 1.2
        in_session += published < CALENDAR.close_of(eve)
    assert 0.4 < in_session / len(leading) < 0.6


def test_who_acts_on_leading_articles_earns_and_who_acts_on_noise_does_not():
    earned: dict[str, list[float]] = {"lead": [], "noise": []}
    for symbol in COVERED:
        bars = VENDOR.get_stock_data(symbol, date(2018, 1, 2), date(2026, 6, 30))
        moves = dict(zip(bars.days[1:].tolist(), (bars.close[1:] / bars.close[:-1] - 1.0).tolist(), strict=True))
        for truth in truths(symbol):
            if truth.kind in earned and truth.tone and truth.session in moves:
                earned[truth.kind].append(truth.tone * moves[truth.session])
    assert np.mean(earned["lead"]) > 0.015
    assert abs(np.mean(earned["noise"])) < 0.001


def test_lagging_articles_quote_the_move_of_the_day_after_its_close():
    for symbol in COVERED:
        bars = VENDOR.get_stock_data(symbol, date(2018, 1, 2), date(2026, 6, 30))
        close = dict(zip(bars.days.tolist(), range(len(bars)), strict=True))
        for truth in truths(symbol):
            if truth.kind != "lag":
                continue
            assert truth.session is not None
            at = close[truth.session]
            move = float(bars.close[at] / bars.close[at - 1] - 1.0)
            after = truth.item.published_at - CALENDAR.close_of(truth.session)
            assert timedelta() < after <= timedelta(hours=3)
            assert move * truth.tone > 0.0
            assert f"{100.0 * abs(move):.1f}%" in truth.item.title


def test_results_are_reported_minutes_after_the_filing_with_its_figures():
    for symbol in COVERED:
        filings = {truth.filed_at: truth for truth in VENDOR.earnings_truth(symbol)}
        reported = [truth for truth in truths(symbol) if truth.kind == "earnings"]
        assert len(reported) == sum(START + timedelta(days=1) <= filed <= END for filed in filings)
        for truth in reported:
            item = truth.item
            filed = max(instant for instant in filings if instant < item.published_at)
            assert item.published_at - filed <= timedelta(minutes=22)
            hidden = filings[filed]
            assert f"${hidden.eps:.2f}" in f"{item.summary}"
            if abs(hidden.surprise) > 0.3 and hidden.eps != hidden.expected_eps:
                assert truth.tone == np.sign(hidden.surprise)
            else:
                assert truth.tone == 0
                assert "in line" in item.title
            assert truth.session == hidden.reaction


@pytest.mark.parametrize("kind", ["earnings", "lead", "lag", "noise"])
def test_the_tone_of_an_article_can_be_read_from_its_words(kind):
    for truth in of_kind(kind):
        title = words(truth.item.title)
        assert bool(title & GOOD) == (truth.tone > 0)
        assert bool(title & BAD) == (truth.tone < 0)


def test_articles_appear_before_the_open_after_the_close_and_on_weekends():
    published = [truth.item.published_at for truth in truths("OMBZ")]
    assert sum(moment.weekday() >= 5 for moment in published) > 50
    hours = {moment.hour for moment in published}
    assert hours == set(range(24))


@settings(deadline=None)
@given(
    symbol=st.sampled_from(COVERED),
    first=st.dates(date(2018, 1, 1), date(2026, 5, 1)),
    seconds=st.integers(0, 86_399),
    days=st.integers(0, 60),
)
def test_a_window_holds_what_was_published_within_it_newest_first(symbol, first, seconds, days):
    start = datetime(first.year, first.month, first.day, tzinfo=UTC) + timedelta(seconds=seconds)
    end = start + timedelta(days=days)
    found = VENDOR.get_news(symbol, start, end)
    assert found == tuple(truth.item for truth in truths(symbol) if start <= truth.item.published_at <= end)
    assert all(newer.published_at >= older.published_at for newer, older in pairwise(found))


def test_a_window_includes_both_its_ends():
    some = truths("OMBZ")[100].item
    assert VENDOR.get_news("OMBZ", some.published_at, some.published_at) == (some,)


def test_articles_say_who_wrote_them_and_link_nowhere():
    items = [truth.item for truth in truths("OMBZ")]
    assert all(item.known_at == item.published_at and item.symbol == "OMBZ" and item.source for item in items)
    assert all(item.url is None or item.url.startswith("https://news.example.invalid/") for item in items)
    assert {item.url is None for item in items} == {True, False}
    assert not any("{" in f"{item.title}{item.summary}" for item in items)


@pytest.mark.parametrize("symbol", [*NO_NEWS, "SPY", "^GSPC", "TLT"])
def test_what_nobody_writes_about_has_an_empty_answer(symbol):
    assert VENDOR.get_news(symbol, START, END) == ()


def test_nothing_is_written_about_a_company_before_it_is_listed():
    assert truths("PLYZ")[-1].item.published_at >= datetime(2025, 3, 3, tzinfo=UTC)


def test_news_of_an_unknown_company_is_an_error_not_silence():
    with pytest.raises(NoData, match="made up"):
        VENDOR.get_news("AAPL", START, END)


def test_a_longer_calendar_leaves_earlier_news_as_they_were():
    calendar = Sessions("XNYS", CALENDAR.days[:-5], CALENDAR.opens[:-5], CALENDAR.closes[:-5])
    shorter, end = SimulatedVendor(calendar=calendar), calendar.closes[-2]
    for symbol in ("VELQ", "OMBZ", "PLYZ"):
        assert shorter.get_news(symbol, START, end) == VENDOR.get_news(symbol, START, end)
    assert shorter.get_global_news(START, end) == VENDOR.get_global_news(START, end)
    assert SimulatedVendor(8).get_news("VELQ", START, end) != VENDOR.get_news("VELQ", START, end)


def test_a_few_market_articles_appear_a_day():
    count = len(VENDOR.get_global_news(START, END))
    assert 2.0 < count / len(CALENDAR.between(START.date(), END.date())) < 5.0


def test_recaps_tell_what_the_index_did():
    bars = VENDOR.get_stock_data("^GSPC", date(2018, 1, 2), date(2026, 6, 30))
    moves = dict(zip(bars.days[1:].tolist(), (bars.close[1:] / bars.close[:-1] - 1.0).tolist(), strict=True))
    recaps = [item for item in VENDOR.get_global_news(START, END) if "/recap/" in f"{item.url}"]
    assert len(recaps) > 1900
    for item in recaps:
        move = moves[CALENDAR.last_closed(item.published_at)]
        assert f"{100.0 * abs(move):.1f}%" in f"{item.title} {item.summary}"
        if abs(move) >= 0.003:
            assert bool(words(item.title) & {"gain", "rallies"}) == (move > 0.0)
        else:
            assert "little changed" in item.title


def test_previews_come_before_the_open_of_the_session_they_are_right_about():
    bars = VENDOR.get_stock_data("^GSPC", date(2018, 1, 2), date(2026, 6, 30))
    moves = dict(zip(bars.days[1:].tolist(), (bars.close[1:] / bars.close[:-1] - 1.0).tolist(), strict=True))
    previews = [item for item in VENDOR.get_global_news(START, END) if "/preview/" in f"{item.url}"]
    assert len(previews) > 200
    for item in previews:
        session = item.published_at.date()
        opens = CALENDAR.next_open(session - timedelta(days=1))
        assert timedelta(hours=1) < opens - item.published_at <= timedelta(hours=2)
        assert ("higher" in item.title) == (moves[session] > 0.0)
        assert abs(moves[session]) >= 0.01


def test_market_themes_are_rates_oil_trade_and_the_mood():
    items = VENDOR.get_global_news(datetime(2023, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC))
    themes = {match[1] for item in items if (match := re.search(r"/markets/(\w+)/", f"{item.url}"))}
    assert themes == {"recap", "preview", "mood", "rates", "oil", "trade"}
    assert all(item.symbol is None and item.known_at == item.published_at for item in items)
