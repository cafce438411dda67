"""Social posts of a snapshot, by company."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from tradingagents.dataflows.models import SocialPost
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.vendors.snapshot.folder import (
    Unreadable,
    check_texts,
    known_from,
    moment,
    read_lines,
    spelled,
)

FILE = "social.jsonl.gz"
_TAGS: Mapping[str | None, Literal["bullish", "bearish"] | None] = {
    "bullish": "bullish",
    "bearish": "bearish",
    None: None,
}


def load_social(path: Path, unreadable: Unreadable | None = None) -> Mapping[str, tuple[SocialPost, ...]]:
    """Read social.jsonl.gz by symbol, newest post first; {} if it doesn't exist.

    Raises:
        VendorDown: The file is corrupt, or too many rows lack a field or have an unknown tag; names the line.
    """
    by_symbol: dict[str, list[SocialPost]] = defaultdict(list)
    for row in read_lines(path, post_of, unreadable):
        by_symbol[row.symbol].append(row)
    return {
        symbol: tuple(sorted(rows, key=lambda row: (row.posted_at, row.text), reverse=True))
        for symbol, rows in by_symbol.items()
    }


def post_of(row: dict[str, Any]) -> SocialPost:
    """Convert a line to a row; raises one of `folder.UNREADABLE` if it is unreadable."""
    symbol, counted = spelled(row["symbol"]), row.get("counted_at")
    check_texts(row, "source", "author", "community", "url")
    score, comments = row.get("score"), row.get("comments")
    return SocialPost(
        symbol=symbol,
        text=row["text"].strip(),
        posted_at=moment(row["posted_at"])[0],
        known_at=known_from(row.get("known_at") or row["posted_at"], exchange_of(symbol)),
        source=row["source"],
        author=row.get("author"),
        community=row.get("community"),
        sentiment=_TAGS[row.get("sentiment")],
        # Counts keep growing: without the instant they were read at, they may be from any later day.
        score=int(score) if counted and score is not None else None,
        comments=int(comments) if counted and comments is not None else None,
        url=row.get("url"),
        counted_at=known_from(counted, exchange_of(symbol)) if counted else None,
    )
