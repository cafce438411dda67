"""Conversations of clients that name them in their own way, and the sessions they belong to."""

from __future__ import annotations

import asyncio
import hashlib
from datetime import UTC, datetime

from sqlalchemy import Column, DateTime, MetaData, String, Table, delete, insert, select

from tradingagents.files.database import Database
from tradingagents.settings import Settings

FILE = "server.sqlite"
TABLES = MetaData()
THREADS = Table(
    "server_threads",
    TABLES,
    Column("thread", String(64), primary_key=True),
    Column("session_id", String(200), nullable=False),
    Column("updated_at", DateTime(timezone=True), nullable=False),
)


class ThreadMap:
    """Remembers the session of each foreign conversation, for every process of a server."""

    def __init__(self, settings: Settings) -> None:
        """Set the place; nothing is opened yet."""
        self._database = Database(settings.database_url or settings.home_dir / FILE, TABLES)

    async def session_of(self, client: str, thread: str) -> str | None:
        """Return the session of a conversation; None where it is new."""
        return await asyncio.to_thread(self._read, _key(client, thread))

    async def remember(self, client: str, thread: str, session_id: str) -> None:
        """Note the session of a conversation."""
        await asyncio.to_thread(self._write, _key(client, thread), session_id)

    def close(self) -> None:
        """Close the connections."""
        self._database.close()

    def _read(self, key: str) -> str | None:
        with self._database.reading() as connection:
            return connection.scalar(select(THREADS.c.session_id).where(THREADS.c.thread == key))

    def _write(self, key: str, session_id: str) -> None:
        with self._database.writing() as connection:
            connection.execute(delete(THREADS).where(THREADS.c.thread == key))
            connection.execute(insert(THREADS).values(thread=key, session_id=session_id, updated_at=datetime.now(UTC)))


def _key(client: str, thread: str) -> str:
    return hashlib.sha256(f"{client}\0{thread}".encode()).hexdigest()
