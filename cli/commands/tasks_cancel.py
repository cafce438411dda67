"""`tradingagents tasks cancel`: stop a background task for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags
from ..task_output import TaskId, with_workspace

if TYPE_CHECKING:
    from tradingagents.schemas.workspace import TaskInfo
    from tradingagents.service.workspace.workspace import Workspace


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
