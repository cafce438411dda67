"""Model replies in SQLite, by the hash of the request. Processes and threads may share the file."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from langchain_core.messages import AIMessage, message_to_dict, messages_from_dict

from tradingagents.json_text import parse_json

REPLIES_FILE = Path("cache") / "replies.sqlite"
"""Where it lies in the home folder."""
MOST_BYTES = 1_000_000_000
"""Above this the oldest replies go. A run of one ticker takes some 50 kB."""
PUTS_BETWEEN_SWEEPS = 500
PATIENCE = 5.0
"""Seconds to wait for another process's write; ours take a millisecond."""
FORMAT = 1
"""Of the file. Raise it when the table or the payload changes: files of another format are emptied."""
_SCHEMA = (
    "DROP TABLE IF EXISTS replies",
    "CREATE TABLE replies (request TEXT PRIMARY KEY, model TEXT NOT NULL, kept_at TEXT NOT NULL, reply BLOB NOT NULL)",
    "CREATE INDEX replies_by_age ON replies (kept_at)",
    f"PRAGMA user_version = {FORMAT}",
)


class RepliesUnreadable(Exception):
    """The file of kept replies cannot be read or written; the message says why, for a warning."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a model's server answered."""

    model: str
    """`provider/model` of who answered."""
    reply: AIMessage | None
    """None where the server refused the form of the request, and was asked in another."""
    refusal: str = ""
    """What was said of the refusal then."""


class KeptReplies:
    """A folder's replies. The newest reply to a request is the one that stands."""

    def __init__(self, path: Path, *, most_bytes: int = MOST_BYTES) -> None:
        """Name the file; it and its folder are made by the first reply that is kept.

        Args:
            path: The SQLite file.
            most_bytes: How much replies may take together, compressed.
        """
        self.path = path
        self._most_bytes = most_bytes
        self._unswept = PUTS_BETWEEN_SWEEPS

    def get(self, request: str) -> Kept | None:
        """Return what a request was answered; None where that is not kept, or is damaged.

        Args:
            request: Its `request_hash`.

        Raises:
            RepliesUnreadable: The file cannot be read.
        """
        if not self.path.exists():
            return None
        with self._connection() as connection:
            row = connection.execute("SELECT model, reply FROM replies WHERE request = ?", (request,)).fetchone()
        return _unpacked(*row) if row else None

    def put(self, request: str, kept: Kept) -> None:
        """Keep what one request was answered; see `put_all`."""
        self.put_all([(request, kept)])

    def put_all(self, answers: Sequence[tuple[str, Kept]]) -> None:
        """Keep what requests were answered, in place of earlier answers. At times the oldest are removed.

        Args:
            answers: By `request_hash`; of the same request the last one stands. One call opens the file once, which
                takes longer than writing ten replies.

        Raises:
            RepliesUnreadable: The file cannot be written, or a reply holds what JSON does not; none is kept.
        """
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        rows = [(request, kept.model, now, _packed(kept)) for request, kept in answers]
        with self._connection() as connection:
            connection.executemany("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?)", rows)
            if self._unswept >= PUTS_BETWEEN_SWEEPS:
                self._sweep(connection)
                self._unswept = 0
            self._unswept += len(rows)

    def __len__(self) -> int:
        """Return how many replies are kept."""
        if not self.path.exists():
            return 0
        with self._connection() as connection:
            return int(connection.execute("SELECT COUNT(*) FROM replies").fetchone()[0])

    def _sweep(self, connection: sqlite3.Connection) -> None:
        connection.execute(
            "DELETE FROM replies WHERE request IN (SELECT request FROM (SELECT request, SUM(LENGTH(reply)) OVER "
            "(ORDER BY kept_at DESC, request) AS held FROM replies) WHERE held > ?)",
            (self._most_bytes,),
        )

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=PATIENCE)) as connection:
                connection.execute("PRAGMA synchronous=NORMAL")  # a power cut may cost replies, never the file
                if _format(connection) != FORMAT:
                    _prepare(connection)
                with connection:
                    yield connection
        except (OSError, sqlite3.Error) as error:
            raise RepliesUnreadable(f"{self.path}: {error}") from error


def _format(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        if _format(connection) != FORMAT:  # another process may have been first
            for statement in _SCHEMA:
                connection.execute(statement)


def _packed(kept: Kept) -> bytes:
    try:
        text = json.dumps({"reply": message_to_dict(kept.reply) if kept.reply else None, "refusal": kept.refusal})
    except (TypeError, ValueError) as error:
        raise RepliesUnreadable(f"the reply of {kept.model} cannot be written as JSON: {error}") from error
    return zlib.compress(text.encode())


def _unpacked(model: str, packed: bytes) -> Kept | None:
    """Return what was kept; None where it is damaged."""
    try:
        told = parse_json(zlib.decompress(packed))
        refusal = str(told["refusal"])
        if told["reply"] is None:
            return Kept(model, None, refusal) if refusal else None
        (reply,) = messages_from_dict([told["reply"]])
    except (ValueError, KeyError, TypeError, zlib.error):
        return None
    return Kept(model, reply) if isinstance(reply, AIMessage) else None
