"""Fiscal periods: their names, their lengths, and when their statements were filed.

The period of a flow is a quarter, a half-year, nine months or a year by its days and not its label. A year of 52 or 53
weeks is a year, and a quarter of 12 to 17 weeks a quarter. What lies between, such as a transition period of five
months, is none of them. When a statement or an insider's trade was known, where its source gives no date, is told by
the regulator's list, or assumed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import cache
from typing import Literal, TypeVar

from tradingagents.dataflows.models import Filing, InsiderTransaction, Statement
from tradingagents.dataflows.reference.calendar import NEVER, sessions
from tradingagents.dataflows.reference.data_faults import FaultKind, reference

QUARTER_DAYS = 365.25 / 4
EARLY_JANUARY = timedelta(days=7)
"""A year of 52 or 53 weeks may end in the first days of January; it is still named after the year before."""


def fiscal_quarter(period_end: date, *, year_end: date | None) -> tuple[int, str]:
    """Return the fiscal year and quarter that end on a day: (2025, "Q1") for 2024-12-31 when years end in September.

    A fiscal year is named after the calendar year it ends in. Quarters are counted from `year_end` in both directions,
    to the nearest, since some vendors move period ends to the end of the month.

    Args:
        period_end: Last day of the quarter.
        year_end: Last day of some fiscal year; None for calendar years.
    """
    anchor = year_end or date(period_end.year, 12, 31)
    before = round((anchor - period_end).days / QUARTER_DAYS)
    return fiscal_year(anchor) - before // 4, f"Q{4 - before % 4}"


def fiscal_year(year_end: date) -> int:
    """Return the name of the fiscal year that ends on a day."""
    return (year_end - EARLY_JANUARY).year


class FiscalCalendar:
    """A company's fiscal years, by the ends of the reported ones."""

    def __init__(self, year_ends: Iterable[date], year_end: tuple[int, int] | None = None) -> None:
        """Collect the years.

        Args:
            year_ends: Last days of the fiscal years that annual reports state.
            year_end: Month and day, for companies without a reported year; None: 31 December.
        """
        self._ends = sorted(set(year_ends))
        self._year_end = year_end or (12, 31)

    @property
    def year_ends(self) -> tuple[date, ...]:
        """Last days of the reported fiscal years, oldest first."""
        return tuple(self._ends)

    def ends_year(self, day: date) -> bool:
        """Return whether a fiscal year ends on a day."""
        return self.period_of(day)[1] == "Q4"

    def period_of(self, end: date) -> tuple[int, str]:
        """Return the fiscal year and quarter that end on a day: (2025, "Q1") for 2024-12-28 after a year to 2024-09-28.

        A fiscal year is named after the calendar year it ends in; the first days of January count to the year before.
        Quarters are counted from the last completed year, so that later filings don't change them.
        """
        index = bisect_right(self._ends, end)
        anchor = self._ends[index - 1] if index else self._ends[0] if self._ends else self._assumed(end)
        return fiscal_quarter(end, year_end=anchor)

    def _assumed(self, end: date) -> date:
        month, number = self._year_end
        return date(end.year, month, min(number, 28))


YEARLY_FORMS = ("10-K", "20-F", "40-F")
"""How the forms of annual reports begin, those of amendments and transition periods too."""

Length = Literal["quarter", "half-year", "nine months", "year"]
LENGTHS: Mapping[Length, tuple[int, int]] = {
    "quarter": (80, 119),
    "half-year": (160, 200),
    "nine months": (250, 285),
    "year": (350, 380),
}
"""Days, both ends included. Quarters of 16 and 17 weeks exist (Costco, PepsiCo); four months have 120 days at least."""
LAST_QUARTER = (80, 125)
"""Days of a quarter worked out by subtraction; the last of some companies has 16 or 17 weeks."""
RECAST = 1e-3
"""A figure repeated with a larger relative change was restated; smaller changes are rounding to another unit."""
_OF_VALUES: tuple[FaultKind, ...] = (
    "statement-missing", "unit-jump", "currency-unknown", "earlier-answer", "second-vendor"
)  # fmt: skip
"""Faults for which all items of a statement are withheld though its period is not in doubt."""
HALF_YEAR_GAP = (150, 215)
"""Days between the ends of consecutive half-years."""


def days_of(start: date, end: date) -> int:
    """Return the length of a period in days, both ends included."""
    return (end - start).days + 1


@cache
def length_of_days(days: int) -> Length | None:
    """Return what a period of so many days is; None for none of `LENGTHS`."""
    return next((length for length, (low, high) in LENGTHS.items() if low <= days <= high), None)


def length_of(statement: Statement) -> Length | None:
    """Return the length of a statement's period; None for none of `LENGTHS`.

    Without a first day the label decides: the gateway has checked it against the rows around (`flow_periods`).
    """
    if statement.period_start is None:
        return "year" if statement.frequency == "annual" else "quarter"
    return length_of_days(days_of(statement.period_start, statement.period_end))


def is_as_labelled(statement: Statement) -> bool:
    """Return whether a statement is what its label says: a quarter or a year of which anything is known.

    A balance sheet is of an instant, so any is. A flow that is missing, or of which every item is in another unit or
    currency, is its period all the same, so that no older one takes its place; any other without items is not.
    """
    if statement.kind == "balance":
        return True
    wanted: Length = "year" if statement.frequency == "annual" else "quarter"
    return length_of(statement) == wanted and has_sure_length(statement)


def is_withheld(statement: Statement) -> bool:
    """Return whether the gateway withholds all of a statement's items."""
    return bool(statement.withheld) and not statement.items


def has_sure_length(statement: Statement) -> bool:
    """Return whether a period is not in doubt: where all of a statement is withheld, it is so for its values."""
    sure = [reference(kind) for kind in _OF_VALUES]
    return not is_withheld(statement) or all(
        any(phrase in why for phrase in sure) for why in statement.withheld.values()
    )


def is_missing(statement: Statement) -> bool:
    """Return whether a statement stands for one that the source lacks (`neighbouring_statements`)."""
    return is_withheld(statement) and all(reference("statement-missing") in why for why in statement.withheld.values())


QUARTER_LAG = timedelta(days=45)
"""A 10-Q is due 40 to 45 days after its quarter, depending on the filer's size."""
YEAR_LAG = timedelta(days=90)
"""A 10-K is due 60 to 90 days after its year; the fourth quarter is published with it."""
LARGE_QUARTER_LAG, LARGE_YEAR_LAG = timedelta(days=40), timedelta(days=60)
"""The same for a large accelerated filer, one whose shares held by the public are worth `LARGE_FILER` or more."""
LARGE_FILER = 700e6
"""USD (17 CFR 240.12b-2)."""
REPORTING_SESSIONS = 2
"""A Form 4 is due before the end of the second business day after the trade (17 CFR 240.16a-3)."""

DOMESTIC_REPORTS = frozenset({"10-Q", "10-QT", "10-K", "10-K405", "10-KT"})
FOREIGN_REPORTS = frozenset({"20-F", "40-F"})
"""Of years only. A foreign company's 6-K does not say which quarter it is about."""
INSIDER_FORM = "4"
SAME_PERIOD = timedelta(days=10)
"""Sources give the end of the month for years of 52 or 53 weeks, which end some days before or after it."""
FORM_SPAN = timedelta(days=4)
"""A Form 4 gives the day of its earliest trade and may report trades of the two business days after it."""

Row = TypeVar("Row", Statement, InsiderTransaction)


def assumed_known_at(period_end: date, *, annual: bool, exchange: str = "XNYS") -> datetime:
    """Return when a statement is assumed to be known: the first open after the deadline's day, UTC.

    Args:
        period_end: Last day of the period.
        annual: Whether it is published with the annual report: a year, or the quarter that ends one.
        exchange: Whose sessions count.
    """
    if period_end.year >= NEVER.year:
        return NEVER
    return sessions(exchange).known_after(period_end + (YEAR_LAG if annual else QUARTER_LAG))


def assumed_reported_at(traded: date, *, exchange: str = "XNYS") -> datetime:
    """Return when an insider's trade is assumed to be known: the first open after the deadline's day, UTC.

    Args:
        traded: Day of the trade.
        exchange: Whose sessions count.
    """
    return sessions(exchange).known_after(traded, REPORTING_SESSIONS + 1)


class FilingTimes:
    """When one company's statements and insiders' trades were filed, from the regulator's list of filings."""

    def __init__(self, filings: Iterable[Filing], *, since: date) -> None:
        """Read a list.

        Args:
            filings: What the company filed from `since` on, all of it; amendments date nothing.
            since: First day of the list.
        """
        dated = [filing for filing in filings if filing.period_end is not None]
        self._since = since
        self._reports = [filing for filing in dated if filing.form in DOMESTIC_REPORTS | FOREIGN_REPORTS]
        self._forms = [filing for filing in dated if filing.form == INSIDER_FORM]

    def dated(self, row: Row) -> Row:
        """Return a row with the acceptance of its filing in place of an assumed date; a dated one as it is."""
        if row.known_by != "assumed":
            return row
        return self._statement(row) if isinstance(row, Statement) else self._trade(row)

    def _statement(self, row: Statement) -> Statement:
        """Date a statement by the report of its period.

        A period without a report, of a company that files them, is overdue. Its statement is known with the next
        period's report, which repeats it; until there is one, at no moment.
        """
        ends = [(report.period_end, report.known_at) for report in self._reports if report.period_end is not None]
        own = [(abs(end - row.period_end), at) for end, at in ends if abs(end - row.period_end) <= SAME_PERIOD]
        if own:
            return replace(row, known_at=min(own)[1], known_by="accepted")
        if row.period_end < self._since or not self._are_filed(annual=row.fiscal_period in ("FY", "Q4")):
            return row
        repeated = [known_at for end, known_at in ends if end > row.period_end]
        return replace(row, known_at=max(row.known_at, min(repeated)) if repeated else NEVER)

    def _are_filed(self, *, annual: bool) -> bool:
        """Return whether the company files reports of such periods."""
        return any(
            report.form in DOMESTIC_REPORTS or (annual and report.form in FOREIGN_REPORTS) for report in self._reports
        )

    def _trade(self, row: InsiderTransaction) -> InsiderTransaction:
        """Date a trade by the last of the forms that may report it: the list doesn't name the insider.

        A trade without such a form keeps its date.
        """
        first, traded = row.transaction_date - FORM_SPAN, row.transaction_date
        forms = [(form.period_end, form.known_at) for form in self._forms if form.period_end is not None]
        accepted = [known_at for day, known_at in forms if first <= day <= traded <= known_at.date()]
        return replace(row, known_at=max(accepted), known_by="accepted") if accepted else row
