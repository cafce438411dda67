"""Tools that start, follow and end tasks: how a call waits, reports progress, and is cancelled."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import Mapping
from typing import Any

from tradingagents.errors import UsageError
from tradingagents.files.plain_text import one_line
from tradingagents.schemas.workspace import ENDED, TaskInfo
from tradingagents.service.mcp.resources import ResourceShelf
from tradingagents.service.mcp.tools import LONGEST_WAIT
from tradingagents.service.mcp_client.sdk import Report, Wire
from tradingagents.service.workspace.api import WorkspaceApi

REPORT_SECONDS = 0.5
"""Least time between two progress notifications of a call."""
LONGEST_MESSAGE = 200
CANCEL_SECONDS = 10.0
"""How long the end of a cancelled call waits for its task to be cancelled."""


class TaskCalls:
    """Answers the tools on tasks."""

    def __init__(self, workspace: WorkspaceApi, resources: ResourceShelf) -> None:
        self._workspace, self._resources = workspace, resources
        self.leaving = False
        """Whether the client or the server goes: calls that then end do not cancel their tasks."""

    async def start(self, kind: str, given: Mapping[str, Any], report: Report) -> Wire:
        """Start a task and wait for it as long as asked; cancelling the call meanwhile cancels the task."""
        request = dict(given)
        wait, as_of = read_wait(request.pop("wait", 0)), request.pop("as_of", None)
        info = await self._workspace.start_task(kind, request, as_of=as_of)
        try:
            return await self._waited(info.task_id, wait, report)
        except asyncio.CancelledError:
            if not self.leaving:
                await self._cancel_for_certain(info.task_id)
            raise

    async def result(self, given: Mapping[str, Any], report: Report) -> Wire:
        """Wait for a task as long as asked; cancelling the call leaves the task alone."""
        return await self._waited(task_id_of(given), read_wait(given.get("wait", 0)), report)

    async def status(self, given: Mapping[str, Any]) -> Wire:
        """Tell how a task stands."""
        return await self._answer(await self._workspace.task(task_id_of(given)))

    async def cancel(self, given: Mapping[str, Any]) -> Wire:
        """Stop a task for good."""
        return await self._answer(await self._workspace.cancel_task(task_id_of(given)))

    async def list(self, given: Mapping[str, Any]) -> Wire:
        """List the newest tasks."""
        limit = given.get("limit", 20)
        if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= 100:
            raise UsageError("limit is a whole number from 1 to 100; correct it.")
        tasks = await self._workspace.tasks(limit=limit)
        lines = [f"- {task.task_id}: {task.kind} {task.title}, {task.status}" for task in tasks]
        return {
            "content": [{"type": "text", "text": "\n".join(lines) or "There are no tasks."}],
            "structuredContent": {"tasks": [task.model_dump(mode="json") for task in tasks]},
        }

    async def _waited(self, task_id: str, wait: float, report: Report) -> Wire:
        if wait:
            try:
                async with asyncio.timeout(wait):
                    await self._follow(task_id, report)
            except TimeoutError:
                pass
        return await self._answer(await self._workspace.task(task_id))

    async def _follow(self, task_id: str, report: Report) -> None:
        """Report progress, by the rising numbers of its events, until the task has ended or waits for a person."""
        told = -math.inf
        async for event in self._workspace.task_events(task_id):
            now = time.monotonic()
            if event.type == "task" or now - told >= REPORT_SECONDS:
                told = now
                await report(event.seq + 1, None, await self._said(task_id, event.message or event.node or event.type))

    async def _said(self, task_id: str, message: str) -> str:
        progress = (await self._workspace.task(task_id)).progress
        part = f" ({progress.done} of {progress.total})" if progress.total else ""
        return f"{one_line(message)[:LONGEST_MESSAGE]}{part}"

    async def _cancel_for_certain(self, task_id: str) -> None:
        import anyio  # only a server that runs has it

        with anyio.move_on_after(CANCEL_SECONDS, shield=True):
            await self._workspace.cancel_task(task_id)

    async def _answer(self, info: TaskInfo) -> Wire:
        """Return a task as a tool's answer, with links to what it made once it has ended."""
        content: list[Wire] = [{"type": "text", "text": task_text(info)}]
        if info.status in ENDED:
            for run_id in info.run_ids:
                content += await self._resources.run_links(run_id, f"{info.kind} {info.title}")
            content += await self._resources.artifact_links(info.artifacts)
        return {"content": content, "structuredContent": info.model_dump(mode="json")}


def task_text(info: TaskInfo) -> str:
    """Return how a task stands, as a model reads it."""
    lines = [f"Task {info.task_id} ({info.kind}: {info.title}) is {info.status}."]
    if info.status not in ENDED:
        if info.progress.total:
            lines.append(f"Finished parts: {info.progress.done} of {info.progress.total}.")
        if info.progress.step:
            lines.append(f"At: {info.progress.step} {info.progress.message}".rstrip() + ".")
        lines.append(
            "A person must approve it first; agents cannot."
            if info.status == "awaiting_approval"
            else "Follow it with task_result, which can wait."
        )
    if info.error is not None:
        lines.append(f"{info.error.code}: {info.error.message}")
    for name, value in (info.result or {}).items():
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        lines.append(f"- {name}: {shown}")
    return "\n".join(lines)


def task_id_of(given: Mapping[str, Any]) -> str:
    """Return the id that a call names.

    Raises:
        UsageError: It names none.
    """
    found = given.get("task_id")
    if not isinstance(found, str) or not found:
        raise UsageError("Name the task by its task_id; list_tasks lists them.")
    return found


def read_wait(value: Any) -> float:
    """Return how long a call waits.

    Raises:
        UsageError: It is no number of seconds, or too long.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= LONGEST_WAIT:
        raise UsageError(f"wait is a number of seconds from 0 to {LONGEST_WAIT}; correct it.")
    return float(value)
