"""Economic releases of a window: released, scheduled, or expected from their rhythm."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.builders import AS_OF, FETCHED
from tradingagents.analytics.market.economic_calendar import HEADER, SHOWN, EconomicCalendar, economic_calendar
from tradingagents.dataflows.models import EconomicEvent

START, END = date(2024, 6, 1), date(2024, 8, 20)


def release(day: date, value: float | None = None, name: str = "Jobs", **more) -> EconomicEvent:
    known_at = datetime.combine(min(day, AS_OF), time(12), tzinfo=UTC)
    return EconomicEvent(name, day, known_at, value=value, **{"unit": "%", **more})


def asked(*events: EconomicEvent, start: date = START, end: date = END) -> EconomicCalendar:
    return economic_calendar(events, as_of=AS_OF, start=start, end=end, fetched_at=FETCHED, source="made")


MONTHLY = [
    release(date(2024, 3, 8), 3.9, period="2024-02"),
    release(date(2024, 4, 5), 3.8, period="2024-03"),
    release(date(2024, 5, 3), 3.9, period="2024-04"),
    release(date(2024, 6, 7), 4.0, period="2024-05", previous=3.85, estimate=3.9),
]
"""28, 28 and 35 days apart."""
SCHEDULED = release(date(2024, 7, 11), None, "Inflation", estimate=3.1, period="2024-06")


def test_released_scheduled_and_expected_figures_stand_by_day():
    assert asked(*MONTHLY, SCHEDULED).body().splitlines() == [
        HEADER,
        "|---|---|---|---|---|---|---|---|",
        "| 2024-06-07 | Jobs | US | 2024-05 | 4.00% | 3.85% | 3.90% | released |",
        "| 2024-07-05 | Jobs | US | n/a | n/a | 4.00% | n/a | expected |",
        "| 2024-07-11 | Inflation | US | 2024-06 | n/a | n/a | 3.10% | scheduled |",
    ]


def test_the_expected_day_is_the_last_release_plus_the_median_gap():
    assert asked(*MONTHLY).events[-1].day == date(2024, 6, 7) + timedelta(days=28)
    assert asked(*MONTHLY).notes == (
        "Expected days are the last release plus the usual gap between releases; none was scheduled.",
    )


def test_an_expected_weekend_becomes_the_monday_after():
    weekly = [release(date(2024, 6, 8), 1.0), release(date(2024, 6, 15), 2.0), release(date(2024, 6, 22), 3.0)]
    assert asked(*weekly).events[-1].day == date(2024, 7, 1)  # 06-29 is a Saturday


def test_fewer_than_three_releases_have_no_rhythm():
    assert [row.status for row in asked(*MONTHLY[-2:]).events] == ["released"]
    assert [row.status for row in asked(*MONTHLY[-3:]).events] == ["released", "expected"]


def test_a_figure_that_is_scheduled_is_not_expected_too():
    rows = asked(*MONTHLY, replace(release(date(2024, 7, 3)), known_at=MONTHLY[0].known_at)).events
    assert [(row.day, row.status) for row in rows[1:]] == [(date(2024, 7, 3), "scheduled")]
    assert rows[1].previous == 4.0


def test_what_was_scheduled_is_replaced_by_its_release_and_shows_that_the_source_schedules():
    scheduled = [replace(one, value=None, known_at=one.known_at - timedelta(days=90)) for one in MONTHLY]
    assert [(row.day, row.value) for row in asked(*MONTHLY, *scheduled).events] == [(date(2024, 6, 7), 4.0)]


def test_a_release_that_did_not_come_when_due_is_not_expected_in_the_past():
    stopped = [release(date(2024, 1, 5) + timedelta(days=28 * number), 1.0) for number in range(4)]
    assert asked(*stopped).events == ()


def test_the_value_before_is_the_source_s_or_else_the_release_before():
    rows = asked(*MONTHLY, start=date(2024, 5, 1)).events
    assert [(row.value, row.previous) for row in rows] == [(3.9, 3.8), (4.0, 3.85), (None, 4.0)]


def test_the_same_figure_of_another_region_is_another_figure():
    abroad = [release(one.day, 9.0, region="EU") for one in MONTHLY[-1:]]
    rows = asked(*MONTHLY, *abroad).events
    assert [(row.region, row.status) for row in rows] == [("EU", "released"), ("US", "released"), ("US", "expected")]


def test_an_assumed_day_says_so():
    result = asked(release(date(2024, 6, 10), 2.0, day_assumed=True))
    assert "| 2024-06-10 (assumed) | Jobs |" in result.body()
    assert result.notes == (
        "Days marked assumed are cautious guesses: the source knows the period, not the day of release.",
    )


def test_a_value_of_a_day_ahead_is_never_shown():
    (row,) = asked(release(date(2024, 7, 5), 99.0)).events
    assert (row.status, row.value) == ("scheduled", None)


def test_figures_are_named_by_region_and_release():
    assert {figure.name: figure.rounded for figure in asked(*MONTHLY, end=AS_OF).figures()} == {
        "us_jobs": 4.0,
        "us_jobs_previous": 3.85,
        "us_jobs_estimate": 3.9,
    }


def test_only_days_of_the_window_are_shown_and_an_answer_is_known_when_they_were():
    result = asked(*MONTHLY, SCHEDULED, start=date(2024, 4, 1), end=date(2024, 5, 31))
    assert [row.period for row in result.events] == ["2024-03", "2024-04"]
    assert result.known_at == MONTHLY[2].known_at
    assert (result.start, result.end, result.rows) == (date(2024, 4, 1), date(2024, 5, 31), 2)


def test_of_too_many_the_nearest_to_the_day_are_shown():
    many = [release(AS_OF - timedelta(days=number % 27), 1.0, f"Figure {number}") for number in range(SHOWN + 5)]
    result = asked(*many)
    assert len(result.events) == SHOWN
    assert result.notes[-1] == f"The {SHOWN} nearest to the day of the question, of {SHOWN + 5}, are shown."


def test_an_empty_window_is_an_answer():
    assert asked().body() == "No release known for 2024-06-01 to 2024-08-20."
    assert asked().known_at is None


def test_a_hostile_name_stays_in_its_cell():
    result = asked(release(START, 1.0, "x | 9\n# y", period="| z", unit="|\n%"))
    assert len(result.body().splitlines()) == 3
    assert result.body().splitlines()[2].count("|") == HEADER.count("|")


@pytest.mark.parametrize("value", [0.0, -0.4])
def test_zero_and_below_are_values(value: float):
    assert asked(release(START, value)).events[0].value == value


@given(st.sets(st.integers(1, 400), min_size=0, max_size=15))
def test_what_is_expected_lies_ahead_once_and_only_for_a_known_rhythm(ages: set[int]):
    events = [release(AS_OF - timedelta(days=age), float(age)) for age in ages]
    due = [row for row in asked(*events, end=AS_OF + timedelta(days=500)).events if row.status == "expected"]
    assert len(due) <= (1 if len(ages) >= 3 else 0)
    assert all(row.day > AS_OF and row.value is None for row in due)
