"""Locate an invalid row in a snapshot folder: file and line, or row. Searched only if needed."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import (
    Dividend,
    Filing,
    InsiderTransaction,
    NewsItem,
    Profile,
    SocialPost,
    Split,
    Statement,
)
from tradingagents.dataflows.vendors.snapshot.folder import UNREADABLE, spelled
from tradingagents.files.parquet import column_of, days_of, pq, texts_of

Row = Mapping[str, Any]


def place_of(folder: Path, fault: Fault) -> str:
    """Return the location of an invalid row; empty if it is computed from more than one, or can't be found."""
    row = fault.row
    try:
        if row is None:
            return _bar(folder / "prices.parquet", fault.subject, fault.day)
        if isinstance(row, (Split, Dividend)):
            return _action(folder / "actions.csv", fault.subject, row)
        if isinstance(row, Profile):
            return f"profiles.json at {fault.subject}"
        file, same = _LINES[type(row)]
        return _line(folder / file, same, row)
    except UNREADABLE:  # a row computed from others has no line of its own
        return ""


def _bar(path: Path, symbol: str, day: date | None) -> str:
    """Return the last row of a symbol's bar: of two for one day the later counts."""
    if day is None or not path.is_file():
        return ""
    with pq.ParquetFile(path, read_dictionary=["symbol"]) as file:
        codes, names = texts_of(column_of(file, "symbol"))
        days = days_of(column_of(file, "date"))
    spellings = [code for code, name in enumerate(names) if spelled(name) == symbol]
    rows = np.flatnonzero(np.isin(codes, spellings) & (days == np.datetime64(day, "D")))
    return f"{path.name} row {rows[-1] + 1}" if len(rows) else ""


def _action(path: Path, symbol: str, row: Split | Dividend) -> str:
    kind = "split" if isinstance(row, Split) else "dividend"
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        for given in reader:
            if (spelled(given["symbol"]), given["date"], given["action"]) == (symbol, row.day.isoformat(), kind):
                return f"{path.name} line {reader.line_num}"
    return ""


def _line(path: Path, same: Callable[[Row, Any], bool], row: Any) -> str:
    for number, given in _rows(path):
        if same(given, row):
            return f"{path.name} line {number}"
    return ""


def _rows(path: Path) -> Iterator[tuple[int, Row]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
            except UNREADABLE:
                continue
            if isinstance(row, dict):
                yield number, row


def _same_statement(given: Row, row: Statement) -> bool:
    told = (spelled(given["symbol"]), given["statement"], given["period"], given["period_end"])
    if told != (row.symbol, row.kind, row.frequency, row.period_end.isoformat()):
        return False
    filed = given.get("known_at") or given.get("filed_at")
    return row.known_by == "assumed" or (filed is not None and str(filed)[:10] <= row.known_at.date().isoformat())


def _same_article(given: Row, row: NewsItem) -> bool:
    symbol = spelled(given["symbol"]) if given.get("symbol") else None
    return symbol == row.symbol and str(given.get("title")).strip() == row.title


def _same_trade(given: Row, row: InsiderTransaction) -> bool:
    told = (spelled(given["symbol"]), given["transaction_date"], given["insider"])
    if told != (row.symbol, row.transaction_date.isoformat(), row.insider) or (given.get("text") or "") != row.text:
        return False
    shares = float(given["shares"])
    return shares == row.shares or shares != shares


def _same_post(given: Row, row: SocialPost) -> bool:
    return spelled(given["symbol"]) == row.symbol and str(given.get("text")).strip() == row.text


def _same_filing(given: Row, row: Filing) -> bool:
    return spelled(given["symbol"]) == row.symbol and str(given.get("accession")).strip() == row.accession


_LINES: Mapping[type, tuple[str, Callable[[Row, Any], bool]]] = {
    Statement: ("statements.jsonl.gz", _same_statement),
    NewsItem: ("news.jsonl.gz", _same_article),
    InsiderTransaction: ("insider.jsonl.gz", _same_trade),
    SocialPost: ("social.jsonl.gz", _same_post),
    Filing: ("filings.jsonl.gz", _same_filing),
}
"""By row type: the file, and a test whether one of its lines is the row."""
