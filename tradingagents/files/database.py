"""A database that several processes may share: an SQLite file in the home folder, or PostgreSQL by URL."""

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tradingagents.errors import ConfigurationError, HomeNotWritable
from tradingagents.files.redaction import redacted_url
from tradingagents.files.sqlite_file import is_full, open_sqlite, write_ahead

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, MetaData

_WRITES = "tradingagents_writes"
_MAKING_TABLES = 7_281_846_902_116
"""Number of the PostgreSQL advisory lock that keeps two processes from creating tables at the same time."""


class DatabaseUnreachable(ConfigurationError):
    """The database server does not answer, or its driver is missing."""


class Database:
    """A database, opened by the first transaction, which creates missing tables. Thread-safe."""

    def __init__(
        self, address: Path | str, tables: MetaData, fill_in: Callable[[Connection, str], None] | None = None
    ) -> None:
        """Set the address; nothing is created or contacted yet.

        Args:
            address: An SQLite file, or a SQLAlchemy URL such as `postgresql+psycopg://user@host/name`.
            tables: The tables. Columns missing in a database of an earlier version are added; they must be nullable.
            fill_in: Called in the same transaction with each column just added, named `table.column`, to fill it.
        """
        self._address = address
        self._tables = tables
        self._fill_in = fill_in
        self._engine: Engine | None = None
        self._opening = threading.Lock()
        self._finalizer: weakref.finalize[Any, Any] | None = None

    def close(self) -> None:
        """Close the connections; a later transaction opens the database again."""
        with self._opening:
            finalizer, self._finalizer, self._engine = self._finalizer, None, None
        if finalizer is not None:
            finalizer()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection with a consistent view of the database that does not wait for writers.

        Raises:
            HomeNotWritable: The file cannot be created or read.
            DatabaseUnreachable: The server does not answer.
        """
        with self._explained(), self._open().connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield the only writing connection; commit at the end of the block, or roll back after an error.

        Raises as `reading` does.
        """
        with self._explained(), self._open().execution_options(**{_WRITES: True}).begin() as connection:
            yield connection

    def _open(self) -> Engine:
        with self._opening:
            if self._engine is None:
                from sqlalchemy import create_engine, event

                if isinstance(self._address, Path):
                    engine = create_engine(f"sqlite:///{self._address}", creator=partial(_connected, self._address))
                    event.listen(engine, "begin", _begin)
                else:
                    engine = create_engine(self._address, pool_pre_ping=True)
                self._finalizer = weakref.finalize(self, engine.dispose)
                # One process creates what is missing, while the others wait.
                with engine.execution_options(**{_WRITES: True}).begin() as connection:
                    if connection.dialect.name == "postgresql":
                        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MAKING_TABLES})")
                    self._tables.create_all(connection)
                    for name in _add_missing_columns(connection, self._tables):
                        if self._fill_in is not None:
                            self._fill_in(connection, name)
                self._engine = engine
            return self._engine

    @contextmanager
    def _explained(self) -> Iterator[None]:
        from sqlalchemy.exc import SQLAlchemyError

        try:
            yield
        except (SQLAlchemyError, ImportError, OSError, ValueError, TypeError) as error:
            # Stored values that do not fit their column, such as broken JSON, raise ValueError or TypeError.
            if isinstance(self._address, Path) and is_full(self._address, error):
                raise HomeNotWritable(
                    f"Cannot write to {self._address} (No space left on device); free space on its disk, or choose "
                    "another place with the setting home or TRADINGAGENTS_HOME. Nothing that was stored is lost."
                ) from error
            if isinstance(self._address, Path):
                raise HomeNotWritable(
                    f"Cannot use {self._address} ({type(error).__name__}); unlock that file or put a copy of it back, "
                    f"or choose another place with the setting home or TRADINGAGENTS_HOME."
                ) from error
            # The cause is suppressed because it would show the URL, and possibly a password.
            raise DatabaseUnreachable(
                f"Cannot use the database {plain_url(self._address)} ({type(error).__name__}); check the address and "
                f"the server, and install the extra `postgres` for a Postgres one."
            ) from None


def _add_missing_columns(connection: Connection, tables: MetaData) -> list[str]:
    """Add the columns that an earlier version lacks; return them as `table.column`."""
    from sqlalchemy import inspect
    from sqlalchemy.schema import CreateColumn

    added = []
    inspector = inspect(connection)
    for table in tables.sorted_tables:
        present = {column["name"] for column in inspector.get_columns(table.name)}
        for column in table.columns:
            if column.name not in present:
                definition = CreateColumn(column).compile(dialect=connection.dialect)
                connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {definition}")
                added.append(f"{table.name}.{column.name}")
    return added


def plain_url(url: str) -> str:
    """Return a URL without user, password and tokens; malformed URLs are cleaned too."""
    return redacted_url(url) if "://" in url else url.partition("@")[0]


def _connected(path: Path) -> sqlite3.Connection:
    connection = open_sqlite(path, threads=True)
    connection.isolation_level = None  # sqlite3 would begin transactions itself, and only before the first write
    try:
        write_ahead(connection)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _begin(connection: Connection) -> None:
    # Writers lock at once: a transaction that reads first could fail because the file changed before it writes.
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
