"""Positions of classic trading rules, the baselines that a strategy must beat.

Each rule reads adjusted daily bars and returns one number for each session: 1 where it holds the stock after that
session's close, 0 where it holds cash. A position uses nothing later than its own close, so it can be traded at the
next open. Before a rule has enough sessions it holds nothing. Rules are long only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from tradingagents.analytics.price.returns import SESSIONS_PER_YEAR
from tradingagents.dataflows.models import Floats, Prices

MONTH = 21
FLAT, HELD = 0.0, 1.0
RSI_LOW, RSI_HIGH = 30.0, 70.0
KDJ_LOW, KDJ_HIGH = 20.0, 80.0


def always_held(prices: Prices) -> Floats:
    """Return the positions of buying on the first session and holding."""
    return np.ones(len(prices))


def sma_cross(prices: Prices, *, fast: int = 50, slow: int = 200) -> Floats:
    """Hold while the fast simple average of the close is above the slow one.

    Args:
        fast: Sessions of the fast average.
        slow: Sessions of the slow average; nothing is held before so many sessions.
    """
    return _where(_average(prices.adj_close, fast) > _average(prices.adj_close, slow))


def macd_cross(prices: Prices, *, fast: int = 12, slow: int = 26, signal: int = 9) -> Floats:
    """Hold while the MACD line is above its signal line.

    Averages are exponential with weight 2 / (sessions + 1), begun at the first close; nothing is held before
    `slow + signal` sessions.
    """
    close = np.asarray(prices.adj_close, float)
    line = _smoothed(close, 2 / (fast + 1)) - _smoothed(close, 2 / (slow + 1))
    above = line > _smoothed(line, 2 / (signal + 1))
    above[: slow + signal - 1] = False
    return _where(above)


def kdj_rsi(prices: Prices, *, window: int = 9, rsi_sessions: int = 14) -> Floats:
    """Buy when KDJ and RSI both call the stock oversold, sell when both call it overbought, and hold in between.

    Oversold is K at most 20 and RSI at most 30, overbought K at least 80 and RSI at least 70.

    Args:
        prices: Daily bars; highs and lows are scaled as their closes are adjusted.
        window: Sessions of the range in which K places the close; K is smoothed with weight 1/3 and begins at 50.
        rsi_sessions: Sessions of the RSI, smoothed as Wilder does.
    """
    k, rsi = stochastic_k(prices, window), relative_strength(prices.adj_close, rsi_sessions)
    return _state((k <= KDJ_LOW) & (rsi <= RSI_LOW), (k >= KDJ_HIGH) & (rsi >= RSI_HIGH))


def zero_mean_reversion(prices: Prices, *, window: int = 20, entry: float = 1.0) -> Floats:
    """Buy when the close is `entry` standard deviations below its average, sell when it is back at the average.

    Args:
        window: Sessions of the average and of the sample standard deviation.
        entry: Distance in standard deviations.
    """
    close = np.asarray(prices.adj_close, float)
    distance = np.full(len(close), np.nan)
    if len(close) >= window:
        views = sliding_window_view(close, window)
        deviations = views.std(axis=1, ddof=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            distance[window - 1 :] = (close[window - 1 :] - views.mean(axis=1)) / deviations
    return _state(distance <= -entry, distance >= 0)


def momentum(prices: Prices, *, sessions: int = SESSIONS_PER_YEAR, skipped: int = MONTH) -> Floats:
    """Hold while the stock has risen over the last year without its last month (12-1 momentum).

    Source: Jegadeesh and Titman (1993), applied to each stock by itself.

    Args:
        sessions: Sessions back to the first close.
        skipped: Sessions back to the last close.
    """
    close = np.asarray(prices.adj_close, float)
    held = np.zeros(len(close), bool)
    if len(close) > sessions:
        held[sessions:] = close[sessions - skipped : len(close) - skipped] > close[: len(close) - sessions]
    return _where(held)


RULES: Mapping[str, Callable[[Prices], Floats]] = {
    "buy_and_hold": always_held,
    "macd": macd_cross,
    "kdj_rsi": kdj_rsi,
    "zmr": zero_mean_reversion,
    "sma": sma_cross,
    "momentum": momentum,
}
"""Rules by their names in reports."""


def stochastic_k(prices: Prices, window: int = 9) -> Floats:
    """Return K of the KDJ indicator, 0 to 100; NaN before the first whole window, 50 where nothing moved at first."""
    scale = np.asarray(prices.adj_close, float) / np.asarray(prices.close, float)
    close, high, low = prices.adj_close, prices.high * scale, prices.low * scale
    found = np.full(len(close), np.nan)
    if len(close) < window:
        return found
    highest = sliding_window_view(high, window).max(axis=1)
    lowest = sliding_window_view(low, window).min(axis=1)
    k = 50.0
    for place, (top, bottom) in enumerate(zip(highest, lowest, strict=True), window - 1):
        raw = 100 * (close[place] - bottom) / (top - bottom) if top > bottom else k
        k = found[place] = (2 * k + raw) / 3
    return found


def relative_strength(close: Floats, sessions: int = 14) -> Floats:
    """Return Wilder's RSI, 0 to 100; NaN before `sessions` changes, 50 where nothing moved.

    The averages of gains and losses begin with the first change and have weight 1 / sessions.
    """
    found = np.full(len(close), np.nan)
    if len(close) <= sessions:
        return found
    changes = np.diff(np.asarray(close, float))
    gains = _smoothed(np.maximum(changes, 0), 1 / sessions)[sessions - 1 :]
    losses = _smoothed(np.maximum(-changes, 0), 1 / sessions)[sessions - 1 :]
    moved = gains + losses
    found[sessions:] = np.divide(100 * gains, moved, out=np.full(len(moved), 50.0), where=moved > 0)
    return found


def _average(values: Floats, sessions: int) -> Floats:
    found = np.full(len(values), np.nan)
    if len(values) >= sessions:
        found[sessions - 1 :] = sliding_window_view(np.asarray(values, float), sessions).mean(axis=1)
    return found


def _smoothed(values: Floats, weight: float) -> Floats:
    """Return the exponential average that begins at the first value."""
    found, last = np.empty(len(values)), values[0] if len(values) else 0.0
    for place, value in enumerate(values.tolist()):
        last = found[place] = last + weight * (value - last)
    return found


def _state(buys: NDArray[np.bool_], sells: NDArray[np.bool_]) -> Floats:
    """Return positions that begin at a buy and end at a sale."""
    found, position = np.zeros(len(buys)), FLAT
    for place, (buy, sell) in enumerate(zip(buys.tolist(), sells.tolist(), strict=True)):
        position = FLAT if sell else HELD if buy else position
        found[place] = position
    return found


def _where(held: NDArray[np.bool_]) -> Floats:
    return np.where(held, HELD, FLAT)
