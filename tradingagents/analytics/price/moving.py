"""Moving and exponential means, and moving deviations, as pandas works them out, without pandas.

Most runs need pandas for nothing else, and importing it takes 75 MB and half a second. The values are those of
`Series.rolling(sessions, min_periods=1)` and `Series.ewm(adjust=True)` bit for bit, so that a figure is the same
whoever worked it out: pandas adds and removes values one after the other, which leaves other last bits than a sum over
each window does.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tradingagents.dataflows.models import Floats

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
