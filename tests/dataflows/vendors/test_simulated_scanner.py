"""What the scanner asks of the simulated market: movers, sectors, news by topic, and two calendars."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import get_args
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.support.tiers import examples, sampled
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import EconomicEvent, MoverCategory
from tradingagents.dataflows.reference.calendar import Sessions, sessions
from tradingagents.dataflows.reference.sectors import DISPLAY, SECTORS
from tradingagents.dataflows.vendors.simulated import (
    COMPANIES,
    NO_STATEMENTS,
    Regime,
    SimulatedVendor,
)
from tradingagents.dataflows.vendors.simulated.global_news import market_articles, world_headlines
from tradingagents.dataflows.vendors.simulated.news import make_archive
from tradingagents.dataflows.vendors.simulated.world import make_world
from tradingagents.errors import NoData
from tradingagents.settings import load_settings

pytestmark = pytest.mark.own_market

VENDOR = SimulatedVendor()
CALENDAR = sessions("XNYS")
WORLD = make_world(7, CALENDAR)
ABROAD = world_headlines(WORLD)
NEW_YORK = ZoneInfo("America/New_York")
FIRST, LAST = date(2018, 1, 2), date(2026, 6, 30)
SESSIONS = CALENDAR.between(FIRST, LAST)[1:]
EVER = (date(2000, 1, 1), date(2100, 1, 1))
WINDOW_STARTS = st.dates(FIRST, LAST)
SCANNED = ("geopolitics", "trade policy sanctions", "central bank monetary policy", "energy oil commodities")
"""The topics the geopolitical scanner asks for first."""


def shortened(sessions_less: int) -> SimulatedVendor:
    """Return the same market on a calendar that ends earlier."""
    upto = len(CALENDAR.days) - sessions_less
    return SimulatedVendor(
        calendar=Sessions("XNYS", CALENDAR.days[:upto], CALENDAR.opens[:upto], CALENDAR.closes[:upto])
    )


def moves(session: date) -> dict[str, tuple[float, float, float]]:
    """Return price, change in percent and volume of every company, worked out from its bars as traded."""
    found = {}
    for symbol in COMPANIES:
        bars = VENDOR.get_stock_data(symbol, FIRST, CALENDAR.days[-1]).as_traded(session).upto(session)
        if len(bars) > 1 and bars.days[-1].item() == session:
            change = 100.0 * (bars.close[-1] - bars.close[-2]) / bars.close[-2]
            found[symbol] = (float(bars.close[-1]), float(change), float(bars.volume[-1]))
    return found


@settings(deadline=None, max_examples=examples(40))
@given(session=st.sampled_from(SESSIONS), category=st.sampled_from(get_args(MoverCategory)))
@example(date(2018, 1, 3), "day_gainers")
@example(date(2024, 6, 10), "day_losers")  # a reverse split
@example(date(2025, 3, 4), "most_actives")  # the second session of the young company
def test_movers_are_the_true_ones_of_the_session(session, category):
    sign = {"day_gainers": 1.0, "day_losers": -1.0, "most_actives": 0.0}[category]
    expected = {symbol: row for symbol, row in moves(session).items() if not sign or row[1] * sign > 0.0}
    key = (lambda row: row[1] * sign) if sign else (lambda row: row[2])
    order = sorted(expected, key=lambda symbol: (-key(expected[symbol]), symbol))
    found = VENDOR.get_market_movers(category, session)
    assert [one.symbol for one in found] == order[:25]
    for one in found:
        assert (one.price, one.change_pct, one.volume) == pytest.approx(expected[one.symbol])
        assert (one.name, one.sector) == (COMPANIES[one.symbol].name, COMPANIES[one.symbol].sector)
        assert one.known_at == CALENDAR.close_of(session)


def test_market_value_counts_the_shares_of_the_day_s_units():
    # 210 billion at 42 are five billion shares, of which the split of 2021 made twenty.
    for session, shares in ((date(2021, 7, 19), 5e9), (date(2021, 7, 20), 20e9)):
        movers = [*VENDOR.get_market_movers("day_gainers", session), *VENDOR.get_market_movers("day_losers", session)]
        mover = next(one for one in movers if one.symbol == "VELQ")
        assert mover.market_cap == pytest.approx(shares * mover.price)


@pytest.mark.parametrize("day", [date(2017, 12, 29), FIRST, date(2025, 3, 15), date(2100, 1, 4)])
def test_a_day_without_movers_is_refused_with_the_days_that_have_some(day):
    with pytest.raises(NoData, match=f"{day} has no movers: .* run from 2018-01-03 to {CALENDAR.days[-1]}; name one"):
        VENDOR.get_market_movers("day_gainers", day)


@pytest.mark.parametrize("sector", SECTORS)
def test_a_sector_s_members_are_its_companies_unrated_and_unweighted(sector):
    members = VENDOR.get_industry_performance(sector)
    assert [(one.symbol, one.name, one.industry) for one in members] == [
        (one.symbol, one.name, one.industry) for one in COMPANIES.values() if one.sector == sector
    ]
    assert all(one.rating is None and one.weight is None for one in members)


def test_an_unknown_sector_is_refused_with_the_known_ones():
    with pytest.raises(NoData, match=r"no sector 'tech'; it has technology, healthcare, .*, communication-services"):
        VENDOR.get_industry_performance("tech")


def releases(vendor: SimulatedVendor = VENDOR) -> dict[str, list[EconomicEvent]]:
    found = defaultdict(list)
    for event in vendor.get_economic_calendar(FIRST, LAST):
        if event.value is not None:
            found[event.name].append(event)
    return found


def test_six_figures_are_published_monthly_quarterly_or_eight_times_a_year():
    counts = {name: sum(event.day.year == 2024 for event in events) for name, events in releases().items()}
    assert counts == {
        "Purchasing managers' index": 12,
        "Nonfarm payrolls": 12,
        "Unemployment rate": 12,
        "Consumer price inflation": 12,
        "Economic growth": 4,
        "Interest rate decision": 8,
    }


@pytest.mark.parametrize(
    ("name", "day", "period"),
    [
        ("Purchasing managers' index", date(2025, 2, 3), "2025-01"),  # the 1st is a Saturday
        ("Nonfarm payrolls", date(2025, 2, 7), "2025-01"),
        ("Unemployment rate", date(2025, 7, 7), "2025-06"),  # the first Friday is a holiday
        ("Unemployment rate", date(2021, 1, 4), "2020-12"),  # so is the first of January
        ("Consumer price inflation", date(2025, 3, 12), "2025-02"),
        ("Economic growth", date(2025, 4, 24), "2025-Q1"),
        ("Economic growth", date(2026, 1, 22), "2025-Q4"),
        ("Interest rate decision", date(2025, 3, 19), "2025-03"),
        ("Interest rate decision", date(2024, 6, 20), "2024-06"),  # the third Wednesday is a holiday
    ],
)
def test_releases_follow_fixed_rules_and_wait_for_the_next_session(name, day, period):
    assert [event.period for event in VENDOR.get_economic_calendar(day, day) if event.name == name] == [period] * 2


def test_a_release_is_known_at_its_hour_in_new_york_summer_and_winter():
    for name, events in releases().items():
        hour = time(14, 0) if name == "Interest rate decision" else time(8, 30)
        assert {event.known_at.astimezone(NEW_YORK).time() for event in events} == {hour}
        assert {event.known_at.utcoffset() for event in events} == {timedelta()}
        assert all(event.known_at.astimezone(NEW_YORK).date() == event.day for event in events)
        assert len({event.known_at.hour for event in events}) == 2
        assert all(CALENDAR.is_session(event.day) and not event.day_assumed for event in events)


def test_a_release_is_scheduled_a_year_ahead_without_its_figures():
    events = VENDOR.get_economic_calendar(FIRST, LAST)
    scheduled = [event for event in events if event.value is None]
    published = [event for event in events if event.value is not None]
    assert [(one.day, one.name, one.period) for one in scheduled] == [
        (one.day, one.name, one.period) for one in published
    ]
    for event in scheduled:
        assert event.known_at == datetime(event.day.year - 1, 1, 1, tzinfo=UTC)
        assert event.previous is None
        assert event.estimate is None


def test_a_release_tells_the_value_before():
    for events in releases().values():
        assert all(later.previous == earlier.value for earlier, later in pairwise(events))
        assert all(event.estimate is not None for event in events)


def test_a_month_is_published_only_when_it_is_over():
    for name in set(releases()) - {"Interest rate decision", "Economic growth"}:
        for event in releases()[name]:
            assert event.period is not None
            assert event.period < f"{event.day:%Y-%m}"


def test_estimates_are_near_and_wrong_both_ways():
    for name in ("Purchasing managers' index", "Nonfarm payrolls", "Consumer price inflation", "Economic growth"):
        figures = np.array([(event.value, event.estimate) for event in releases()[name]])
        missed = figures[:, 0] - figures[:, 1]
        assert np.std(missed) < np.std(figures[:, 0])
        assert 0.2 < np.mean(missed > 0.0) < 0.8


@pytest.mark.parametrize("seed", sampled([7, 8, 9], every=2))
def test_the_policy_rate_moves_in_steps_and_stays_near_the_short_end(seed):
    vendor = SimulatedVendor(seed)
    decisions = releases(vendor)["Interest rate decision"]
    changes = [float(one.value or 0.0) - float(one.previous or 0.0) for one in decisions]
    assert set(changes) <= {-0.5, -0.25, 0.0, 0.25, 0.5}
    assert {change > 0.0 for change in changes if change} == {True, False}
    assert all(0.0 <= float(one.value or 0.0) <= 5.0 for one in decisions)


def test_a_bear_market_weakens_business():
    weak: dict[bool, list[float]] = {True: [], False: []}
    for seed in (7, 8, 9):
        vendor = SimulatedVendor(seed)
        for event in releases(vendor)["Purchasing managers' index"]:
            moods = [vendor.regime(day) for day in CALENDAR.between(event.day - timedelta(days=90), event.day)]
            weak[np.mean([mood == Regime.BEAR for mood in moods]) > 0.5].append(float(event.value or 0.0))
    assert np.mean(weak[True]) < 49.0
    assert np.mean(weak[False]) > 50.5


def test_fewer_on_the_payrolls_is_more_unemployment():
    found = releases()
    hired = np.array([event.value for event in found["Nonfarm payrolls"]])
    rate = np.array([event.value for event in found["Unemployment rate"]])
    year = slice(12, None)
    assert np.corrcoef(np.convolve(hired, np.ones(12), "valid")[1:], rate[year] - rate[:-12])[0, 1] < -0.8


@settings(deadline=None)
@given(start=WINDOW_STARTS, days=st.integers(0, 400))
def test_a_window_of_the_economic_calendar_holds_the_releases_of_its_days(start, days):
    end = start + timedelta(days=days)
    everything = VENDOR.get_economic_calendar(*EVER)
    found = VENDOR.get_economic_calendar(start, end)
    assert found == tuple(event for event in everything if start <= event.day <= end)
    assert list(found) == sorted(found, key=lambda event: (event.day, event.name, event.known_at))
    assert days < 31 or found


@pytest.mark.parametrize("sessions_less", sampled([1, 5, 21, 64, 400], every=4))
def test_a_longer_calendar_only_adds_releases(sessions_less):
    shorter = shortened(sessions_less)
    end = CALENDAR.days[-sessions_less - 1]
    assert shorter.get_economic_calendar(FIRST, date(2100, 1, 1)) == VENDOR.get_economic_calendar(FIRST, end)


def test_another_seed_is_another_economy():
    day = (date(2024, 1, 2), date(2024, 12, 31))
    assert SimulatedVendor(8).get_economic_calendar(*day) != VENDOR.get_economic_calendar(*day)
    assert SimulatedVendor(7).get_economic_calendar(*day) == VENDOR.get_economic_calendar(*day)


def window(start: date, days: int) -> tuple[datetime, datetime]:
    begin = datetime(start.year, start.month, start.day, 13, 30, tzinfo=UTC)
    return begin, begin + timedelta(days=days)


@settings(deadline=None, max_examples=examples(30, fast=8))
@given(sector=st.sampled_from(SECTORS), first=WINDOW_STARTS, days=st.integers(0, 30))
def test_a_sector_s_topic_has_every_article_of_its_companies(sector, first, days):
    start, end = window(first, days)
    found = VENDOR.get_topic_news(DISPLAY[sector], start, end)
    companies = [symbol for symbol, one in COMPANIES.items() if one.sector == sector]
    written = {item for symbol in companies for item in VENDOR.get_news(symbol, start, end)}
    assert {item for item in found if item.symbol in companies} == written
    assert len(set(found)) == len(found)


def test_an_industry_s_topic_has_every_article_of_its_companies_and_of_no_other():
    start, end = window(date(2025, 2, 3), 7)
    found = VENDOR.get_topic_news("semiconductor industry", start, end)
    assert set(found) == {item for symbol in ("VELQ", "PIXZ") for item in VENDOR.get_news(symbol, start, end)}
    assert len(found) > 5


@settings(deadline=None, max_examples=examples(60, fast=10))
@given(
    topic=st.sampled_from((*SCANNED, *DISPLAY.values(), "renewable energy", "Veltrane", "lawsuit")),
    first=st.dates(date(2017, 12, 1), LAST),
    days=st.integers(0, 30),
)
def test_articles_on_a_topic_were_published_and_known_within_what_was_asked(topic, first, days):
    start, end = window(first, days)
    for item in VENDOR.get_topic_news(topic, start, end):
        assert start <= item.published_at == item.known_at <= end


def test_what_comes_of_no_company_is_in_the_market_s_news_or_world_news():
    start, end = window(date(2024, 1, 2), 90)
    market = set(VENDOR.get_global_news(start, end))
    for topic in SCANNED:
        for item in VENDOR.get_topic_news(topic, start, end):
            abroad = "/markets/world/" in f"{item.url}"
            assert abroad != (item in market or item.symbol is not None)


@pytest.mark.parametrize("topic", sampled(SCANNED, every=3))
def test_the_geopolitical_scanner_s_topics_have_articles_in_most_weeks(topic):
    weeks = [FIRST + timedelta(weeks=week) for week in range(1, 440, 5)]
    found = [VENDOR.get_topic_news(topic, *window(week, 7)) for week in weeks]
    assert sum(map(bool, found)) > 0.85 * len(weeks)


def test_world_news_is_found_by_topic_and_not_among_the_market_s():
    start, end = window(date(2023, 1, 2), 2 * 364)
    written = market_articles(WORLD, ABROAD, start, end)
    found = VENDOR.get_topic_news("geopolitics", start, end)
    assert {item for item in found if "/world/" in f"{item.url}"} == set(written)
    assert 2.0 < len(written) / 104 < 3.0
    assert not any("/world/" in f"{item.url}" for item in VENDOR.get_global_news(start, end))
    assert all(item.symbol is None and item.source and "{" not in item.title for item in written)


def test_hardly_a_week_passes_without_world_news_of_any_tone():
    weeks = {headline.published // (7 * 86_400) for headline in ABROAD}
    assert len(weeks) > 0.95 * len(WORLD.timeline) / 5
    assert all(sum(one.tone == tone for one in ABROAD) > 0.25 * len(ABROAD) for tone in (-1, 0, 1))


def test_world_news_moves_no_price():
    change = np.diff(np.log(WORLD.series["^GSPC"].close), append=np.nan)  # from each close to the next
    earned = np.array([one.tone * change[one.session] for one in ABROAD if one.tone])[:-1]
    assert len(earned) > 700
    assert abs(np.mean(earned)) < 2.5 * np.std(earned) / np.sqrt(len(earned))


@pytest.mark.parametrize("topic", ["", "latest news on the market this week", "zyzzyva"])
def test_a_topic_that_nobody_writes_about_is_empty(topic):
    assert VENDOR.get_topic_news(topic, *window(date(2025, 2, 3), 30)) == ()


def test_a_longer_calendar_leaves_earlier_articles_on_a_topic_as_they_were():
    shorter = shortened(5)
    start, end = CALENDAR.closes[-90], CALENDAR.closes[-7]
    for topic in ("geopolitics", "Energy"):
        assert shorter.get_topic_news(topic, start, end) == VENDOR.get_topic_news(topic, start, end)


def test_the_archive_of_the_press_is_small():
    archive = make_archive(WORLD)
    assert len(archive.headlines) > 100_000
    assert archive.headlines.nbytes + 500 * len(archive.results) < 6_000_000


@pytest.mark.parametrize("symbol", sampled(COMPANIES, every=3))
def test_the_earnings_calendar_has_every_filing_with_what_was_expected(symbol):
    found = [event for event in VENDOR.get_earnings_calendar(*EVER) if event.symbol == symbol]
    truths = VENDOR.earnings_truth(symbol)
    assert len(found) == len(truths)
    assert bool(found) == (symbol not in NO_STATEMENTS)
    for event, truth in zip(found, truths, strict=True):
        assert (event.known_at, event.period_end) == (truth.filed_at, truth.period_end)
        assert (event.eps, event.eps_estimate, event.revenue) == (truth.eps, truth.expected_eps, truth.revenue)
        assert event.day == truth.filed_at.astimezone(NEW_YORK).date()
        assert event.name == COMPANIES[symbol].name


def test_the_press_quotes_the_estimate_of_the_earnings_calendar():
    (event,) = [
        one for one in VENDOR.get_earnings_calendar(date(2024, 12, 4), date(2024, 12, 4)) if one.symbol == "VELQ"
    ]
    reports = VENDOR.get_news("VELQ", event.known_at, event.known_at + timedelta(minutes=25))
    assert any(f"${event.eps:.2f}" in f"{item.summary}" for item in reports)
    assert any(f"${event.eps_estimate:.2f}" in f"{item.summary}" for item in reports)


@settings(deadline=None)
@given(start=WINDOW_STARTS, days=st.integers(0, 400))
def test_a_window_of_the_earnings_calendar_holds_the_filings_of_its_days(start, days):
    end = start + timedelta(days=days)
    found = VENDOR.get_earnings_calendar(start, end)
    assert found == tuple(event for event in VENDOR.get_earnings_calendar(*EVER) if start <= event.day <= end)
    assert list(found) == sorted(found, key=lambda event: (event.day, event.symbol))
    assert days < 91 or found


def test_a_longer_calendar_only_adds_filings():
    shorter, end = shortened(64), CALENDAR.days[-65]
    assert shorter.get_earnings_calendar(*EVER) == VENDOR.get_earnings_calendar(EVER[0], end)


def test_behind_the_door_a_scan_of_a_past_day_sees_that_day_only():
    chosen = load_settings({"data_vendor": "simulated"}, environ={})
    day, now = date(2025, 3, 14), datetime(2026, 1, 5, tzinfo=UTC)
    market = MarketData(chosen, day, vendors=Vendors(chosen), now=lambda: now)
    close, soon = CALENDAR.close_of(day), day + timedelta(days=14)
    assert market.market_movers("day_losers") == VENDOR.get_market_movers("day_losers", day)
    assert all(row.known_at <= close for row in market.topic_news("geopolitics", day - timedelta(days=7), soon))
    assert all(row.known_at <= close for row in market.earnings_calendar(day, soon))
    (decision,) = (
        row for row in market.economic_calendar(day, soon) if row.name == "Interest rate decision" and row.day > day
    )
    assert (decision.day, decision.value) == (date(2025, 3, 19), None)
