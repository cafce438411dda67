"""The garbage collector belongs to the program: it changes where the program asks, and graphs that are dropped go."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from tests.support.graph_factory import COMPANY, DAY
from tradingagents.graph.scanner_graph import ScannerGraph
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.runtime.gc_tuning import THRESHOLDS, collect_rarely


def test_a_program_that_asks_gets_rarer_collections():
    before = gc.get_threshold()
    try:
        collect_rarely()
        assert gc.get_threshold() == THRESHOLDS
        assert all(ours >= pythons for ours, pythons in zip(THRESHOLDS, (700, 10, 10), strict=True))
    finally:
        gc.set_threshold(*before)


@pytest.mark.parametrize("kind", [TradingAgentsGraph, ScannerGraph])
async def test_a_run_that_has_ended_is_freed_without_the_collector(
    kind: type[TradingAgentsGraph | ScannerGraph], tmp_path: Path
):
    with kind(config={"llm_provider": "offline", "data_vendor": "simulated", "home": str(tmp_path)}) as graph:

        async def run() -> None:
            await (graph.arun(DAY) if isinstance(graph, ScannerGraph) else graph.arun(COMPANY, DAY))

        await run()
        gc.collect()
        gc.disable()
        try:
            await run()
            left = gc.collect()
        finally:
            gc.enable()
    assert left < 60, "a run's context, data sheet and record are some 300 objects"
