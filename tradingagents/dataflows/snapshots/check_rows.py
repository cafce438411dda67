"""Check the dated rows of a snapshot: statements, articles, trades, posts, filings."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

from tradingagents.dataflows.snapshots.check_fields import CheckFindings, check_fields
from tradingagents.dataflows.vendors.snapshot.filings import FILE as FILINGS
from tradingagents.dataflows.vendors.snapshot.folder import UNREADABLE, moment, reason, spelled
from tradingagents.dataflows.vendors.snapshot.items import ANCHORS, our_items
from tradingagents.dataflows.vendors.snapshot.social import FILE as SOCIAL

STATEMENTS, NEWS, INSIDERS = "statements.jsonl.gz", "news.jsonl.gz", "insider.jsonl.gz"
Row = dict[str, Any]


def check_lines(folder: Path, today: date, found: CheckFindings) -> None:
    """Check every file of dated rows in the folder.

    Args:
        folder: The snapshot.
        today: Later rows are errors.
        found: Collects the faults, by line.
    """
    for file, (check, key) in _CHECKS.items():
        path = folder / file
        if not path.is_file():
            continue
        seen: set[str] = set()
        for number, row in _lines(path, found):
            where = f"line {number}"
            for name in key:
                if not row.get(name):
                    found.error(file, f"rows without {name}", where)
            same = json.dumps([row.get(name) for name in (*key, *_MORE.get(file, ()))], default=str)
            if same in seen:
                found.warn(file, "duplicate rows", where)
            seen.add(same)
            try:
                check(row, where, today, found)
                check_fields(file, row, where, found)
            except UNREADABLE as error:
                found.error(file, "rows that cannot be read", f"{where} ({reason(error)})")


def _lines(path: Path, found: CheckFindings) -> Iterator[tuple[int, Row]]:
    number = 0
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError):
                    row = None
                if isinstance(row, dict):
                    yield number, row
                else:
                    found.error(path.name, "lines that are not JSON objects", f"line {number}")
    except (OSError, EOFError, zlib.error, ValueError) as error:
        found.error(path.name, "it cannot be read to its end", f"after line {number} ({type(error).__name__}: {error})")


def _check_statement(row: Row, where: str, today: date, found: CheckFindings) -> None:
    kind, symbol, filed = row["statement"], spelled(row["symbol"]), row.get("known_at") or row.get("filed_at")
    end = date.fromisoformat(row["period_end"])
    exact = "known_at" in row
    items = row["items"] if exact else our_items(row["source"], kind, row["items"], filed=bool(filed))
    if not any(items.get(item) is not None for item in ANCHORS[kind]):
        found.warn(STATEMENTS, f"{kind} statements without {' or '.join(ANCHORS[kind])}", f"{symbol} {end} ({where})")
    if filed and moment(filed)[0].date() < end:
        found.error(STATEMENTS, "statements filed before their period ended", f"{symbol} {end} ({where})")
    if end > today or (filed and moment(filed)[0].date() > today):
        found.error(STATEMENTS, "statements from the future", f"{symbol} {end} ({where})")
    start = row.get("period_start")
    if start and date.fromisoformat(start) > end:
        found.error(STATEMENTS, "periods that end before they begin", f"{symbol} {end} ({where})")


def _check_article(row: Row, where: str, today: date, found: CheckFindings) -> None:
    _check_moment(NEWS, row["published_at"], where, today, found)
    if row.get("known_at") and _instant(row["known_at"]) < _instant(row["published_at"]):
        found.error(NEWS, "articles known before they were published", where)


def _check_trade(row: Row, where: str, today: date, found: CheckFindings) -> None:
    traded, filed = date.fromisoformat(row["transaction_date"]), row.get("filed_at")
    if filed and moment(filed)[0].date() < traded:
        found.error(INSIDERS, "trades reported before they were made", f"{row['symbol']} {traded} ({where})")
    if traded > today:
        found.error(INSIDERS, "trades in the future", f"{row['symbol']} {traded} ({where})")
    if float(row["shares"]) == 0:
        found.warn(INSIDERS, "trades of zero shares", where)


def _check_post(row: Row, where: str, today: date, found: CheckFindings) -> None:
    _check_moment(SOCIAL, row["posted_at"], where, today, found)


def _check_filing(row: Row, where: str, today: date, found: CheckFindings) -> None:
    _check_moment(FILINGS, row.get("accepted_at") or row["filed_on"], where, today, found)


def _check_moment(file: str, text: str, where: str, today: date, found: CheckFindings) -> None:
    if moment(text)[0].date() > today:
        found.error(file, "rows from the future", where)


def _instant(text: str) -> datetime:
    return moment(text)[0]


_CHECKS: Mapping[str, tuple[Callable[[Row, str, date, CheckFindings], None], tuple[str, ...]]] = {
    STATEMENTS: (_check_statement, ("symbol", "statement", "period", "period_end", "source")),
    NEWS: (_check_article, ("published_at", "title")),
    INSIDERS: (_check_trade, ("symbol", "transaction_date", "insider")),
    SOCIAL: (_check_post, ("symbol", "posted_at", "text", "source")),
    FILINGS: (_check_filing, ("symbol", "form", "filed_on", "accession", "url")),
}
"""Checks and required fields by file."""
_MORE: Mapping[str, tuple[str, ...]] = {
    STATEMENTS: ("filed_at", "known_at"),
    NEWS: ("symbol", "url"),
    INSIDERS: ("shares", "value", "text", "relation", "kind", "ownership", "filed_at"),
    SOCIAL: ("author", "url"),
}
"""Additional key fields for duplicates."""
