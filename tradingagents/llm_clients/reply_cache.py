"""Stored replies: the cache of a home in SQLite, and the replies of a run in its folder until it ends.

Checkpoints are written when a step ends. A process killed between a model's answer and the end of its step would lose
the answer, so these lines are written first.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import zlib
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, message_to_dict, messages_from_dict
from langchain_core.runnables import Runnable
from pydantic_core import to_json

from tradingagents.files.json_text import parse_json
from tradingagents.files.sqlite_file import make_tables, open_sqlite
from tradingagents.llm_clients.meter import Used

REPLIES_FILE = Path("cache") / "replies.sqlite"
"""File name in the home folder."""
MAX_BYTES = 1_000_000_000
"""Maximum size; above it the oldest replies are removed. A run of one ticker takes about 50 kB."""
PUTS_BETWEEN_SWEEPS = 500
PATIENCE = 5.0
"""Seconds to wait for another process's write; ours take a millisecond."""
FORMAT = 1
"""File format version. Raise it when the table or the payload changes: files of another version are emptied."""
_SCHEMA = (
    "DROP TABLE IF EXISTS replies",
    "CREATE TABLE replies (request TEXT PRIMARY KEY, model TEXT NOT NULL, kept_at TEXT NOT NULL, reply BLOB NOT NULL)",
    "CREATE INDEX replies_by_age ON replies (kept_at)",
)


class RepliesUnreadable(Exception):
    """The reply cache can't be read or written; the message gives the reason, for a warning."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A stored answer of a model server."""

    model: str
    """`provider/model` that answered."""
    reply: AIMessage | None
    """None if the server refused the request's format and another one was used."""
    refusal: str = ""
    """The server's message about the refusal."""


class KeptReplies:
    """The reply cache of a home folder. The newest reply to a request counts."""

    def __init__(self, path: Path, *, max_bytes: int = MAX_BYTES) -> None:
        """Name the file; it and its folder are created with the first reply.

        Args:
            path: The SQLite file.
            max_bytes: Maximum total size of the replies, compressed.
        """
        self.path = path
        self._max_bytes = max_bytes
        self._unswept = PUTS_BETWEEN_SWEEPS
        self._held = _HeldConnection(path)

    def close(self) -> None:
        """Close the file; a later call opens it again."""
        self._held.close()

    def get(self, request: str) -> Kept | None:
        """Return the stored reply to a request; None if there is none, or it is damaged.

        Args:
            request: Its `request_hash`.

        Raises:
            RepliesUnreadable: The file can't be read.
        """
        if not self.path.exists():
            return None
        with self._held.transaction() as connection:
            row = connection.execute("SELECT model, reply FROM replies WHERE request = ?", (request,)).fetchone()
        return _unpacked(*row) if row else None

    def note(self, request: str, model: Runnable[Any, Any], messages: Sequence[BaseMessage], ask: int = 0) -> None:
        """Learn what a request says before its reply is looked up; this cache needs its hash only."""

    def put(self, request: str, kept: Kept) -> None:
        """Store one reply; see `put_all`."""
        self.put_all([(request, kept)])

    def put_all(self, answers: Sequence[tuple[str, Kept]]) -> None:
        """Store replies, replacing earlier ones to the same requests. Occasionally removes the oldest.

        Args:
            answers: By `request_hash`; the last one of a request counts. Each call is a transaction, which takes longer
                than writing ten replies.

        Raises:
            RepliesUnreadable: The file can't be written, or a reply isn't JSON-serializable; none is stored.
        """
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        rows = [(request, kept.model, now, _packed(kept)) for request, kept in answers]
        with self._held.transaction() as connection:
            connection.executemany("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?)", rows)
            if self._unswept >= PUTS_BETWEEN_SWEEPS:
                self._sweep(connection)
                self._unswept = 0
            self._unswept += len(rows)

    def __len__(self) -> int:
        """Return the number of stored replies."""
        if not self.path.exists():
            return 0
        with self._held.transaction() as connection:
            return int(connection.execute("SELECT COUNT(*) FROM replies").fetchone()[0])

    def _sweep(self, connection: sqlite3.Connection) -> None:
        connection.execute(
            "DELETE FROM replies WHERE request IN (SELECT request FROM (SELECT request, SUM(LENGTH(reply)) OVER "
            "(ORDER BY kept_at DESC, request) AS held FROM replies) WHERE held > ?)",
            (self._max_bytes,),
        )


class _HeldConnection:
    """A connection that stays open: closing the last one of a file waits for the disk. Thread-safe."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._open: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None

    def close(self) -> None:
        with self._lock:
            self._forget()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection, opened anew where the file was replaced or deleted; commit at the end of the block.

        Raises:
            RepliesUnreadable: The file can't be used.
        """
        with self._lock:
            try:
                connection = self._opened()
                make_tables(connection, FORMAT, _SCHEMA)
                self._file = self._file or self._identity()  # SQLite makes the file when it is first used
                with connection:
                    yield connection
            except (OSError, sqlite3.Error) as error:
                self._forget()
                raise RepliesUnreadable(f"{self._path}: {error}") from error

    def _opened(self) -> sqlite3.Connection:
        if self._open is not None and self._identity() != self._file:
            self._forget()
        if self._open is None:
            self._open = open_sqlite(self._path, patience=PATIENCE, threads=True)
        return self._open

    def _identity(self) -> tuple[int, int] | None:
        """Return what tells the file from another one at the same place; None where there is no file."""
        try:
            stat = self._path.stat()
        except FileNotFoundError:
            return None
        return stat.st_dev, stat.st_ino

    def _forget(self) -> None:
        held, self._open, self._file = self._open, None, None
        if held is not None:
            held.close()


def _packed(kept: Kept) -> bytes:
    try:
        text = json.dumps({"reply": message_to_dict(kept.reply) if kept.reply else None, "refusal": kept.refusal})
    except (TypeError, ValueError) as error:
        raise RepliesUnreadable(f"the reply of {kept.model} cannot be written as JSON: {error}") from error
    return zlib.compress(text.encode())


def _unpacked(model: str, packed: bytes) -> Kept | None:
    """Decode a stored reply; None if it is damaged."""
    try:
        told = parse_json(zlib.decompress(packed))
        refusal = str(told["refusal"])
        if told["reply"] is None:
            return Kept(model, None, refusal) if refusal else None
        (reply,) = messages_from_dict([told["reply"]])
    except (ValueError, KeyError, TypeError, zlib.error):
        return None
    return Kept(model, reply) if isinstance(reply, AIMessage) else None


@dataclass(frozen=True, slots=True)
class EarlierReply:
    """A reply that an earlier start of the run received."""

    reply: AIMessage
    used: Used
    counted: bool
    """Whether the run's log contains its usage."""


class RunReplies:
    """The replies of one run, across all its starts."""

    def __init__(
        self, append: Callable[[bytes], None], lines: Iterable[bytes] = (), logged: Iterable[Used] = ()
    ) -> None:
        """Load the replies of earlier starts.

        Args:
            append: Appends a line to a file in the run's folder, on disk when it returns.
            lines: The lines of earlier starts.
            logged: The usage found in their log.
        """
        self._append = append
        self._earlier: dict[str, deque[tuple[AIMessage, Used]]] = defaultdict(deque)
        self._logged = Counter(logged)
        for line in lines:
            if (found := _read(line)) is not None:
                self._earlier[found[0]].append(found[1:])

    def waiting(self) -> Iterator[tuple[str, AIMessage, Used]]:
        """Yield the replies of earlier starts that are not used yet: the request, its reply, its usage."""
        for request, replies in self._earlier.items():
            yield from ((request, reply, used) for reply, used in replies)

    @property
    def is_empty(self) -> bool:
        """Whether all replies of earlier starts are used, or there were none."""
        return not any(self._earlier.values())

    def holds(self, request: str) -> bool:
        """Tell whether `take` has a reply to a request."""
        return bool(self._earlier.get(request))

    def take(self, request: str) -> EarlierReply | None:
        """Return the next reply that an earlier start received for a request; None if the model has to be called."""
        waiting = self._earlier.get(request)
        if not waiting:
            return None
        reply, used = waiting.popleft()
        counted = self._logged[used] > 0
        self._logged[used] -= counted
        return EarlierReply(reply, used, counted)

    def keep(self, request: str, reply: AIMessage, used: Used) -> None:
        """Store a reply.

        Raises:
            HomeNotWritable: The disk is full, or the folder is gone.
        """
        line = {"request": request, "reply": message_to_dict(reply), "used": used.to_dict()}
        self._append(to_json(line, fallback=str))


def _read(line: bytes) -> tuple[str, AIMessage, Used] | None:
    """Parse a line; None if it is damaged or of another version."""
    try:
        told = parse_json(line)
        (reply,) = messages_from_dict([told["reply"]])
        request, used = told["request"], Used.of(told["used"])
    except (ValueError, KeyError, TypeError):
        return None
    whole = isinstance(reply, AIMessage) and isinstance(request, str) and used is not None
    return (request, reply, used) if whole else None  # type: ignore[return-value]  # mypy does not see through `whole`
