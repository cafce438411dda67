"""The sessions the simulated market trades on, as arrays."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from tradingagents.dataflows.models import Days
from tradingagents.dataflows.reference.calendar import Sessions

FIRST_SESSION = date(2018, 1, 2)
Seconds = npt.NDArray[np.int64]
"""Instants, whole seconds since 1970 UTC."""


class _Dated(Protocol):
    @property
    def day(self) -> date: ...


_Row = TypeVar("_Row", bound=_Dated)


@dataclass(frozen=True)
class Timeline:
    """The sessions from `FIRST_SESSION` on, and the whole calendar they are part of."""

    calendar: Sessions

    @cached_property
    def days(self) -> tuple[date, ...]:
        """Session dates."""
        return self.calendar.between(FIRST_SESSION, self.calendar.days[-1])

    @cached_property
    def dates(self) -> Days:
        """Session dates, for searching."""
        dates = np.array(self.days, dtype="datetime64[D]")
        dates.flags.writeable = False
        return dates

    @cached_property
    def opens(self) -> Seconds:
        """When each session opens."""
        return _seconds(self.calendar.opens[-len(self.days) :])

    @cached_property
    def closes(self) -> Seconds:
        """When each session closes."""
        return _seconds(self.calendar.closes[-len(self.days) :])

    @cached_property
    def years(self) -> npt.NDArray[np.float64]:
        """Years since the first session."""
        days: npt.NDArray[np.float64] = (self.dates - self.dates[0]).astype(np.float64)
        return days / 365.25

    @cached_property
    def _skipped(self) -> int:
        """Sessions of the calendar before the first one."""
        return len(self.calendar.days) - len(self.days)

    def __len__(self) -> int:
        return len(self.days)

    def first_open_after(self, instant: datetime) -> int:
        """Return the position of the first session that opens after an instant; `len(self)` where none does."""
        return max(bisect_right(self.calendar.opens, instant) - self._skipped, 0)

    def position(self, day: date) -> int:
        """Return the position of the first session on or after `day`; `len(self)` where there is none."""
        return bisect_left(self.days, day)

    def first_sessions_of_months(self) -> Iterator[int]:
        """Yield the positions at which a new month begins, without the very first session."""
        months = self.dates.astype("datetime64[M]")
        yield from (np.flatnonzero(months[1:] != months[:-1]) + 1).tolist()


def instant(seconds: int) -> datetime:
    """Return seconds since 1970 as an aware datetime."""
    return datetime.fromtimestamp(seconds, UTC)


def of_days(rows: tuple[_Row, ...], start: date, end: date) -> tuple[_Row, ...]:
    """Return the rows of the days [start, end]; `rows` are sorted by day."""
    first = bisect_left(rows, start, key=lambda row: row.day)
    return rows[first : bisect_right(rows, end, key=lambda row: row.day)]


def _seconds(instants: tuple[datetime, ...]) -> Seconds:
    return np.array([int(moment.timestamp()) for moment in instants], dtype=np.int64)
