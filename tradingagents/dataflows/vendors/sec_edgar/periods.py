"""Fiscal year and quarter of a period: EDGAR's own `fy` and `fp` describe the filing that contains a figure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from datetime import date, timedelta

from tradingagents.dataflows.vendors.sec_edgar.facts import Report, Span

QUARTER = (80, 100)
"""Length in days of a quarter stated in a filing: 12 to 14 weeks."""
DERIVED_QUARTER = (80, 125)
"""Length in days of a quarter computed by subtraction; some companies' last has 16 or 17 weeks."""
YEAR = (350, 380)
_QUARTER_DAYS = 365.25 / 4
_EARLY_JANUARY = timedelta(days=7)
_YEARLY = ("10-K", "20-F", "40-F")


def days_of(span: Span) -> int:
    """Return the length of a period in days, both ends included."""
    return (span[1] - span[0]).days + 1


def lasts(span: Span, length: tuple[int, int]) -> bool:
    """Return whether a period has a length within a range of days."""
    return length[0] <= days_of(span) <= length[1]


class FiscalCalendar:
    """A company's fiscal years, by the ends of the reported ones."""

    def __init__(self, reports: Iterable[Report], year_end: tuple[int, int] | None) -> None:
        """Collect the years.

        Args:
            reports: The filings.
            year_end: Month and day, for companies without a reported year; None: 31 December.
        """
        self._ends = sorted(
            {
                span[1]
                for report in reports
                if report.form.startswith(_YEARLY)
                for span in report.flows
                if lasts(span, YEAR)
            }
        )
        self._year_end = year_end or (12, 31)

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
        quarters = round((end - anchor).days / _QUARTER_DAYS)
        years, quarter = divmod(quarters - 1, 4)
        return year_of(anchor) + years + 1, f"Q{quarter + 1}"

    def _assumed(self, end: date) -> date:
        month, number = self._year_end
        return date(end.year, month, min(number, 28))


def year_of(year_end: date) -> int:
    """Return the name of a fiscal year that ends on a day."""
    return (year_end - _EARLY_JANUARY).year
