"""Tasks on the terminal: as a table, one in full, and their events as they happen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from .flags import Flags, read_both

if TYPE_CHECKING:
    from tradingagents.schemas.workspace import TaskEvent, TaskInfo
    from tradingagents.service.workspace.workspace import Workspace

    from .console import Terminal

T = TypeVar("T")
TaskId = Annotated[str, typer.Argument(metavar="TASK", help="The task's id; see tradingagents tasks list.")]
GOOD = ("done", "running", "queued")
QUIET_EVENTS = ("token", "message", "usage", "tool_end", "node_end")
"""Events that are not shown line by line."""


def with_workspace(flags: Flags, work: Callable[[Workspace], Awaitable[T]]) -> T:
    """Do work with the home folder's workspace; other processes' tasks are left to them.

    Raises:
        TradingAgentsError: As the work raises.
    """
    from tradingagents.service.workspace.workspace import Workspace

    settings, environ = read_both(flags)

    async def done() -> T:
        workspace = Workspace(settings, environ, face="cli")  # not entered: that would take over tasks
        try:
            return await work(workspace)
        finally:
            await workspace.close()

    return asyncio.run(done())


def print_tasks(terminal: Terminal, tasks: Sequence[TaskInfo]) -> None:
    """Print a table of tasks with their ids."""
    from rich.text import Text

    from .layout import Column, reasoned_table
    from .text import one_line

    columns = (
        Column("Created"),
        Column("Kind"),
        Column("What", gives_way=True),
        Column("Status"),
        Column("Progress", right=True),
    )
    lines = [
        (
            (
                Text(f"{task.created_at:%Y-%m-%d %H:%M}"),
                Text(task.kind.replace("_", " ")),
                Text(one_line(task.title), style="bold"),
                Text(task.status.replace("_", " "), style="" if task.status in GOOD else "red"),
                Text(progress_text(task)),
            ),
            task.task_id,
        )
        for task in tasks
    ]
    terminal.out.print(reasoned_table(columns, "Task", lines, terminal.out.width))


def print_task(terminal: Terminal, task: TaskInfo) -> None:
    """Print all that is known of a task."""
    from .text import one_line

    rows: list[tuple[str, Any]] = [
        ("Task", task.task_id),
        ("What", f"{task.kind.replace('_', ' ')}: {task.title}"),
        ("Status", task.status.replace("_", " ")),
        ("Progress", f"{progress_text(task)} {task.progress.step} {task.progress.message}".strip()),
        ("Session", task.session_id),
        *(("Run", run_id) for run_id in task.run_ids),
        *(("Artifact", artifact_id) for artifact_id in task.artifacts),
        ("Error", None if task.error is None else task.error.message),
    ]
    rows += [(key.replace("_", " "), value) for key, value in (task.result or {}).items() if _is_plain(value)]
    for name, value in rows:
        if value not in (None, "", []):
            terminal.print_text(f"{name}: {one_line(str(value))}")


def print_event(terminal: Terminal, event: TaskEvent) -> None:
    """Print an event on stderr as one line."""
    from .text import one_line

    if terminal.quiet or terminal.json or event.type in QUIET_EVENTS:
        return
    where = f"{event.node}: " if event.node and not event.message.startswith(event.node) else ""
    terminal.err.print(f"{event.type:<12} {where}{one_line(event.message)[:240]}", markup=False, style="dim")


def progress_text(task: TaskInfo) -> str:
    """Return how many parts of a task are finished."""
    done = task.progress
    if done.total is not None:
        return f"{done.done}/{done.total}"
    return str(done.done) if done.done else ""


def exit_code_of(task: TaskInfo) -> int:
    """Return the exit code of a command that waited for a task."""
    from tradingagents.errors import AwaitingApproval, Interrupted

    if task.error is not None:
        return task.error.exit_code
    if task.status == "awaiting_approval":
        return AwaitingApproval.exit_code
    return 0 if task.status in GOOD else Interrupted.exit_code


def _is_plain(value: Any) -> bool:
    return isinstance(value, (str, int, float, bool))
