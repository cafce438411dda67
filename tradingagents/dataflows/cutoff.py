"""The cut-off: the moment a run pretends it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from tradingagents.dataflows.reference.calendar import FIRST_DAY, Sessions, sessions
from tradingagents.errors import BadDate
from tradingagents.redaction import Redactor, shown_value

SAME_MOMENT = timedelta(minutes=5)
"""A run that goes on so soon still counts as of the moment it was asked for; asking takes about as long."""


def parse_day(day: str | date) -> date:
    """Read a trade date.

    Raises:
        BadDate: It is not YYYY-MM-DD.
    """
    if isinstance(day, datetime):
        return day.date()
    if isinstance(day, date):
        return day
    try:
        return date.fromisoformat(day.strip())
    except (AttributeError, ValueError):
        shown = shown_value(day, Redactor({}), 42)
        raise BadDate(f"{shown} is not a date; write it as YYYY-MM-DD, for example 2025-03-14.") from None


@dataclass(frozen=True, slots=True)
class Cutoff:
    """The moment a run pretends it is."""

    as_of: date
    """The day asked for; it need not be a session."""
    session: date
    """The last session that had closed."""
    instant: datetime
    """Nothing known later than this reaches an agent, UTC."""
    live: bool
    """Whether no later session has closed by now, and nothing was traded since a run that goes on was asked for:
    sources that only know today may answer."""

    @property
    def warnings(self) -> list[str]:
        """What a reader should know of the day asked for: that it has no closed session, and which one is read."""
        if self.session == self.as_of:
            return []
        return [f"{self.as_of} has no closed session; the market is read as of the close of {self.session}."]


def cutoff_for(as_of: date, *, exchange: str, now: datetime, opened: datetime | None = None) -> Cutoff:
    """Return the cut-off of a day: the close of its session (or the last one before it), or now if that is earlier.

    Args:
        as_of: The day asked for.
        exchange: MIC of the calendar.
        now: The moment it is.
        opened: When a run that goes on was first asked for: it learns nothing of the time since. None: now.

    Raises:
        BadDate: The day lies in the future or before the calendars begin.
    """
    if as_of > now.astimezone(UTC).date():
        raise BadDate(f"{as_of} is in the future; name a past day or today.")
    calendar = sessions(exchange)
    if as_of < max(FIRST_DAY, calendar.days[0]):
        raise BadDate(f"{as_of} lies before the data begin; name a day from {calendar.days[0]} on.")
    instant = min(calendar.close_of(calendar.on_or_before(as_of)), opened or now)
    session = calendar.last_closed(instant)
    live = session == calendar.last_closed(now) and not _traded_since(calendar, opened or now, now)
    return Cutoff(as_of=as_of, session=session, instant=instant, live=live)


def _traded_since(calendar: Sessions, opened: datetime, now: datetime) -> bool:
    """Tell whether there was trading after a run was first asked for: what only knows today then knows more than it."""
    return now - opened > SAME_MOMENT and calendar.was_open(opened, now)


def utc_now() -> datetime:
    """Return the wall clock, UTC."""
    return datetime.now(UTC)
