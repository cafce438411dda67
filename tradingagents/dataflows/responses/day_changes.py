"""A day's change in percent and in money, which vendors that give both state of one price."""

from __future__ import annotations

CHANGE_ROUNDED = 0.1
"""Percentage points, or part of the change, by which two statements of it may differ."""


def is_same_change(price: float | None, moved: float | None, change: float) -> bool:
    """Tell whether a change in percent follows from the change in money, where a quote states it.

    Args:
        price: After the change.
        moved: By how much it changed; None where it is not stated.
        change: In percent of the price before.
    """
    if price is None or moved is None or not price - moved:
        return True
    return abs(change - 100.0 * moved / (price - moved)) <= max(CHANGE_ROUNDED, abs(change) * CHANGE_ROUNDED)
