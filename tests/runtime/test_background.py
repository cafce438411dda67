"""Threads, files and memory of a graph are freed: by `close`, and where a graph is dropped."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from pathlib import Path

import pytest

from tests.support.graph_factory import COMPANY, DAY
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.runtime import gc_tuning
from tradingagents.runtime.background import BackgroundLoop, Pool
from tradingagents.runtime.gc_tuning import GRAPHS_PER_COLLECTION


def names() -> set[str]:
    return {thread.name for thread in threading.enumerate()}


def wait_until_gone(name: str) -> None:
    for thread in threading.enumerate():
        if thread.name == name:
            thread.join(timeout=30)
    assert name not in names()


def open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def graph_in(home: Path) -> TradingAgentsGraph:
    config = {"llm_provider": "offline", "data_vendor": "simulated", "home": str(home), "analysts": ("market",)}
    return TradingAgentsGraph(config=config)


async def thread_name() -> str:
    await asyncio.to_thread(int)  # starts a thread of the loop's own pool
    return threading.current_thread().name


def test_a_loop_runs_in_its_thread_and_ends_with_close_and_starts_again():
    loop = BackgroundLoop("loop-1")
    assert "loop-1" not in names()
    assert loop.submit(thread_name()).result(30) == "loop-1"
    loop.close()
    assert "loop-1" not in names()
    assert loop.submit(thread_name()).result(30) == "loop-1"
    loop.close()
    loop.close()


def test_a_loop_that_is_dropped_ends():
    loop = BackgroundLoop("loop-2")
    loop.submit(thread_name()).result(30)
    del loop
    wait_until_gone("loop-2")


def test_closing_cancels_what_is_under_way_and_ends_generators():
    ended = []

    async def stream():
        try:
            yield 1
        finally:
            ended.append("generator")

    async def work() -> None:
        try:
            async for _ in stream():
                await asyncio.sleep(3600)
        finally:
            ended.append("work")

    loop = BackgroundLoop("loop-3")
    future = loop.submit(work())
    assert loop.submit(thread_name()).result(30) == "loop-3"
    loop.close()
    assert future.cancelled()
    assert sorted(ended) == ["generator", "work"]


def test_a_pool_starts_again_after_shutdown():
    pool = Pool(1, "pool-1")
    pool.shutdown()
    for _ in range(2):
        assert pool.submit(lambda: threading.current_thread().name).result(30).startswith("pool-1")
        pool.shutdown()
        assert not any(name.startswith("pool-1") for name in names())


def test_a_closed_graph_leaves_no_thread_and_no_open_file_and_can_be_used_again(tmp_path: Path):
    with graph_in(tmp_path) as graph:
        graph.propagate(COMPANY, DAY)  # opens what the process keeps for good
    threads, files = names(), open_files()
    for day in ("2025-03-13", DAY):
        with graph:
            graph.propagate(COMPANY, day)
    assert names() == threads
    assert open_files() <= files


def test_graphs_that_are_dropped_are_collected_when_more_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(gc_tuning, "GRAPHS_PER_COLLECTION", GRAPHS_PER_COLLECTION)  # as the library has it
    dropped = []
    for _ in range(GRAPHS_PER_COLLECTION):
        graph = graph_in(tmp_path)
        graph.propagate(COMPANY, DAY)
        dropped.append(weakref.ref(graph.services))
        del graph
    gc.disable()  # only what the library itself does counts
    try:
        # Twice as many: at the first collection a thread of the last graph may not have ended yet.
        last = [graph_in(tmp_path) for _ in range(2 * GRAPHS_PER_COLLECTION)]
    finally:
        gc.enable()
    assert len(last) == 2 * GRAPHS_PER_COLLECTION
    assert [one() for one in dropped] == [None] * GRAPHS_PER_COLLECTION


@pytest.mark.parametrize("close", [True, False], ids=["closed", "dropped"])
def test_the_loop_of_a_graph_ends(tmp_path: Path, close: bool):
    before = set(threading.enumerate())  # a dropped graph of another test may end its own meanwhile
    graph = graph_in(tmp_path)
    graph.propagate(COMPANY, DAY)
    ours = [one for one in threading.enumerate() if one.name == "tradingagents" and one not in before]
    assert len(ours) == 1
    if close:
        graph.close()
    del graph
    gc.collect()
    for thread in ours:
        thread.join(timeout=30)
        assert not thread.is_alive()
