"""Graphs that are opened and dropped leave no thread, no open file and no memory behind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.tiers import sampled
from tests.support.warm import run_warm

DROPPED = """
import json, os, sys, threading, time
from tradingagents.graph.trading_graph import TradingAgentsGraph

config = {"llm_provider": "offline", "data_vendor": "simulated", "home": sys.argv[1], "auto_settle": False}
seen = []
count = int(sys.argv[2])
for number in range(count):
    graph = TradingAgentsGraph(config=config)
    graph.graph  # compile it
    if number % (count // 4) == count // 4 - 1:  # a run starts threads and opens files
        graph.propagate("VELQ", "2025-03-14")
    del graph
    if number in (count // 2 - 1, count - 1):
        time.sleep(1)  # threads of the last graphs end by themselves; what leaks is still there afterwards
        pages = int(open("/proc/self/statm").read().split()[1]) if os.path.exists("/proc/self/statm") else 0
        fds = len(os.listdir("/proc/self/fd")) if pages else 0
        seen.append([pages * os.sysconf("SC_PAGE_SIZE") / 1e6, threading.active_count(), fds])
print(json.dumps(seen))
"""


@pytest.mark.parametrize("count", sampled([24, 200], every=2))
def test_dropped_graphs_are_freed(tmp_path: Path, count: int) -> None:
    """Twelve graphs that stay would take six times what is allowed."""
    ended = run_warm(["-c", DROPPED, str(tmp_path), str(count)], timeout=300, check=True)
    (memory, threads, files), (more_memory, more_threads, more_files) = json.loads(ended.stdout)
    # What the last dropped graphs hold is freed when Python collects cycles: some of it may still be there.
    assert more_memory < memory + 40
    assert more_threads <= threads + 3
    assert more_files <= files + 3
