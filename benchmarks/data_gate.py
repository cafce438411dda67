"""What the data gate costs: processor time of its checks in one offline run a company, on recorded data.

    python -m benchmarks.data_gate --data ../shared/snapshot

The first run of a process also imports; each company is run twice, and the second run counts.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import Any

from tradingagents.dataflows.gateway import wrappers
from tradingagents.dataflows.gateway.checks.validation import Validated, validate
from tradingagents.graph.trading_graph import TradingAgentsGraph

COMPANIES = ("AAPL", "MSFT", "NVDA", "AMZN", "GOOGL", "META", "JPM", "XOM", "PG", "KO")
DAY = "2025-06-16"


class Meter:
    """Stands in for `validate`, and adds up the processor time of its calls."""

    def __init__(self, check: Callable[..., Validated]) -> None:
        self.seconds, self.calls = 0.0, 0
        self._check = check

    def __call__(self, answer: Any, **terms: Any) -> Validated:
        """Check an answer as the gate does."""
        began = time.thread_time()
        try:
            return self._check(answer, **terms)
        finally:
            self.seconds += time.thread_time() - began
            self.calls += 1


async def measure(folder: Path) -> None:
    """Print the milliseconds and calls of each company's run, and their mean."""
    spent: list[float] = []
    with tempfile.TemporaryDirectory() as home:
        for symbol in COMPANIES:
            for _ in range(2):
                config = {"llm_provider": "offline", "data_vendor": "snapshot", "data_dir": str(folder), "home": home}
                meter = Meter(validate)
                wrappers.validate = meter  # type: ignore[attr-defined]
                await TradingAgentsGraph(config={**config, "auto_settle": False}).arun(symbol, DAY)
            spent.append(1000 * meter.seconds)
            print(f"{symbol}: {spent[-1]:.2f} ms in {meter.calls} checks")
    print(f"mean {mean(spent):.2f} ms, largest {max(spent):.2f} ms a company and run")


def main() -> None:
    """Read the folder from the command line."""
    parser = argparse.ArgumentParser(description="Processor time of the data gate in offline runs.")
    parser.add_argument("--data", type=Path, required=True, help="a recorded market")
    asyncio.run(measure(parser.parse_args().data))


if __name__ == "__main__":
    main()
