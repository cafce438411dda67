"""A day's change in percent and in money, which vendors that give both state of one price."""

from __future__ import annotations

CHANGE_ROUNDED = 0.1
"""Percentage points by which two statements of a change may differ."""
CENT = 0.01
FRACTION = 0.0001
"""To what changes in money are rounded: of shares from a dollar on, and of cheaper ones."""


def is_same_change(price: float | None, moved: float | None, change: float) -> bool:
    """Tell whether a change in percent follows from the change in money, where a quote states it.

    Args:
        price: After the change.
        moved: By how much it changed; None where it is not stated.
        change: In percent of the price before.
    """
    if price is None or moved is None or not price - moved:
        return True
    before = price - moved
    rounded = 100.0 * (CENT if price >= 1 else FRACTION) / abs(before) * max(1.0, abs(price / before))
    return abs(change - 100.0 * moved / before) <= CHANGE_ROUNDED + rounded
