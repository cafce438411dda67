"""Shared by the vendors of social posts: field parsing, single-line text, deduplication, and the date window."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from tradingagents.dataflows.models import SocialPost

_WHOLE = re.compile(r"(-?\d{1,18})(?:\.0{1,9})?")
TEXT_LENGTH = 500
"""Maximum length of a post's text."""


def shortened(text: Any) -> str | None:
    """Return a post's text on one line, HTML entities decoded, at most `TEXT_LENGTH` characters; None for no text."""
    return words(html.unescape(text)) if isinstance(text, str) else None


def in_window(posts: Iterable[SocialPost], start: datetime, end: datetime) -> tuple[SocialPost, ...]:
    """Return the posts made in [start, end] without duplicates (by URL), newest first."""
    found: dict[str, SocialPost] = {}
    for post in posts:
        if start <= post.posted_at <= end:
            found.setdefault(post.url or f"{post.author} {post.posted_at} {post.text}", post)
    return tuple(sorted(found.values(), key=lambda post: (post.posted_at, post.url or "", post.text), reverse=True))


def count(value: Any) -> int | None:
    """Return an integer, also one that is sent as text; None for anything else, including fractions and booleans."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and (written := _WHOLE.fullmatch(value)):
        return int(written[1])
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def words(value: Any) -> str | None:
    """Return a text on one line, at most `TEXT_LENGTH` characters; None for an empty or non-text value."""
    return " ".join(value.split())[:TEXT_LENGTH].rstrip() or None if isinstance(value, str) else None


def instant(text: Any) -> datetime | None:
    """Parse an instant in ISO format with its zone; None for anything else."""
    try:
        read = datetime.fromisoformat(text)
        return read.astimezone(UTC) if read.tzinfo else None
    except (TypeError, ValueError, OverflowError):
        return None


def crypto_base(symbol: str) -> str | None:
    """Return the coin of a pair such as BTC-USD; None for any other symbol."""
    base, _, quoted = symbol.partition("-")
    return base if quoted in ("USD", "EUR") and base.isalnum() else None
