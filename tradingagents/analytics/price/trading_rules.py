"""Positions of classic trading rules, the baselines that a strategy must beat.

Each rule reads adjusted daily bars and returns one number for each session: 1 where it holds the stock after that
session's close, 0 where it holds cash. A position uses nothing later than its own close, so it can be traded at the
next open. Rules are long only.

Indicators are those of `indicators.py` with the same least history, before which a rule holds nothing. They differ from
the ones shown in one thing: a rule reads closes adjusted for dividends, because the fall on an ex-dividend day is no
signal to trade on, while a figure that is shown is on the scale of the price it stands with. A session without a bar is
passed over: a rule decides on the bars there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from tradingagents.analytics.price.indicator_values import DEVIATIONS
from tradingagents.analytics.price.indicators import compute
from tradingagents.analytics.price.returns import SESSIONS_PER_YEAR
from tradingagents.dataflows.models import Floats, Prices

MONTH = 21
FLAT, HELD = 0.0, 1.0
RSI_LOW, RSI_HIGH = 30.0, 70.0
KDJ_LOW, KDJ_HIGH = 20.0, 80.0


def always_held(prices: Prices) -> Floats:
    """Return the positions of buying on the first session and holding."""
    return np.ones(len(prices))


def sma_cross(prices: Prices) -> Floats:
    """Hold while the simple average of 50 closes is above that of 200."""
    averages = _indicators(prices, "close_50_sma", "close_200_sma")
    return _where(averages["close_50_sma"] > averages["close_200_sma"])


def macd_cross(prices: Prices) -> Floats:
    """Hold while the MACD line (EMA 12 less EMA 26) is above its signal line (EMA 9)."""
    lines = _indicators(prices, "macd", "macds")
    return _where(lines["macd"] > lines["macds"])


def kdj_rsi(prices: Prices) -> Floats:
    """Buy when KDJ and RSI both call the stock oversold, sell when both call it overbought, and hold in between.

    Oversold is K at most 20 and RSI at most 30, overbought K at least 80 and RSI at least 70; a history begins without
    the stock.
    """
    k, rsi = stochastic_k(prices), _indicators(prices, "rsi")["rsi"]
    return _state((k <= KDJ_LOW) & (rsi <= RSI_LOW), (k >= KDJ_HIGH) & (rsi >= RSI_HIGH))


def zero_mean_reversion(prices: Prices) -> Floats:
    """Buy when the close is a sample deviation of 20 closes below their average, sell when it is back at the average.

    A history begins without the stock.
    """
    band = _indicators(prices, "boll", "boll_ub")
    deviation = (band["boll_ub"] - band["boll"]) / DEVIATIONS
    return _state(prices.adj_close <= band["boll"] - deviation, prices.adj_close >= band["boll"])


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


def _indicators(prices: Prices, *names: str) -> dict[str, Floats]:
    """Return indicators of the closes adjusted for dividends, over the whole history."""
    adjusted = replace(prices, close=prices.adj_close, untraded=(), lost=())
    return compute(adjusted, names, history=len(prices))


def _state(buys: NDArray[np.bool_], sells: NDArray[np.bool_]) -> Floats:
    """Return positions that begin at a buy and end at a sale."""
    found, position = np.zeros(len(buys)), FLAT
    for place, (buy, sell) in enumerate(zip(buys.tolist(), sells.tolist(), strict=True)):
        position = FLAT if sell else HELD if buy else position
        found[place] = position
    return found


def _where(held: NDArray[np.bool_]) -> Floats:
    return np.where(held, HELD, FLAT)
