"""Several processes settle at once, or one is killed while it settles: each outcome is kept once, with its lessons."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.graph.evaluation.settled_runs import FIRST, LATER, holding, learning_graph, lessons, model_that_learns, notes
from tests.support.graph_factory import COMPANY
from tests.support.offline_server import OfflineServer
from tests.support.served_runs import server_config
from tests.support.tiers import sampled
from tests.support.warm import WarmProcess
from tradingagents.memory.situations import MEMORY_NAMES

ROOT = Path(__file__).resolve().parents[3]
DAYS = (FIRST, "2025-03-17", "2025-03-18", "2025-03-19")
SETTLE = f"""
import json, sys
from tradingagents.graph.trading_graph import TradingAgentsGraph
graph = TradingAgentsGraph(config=json.loads(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
print(len(graph.settle({LATER!r}).outcomes))
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with four decisions that are due."""
    graph = learning_graph(tmp_path, model_that_learns(holding(5)), auto_settle=False, analysts=("market",))
    for day in DAYS:
        graph.propagate(COMPANY, day)
    assert len(notes(tmp_path)) == 4
    return tmp_path


def settling(config: dict[str, object]) -> WarmProcess:
    process = WarmProcess(["-c", SETTLE, json.dumps(config)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def go(process: WarmProcess) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def assert_each_once(home: Path) -> None:
    graph = learning_graph(home)
    outcomes = graph.services.outcomes.list()
    assert sorted(one.trade_date.isoformat() for one in outcomes) == sorted(DAYS)
    assert sorted(name for name, _, _ in lessons(graph)) == sorted(4 * MEMORY_NAMES)
    assert notes(home) == []


def test_two_processes_at_once_settle_each_decision_once(home: Path):
    with OfflineServer(delay=0.05) as server:
        processes = [settling(server_config(server, home)) for _ in range(2)]
        for process in processes:
            go(process)
        said = []
        for process in processes:
            out, _ = process.communicate(timeout=120)
            assert process.returncode == 0
            said.append(int(out))
        assert sum(said) == 4
        assert server.calls == 4 * 5  # nor did two pay for the same
    assert_each_once(home)


@pytest.mark.parametrize("after", sampled([3, 0, 7, 14], every=4))
def test_after_a_kill_the_rest_is_settled_and_nothing_twice(home: Path, after: int):
    with OfflineServer(delay=0.05) as server:
        config = server_config(server, home, max_concurrent_pipelines=1)
        process = settling(config)
        go(process)
        until = time.monotonic() + 60
        while server.calls < after and process.poll() is None and time.monotonic() < until:
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=30)
        graph = learning_graph(home)
        done = len(graph.services.outcomes.list())
        assert len(lessons(graph)) == 5 * done
        again = settling(config)
        go(again)
        out, _ = again.communicate(timeout=120)
        assert again.returncode == 0
        assert int(out) == 4 - done
    assert_each_once(home)
