"""Engines: whatever makes the decisions, the store has the same bytes, nothing is lost, and one budget holds."""

from __future__ import annotations

import asyncio
import importlib.util
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.support.tiers import sampled
from tests.support.warm import forking
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.errors import BudgetReached, Interrupted, UsageError
from tradingagents.features.backtest.decisions import decide as decide_module
from tradingagents.features.backtest.decisions import worker_pools
from tradingagents.features.backtest.decisions.decide import DecisionSet, decide
from tradingagents.features.backtest.decisions.engine import Chunk, WorkerLost, WorkResult
from tradingagents.features.backtest.decisions.one_by_one import _work
from tradingagents.features.backtest.decisions.worker_pools import ProcessEngine, RayMissing
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import load_settings

FORKED = "forked"
"""Workers that have everything imported; four new interpreters take six seconds of processor time each (nightly)."""
KNOWN = ("VELQ", "OMBZ")
TICKERS = (*KNOWN, "SITH")
"""One has no prices: it fails wherever it is decided."""
DAYS = sessions().between(date(2024, 6, 3), date(2024, 9, 30))[::16]


def services_in(home: Path, **settings: Any) -> Services:
    config = {"llm_provider": "offline", "data_vendor": "simulated", "home": str(home), **settings}
    return open_services(load_settings(config, environ={}), {})


def files(home: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (home / "decisions").glob("*/*.json")}


class HereEngine:
    """Workers in this event loop that die where they are told to, before or after they have stored something."""

    def __init__(self, dies: Callable[[], bool] = lambda: False, places: int = 3) -> None:
        self.places, self.dies, self.chunks, self.made = places, dies, list[Chunk](), list[tuple[str, date]]()

    async def work(self, chunk: Chunk) -> Sequence[WorkResult]:
        self.chunks.append(chunk)
        results: list[WorkResult] = []
        for item in chunk.items:
            await asyncio.sleep(0)
            if self.dies():
                raise WorkerLost("killed")
            single = Chunk((item,), chunk.repeat, chunk.settings, chunk.limits, chunk.environ)
            results += await _work(single)
            self.made.append((item.ticker, item.day))
            if self.dies():
                raise WorkerLost("killed")
        return results

    async def close(self) -> None:
        return


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, DecisionSet]:
    home = tmp_path_factory.mktemp("here")
    return home, asyncio.run(decide(services_in(home), TICKERS, DAYS))


@pytest.mark.parametrize("start", [FORKED, pytest.param("spawn", marks=pytest.mark.nightly)])
def test_processes_store_the_same_bytes_and_one_that_is_killed_loses_nothing(
    start: str, here: tuple[Path, DecisionSet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = forking() if start == FORKED else multiprocessing.get_context("spawn")
    monkeypatch.setattr(worker_pools.multiprocessing, "get_context", lambda _method: context)
    killed: list[int] = []
    engine = ProcessEngine(2)

    def kill(done: int, _wanted: int) -> None:
        if done and not killed and engine._pool is not None:
            killed.append(next(iter(engine._pool._processes)))
            os.kill(killed[0], signal.SIGKILL)

    monkeypatch.setattr(decide_module, "_engine", lambda _settings: engine)
    found = asyncio.run(decide(services_in(tmp_path, backtest_engine="processes"), TICKERS, DAYS, tell=kill))
    assert killed
    assert files(tmp_path) == files(here[0])
    assert found == here[1]


@pytest.mark.parametrize("seed", sampled(range(20), every=7))
async def test_workers_that_die_at_random_lose_and_double_nothing(
    seed: int, here: tuple[Path, DecisionSet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)  # noqa: S311 - which worker dies
    engine = HereEngine(lambda: chance.random() < 0.25)
    monkeypatch.setattr(decide_module, "_engine", lambda _settings: engine)
    services = services_in(tmp_path, backtest_engine="processes")
    told: list[tuple[int, int]] = []
    for stop in (2, 5, None):  # the driver dies twice

        def tell(done: int, wanted: int, stop: int | None = stop) -> None:
            told.append((done, wanted))
            if stop is not None and done >= stop:
                raise Interrupted("the driver is killed")

        if stop is not None:
            with pytest.raises(Interrupted):
                await decide(services, TICKERS, DAYS, tell=tell)
        else:
            found = await decide(services, TICKERS, DAYS, tell=tell)
    assert files(tmp_path) == files(here[0])
    assert (found.found, found.missing) == (here[1].found, here[1].missing)
    assert told[-1] == (len(TICKERS) * len(DAYS),) * 2


async def test_one_budget_holds_over_all_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = HereEngine()
    monkeypatch.setattr(decide_module, "_engine", lambda _settings: engine)
    own = await decide(services_in(tmp_path / "one"), TICKERS[:1], DAYS[:1])
    calls = next(iter(own.found.values())).llm_calls
    limited = services_in(tmp_path, backtest_engine="processes", max_llm_calls=4 * calls + 3)
    with pytest.raises(BudgetReached):
        await decide(limited, TICKERS, DAYS)
    assert len(files(tmp_path)) == 4
    assert engine.chunks[0].limits.llm_calls == 4 * calls + 3  # the first tells what one takes
    assert engine.chunks[1].limits.llm_calls == 2 * calls + 1
    left = len(KNOWN) * len(DAYS) - 4
    enough = services_in(tmp_path, backtest_engine="processes", max_llm_calls=left * calls + 1)
    found = await decide(enough, TICKERS, DAYS)
    assert (found.decided, len(found.missing)) == (left, len(DAYS))


async def test_a_worker_that_would_decide_something_else_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decide_module, "_engine", lambda _settings: HereEngine())
    settings = services_in(tmp_path, backtest_engine="processes").settings
    given = open_services(settings, {}, models=TierModels.same(ScriptedChatModel([])))
    with pytest.raises(UsageError, match="given in Python"):
        await decide(given, TICKERS, DAYS)


async def test_without_ray_the_engine_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tradingagents.features.backtest.decisions.worker_pools.find_spec", lambda _name: None)
    with pytest.raises(RayMissing, match=r"tradingagents\[ray\].*or set backtest_engine to processes"):
        await decide(services_in(tmp_path, backtest_engine="ray"), TICKERS, DAYS)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::ResourceWarning")
@pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="ray is not installed: pip install 'tradingagents[ray]'"
)
@pytest.mark.parametrize("nodes", sampled([2, 1, 4], every=3))
def test_a_cluster_of_nodes_stores_the_same_bytes_and_a_node_that_is_removed_loses_nothing(
    nodes: int, here: tuple[Path, DecisionSet], tmp_path: Path
) -> None:
    import ray
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    more = [cluster.add_node(num_cpus=1) for _ in range(nodes - 1)]
    removed: list[int] = []

    def remove(done: int, _wanted: int) -> None:
        if done and more and not removed:
            removed.append(done)
            cluster.remove_node(more[0])

    try:
        ray.init(address=cluster.address, log_to_driver=False, configure_logging=False)
        found = asyncio.run(decide(services_in(tmp_path, backtest_engine="ray"), TICKERS, DAYS, tell=remove))
    finally:
        ray.shutdown()
        cluster.shutdown()
    assert bool(removed) == (nodes > 1)
    assert files(tmp_path) == files(here[0])
    assert found.found == here[1].found


def test_workers_end_when_their_driver_is_killed():
    program = (
        "import os, time\n"
        "from tradingagents.features.backtest.decisions.worker_pools import ProcessEngine\n"
        "if __name__ == '__main__':\n"
        "    pool = ProcessEngine(1)._started()\n"
        "    worker = pool.submit(os.getpid).result()\n"
        "    pool.submit(time.sleep, 60)\n"
        "    print(worker, flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as driver:
        assert driver.stdout is not None
        worker = int(driver.stdout.readline())
        assert Path(f"/proc/{worker}").exists()
        driver.kill()
    end = time.monotonic() + 20
    while _runs(worker) and time.monotonic() < end:
        time.sleep(0.02)
    assert not _runs(worker)


def _runs(pid: int) -> bool:
    """Whether a process exists and has not ended; one that nobody has waited for yet has."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
