"""Lines over sessions, told apart by color and dashes: closes from the same start at 100, or percent, as one SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from math import isfinite

import numpy as np

from tradingagents.dataflows.models import Floats
from tradingagents.reports.charts import layers, scales
from tradingagents.reports.charts.plot import Plot, one_panel, whole_digits
from tradingagents.reports.charts.price_chart import empty_chart, svg
from tradingagents.reports.charts.scales import Scale

START = 100.0
MOST_LINES = 6
_CAPITAL = 7.6
"""Approximate maximum width of a letter of the bold labels in pixels: symbols are capitals."""
_TOP, _HEIGHT, _LABEL_GAP = 30.0, 300.0, 15.0


def comparison_chart(days: Sequence[date], lines: Mapping[str, Floats], *, width: int = 960) -> str:
    """Draw at most six lines with their names and last values at the right edge.

    Args:
        days: Of the values, ascending.
        lines: Values by symbol, each as long as `days`, 100 at the common start; NaN leaves a gap.
        width: Width of the coordinates in pixels; the element itself takes the width it is given.

    Raises:
        ValueError: There are more lines than can be told apart, or one is not as long as `days`.
    """
    if len(lines) > MOST_LINES or any(len(values) != len(days) for values in lines.values()):
        raise ValueError(f"give at most {MOST_LINES} lines, each with a value for each of the {len(days)} days")
    name = " and ".join(lines)
    every = np.concatenate([*lines.values()] or [np.array([])])
    known = every[np.isfinite(every)]
    if not len(known):
        return empty_chart(name, width)
    low, high = scales.price_range(float(known.min()), float(known.max()), (START,))
    scale = Scale(low, high, _TOP, _TOP + _HEIGHT)
    last = {
        symbol: next(value for value in reversed(values.tolist()) if isfinite(value))
        for symbol, values in lines.items()
        if np.isfinite(values).any()
    }
    labels = {symbol: f"{symbol} {value:.1f}" for symbol, value in last.items()}
    plot = _plot(days, scale, width, max(map(len, labels.values())), "Start 100")
    body = _body(plot, lines, last, labels, START)
    told = f"Closes from {days[0]} to {days[-1]}, 100 at the start. {', '.join(labels.values())}."
    return svg(name, told, width, plot.height, body)


def percent_chart(
    title: str, days: Sequence[date], lines: Mapping[str, Floats], *, width: int = 960, height: float = 170.0
) -> str:
    """Draw at most six lines of fractions in percent, with their names and last values at the right edge.

    Args:
        title: What is drawn, for screen readers.
        days: Of the values, ascending.
        lines: Fractions by name, each as long as `days`, without gaps.
        width: Width of the coordinates in pixels; the element itself takes the width it is given.
        height: Height of the panel.

    Raises:
        ValueError: There are more lines than can be told apart, or one is not as long as `days`.
    """
    if not 0 < len(lines) <= MOST_LINES or any(len(values) != len(days) for values in lines.values()):
        raise ValueError(f"give one to {MOST_LINES} lines, each with a value for each of the {len(days)} days")
    shown = {name: np.asarray(values) * 100 for name, values in lines.items()}
    every = np.concatenate([*shown.values(), [0.0]])
    low, high = float(every.min()), float(every.max())
    room = (high - low) * 0.04 or 0.5
    scale = Scale(low - room if low < 0 else 0.0, high + room if high > 0 or low == 0 else 0.0, _TOP, _TOP + height)
    last = {name: float(values[-1]) for name, values in shown.items()}
    labels = {name: f"{name} {value:.1f}%" for name, value in last.items()}
    plot = _plot(days, scale, width, max(map(len, labels.values())), "Percent")
    told = f"{title} from {days[0]} to {days[-1]}. On the last day: {', '.join(labels.values())}."
    return svg(title, told, width, plot.height, _body(plot, shown, last, labels, 0.0))


def _body(
    plot: Plot, lines: Mapping[str, Floats], last: Mapping[str, float], labels: Mapping[str, str], base: float
) -> str:
    drawn = [layers.line(plot, values, plot.price, f"c{at}") for at, values in enumerate(lines.values())]
    parts = [
        layers.axes(plot),
        f'<path class="day" d="M{plot.left:.1f} {plot.price(base):.1f}H{plot.right:.1f}"/>',
        *reversed(drawn),  # the first line lies on top of the others
        _labels(plot, last, labels, tuple(lines)),
    ]
    return "".join(parts)


def _plot(days: Sequence[date], scale: Scale, width: int, letters: int, unit: str) -> Plot:
    edges = (whole_digits(scale.low, scale.high), letters * _CAPITAL + 34)
    return one_panel(days, scale, unit, width, edges)


def _labels(plot: Plot, last: Mapping[str, float], labels: Mapping[str, str], order: Sequence[str]) -> str:
    """Write each line's name and last value next to its end, with a sample of the line, kept apart."""
    wanted = [plot.price(value) for value in last.values()]
    placed = scales.keep_apart(wanted, _LABEL_GAP, plot.price.top + 4, plot.price.bottom - 4)
    parts = []
    for (symbol, value), y in zip(last.items(), placed, strict=True):
        css, start = f"c{order.index(symbol)}", plot.right
        parts.append(f'<path class="leader" d="M{start:.1f} {plot.price(value):.1f}L{start + 8:.1f} {y:.1f}"/>')
        parts.append(f'<path class="line {css}" d="M{start + 10:.1f} {y:.1f}h16"/>')
        parts.append(layers.text(start + 30, y + 4, labels[symbol], "strong"))
    return "".join(parts)
