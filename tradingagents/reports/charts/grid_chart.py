"""The grid of values over two drivers: each cell with its value and its distance to the price, as one inline SVG."""

from __future__ import annotations

import math

from tradingagents.reports import formatting as words
from tradingagents.reports.charts.figure_svg import figure_svg
from tradingagents.reports.charts.layers import text
from tradingagents.reports.charts.value_grid import level_words
from tradingagents.valuation import SensitivityGrid

_ROW, _TOP = 36.0, 40.0
_STEPS = ((0.30, 3), (0.15, 2), (0.0, 1))
"""Distances to the price, as fractions, from which on a colour is one step stronger."""


def grid_chart(title: str, found: SensitivityGrid, price: float, names: tuple[str, str], *, width: int = 760) -> str:
    """Draw a grid; the cell of the inputs as they are has a frame, and the sign says on which side of the price it is.

    Args:
        title: What is drawn, for screen readers.
        found: The grid.
        price: Of the share, above 0.
        names: What readers call the driver of the rows and that of the columns.
        width: Width of the coordinates in pixels; the element takes the width it is given.
    """
    left = 92.0 if width > 600 else 58.0
    across = (width - left - 4) / len(found.column_levels)
    parts = [text(left + (width - left) / 2, 13, f"{names[1]} across, {names[0].lower()} down", "ink mid")]
    for column, level in enumerate(found.column_levels):
        parts.append(
            text(left + across * (column + 0.5), _TOP - 8, level_words(found.columns, float(level)), "strong mid")
        )
    frame = ""
    told = []
    for row, level in enumerate(found.row_levels):
        y = _TOP + _ROW * row
        parts.append(text(left - 10, y + _ROW / 2 + 4, level_words(found.rows, float(level)), "strong end"))
        for column in range(len(found.column_levels)):
            value, x = float(found.values[row, column]), left + across * column
            size = f'x="{x:.1f}" y="{y:.1f}" width="{across:.1f}" height="{_ROW:.1f}"'
            parts.append(f'<rect class="{_shade(value, price)}" {size}/>')
            parts.append(_cell(value, price, x + across / 2, y))
            if (row, column) == found.base_cell:
                frame = f'<rect class="chosen" {size}/>'
            told.append(words.price(value) if math.isfinite(value) else words.MISSING)
    height = _TOP + _ROW * len(found.row_levels) + 4
    return figure_svg(title, f"Values row by row: {', '.join(told)}.", width, height, "".join([*parts, frame]))


def _cell(value: float, price: float, x: float, y: float) -> str:
    if not math.isfinite(value):
        return text(x, y + _ROW / 2 + 4, words.MISSING, "small mid")
    away = f"{100 * (value / price - 1):+.0f}%"
    return text(x, y + 15, words.price(value), "ink mid") + text(x, y + 29, away, "small mid")


def _shade(value: float, price: float) -> str:
    if not math.isfinite(value) or value == price:
        return "flat"
    away = value / price - 1
    step = next(number for least, number in _STEPS if abs(away) >= least)
    return f"{'above' if away > 0 else 'below'}{step}"
