"""When a financial statement is held to be known where the source has no filing date."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from tradingagents.dataflows.calendar import sessions

QUARTER_LAG = timedelta(days=45)
"""A 10-Q is due 40 to 45 days after its quarter, depending on the filer's size."""
YEAR_LAG = timedelta(days=90)
"""A 10-K is due 60 to 90 days after its year; the fourth quarter is published with it."""


def assumed_known_at(period_end: date, *, annual: bool) -> datetime:
    """Return when a statement is assumed to be known: the first New York open after the deadline's day, UTC.

    Args:
        period_end: Last day of the period.
        annual: Whether it is published with the annual report: a year, or the quarter that ends one.
    """
    return sessions().next_open(period_end + (YEAR_LAG if annual else QUARTER_LAG))
