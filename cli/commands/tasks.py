"""`tradingagents tasks`: list, show and follow, cancel and resume background work."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..groups import CommandEntry, command_group

if TYPE_CHECKING:
    from tradingagents.schemas.workspace import TaskEvent, TaskInfo
    from tradingagents.service.workspace.workspace import Workspace

    from ..console import Terminal

HELP = "Manage background tasks: list, show and follow, cancel, resume."
_CODES = "Exit codes: 0 done · 2 usage, or no such task · 3 configuration · 130 interrupted."
_RESUMED = "Exit codes: 0 done · 2 usage · 7 a person must approve · 130 interrupted · else as the task's error says."

app = command_group(
    HELP,
    {
        "list": CommandEntry("tasks:list_tasks", "List tasks, newest first.", _CODES),
        "show": CommandEntry(
            "tasks:show", "Show a task: its status, progress, result or error, runs and files.", _CODES
        ),
        "cancel": CommandEntry("tasks:cancel", "Stop a task for good, whichever process works on it.", _CODES),
        "resume": CommandEntry(
            "tasks:resume",
            "Continue a task that failed or was interrupted, or answer one that waits for approval.",
            _RESUMED,
        ),
    },
)


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

    from ..layout import Column, reasoned_table
    from ..text import one_line

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
    from ..text import one_line

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
    from ..text import one_line

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


_WHICH = options.HelpPanel("Which")


@with_options(options.LIST)
def list_tasks(
    session: Annotated[str | None, _WHICH.option("--session ID", "Only tasks that this session started.")] = None,
    limit: Annotated[int, _WHICH.option("--limit N", "Maximum to show.", min=1, max=1000)] = 20,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """List tasks, newest first.

    Turns of conversations are left out.
    """

    async def found(workspace: Workspace) -> tuple[TaskInfo, ...]:
        return await workspace.tasks(session_id=session, limit=limit)

    tasks = with_workspace(flags, found)
    if terminal.json:
        terminal.print_json({"tasks": [task.model_dump(mode="json") for task in tasks]})
    elif tasks:
        print_tasks(terminal, tasks)
    elif not terminal.quiet:
        terminal.err.print(
            "No task here; the web page, HTTP, MCP and the assistant start them: tradingagents serve.", markup=False
        )
    return 0


@with_options(options.LIST, lambda given: {"task_id": given["task"]})
def show(
    task: TaskId,
    follow: Annotated[
        bool, options.HelpPanel("Show").option("--follow, -f", "Show events until it ends or waits for a person.")
    ] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Show a task: its status, progress, result or error, runs and files."""

    async def found(workspace: Workspace) -> TaskInfo:
        if follow:
            async for event in workspace.task_events(task):
                print_event(terminal, event)
        return await workspace.task(task)

    info = with_workspace(flags, found)
    if terminal.json:
        terminal.print_json(info.model_dump(mode="json"))
    else:
        print_task(terminal, info)
    return 0


@with_options(options.LIST, lambda given: {"task_id": given["task"]})
def cancel(task: TaskId, *, flags: Flags, terminal: Terminal) -> int:
    """Stop a task for good, whichever process works on it.

    A task that has ended stays as it is. Steps that its run has finished stay on disk.
    """

    async def stopped(workspace: Workspace) -> TaskInfo:
        return await workspace.cancel_task(task)

    info = with_workspace(flags, stopped)
    if terminal.json:
        terminal.print_json(info.model_dump(mode="json"))
    elif not terminal.quiet:
        terminal.print_text(f"Task {info.task_id} is {info.status.replace('_', ' ')}.")
    return 0


_REVIEW = options.HelpPanel("Review")


@with_options(options.TASK_RESUME, lambda given: {"task_id": given["task"]})
def resume(
    task: TaskId,
    verdict: Annotated[
        str | None, _REVIEW.option("--verdict V", "approve, revise or reject, for a task that waits for approval.")
    ] = None,
    note: Annotated[str, _REVIEW.option("--note TEXT", "Why, or what to reconsider.")] = "",
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Continue a task that failed or was interrupted, or answer one that waits for approval.

    This process works on it until it ends. Limits may be raised.
    """
    given = {
        "verdict": verdict,
        "note": note or None,
        "budget_usd": flags.budget_usd,
        "max_llm_calls": flags.max_llm_calls,
    }
    answer: dict[str, Any] = {name: value for name, value in given.items() if value is not None}

    async def ended(workspace: Workspace) -> TaskInfo:
        began = datetime.now(UTC).isoformat(timespec="microseconds")
        await workspace.resume_task(task, answer or None)
        async for event in workspace.task_events(task):
            if event.ts >= began:
                print_event(terminal, event)
        return await workspace.task(task)

    info = with_workspace(flags, ended)
    if terminal.json:
        terminal.print_json(info.model_dump(mode="json"))
    else:
        print_task(terminal, info)
    return exit_code_of(info)
