"""Whether a change is good news: falling prices are bad, and so is a rising volatility index."""

from __future__ import annotations

RISE_IS_BAD = frozenset(("^VIX", "^VXN", "^VXD", "^OVX", "^MOVE", "^VVIX"))
"""Indices of expected volatility, which rise when markets fall."""


def good_or_bad(symbol: str, change: float | None) -> str:
    """Return `good`, `bad` or empty for a change of an index; empty if it did not move or is unknown."""
    if not change or change != change:
        return ""
    return "good" if (change > 0) != (symbol in RISE_IS_BAD) else "bad"
