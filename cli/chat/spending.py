"""What a conversation has used of language models: its turns, its consultations, and the runs it started."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from tradingagents.schemas.workspace import ENDED
from tradingagents.service.tasks.folder import EVENTS
from tradingagents.service.tasks.journal import read_events

from ..progress import Spent

if TYPE_CHECKING:
    from tradingagents.schemas.workspace import TaskInfo
    from tradingagents.service.workspace.workspace import Workspace

MOST_TASKS = 1000
TASKS = "tasks"
"""Folder of all tasks under `home`."""


class SessionSpending:
    """Sums the model calls of a conversation; the journal of a task that has ended is read once."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._ended: dict[str, Spent] = {}

    async def total(self, workspace: Workspace, session_id: str) -> Spent:
        """Return the use of all tasks of a session, turns that failed or were stopped included."""
        whole = Spent()
        tasks = await workspace.task_manager.list(session_id=session_id, limit=MOST_TASKS, unlisted=True)
        for task in tasks:
            whole.take_in(self._ended.get(task.task_id) or await self._of(workspace, task))
        return whole

    async def _of(self, workspace: Workspace, task: TaskInfo) -> Spent:
        """Return the use of a task so far, from its journal."""
        path = workspace.settings.home_dir / TASKS / task.task_id / EVENTS
        spent = await asyncio.to_thread(_used_in, path)
        if task.status in ENDED:
            self._ended[task.task_id] = spent
        return spent


def _used_in(journal: Path) -> Spent:
    spent, place, before = Spent(), 0, -1
    while place > before:
        before = place
        events, place = read_events(journal, place)
        for event in events:
            if event.type == "usage":
                spent.add(event.data)
    return spent
