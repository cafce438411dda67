"""Runs of the offline analysts on snapshot folders, and what of a run can be compared with another's."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from tests.support.snapshot_folder import without_dividends, write_prices
from tradingagents.graph.start import Run
from tradingagents.graph.trading_graph import TradingAgentsGraph

DERIVED = ("tone_change", "attention", "tone_dispersion")
"""Worked out by the offline analysts, and called derived where they stand."""


def graph_on(folder: Path, **more: Any) -> TradingAgentsGraph:
    """The offline analysts on a snapshot folder."""
    # Lessons of the runs before would make a run depend on which tests ran in its home.
    config = {"llm_provider": "offline", "data_vendor": "snapshot", "data_dir": str(folder), "auto_settle": False}
    return TradingAgentsGraph(config={**config, **more})


def answer(run: Run) -> Any:
    """What a run says, as JSON without ids, times and places."""
    card = run.record.as_json()
    return json.loads(json.dumps({key: card[key] for key in ("decision", "reports", "debates", "warnings")}))


def mirror_prices(folder: Path, symbols: tuple[str, ...], *, since: date) -> None:
    """Mirror prices on the level they had on a day: what fell by a tenth rose by a ninth."""
    rows = pq.ParquetFile(folder / "prices.parquet").read().to_pylist()
    for symbol in symbols:
        own = [row for row in rows if row["symbol"] == symbol]
        level = next(row["close"] for row in own if row["date"].date() >= since)
        for row in own:
            if row["date"].date() > since:
                turned = {name: level * level / row[name] for name in ("open", "high", "low", "close")}
                row.update(turned, high=turned["low"], low=turned["high"])
        closes = np.array([row["close"] for row in own])
        for row, adjusted in zip(own, without_dividends(closes) if symbol == "ACMQ" else closes, strict=True):
            row["adj_close"] = float(adjusted)
    write_prices(folder, rows)
