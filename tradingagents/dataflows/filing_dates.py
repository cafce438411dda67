"""When a statement or an insider's trade is held to be known where the source does not say when it was filed."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from tradingagents.dataflows.reference.calendar import NEVER, sessions

QUARTER_LAG = timedelta(days=45)
"""A 10-Q is due 40 to 45 days after its quarter, depending on the filer's size."""
YEAR_LAG = timedelta(days=90)
"""A 10-K is due 60 to 90 days after its year; the fourth quarter is published with it."""
REPORTING_SESSIONS = 2
"""A Form 4 is due before the end of the second business day after the trade (17 CFR 240.16a-3)."""


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
