"""Economic series of a snapshot with their vintages, as published by their source."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tradingagents.dataflows.gateway.cache import decode
from tradingagents.dataflows.models import MacroSeries
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.snapshot.folder import Unreadable, read_lines

FILE = "macro.jsonl.gz"


def load_vintages(path: Path, unreadable: Unreadable | None = None) -> Mapping[str, MacroSeries]:
    """Read macro.jsonl.gz by FRED id; {} if it doesn't exist.

    Raises:
        VendorDown: The file is corrupt, or too many rows aren't series; names the line.
    """
    return dict(read_lines(path, _series, unreadable))


def _series(row: Mapping[str, Any]) -> tuple[str, MacroSeries]:
    series: MacroSeries = decode(Vendor.get_macro_indicators, row)
    return row["id"], series
