"""How fast a scan is, and the way from a scan to decisions: `python -m benchmarks.scan` (part of `make bench`).

The model server, the client and the data are those of `benchmarks.pipeline`. Each scenario runs in a process of its
own, once to warm the data, then auto three times and a scan, which is short, nine times; the median is printed.

- scan: five model calls, three of them at the same time, in chains of three.
- auto: a scan and the trading graph for its ten picks, all at the same time. It is held against the chain of a scan and
  of one trading run, one after the other, times the delay.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from benchmarks.measuring import (
    DAY,
    RUNS,
    config,
    delay_of,
    in_a_process,
    longest_chain,
    machine,
    model_server,
    peak_mb,
    shared_prefix,
    stats,
)

PICKS = 10
SCANS = 9


def main() -> None:
    """Run both scenarios and print the table."""
    options = _options()
    if options.scenario:
        print(json.dumps(asyncio.run(SCENARIOS[options.scenario](options.url))))
        return
    print(f"{machine()}, delay {options.delay} s\n")
    print("what  calls  chain   wall s  wall/(chain*delay)  prompt tokens  shared  peak MB")
    for name in SCENARIOS:
        with model_server(options.delay) as url:
            result = in_a_process("benchmarks.scan", name, url)
            requests = [one for one in stats(url)["requests"] if one["received_at"] >= result["began"]]
        calls = sorted(requests, key=lambda request: request["received_at"])[: len(requests) // len(result["walls"])]
        chain, wall = longest_chain(calls), statistics.median(result["walls"])
        tokens = shared_prefix([call["prompt"] for call in calls])
        print(
            f"{name}  {len(calls):5d}  {chain:5d}  {wall:7.3f}  {wall / (chain * delay_of(calls)):18.3f}"
            f"  {tokens['tokens']:13,d}  {tokens['shared']:6.1%}  {result['peak_mb']:7.0f}"
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure a scan, and auto, against a local model server.")
    parser.add_argument("--delay", type=float, default=0.2, help="seconds the server takes for a call")
    parser.add_argument("--scenario", choices=tuple(SCENARIOS), help=argparse.SUPPRESS)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    return parser.parse_args()


async def _scan(url: str) -> dict[str, Any]:
    """Scan the same day again and again, warm."""
    from tradingagents.graph.scanner_graph import ScannerGraph
    from tradingagents.runtime.gc_tuning import collect_rarely

    collect_rarely()
    with tempfile.TemporaryDirectory() as home:
        graph = ScannerGraph(config(url, home))
        return await _measured(lambda: graph.arun(DAY), runs=SCANS)


async def _auto(url: str) -> dict[str, Any]:
    """Go from a scan to ten decisions, warm; what an earlier time finished is put away, or nothing would be done."""
    from tradingagents.features.batch.auto import auto
    from tradingagents.runtime.services import open_services
    from tradingagents.settings import load_settings

    with tempfile.TemporaryDirectory() as home:
        given = config(url, home, max_concurrent_pipelines=PICKS, max_auto_tickers=PICKS)
        services = open_services(load_settings(given, environ={}), {})

        def put_away() -> None:
            for folder in (Path(home) / "auto", *(Path(home) / "runs").glob("*-SCAN-*")):
                shutil.rmtree(folder)

        return await _measured(lambda: auto(services, DAY), put_away)


async def _measured(
    work: Callable[[], Awaitable[Any]], put_away: Callable[[], None] = lambda: None, *, runs: int = RUNS
) -> dict[str, Any]:
    """Do the work once to warm up, and then time it; put away in between what it left."""
    await work()
    began, walls = time.time(), []
    for _ in range(runs):
        put_away()
        started = time.perf_counter()
        await work()
        walls.append(time.perf_counter() - started)
    return {"walls": walls, "began": began, "peak_mb": peak_mb()}


SCENARIOS: dict[str, Callable[[str], Awaitable[dict[str, Any]]]] = {"scan": _scan, "auto": _auto}


if __name__ == "__main__":
    main()
