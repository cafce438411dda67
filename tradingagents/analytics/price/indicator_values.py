"""Values of indicators on whole bars, by stockstats; those that every report reads bit for bit the same, by NumPy.

Most runs need pandas for nothing else, and importing it takes 75 MB and half a second. The values are those of
`Series.rolling(sessions, min_periods=1)` and `Series.ewm(adjust=True)` bit for bit, so that a figure is the same
whoever worked it out: pandas adds and removes values one after the other, which leaves other last bits than a sum over
each window does. stockstats, which imports pandas, is asked for the indicators that most runs show none of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tradingagents.dataflows.models import Floats

if TYPE_CHECKING:
    import pandas as pd


_TOO_LITTLE_LEFT = float(np.finfo(np.float64).eps) * 1e3
"""Share of squared deviations below which rounding has taken all but three digits of what is left."""

MOST_MOVED = 0.005
"""By how much, relatively, sessions without a value may be estimated to move a mean that is shown without them."""


def moving_mean(values: Floats, sessions: int) -> Floats:
    """Return the mean of the last sessions at each bar, of fewer at the beginning; all values are finite."""
    same, count = _lasting(values, sessions)
    means = _sums(values, sessions) / count
    below = np.cumsum(np.signbit(values))
    below[sessions:] -= below[:-sessions].copy()
    # Rounding never gives a mean that none of the values has the sign of.
    wrong = ((below == 0) & (means < 0)) | ((below == count) & (means > 0))
    found: Floats = np.where(same, values, np.where(wrong, 0.0, means))
    return found


def mean_of_sessions(values: Floats, numbers: npt.NDArray[np.intp], sessions: int) -> Floats:
    """Return the mean of the last sessions at each bar, over the bars there are; all values are finite.

    A session without a bar is left out of its window, which reaches no further back for it. NaN where those sessions
    would move the mean by more than `MOST_MOVED`, each taken at the value after it: of a price that has left its mean
    far behind a few sessions are enough.

    Args:
        values: One a bar, above zero.
        numbers: The number of each bar's session, ascending; a session without a bar has a number too.
        sessions: Length of the window, the bar's own session included.
    """
    means = moving_mean(values, sessions)
    first = np.searchsorted(numbers, numbers - sessions, side="right")
    for at in np.flatnonzero(first > np.maximum(np.arange(len(values)) + 1 - sessions, 0)).tolist():
        window = slice(first[at], at + 1)
        mean = values[window].mean()
        filled = np.average(values[window], weights=np.diff(numbers[window], prepend=numbers[at] - sessions))
        means[at] = mean if abs(filled / mean - 1) <= MOST_MOVED else np.nan
    return means


def moving_deviation(values: Floats, sessions: int) -> Floats:
    """Return the sample deviation of the last sessions at each bar; NaN at the first bar. All values are finite."""
    spread = _Spread()
    listed = values.tolist()
    squares = []
    for at, value in enumerate(listed):
        if at >= sessions:
            spread.drop(listed[at - sessions])
        spread.add(value)
        if spread.unsure:
            spread = _Spread()
            for one in listed[max(0, at + 1 - sessions) : at + 1]:
                spread.add(one)
            spread.unsure = False
        squares.append(spread.squares)
    count = np.minimum(np.arange(1, len(listed) + 1), sessions)
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = np.array(squares, dtype=np.float64) / (count - 1)
    variance[:1] = np.nan
    variance[variance < 0] = 0.0
    deviation: Floats = np.sqrt(variance)
    return deviation


def exponential_mean(values: Floats, mass: float) -> Floats:
    """Return the exponential mean at each bar, the weights so far summing to one; all values are finite.

    Args:
        values: From the first bar on.
        mass: The centre of mass: (span - 1) / 2, or 1 / alpha - 1.
    """
    keep, mean, weight = 1.0 - 1.0 / (1.0 + mass), 0.0, 1.0
    found = []
    for at, value in enumerate(values.tolist()):
        if at:
            weight *= keep
            if mean != value:  # or else a still price would drift by rounding
                mean = (weight * mean + value) / (weight + 1.0)
            weight += 1.0
        else:
            mean = value
        found.append(mean)
    return np.array(found, dtype=np.float64)


def _sums(values: Floats, sessions: int) -> Floats:
    """Return moving sums with Kahan's compensation, kept apart for what is added and what is removed."""
    total = lost_in = lost_out = 0.0
    listed = values.tolist()
    sums = []
    for value in listed[:sessions]:
        part = value - lost_in
        longer = total + part
        lost_in = longer - total - part
        total = longer
        sums.append(total)
    for value, gone in zip(listed[sessions:], listed, strict=False):
        part = -gone - lost_out
        longer = total + part
        lost_out = longer - total - part
        total = longer
        part = value - lost_in
        longer = total + part
        lost_in = longer - total - part
        total = longer
        sums.append(total)
    return np.array(sums, dtype=np.float64)


def _lasting(values: Floats, sessions: int) -> tuple[np.ndarray[tuple[int], np.dtype[np.bool_]], Floats]:
    """Return for each bar whether the whole window has its value, and how many bars the window has."""
    places = np.arange(len(values))
    began = np.zeros(len(values), dtype=np.int64)
    began[1:] = np.where(values[1:] != values[:-1], places[1:], 0)
    count = np.minimum(places + 1, sessions)
    return places - np.maximum.accumulate(began) + 1 >= count, count.astype(np.float64)


class _Spread:
    """Mean and squared deviations of a window, updated by Welford's method with Kahan's compensation."""

    __slots__ = ("_count", "_lost_in", "_lost_out", "_mean", "squares", "unsure")

    def __init__(self) -> None:
        self._count, self._mean, self._lost_in, self._lost_out = 0, 0.0, 0.0, 0.0
        self.squares, self.unsure = 0.0, False

    def add(self, value: float) -> None:
        before, mean, lost = self.squares, self._mean, self._lost_in
        self._count += 1
        part = value - lost
        away = part - mean
        self._lost_in = away + mean - part
        self._mean = mean + away / self._count
        self.squares = before + (value - (mean - lost)) * (value - self._mean)
        self.unsure = self.unsure or before * _TOO_LITTLE_LEFT > self.squares

    def drop(self, value: float) -> None:
        before, mean, lost = self.squares, self._mean, self._lost_out
        self._count -= 1
        part = value - lost
        away = part - mean
        self._lost_out = away + mean - part
        self._mean = mean - away / self._count
        self.squares = before - (value - (mean - lost)) * (value - self._mean)
        self.unsure = self.unsure or before * _TOO_LITTLE_LEFT > self.squares


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
