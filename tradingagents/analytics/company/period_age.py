"""How long after its newest period ended a company's figures may be called current: one rule for all of them.

A figure of statements (a sum of twelve months, growth, a margin, a ratio) is current until the next period should have
been filed. A multiple sets today's price against them, so a fiscal year stands for the last twelve months only as long
as interim periods would: its P/E a year later is that of another time.

`next_report` is that rule: the report after a period, and the last day on which it may be missing. `may_be_priced` asks
it for multiples, of companies of any size. `overdue_report` asks it for the value of a share, where the size is known,
and with it the deadline of the law.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Literal

from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.fiscal_periods import (
    HALF_YEAR_GAP,
    LARGE_QUARTER_LAG,
    LARGE_YEAR_LAG,
    SAME_PERIOD,
    length_of,
)

Interval = Literal["quarter", "half-year", "year"]
ODD_QUARTERS = ("Q1", "Q3")
"""Quarters at whose end no half of a fiscal year ends."""
ENOUGH_ENDS = 3
"""Ends half a year apart of which quarters between are unlikely to be missing."""
LONGEST_AGE: Mapping[Interval, int] = {"quarter": 200, "half-year": 300, "year": 460}
"""Days from a period's end after which its figures are withheld: the next period (91, 182 or 365 days), the slowest
filing of it (95 days) and some slack."""
DEADLINE_SLACK = timedelta(days=7)
"""From a deadline until a source has the report: a weekend, and the week by which fiscal quarters of 13 weeks drift."""
MONTHS: Mapping[Interval, int] = {"quarter": 3, "half-year": 6, "year": 12}
LAST_OF_YEAR = ("Q4", "FY")
DAYS_OF_A_YEAR = 365.25


@dataclass(frozen=True, slots=True)
class DueReport:
    """The report that a company owes after a period."""

    interval: Interval
    end: date
    """Last day of its period; of quarters of whole weeks to about a week."""
    due: date
    """Last day on which it may be missing."""

    @property
    def words(self) -> str:
        """Say which report it is and by when it was due."""
        return f"the report for the {self.interval} to {self.end} was due by {self.due}"


def interim_interval(ends: Iterable[date]) -> Interval:
    """Return how often a company reports within a year, told by the ends of the periods filed as quarters.

    Sources file half-years as quarters. A company reports half-yearly if all these periods lie about half a year apart
    or more; a single distance of a quarter makes it a quarterly one. So does a single period, or none.
    """
    ordered = sorted(set(ends), reverse=True)
    gaps = [(later - earlier).days for later, earlier in pairwise(ordered)]
    shortest, longest = HALF_YEAR_GAP
    return "half-year" if gaps and min(gaps) >= shortest and gaps[0] <= longest else "quarter"


def is_current(statement: Statement, statements: Sequence[Statement], as_of: date) -> bool:
    """Tell whether figures of a statement may be called current on a day.

    Args:
        statement: The newest of its kind.
        statements: Those known of its kind: their distances tell how often the company reports.
    """
    is_sheet = statement.kind == "balance"
    if statement.frequency == "annual" if is_sheet else length_of(statement) == "year":
        return (as_of - statement.period_end).days <= LONGEST_AGE["year"]
    return may_be_priced(statement.period_end, statements, as_of)


def may_be_priced(end: date, statements: Sequence[Statement], as_of: date) -> bool:
    """Tell whether a multiple of a price of the day may rest on figures of a period that ended on `end`.

    Args:
        end: The last day of the twelve months, or the day of a balance sheet.
        statements: Those known of that kind.
    """
    return as_of <= next_report(end, statements).due


def next_report(end: date, statements: Sequence[Statement], *, is_large: bool = False) -> DueReport:
    """Return the report that follows a period, with the last day on which it may be missing.

    Args:
        end: The last day of the period.
        statements: Those known of its kind: they tell how often the company reports, and when its fiscal year ends.
        is_large: Whether the deadlines of a large accelerated filer apply; else those of the slowest filer do.
    """
    interval = reporting_interval(statements)
    following = _later(end, MONTHS[interval])
    if not is_large or interval != "quarter":
        return DueReport(interval, following, end + timedelta(days=LONGEST_AGE[interval]))
    lag = LARGE_YEAR_LAG if _may_end_a_year(following, statements) else LARGE_QUARTER_LAG
    return DueReport(interval, following, following + lag + DEADLINE_SLACK)


def overdue_report(
    end: date, statements: Sequence[Statement], as_of: date, *, is_large: bool = False
) -> DueReport | None:
    """Return the first report after a period that should be known on a day and is not.

    None where the next report may still be missing, or where all that were due since are known.

    Args:
        end: The last day of the period.
        statements: See `next_report`.
        is_large: See `next_report`.
    """
    ends = sorted(one.period_end for one in statements if one.period_end > end)
    report = next_report(end, statements, is_large=is_large)
    for known in ends:
        if abs(known - report.end) <= SAME_PERIOD:
            report = next_report(known, statements, is_large=is_large)
    return report if as_of > report.due else None


def _later(end: date, months: int) -> date:
    """Return the day so many months later; after the last day of a month the last day of one, else by weeks."""
    if end.day != monthrange(end.year, end.month)[1]:
        return end + timedelta(weeks=round(months * 52 / 12))
    year, month = divmod(end.year * 12 + end.month - 1 + months, 12)
    return date(year, month + 1, monthrange(year, month + 1)[1])


def _may_end_a_year(day: date, statements: Iterable[Statement]) -> bool:
    """Tell whether a fiscal year may end about a day, by the years and last quarters known; True where none are."""
    ends = [one.period_end for one in statements if one.frequency == "annual" or one.fiscal_period in LAST_OF_YEAR]
    away = [abs((day - end).days) % DAYS_OF_A_YEAR for end in ends]
    return not ends or any(min(one, DAYS_OF_A_YEAR - one) <= SAME_PERIOD.days for one in away)


def reporting_interval(statements: Iterable[Statement]) -> Interval:
    """Return how often a company reports within a year, by the lengths of its flows where given, else by their ends.

    Args:
        statements: Of one kind; years do not count.
    """
    interims = [one for one in statements if one.frequency == "quarterly"]
    lengths = {length_of(one) for one in interims if one.kind != "balance" and one.period_start is not None}
    if "quarter" in lengths:
        return "quarter"
    if "half-year" in lengths:
        return "half-year"
    ends = {one.period_end for one in interims}
    if len(ends) < ENOUGH_ENDS and any(one.kind != "balance" and one.fiscal_period in ODD_QUARTERS for one in interims):
        return "quarter"
    return interim_interval(ends)


def stale_reason(period: str, end: date, as_of: date, withheld: str) -> str:
    """Return in one sentence why figures are withheld.

    Args:
        period: The newest known, such as `quarter` or `balance sheet`.
        end: The day on which it ended.
        withheld: What is withheld, as a plural subject.
    """
    days = (as_of - end).days
    return f"The newest {period} known is of {end}, {days} days before {as_of}: {withheld} are withheld."
