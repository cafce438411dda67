"""How far a stock moves in a day, and how far from the last close a price to act at may lie."""

from __future__ import annotations

import math

import numpy as np

from tradingagents.dataflows.models import Prices

RANGE_SESSIONS = 14
"""Sessions the daily range is averaged over, as usual for the average true range."""
BAND_RANGES = 5.0
"""Daily ranges by which an entry may lie above or below the last close: about what a stock moves in a month, since a
range grows with the square root of time and 21 sessions make 4.6 daily ranges."""
LEAST_BAND = 0.05
"""Half-width of the band where the daily range is small or not known, as a fraction of the last close."""
MOST_BAND = 0.5
"""Largest half-width, as a fraction of the last close."""


def daily_range(prices: Prices) -> float | None:
    """Return the mean true range of the last 14 sessions in the currency of the prices.

    The true range (Wilder, 1978) is the largest of high less low, high less the close before, and the close before less
    low, the last two without sign.

    Returns:
        None with fewer than 15 bars, or where a price among them is not finite.
    """
    if len(prices) <= RANGE_SESSIONS:
        return None
    high, low, before = (
        values[-RANGE_SESSIONS - shift : len(values) - shift]
        for values, shift in ((prices.high, 0), (prices.low, 0), (prices.close, 1))
    )
    mean = float(np.mean(np.maximum(high, before) - np.minimum(low, before)))
    return mean if math.isfinite(mean) and mean >= 0 else None


def entry_band(last_close: float, span: float | None) -> tuple[float, float]:
    """Return the lowest and the highest price at which a decision may act.

    Args:
        last_close: Close of the last session.
        span: The daily range; None: not known, so the narrowest band holds.
    """
    width = min(max(LEAST_BAND * last_close, BAND_RANGES * (span or 0.0)), MOST_BAND * last_close)
    return last_close - width, last_close + width
