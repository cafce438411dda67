"""Series drawn on a price chart: averages, Bollinger bands, RSI, MACD. NaN until a window is full."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tradingagents.dataflows.models import Floats, Prices

_BOLLINGER_DAYS, _BOLLINGER_WIDTH = 20, 2.0
_RSI_DAYS = 14
_FAST, _SLOW, _SIGNAL, _EMA_DAYS = 12, 26, 9, 10
_SETTLED = 4
"""Spans after which an exponential average is shown: the first bar then weighs less than 0.1 %."""


def overlays_for(prices: Prices) -> Mapping[str, Floats]:
    """Compute the chart's series from the closes as given, each as long as `prices`.

    Keys are the documented indicator names: `close_50_sma` and `close_200_sma`, `boll_ub` and `boll_lb` (20-day average
    ± 2 sample standard deviations, n - 1 in the denominator) and `rsi` (`wilder_rsi`). Days without a close are skipped
    and stay NaN.
    """
    known = np.isfinite(prices.close)
    close = prices.close[known]
    middle, deviation = rolling_mean(close, _BOLLINGER_DAYS), _rolling_std(close, _BOLLINGER_DAYS)
    series = {
        "close_50_sma": rolling_mean(close, 50),
        "close_200_sma": rolling_mean(close, 200),
        "boll_ub": middle + _BOLLINGER_WIDTH * deviation,
        "boll_lb": middle - _BOLLINGER_WIDTH * deviation,
        "rsi": wilder_rsi(close),
    }
    return {name: _spread_out(values, known) for name, values in series.items()}


def momentum_for(prices: Prices) -> Mapping[str, Floats]:
    """Compute the exponential average and the MACD from the closes as given, each as long as `prices`.

    Keys are the documented indicator names: `close_10_ema`, `macd` (EMA 12 less EMA 26), `macds` (its signal line, EMA
    9) and `macdh` (their difference). Days without a close are skipped and stay NaN.
    """
    known = np.isfinite(prices.close)
    close = prices.close[known]
    macd = exponential_mean(close, _FAST) - exponential_mean(close, _SLOW)
    signal = exponential_mean(macd, _SIGNAL)
    lead, signal_lead = _SETTLED * _SLOW, _SETTLED * (_SLOW + _SIGNAL)
    series = {
        "close_10_ema": _from(exponential_mean(close, _EMA_DAYS), _SETTLED * _EMA_DAYS),
        "macd": _from(macd, lead),
        "macds": _from(signal, signal_lead),
        "macdh": _from(macd - signal, signal_lead),
    }
    return {name: _spread_out(values, known) for name, values in series.items()}


def exponential_mean(values: Floats, span: int) -> Floats:
    """Return the exponential average of the values so far, with weights (1 - 2 / (span + 1))^age that sum to 1."""
    keep = 1 - 2 / (span + 1)
    mean = np.empty(len(values))
    total = weight = 0.0
    for at, value in enumerate(values.tolist()):
        total, weight = value + keep * total, 1 + keep * weight
        mean[at] = total / weight
    return mean


def _from(values: Floats, bars: int) -> Floats:
    """Return the values with the first `bars` - 1 unknown."""
    return np.where(np.arange(len(values)) < bars - 1, np.nan, values)


def benchmark_line(prices: Prices, benchmark: Prices, bars: int) -> Floats:
    """Return the benchmark scaled to the stock's price: both start equal at the first of the last `bars`.

    The line is as long as `prices`: close of the benchmark / its close at the start x close of the stock at the start.
    The start is the first bar for which both have a close; NaN before it, and on days that the benchmark lacks.
    """
    line = np.full(len(prices), np.nan)
    at = np.searchsorted(benchmark.days, prices.days)
    there = at < len(benchmark.days)
    there[there] = benchmark.days[at[there]] == prices.days[there]
    line[there] = benchmark.close[at[there]]
    line[: max(0, len(prices) - bars)] = np.nan
    common = np.flatnonzero(np.isfinite(line) & np.isfinite(prices.close) & (line > 0))
    if not len(common):
        return np.full(len(prices), np.nan)
    scaled: Floats = line / line[common[0]] * prices.close[common[0]]
    return scaled


def rolling_mean(values: Floats, days: int) -> Floats:
    """Return the mean of the last `days` values at each position; NaN for the first `days` - 1."""
    mean = np.full(len(values), np.nan)
    if len(values) >= days:
        mean[days - 1 :] = sliding_window_view(values, days).mean(axis=1)
    return mean


def wilder_rsi(close: Floats, days: int = _RSI_DAYS) -> Floats:
    """Return the relative strength index after Wilder, 0 to 100; NaN for the first `days` values.

    100 x gain / (gain + loss), where gain and loss are the mean rise and fall: first the plain mean of `days` changes,
    then (mean x (days - 1) + change) / days (J. Welles Wilder, New Concepts in Technical Trading Systems, 1978).
    50 where nothing rose or fell.
    """
    rsi = np.full(len(close), np.nan)
    changes = np.diff(close)
    if len(changes) < days:
        return rsi
    gains = _wilder_means(np.maximum(changes, 0.0).tolist(), days)
    losses = _wilder_means(np.maximum(-changes, 0.0).tolist(), days)
    moved = gains + losses
    rsi[days:] = 50.0
    np.divide(100 * gains, moved, out=rsi[days:], where=moved != 0)
    return rsi


def _wilder_means(values: list[float], days: int) -> Floats:
    """Return Wilder's mean at each position from the first that `days` values precede."""
    keep, span = float(days - 1), float(days)  # integers would be converted again for each value
    mean = sum(values[:days]) / span
    means = [mean]
    for value in values[days:]:
        mean = (mean * keep + value) / span
        means.append(mean)
    return np.array(means)


def _rolling_std(values: Floats, days: int) -> Floats:
    deviation = np.full(len(values), np.nan)
    if len(values) >= days:
        deviation[days - 1 :] = sliding_window_view(values, days).std(axis=1, ddof=1)
    return deviation


def _spread_out(values: Floats, known: np.typing.NDArray[np.bool_]) -> Floats:
    full = np.full(len(known), np.nan)
    full[known] = values
    return full
