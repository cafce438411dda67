"""Exchange sessions: when a trading day closes, and which session was the last closed one at an instant.

Building a calendar takes a second, reading it from the disk some milliseconds. The files are in the user's cache folder
and may be deleted at any time. The file name contains the version of the calendar library and the last day, so a newer
library, or a new year, creates a new file.
"""

from __future__ import annotations

import bisect
import json
import logging
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from tradingagents.dataflows.reference.exchanges import EXCHANGES
from tradingagents.errors import BadSymbol
from tradingagents.files.private_files import make_folder
from tradingagents.files.regular_files import read_regular
from tradingagents.files.user_folders import cache_folder

LIBRARY = "exchange_calendars"
_COLUMNS = ("days", "opens", "closes")

logger = logging.getLogger(__name__)


FIRST_DAY = date(1990, 1, 2)
"""Earliest day of the calendars; requests before it are refused."""
LAST_YEARS_AHEAD = 1
NEVER = datetime(9999, 1, 1, tzinfo=UTC)
"""When something dated beyond the calendars is known: after every possible cut-off, independent of today's date."""

_SHARE_CLASS = re.compile(r"[A-Z]{1,5}\.(?:[AB]|WS|WT|RT|UN?|PR[A-Z])")
"""A US share class, warrant, right, unit or preferred share written with a dot: `BRK.B`, `IONQ.WS`, `BAC.PRK`."""


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
    return _sessions_of(exchange)


@lru_cache(maxsize=32)
def _sessions_of(exchange: str) -> Sessions:
    last = date(date.today().year + 1 + LAST_YEARS_AHEAD, 1, 1) - timedelta(days=1)  # noqa: DTZ011 - only an end
    calendar = read_sessions(exchange, last)
    if calendar is None:
        calendar = _build(exchange, last)
        write_sessions(calendar, last)
    return calendar


def _build(exchange: str, last: date) -> Sessions:
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
    days = [day.toordinal() for day in calendar.sessions]
    opens, closes = (calendar.opens_nanos // 10**9).tolist(), (calendar.closes_nanos // 10**9).tolist()
    return _of_numbers(exchange, days, opens, closes, str(calendar.tz))


def _of_numbers(exchange: str, days: Sequence[int], opens: Sequence[int], closes: Sequence[int], zone: str) -> Sessions:
    """Return sessions from proleptic ordinals, seconds since 1970 (UTC) and the name of the exchange's time zone."""
    return Sessions(
        exchange=exchange,
        days=tuple(map(date.fromordinal, days)),
        opens=tuple(datetime.fromtimestamp(second, UTC) for second in opens),
        closes=tuple(datetime.fromtimestamp(second, UTC) for second in closes),
        zone=ZoneInfo(zone),
    )


def read_sessions(exchange: str, last: date) -> Sessions | None:
    """Read the sessions of an exchange; None if there is no valid file.

    Args:
        exchange: Its MIC.
        last: The last day of the calendar.
    """
    path = _file(exchange, last)
    if path is None:
        return None
    try:
        found = json.loads(read_regular(path))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        logger.debug("The calendar in %s cannot be read (%s); it is built again.", path, error)
        return None
    if not _is_whole(found):
        logger.debug("The calendar in %s is damaged; it is built again.", path)
        return None
    return _of_numbers(exchange, found["days"], found["opens"], found["closes"], found["zone"])


def write_sessions(calendar: Sessions, last: date) -> None:
    """Store the sessions of an exchange; if the folder isn't writable, the next process builds them again."""
    path = _file(calendar.exchange, last)
    if path is None:
        return
    draft = path.with_name(f".{path.name}.{secrets.token_hex(3)}")
    content = {
        "days": [day.toordinal() for day in calendar.days],
        "opens": [int(opens.timestamp()) for opens in calendar.opens],
        "closes": [int(closes.timestamp()) for closes in calendar.closes],
        "zone": str(calendar.zone),
    }
    try:
        make_folder(path.parent)
        draft.write_text(json.dumps(content), encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        logger.debug("The calendar cannot be kept in %s (%s).", path.parent, error)


def _file(exchange: str, last: date) -> Path | None:
    """Return where the sessions of an exchange are kept; None where this account has no folder for it."""
    folder = cache_folder()
    if folder is None:
        return None
    name = re.sub(r"[^A-Za-z0-9]", "-", exchange)
    return folder / "calendars" / f"{name}-{_version()}-{last.isoformat()}.json"


@cache
def _version() -> str:
    from importlib.metadata import version

    return version(LIBRARY)


def _is_whole(found: Any) -> bool:
    """Return whether a file contains valid sessions: increasing columns of one length, opens before closes."""
    if not isinstance(found, dict) or not isinstance(found.get("zone"), str):
        return False
    columns = [found.get(name) for name in _COLUMNS]
    if not all(isinstance(column, list) and set(map(type, column)) == {int} for column in columns):
        return False
    days, opens, closes = (list(column or ()) for column in columns)
    rising = all(sorted(set(column)) == column for column in (days, opens, closes))
    return rising and len(days) == len(opens) == len(closes) and all(map(int.__lt__, opens, closes))


def exchange_of(symbol: str) -> str:
    """Return the calendar for a symbol's form: `7203.T` XTKS, `BTC-USD` 24/7, `EURUSD=X` 24/5, `AAPL` XNYS.

    Raises:
        BadSymbol: Its suffix is that of no known exchange.
    """
    if symbol.endswith(("-USD", "-EUR", "-USDT")):
        return "24/7"
    if symbol.endswith("=X"):
        return "24/5"
    _, dot, suffix = symbol.rpartition(".")
    if not dot or _SHARE_CLASS.fullmatch(symbol):
        return "XNYS"
    known = EXCHANGES.get(suffix)
    if known is None or not suffix:
        raise BadSymbol(
            f"{symbol[:40]!r} ends with .{suffix[:20]}, the suffix of no known exchange; write it like VOD.L."
        )
    return known.mic


def is_listed(symbol: str) -> bool:
    """Return whether the exchange of a symbol is known."""
    try:
        exchange_of(symbol)
    except BadSymbol:
        return False
    return True
