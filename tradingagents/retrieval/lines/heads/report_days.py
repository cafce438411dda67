"""The last day of the period of a report, and the fiscal years of days by it, where the report's own tables tell it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date

from tradingagents.dataflows.reference.fiscal_periods import YEARLY_FORMS
from tradingagents.retrieval.models import SourceDocument

_FEWEST = 2
"""Columns that end on a day before it is taken as that of the report."""
_SHARE = 0.5
"""Of the most frequent of the days of its year that the last day has to have: others are of events since."""
_DAYS_A_YEAR, _QUARTER = 365.25, 91
_SLACK = 20
"""Days by which years of 52 or 53 weeks end apart, and an opening balance is dated a day after the year before."""


@dataclass(frozen=True, slots=True)
class ReportDay:
    """The last day of the period that a report is about."""

    day: date
    fiscal_year: int
    fiscal_quarter: int | None
    """None for a report about a whole year."""

    def year_of(self, day: date) -> int | None:
        """Return the fiscal year that a day ends, or the quarter of a year that it ends; None where it ends none."""
        apart = (self.day - day).days
        years = round(apart / _DAYS_A_YEAR)
        if years < 0 or abs(apart - years * _DAYS_A_YEAR) > _SLACK:
            return None
        return self.fiscal_year - years


def report_day(document: SourceDocument) -> ReportDay | None:
    """Return the last day of a report; None where neither it is known nor most of the newest columns tell it."""
    info = document.info
    if info.fiscal_year is None:
        return None
    quarter = None if info.form.upper().startswith(YEARLY_FORMS) else info.fiscal_quarter
    if info.period_end is not None:
        return ReportDay(info.period_end, info.fiscal_year, quarter)
    ends = Counter(
        column.period_end
        for table in document.tables
        for column in table.columns
        if column.period_end is not None and column.fiscal_year is not None
        and info.fiscal_year - 1 <= column.period_end.year <= info.fiscal_year + 1
        and column.period_end < info.known_at.date()
    )  # fmt: skip
    most = max(ends.values(), default=0)
    days = [day for day, times in ends.items() if times >= max(_FEWEST, _SHARE * most)]
    return ReportDay(max(days), info.fiscal_year, quarter) if days else None
