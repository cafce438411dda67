"""Caches of vendors' answers: on disk for remote vendors, and in memory for the life of a graph.

The disk cache is keyed by vendor, request and cut-off, with a lifetime per method. `encode` and `decode` write answers
as JSON, also for recordings and recorded answers.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import zlib
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from tradingagents.dataflows.models import Dividend, ListingEnd, MacroSeries, Prices, Split
from tradingagents.dataflows.vendor import METHODS
from tradingagents.dataflows.vendor_method import VendorMethod
from tradingagents.errors import HomeNotWritable
from tradingagents.files.json_text import parse_json
from tradingagents.files.sqlite_file import make_tables, open_sqlite

ARRAYS = ("open", "high", "low", "close", "adj_close", "volume")


@cache
def _adapter(answer_type: Any) -> TypeAdapter[Any]:
    return TypeAdapter(answer_type)


def encode(method: VendorMethod[..., Any], answer: Any) -> Any:
    """Return a vendor's answer as plain values for JSON; NaN prices stay NaN."""
    if isinstance(answer, Prices):
        plain = {name: getattr(answer, name).tolist() for name in ARRAYS}
        plain["days"] = np.datetime_as_string(answer.days, unit="D").tolist()
        for name in ("symbol", "currency", "vendor", "basis", "splits_listed"):
            plain[name] = getattr(answer, name)
        plain["fetched_at"] = answer.fetched_at.isoformat()
        plain["splits_since"] = answer.splits_since.isoformat() if answer.splits_since else None
        plain["splits"] = [[split.day.isoformat(), split.ratio] for split in answer.splits]
        plain["dividends"] = [[paid.day.isoformat(), paid.amount] for paid in answer.dividends]
        if answer.ended is not None:
            plain["ended"] = _adapter(ListingEnd).dump_python(answer.ended, mode="json")
        return plain
    return _adapter(method.answer_type).dump_python(answer, mode="json")


def decode(method: VendorMethod[..., Any], plain: Any) -> Any:
    """Decode an answer.

    Raises:
        ValueError: It isn't an answer to this method. Malformed prices may also raise KeyError or TypeError.
    """
    if method.answer_type is Prices:
        return _prices(plain)
    return _adapter(method.answer_type).validate_python(plain, strict=False)


def _prices(plain: dict[str, Any]) -> Prices:
    arrays = {name: np.array(plain[name], dtype=np.float64) for name in ARRAYS}
    return Prices(
        symbol=plain["symbol"],
        days=np.array(plain["days"], dtype="datetime64[D]"),
        currency=plain["currency"],
        vendor=plain["vendor"],
        basis=plain["basis"],
        splits_listed=plain.get("splits_listed", True),
        splits_since=date.fromisoformat(plain["splits_since"]) if plain.get("splits_since") else None,
        fetched_at=datetime.fromisoformat(plain["fetched_at"]),
        splits=tuple(Split(date.fromisoformat(day), ratio) for day, ratio in plain["splits"]),
        dividends=tuple(Dividend(date.fromisoformat(day), amount) for day, amount in plain["dividends"]),
        ended=_adapter(ListingEnd).validate_python(plain["ended"]) if plain.get("ended") else None,
        withheld=None,
        gate_notes=(),
        untraded=(),
        lost=(),
        **arrays,
    )


PAST_LIFETIME = timedelta(days=30)
"""Lifetime of answers about past days. They don't change, except when vendors correct their data."""
SETTLES = timedelta(days=7)
RECENT_LIFETIME = timedelta(days=1)
"""Lifetime of answers fetched within `SETTLES` of their cut-off: vendors add some of a day's news, filings and
corrections days later."""
EARLIER_KEPT = timedelta(days=180)
"""How long the last good answer to a question is kept, to hold the next one against it."""
MAX_BYTES = 1_000_000_000
"""Maximum size; above it the oldest answers are removed."""
PUTS_BETWEEN_SWEEPS = 500

CACHE_FILE = Path("cache") / "answers.sqlite"
"""File name in the home folder."""
FORMAT = 6
"""File format version. Raise it when the tables or the meaning of rows change: files of another version are emptied."""
_SCHEMA = """
    DROP TABLE IF EXISTS answers;
    DROP TABLE IF EXISTS uses;
    DROP TABLE IF EXISTS earlier;
    CREATE TABLE answers (
        key TEXT PRIMARY KEY, vendor TEXT NOT NULL, method TEXT NOT NULL, subject TEXT NOT NULL,
        live INTEGER NOT NULL, stored_at TEXT NOT NULL, payload BLOB NOT NULL
    );
    CREATE INDEX answers_by_age ON answers (stored_at);
    CREATE TABLE earlier (
        about TEXT PRIMARY KEY, vendor TEXT NOT NULL, stored_at TEXT NOT NULL, payload BLOB NOT NULL, doubted_since TEXT
    );
    CREATE TABLE uses (
        vendor TEXT, method TEXT, hits INTEGER NOT NULL, misses INTEGER NOT NULL, PRIMARY KEY (vendor, method)
    )
"""


@dataclass(frozen=True)
class Question:
    """A request to a vendor for a cut-off. Requests about today share one key all day."""

    vendor: str
    method: VendorMethod[..., Any]
    args: tuple[object, ...]
    cutoff: datetime
    live: bool
    """Whether the cut-off is now."""
    address: str = ""
    """URL used instead of the vendor's own."""

    @cached_property
    def key(self) -> str:
        """Equal for equal requests only."""
        at = "live" if self.live else self.cutoff.astimezone(UTC).isoformat()
        asked = [self.vendor, self.address, self.method.name, [str(arg) for arg in self.args], at]
        return hashlib.sha256(json.dumps(asked).encode()).hexdigest()

    @cached_property
    def about(self) -> str:
        """Equal for requests that differ in their days only."""
        asked = [str(value) for value in self.args if not isinstance(value, date) and value != "cut-off"]
        return json.dumps([self.vendor, self.address, self.method.vendor_name, asked])

    @property
    def subject(self) -> str:
        """The requested symbol, series, topic or sector; empty for the market."""
        first = self.args[0] if self.args else None
        return first if isinstance(first, str) else ""

    def lifetime(self, stored_at: datetime) -> timedelta:
        """Return how long an answer stored at that time is valid."""
        if self.live:
            return self.method.lifetime
        return RECENT_LIFETIME if stored_at - self.cutoff < SETTLES else PAST_LIFETIME


@dataclass(frozen=True, slots=True)
class Earlier:
    """The last good answer to a question, whatever its days."""

    answer: Any
    stored_at: datetime
    """UTC."""


@dataclass(frozen=True, slots=True)
class Held:
    """Cached entries and hits of one vendor and method."""

    vendor: str
    method: str
    entries: int = 0
    subjects: int = 0
    """Distinct symbols, series or topics; the market counts as one."""
    size: int = 0
    """Bytes, compressed."""
    oldest: datetime | None = None
    """UTC; None if there are no entries."""
    newest: datetime | None = None
    hits: int = 0
    misses: int = 0
    """Since the file was created or emptied."""

    @property
    def hit_rate(self) -> float | None:
        """Share of requests answered from the cache, 0 to 1; None before the first."""
        asked = self.hits + self.misses
        return self.hits / asked if asked else None


class DiskCache:
    """The cache of a home folder. Safe for concurrent use by processes and threads."""

    def __init__(self, path: Path, *, max_bytes: int = MAX_BYTES, expires: bool = True) -> None:
        """Name the cache file; it and its folder are created on first use.

        Args:
            path: The SQLite file. One of another format is emptied.
            max_bytes: Maximum total size of the answers.
            expires: Whether an answer older than its lifetime counts as none.
        """
        self.path = path
        self._expires = expires
        self._max_bytes = max_bytes
        self._puts = 0

    def get(self, question: Question, *, now: datetime) -> Any | None:
        """Return the stored answer; None if there is none, it has expired, or it was stored later than now.

        Raises:
            HomeNotWritable: The file can't be created, read or written. All methods raise it.
        """
        with self._connection() as connection:
            row = connection.execute(
                "SELECT stored_at, payload FROM answers WHERE key = ? AND vendor = ? AND method = ?",
                (question.key, question.vendor, question.method.name),
            ).fetchone()
            good = row is not None and (not self._expires or _is_good(question, row[0], now))
            answer = _unpacked(question.method, row[1]) if good else None
            connection.execute(
                "INSERT INTO uses VALUES (?1, ?2, ?3, 1 - ?3) ON CONFLICT (vendor, method) "
                "DO UPDATE SET hits = hits + ?3, misses = misses + 1 - ?3",
                (question.vendor, question.method.name, int(answer is not None)),
            )
        return answer

    def put(self, question: Question, answer: Any, *, now: datetime) -> None:
        """Store an answer unless it is empty. Occasionally removes expired and excess entries."""
        if isinstance(answer, (tuple, Prices, MacroSeries)) and not len(answer):
            return
        payload = zlib.compress(json.dumps(encode(question.method, answer), allow_nan=True).encode())
        asked = (question.key, question.vendor, question.method.name, question.subject, question.live)
        with self._connection() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)", (*asked, _stamp(now), payload)
            )
            connection.execute(
                "INSERT OR REPLACE INTO earlier VALUES (?, ?, ?, ?, NULL)",
                (question.about, question.vendor, _stamp(now), payload),
            )
            if self._puts % PUTS_BETWEEN_SWEEPS == 0:
                self._sweep(connection, now)
            self._puts += 1

    def earlier(self, question: Question, *, now: datetime) -> Earlier | None:
        """Return the last good answer to a question, of whatever days; None if there is none stored before now."""
        with self._connection() as connection:
            row = connection.execute(
                "SELECT payload, stored_at FROM earlier WHERE about = ? AND stored_at < ?",
                (question.about, _stamp(now)),
            ).fetchone()
        answer = _unpacked(question.method, row[0]) if row is not None else None
        return None if answer is None else Earlier(answer, datetime.fromisoformat(row[1]))

    def doubt(self, question: Question, *, now: datetime) -> datetime:
        """Note that a new answer disagrees with the last good one, and return since when one does."""
        with self._connection() as connection:
            connection.execute(
                "UPDATE earlier SET doubted_since = COALESCE(doubted_since, ?) WHERE about = ?",
                (_stamp(now), question.about),
            )
            row = connection.execute("SELECT doubted_since FROM earlier WHERE about = ?", (question.about,)).fetchone()
        return now if row is None else datetime.fromisoformat(row[0])

    def held(self) -> tuple[Held, ...]:
        """Return the entries by vendor and method; () if there is no file."""
        if not self.path.exists():
            return ()
        with self._connection() as connection:
            answers = connection.execute(
                "SELECT vendor, method, COUNT(*), COUNT(DISTINCT subject), SUM(LENGTH(payload)), MIN(stored_at), "
                "MAX(stored_at) FROM answers GROUP BY vendor, method"
            ).fetchall()
            uses = connection.execute("SELECT vendor, method, hits, misses FROM uses").fetchall()
        held = {(row[0], row[1]): Held(*row[:5], *map(datetime.fromisoformat, row[5:7])) for row in answers}
        for vendor, method, hits, misses in uses:
            one = held.get((vendor, method), Held(vendor, method))
            held[vendor, method] = replace(one, hits=hits, misses=misses)
        return tuple(held[kind] for kind in sorted(held))

    def clear(self, vendor: str | None = None) -> int:
        """Remove the answers and counts of one vendor, or of all; return the number of answers removed."""
        if not self.path.exists():
            return 0
        which = "WHERE vendor = ?1 OR ?1 IS NULL"
        with self._connection() as connection:
            removed = connection.execute(f"DELETE FROM answers {which}", (vendor,)).rowcount  # noqa: S608 - a constant
            connection.execute(f"DELETE FROM uses {which}", (vendor,))  # noqa: S608 - a constant
            connection.execute(f"DELETE FROM earlier {which}", (vendor,))  # noqa: S608 - a constant
        with self._connection() as connection:
            connection.execute("VACUUM")
        return removed

    def _sweep(self, connection: sqlite3.Connection, now: datetime) -> None:
        for method in METHODS.values():
            aged = (method.name, _stamp(now - method.lifetime))
            connection.execute("DELETE FROM answers WHERE live AND method = ? AND stored_at < ?", aged)
        connection.execute("DELETE FROM answers WHERE stored_at < ?", (_stamp(now - PAST_LIFETIME),))
        connection.execute("DELETE FROM earlier WHERE stored_at < ?", (_stamp(now - EARLIER_KEPT),))
        connection.execute(
            "DELETE FROM answers WHERE key IN (SELECT key FROM (SELECT key, SUM(LENGTH(payload)) OVER "
            "(ORDER BY stored_at DESC, key) AS held FROM answers) WHERE held > ?)",
            (self._max_bytes,),
        )

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(open_sqlite(self.path)) as connection:
                make_tables(connection, FORMAT, _SCHEMA.split(";"))
                with connection:
                    yield connection
        except (OSError, sqlite3.Error) as error:
            raise HomeNotWritable(
                f"Cannot write to the cache {self.path} ({error}); remove it, or name a folder with the setting "
                "home or TRADINGAGENTS_HOME."
            ) from error


def _is_good(question: Question, stored_at: str, now: datetime) -> bool:
    stored = datetime.fromisoformat(stored_at)
    return timedelta(0) <= now - stored <= question.lifetime(stored)


def _unpacked(method: VendorMethod[..., Any], payload: bytes) -> Any | None:
    """Decode an answer; None if it is damaged, or written by another version."""
    try:
        return decode(method, parse_json(zlib.decompress(payload)))
    except (ValueError, KeyError, TypeError, zlib.error):
        return None


def _stamp(instant: datetime) -> str:
    """Format an instant so that strings sort by time."""
    return instant.astimezone(UTC).isoformat(timespec="microseconds")


class Memo:
    """A bounded cache of immutable values with least-recently-used eviction. Thread-safe."""

    def __init__(self, size: int) -> None:
        """Start empty.

        Args:
            size: Maximum number of values.
        """
        self._size = size
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()
        self._held: dict[Hashable, Any] = {}
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Any | None:
        """Return the value of a key; None if there is none."""
        with self._lock:
            if key in self._held:
                return self._held[key]
            answer = self._answers.get(key)
            if answer is not None:
                self._answers.move_to_end(key)
            return answer

    def put(self, key: Hashable, answer: Any) -> None:
        """Store a value."""
        with self._lock:
            self._answers[key] = answer
            self._answers.move_to_end(key)
            while len(self._answers) > self._size:
                self._answers.popitem(last=False)

    def hold(self, key: Hashable, value: Any) -> None:
        """Store a value that is never evicted."""
        with self._lock:
            self._held[key] = value

    def put_first(self, key: Hashable, answer: Any) -> Any:
        """Store a value unless there is one; return the one that is stored."""
        with self._lock:
            kept = self._answers.setdefault(key, answer)
            self._answers.move_to_end(key)
            while len(self._answers) > self._size:
                self._answers.popitem(last=False)
            return kept

    def pop(self, key: Hashable) -> Any | None:
        """Remove a value and return it; None if there is none."""
        with self._lock:
            return self._held.pop(key, None) or self._answers.pop(key, None)

    def __len__(self) -> int:
        """Return the number of values."""
        with self._lock:
            return len(self._held) + len(self._answers)
