"""Errors planted in figures: another value, period, scale or company, or the value before a restatement."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from benchmarks.reports.books import GROWTH, POINTS, Books, Truth

Kind = Literal["value", "period", "scale", "company", "restated"]
KINDS: tuple[Kind, ...] = ("value", "period", "scale", "company", "restated")


@dataclass(frozen=True, slots=True)
class Planted:
    """A figure as a report prints it, with the error planted in it; none for a sound one."""

    text: str
    error: Kind | None
    truth: Truth | None
    """None for a figure that the data do not have, such as a target price."""


class Planter:
    """Draws errors that differ from the truth as printed and are right nowhere else."""

    def __init__(self, books: Sequence[Books], rng: random.Random, rate: float) -> None:
        """Set the companies, the chance and the share of figures with an error."""
        self._books, self._rng, self._rate = books, rng, rate
        self.beside: Sequence[Books] = ()
        """Companies of the report."""

    def of(self, truth: Truth) -> Books:
        """Return the books that a figure is from."""
        return next(one for one in self._books if one.symbol == truth.symbol)

    def value(self, truth: Truth) -> tuple[float, Kind | None]:
        """Return the value that is printed, and the error, if any."""
        if self._rng.random() < self._rate:
            kinds = [one for one in KINDS if one != "restated" or self._has_earlier(truth)]
            weights = [5 if one == "restated" else 1 for one in kinds]
            for kind in self._rng.choices(kinds, weights, k=6):
                value = self._wrong(truth, kind)
                if value is not None and self._is_an_error(truth, value, kind):
                    return value, kind
        return truth.value, None

    def _has_earlier(self, truth: Truth) -> bool:
        return self.of(truth).earlier.get(truth.period) is not None

    def _wrong(self, truth: Truth, kind: Kind) -> float | None:
        rng, own = self._rng, self.of(truth)
        if kind == "value":
            return truth.value * (1 + rng.choice((-1, 1)) * rng.uniform(0.04, 0.4))
        if kind == "scale":
            return truth.value * rng.choice((1e3, 1e-3)) if truth.unit == "money" and abs(truth.value) > 5e9 else None
        if truth.metric == "price":
            others = [one for one in self.beside if one.symbol != truth.symbol]
            return rng.choice(others).price if kind == "company" and others else None
        if kind == "period":
            near = [one for one in own.periods(10) if one != truth.period]
            found = own.truth(truth.metric, rng.choice(near))
        elif kind == "company":
            others = [one for one in self.beside if one.symbol != truth.symbol]
            found = rng.choice(others).truth(truth.metric, truth.period) if others else None
        else:
            found = own.truth(truth.metric, truth.period, earlier=True)
        return found.value if found is not None else None

    def _is_an_error(self, truth: Truth, value: float, kind: Kind) -> bool:
        """Tell whether a value can be told from the right one, is of the same sign, and of no other cell by chance."""
        if truth.value == 0 or (truth.metric.endswith((GROWTH, POINTS)) and value * truth.value <= 0):
            return False
        resolution = {"%": 0.11, "bps": 1.1, "per_share": 0.011, "price": 0.011, "money": 0.06e9}[truth.unit]
        if abs(value) < (1e8 if truth.unit == "money" else 2 * resolution):
            return False  # too few digits are printed of it
        if kind == "scale":
            return abs(value) > 1.5e9  # three digits at least, also in billions
        if abs(value - truth.value) <= max(0.02 * abs(truth.value), resolution):
            return False
        if kind == "value":
            return not self._is_elsewhere(truth, value)
        return kind == "period" or not self._is_elsewhere(truth, value, own=True)

    def _is_elsewhere(self, truth: Truth, value: float, *, own: bool = False) -> bool:
        """Tell whether a value is that of another period, or of another company, within what is printed."""
        for books in self._books:
            if own and books.symbol != truth.symbol:
                continue
            for period in books.periods(14):
                one = books.truth(truth.metric, period) if truth.metric != "price" else None
                if one is not None and abs(one.value - value) <= 0.011 * abs(value) + _step(truth, value):
                    return True
        return False


def _step(truth: Truth, value: float) -> float:
    """Return twice the coarsest step in which a figure is printed."""
    if truth.unit == "money":
        return 0.11e9 if abs(value) >= 1e9 else 0.11e6
    return {"%": 0.11, "bps": 1.1}.get(truth.unit, 0.011)
