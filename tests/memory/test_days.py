"""Days that hold across exchanges: nobody reads on a day what became known after their cut-off."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tradingagents.dataflows.cutoff import cutoff_for
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.memory.days import first_day_known, last_day_known

NOW = datetime(2025, 9, 1, 12, tzinfo=UTC)
EXCHANGES = ("XNYS", "XTKS", "XLON", "XASX", "BVMF", "XTSE", "24/7", "XETR")
DAYS = st.dates(date(2015, 1, 5), date(2025, 8, 29))


def close_of(exchange: str, day: date) -> datetime:
    calendar = sessions(exchange)
    return calendar.close_of(calendar.on_or_before(day))


@settings(deadline=None)  # a calendar is made when it is first asked for
@given(DAYS, DAYS, st.sampled_from(EXCHANGES), st.sampled_from(EXCHANGES), st.integers(-2, 2))
def test_no_run_of_the_past_reads_what_became_known_after_its_cut_off(
    day: date, other: date, read_on: str, settled_on: str, near: int
):
    for settled_day in (other, day + timedelta(days=near)):
        known = close_of(settled_on, settled_day)
        cutoff = cutoff_for(day, exchange=read_on, now=NOW)
        if first_day_known(known) <= last_day_known(cutoff):
            assert known <= cutoff.instant


@settings(deadline=None)  # a calendar is made when it is first asked for
@given(DAYS, DAYS)
def test_on_one_exchange_that_closes_with_new_york_a_lesson_is_there_from_the_close_it_rests_on(day: date, other: date):
    calendar = sessions()
    settled = calendar.on_or_before(other)
    cutoff = cutoff_for(day, exchange="XNYS", now=NOW)
    assert first_day_known(calendar.close_of(settled)) == settled
    assert (settled <= last_day_known(cutoff)) == (settled <= cutoff.session)


@pytest.mark.parametrize(
    ("instant", "day"),
    [
        (datetime(2025, 3, 14, 20, tzinfo=UTC), date(2025, 3, 14)),  # New York's close in summer
        (datetime(2025, 3, 14, 20, 1, tzinfo=UTC), date(2025, 3, 15)),
        (datetime(2025, 1, 14, 21, tzinfo=UTC), date(2025, 1, 14)),  # and in winter
        (datetime(2024, 11, 29, 18, 1, tzinfo=UTC), date(2024, 11, 30)),  # half a day
        (datetime(2025, 3, 15, 21, tzinfo=UTC), date(2025, 3, 15)),  # a Saturday
        (datetime(2025, 3, 15, 21, 1, tzinfo=UTC), date(2025, 3, 16)),
    ],
)
def test_a_day_is_over_when_new_york_closes(instant: datetime, day: date):
    assert first_day_known(instant) == day


def test_tokyo_reads_new_york_s_lesson_of_a_day_on_the_next_one():
    known = first_day_known(close_of("XNYS", date(2025, 3, 13)))
    assert known > last_day_known(cutoff_for(date(2025, 3, 13), exchange="XTKS", now=NOW))
    assert known <= last_day_known(cutoff_for(date(2025, 3, 14), exchange="XTKS", now=NOW))


def test_a_run_of_the_present_reads_what_is_kept_by_now():
    friday, saturday = date(2025, 3, 14), date(2025, 3, 15)
    now = datetime(2025, 3, 15, 12, tzinfo=UTC)
    assert last_day_known(cutoff_for(saturday, exchange="XNYS", now=now)) == saturday
    assert last_day_known(cutoff_for(saturday, exchange="XNYS", now=NOW)) == friday
