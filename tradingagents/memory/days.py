"""From which day something is known, and up to which day a run may know: days that hold across all exchanges.

A lesson carries a day, and exchanges close at different hours of it. The rule: a day is over when New York closes, or
at `LATEST_CLOSE` where it does not trade. What became known after that belongs to the next day; and a run reads up to
the last day that was over by its cut-off. So no run of the past reads what became known after its cut-off, wherever it
is listed; one on an exchange that closes before New York reads the lessons of its own day a day later.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from tradingagents.dataflows.cutoff import Cutoff
from tradingagents.dataflows.reference.calendar import sessions

LATEST_CLOSE = time(21, tzinfo=UTC)
"""New York's close in winter."""
_DAY = timedelta(days=1)


def first_day_known(instant: datetime) -> date:
    """Return the day to which something belongs that became known at an instant: it is over no earlier than then."""
    day = instant.astimezone(UTC).date()
    return day if instant <= _over(day) else day + _DAY


def last_day_known(cutoff: Cutoff) -> date:
    """Return the last day of which a run may know what was settled: for a run of the present, the day asked for."""
    if cutoff.live:
        return cutoff.as_of
    day = cutoff.instant.astimezone(UTC).date()
    return day if _over(day) <= cutoff.instant else day - _DAY


def _over(day: date) -> datetime:
    """Return when a day is over."""
    calendar = sessions()
    last = calendar.on_or_before(day)
    return calendar.close_of(last) if last == day else datetime.combine(day, LATEST_CLOSE)
