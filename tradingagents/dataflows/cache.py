"""Answers of remote vendors on disk, keyed by vendor, question and cut-off, each kind with its lifetime."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tradingagents.dataflows.codec import decode, encode
from tradingagents.dataflows.rows import MacroSeries, Prices
from tradingagents.errors import HomeNotWritable

LIVE_LIFETIME = {
    "get_stock_data": timedelta(minutes=15),
    "get_indicators": timedelta(minutes=15),
    "get_news": timedelta(minutes=15),
    "get_global_news": timedelta(minutes=15),
    "get_topic_news": timedelta(minutes=15),
    "get_market_movers": timedelta(minutes=15),
    "get_market_indices": timedelta(minutes=15),
    "get_sector_performance": timedelta(minutes=15),
    "get_earnings_calendar": timedelta(hours=1),
    "get_economic_calendar": timedelta(hours=1),
    "get_social_posts": timedelta(minutes=15),
    "get_filings": timedelta(hours=1),
    "get_fundamentals": timedelta(hours=1),
    "get_insider_transactions": timedelta(hours=6),
    "get_profile": timedelta(days=7),
}
"""How long an answer about today stays good; statements and what else is not named: a day."""
LIVE_DEFAULT = timedelta(days=1)
PAST_LIFETIME = timedelta(days=30)
"""A question about a past day has one answer; it is asked again at times because vendors mend their data."""

_SCHEMA = "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, method TEXT, stored_at TEXT, payload BLOB)"


class DiskCache:
    """A folder's cache of vendor answers. Several processes may use it at once."""

    def __init__(self, path: Path) -> None:
        """Name the cache file; it and its folder are made when first used.

        Args:
            path: The SQLite file.
        """
        self._path = path
        self._ready = False

    def get(self, key: str, method: str, *, live: bool, now: datetime) -> Any | None:
        """Return the stored answer, or None where there is none or it is too old.

        Raises:
            HomeNotWritable: The file cannot be made, read or written; so in `put`.
        """
        with self._connection() as connection:
            row = connection.execute("SELECT stored_at, payload FROM answers WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        lifetime = LIVE_LIFETIME.get(method, LIVE_DEFAULT) if live else PAST_LIFETIME
        if now - datetime.fromisoformat(row[0]) > lifetime:
            return None
        return decode(method, json.loads(zlib.decompress(row[1])))

    def put(self, key: str, method: str, answer: Any, *, now: datetime) -> None:
        """Store an answer; an empty one is never stored."""
        if isinstance(answer, (tuple, Prices, MacroSeries)) and not len(answer):
            return
        payload = zlib.compress(json.dumps(encode(method, answer), allow_nan=True).encode())
        with self._connection() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)",
                (key, method, now.astimezone(UTC).isoformat(), payload),
            )

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            if not self._ready:
                self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._path, timeout=30)) as connection:
                if not self._ready:
                    connection.execute("PRAGMA journal_mode=WAL")
                    connection.execute(_SCHEMA)
                    self._ready = True
                with connection:
                    yield connection
        except (OSError, sqlite3.Error) as error:
            raise HomeNotWritable(
                f"Cannot write to the cache {self._path} ({error}); remove it, or name a folder with --home or "
                "TRADINGAGENTS_HOME."
            ) from error


def cache_key(vendor: str, method: str, args: tuple[object, ...], cutoff: datetime, *, live: bool) -> str:
    """Return the key of a question: the same vendor, method, arguments and cut-off (today's are one and the same)."""
    asked = [vendor, method, [str(arg) for arg in args], "live" if live else cutoff.isoformat()]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()
