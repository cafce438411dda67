"""The sensitivity grid as a heat map: each value with its place on a colour scale around the price."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from tradingagents.reports import formatting as words
from tradingagents.reports.charts.heat_map import step
from tradingagents.valuation import Driver, SensitivityGrid


@dataclass(frozen=True, slots=True)
class GridCell:
    """One value."""

    text: str
    """n/a where the inputs cannot be valued."""
    step: int | None
    """Colour, negative below the reference; None without a value."""
    base: bool
    """Whether it is the value of the inputs as they are."""
    reason: str
    """Why there is no value."""


@dataclass(frozen=True, slots=True)
class ValueGrid:
    """Rows and columns with the names of their levels."""

    title: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[GridCell, ...]], ...]
    reference: str
    """What colours compare with, in words."""


def value_grid(found: SensitivityGrid, price: float | None, label: Callable[[str], str]) -> ValueGrid:
    """Lay out a grid; colours compare with the price, or with the base value where there is no price.

    Args:
        found: The grid.
        price: Price of the share.
        label: Returns what readers call a driver.
    """
    reference = found.base_value if price is None else price
    known = [abs(float(value) - reference) for value in found.values.ravel() if math.isfinite(value)]
    reach = max(known, default=0.0)

    def cell(row: int, column: int) -> GridCell:
        value, base = float(found.values[row, column]), (row, column) == found.base_cell
        if not math.isfinite(value):
            return GridCell(words.MISSING, None, base, found.reason(row, column) or "")
        return GridCell(words.price(value), step(value - reference, reach), base, "")

    name = "the value" if price is None else "the price"
    return ValueGrid(
        title=f"Value per share by {label(found.rows).lower()} and {label(found.columns).lower()}",
        corner=f"{label(found.rows)} down, {label(found.columns).lower()} across",
        columns=tuple(level_words(found.columns, level) for level in found.column_levels),
        rows=tuple(
            (level_words(found.rows, level), tuple(cell(row, column) for column in range(len(found.column_levels))))
            for row, level in enumerate(found.row_levels)
        ),
        reference=f"{name} {words.price(reference)}",
    )


def level_words(driver: Driver | str, level: float | None) -> str:
    """Write the level of a driver: a rate in percent, sales to capital as a multiple; n/a for none."""
    if level is None:
        return words.MISSING
    return f"{level:.2f}x" if driver == "sales_to_capital" else words.percent(level, 2)
