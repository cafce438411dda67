"""Runs that are started together begin one after the other, and none waits for long."""

from __future__ import annotations

import asyncio
import itertools
from datetime import date

import pytest

from tests.support.graph_factory import DAY, Watch, scripted, trading_graph
from tradingagents.errors import Interrupted
from tradingagents.events import Event
from tradingagents.graph.trading.kind import TRADING, TradingRequest
from tradingagents.runtime import concurrency
from tradingagents.runtime.concurrency import Beginning, Beginnings
from tradingagents.runtime.executor import RunOptions, start

NEVER = 60.0
TICKERS = ("VELQ", "OMBZ", "AERQ")


async def begun(*turns: Beginning) -> list[bool]:
    """Let turns come that can; tell which did."""
    tasks = [asyncio.create_task(one.turn()) for one in turns]
    for _ in range(10):
        await asyncio.sleep(0)
    done = [task.done() for task in tasks]
    for task in tasks:
        task.cancel()
    return done


async def test_the_next_begins_once_the_one_before_has_asked_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency, "LONGEST_WAIT", NEVER)
    order = Beginnings()
    turns = [order.next() for _ in range(3)]
    tasks = [asyncio.create_task(one.turn()) for one in turns]
    for count, one in enumerate(turns, 1):
        for _ in range(10):
            await asyncio.sleep(0)
        assert [task.done() for task in tasks] == [True] * count + [False] * (3 - count)
        one.asked.set()


async def test_one_that_ends_without_asking_or_never_begins_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency, "LONGEST_WAIT", NEVER)
    order = Beginnings()
    first, second, third = (order.next() for _ in range(3))
    await first.turn()
    first.over()
    second.over()
    assert await begun(third) == [True]


async def test_one_that_is_slow_to_ask_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency, "LONGEST_WAIT", 0.01)
    order = Beginnings()
    first, second = order.next(), order.next()
    await first.turn()
    await asyncio.wait_for(second.turn(), 30)
    assert not first.asked.is_set()


async def test_one_that_began_long_ago_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency, "LONGEST_WAIT", NEVER)
    order = Beginnings()
    first, second = order.next(), order.next()
    await first.turn()
    first._begun_at -= 2 * NEVER
    assert await begun(second) == [True]


async def test_a_run_of_another_event_loop_is_not_waited_for() -> None:
    order = Beginnings()
    await asyncio.to_thread(lambda: asyncio.run(_start_one(order)))
    assert await begun(order.next()) == [True]


async def _start_one(order: Beginnings) -> None:
    order.next()


async def test_a_run_begins_before_the_one_before_has_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency, "LONGEST_WAIT", NEVER)
    watch = Watch()
    with trading_graph(scripted(delay=0.5)) as graph:
        asked = [TradingRequest(ticker=one, day=date.fromisoformat(DAY)) for one in TICKERS]
        handles = [start(TRADING, one, graph.services, RunOptions(subscribers=(watch,))) for one in asked]
        for handle in handles:
            await handle.result()
    places = {(one.run_id, one.type): at for at, one in reversed([*enumerate(watch.events)])}
    for handle, following in itertools.pairwise(handles):
        began = places[following.run_id, "run_start"]
        assert places[handle.run_id, "tool_end"] < began < places[handle.run_id, "usage"]


async def test_a_run_that_is_cancelled_before_its_turn_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency, "LONGEST_WAIT", NEVER)
    with trading_graph(scripted(), drain_seconds=0) as graph:
        first, second, third = (
            start(TRADING, TradingRequest(ticker=one, day=date.fromisoformat(DAY)), graph.services) for one in TICKERS
        )
        second._task.cancel()
        assert (await third.result()).record["status"] == "done"
        assert (await first.result()).record["status"] == "done"
        with pytest.raises(asyncio.CancelledError):
            await second.result()


async def test_a_run_whose_turn_comes_after_all_were_stopped_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency, "LONGEST_WAIT", NEVER)
    with trading_graph(scripted(), drain_seconds=0) as graph:
        runs = graph.services.settings.home_dir / "runs"

        def stop(event: Event) -> None:
            if event.type == "run_start":
                graph.services.cancellation.request()

        first, second = (
            start(
                TRADING,
                TradingRequest(ticker=one, day=date.fromisoformat(DAY)),
                graph.services,
                RunOptions(subscribers=(stop,)),
            )
            for one in TICKERS[:2]
        )
        for handle in (first, second):
            with pytest.raises(Interrupted):
                await handle.result()
        assert [folder.name for folder in runs.iterdir() if folder.is_dir()] == [first.run_id]
