"""SQLite checkpoints written on the event loop: nobody else uses a run's file, and a write takes 0.1 ms.

LangGraph's saver for asyncio passes every statement to a thread; with three statements a step that takes several times
as long as the writing itself.
"""

from __future__ import annotations

import inspect
import sqlite3
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.sqlite import SqliteSaver

from tradingagents.database import BUSY_TIMEOUT


class RunSteps(SqliteSaver):
    """The steps of one run, in a file of its own."""

    def __init__(self, path: Path, serde: SerializerProtocol) -> None:
        """Open the file, or make it.

        Raises:
            sqlite3.Error: It cannot be made, or is no database.
        """
        connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT, check_same_thread=False)
        super().__init__(connection, serde=serde)
        try:
            # Empty tables need not survive a power cut; waiting for the disk here would hold up every run of the loop.
            connection.execute("PRAGMA synchronous=OFF")
            self.setup()
            connection.execute("PRAGMA synchronous=NORMAL")  # a killed process loses nothing, a power cut a step
        except sqlite3.Error:
            connection.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self.conn.close()

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint; see `SqliteSaver.get_tuple`."""
        return self.get_tuple(config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Yield checkpoints; see `SqliteSaver.list`."""
        for one in self.list(config, filter=filter, before=before, limit=limit):
            yield one

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Keep a checkpoint; see `SqliteSaver.put`."""
        return self.put(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Keep what a task did; see `SqliteSaver.put_writes`."""
        self.put_writes(config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete a run's steps; see `SqliteSaver.delete_thread`."""
        self.delete_thread(thread_id)


# LangGraph looks at the signature of this method whenever a graph or a part of one begins, twelve times a run.
RunSteps.aput_writes.__signature__ = inspect.signature(RunSteps.aput_writes)  # type: ignore[attr-defined]
