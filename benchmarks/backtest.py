"""How fast a backtest decides and keeps accounts: `python -m benchmarks.backtest [--data DIR]`.

Offline decisions in this process, by processor time and wall time, with the memory after each quarter of them; the same
with worker processes, whose start counts; an account of 100 tickers over five years; and 100 paired tests. It
prints one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.backtest_markets import paired_seconds
from benchmarks.measuring import peak_mb
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendors.simulated import COMPANIES
from tradingagents.features.backtest.advance import AccountRules
from tradingagents.features.backtest.decisions.decide import decide
from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.score import run_account
from tradingagents.features.backtest.strategies import OPEN, constant_targets, month_starts
from tradingagents.features.backtest.traded_prices import TradedPrices
from tradingagents.runtime.gc_tuning import collect_rarely
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import load_settings

RECORDED = ("AAPL", "AMGN", "AMZN", "AXP", "BA", "CAT", "CRM", "GS", "HD", "HON",
            "IBM", "JNJ", "JPM", "MCD", "MSFT", "PG", "SHW", "TRV", "UNH", "V")  # fmt: skip
FIRST = date(2024, 6, 3)
TICKERS, YEARS, SESSIONS = 100, 5, 252


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, help="folder of recorded data; none: the simulated market")
    parser.add_argument("--decisions", type=int, default=400)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--default-collector", action="store_true", help="leave Python's garbage collector as it is")
    asked = parser.parse_args()
    if not asked.default_collector:
        collect_rarely()  # as the command line and its workers do
    tickers = RECORDED if asked.data else tuple(sorted(COMPANIES))
    days = sessions().between(FIRST, date(2025, 7, 18))[: -(-asked.decisions // len(tickers)) + 1]
    measured: dict[str, Any] = {"decisions": decisions(asked.data, tickers, days)}
    if asked.workers > 1:
        measured["workers"] = in_workers(asked.data, tickers, days, asked.workers)
    measured["ledger"] = ledger()
    measured["hundred_paired_tests_s"] = round(paired_seconds(), 3)
    sys.stdout.write(json.dumps(measured, indent=1) + "\n")


def services(data: Path | None, home: str, **more: Any) -> Services:
    source = {"data_vendor": "snapshot", "data_dir": str(data)} if data else {"data_vendor": "simulated"}
    return open_services(load_settings({"llm_provider": "offline", "home": home, **source, **more}, environ={}), {})


def decisions(data: Path | None, tickers: Sequence[str], days: Sequence[date]) -> Mapping[str, Any]:
    """Decide in this process; the first day reads the data and does not count."""
    with tempfile.TemporaryDirectory() as home:
        opened = services(data, home)
        asyncio.run(decide(opened, tickers, days[:1]))
        parts = np.array_split(np.arange(1, len(days)), 4)
        began, wall, memory, spent = time.process_time(), time.perf_counter(), [peak_mb()], list[float]()
        for part in parts:
            before = time.process_time()
            asyncio.run(decide(opened, tickers, [days[place] for place in part]))
            spent.append((time.process_time() - before) / (len(part) * len(tickers)) * 1000)
            memory.append(peak_mb())
        count = (len(days) - 1) * len(tickers)
        processor, seconds = time.process_time() - began, time.perf_counter() - wall
    return {
        "count": count,
        "ms_of_processor_time_each": round(processor / count * 1000, 1),
        "ms_each_by_quarter": [round(one, 1) for one in spent],
        "a_second_of_wall_time": round(count / seconds, 1),
        "peak_mb_before_and_by_quarter": [round(one) for one in memory],
    }


def in_workers(data: Path | None, tickers: Sequence[str], days: Sequence[date], workers: int) -> Mapping[str, Any]:
    """Decide the same in worker processes, each of which starts and reads the data first."""
    with tempfile.TemporaryDirectory() as home:
        opened = services(data, home, backtest_engine="processes", backtest_workers=workers)
        began = time.perf_counter()
        found = asyncio.run(decide(opened, tickers, days))
        seconds = time.perf_counter() - began
    return {"count": workers, "a_second_of_wall_time_with_start": round(found.decided / seconds, 1)}


def ledger() -> Mapping[str, float]:
    """Keep an account of 100 tickers over five years, restored to equal weights each month, and read it back."""
    random = np.random.default_rng(1)
    days = sessions().between(date(2018, 1, 2), date(2025, 12, 31))[: YEARS * SESSIONS]
    prices = {f"T{number:03}": walk(f"T{number:03}", days, random) for number in range(TICKERS)}
    with tempfile.TemporaryDirectory() as folder:
        path, began = Path(folder) / "ledger.jsonl", time.process_time()
        table, weights = TradedPrices(prices, days), dict.fromkeys(prices, 0.99 / TICKERS)
        arranged = time.process_time()
        rules = AccountRules(deposit=1e7, limits=OPEN)
        account = run_account(table, days, rules, constant_targets(weights, month_starts(days)), path)
        kept = time.process_time()
        if BookLedger(path).head != account.ledger.head:
            raise AssertionError("the ledger that was read is another one")
        read = time.process_time()
    return {
        "arrange_s": round(arranged - began, 3),
        "keep_s": round(kept - arranged, 3),
        "read_s": round(read - kept, 3),
    }


def walk(symbol: str, days: Sequence[date], random: np.random.Generator) -> Prices:
    close = 50 * np.exp(np.cumsum(random.normal(0.0003, 0.015, len(days))))
    return Prices(
        symbol, np.array(days, dtype="datetime64[D]"), close * 0.999, close * 1.01, close * 0.99, close, close,
        np.full(len(days), 1e7), "USD", "made", datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip


if __name__ == "__main__":
    main()
