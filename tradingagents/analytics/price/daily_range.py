"""Average daily price range of a stock, and how far from the last close an entry price may lie."""

from __future__ import annotations

import math

import numpy as np

from tradingagents.analytics.least_history import LEAST_HISTORY
from tradingagents.dataflows.models import Prices

RANGE_SESSIONS = 14
"""Number of sessions averaged, as usual for the average true range."""
BAND_RANGES = 5.0
"""Largest distance of an entry from the last close in daily ranges: about a month's move, since ranges grow with the
square root of time and the root of 21 sessions is 4.6."""
LEAST_BAND = 0.05
"""Smallest half-width of the band, as a fraction of the last close; used too when the daily range is not known."""
MOST_BAND = 0.5
"""Largest half-width, as a fraction of the last close."""


def daily_range(prices: Prices) -> float | None:
    """Return the mean true range of the last 14 sessions in the currency of the prices.

    The true range (Wilder, 1978) is the largest of high minus low, |high minus previous close| and |low minus previous
    close|.

    Returns:
        The range, or None with fewer than 15 bars, with a session without a bar, or with a price among them that
        is not finite.
    """
    least = LEAST_HISTORY["daily_range"]
    if len(prices) < least or prices.spans_gap(least):
        return None
    high, low, before = (
        values[-RANGE_SESSIONS - shift : len(values) - shift]
        for values, shift in ((prices.high, 0), (prices.low, 0), (prices.close, 1))
    )
    mean = float(np.mean(np.maximum(high, before) - np.minimum(low, before)))
    return mean if math.isfinite(mean) and mean >= 0 else None


def entry_band(last_close: float, span: float | None) -> tuple[float, float]:
    """Return the lowest and highest allowed price for acting on a decision.

    Args:
        last_close: Close of the last session.
        span: The daily range; None means unknown and gives the narrowest band.
    """
    width = min(max(LEAST_BAND * last_close, BAND_RANGES * (span or 0.0)), MOST_BAND * last_close)
    return last_close - width, last_close + width
