"""Values of indicators on whole bars, bit for bit those of stockstats, without it and without pandas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from tradingagents.analytics.price.moving import exponential_mean, moving_deviation, moving_mean, moving_sum
from tradingagents.dataflows.models import Floats

WILDER = 14
BAND, DEVIATIONS = 20, 2
FAST, SLOW, SIGNAL = 12, 26, 9
FLOW = 14
"""Sessions of the indicators that volume weighs."""


class IndicatorValues:
    """Indicators of one run of bars, from the first bar on. All columns are finite where an indicator reads them."""

    def __init__(self, bars: Mapping[str, Floats]) -> None:
        """Take the columns `open`, `high`, `low`, `close` and `volume`."""
        self._bars = bars

    def of(self, name: str) -> Floats:
        """Return an indicator's value at each bar, in an array of its own."""
        return np.array(_KNOWN[name](self), dtype=np.float64)

    @property
    def _close(self) -> Floats:
        return self._bars["close"]

    def mean(self, sessions: int) -> Floats:
        """Return the mean close of the last sessions."""
        return moving_mean(self._close, sessions)

    def exponential(self, span: int) -> Floats:
        """Return the exponential mean of the close."""
        return _exponential(self._close, span)

    @cached_property
    def middle(self) -> Floats:
        """The middle of the Bollinger band."""
        return self.mean(BAND)

    @cached_property
    def band(self) -> Floats:
        """Half the width of the Bollinger band."""
        return DEVIATIONS * moving_deviation(self._close, BAND)

    @cached_property
    def macd(self) -> Floats:
        """The difference of a fast and a slow exponential mean."""
        return self.exponential(FAST) - self.exponential(SLOW)

    @cached_property
    def signal(self) -> Floats:
        """The exponential mean of the MACD."""
        return _exponential(self.macd, SIGNAL)

    def rsi(self) -> Floats:
        """Return the relative strength index; 50 where nothing has moved."""
        moved = _moves(self._close)
        up = _wilder(np.where(moved > 0, moved, 0.0))
        both = up + _wilder(np.where(moved < 0, -moved, 0.0))
        with np.errstate(divide="ignore", invalid="ignore"):
            index = np.where(both != 0, 100 * (up / both), 50.0)
        index[:1] = 50.0
        return index

    def atr(self) -> Floats:
        """Return the average true range."""
        high, low, close = (self._bars[name] for name in ("high", "low", "close"))
        before = np.concatenate([close[:1], close[:-1]])
        span = np.maximum(high - low, np.maximum(np.abs(high - before), np.abs(low - before)))
        return _wilder(span)

    @cached_property
    def typical(self) -> Floats:
        """The mean of close, high and low of each bar."""
        typical: Floats = (self._close + self._bars["high"] + self._bars["low"]) / 3.0
        return typical

    def weighted_mean(self) -> Floats:
        """Return the mean typical price of the last sessions, weighted by volume; 0 where nothing was traded."""
        volume = self._bars["volume"]
        paid, traded = moving_sum(volume * self.typical, FLOW), moving_sum(volume, FLOW)
        return np.divide(paid, traded, out=np.zeros_like(paid), where=traded != 0)

    def money_flow(self) -> Floats:
        """Return the share of the money of the last sessions that was paid at a higher price than before, 0 to 1."""
        money, moved = self.typical * self._bars["volume"], _moves(self.typical)
        up, down = (_window_sums(np.where(sign * moved > 0, money, 0.0)) for sign in (1, -1))
        both = up + down
        share = np.divide(up, both, out=np.full_like(up, 0.5), where=both > 0)
        share[:FLOW] = 0.5
        return share

    def on_balance(self) -> Floats:
        """Return the volume of rising sessions less that of falling ones, summed up since the first bar."""
        return np.cumsum(np.sign(_moves(self._close)) * self._bars["volume"])


def _moves(values: Floats) -> Floats:
    """Return by how much each value differs from the one before; 0 for the first."""
    moved = np.zeros_like(values)
    moved[1:] = np.diff(values)
    return moved


def _window_sums(values: Floats) -> Floats:
    """Return the sums of the last sessions as differences of the sum of all, which is how stockstats makes these."""
    total = np.cumsum(values)
    return np.concatenate([total[:FLOW], total[FLOW:] - total[:-FLOW]])


def _exponential(values: Floats, span: int) -> Floats:
    return exponential_mean(values, (span - 1) / 2)


def _wilder(values: Floats) -> Floats:
    alpha = 1.0 / WILDER
    return exponential_mean(values, (1 - alpha) / alpha)


_KNOWN: Mapping[str, Callable[[IndicatorValues], Floats]] = {
    "close_50_sma": lambda one: one.mean(50),
    "close_200_sma": lambda one: one.mean(200),
    "close_10_ema": lambda one: one.exponential(10),
    "macd": lambda one: one.macd,
    "macds": lambda one: one.signal,
    "macdh": lambda one: one.macd - one.signal,
    "rsi": IndicatorValues.rsi,
    "boll": lambda one: one.middle,
    "boll_ub": lambda one: one.middle + one.band,
    "boll_lb": lambda one: one.middle - one.band,
    "atr": IndicatorValues.atr,
    "vwma": IndicatorValues.weighted_mean,
    "mfi": IndicatorValues.money_flow,
    "obv": IndicatorValues.on_balance,
}
