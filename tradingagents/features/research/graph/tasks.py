"""Carries out the tasks of a plan: each as soon as the tasks it depends on have ended, within a limit.

Each task is a LangGraph task: its result is on disk before the next step begins, so that a run which was killed carries
out no finished task twice. All are started at once, in the order of the plan (LangGraph tells them apart by it), and
wait for those they depend on.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langgraph.errors import GraphBubbleUp
from langgraph.func import task as langgraph_task
from langgraph.runtime import RunControl

from tradingagents.context import RunContext
from tradingagents.errors import BudgetReached, Interrupted, ReplyNotKept, TradingAgentsError
from tradingagents.features.research.agents.schemas import ResearchTask, TaskType
from tradingagents.features.research.schemas import TaskResultRecord
from tradingagents.schemas.facts import FactRecord

_log = logging.getLogger(__name__)
STEP = "execute"
FAILED_NOTE = "Task failed after retry, skipped"


@dataclass(frozen=True)
class TaskOutput:
    """What one attempt at a task gave."""

    findings: str
    facts: list[FactRecord]


class ResearchTaskFailed(TradingAgentsError):
    """A task has no result; the message says why."""

    exit_code = 4


Attempt = Callable[[ResearchTask, Mapping[str, TaskResultRecord]], Awaitable[TaskOutput]]
"""Carries out a task once, from the results of the tasks it depends on."""


class TaskBoard:
    """The tasks of one iteration, under way."""

    def __init__(
        self,
        context: RunContext,
        tasks: Sequence[ResearchTask],
        iteration: int,
        attempt: Attempt,
        *,
        seconds: float,
        most: int,
        finished: Mapping[str, TaskResultRecord] | None = None,
        control: RunControl | None = None,
    ) -> None:
        """Set the tasks; nothing begins yet.

        Args:
            context: The run's context.
            tasks: A valid plan's tasks.
            iteration: Its number, from 1.
            attempt: Carries out one task.
            seconds: Limit of one attempt.
            most: Tasks at work at the same time.
            finished: Results that an earlier start of the run has told of, by key.
            control: Says whether the run is to stop: tasks under way may then end, and no other begins.
        """
        self._finished = finished or {}
        self._context, self._tasks, self._iteration, self._attempt = context, tasks, iteration, attempt
        self._seconds, self._places = seconds, asyncio.Semaphore(most)
        loop = asyncio.get_running_loop()
        self._ended: dict[str, asyncio.Future[TaskResultRecord]] = {task.id: loop.create_future() for task in tasks}
        self._by_id = {task.id: task for task in tasks}
        self._stopped: BudgetReached | Interrupted | None = None
        self._control = control

    async def alone(self, task: ResearchTask) -> TaskResultRecord:
        """Carry out one task outside a plan; return its result. Raises as `run` does."""
        if (known := self._finished.get(key_of(self._iteration, task.id))) and _is_of(known, task):
            return known
        return await self._attempted(task, {})

    async def run(self) -> dict[str, TaskResultRecord]:
        """Carry out all tasks; return their results by key.

        Raises:
            BudgetReached: The run may make no further call; tasks that were under way have ended, and no other began.
            Interrupted: The run is to stop; likewise.
        """

        @langgraph_task
        async def research_task(task_id: str) -> TaskResultRecord:
            return await self._carried_out(self._by_id[task_id])

        started = [research_task(task.id) for task in self._tasks]
        watched = [
            asyncio.ensure_future(self._told(task, result)) for task, result in zip(self._tasks, started, strict=True)
        ]
        try:
            await self._all_ended(watched)
        finally:
            for future in (*watched, *self._ended.values()):
                future.cancel()
        results = [future.result() for future in watched]
        return {result.key: result for result in results}

    async def _all_ended(self, watched: Sequence[asyncio.Future[TaskResultRecord]]) -> None:
        """Wait for all tasks; an error ends the wait, but tasks that the budget found under way may end."""
        open_ones: set[asyncio.Future[TaskResultRecord]] = set(watched)
        while open_ones:
            ended, open_ones = await asyncio.wait(open_ones, return_when=asyncio.FIRST_EXCEPTION)
            for future in ended:
                error = future.exception()
                if error is not None and error is not self._stopped and not isinstance(error, BudgetReached):
                    raise error
        if self._stopped is not None:
            raise self._stopped

    async def _told(self, task: ResearchTask, result: Awaitable[TaskResultRecord]) -> TaskResultRecord:
        """Wait for a task, and let those that depend on it begin."""
        try:
            ended = await result
        except BaseException as error:
            if not self._ended[task.id].done():
                self._ended[task.id].set_exception(error)
                self._ended[task.id].exception()  # noted: nobody may be waiting
            raise
        if not self._ended[task.id].done():
            self._ended[task.id].set_result(ended)
        return ended

    async def _carried_out(self, task: ResearchTask) -> TaskResultRecord:
        """Wait for what a task depends on, then carry it out; a failure is retried once, then it is skipped."""
        if (known := self._finished.get(key_of(self._iteration, task.id))) and _is_of(known, task):
            return known  # told of, but the process died before the step was on disk
        needed = {task_id: await self._ended[task_id] for task_id in task.depends_on}
        lost = [task_id for task_id, result in needed.items() if result.status != "completed"]
        if lost and task.task_type is TaskType.USE_TOOLS:
            return self._skipped(task, lost)
        async with self._places:
            return await self._attempted(task, needed)

    async def _attempted(self, task: ResearchTask, needed: Mapping[str, TaskResultRecord]) -> TaskResultRecord:
        self._assert_may_begin()
        began = time.perf_counter()
        self._emit("running", task)
        reason = ""
        for attempt in (1, 2):
            self._assert_may_begin()
            limit = asyncio.timeout(self._seconds)
            try:
                async with limit:
                    output = await self._attempt(task, needed)
            except BudgetReached as reached:
                self._stopped = self._stopped or reached
                raise
            except (ReplyNotKept, Interrupted, GraphBubbleUp):
                raise
            except TradingAgentsError as error:
                reason = str(error)
            except Exception as error:  # noqa: BLE001 - a bug in one task must not take the others with it
                expired = limit.expired()
                reason = f"it took longer than {self._seconds:g} s" if expired else self._told_bug(task, error)
            else:
                seconds = round(time.perf_counter() - began, 3)
                result = self._record(task, "completed", attempt, seconds, output)
                self._emit("completed", task, sources=_names(output.facts), result=result.as_json())
                return result
        seconds = round(time.perf_counter() - began, 3)
        note = f"{FAILED_NOTE}: {reason}"
        result = self._record(task, "failed", 2, seconds, note=note)
        self._emit("failed", task, note=note, result=result.as_json())
        return result

    def _assert_may_begin(self) -> None:
        """Raise what ends the run, if anything does: no further attempt begins then."""
        if self._stopped is None and self._control is not None and self._control.drain_requested:
            self._stopped = Interrupted("The run is to stop.")
        if self._stopped is not None:
            raise self._stopped

    def _told_bug(self, task: ResearchTask, error: Exception) -> str:
        """Log an error that is no failure of a source or a model; return what the result says of it."""
        said = f"an unexpected {type(error).__name__}"
        _log.warning("%s of %s ended in %s", task.id, self._context.run_id, said, exc_info=error)
        self._context.events.emit("warning", f"{task.id} ended in {said}; please report it.", node=task.id, step=STEP)
        return said

    def _skipped(self, task: ResearchTask, lost: Sequence[str]) -> TaskResultRecord:
        note = f"Skipped: it needs {', '.join(lost)}, which has no result."
        result = self._record(task, "skipped", 0, 0.0, note=note)
        self._emit("skipped", task, note=note, result=result.as_json())
        return result

    def _record(
        self,
        task: ResearchTask,
        status: str,
        attempts: int,
        seconds: float,
        output: TaskOutput | None = None,
        *,
        note: str = "",
    ) -> TaskResultRecord:
        return TaskResultRecord(
            key=key_of(self._iteration, task.id),
            task_id=task.id,
            iteration=self._iteration,
            description=task.description,
            task_type=task.task_type.value,
            status=status,
            findings=output.findings if output else "",
            facts=output.facts if output else [],
            note=note,
            attempts=attempts,
            seconds=seconds,
        )

    def _emit(self, status: str, task: ResearchTask, **data: Any) -> None:
        self._context.events.emit(
            "task",
            f"{task.id}: {task.description}",
            node=task.id,
            step=STEP,
            status=status,
            task_id=task.id,
            iteration=self._iteration,
            **data,
        )


def _is_of(result: TaskResultRecord, task: ResearchTask) -> bool:
    """Return whether a result is that of a task, and final."""
    return result.status == "completed" and result.description == task.description


def _names(facts: Sequence[FactRecord]) -> list[str]:
    return list(dict.fromkeys(fact.title for fact in facts if not fact.failure))


def key_of(iteration: int, task_id: str) -> str:
    """Return the key of a task's result: `ITERATION.TASK`."""
    return f"{iteration}.{task_id}"
