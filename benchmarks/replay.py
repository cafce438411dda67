"""What a replay takes: one ticker and one scan, each asked of a model server once and then answered from what was kept.

    python -m benchmarks.replay

prints one JSON object: the model calls of the first runs and of the replays, and the processor and wall seconds of a
replay after start-up (median of several), with everything it does: tools, prompts, graph, reports. The simulated market
stands already when the clock starts: making it up takes half a second, as no vendor of real data does.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from typing import Any

from benchmarks.measuring import DAY, RUNS, config, in_a_process, model_server, stats

TICKER = "VELQ"


async def _measured(graph: Callable[..., Any], question: tuple[str, ...]) -> dict[str, Any]:
    """Run once to have the replies kept and everything imported, then measure what a replay of it takes."""
    asked = graph()
    first = await asked.arun(*question)
    await asked.services.models.aclose()
    processor, wall, run = [], [], first
    for _ in range(RUNS):
        replayed = graph(
            replay="only", vendors=asked.services.vendors
        )  # services of its own: no tool's answer is remembered
        began = time.process_time(), time.perf_counter()
        run = await replayed.arun(*question)
        processor.append(time.process_time() - began[0])
        wall.append(time.perf_counter() - began[1])
    return {
        "first_calls": first.record["usage"]["llm_calls"],
        "replay_calls": run.record["usage"]["llm_calls"],
        "replayed": run.record["usage"]["replayed_calls"],
        "same_reports": run.record["reports"] == first.record["reports"],
        "processor_s": round(statistics.median(processor), 3),
        "wall_s": round(statistics.median(wall), 3),
    }


def scenario(name: str, url: str) -> dict[str, Any]:
    from tradingagents.graph.scanner_graph import ScannerGraph
    from tradingagents.graph.trading_graph import TradingAgentsGraph

    face: Callable[..., Any] = TradingAgentsGraph if name == "trading" else ScannerGraph
    question = (TICKER, DAY) if name == "trading" else (DAY,)
    with tempfile.TemporaryDirectory() as home:

        def graph(vendors: Any = None, **changes: Any) -> Any:
            return face(config=config(url, home, **changes), vendors=vendors)

        return asyncio.run(_measured(graph, question))


def main() -> None:
    parser = argparse.ArgumentParser(description="What a replay takes.")
    parser.add_argument("--scenario", choices=("trading", "scan"))
    parser.add_argument("--url")
    given = parser.parse_args()
    if given.scenario:
        print(json.dumps(scenario(given.scenario, given.url)))
        return
    with model_server(delay=0.05) as url:
        results = {name: in_a_process("benchmarks.replay", name, url) for name in ("trading", "scan")}
        results["calls_at_the_server"] = stats(url)["calls"]
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
