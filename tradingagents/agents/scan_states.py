"""The scanner graph's state: plain values and records, so that checkpoints can hold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypedDict

from tradingagents.agents.states import Degraded, Failures, appended
from tradingagents.analytics.market.scanned import SeenStock
from tradingagents.dataflows.reference.metrics import MISSING
from tradingagents.schemas.records import IndexRecord, SectorRecord
from tradingagents.schemas.scan_summary import ScanSummaryRecord

Seen = dict[str, SeenStock]
"""Stocks by ticker."""


def merge_seen(left: Mapping[str, SeenStock], right: Mapping[str, SeenStock]) -> Seen:
    """Merge the stocks two agents saw, with all tools and figures; on conflict the first value stays."""
    merged: Seen = dict(left)
    for ticker, new in right.items():
        old = merged.get(ticker)
        merged[ticker] = new if old is None else _joined(ticker, old, new)
    return merged


def known_name(ticker: str, stock: SeenStock) -> str | None:
    """Return a stock's name; None where the source gave only its ticker or nothing."""
    return None if stock.name in ("", MISSING, ticker) else stock.name


def _joined(ticker: str, old: SeenStock, new: SeenStock) -> SeenStock:
    return SeenStock(
        name=known_name(ticker, old) or known_name(ticker, new) or old.name,
        sector=old.sector or new.sector,
        tools=list(dict.fromkeys([*old.tools, *new.tools])),
        figures={**new.figures, **old.figures},
    )


class ScannerState(TypedDict, total=False):
    """The state of a scan: the documented keys, and the typed results behind the texts."""

    scan_date: str
    geopolitical_report: str
    market_movers_report: str
    sector_performance_report: str
    industry_deep_dive_report: str
    macro_scan_summary: str
    """The documented JSON, as text."""
    sender: str
    sectors: list[SectorRecord]
    """The sector scanner's typed result."""
    indices: list[IndexRecord]
    top_sectors: list[str]
    """Keys of the sectors the deep dive looks into."""
    seen: Annotated[Seen, merge_seen]
    summary: ScanSummaryRecord
    failures: Failures
    degraded: Degraded
    warnings: Annotated[list[str], appended]
