"""Rate limiter: one request count per vendor and key, shared by all processes with the same home."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tradingagents.errors import HomeNotWritable, RateLimited, SettingsError
from tradingagents.files.sqlite_file import Durability, open_sqlite

_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_RATE = re.compile(r"(\d+)\s*/\s*(second|minute|hour|day)", re.IGNORECASE)
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS turn (bucket TEXT NOT NULL, at REAL NOT NULL, taken REAL NOT NULL)",
    "CREATE INDEX IF NOT EXISTS turn_of_bucket ON turn (bucket, at)",
)
LIMITS_FILE = Path("cache") / "limits.sqlite"
"""File name in the home folder."""
KEPT_SECONDS = 86400
"""Minimum time that requests are remembered, for `used`."""


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `calls` requests in any `seconds`."""

    calls: int
    seconds: int

    def __str__(self) -> str:
        unit = next(name for name, length in _SECONDS.items() if length == self.seconds)
        return f"{self.calls}/{unit}"


def parse_rates(text: str) -> tuple[Rate, ...]:
    """Parse rates written as `5/second, 500/day`; empty means no limit.

    Raises:
        SettingsError: The text is invalid.
    """
    rates = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        match = _RATE.fullmatch(part)
        if match is None or int(match[1]) < 1:
            raise SettingsError(f"{part!r} is not a rate; write it as 5/second, 60/minute, 200/hour or 25/day.")
        rates.append(Rate(int(match[1]), _SECONDS[match[2].lower()]))
    return tuple(rates)


class RateLimiter:
    """Reserves time slots, each the earliest instant at which every rate allows one more request. Thread-safe.

    The slots are stored in a SQLite file shared by processes. One short transaction reserves a slot, and the wait
    happens outside it: waiting holds no lock, and slots are given out in order of arrival.
    """

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Name the file; it and its folder are created with the first slot.

        Args:
            path: The SQLite file.
            clock: Seconds since the epoch: the one clock that processes share.
            sleep: Sleeps for some seconds.
        """
        self._path = path
        self._clock = clock
        self._sleep = sleep

    def wait(self, bucket: str, rates: Sequence[Rate], *, patience: float) -> None:
        """Reserve the next slot and wait for it; arguments and errors as `reserve`."""
        if (delay := self.reserve(bucket, rates, patience)) > 0:
            self._sleep(delay)

    def reserve(self, bucket: str, rates: Sequence[Rate], patience: float) -> float:
        """Reserve the next slot, and return the seconds until it.

        Args:
            bucket: What is counted: vendor and hashed key.
            rates: All must allow the slot; none: no wait.
            patience: Maximum seconds to wait.

        Raises:
            RateLimited: The next slot is further away; none was reserved.
            HomeNotWritable: The file can't be created or written.
        """
        if not rates:
            return 0.0
        delay = self._take(bucket, rates, patience)
        if delay > patience:
            vendor, shown = bucket.partition(":")[0], ", ".join(map(str, rates))
            raise RateLimited(
                f"{vendor} may be asked {shown} and this is used up for {_span(delay)}; try again later, "
                f"or raise its rate in vendor_rates where your plan allows more.",
                retry_after=delay,
                asked=False,
            )
        return max(0.0, delay)

    def used(self, bucket_prefix: str, seconds: float) -> int:
        """Return the number of requests in the last seconds, over all buckets with this prefix."""
        if not self._path.exists():
            return 0
        with self._transaction() as connection:
            count = connection.execute(
                "SELECT COUNT(*) FROM turn WHERE substr(bucket, 1, ?) = ? AND at > ?",
                (len(bucket_prefix), bucket_prefix, self._clock() - seconds),
            )
            return int(count.fetchone()[0])

    def _take(self, bucket: str, rates: Sequence[Rate], patience: float) -> float:
        kept = max(KEPT_SECONDS, *(rate.seconds for rate in rates))
        with self._transaction() as connection:
            now = self._clock()
            connection.execute("DELETE FROM turn WHERE bucket = ? AND at <= ?", (bucket, now - kept))
            # Slots later than now were reserved before the clock was set back: count them as used just now.
            connection.execute(
                "UPDATE turn SET at = ?1 + at - taken, taken = ?1 WHERE bucket = ?2 AND at > ?1 AND taken > ?1",
                (now, bucket),
            )
            turn = now
            for rate in rates:
                row = connection.execute(
                    "SELECT at FROM turn WHERE bucket = ? ORDER BY at DESC LIMIT 1 OFFSET ?", (bucket, rate.calls - 1)
                ).fetchone()
                if row is not None:
                    turn = max(turn, row[0] + rate.seconds)
            if turn - now <= patience:
                connection.execute("INSERT INTO turn VALUES (?, ?, ?)", (bucket, turn, now))
            return turn - now

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(open_sqlite(self._path, Durability.FILE)) as connection:  # a lost count costs one request
                connection.execute("BEGIN IMMEDIATE")
                with connection:  # commits, or rolls back on failure
                    for statement in _SCHEMA:  # every time: the file may have been deleted meanwhile
                        connection.execute(statement)
                    yield connection
        except (OSError, sqlite3.Error) as error:
            raise HomeNotWritable(
                f"Cannot keep count of requests in {self._path} ({type(error).__name__}); fix or delete that file, "
                f"or choose another place with the setting home or TRADINGAGENTS_HOME."
            ) from error


def _span(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"
