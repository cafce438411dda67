"""The line of closes of a year with lettered marks of what became known, as one inline SVG."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from math import isfinite, nan

import numpy as np

from tradingagents.reports import formatting as words
from tradingagents.reports.charts import layers, scales
from tradingagents.reports.charts.plot import ChartNote, one_panel, whole_digits
from tradingagents.reports.charts.price_chart import svg
from tradingagents.reports.charts.scales import Scale

_TOP, _HEIGHT = 34.0, 230.0
_ROW = 17.0
"""Height of a row of marks; they stand below the line, so that they hide none of it."""


def event_chart(
    symbol: str,
    currency: str,
    days: Sequence[date],
    closes: Sequence[float | None],
    notes: Sequence[ChartNote],
    *,
    width: int = 760,
) -> str:
    """Draw closes with a mark for each event; marks that would overlap are stacked.

    Args:
        symbol: The company.
        currency: Of the closes.
        days: Sessions, ascending; at least one has a close.
        closes: One for each day; None leaves a gap.
        notes: Events with their letters; those outside of the days are left out.
        width: Width of the coordinates in pixels; the element takes the width it is given.
    """
    values = [nan if value is None or not isfinite(value) else float(value) for value in closes]
    known = [value for value in values if isfinite(value)]
    rows = _rows(days, notes, width)
    low, high = scales.price_range(min(known), max(known), ())
    top = _TOP
    room = rows * _ROW + 6 if rows else 0.0
    # The lower part of the panel belongs to the marks: the axis is extended downwards by as much.
    extended = low - (high - low) * room / _HEIGHT
    scale = Scale(extended, high, top, top + _HEIGHT + room)
    edges = (whole_digits(low, high) + 3, 62.0)
    plot = one_panel(days, scale, currency, width, edges, notes=notes)
    last, at = known[-1], max(at for at, value in enumerate(values) if isfinite(value))
    label = f"{words.price(last)}"
    body = [
        layers.axes(plot),
        layers.notes(plot),
        layers.line(plot, np.array(values), scale, "c0"),
        layers.text(plot.x(at) + 6, scale(last) + 4, label, "strong"),
    ]
    told = "; ".join(f"{one.day} {one.text}" for one in notes)
    description = (
        f"Closes from {days[0]} to {days[-1]}, lowest {words.price(min(known))}, highest {words.price(max(known))}, "
        f"last {words.price(last)}. {told}"
    )
    return svg(symbol, description, width, plot.height, "".join(body))


def _rows(days: Sequence[date], notes: Sequence[ChartNote], width: int) -> int:
    """Return into how many rows the marks are stacked."""
    if not notes or len(days) < 2:
        return 1 if notes else 0
    rows: list[float] = []
    span = max((days[-1] - days[0]).days, 1)
    for note in sorted(notes, key=lambda note: note.day):
        layers.free_row(rows, (note.day - days[0]).days / span * (width - 110), _ROW)
    return len(rows)
