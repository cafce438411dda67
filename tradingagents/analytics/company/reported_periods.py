"""Periods of statements: how long they are current, which tile twelve months, and whether quarters make the year.

A figure of statements (a sum of twelve months, growth, a margin, a ratio) is current until the next period should have
been filed. A multiple sets today's price against them, so a fiscal year stands for the last twelve months only as long
as interim periods would: its P/E a year later is that of another time.

`next_report` is that rule: the report after a period, and the last day on which it may be missing. `may_be_priced` asks
it for multiples, of companies of any size. `overdue_report` asks it for the value of a share, where the size is known,
and with it the deadline of the law.

Four quarters tile twelve months, two half-years, a quarter and nine months; so does a fiscal year with what came after
it, less the same part of the year before: FY + YTD - YTD a year before.

Values alone do not always tell year-to-date cash flows from those of quarters (`flow_pattern`): they are too uneven.
Four rows that make a fiscal year and do not add up to it are no quarters. Nor can be told what those are whose income
the gateway found to be year to date.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Literal, NamedTuple

from tradingagents.analytics.company.statements import QUARTERS, as_labelled, consecutive
from tradingagents.dataflows.gateway.checks.flow_pattern import NOT_ADDITIVE
from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.data_faults import reference
from tradingagents.dataflows.reference.fiscal_periods import (
    HALF_YEAR_GAP,
    LARGE_QUARTER_LAG,
    LARGE_YEAR_LAG,
    LENGTHS,
    SAME_PERIOD,
    days_of,
    length_of,
)
from tradingagents.dataflows.reference.metrics import Figure

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
    ends = sorted(statement.period_end for statement in statements if statement.period_end > end)
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
    ends = [
        statement.period_end
        for statement in statements
        if statement.frequency == "annual" or statement.fiscal_period in LAST_OF_YEAR
    ]
    away = [abs((day - end).days) % DAYS_OF_A_YEAR for end in ends]
    return not ends or any(min(days, DAYS_OF_A_YEAR - days) <= SAME_PERIOD.days for days in away)


def reporting_interval(statements: Iterable[Statement]) -> Interval:
    """Return how often a company reports within a year, by the lengths of its flows where given, else by their ends.

    Args:
        statements: Of one kind; years do not count.
    """
    interims = [statement for statement in statements if statement.frequency == "quarterly"]
    lengths = {
        length_of(interim) for interim in interims if interim.kind != "balance" and interim.period_start is not None
    }
    if "quarter" in lengths:
        return "quarter"
    if "half-year" in lengths:
        return "half-year"
    ends = {interim.period_end for interim in interims}
    if len(ends) < ENOUGH_ENDS and any(
        interim.kind != "balance" and interim.fiscal_period in ODD_QUARTERS for interim in interims
    ):
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


DAY = timedelta(days=1)
YEAR = timedelta(days=364)
TOLERANCE = 15
"""Days by which neighbouring periods may seem to overlap or leave a gap: first days that no source gives are estimated,
and a year may have 53 weeks. The shortest period is more than five times as long."""


class DayRange(NamedTuple):
    """First and last day of a period."""

    start: date
    end: date


@dataclass(frozen=True, slots=True)
class Tiling:
    """Periods that make twelve months, by their numbers in the list they were chosen from."""

    added: tuple[int, ...]
    """Newest first, without the year."""
    year: int | None = None
    """A fiscal year to be added, less `less`; None where `added` alone makes twelve months."""
    less: tuple[int, ...] = ()


def tiling_to(spans: Sequence[DayRange], end: date) -> Tiling | None:
    """Return the tiling of the twelve months to a day; None if there is none.

    The shortest periods are preferred, and those that need no subtraction.
    """
    first = end - YEAR + DAY
    plain = _filled(spans, first, end)
    if plain is not None:
        return Tiling(plain)
    for number, year in enumerate(spans):
        if not _is_year(year) or not year.start < first < year.end < end:
            continue
        after = _filled(spans, year.end + DAY, end)
        before = _filled(spans, year.start, first - DAY)
        if after and before:
            return Tiling(after, number, before)
    return None


def _is_year(span: DayRange) -> bool:
    low, high = LENGTHS["year"]
    return low <= days_of(*span) <= high


def _filled(spans: Sequence[DayRange], first: date, last: date) -> tuple[int, ...] | None:
    """Return the periods that fill the days from `first` to `last`, newest first; None where they cannot."""
    if abs((first - last).days - 1) <= TOLERANCE:
        return ()
    able = [
        number
        for number, span in enumerate(spans)
        if abs((span.end - last).days) <= TOLERANCE and (first - span.start).days <= TOLERANCE
    ]
    for number in sorted(able, key=lambda index: days_of(*spans[index])):
        rest = _filled(spans, first, spans[number].start - DAY)
        if rest is not None:
            return (number, *rest)
    return None


FAR_OFF = 0.15
"""Smallest difference of a sum from the year's item, in that item, that no rounding or small restatement explains."""
MOST_ITEMS = 2 / 3
"""Share of the items that have to be far off: a single one may be defined otherwise in quarters and years."""
SAME_END = timedelta(days=6)


def doubted_cash_flows(
    income: Sequence[Statement], cashflow: Sequence[Statement]
) -> tuple[list[Statement], str | None]:
    """Return cash-flow rows without first days that are in no sum, and why in one sentence; [] and None for none.

    Args:
        income: Income statements of one company, of both labels, as the gateway returned them.
        cashflow: Cash-flow statements, likewise.
    """
    dateless = [
        statement for statement in cashflow if statement.frequency == "quarterly" and statement.period_start is None
    ]
    contradiction = years_contradict(cashflow)
    if contradiction is not None:
        return dateless, contradiction
    to_date = {
        statement.period_end
        for statement in income
        if any(reference("year-to-date") in note for note in statement.gate_notes)
    }
    doubted = [statement for statement in dateless if statement.period_end in to_date]
    if not doubted:
        return [], None
    return doubted, (
        f"The income rows of {doubted[0].symbol} are year to date, and its cash-flow rows have no first days: whether "
        f"they are year to date too cannot be told, and they are in no sum ({reference('period-length')})."
    )


def years_contradict(statements: Sequence[Statement]) -> str | None:
    """Return in one sentence why rows without first days are no quarters; None where no year says so.

    Args:
        statements: Cash-flow statements of one company, of both labels.
    """
    interims = [statement for statement in statements if statement.frequency == "quarterly"]
    quarters = [statement for statement in as_labelled(interims) if statement.period_start is None]
    for year in as_labelled(statement for statement in statements if statement.frequency == "annual"):
        newest = next((quarter for quarter in quarters if abs(quarter.period_end - year.period_end) <= SAME_END), None)
        if newest is None:
            continue
        parts = consecutive(quarters[quarters.index(newest) :])[:QUARTERS]
        found = _is_the_year(newest, year) if len(parts) < QUARTERS else _far_off(parts, year)
        if found is not None:
            return found
    return None


def _names(year: Statement, parts: Sequence[Statement]) -> list[str]:
    return [
        name
        for name, value in year.items.items()
        if value and name not in NOT_ADDITIVE and all(name in part.items for part in parts)
    ]


def _far_off(parts: Sequence[Statement], year: Statement) -> str | None:
    names = _names(year, parts)
    sums = {name: sum(part.items[name] for part in parts) for name in names}
    off = [name for name in names if abs(sums[name] - year.items[name]) > FAR_OFF * abs(year.items[name])]
    if not names or len(off) < MOST_ITEMS * len(names):
        return None
    summed, whole = (Figure("", value, year.currency).text for value in (sums[off[0]], year.items[off[0]]))
    return _reason(year, f"add up to {off[0]} of {summed}, and it has {whole}")


def _is_the_year(quarter: Statement, year: Statement) -> str | None:
    names = _names(year, (quarter,))
    if not names or any(abs(quarter.items[name] - year.items[name]) > abs(year.items[name]) / 1000 for name in names):
        return None
    return _reason(year, f"end with a row that equals it in each of {len(names)} items")


def _reason(year: Statement, what: str) -> str:
    return (
        f"The cash-flow rows of {year.symbol} labelled quarters {what} (fiscal year to {year.period_end}): they may "
        f"be year to date and are in no sum ({reference('period-length')})."
    )
