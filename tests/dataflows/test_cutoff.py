"""The cut-off of a run: now for a live one, the close for a past day, or a moment that was asked for."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from tradingagents.dataflows.cutoff import Moment, cutoff_for, latest_day
from tradingagents.errors import BadDate

FRIDAY, SUNDAY, MONDAY = date(2026, 11, 20), date(2026, 11, 22), date(2026, 11, 23)
FRIDAY_CLOSE = datetime(2026, 11, 20, 21, 0, tzinfo=UTC)
MONDAY_OPEN = datetime(2026, 11, 23, 14, 30, tzinfo=UTC)
SUNDAY_EVENING = datetime(2026, 11, 22, 17, 40, tzinfo=UTC)


def test_a_run_on_a_sunday_knows_the_weekend_s_news_and_friday_s_prices():
    cutoff = cutoff_for(SUNDAY, exchange="XNYS", now=SUNDAY_EVENING)
    assert (cutoff.session, cutoff.instant, cutoff.live, cutoff.is_now) == (FRIDAY, SUNDAY_EVENING, True, True)
    assert cutoff.known == "prices to the close of Fri 2026-11-20, news to Sun 2026-11-22 17:40 UTC"
    assert cutoff.warnings == []


def test_a_run_on_the_evening_of_a_session_knows_what_was_released_after_the_close():
    evening = datetime(2026, 11, 20, 23, 15, tzinfo=UTC)
    cutoff = cutoff_for(FRIDAY, exchange="XNYS", now=evening)
    assert (cutoff.session, cutoff.instant, cutoff.live) == (FRIDAY, evening, True)


def test_the_day_in_new_york_counts_when_it_is_already_tomorrow_in_utc():
    late = datetime(2026, 11, 21, 1, 30, tzinfo=UTC)  # Friday 20:30 in New York
    assert latest_day("XNYS", late) == FRIDAY
    assert cutoff_for(FRIDAY, exchange="XNYS", now=late).instant == late


def test_the_day_in_tokyo_may_be_asked_for_when_it_is_still_yesterday_in_utc():
    early = datetime(2026, 11, 19, 23, 0, tzinfo=UTC)  # Friday 08:00 in Tokyo
    assert cutoff_for(FRIDAY, exchange="XTKS", now=early).instant == early
    with pytest.raises(BadDate, match="future"):
        cutoff_for(FRIDAY, exchange="XNYS", now=early)


def test_during_a_session_prices_are_those_of_the_last_closed_one():
    noon = datetime(2026, 11, 20, 17, 0, tzinfo=UTC)
    cutoff = cutoff_for(FRIDAY, exchange="XNYS", now=noon)
    assert (cutoff.session, cutoff.instant, cutoff.live) == (date(2026, 11, 19), noon, True)


def test_a_past_day_ends_with_its_close_whatever_happened_since():
    cutoff = cutoff_for(FRIDAY, exchange="XNYS", now=SUNDAY_EVENING)
    assert (cutoff.session, cutoff.instant, cutoff.is_now) == (FRIDAY, FRIDAY_CLOSE, False)
    assert cutoff.known is None
    assert cutoff.live, "nothing was traded since: the screens of today are those of that session"


def test_a_past_day_is_not_live_once_the_next_session_trades():
    during_monday = MONDAY_OPEN + timedelta(hours=2)
    assert not cutoff_for(FRIDAY, exchange="XNYS", now=during_monday).live


def test_a_past_day_without_a_session_ends_with_the_close_before_it():
    cutoff = cutoff_for(SUNDAY, exchange="XNYS", now=MONDAY_OPEN + timedelta(days=3))
    assert (cutoff.session, cutoff.instant) == (FRIDAY, FRIDAY_CLOSE)
    assert cutoff.warnings == ["2026-11-22 has no closed session; the market is read as of the close of 2026-11-20."]


def test_a_past_day_may_be_decided_on_before_the_next_open():
    cutoff = cutoff_for(FRIDAY, exchange="XNYS", now=MONDAY_OPEN + timedelta(days=3), moment=Moment(at="open"))
    assert (cutoff.session, cutoff.instant, cutoff.live) == (FRIDAY, MONDAY_OPEN, False)
    assert cutoff.known == "prices to the close of Fri 2026-11-20, news to Mon 2026-11-23 14:30 UTC"


@pytest.mark.parametrize(
    ("at", "instant", "session"),
    [
        ("08:30", datetime(2026, 11, 20, 13, 30, tzinfo=UTC), date(2026, 11, 19)),
        ("18:00", datetime(2026, 11, 20, 23, 0, tzinfo=UTC), FRIDAY),
    ],
)
def test_a_past_day_may_be_decided_on_at_a_time_of_the_exchange(at: str, instant: datetime, session: date):
    cutoff = cutoff_for(FRIDAY, exchange="XNYS", now=MONDAY_OPEN + timedelta(days=3), moment=Moment(at=at))
    assert (cutoff.session, cutoff.instant) == (session, instant)


@pytest.mark.parametrize("at", ["close", "open", "23:00"])
def test_no_moment_lies_in_the_future(at: str):
    now = datetime(2026, 11, 20, 22, 0, tzinfo=UTC)
    assert cutoff_for(FRIDAY, exchange="XNYS", now=now, moment=Moment(at=at)).instant == now


def test_a_run_that_goes_on_learns_nothing_of_the_time_since():
    later = SUNDAY_EVENING + timedelta(hours=9)
    resumed = cutoff_for(SUNDAY, exchange="XNYS", now=later, moment=Moment(SUNDAY_EVENING))
    assert (resumed.instant, resumed.live, resumed.is_now) == (SUNDAY_EVENING, True, True)
    on_tuesday = cutoff_for(SUNDAY, exchange="XNYS", now=later + timedelta(days=2), moment=Moment(SUNDAY_EVENING))
    assert (on_tuesday.instant, on_tuesday.live) == (SUNDAY_EVENING, False)
