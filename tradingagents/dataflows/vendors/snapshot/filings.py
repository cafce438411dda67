"""The index of filings of a snapshot, by company."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tradingagents.dataflows.models import Filing
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.vendors.snapshot.folder import Unreadable, known_from, read_lines, recorded_day, spelled

FILE = "filings.jsonl.gz"


def load_filings(path: Path, unreadable: Unreadable | None = None) -> Mapping[str, tuple[Filing, ...]]:
    """Read filings.jsonl.gz by symbol, newest first; {} if it doesn't exist.

    Raises:
        VendorDown: The file is corrupt, or too many rows lack a field; names the line.
    """
    by_symbol: dict[str, list[Filing]] = defaultdict(list)
    for row in read_lines(path, filing_of, unreadable):
        by_symbol[row.symbol].append(row)
    return {
        symbol: tuple(sorted(rows, key=lambda row: (row.known_at, row.accession), reverse=True))
        for symbol, rows in by_symbol.items()
    }


def filing_of(row: dict[str, Any]) -> Filing:
    """Convert a line to a row; raises one of `folder.UNREADABLE` if it is unreadable."""
    symbol, form = spelled(row["symbol"]), row["form"].strip()
    period_end = row.get("period_end")
    return Filing(
        symbol=symbol,
        form=form,
        known_at=known_from(row.get("accepted_at") or row["filed_on"], exchange_of(symbol)),
        filed_on=recorded_day(row["filed_on"]),
        accession=row["accession"].strip(),
        url=row["url"].strip(),
        title=(row.get("title") or form).strip(),
        period_end=recorded_day(period_end) if period_end else None,
        items=tuple(str(item) for item in row.get("items") or ()),
    )
