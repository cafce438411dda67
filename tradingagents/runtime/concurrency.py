"""Run jobs concurrently with a limit, yield results as they finish, cancel all together; let runs begin in turn."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")
LONGEST_WAIT = 0.05
"""Seconds that a run may take until it asks a model before the next begins all the same: it may wait for a vendor."""


async def to_its_end(work: Coroutine[Any, Any, T]) -> T:
    """Return what some work returns.

    A caller that is cancelled waits until the work has ended; one that is cancelled again does not. Where the work
    fails, its error is raised instead of the cancellation.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        if not task.cancelled() and (failure := task.exception()) is not None:
            raise failure from None
        raise


async def as_they_end(jobs: Sequence[Callable[[], Coroutine[Any, Any, T]]], at_once: int) -> AsyncGenerator[T, None]:
    """Run jobs in order, at most `at_once` at a time; yield each result as it finishes, and hold it no longer.

    When the caller is cancelled, or closes this, so are the jobs, and all have ended before this returns. An error of
    one ends them all.
    """
    places = asyncio.Semaphore(at_once)

    async def one(job: Callable[[], Coroutine[Any, Any, T]]) -> T:
        async with places:
            return await job()

    ended: asyncio.Queue[asyncio.Task[T]] = asyncio.Queue()
    tasks = set[asyncio.Task[T]]()
    """Those whose result has not been yielded."""

    def begin(job: Callable[[], Coroutine[Any, Any, T]]) -> None:
        task = asyncio.create_task(one(job))
        task.add_done_callback(ended.put_nowait)
        tasks.add(task)

    async def next_result() -> T:
        task = await ended.get()
        tasks.discard(task)
        return task.result()

    for job in jobs:
        begin(job)
    try:
        while tasks:
            yield await next_result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Beginning:
    """One run's turn to begin."""

    def __init__(self, before: Beginning | None) -> None:
        self._before = before
        self._loop = asyncio.get_running_loop()
        self._begun, self.asked = asyncio.Event(), asyncio.Event()
        """`asked` is to be set once the run asks a model."""
        self._begun_at = 0.0

    async def turn(self) -> None:
        """Wait until the run started before this one has begun and asked a model, has ended, or is slow to ask."""
        before, self._before = self._before, None
        if before is not None and before._loop is self._loop and not before.asked.is_set():
            await before._begun.wait()
            with suppress(TimeoutError):
                async with asyncio.timeout_at(before._begun_at + LONGEST_WAIT):
                    await before.asked.wait()
        self._begun_at = self._loop.time()
        self._begun.set()

    def over(self) -> None:
        """Hold up no later run any more."""
        self._before = None
        self._begun.set()
        self.asked.set()


class Beginnings:
    """The turns of the runs that share services, in the order in which they were started.

    Runs that begin at once also go on at once: each prepares its first requests before any of them is sent, and later
    all end together. Then no model works while the processor does, and the processor rests while all models work.
    """

    def __init__(self) -> None:
        self._last: Beginning | None = None

    def next(self) -> Beginning:
        """Return the turn of a run that is started now, in the running event loop."""
        self._last = Beginning(self._last)
        return self._last
