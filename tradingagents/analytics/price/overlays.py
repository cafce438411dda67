"""Series drawn on a price chart: the indicators of `indicators.py` over all bars, and the benchmark's line."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tradingagents.analytics.price.indicators import compute
from tradingagents.dataflows.models import Floats, Prices

OVERLAYS = ("close_50_sma", "close_200_sma", "boll_ub", "boll_lb", "rsi")
MOMENTUM = ("close_10_ema", "macd", "macds", "macdh")


def overlays_for(prices: Prices) -> Mapping[str, Floats]:
    """Return the averages, bands and RSI of the closes as given, each as long as `prices`; NaN during the warm-up."""
    return compute(prices, OVERLAYS, history=len(prices))


def momentum_for(prices: Prices) -> Mapping[str, Floats]:
    """Return the exponential average and the MACD of the closes as given, likewise."""
    return compute(prices, MOMENTUM, history=len(prices))


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
