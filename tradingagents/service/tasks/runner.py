"""`TaskRunner`: the tasks that this process works on, queued and executed in order, a few at a time."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from tradingagents.errors import AwaitingApproval, Interrupted, TradingAgentsError
from tradingagents.runtime.request import Request
from tradingagents.runtime.task_kind import Lane, TaskKind, TaskOutcome
from tradingagents.schemas.workspace import TaskStatus
from tradingagents.service.tasks.control import WorkspaceTaskControl
from tradingagents.service.tasks.errors import TaskFailed, TaskQueueFull, error_info
from tradingagents.service.tasks.ray_engine import RayEngine
from tradingagents.service.tasks.services import ServicePool
from tradingagents.service.tasks.work import TaskWork

MOST_WAITING = 256
"""Tasks that may wait here; each holds its lock, which is an open file."""
TURNS_AT_ONCE = 64
CANCEL_POLL_SECONDS = 0.25
"""How often requests of other processes to cancel are looked for."""

logger = logging.getLogger(__name__)
logger.addHandler(logging.NullHandler())


@dataclass
class _Job:
    work: TaskWork
    kind: TaskKind[Any]
    request: Request
    running: asyncio.Task[TaskOutcome] | None = None
    ended: asyncio.Task[None] | None = None
    cancelled: bool = False
    elsewhere: bool = False
    """Whether another process works on it for this one."""


class TaskRunner:
    """Executes tasks. For one event loop."""

    def __init__(
        self,
        pool: ServicePool,
        at_once: int,
        control_of: Callable[[TaskWork], WorkspaceTaskControl],
        before_end: Callable[[TaskWork], Awaitable[None]],
        engine: RayEngine | None = None,
    ) -> None:
        """Begin with nothing to do.

        Args:
            pool: Services of all tasks.
            at_once: Most tasks of the lane `runs` at a time.
            control_of: Makes the control of one start of a task.
            before_end: Awaited for a task that has ended or waits, before its last event tells so.
            engine: Takes tasks that cost money to other processes; None for none.
        """
        self._pool, self._control_of, self._before_end = pool, control_of, before_end
        self._engine = engine
        self._limits: dict[Lane, int] = {"runs": at_once, "turns": TURNS_AT_ONCE}
        self._waiting: dict[Lane, deque[_Job]] = {"runs": deque(), "turns": deque()}
        self._running: dict[Lane, int] = {"runs": 0, "turns": 0}
        self._jobs: dict[str, _Job] = {}
        self._watch: asyncio.Task[None] | None = None
        self.closing = False

    def work_of(self, task_id: str) -> TaskWork | None:
        """Return a task that is queued or running here."""
        job = self._jobs.get(task_id)
        return None if job is None or job.elsewhere else job.work

    def knows(self, task_id: str) -> bool:
        """Return whether a task is queued or running here, or elsewhere for this process."""
        return task_id in self._jobs

    async def ended(self, task_id: str) -> None:
        """Wait until a task that runs here has ended or waits for a person."""
        while (job := self._jobs.get(task_id)) is not None and job.ended is not None:
            await asyncio.wait({job.ended})

    def assert_room(self) -> None:
        """Check that one more task may wait.

        Raises:
            TaskQueueFull: There are too many.
        """
        waiting = sum(map(len, self._waiting.values()))
        if waiting >= MOST_WAITING:
            raise TaskQueueFull(f"{waiting} tasks are waiting, which is the most; start this one when some have ended.")

    def submit(self, work: TaskWork, kind: TaskKind[Any], request: Request) -> None:
        """Queue a task."""
        job = self._jobs[work.task_id] = _Job(work, kind, request)
        self._waiting[kind.lane].append(job)
        self._dispatch(kind.lane)

    async def cancel(self, task_id: str, patience: float) -> None:
        """Stop a task for good, and wait a while until it has stopped."""
        job = self._jobs[task_id]
        await self._cancel(job)
        if job.ended is not None:
            await asyncio.wait({job.ended}, timeout=patience)

    async def close(self, drain_seconds: float) -> None:
        """Stop all work; the tasks stay queued on disk, and the next process continues them."""
        self.closing = True
        for lane in self._waiting.values():
            while lane:
                job = lane.popleft()
                del self._jobs[job.work.task_id]
                job.work.close()
        ended = {job.ended for job in self._jobs.values() if job.ended is not None}
        if ended:
            self._pool.interrupt()
            if self._engine is not None:
                await self._engine.close()
            await asyncio.wait(ended, timeout=drain_seconds)
            for job in self._jobs.values():
                if job.running is not None:
                    job.running.cancel()
            await asyncio.wait(ended)
        if self._watch is not None:
            self._watch.cancel()

    def _dispatch(self, lane: Lane) -> None:
        while self._waiting[lane] and self._running[lane] < self._limits[lane] and not self.closing:
            job = self._waiting[lane].popleft()
            self._running[lane] += 1
            job.ended = asyncio.create_task(self._execute(job, lane), name=f"task {job.work.task_id}")
        if self._jobs and self._watch is None:
            self._watch = asyncio.create_task(self._watch_cancels(), name="task cancels")

    async def _execute(self, job: _Job, lane: Lane) -> None:
        try:
            if self._engine is not None and job.kind.policy.costs_money and lane == "runs":
                await self._attempt_elsewhere(job, self._engine)
            else:
                await self._attempt(job)
        except Exception:
            logger.exception("Task %s cannot be written", job.work.task_id)  # the next `recover` tries again
        finally:
            job.work.close()
            del self._jobs[job.work.task_id]
            self._running[lane] -= 1
            self._dispatch(lane)

    async def _attempt_elsewhere(self, job: _Job, engine: RayEngine) -> None:
        """Leave the task to another process, which takes the lock that is released here, and wait for it."""
        job.elsewhere = True
        job.work.close()
        await engine.run(job.work.task_id)

    async def _attempt(self, job: _Job) -> None:
        """Do the work once, and record how it ended."""
        work = job.work
        if work.folder.cancel_requested:
            job.cancelled = True
        if job.cancelled:
            await self._end(work, "cancelled")
            return
        work.set_status("running")
        control = self._control_of(work)
        job.running = asyncio.create_task(job.kind.run(job.request, control), name=f"work {work.task_id}")
        try:
            await asyncio.wait({job.running})
            await self._record(job, job.running)
        finally:
            control.release()

    async def _record(self, job: _Job, done: asyncio.Task[TaskOutcome]) -> None:
        """Record how a start ended."""
        work = job.work
        error = None if done.cancelled() else done.exception()
        if done.cancelled() or isinstance(error, Interrupted):
            await self._record_stop(job, error)
        elif error is None:
            outcome = done.result()
            artifacts = tuple(dict.fromkeys((*work.info.artifacts, *outcome.artifacts)))
            work.change(artifacts=artifacts)
            await self._end(work, "done", result=outcome.result)
        elif isinstance(error, AwaitingApproval):
            await self._end(work, "awaiting_approval", str(error), resumable=True)
        elif isinstance(error, TradingAgentsError):
            await self._fail(job, error)
        else:
            logger.error("Task %s ended unexpectedly", work.task_id, exc_info=error)
            name = type(error).__name__
            failure = TaskFailed(f"An unexpected {name} ended the task; the log of the process shows where.")
            await self._fail(job, failure)

    async def _fail(self, job: _Job, error: TradingAgentsError) -> None:
        told = error_info(error)
        goes_on = job.kind.goes_on_after(told, job.work.info.run_ids)
        await self._end(job.work, "failed", error=told, resumable=goes_on)

    async def _record_stop(self, job: _Job, error: BaseException | None) -> None:
        if job.cancelled:
            await self._end(job.work, "cancelled")
        elif self.closing:
            job.work.set_status("queued", "Interrupted with its process; the next one continues it.")
        else:
            stopped = error if isinstance(error, Interrupted) else Interrupted("The task was interrupted; resume it.")
            await self._end(job.work, "interrupted", error=error_info(stopped), resumable=True)

    async def _end(self, work: TaskWork, status: TaskStatus, message: str = "", **values: Any) -> None:
        work.set_status(status, told=False, **values)
        await self._before_end(work)
        work.tell_status(message)
        work.folder.unmark_open()

    async def _cancel(self, job: _Job) -> None:
        if job.cancelled:
            return
        job.cancelled = True
        lane = self._waiting[job.kind.lane]
        if job.ended is None:
            lane.remove(job)
            try:
                await self._end(job.work, "cancelled")
            finally:
                del self._jobs[job.work.task_id]
                job.work.close()
        elif job.running is not None:
            job.running.cancel()

    async def _watch_cancels(self) -> None:
        """Stop tasks that other processes ask to cancel."""
        while self._jobs:
            for job in list(self._jobs.values()):
                if not job.cancelled and not job.elsewhere and job.work.folder.cancel_requested:
                    await self._cancel(job)
            await asyncio.sleep(CANCEL_POLL_SECONDS)
        self._watch = None
