"""Economic series of a snapshot as their source published them, vintage by vintage."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tradingagents.dataflows.codec import decode
from tradingagents.dataflows.rows import MacroSeries
from tradingagents.dataflows.vendors.snapshot.folder import read_lines

FILE = "macro.jsonl.gz"


def load_vintages(path: Path) -> Mapping[str, MacroSeries]:
    """Read macro.jsonl.gz by the source's id; {} where it is absent.

    Raises:
        VendorDown: The file is corrupt, or a row is no series; names the line.
    """
    return {series.series: series for series in read_lines(path, lambda row: _series(row))}


def _series(row: Mapping[str, object]) -> MacroSeries:
    series = decode("get_macro_indicators", row)
    assert isinstance(series, MacroSeries)
    return series
