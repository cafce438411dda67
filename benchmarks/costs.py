"""How near the estimate of `--dry-run` comes to what is metered: `python -m benchmarks.costs` (part of `make bench`).

The model server is that of `benchmarks.pipeline`, the market is the simulated one; prices are set, so that every call
has a cost. Each question is estimated in an empty home, asked for `--runs` times, and estimated again: the second
estimate stands on what the runs used.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from statistics import fmean
from typing import Any

from benchmarks.measuring import DAY, config, model_server

TICKER = "VELQ"
PRICES = {"bench-model": (1.0, 0.1, 8.0)}
QUESTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "analyze, as set": ("trading", {}),
    "analyze, 1 debate round": ("trading", {"max_debate_rounds": 1}),
    "analyze, 2 analysts": ("trading", {"analysts": ("market", "news")}),
    "scan": ("scan", {}),
}


def main() -> None:
    """Estimate and ask each question, and print the table."""
    options = _options()
    print("question                   metered USD   estimate   ratio   low-high           from past runs   ratio")
    for name, (kind, changes) in QUESTIONS.items():
        with tempfile.TemporaryDirectory() as home, model_server(0.0) as url:
            given = config(url, home, model_prices=PRICES, **changes)
            before, metered, after = asyncio.run(_measured(kind, given, options.runs))
        cost = fmean(metered)
        print(
            f"{name:25s}  {cost:11.4f}  {before['cost_usd']:9.4f}  {before['cost_usd'] / cost:6.2f}"
            f"   {before['low_usd']:.4f}-{before['high_usd']:.4f}"
            f"  {after['cost_usd']:16.4f}  {after['cost_usd'] / cost:6.2f}"
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare estimates with what a local model server meters.")
    parser.add_argument("--runs", type=int, default=3, help="runs of each question")
    return parser.parse_args()


async def _measured(kind: str, given: dict[str, Any], runs: int) -> tuple[Any, list[float], Any]:
    """Return the estimate, what each run was metered at, and the estimate that stands on them."""
    from tradingagents.graph.estimates.estimate import estimate_analyze, estimate_scan
    from tradingagents.graph.start import parse_day
    from tradingagents.settings import load_settings

    settings, day = load_settings(given, environ={}), parse_day(DAY)

    async def estimate() -> Any:
        if kind == "scan":
            return (await estimate_scan(settings, day))["total"]
        return (await estimate_analyze(settings, [TICKER], day))["total"]

    before = await estimate()
    metered = [await _cost(kind, settings) for _ in range(runs)]
    return before, metered, await estimate()


async def _cost(kind: str, settings: Any) -> float:
    from tradingagents.graph.start import analyze, scan
    from tradingagents.runtime.services import open_services

    services = open_services(settings, {})
    run = await (scan(services, DAY) if kind == "scan" else analyze(services, TICKER, DAY))
    await services.models.aclose()
    cost = run.record["usage"]["cost_usd"]
    if cost is None:
        raise RuntimeError("a call was not priced")
    return cost


if __name__ == "__main__":
    main()
