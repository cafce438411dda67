"""When rows without a date were known: by the regulator's list of filings, or by the deadline."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from tests.support.builders import statement
from tradingagents.dataflows.models import Filing, InsiderTransaction
from tradingagents.dataflows.reference.calendar import NEVER
from tradingagents.dataflows.reference.fiscal_periods import FilingTimes, assumed_known_at

SINCE = date(2024, 2, 8)
SEPTEMBER, DECEMBER = date(2024, 9, 30), date(2024, 12, 31)
ON_TIME = datetime(2024, 10, 31, 20, 30, tzinfo=UTC)
LATE = datetime(2025, 1, 20, 22, 1, tzinfo=UTC)


def filed(form: str, period_end: date | None, accepted: datetime) -> Filing:
    number, url = f"{form}-{accepted}", "https://regulator.example"
    return Filing("MADE", form, accepted, accepted.date(), number, url, period_end=period_end)


def quarter(end: date = SEPTEMBER):
    annual = end.month == 12
    row = statement(end, {"revenue": 1.0}, known_by="assumed")
    return replace(row, known_at=assumed_known_at(end, annual=annual))


def dated(row, *filings: Filing):
    found = FilingTimes(filings, since=SINCE).dated(row)
    return found.known_at, found.known_by


@pytest.mark.parametrize("accepted", [ON_TIME, LATE])
def test_the_acceptance_of_its_report_dates_a_statement_also_where_it_was_late(accepted: datetime):
    assert quarter().known_at == datetime(2024, 11, 15, 14, 30, tzinfo=UTC)
    assert dated(quarter(), filed("10-Q", SEPTEMBER, accepted)) == (accepted, "accepted")


@pytest.mark.parametrize("end", [date(2024, 9, 28), date(2024, 10, 6)])
def test_a_source_may_give_the_end_of_the_month_for_that_of_a_week(end: date):
    other = filed("10-Q", date(2024, 6, 29), datetime(2024, 8, 2, tzinfo=UTC))
    assert dated(quarter(), other, filed("10-Q", end, ON_TIME)) == (ON_TIME, "accepted")


def test_the_first_of_two_reports_of_a_period_counts_and_no_amendment():
    filings = [filed(form, SEPTEMBER, at) for form, at in (("10-Q", LATE), ("10-Q/A", ON_TIME), ("NT 10-Q", ON_TIME))]
    assert dated(quarter(), *filings) == (LATE, "accepted")
    assert dated(quarter(), *filings, filed("10-Q", SEPTEMBER, ON_TIME)) == (ON_TIME, "accepted")


def test_an_overdue_quarter_is_known_at_no_moment_and_then_with_the_report_that_repeats_it():
    before = filed("10-Q", date(2024, 6, 30), datetime(2024, 8, 2, tzinfo=UTC))
    assert dated(quarter(), before) == (NEVER, "assumed")
    assert dated(quarter(), before, filed("10-K", DECEMBER, LATE)) == (LATE, "assumed")
    early = filed("10-K", DECEMBER, ON_TIME)  # not before its own deadline
    assert dated(quarter(), before, early) == (quarter().known_at, "assumed")


def test_without_a_report_of_any_such_period_the_assumption_stays():
    assumed = (quarter().known_at, "assumed")
    assert dated(quarter()) == assumed
    assert dated(quarter(), filed("8-K", SEPTEMBER, ON_TIME), filed("6-K", SEPTEMBER, ON_TIME)) == assumed
    assert dated(quarter(), filed("20-F", date(2023, 12, 31), ON_TIME)) == assumed  # a foreign company: no quarters
    old = quarter(date(2023, 9, 30))  # reported before the list begins
    assert dated(old, filed("10-Q", date(2024, 6, 30), ON_TIME)) == (old.known_at, "assumed")


def test_a_foreign_company_s_year_is_dated_by_its_annual_report():
    accepted = datetime(2025, 4, 17, 10, 5, tzinfo=UTC)
    assert dated(quarter(DECEMBER), filed("20-F", DECEMBER, accepted)) == (accepted, "accepted")
    assert dated(quarter(DECEMBER), filed("20-F", date(2023, 12, 31), ON_TIME)) == (NEVER, "assumed")


def test_a_row_that_its_source_dates_is_left_alone():
    row = quarter()
    given = FilingTimes([filed("10-Q", SEPTEMBER, LATE)], since=SINCE)
    assert given.dated(replace(row, known_by="accepted")).known_at == row.known_at


TRADED = date(2025, 3, 6)
"""A Thursday."""
TRADE = InsiderTransaction(
    "MADE", "A. Person", "CEO", "sell", 10.0, None, TRADED, datetime(2025, 3, 11, 13, 30, tzinfo=UTC), "assumed"
)


def form4(day: date, accepted: datetime) -> Filing:
    return filed("4", day, accepted)


def test_a_trade_is_dated_by_the_last_form_that_may_report_it():
    friday, monday = datetime(2025, 3, 7, 22, tzinfo=UTC), datetime(2025, 3, 10, 22, tzinfo=UTC)
    assert dated(TRADE, form4(TRADED, friday)) == (friday, "accepted")
    assert dated(TRADE, form4(TRADED, friday), form4(date(2025, 3, 4), monday)) == (monday, "accepted")
    late = datetime(2025, 5, 2, 22, tzinfo=UTC)
    assert dated(TRADE, form4(TRADED, late)) == (late, "accepted")


def test_a_trade_without_such_a_form_keeps_its_date():
    forms = [
        form4(date(2025, 3, 7), datetime(2025, 3, 10, 22, tzinfo=UTC)),  # of a later trade
        form4(date(2025, 3, 1), datetime(2025, 3, 10, 22, tzinfo=UTC)),  # of earlier ones only
        form4(date(2025, 3, 4), datetime(2025, 3, 5, 22, tzinfo=UTC)),  # accepted before it
        filed("4/A", TRADED, datetime(2025, 3, 10, 22, tzinfo=UTC)),
        form4(None, datetime(2025, 3, 10, 22, tzinfo=UTC)),  # type: ignore[arg-type]
    ]
    assert dated(TRADE, *forms) == (TRADE.known_at, "assumed")
