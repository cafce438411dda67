"""How the parts of a backtest grow: `python -m benchmarks.backtest_linear [--data DIR]`.

Processor time of a decision with 5, 10, 20 and 40 tickers on ten days, and on 5, 10, 20 and 40 days with ten tickers,
each with the data read and nothing else worked out before; the memory after each; and the scorecard of 2,500, 5,000
and 10,000 decisions, the least of three times. It prints one JSON object; `growth` is the exponent by which the whole
time grows: 1 is linear.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import math
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.backtest import FIRST, services
from benchmarks.measuring import peak_mb
from tradingagents.agents.schemas import Decision
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendors.simulated import COMPANIES
from tradingagents.features.backtest.decisions.decide import decide
from tradingagents.features.backtest.decisions.decision_store import StoredDecision
from tradingagents.features.backtest.decisions.opinions import Opinion
from tradingagents.features.backtest.statistics.breakdown import scorecard
from tradingagents.runtime.gc_tuning import collect_rarely

SIZES = (5, 10, 20, 40)
FIXED = 10
"""Days of a test over tickers, and tickers of a test over days."""
DECIDED = (2_500, 5_000, 10_000)
READINGS = 40
"""Figures that the offline analysts read for one decision, about."""
WEEK = timedelta(days=7)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, help="folder of recorded data; none: the simulated market")
    data = parser.parse_args().data
    collect_rarely()  # as the command line and its workers do
    tickers = companies(data)[: max(SIZES)]
    days = sessions().between(FIRST, date(2025, 7, 18))[: max(SIZES) + 1]
    measured = {
        "tickers": grown({size: decided(data, tickers[:size], days[: FIXED + 1]) for size in SIZES}),
        "days": grown({size: decided(data, tickers[:FIXED], days[: size + 1]) for size in SIZES}),
        "scorecard": grown(
            {count: {"seconds": min(scored(count) for _ in range(3)), "count": count} for count in DECIDED}
        ),
    }
    sys.stdout.write(json.dumps(measured, indent=1) + "\n")


def companies(data: Path | None) -> Sequence[str]:
    """Return companies with statements: the questions about others are cheaper."""
    if data is None:
        return sorted(COMPANIES)
    with gzip.open(data / "statements.jsonl.gz", "rt", encoding="utf-8") as lines:
        return sorted({json.loads(line)["symbol"] for line in lines})


def decided(data: Path | None, tickers: Sequence[str], days: Sequence[date]) -> Mapping[str, float]:
    """Decide with services of its own; the first day reads the data and does not count."""
    with tempfile.TemporaryDirectory() as home:
        opened = services(data, home)
        asyncio.run(decide(opened, tickers, days[:1]))
        began = time.process_time()
        found = asyncio.run(decide(opened, tickers, days[1:]))
        return {"seconds": time.process_time() - began, "count": found.decided, "peak_mb": round(peak_mb())}


def scored(count: int) -> float:
    """Return the processor time of the scorecard of so many decisions on 100 tickers."""
    random = np.random.default_rng(1)
    reports = ("market_report", "fundamentals_report", "news_report", "sentiment_report")
    stored: dict[tuple[str, date], StoredDecision] = {}
    for number in range(count):
        wanted = f"T{number % 100:03}", date(2020, 1, 3) + number // 100 * WEEK
        scores = random.uniform(-1, 1, READINGS).tolist()
        opinions = tuple(
            Opinion(reports[place % 4], score, f"figure_{place}", "get_indicators")
            for place, score in enumerate(scores)
        )
        decision = Decision(action="HOLD", confidence=0.5, rationale="Made up.", horizon_days=30)
        stored[wanted] = StoredDecision("key", *wanted, decision, "content", 18, 0.0, opinions)
    known = dict(zip(stored, random.normal(0, 0.03, count).tolist(), strict=True))
    began = time.process_time()
    scorecard(stored, known)
    return time.process_time() - began


def grown(found: Mapping[int, Mapping[str, float]]) -> Mapping[str, Any]:
    """Return the time of one decision by size, and by which exponent of the count the whole time grows."""
    first, last = found[min(found)], found[max(found)]
    each = {
        size: {"ms_each": round(one["seconds"] / one["count"] * 1000, 3), **_memory(one)} for size, one in found.items()
    }
    growth = math.log(last["seconds"] / first["seconds"]) / math.log(last["count"] / first["count"])
    return {"by_size": each, "growth": round(growth, 2)}


def _memory(one: Mapping[str, float]) -> Mapping[str, float]:
    return {"peak_mb": one["peak_mb"]} if "peak_mb" in one else {}


if __name__ == "__main__":
    main()
