"""A task in a process of its own that kills itself, as nothing can be prepared for. The moment is told as JSON:

{"line": 4, "before": true}    the journal's line number 4 is about to be written
{"line": 4}                    it is on disk, and nobody was told of it yet
{"line": 4, "torn": true}      half of it is on disk
{"status": "done"}             task.json tells the status, the journal does not yet
{"unmark": true}               all is written but that the task is not open any more
{"run": true}                  the task knows its run, which has not begun
{"event": "node_end", "node": "Trader"}   the run's event is on disk
{}                             never; the process ends when it is told to
"""

from __future__ import annotations

import asyncio
import os
import signal
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from tests.support.task_kinds import StepsKind, manager_of
from tests.support.warm import fork
from tradingagents.service.tasks import journal, work
from tradingagents.service.tasks.control import WorkspaceTaskControl
from tradingagents.service.tasks.folder import TaskFolder

KILLED = -signal.SIGKILL


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def arm(moment: dict[str, Any]) -> None:
    """Have the process kill itself at a moment."""
    write, tell, unmark = journal._write_all, work.TaskWork.tell_status, TaskFolder.unmark_open
    on_event, run_started = work.TaskWork.on_event, WorkspaceTaskControl.run_started

    def write_all(file: int, line: bytes) -> None:
        here = moment.get("line") is not None and f'"seq":{moment["line"]},'.encode() in line.replace(b": ", b":")
        if here and moment.get("before"):
            die()
        if here and moment.get("torn"):
            write(file, line[: len(line) // 2])
            die()
        write(file, line)
        if here:
            die()

    def tell_status(self: work.TaskWork, *given: Any) -> None:
        if self.info.status == moment.get("status"):
            die()
        tell(self, *given)

    def unmark_open(self: TaskFolder) -> None:
        if moment.get("unmark"):
            die()
        unmark(self)

    def note(self: work.TaskWork, event: Any) -> None:
        on_event(self, event)
        if (event.type, event.node) == (moment.get("event"), moment.get("node")):
            die()

    def note_run(self: WorkspaceTaskControl, run_id: str, **named: Any) -> None:
        run_started(self, run_id, **named)
        if moment.get("run"):
            die()

    journal._write_all = write_all
    WorkspaceTaskControl.run_started = note_run  # type: ignore[method-assign]
    work.TaskWork.tell_status = tell_status  # type: ignore[method-assign]
    TaskFolder.unmark_open = unmark_open  # type: ignore[method-assign]
    work.TaskWork.on_event = note  # type: ignore[method-assign]


async def main(home: Path, kind: str, request: dict[str, Any], moment: dict[str, Any]) -> None:
    arm(moment)
    async with manager_of(home, StepsKind(), auto_settle=False) as manager:
        info = await manager.start(kind, request)
        async for _ in manager.events(info.task_id):
            pass


def process_with_task(home: Path, kind: str, request: dict[str, Any], moment: dict[str, Any]) -> BaseProcess:
    """Start a process that works on a task until it kills itself; return the process."""
    return fork(_run, home, kind, request, moment)


def _run(home: Path, kind: str, request: dict[str, Any], moment: dict[str, Any]) -> None:
    asyncio.run(main(home, kind, request, moment))
