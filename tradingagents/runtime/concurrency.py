"""Run jobs concurrently with a limit, yield results as they finish, cancel all together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from typing import Any, TypeVar

T = TypeVar("T")


async def to_its_end(work: Coroutine[Any, Any, T]) -> T:
    """Return what some work returns. A caller that is cancelled waits for its end; one cancelled again does not."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
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
