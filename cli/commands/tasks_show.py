"""`tradingagents tasks show`: show a background task, and follow it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags
from ..task_output import TaskId, print_event, print_task, with_workspace

if TYPE_CHECKING:
    from tradingagents.schemas.workspace import TaskInfo
    from tradingagents.service.workspace.workspace import Workspace


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
