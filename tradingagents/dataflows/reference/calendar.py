"""Exchange sessions: when a trading day closes, and which session was the last closed one at an instant."""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from tradingagents.dataflows.reference import calendar_cache

FIRST_DAY = date(1990, 1, 2)
"""Earliest day of the calendars; requests before it are refused."""
LAST_YEARS_AHEAD = 1
NEVER = datetime(9999, 1, 1, tzinfo=UTC)
"""When something dated beyond the calendars is known: after every possible cut-off, independent of today's date."""

_SUFFIXES = {
    "L": "XLON",
    "DE": "XETR",
    "F": "XFRA",
    "PA": "XPAR",
    "AS": "XAMS",
    "BR": "XBRU",
    "MI": "XMIL",
    "MC": "XMAD",
    "SW": "XSWX",
    "ST": "XSTO",
    "CO": "XCSE",
    "HE": "XHEL",
    "OL": "XOSL",
    "VI": "XWBO",
    "T": "XTKS",
    "HK": "XHKG",
    "SS": "XSHG",
    "SZ": "XSHG",
    "KS": "XKRX",
    "TW": "XTAI",
    "SI": "XSES",
    "NS": "XBOM",  # the library has no XNSE; both Indian exchanges have the same sessions
    "BO": "XBOM",
    "AX": "XASX",
    "NZ": "XNZE",
    "TO": "XTSE",
    "V": "XTSE",
    "SA": "BVMF",
    "MX": "XMEX",
}


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions of one exchange, with their opens and closes in UTC."""

    exchange: str
    days: tuple[date, ...]
    opens: tuple[datetime, ...]
    closes: tuple[datetime, ...]
    zone: tzinfo = UTC
    """The exchange's time zone."""

    def last_closed(self, instant: datetime) -> date:
        """Return the last session that had closed at `instant`.

        Raises:
            ValueError: The instant is before the calendar's first close.
        """
        index = bisect.bisect_right(self.closes, instant) - 1
        if index < 0:
            raise ValueError(f"{instant:%Y-%m-%d} lies before the first session of {self.exchange}")
        return self.days[index]

    def on_or_before(self, day: date) -> date:
        """Return `day` if it is a session, else the last session before it."""
        index = bisect.bisect_right(self.days, day) - 1
        if index < 0:
            raise ValueError(f"{day} lies before the first session of {self.exchange}")
        return self.days[index]

    def is_session(self, day: date) -> bool:
        """Return whether the exchange trades on `day`."""
        return self.on_or_before(day) == day

    def close_of(self, session: date) -> datetime:
        """Return the close of a session, UTC; half-days close early."""
        return self.closes[self._index(session)]

    def after(self, day: date, count: int = 1) -> date:
        """Return the `count`-th session after `day` (which need not be one).

        Raises:
            ValueError: It is outside the calendar.
        """
        return self.days[self._within(day, count)]

    def next_open(self, day: date) -> datetime:
        """Return when the first session after `day` opens: when a row with a day only counts as known.

        Raises:
            ValueError: It is outside the calendar.
        """
        return self.opens[self._within(day, 1)]

    def first_open(self, instant: datetime) -> date:
        """Return the first session that opens at `instant` or later.

        Raises:
            ValueError: It is outside the calendar.
        """
        index = bisect.bisect_left(self.opens, instant)
        if index == len(self.opens):
            raise ValueError(f"{instant:%Y-%m-%d} lies beyond the calendar of {self.exchange}")
        return self.days[index]

    def known_after(self, day: date, count: int = 1) -> datetime:
        """Return when the `count`-th session after `day` opens, or `NEVER` outside the calendar.

        Calendars grow over time. Anything beyond today's end is known after every cut-off, so no answer depends on
        where it ends.
        """
        index = bisect.bisect_right(self.days, day) + count - 1
        return self.opens[index] if index < len(self.opens) else NEVER

    def was_open(self, start: datetime, end: datetime) -> bool:
        """Return whether the exchange traded at any time in [start, end]."""
        index = bisect.bisect_right(self.closes, start)
        return index < len(self.opens) and self.opens[index] <= end

    def between(self, start: date, end: date) -> tuple[date, ...]:
        """Return the sessions in [start, end]."""
        return self.days[bisect.bisect_left(self.days, start) : bisect.bisect_right(self.days, end)]

    def _within(self, day: date, count: int) -> int:
        index = bisect.bisect_right(self.days, day) + count - 1
        if index >= len(self.days):
            raise ValueError(f"{day} lies beyond the calendar of {self.exchange}")
        return index

    def _index(self, session: date) -> int:
        index = bisect.bisect_left(self.days, session)
        if index == len(self.days) or self.days[index] != session:
            raise ValueError(f"{session} is no session of {self.exchange}")
        return index


def sessions(exchange: str = "XNYS") -> Sessions:
    """Return the sessions of an exchange by MIC (or `24/7`, `24/5`), from 1990 to the end of next year.

    Raises:
        ValueError: Unknown calendar.
    """
    return _table(exchange)


@lru_cache(maxsize=32)
def _table(exchange: str) -> Sessions:
    last = date(date.today().year + 1 + LAST_YEARS_AHEAD, 1, 1) - timedelta(days=1)  # noqa: DTZ011 - bounds the table
    table = calendar_cache.read_table(exchange, last)
    if table is None:
        table = _build(exchange, last)
        calendar_cache.write_table(exchange, last, table)
    return Sessions(
        exchange=exchange,
        days=tuple(map(date.fromordinal, table.days)),
        opens=tuple(datetime.fromtimestamp(second, UTC) for second in table.opens),
        closes=tuple(datetime.fromtimestamp(second, UTC) for second in table.closes),
        zone=ZoneInfo(table.zone),
    )


def _build(exchange: str, last: date) -> calendar_cache.SessionTable:
    """Build the sessions of an exchange with the calendar library, as far back as it supports the exchange."""
    import exchange_calendars as xc

    try:
        try:
            calendar = xc.get_calendar(exchange, start=FIRST_DAY.isoformat(), end=last.isoformat())
        except ValueError:  # the library supports this exchange for a shorter period
            bounds = xc.get_calendar(exchange)
            first = max(FIRST_DAY, bounds.bound_min().date()) if bounds.bound_min() is not None else FIRST_DAY
            last = min(last, bounds.bound_max().date()) if bounds.bound_max() is not None else last
            calendar = xc.get_calendar(exchange, start=first.isoformat(), end=last.isoformat())
    except xc.errors.InvalidCalendarName:
        raise ValueError(f"No exchange calendar is called {exchange!r}") from None
    return calendar_cache.SessionTable(
        days=[day.toordinal() for day in calendar.sessions],
        opens=(calendar.opens_nanos // 10**9).tolist(),
        closes=(calendar.closes_nanos // 10**9).tolist(),
        zone=str(calendar.tz),
    )


def exchange_of(symbol: str) -> str:
    """Return the calendar for a symbol's form: `7203.T` XTKS, `BTC-USD` 24/7, `EURUSD=X` 24/5, else XNYS."""
    if symbol.endswith(("-USD", "-EUR", "-USDT")):
        return "24/7"
    if symbol.endswith("=X"):
        return "24/5"
    _, dot, suffix = symbol.rpartition(".")
    return _SUFFIXES.get(suffix, "XNYS") if dot else "XNYS"
