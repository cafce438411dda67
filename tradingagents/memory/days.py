"""Rules for the day from which a fact is known and the last day a run may read, valid across all exchanges.

Lessons are dated by day, but exchanges close at different hours. A day ends when New York closes, or at `LATEST_CLOSE`
if New York does not trade. Facts learned after that belong to the next day, and a run reads lessons up to the last day
that had ended by its cut-off. So no run of a past day reads facts learned after its cut-off, wherever its stock is
listed; a run on an exchange that closes before New York reads the lessons of a day one day later.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from tradingagents.dataflows.cutoff import Cutoff
from tradingagents.dataflows.reference.calendar import sessions

LATEST_CLOSE = time(21, tzinfo=UTC)
"""New York's close in winter, UTC."""
_DAY = timedelta(days=1)


def first_day_known(instant: datetime) -> date:
    """Return the day that a fact learned at this instant belongs to; the day ends no earlier than the instant."""
    day = instant.astimezone(UTC).date()
    return day if instant <= _over(day) else day + _DAY


def last_day_known(cutoff: Cutoff) -> date:
    """Return the last day whose lessons a run may read; for a live run, the day asked for."""
    if cutoff.live:
        return cutoff.as_of
    day = cutoff.instant.astimezone(UTC).date()
    return day if _over(day) <= cutoff.instant else day - _DAY


def _over(day: date) -> datetime:
    """Return the instant at which a day ends."""
    calendar = sessions()
    last = calendar.on_or_before(day)
    return calendar.close_of(last) if last == day else datetime.combine(day, LATEST_CLOSE)
