"""Which report is due after a period, and by when: by the deadlines of the law where the size of the filer is known."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.builders import AS_OF, statement
from tradingagents.analytics.company.reported_periods import LONGEST_AGE, may_be_priced, next_report, overdue_report
from tradingagents.dataflows.models import Statement

REVENUE = {"revenue": 100.0}


def ends(*days: str) -> list[Statement]:
    """Quarters of a company whose fiscal year ends with the calendar's."""
    return [statement(date.fromisoformat(day), REVENUE) for day in days]


def years(*days: str) -> list[Statement]:
    return [statement(date.fromisoformat(day), REVENUE, "income", "annual") for day in days]


@pytest.mark.parametrize(
    ("end", "year_end", "following", "due"),
    [
        ("2024-09-30", "2023-12-31", "2024-12-31", "2025-03-08"),  # a year: 60 days to 2025-03-01, and a week
        ("2024-09-30", "2024-06-30", "2024-12-31", "2025-02-16"),  # a quarter: 40 days to 2025-02-09, and a week
        ("2023-12-31", "2023-12-31", "2024-03-31", "2024-05-17"),
        ("2024-09-28", "2024-09-28", "2024-12-28", "2025-02-13"),  # thirteen weeks later
        ("2024-10-27", "2024-01-28", "2025-01-26", "2025-04-03"),  # ends on 2025-02-02 in truth: 60 days after that
    ],
)
def test_a_large_filer_has_forty_days_for_a_quarter_and_sixty_for_a_year(
    end: str, year_end: str, following: str, due: str
) -> None:
    known = [*ends(end), *years(year_end)]
    found = next_report(date.fromisoformat(end), known, is_large=True)
    assert (found.interval, found.end.isoformat(), found.due.isoformat()) == ("quarter", following, due)


def test_where_the_fiscal_year_ends_is_not_known_the_longer_deadline_holds() -> None:
    quarter = Statement(**{**_fields(ends("2024-09-30")[0]), "fiscal_period": "Q2"})
    assert next_report(quarter.period_end, [quarter], is_large=True).due == date(2025, 3, 8)


def _fields(row: Statement) -> dict[str, object]:
    return {name: getattr(row, name) for name in Statement.__slots__}


@given(age=st.integers(0, 700), apart=st.sampled_from([91, 182]), count=st.integers(2, 6))
def test_multiples_and_the_next_report_of_any_filer_are_one_rule(age: int, apart: int, count: int) -> None:
    newest = AS_OF - timedelta(days=age)
    rows = [statement(newest - timedelta(days=apart * number), REVENUE) for number in range(count)]
    found = next_report(newest, rows)
    assert found.due == newest + timedelta(days=LONGEST_AGE[found.interval])
    assert may_be_priced(newest, rows, AS_OF) == (overdue_report(newest, rows, AS_OF) is None)


def test_the_first_missing_report_is_named_and_those_known_are_not() -> None:
    base, day = date(2023, 12, 31), date(2025, 3, 14)
    known = [*years("2023-12-31"), *ends("2024-03-31", "2024-06-30")]
    found = overdue_report(base, known, day, is_large=True)
    assert found is not None
    assert found.words == "the report for the quarter to 2024-09-30 was due by 2024-11-16"


def test_a_report_may_be_missing_until_its_day_is_over() -> None:
    known = [*years("2023-12-31"), *ends("2024-09-30")]
    end = date(2024, 9, 30)
    assert overdue_report(end, known, date(2025, 3, 8), is_large=True) is None
    assert overdue_report(end, known, date(2025, 3, 9), is_large=True) is not None
    assert overdue_report(end, known, date(2025, 4, 18)) is None  # 200 days: the slowest filers
    assert overdue_report(end, known, date(2025, 4, 19)) is not None


def test_of_reports_that_are_all_known_none_is_overdue() -> None:
    known = [*years("2023-12-31"), *ends("2024-03-31", "2024-06-30", "2024-09-30", "2024-12-31")]
    assert overdue_report(date(2023, 12, 31), known, date(2025, 3, 14), is_large=True) is None
