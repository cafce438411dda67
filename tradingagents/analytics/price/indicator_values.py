"""Values of indicators on whole bars, by stockstats; those that every report reads bit for bit the same, by NumPy.

stockstats imports pandas, which takes 75 MB and 0.8 s; most runs ask for none of its indicators.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tradingagents.analytics.price.moving import exponential_mean, mean_of_sessions, moving_deviation, moving_mean
from tradingagents.dataflows.models import Floats

if TYPE_CHECKING:
    import pandas as pd

WILDER = 14
BAND, DEVIATIONS = 20, 2
FAST, SLOW, SIGNAL = 12, 26, 9


class IndicatorValues:
    """Indicators of one run of bars, from the first bar on. All columns are finite where an indicator reads them."""

    def __init__(self, bars: Mapping[str, Floats], numbers: npt.NDArray[np.intp] | None = None) -> None:
        """Take the bars.

        Args:
            bars: The columns `open`, `high`, `low`, `close` and `volume`.
            numbers: The number of each bar's session, ascending; None: every session has a bar.
        """
        self._bars, self._numbers = bars, numbers

    def of(self, name: str) -> Floats:
        """Return an indicator's value at each bar, in an array of its own."""
        known = _KNOWN.get(name)
        found = known(self) if known is not None and len(self._bars["close"]) else self._by_stockstats(name)
        return np.array(found, dtype=np.float64)

    @property
    def _close(self) -> Floats:
        return self._bars["close"]

    def mean(self, sessions: int) -> Floats:
        """Return the mean close of the last sessions, of those with a bar."""
        if self._numbers is None:
            return moving_mean(self._close, sessions)
        return mean_of_sessions(self._close, self._numbers, sessions)

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
        index[0] = 50.0
        return index

    def atr(self) -> Floats:
        """Return the average true range."""
        high, low, close = (self._bars[name] for name in ("high", "low", "close"))
        before = np.concatenate([close[:1], close[:-1]])
        span = np.maximum(high - low, np.maximum(np.abs(high - before), np.abs(low - before)))
        return _wilder(span)

    def _by_stockstats(self, name: str) -> Floats:
        found: Floats = self._frame[name].to_numpy(dtype=float)
        return found

    @cached_property
    def _frame(self) -> pd.DataFrame:
        from stockstats import StockDataFrame  # here, because few need it

        # Made here: `wrap` sets an index in place, which pandas deprecates.
        made: pd.DataFrame = StockDataFrame(dict(self._bars))
        return made


def _moves(values: Floats) -> Floats:
    """Return by how much each value differs from the one before; 0 for the first."""
    moved = np.zeros_like(values)
    moved[1:] = np.diff(values)
    return moved


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
}
