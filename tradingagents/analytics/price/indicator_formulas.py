"""Formulas of the technical indicators: moving averages, bands, oscillators and volume lines, in NumPy.

Each returns one value per bar and needs some bars before its value means anything: `Indicator.warm_up` says how many.
A missing value (NaN) is left out of a window and of an exponential average.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tradingagents.dataflows.models import Floats


def simple_average(values: Floats, window: int) -> Floats:
    """Return the mean of the last `window` values; NaN before there are so many."""
    total, count = _sum_and_count(values, window)
    return _divided(total, count)


def exponential_average(values: Floats, span: float) -> Floats:
    """Return the average whose weights fall by 1 - 2 / (span + 1) a bar and sum to one at every bar."""
    return _smoothed(values, 2.0 / (span + 1.0))


def wilder_average(values: Floats, window: int) -> Floats:
    """Return the same with weights that fall by 1 - 1 / window a bar: Wilder's smoothing."""
    return _smoothed(values, 1.0 / window)


def macd(close: Floats) -> Floats:
    """Return the exponential average of 12 bars less that of 26."""
    return exponential_average(close, 12) - exponential_average(close, 26)


def macd_signal(close: Floats) -> Floats:
    """Return the exponential average of 9 bars of the MACD."""
    return exponential_average(macd(close), 9)


def bollinger(close: Floats, deviations: float) -> Floats:
    """Return the mean of 20 closes plus so many of their sample deviations (n - 1)."""
    window = 20
    middle = simple_average(close, window)
    if not deviations or len(close) < window:
        return middle
    around = sliding_window_view(close, window) - middle[window - 1 :, np.newaxis]
    known = ~np.isnan(around)
    variance = _divided(np.square(np.where(known, around, 0.0)).sum(axis=1), known.sum(axis=1) - 1.0)
    band = middle.copy()
    band[window - 1 :] += deviations * np.sqrt(variance)
    return band


def relative_strength(close: Floats, window: int = 14) -> Floats:
    """Return the share of rises in Wilder's averages of rises and falls, 0 to 100; 50 where nothing moved."""
    change = np.diff(close, prepend=close[:1])
    rise = wilder_average(np.where(change > 0, change, 0.0), window)
    fall = wilder_average(np.where(change < 0, -change, 0.0), window)
    moved = rise + fall
    return np.divide(100.0 * rise, moved, out=np.full_like(moved, 50.0), where=moved != 0)


def average_true_range(high: Floats, low: Floats, close: Floats, window: int = 14) -> Floats:
    """Return Wilder's average of the largest of high - low, |high - last close| and |low - last close|."""
    before = np.concatenate((close[:1], close[:-1]))
    ranges = np.maximum(high - low, np.maximum(np.abs(high - before), np.abs(low - before)))
    return wilder_average(np.nan_to_num(ranges), window)


def typical_price(high: Floats, low: Floats, close: Floats) -> Floats:
    """Return the mean of high, low and close."""
    return (close + high + low) / 3.0


def volume_weighted_average(typical: Floats, volume: Floats, window: int = 14) -> Floats:
    """Return the mean typical price of the last bars weighted by volume; 0 where nothing was traded."""
    counted = np.where(np.isnan(typical), np.nan, volume)
    (paid, _), (traded, _) = _sum_and_count(counted * typical, window), _sum_and_count(counted, window)
    return np.divide(paid, traded, out=np.zeros_like(paid), where=traded != 0)


def money_flow(typical: Floats, volume: Floats, window: int = 14) -> Floats:
    """Return the share of money that flowed in on rising typical prices, 0 to 100; 50 where none flowed."""
    flow, change = typical * volume, np.diff(typical, prepend=typical[:1])
    inflow = _sum_to_date(np.where(change > 0, flow, 0.0), window)
    moved = inflow + _sum_to_date(np.where(change < 0, flow, 0.0), window)
    return 100.0 * np.divide(inflow, moved, out=np.full_like(moved, 0.5), where=moved > 0)


def on_balance_volume(close: Floats, volume: Floats) -> Floats:
    """Return the sum of volumes since the first bar: added on rises of the close, subtracted on falls."""
    steps = np.zeros(len(close))
    steps[1:] = np.sign(np.diff(close)) * volume[1:]
    return np.cumsum(steps)


def _smoothed(values: Floats, alpha: float) -> Floats:
    """Average exponentially; the weights of the first bars are scaled up so that they sum to one."""
    smoothed, keep = np.empty(len(values)), 1.0 - alpha
    average, weight = np.nan, 1.0
    for bar, value in enumerate(values.tolist()):
        if average == average:  # not NaN
            weight *= keep
            if value == value:
                if value != average:  # the average of a constant is that constant exactly
                    average = (weight * average + value) / (weight + 1.0)
                weight += 1.0
        elif value == value:
            average = value
        smoothed[bar] = average
    return smoothed


def _sum_and_count(values: Floats, window: int) -> tuple[Floats, Floats]:
    """Return the sum of the known values of each window, and how many they are; NaN before there is a whole window."""
    total, count = np.full(len(values), np.nan), np.full(len(values), np.nan)
    if len(values) >= window:
        windows = sliding_window_view(values, window)
        known = ~np.isnan(windows)
        count[window - 1 :] = known.sum(axis=1)
        total[window - 1 :] = np.where(known, windows, 0.0).sum(axis=1)
        total[count == 0] = np.nan
    return total, count


def _sum_to_date(values: Floats, window: int) -> Floats:
    """Return the sum of the last `window` values, of fewer at the beginning."""
    total = np.cumsum(values)
    total[window:] -= total[:-window].copy()
    return total


def _divided(part: Floats, by: Floats) -> Floats:
    """Divide; NaN where the divisor is not positive."""
    quotient: Floats = np.divide(part, by, out=np.full(len(part), np.nan), where=by > 0)
    return quotient
