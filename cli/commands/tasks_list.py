"""`tradingagents tasks list`: list background tasks, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags
from ..task_output import print_tasks, with_workspace

if TYPE_CHECKING:
    from tradingagents.schemas.workspace import TaskInfo
    from tradingagents.service.workspace.workspace import Workspace

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
