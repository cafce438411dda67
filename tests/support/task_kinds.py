"""Kinds of tasks that take milliseconds, for tests of the machinery around them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from tradingagents.errors import AwaitingApproval, NoData
from tradingagents.runtime.request import Request
from tradingagents.runtime.task_kind import TaskControl, TaskKind, TaskOutcome
from tradingagents.schemas.workspace import TaskEvent, TaskInfo, TaskPolicy
from tradingagents.service.tasks.manager import TaskManager
from tradingagents.service.tasks.registry import built_in_kinds
from tradingagents.settings import Settings


class StepsRequest(Request):
    steps: int = Field(3, ge=0, le=100_000)
    text: str = ""
    hold_at: int | None = None
    fail_at: int | None = None
    wait_at: int | None = None


class StepsKind(TaskKind[StepsRequest]):
    """Emits one event a step; continues after the last step that an earlier start has noted."""

    name = "steps"
    summary = "Count."
    request = StepsRequest
    policy = TaskPolicy(costs_money=False, writes=False)

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        """Opens for those that hold."""
        self.running: set[str] = set()
        self.most_running = 0
        self.order: list[str] = []
        self.starts: list[tuple[str, int]] = []

    def title(self, request: StepsRequest) -> str:
        return f"{request.steps} steps {request.text}".strip()

    def check_answer(self, info: TaskInfo, answer: Mapping[str, Any] | None) -> dict[str, Any]:
        return dict(answer or {})

    async def run(self, request: StepsRequest, control: TaskControl) -> TaskOutcome:
        task_id = control.info.task_id
        begin = int(control.state.get("done", 0))
        self.running.add(task_id)
        self.order.append(request.text or task_id)
        self.starts.append((task_id, begin))
        self.most_running = max(self.most_running, len(self.running))
        try:
            for step in range(begin, request.steps):
                control.emit("progress", f"step {step}", data={"step": step, "text": request.text})
                control.remember(done=step + 1)
                control.progress(done=step + 1, total=request.steps)
                if step == request.hold_at:
                    await self.gate.wait()
                if step == request.fail_at and not control.answer:
                    raise NoData("There are no data for this step; resume it with an answer.")
                if step == request.wait_at and not control.answer:
                    control.emit("approval", "waits", data={"waiting": True})
                    raise AwaitingApproval("The step waits for approval; answer it.", run_id="none")
                await asyncio.sleep(0)
        finally:
            self.running.discard(task_id)
        return TaskOutcome({"steps": request.steps, "answer": control.answer})


def manager_of(home: Path, *kinds: TaskKind[Any], environ: Mapping[str, str] | None = None, **more: Any) -> TaskManager:
    """Return a manager that knows further kinds."""
    market: dict[str, Any] = {"data_vendor": "simulated", "tool_vendors": {}}
    settings = Settings(home=home, drain_seconds=0.2, **{**market, **more})
    return TaskManager(settings, environ or {}, kinds=built_in_kinds().with_kinds(kinds))


async def all_events(manager: TaskManager, task_id: str, after: int = -1) -> list[TaskEvent]:
    """Return the events of a task until it rests."""
    return [event async for event in manager.events(task_id, after)]


async def until(condition: Any, seconds: float = 20) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)
