"""Jobs that run concurrently: their limit, and what is held of those that have ended."""

from __future__ import annotations

import asyncio
import gc
import weakref
from functools import partial

import pytest

from tradingagents.runtime.concurrency import as_they_end, to_its_end


class Result:
    """A result that tells when nobody holds it any more."""


async def test_a_result_is_held_no_longer_than_by_who_took_it():
    release = asyncio.Event()

    async def job(number: int) -> Result:
        if number == 3:
            await release.wait()
        return Result()

    held: weakref.WeakSet[Result] = weakref.WeakSet()
    ended = as_they_end([partial(job, number) for number in range(4)], 4)
    for _ in range(3):
        held.add(await anext(ended))
    await asyncio.sleep(0)
    gc.collect()
    assert len(held) == 0  # one job still runs
    release.set()
    assert [type(one) async for one in ended] == [Result]


async def test_results_come_as_they_end_and_jobs_begin_in_order():
    begun: list[int] = []

    async def job(number: int) -> int:
        begun.append(number)
        await asyncio.sleep(0.05 * (3 - number))
        return number

    ended = [number async for number in as_they_end([partial(job, number) for number in range(3)], 3)]
    assert begun == [0, 1, 2]
    assert ended == [2, 1, 0]


async def test_no_more_than_the_limit_run_at_once():
    running = most = 0

    async def job() -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1

    assert len([None async for _ in as_they_end([job] * 7, 2)]) == 7
    assert most == 2


async def test_an_error_ends_the_others_before_it_is_raised():
    left: list[str] = []

    async def fails() -> None:
        await asyncio.sleep(0)
        raise ValueError("it failed")

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            left.append("waits")

    with pytest.raises(ValueError, match="it failed"):
        _ = [None async for _ in as_they_end([waits, fails], 2)]
    assert left == ["waits"]


async def test_no_jobs_have_no_results():
    assert [one async for one in as_they_end([], 2)] == []


@pytest.mark.parametrize(("fails", "raised"), [(False, asyncio.CancelledError), (True, ValueError)])
async def test_work_that_is_to_end_ends_before_its_caller_and_its_failure_is_told(
    fails: bool, raised: type[BaseException]
):
    go_on, ended = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        await go_on.wait()
        ended.set()
        if fails:
            raise ValueError("the record cannot be written")

    caller = asyncio.create_task(to_its_end(work()))
    await asyncio.sleep(0)
    caller.cancel()
    for _ in range(5):
        await asyncio.sleep(0)
    assert not caller.done()
    go_on.set()
    with pytest.raises(raised):
        await caller
    assert ended.is_set()
