"""What a valuation costs: `python -m benchmarks.valuation`.

Each measurement is the least of `RUNS`, in seconds of processor time and of the wall clock.

What is measured
- value: one valuation with its forecast.
- grid of N x N: a sensitivity grid of two drivers, computed at once.
- reverse: the growth that a price implies.
- simulate: 100,000 draws of three drivers.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable

import numpy as np

from tradingagents.valuation import (
    DriverDistribution,
    ValuationInputs,
    converging_path,
    fading_path,
    grid,
    simulate,
    solve_driver,
    stepped_path,
    value_company,
)

RUNS = 5
SIDE = 1000
INPUTS = ValuationInputs(
    revenue_t0=1000,
    shares_out=100,
    sales_growth=fading_path(0.12, 0.03),
    oper_margin=converging_path(0.10, 0.18, 5),
    tax_rate=fading_path(0.21, 0.25),
    sales_to_capital=stepped_path(2, 1.5),
    wacc=fading_path(0.09, 0.08),
    stable_growth=0.03,
    stable_roic=0.12,
    nol_t0=150,
    debt=300,
    cash=150,
)
PAIRS = (("wacc", "stable_growth"), ("wacc", "oper_margin"), ("sales_growth", "oper_margin"))


def measured(act: Callable[[], object]) -> tuple[float, float]:
    """Return the least processor time and the least wall time of some runs."""
    cpu, wall = [], []
    for _ in range(RUNS):
        began, started = time.process_time(), time.perf_counter()
        act()
        cpu.append(time.process_time() - began)
        wall.append(time.perf_counter() - started)
    return min(cpu), min(wall)


def cases() -> dict[str, Callable[[], object]]:
    shifts = np.linspace(-0.02, 0.02, SIDE).tolist()
    found: dict[str, Callable[[], object]] = {"value": lambda: value_company(INPUTS)}
    for rows, columns in PAIRS:
        found[f"grid {rows} x {columns}, {SIDE} x {SIDE}"] = lambda rows=rows, columns=columns: grid(  # type: ignore[misc]
            INPUTS, rows, columns, shifts, shifts
        )
    found["reverse sales_growth"] = lambda: solve_driver(INPUTS, "sales_growth", 40.0)
    shapes = {name: DriverDistribution("normal", (0, 0.01)) for name in ("wacc", "sales_growth", "oper_margin")}
    found["simulate 100,000 draws"] = lambda: simulate(INPUTS, shapes, draws=100_000)
    return found


def main() -> None:
    """Measure and print a table, or with `--json` one object a line."""
    parser = argparse.ArgumentParser(description="What a valuation costs.")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    as_json = parser.parse_args().json
    if not as_json:
        print("| what | cpu s | wall s |\n|---|--:|--:|")
    for name, act in cases().items():
        cpu, wall = measured(act)
        if as_json:
            print(json.dumps({"what": name, "cpu": cpu, "wall": wall}), flush=True)
        else:
            print(f"| {name} | {cpu:.4f} | {wall:.4f} |", flush=True)


if __name__ == "__main__":
    main()
