"""Results of a window: reported, announced, or expected from last year's rhythm."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.builders import AS_OF, FETCHED
from tradingagents.analytics.market.earnings_calendar import HEADER, SHOWN, EarningsCalendar, earnings_calendar
from tradingagents.analytics.market.scanned import SeenStock
from tradingagents.dataflows.models import EarningsEvent

START, END = date(2024, 6, 14), date(2024, 8, 20)


def event(symbol: str, day: date, *, known: date | None = None, **more) -> EarningsEvent:
    known_at = datetime.combine(known or day, time(12), tzinfo=UTC)
    return EarningsEvent(symbol, f"{symbol} Inc", day, known_at, **more)


def asked(*events: EarningsEvent, start: date = START, end: date = END, **more) -> EarningsCalendar:
    return earnings_calendar(
        events, as_of=AS_OF, start=start, end=end, sectors={"MADE": "energy"}, fetched_at=FETCHED, source="made", **more
    )


REPORTED = event(
    "MADE",
    date(2024, 6, 20),
    period_end=date(2024, 5, 31),
    fiscal_period="Q2",
    eps=1.25,
    eps_estimate=1.2,
    revenue=2.5e9,
)
ANNOUNCED = event("SOON", date(2024, 7, 10), known=date(2024, 6, 1), eps_estimate=0.8)
LAST_YEAR = event("DUEE", date(2023, 7, 27), fiscal_period="Q2", eps=3.0, revenue=1e9)


def test_reported_announced_and_expected_results_stand_by_day():
    assert asked(LAST_YEAR, ANNOUNCED, REPORTED).body().splitlines() == [
        HEADER,
        "|---|---|---|---|---|---|---|---|",
        "| 2024-06-20 | MADE | MADE Inc | Q2 to 2024-05-31 | 1.25 USD | 1.20 USD | 2.50B USD | reported |",
        "| 2024-07-10 | SOON | SOON Inc | n/a | n/a | 0.80 USD | n/a | announced |",
        "| 2024-07-25 | DUEE | DUEE Inc | Q2 | n/a | n/a | n/a | expected |",
    ]


def test_an_expected_day_keeps_last_year_s_weekday_and_shows_none_of_its_figures():
    (row,) = asked(LAST_YEAR).events
    assert (row.day - LAST_YEAR.day).days == 364
    assert row.day.weekday() == LAST_YEAR.day.weekday()
    assert (row.eps, row.revenue, row.period_end) == (None, None, None)
    assert asked(LAST_YEAR).notes == (
        "Expected days are those of the same quarter a year before plus 52 weeks; none was announced.",
    )


@pytest.mark.parametrize("day", [date(2024, 6, 15), date(2024, 6, 27)])
def test_what_was_reported_for_the_quarter_leaves_nothing_to_expect(day: date):
    (row,) = asked(LAST_YEAR, event("DUEE", day, eps=1.0)).events
    assert (row.day, row.status) == (day, "reported")


def test_results_of_the_quarter_before_leave_the_expectation():
    assert [row.status for row in asked(LAST_YEAR, event("DUEE", date(2024, 5, 2), eps=1.0)).events] == ["expected"]


@pytest.mark.parametrize("day", [date(2024, 7, 18), date(2024, 8, 30)])
def test_a_company_whose_days_are_announced_is_not_second_guessed(day: date):
    result = asked(LAST_YEAR, event("DUEE", day, known=date(2024, 6, 1)), end=date(2024, 8, 30))
    assert [(row.day, row.status) for row in result.events] == [(day, "announced")]


def test_another_company_s_announcement_leaves_the_expectation():
    assert [row.status for row in asked(LAST_YEAR, event("SOON", date(2024, 7, 25))).events] == [
        "expected",
        "announced",
    ]


def test_what_was_due_and_did_not_come_by_the_day_is_not_expected_any_more():
    overdue = event("LATE", AS_OF - timedelta(weeks=52), eps=1.0)
    assert asked(overdue).events == ()


def test_only_days_of_the_window_are_shown():
    assert asked(REPORTED, ANNOUNCED, LAST_YEAR, start=date(2024, 7, 1), end=date(2024, 7, 24)).kept()[
        "seen"
    ].keys() == {"SOON"}


def test_what_was_reported_replaces_what_was_announced():
    announced = event("MADE", REPORTED.day, known=date(2024, 6, 19), eps_estimate=9.0)
    (row,) = asked(REPORTED, announced).events
    assert (row.status, row.eps) == ("reported", 1.25)


def test_a_day_that_was_once_announced_shows_that_the_source_announces():
    announced = event("DUEE", LAST_YEAR.day, known=LAST_YEAR.day - timedelta(days=20))
    assert asked(LAST_YEAR, announced).events == ()


def test_a_day_that_has_passed_without_figures_is_an_announcement():
    (row,) = asked(event("MADE", date(2024, 6, 20))).events
    assert (row.status, row.eps) == ("announced", None)


def test_figures_are_those_known_and_the_stocks_are_kept_as_seen():
    result = asked(REPORTED, ANNOUNCED)
    assert {figure.name: figure.rounded for figure in result.figures()} == {
        "MADE_eps": 1.25,
        "MADE_eps_estimate": 1.2,
        "MADE_revenue": 2.5e9,
        "SOON_eps_estimate": 0.8,
    }
    assert result.kept()["seen"] == {
        "MADE": SeenStock(name="MADE Inc", sector="energy", tools=["get_earnings_calendar"], figures={}),
        "SOON": SeenStock(name="SOON Inc", sector=None, tools=["get_earnings_calendar"], figures={}),
    }


def test_an_answer_is_known_when_the_last_of_its_rows_was():
    assert asked(REPORTED, ANNOUNCED, LAST_YEAR).known_at == REPORTED.known_at
    assert asked(LAST_YEAR).known_at == LAST_YEAR.known_at
    assert asked().known_at is None


def test_of_too_many_the_nearest_to_the_day_are_shown():
    crowd = [event(f"S{number:03}", AS_OF + timedelta(days=number % 40)) for number in range(SHOWN + 20)]
    result = asked(*crowd)
    assert (len(result.events), result.rows) == (SHOWN, SHOWN)
    assert max(row.day for row in result.events) == AS_OF + timedelta(days=29)
    assert result.notes == (f"The {SHOWN} nearest to the day of the question, of {SHOWN + 20}, are shown.",)


def test_an_empty_window_is_an_answer():
    result = asked()
    assert result.body() == "No results known for 2024-06-14 to 2024-08-20."
    assert (result.rows, result.kept()) == (0, {"seen": {}})


def test_a_hostile_name_stays_in_its_cell():
    hostile = event("EVIL", START, fiscal_period="Q1 | 9\n# x")
    assert len(asked(hostile).body().splitlines()) == 3
    assert asked(hostile).body().splitlines()[2].count("|") == HEADER.count("|")


@given(st.dictionaries(st.integers(-400, 60), st.booleans(), max_size=12))
def test_what_is_expected_lies_ahead_in_the_window_and_far_from_all_that_is_known(days: dict[int, bool]):
    events = [
        event("MADE", AS_OF + timedelta(days=offset), eps=1.0 if reported else None)
        for offset, reported in days.items()
    ]
    for row in asked(*events).events:
        if row.status == "expected":
            assert AS_OF < row.day <= END
            assert all(abs(row.day - one.day) > timedelta(days=45) for one in events)
        else:
            assert row.day in {one.day for one in events}
