"""SQLite files: one way to open them, with a named durability."""

from __future__ import annotations

import errno
import os
import sqlite3
import threading
import time
from collections.abc import Sequence
from enum import Enum
from pathlib import Path

from tradingagents.files.private_files import make_folder, private

BUSY_TIMEOUT = 30.0
"""Seconds a process waits for another's transaction. Transactions are short: a lesson or a page of lessons."""

_MAKING = threading.Lock()


class Durability(Enum):
    """What a power failure may cost; a killed process loses nothing. The values are those of `synchronous`."""

    FILE = "OFF"
    """The whole file: for what nobody misses, such as counts of requests."""
    NEWEST = "NORMAL"
    """The newest transactions; a file with a write-ahead log stays intact."""


def open_sqlite(
    path: Path, durability: Durability = Durability.NEWEST, *, patience: float = BUSY_TIMEOUT, threads: bool = False
) -> sqlite3.Connection:
    """Open a file, or make it and its folder.

    Args:
        path: The file.
        durability: What a power failure may cost.
        patience: Seconds to wait for the transactions of others.
        threads: Whether several threads use the connection, one at a time.

    Raises:
        OSError: The folder cannot be made.
        sqlite3.Error: The file cannot be opened.
    """
    make_folder(path.parent)
    # Closing a file drops the locks of every thread on it (POSIX): nobody may connect until it is made and closed.
    with _MAKING:
        if not path.exists():
            os.close(private(str(path), os.O_RDWR | os.O_CREAT))  # its journal and its log take the mode of the file
    connection = sqlite3.connect(path, timeout=patience, check_same_thread=not threads)
    try:
        set_durability(connection, durability)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def set_durability(connection: sqlite3.Connection, durability: Durability) -> None:
    """Set what a power failure may cost from now on."""
    connection.execute(f"PRAGMA synchronous={durability.value}")


def write_ahead(connection: sqlite3.Connection) -> None:
    """Have readers not wait for writers. This is a property of the file."""
    # Changing the mode of a new file fails at once while another process does the same, instead of waiting.
    deadline = time.monotonic() + BUSY_TIMEOUT
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            waits = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not waits or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def make_tables(connection: sqlite3.Connection, version: int, statements: Sequence[str]) -> None:
    """Bring a file to a version of its tables, if it has another.

    Args:
        connection: To the file, outside a transaction.
        version: The file's `user_version` from then on.
        statements: What makes the tables, and drops those of other versions.
    """
    if _version(connection) == version:
        return
    write_ahead(connection)
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        if _version(connection) != version:  # another process may have made them
            for statement in (*statements, f"PRAGMA user_version = {version}"):
                connection.execute(statement)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def is_full(path: Path, error: BaseException) -> bool:
    """Return whether a file could not be written because its disk is full, which SQLite tells in several ways."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, OSError) and seen.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        if isinstance(seen, sqlite3.Error) and getattr(seen, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
            return True
        seen = seen.__cause__ or seen.__context__
    try:
        free = os.statvfs(path if path.exists() else path.parent)
    except OSError:
        return False
    return free.f_bavail * free.f_frsize < LEAST_FREE


LEAST_FREE = 65_536
"""Bytes; a disk with less is full: SQLite may only say that a file cannot be opened."""
