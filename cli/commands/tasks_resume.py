"""`tradingagents tasks resume`: continue a background task in this process, or answer one that waits."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags
from ..task_output import TaskId, exit_code_of, print_event, print_task, with_workspace

if TYPE_CHECKING:
    from tradingagents.schemas.workspace import TaskInfo
    from tradingagents.service.workspace.workspace import Workspace

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
