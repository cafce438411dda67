"""Checkpoints: a run's steps, saved until it has ended, in a file in its folder or in Postgres."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from tradingagents.errors import HomeNotWritable
from tradingagents.files.database import DatabaseUnreachable, plain_url
from tradingagents.runtime.checkpoints.step_log import StepLog, StepLogError
from tradingagents.schemas.record import record_types
from tradingagents.settings import Settings

if TYPE_CHECKING:
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    from psycopg import AsyncConnection

LOG = "steps.log"
"""File of the steps of a run."""
DATABASE = "checkpoints.sqlite"
"""File of the steps of a conversation, of which a later run reads the newest; earlier versions wrote one for a run."""
POSTGRES = ("postgresql://", "postgresql+psycopg://", "postgres://")
_SETTING_UP = 7_281_846_902_115
"""Advisory lock held while tables are created, since two processes that create them at once would collide."""


class Checkpoints:
    """The checkpoints of runs."""

    def __init__(self, settings: Settings) -> None:
        """Choose the place: Postgres where `database_url` names one, else each run's own folder; or none at all."""
        url = settings.database_url or ""
        self.enabled = settings.checkpoint_enabled
        self._url = url if url.startswith(POSTGRES) else None
        self._set_up = False

    @asynccontextmanager
    async def of(self, folder: Path, *, lasting: bool = False) -> AsyncIterator[BaseCheckpointSaver[Any] | None]:
        """Yield the checkpoint saver of one run or conversation; None where steps are not saved.

        Args:
            folder: Where its file is or will be.
            lasting: Whether it is a conversation, whose steps later runs need.

        Raises:
            HomeNotWritable: The file cannot be used.
            DatabaseUnreachable: The URL's server does not answer.
        """
        if not self.enabled:
            yield None
        elif self._url is not None:
            async with self._postgres(self._url) as saver:
                yield saver
        else:
            path = folder / DATABASE
            async with _saved_in(path if lasting or path.exists() else folder / LOG) as saver:
                yield saver

    @property
    def remote(self) -> bool:
        """Whether steps are saved on a database server, and must be deleted there."""
        return self.enabled and self._url is not None

    async def forget(self, thread: str) -> None:
        """Delete the steps of a run from the URL's server. Raises as `of` does."""
        if self.enabled and self._url is not None:
            async with self._postgres(self._url) as saver:
                await saver.adelete_thread(thread)

    @asynccontextmanager
    async def _postgres(self, url: str) -> AsyncIterator[AsyncPostgresSaver]:
        try:
            import psycopg
            from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
        except ImportError:
            raise _unreachable(url, "its driver is missing") from None
        address = url.replace("postgresql+psycopg://", "postgresql://", 1)
        try:
            async with AsyncPostgresSaver.from_conn_string(address) as saver:
                saver.serde = _serializer()
                if not self._set_up:
                    await _make_tables(saver)
                    self._set_up = True
                yield saver
        except psycopg.Error as error:
            # The cause would show the address, and with it a password.
            raise _unreachable(url, type(error).__name__) from None


async def _make_tables(saver: AsyncPostgresSaver) -> None:
    """Create missing tables while other processes that want to do so wait."""
    connection = cast("AsyncConnection[dict[str, Any]]", saver.conn)
    # Poll instead of waiting in SQL: CREATE INDEX CONCURRENTLY waits for every running statement, a waiting one too.
    while True:
        cursor = await connection.execute("SELECT pg_try_advisory_lock(%s) AS taken", (_SETTING_UP,))
        if (row := await cursor.fetchone()) and row["taken"]:
            break
        await asyncio.sleep(0.05)
    try:
        await saver.setup()
    finally:
        await connection.execute("SELECT pg_advisory_unlock(%s)", (_SETTING_UP,))


@asynccontextmanager
async def _saved_in(path: Path) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    with _keeping(path):
        if path.name == LOG:
            with closing(StepLog(path, _serializer())) as log:
                yield log
            return
        from tradingagents.runtime.checkpoints.sqlite_checkpoints import RunSteps

        steps = RunSteps(path, _serializer())
        try:
            yield steps
        finally:
            # Closing waits for the disk: in a thread, so that no other run of the loop does.
            await asyncio.shield(asyncio.to_thread(steps.close))


@contextmanager
def _keeping(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, StepLogError) as error:
        raise HomeNotWritable(
            f"Cannot keep the run's steps in {path} ({error}); name a folder with the setting "
            "home or TRADINGAGENTS_HOME."
        ) from error


def _serializer() -> JsonPlusSerializer:
    """Return the serializer of states. Reading back, it makes messages, records and plain values only."""
    return _serializer_for(frozenset((kind.__module__, kind.__name__) for kind in record_types()))


@lru_cache(maxsize=1)  # until further types are imported; each serializer leaves cycles for the garbage collector
def _serializer_for(types: frozenset[tuple[str, str]]) -> JsonPlusSerializer:
    return JsonPlusSerializer(allowed_msgpack_modules=sorted(types))


def _unreachable(url: str, why: str) -> DatabaseUnreachable:
    return DatabaseUnreachable(
        f"Cannot keep the run's steps in {plain_url(url)} ({why}); check TRADINGAGENTS_DATABASE_URL and the server, "
        f"and install the extra `postgres`."
    )
