"""The cut-off: the moment a run pretends it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from tradingagents.dataflows.reference.calendar import FIRST_DAY, Sessions, sessions
from tradingagents.errors import BadDate
from tradingagents.files.redaction import Redactor, shown_value

SAME_MOMENT = timedelta(minutes=5)
"""A run that goes on so soon still counts as of the moment it was asked for; asking takes about as long."""
AT_CLOSE = "close"
"""A past day ends with the close of its session; today, now."""
AT_OPEN = "open"
"""A day ends with the open of the next session: the evening's and the morning's news are known."""


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
class Moment:
    """Which moment of its day a run decides at."""

    opened: datetime | None = None
    """When a run that goes on was first asked for: it learns nothing of the time since. None: now."""
    at: str = AT_CLOSE
    """Of a past day: `close`, `open` (that of the next session) or a time of the exchange such as `08:30`."""


USUAL_MOMENT = Moment()


@dataclass(frozen=True, slots=True)
class Cutoff:
    """The moment a run pretends it is."""

    as_of: date
    """The day asked for; it need not be a session."""
    session: date
    """The last session that had closed at `instant`; prices end with it."""
    instant: datetime
    """Nothing known later than this reaches an agent, UTC. Of a live run, the moment it was asked for."""
    live: bool
    """Whether nothing was traded between `instant` and now, so that sources that only know today may answer."""
    close: datetime
    """When `session` closed, UTC."""
    is_now: bool
    """Whether `instant` is the moment the run was asked for: what a source served then was known then."""

    @property
    def warnings(self) -> list[str]:
        """What a reader should know of a past day asked for: that it has no closed session, and which one is read."""
        if self.session == self.as_of or self.knows_more_than_prices:
            return []
        return [f"{self.as_of} has no closed session; the market is read as of the close of {self.session}."]

    @property
    def knows_more_than_prices(self) -> bool:
        """Whether news and filings reach beyond the last close."""
        return self.instant > self.close

    @property
    def known(self) -> str | None:
        """Up to when prices and news are known, where they end apart; None where both end with the session's close.

        For example `prices to the close of Fri 2026-11-27, news to Sun 2026-11-29 17:40 UTC`.
        """
        if not self.knows_more_than_prices:
            return None
        until = self.instant.astimezone(UTC)
        return f"prices to the close of {self.session:%a %Y-%m-%d}, news to {until:%a %Y-%m-%d %H:%M} UTC"

    @property
    def today(self) -> str:
        """The day asked for as agents read it, with what is known where prices and news end apart."""
        return f"{self.as_of} ({self.known})" if self.known else self.as_of.isoformat()


def cutoff_for(as_of: date, *, exchange: str, now: datetime, moment: Moment = USUAL_MOMENT) -> Cutoff:
    """Return the cut-off of a day: today, now; on a past day, the close of its session or of the last one before it.

    Args:
        as_of: The day asked for.
        exchange: MIC of the calendar.
        now: The moment it is.
        moment: Another moment than now or the close; the cut-off is never later than now.

    Raises:
        BadDate: The day lies in the future or before the calendars begin.
        ValueError: `moment.at` is no such moment.
    """
    calendar = sessions(exchange)
    if as_of > max(now.astimezone(UTC).date(), now.astimezone(calendar.zone).date()):
        raise BadDate(f"{as_of} is in the future; name a past day or today.")
    if as_of < max(FIRST_DAY, calendar.days[0]):
        raise BadDate(f"{as_of} lies before the data begin; name a day from {calendar.days[0]} on.")
    asked_at, at = moment.opened or now, moment.at
    is_today = as_of >= asked_at.astimezone(calendar.zone).date()
    instant = asked_at if is_today and at == AT_CLOSE else min(_moment(as_of, at, calendar), asked_at)
    session = calendar.last_closed(instant)
    live = session == calendar.last_closed(now) and not _traded_since(calendar, instant, now)
    return Cutoff(
        as_of=as_of,
        session=session,
        instant=instant,
        live=live,
        close=calendar.close_of(session),
        is_now=instant == asked_at,
    )


def latest_day(exchange: str, now: datetime) -> date:
    """Return the day of a run that names none: today, where the exchange is."""
    return now.astimezone(sessions(exchange).zone).date()


def _moment(as_of: date, at: str, calendar: Sessions) -> datetime:
    if at == AT_CLOSE:
        return calendar.close_of(calendar.on_or_before(as_of))
    if at == AT_OPEN:
        return calendar.next_open(as_of)
    return datetime.combine(as_of, time.fromisoformat(at), calendar.zone).astimezone(UTC)


def _traded_since(calendar: Sessions, instant: datetime, now: datetime) -> bool:
    """Tell whether there was trading after the cut-off: what only knows today then knows more than the run may."""
    return now - instant > SAME_MOMENT and calendar.was_open(instant, now)


def utc_now() -> datetime:
    """Return the wall clock, UTC."""
    return datetime.now(UTC)
