"""Insider trades of a snapshot: the kind of each, and when it was known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

from tradingagents.dataflows.models import InsiderTransaction
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.reference.fiscal_periods import assumed_reported_at
from tradingagents.dataflows.vendors.snapshot.folder import (
    Unreadable,
    check_texts,
    known_by,
    known_from,
    read_lines,
    recorded_day,
    spelled,
)

Kind = Literal["buy", "sell", "grant", "gift", "exercise", "other"]

_OPENINGS: tuple[tuple[str, Kind], ...] = (
    ("sale", "sell"),
    ("bought", "buy"),
    ("purchase", "buy"),
    ("stock gift", "gift"),
    ("stock award", "grant"),
    ("conversion of exercise", "exercise"),
    ("exercise", "exercise"),
)
"""Prefixes of the texts by kind."""


def load_insiders(path: Path, unreadable: Unreadable | None = None) -> Mapping[str, tuple[InsiderTransaction, ...]]:
    """Read insider.jsonl.gz by symbol, newest trade first; {} if it doesn't exist.

    Raises:
        VendorDown: The file is corrupt, or too many rows lack a field; names the line.
    """
    by_symbol: dict[str, list[InsiderTransaction]] = defaultdict(list)
    for row in read_lines(path, trade_of, unreadable):
        by_symbol[row.symbol].append(row)
    return {
        symbol: tuple(sorted(rows, key=lambda row: row.transaction_date, reverse=True))
        for symbol, rows in by_symbol.items()
    }


def trade_kind(text: str) -> Kind:
    """Return a trade's kind from its description; `other` if it is empty or unknown."""
    lowered = text.strip().lower()
    return next((kind for opening, kind in _OPENINGS if lowered.startswith(opening)), "other")


def trade_of(row: dict[str, Any]) -> InsiderTransaction:
    """Convert a line to a row; raises one of `folder.UNREADABLE` if it is unreadable."""
    symbol = spelled(row["symbol"])
    check_texts(row, "insider", "relation", "text")
    day, filed, text = recorded_day(row["transaction_date"]), row.get("filed_at"), row.get("text") or ""
    value, kind = row.get("value"), row.get("kind") or trade_kind(text)
    if kind not in get_args(Kind):
        raise ValueError(f"unknown kind {kind!r}")
    return InsiderTransaction(
        symbol=symbol,
        insider=row["insider"],
        relation=row.get("relation") or "",
        kind=kind,
        shares=float(row["shares"]),
        value=None if value is None else float(value),
        transaction_date=day,
        known_at=known_from(filed, exchange_of(symbol))
        if filed
        else assumed_reported_at(day, exchange=exchange_of(symbol)),
        known_by=known_by(row, dated=bool(filed)),
        text=text,
    )
