"""Names of fiscal years and quarters, from the days they end on."""

from __future__ import annotations

from datetime import date, timedelta

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
