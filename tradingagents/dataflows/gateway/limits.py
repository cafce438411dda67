"""How often a vendor may be asked: one count per vendor and key, shared by every process that has the same home."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tradingagents.errors import HomeNotWritable, RateLimited, SettingsError

_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_RATE = re.compile(r"(\d+)\s*/\s*(second|minute|hour|day)", re.IGNORECASE)
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS turn (bucket TEXT NOT NULL, at REAL NOT NULL, taken REAL NOT NULL)",
    "CREATE INDEX IF NOT EXISTS turn_of_bucket ON turn (bucket, at)",
)
LIMITS_FILE = Path("cache") / "limits.sqlite"
"""Where turns are counted in the home folder."""
BUSY_SECONDS = 30
"""How long another process's transaction is waited for; each takes well under a millisecond."""
KEPT_SECONDS = 86400
"""Turns are kept at least so long, for `used`."""


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `calls` requests in any `seconds`."""

    calls: int
    seconds: int

    def __str__(self) -> str:
        unit = next(name for name, length in _SECONDS.items() if length == self.seconds)
        return f"{self.calls}/{unit}"


def parse_rates(text: str) -> tuple[Rate, ...]:
    """Read rates written as `5/second, 500/day`; empty means no limit.

    Raises:
        SettingsError: Something else stands there.
    """
    rates = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        match = _RATE.fullmatch(part)
        if match is None or int(match[1]) < 1:
            raise SettingsError(f"{part!r} is no rate; write it as 5/second, 60/minute, 200/hour or 25/day.")
        rates.append(Rate(int(match[1]), _SECONDS[match[2].lower()]))
    return tuple(rates)


class RateLimiter:
    """Hands out turns, each the earliest instant at which every rate allows one more request. Thread-safe.

    The turns stand in a SQLite file, so that processes share them. A turn is taken in one short transaction and slept
    for outside it: waiting holds no lock, and who came first goes first.
    """

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Name the file; it and its folder are made by the first turn.

        Args:
            path: The SQLite file.
            clock: Seconds since the epoch: the one clock that processes share.
            sleep: Waits some seconds.
        """
        self._path = path
        self._clock = clock
        self._sleep = sleep

    def wait(self, bucket: str, rates: Sequence[Rate], *, patience: float) -> None:
        """Take the next turn and wait for it.

        Args:
            bucket: Whose count it is: vendor and key, the key not readable.
            rates: All must allow the turn; none: no wait.
            patience: Most seconds to wait.

        Raises:
            RateLimited: The next turn is further away; none was taken.
            HomeNotWritable: The file cannot be made or written.
        """
        if not rates:
            return
        delay = self._take(bucket, rates, patience)
        if delay > patience:
            vendor, shown = bucket.partition(":")[0], ", ".join(map(str, rates))
            raise RateLimited(
                f"{vendor} may be asked {shown} and this is used up for {_span(delay)}; try again later, "
                f"or raise its rate in vendor_rates where your plan allows more.",
                retry_after=delay,
                asked=False,
            )
        if delay > 0:
            self._sleep(delay)

    def used(self, bucket_prefix: str, seconds: float) -> int:
        """Return how many turns of the buckets that begin so were taken in the last seconds."""
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
            # Turns taken later than now are of a clock that was set back since: they count as taken just now.
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
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._path, timeout=BUSY_SECONDS, isolation_level=None)) as connection:
                connection.execute("PRAGMA synchronous=OFF")  # a lost count costs one request, no data
                connection.execute("BEGIN IMMEDIATE")
                with connection:  # commits, or rolls back what failed
                    for statement in _SCHEMA:  # again each time: the file may have been deleted meanwhile
                        connection.execute(statement)
                    yield connection
        except (OSError, sqlite3.Error) as error:
            raise HomeNotWritable(
                f"Cannot keep count of requests in {self._path} ({type(error).__name__}); mend or delete that file, "
                f"or choose another place with the setting home or TRADINGAGENTS_HOME."
            ) from error


def _span(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"
