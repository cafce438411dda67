"""SQLite checkpoints written on the event loop: nobody else uses a run's file, and a write takes 0.1 ms.

LangGraph's saver for asyncio passes every statement to a thread; with three statements a step that takes several times
as long as the writing itself.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.sqlite import SqliteSaver

from tradingagents.files.sqlite_file import Durability, open_sqlite, set_durability
from tradingagents.runtime.checkpoints.step_log import OnLoop


class RunSteps(OnLoop, SqliteSaver):
    """The steps of one conversation, or of a run that an earlier version began, in a file of its own."""

    def __init__(self, path: Path, serde: SerializerProtocol) -> None:
        """Open the file, or make it.

        Raises:
            sqlite3.Error: It cannot be made, or is no database.
        """
        # Empty tables need not survive a power cut; waiting for the disk here would hold up every run of the loop.
        connection = open_sqlite(path, Durability.FILE, threads=True)
        super().__init__(connection, serde=serde)
        try:
            self.setup()
            set_durability(connection, Durability.NEWEST)
        except sqlite3.Error:
            connection.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self.conn.close()

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete a run's steps; see `SqliteSaver.delete_thread`."""
        self.delete_thread(thread_id)
