"""Geometry of a chart: values to pixels, round ticks, non-overlapping labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tradingagents.dataflows.models import Days, Floats

_NICE_STEPS = (1, 2, 2.5, 5, 10, 20)
STRETCH = 0.6


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale on the vertical axis; pixels count downwards."""

    low: float
    high: float
    """Above `low`."""
    top: float
    """Pixel of `high`."""
    bottom: float
    """Pixel of `low`."""

    def __call__(self, value: float) -> float:
        """Return the pixel of a value."""
        return self.bottom - (value - self.low) / (self.high - self.low) * (self.bottom - self.top)

    def pixels(self, values: Floats) -> Floats:
        """Return the pixel of each value."""
        return self.bottom - (values - self.low) / (self.high - self.low) * (self.bottom - self.top)

    def pinned(self, value: float) -> float:
        """Return the pixel of a value, or of the nearest edge if it is outside the scale."""
        return min(max(self(value), self.top), self.bottom)

    def holds(self, value: float) -> bool:
        """Return whether a value lies on the scale."""
        return self.low <= value <= self.high


def price_range(low: float, high: float, wished: Sequence[float]) -> tuple[float, float]:
    """Return the range of a price axis: the bars' own, widened to include nearby `wished` values.

    A value further away than `STRETCH` times the bars' range would squash the candles and is left outside. Equal prices
    get one percent of room each way, and all-positive prices never an axis below 0.
    """
    half = 0.0 if high > low else abs(high) * 0.01 or 0.5
    span = high - low + 2 * half
    near = [value for value in wished if low - STRETCH * span <= value <= high + STRETCH * span]
    bottom, top = min([low - half, *near]), max([high + half, *near])
    room = (top - bottom) * 0.04
    return (max(bottom - room, 0.0) if low >= 0 else bottom - room), top + room


def round_ticks(low: float, high: float, most: int = 9) -> list[float]:
    """Return at most `most` ticks from `low` to `high`, at multiples of 1, 2, 2.5 or 5 times a power of ten."""
    step = tick_step(low, high, most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def tick_step(low: float, high: float, most: int = 9) -> float:
    """Return the smallest round step with at most `most` multiples between `low` and `high`."""
    raw = (high - low) / most
    power = 10.0 ** math.floor(math.log10(raw))
    return next(
        step * power
        for step in _NICE_STEPS
        if math.floor(high / (step * power) + 1e-9) - math.ceil(low / (step * power) - 1e-9) < most
    )


def decimals_of(step: float) -> int:
    """Return the number of decimals in tick labels of this step."""
    return next((places for places in range(10) if abs(round(step, places) - step) < step * 1e-6), 10)


def month_starts(days: Days) -> list[int]:
    """Return the positions of the first session of each month, except the first day's month."""
    months = days.astype("datetime64[M]")
    starts: list[int] = (np.flatnonzero(months[1:] != months[:-1]) + 1).tolist()
    return starts


def keep_apart(wanted: Sequence[float], gap: float, top: float, bottom: float) -> list[float]:
    """Return positions near those `wanted`, in the same order, at least `gap` apart, from `top` to `bottom`.

    If they don't fit, the gap is kept and the last ones exceed the bottom.
    """
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    placed: list[float] = []
    for at in order:
        placed.append(max(wanted[at], placed[-1] + gap if placed else top))
    ceiling = bottom
    for at in reversed(range(len(placed))):
        placed[at] = max(min(placed[at], ceiling), top + at * gap)
        ceiling = placed[at] - gap
    return [placed[order.index(at)] for at in range(len(wanted))]
