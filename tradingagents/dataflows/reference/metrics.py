"""Figures: named numbers with a unit, formatted so that models, people and programs read the same value."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

_SCALES = ((1e12, "T"), (1e9, "B"), (1e6, "M"))
_NUMBER = re.compile(r"^([+-]?\d[\d,]*(?:\.\d+)?)([TBM])?(?:\s+(.+)|(%|x))?$")
HEADER = "| Figure | Value |\n|---|---|"
OVER_HEADER = "| Figure | Value | Over |\n|---|---|---|"
"""Header of the column that states the period of figures (`Figure.over`)."""
MISSING = "n/a"

COUNTED = frozenset({"articles", "passages", "documents", "messages", "posts", "filings", "trades"})
"""Units whose singular drops the s."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a result."""

    name: str
    """snake_case, unique within its result."""
    value: float | None
    """In `unit`; a percentage is 12.5 for 12.5 %. None: unknown, shown as n/a."""
    unit: str = ""
    """`%`, `x` (a multiple), a currency code, `shares`, `days`, `articles` … or empty."""
    over: str = ""
    """The period of the value if its name suggests another one, such as `fiscal year to 2024-01-31`; else empty."""

    @property
    def rounded(self) -> float | None:
        """The value as shown: what a report can quote and the data sheet stores."""
        if self.value is None or not math.isfinite(self.value):
            return None
        if self.unit in ("%", "x"):
            return _rounded(self.value, 2)
        if isinstance(self.value, int) and abs(self.value) < 1e6:
            return float(self.value)
        for size, _ in _SCALES:
            if abs(self.value) >= size:
                return _rounded(self.value / size, 2) * size
        return _rounded(self.value, self._decimals)

    @property
    def text(self) -> str:
        """The value as shown, for example 395.76B USD, 12.5%, 28.31x, 46.2."""
        if self.value is None or not math.isfinite(self.value):
            return MISSING
        if self.unit == "%":
            return f"{_plain(self.value, 2)}%"
        if self.unit == "x":
            return f"{_plain(self.value, 2)}x"
        if isinstance(self.value, int) and abs(self.value) < 1e6:  # a count, a rank, a score: no decimals
            unit = self.unit[:-1] if self.value == 1 and self.unit in COUNTED else self.unit
            return f"{self.value} {unit}".rstrip()
        for size, letter in _SCALES:
            if abs(self.value) >= size:
                return f"{_plain(self.value / size, 2)}{letter} {self.unit}".rstrip()
        return f"{_short(_plain(self.value, self._decimals))} {self.unit}".rstrip()

    @property
    def _decimals(self) -> int:
        """Two, and four below 1; two for a beta, whose third is within its error."""
        least = 0.1 if "beta" in self.name.split("_") else 1
        return 2 if abs(self.value or 0) >= least or not self.value else 4


def figures_table(figures: Iterable[Figure]) -> str:
    """Format figures as a Markdown table; a third column states periods."""
    shown = tuple(figures)
    if not any(figure.over for figure in shown):
        return "\n".join([HEADER, *(f"| {figure.name} | {figure.text} |" for figure in shown)])
    rows = (f"| {figure.name} | {figure.text} | {figure.over} |" for figure in shown)
    return "\n".join([OVER_HEADER, *rows])


def parse_number(text: str) -> tuple[float, str] | None:
    """Parse `395.76B USD`, `12.5%`, `28.31x` or `46.2` as value and unit; None if there is no number."""
    match = _NUMBER.match(text.strip())
    if not match:
        return None
    digits, scale, word, sign = match.groups()
    factor = next((size for size, letter in _SCALES if letter == scale), 1.0)
    return float(digits.replace(",", "")) * factor, (word or sign or "").strip()


def _short(text: str) -> str:
    """Leave out zeros after the second decimal."""
    return text.removesuffix("00") if len(text.partition(".")[2]) > 2 else text


def _plain(value: float, decimals: int) -> str:
    return f"{_rounded(value, decimals):.{decimals}f}"


def _rounded(value: float, decimals: int) -> float:
    return float(round(value, decimals)) + 0.0  # + 0.0: no negative zero
