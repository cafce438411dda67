"""How fast and how frugal the trading pipeline is: `python -m benchmarks.pipeline` (or `make bench`).

An OpenAI-compatible server of our own, in its own process, answers every call after a fixed delay; the real
`langchain-openai` client asks it; the data come from the simulated market. Each scenario (1, 8, 64 tickers at once)
runs in a process of its own, once to warm the data and then three times; the median is printed.

What is counted
- calls: chat completions one ticker needs.
- chain: the longest sequence of one ticker's calls in which each was sent after the one before was answered.
- wall / (chain x delay): 1.00 would be a client that costs nothing.
- prompt tokens: four characters to the token, over everything in the messages, tool schemas not.
- shared: share of prompt tokens that repeat the beginning of an earlier prompt of the same run, character by
  character: what a provider's prompt cache can serve.
- processor ms: of a ticker in its process, all threads, data warm: the least of the runs. Unlike wall time it means
  something on a busy machine.
- client ms: the part of it that the same requests take when the client sends them without a run around them.
- peak MB: of the process, over the first run and the three measured.
- overhead outside model calls: of one ticker, data warm, the time in which no model call was under way: data, tools,
  graph, prompts, reports, disk. With the client library's share: wall - chain x delay.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import HumanMessage

from benchmarks.measuring import (
    DAY,
    RUNS,
    config,
    covered,
    delay_of,
    in_a_process,
    longest_chain,
    machine,
    model_server,
    peak_mb,
    shared_prefix,
    stats,
)

COUNTS = (1, 8, 64)


def main() -> None:
    """Run every scenario and print the table."""
    options = _options()
    if options.scenario:
        print(json.dumps(asyncio.run(_scenario(options.scenario, options.url))))
        return
    started = {
        "import tradingagents": _seconds([sys.executable, "-c", "import tradingagents"]),
        "tradingagents --help": _seconds([sys.executable, "-m", "cli.main", "--help"]),
        "(python alone)": _seconds([sys.executable, "-c", "pass"]),
    }
    print(f"{machine()}, delay {options.delay} s\n")
    print(
        "tickers  calls  chain   wall s  wall/(chain*delay)  prompt tokens  shared  peak MB  tickers/min"
        "  processor ms  client ms"
    )
    overhead = with_client = float("nan")
    for count in options.counts:
        with model_server(options.delay) as url:
            result = in_a_process("benchmarks.pipeline", str(count), url)
            requests = stats(url)["requests"]
        ticker = _one_ticker(requests, result["began"], result["ended"])
        chain, wall = ticker["chain"], statistics.median(result["walls"])
        if count == 1:
            overhead = statistics.median(result["outside"])
            with_client = wall - chain * options.delay
        print(
            f"{count:7d}  {ticker['calls']:5d}  {chain:5d}  {wall:7.3f}  {wall / (chain * ticker['delay']):18.3f}"
            f"  {ticker['tokens']:13,d}  {ticker['shared']:6.1%}  {result['peak_mb']:7.0f}  {60 * count / wall:11.1f}"
            f"  {1000 * result['processor']:12.1f}  {1000 * result['client']:9.1f}"
        )
    print(f"\noverhead outside model calls, one ticker, data warm: {overhead * 1000:.0f} ms")
    print(f"with the client library's share: {with_client * 1000:.0f} ms")
    for name, seconds in started.items():
        print(f"{name}: {seconds:.3f} s")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the trading pipeline against a local model server.")
    parser.add_argument("--delay", type=float, default=0.2, help="seconds the server takes for a call")
    parser.add_argument("--counts", type=int, nargs="+", default=COUNTS, help="tickers at once")
    parser.add_argument("--scenario", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    return parser.parse_args()


async def _scenario(count: int, url: str) -> dict[str, Any]:
    """Run `count` tickers at once, warm, RUNS times, in this process."""
    from tradingagents.dataflows.vendors.simulated import SYMBOLS
    from tradingagents.events import Event
    from tradingagents.graph.start import Run, analyze_many
    from tradingagents.graph.trading_graph import TradingAgentsGraph
    from tradingagents.runtime.gc_tuning import collect_rarely

    collect_rarely()
    with tempfile.TemporaryDirectory() as home:
        graph = TradingAgentsGraph(config=config(url, home, max_concurrent_pipelines=count))
        tickers = SYMBOLS[:count]  # companies first

        calls: list[tuple[float, float]] = []

        def watch(event: Event) -> None:
            if event.type == "usage":
                ended = time.perf_counter()
                calls.append((ended - event.data["seconds"], ended))

        async def once() -> float:
            calls.clear()
            began = time.perf_counter()
            async for ticker, outcome in analyze_many(graph.services, tickers, DAY, subscribers=[watch]):
                if not isinstance(outcome, Run):
                    raise RuntimeError(f"{ticker}: {outcome}")
            return time.perf_counter() - began

        async def measured() -> tuple[float, float, float]:
            before = time.process_time()
            wall = await once()
            return wall, wall - covered(calls), (time.process_time() - before) / count

        await once()
        began = time.time()
        results = [await measured() for _ in range(RUNS)]
        ended, peak = time.time(), peak_mb()
        # Read after the peak: the prompts of all runs take more memory than the runs.
        asked = [one for one in stats(url)["requests"] if _ticker_of(one) == tickers[0] and one["received_at"] < began]
        prompts = [one["prompt"] for one in asked]
        client = await _client_alone(graph.services.models.quick, prompts, count)
    walls, outside, processor = zip(*results, strict=True)
    return {
        "walls": walls,
        "outside": outside,
        "began": began,
        "ended": ended,
        "processor": min(processor),
        "client": client,
        "peak_mb": peak,
    }


async def _client_alone(model: Any, prompts: Sequence[str], count: int) -> float:
    """Return the least processor time that a ticker's requests take when the client alone sends those of all."""

    async def one_ticker() -> None:
        for prompt in prompts:
            await model.ainvoke([HumanMessage(prompt)])

    async def all_tickers() -> float:
        before = time.process_time()
        await asyncio.gather(*(one_ticker() for _ in range(count)))
        return (time.process_time() - before) / count

    return min([await all_tickers() for _ in range(RUNS)])


def _one_ticker(requests: Sequence[dict[str, Any]], began: float, ended: float) -> dict[str, Any]:
    """Measure the calls of one warm run of the first ticker; with several tickers at once, of one of them."""
    by_ticker = defaultdict(list)
    for request in requests:
        if began <= request["received_at"] <= ended:
            by_ticker[_ticker_of(request)].append(request)
    calls = sorted(next(iter(by_ticker.values())), key=lambda request: request["received_at"])
    calls = calls[: len(calls) // _runs_of(calls)]
    return {
        "calls": len(calls),
        "chain": longest_chain(calls),
        "delay": delay_of(calls),
        **shared_prefix([call["prompt"] for call in calls]),
    }


def _ticker_of(request: dict[str, Any]) -> str:
    """Return the ticker that a request is about."""
    return str(request["prompt"]).partition("Ticker: ")[2].partition("\n")[0]


def _runs_of(calls: Sequence[dict[str, Any]]) -> int:
    """Count the runs among a ticker's calls by its risk manager's, who speaks once a run."""
    return max(1, sum(call["role"] == "Risk Manager" for call in calls))


def _seconds(command: Sequence[str]) -> float:
    """Return the median wall time of five runs of a command, after one to warm the disk."""

    def once() -> float:
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        return time.perf_counter() - began

    once()
    return statistics.median(once() for _ in range(5))


if __name__ == "__main__":
    main()
