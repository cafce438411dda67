"""Charts of a backtest that no other report has: decisions on a price, and confidence against what came true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import isfinite, nan

import numpy as np

from tradingagents.reports import formatting as words
from tradingagents.reports.charts import layers, scales
from tradingagents.reports.charts.plot import Plot, one_panel, whole_digits
from tradingagents.reports.charts.price_chart import svg
from tradingagents.reports.charts.scales import Scale

_TOP, _HEIGHT, _HELD = 34.0, 200.0, 25.0
_BOLD = 7.2
"""Approximate maximum width of a figure in bold, in pixels."""
SHAPES: Mapping[str, tuple[str, str]] = {
    "BUY": ("up", "m0 7l5 9h-10Z"),
    "SELL": ("down", "m0 -7l5 -9h-10Z"),
    "HOLD": ("note", "m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0Z"),
    "NO_DECISION": ("leader", "m-3.5 -3.5l7 7m0 -7l-7 7"),
}
"""Class and outline of each action's mark: a hollow triangle below the price, a filled one above, a circle, a cross."""
LEGEND = "hollow triangle BUY, filled triangle SELL, circle HOLD, cross no decision; the band below: held"
TRADES_LEGEND = "hollow triangle where more was bought than sold, else a filled one; the band below: held"
TRADES = {"BUY": "with more bought than sold", "SELL": "with more sold than bought"}
"""What the marks count on the chart of the account, where they are sessions and no decisions."""


@dataclass(frozen=True, slots=True)
class DecisionMark:
    """A decision on a chart."""

    day: date
    action: str
    text: str
    """Shown to a pointer."""


@dataclass(frozen=True, slots=True)
class ReliabilityPoint:
    """Calls of similar confidence."""

    confidence: float
    """Mean stated confidence."""
    right: float
    """Share that came true."""
    calls: int


def decision_chart(
    symbol: str,
    currency: str,
    days: Sequence[date],
    closes: Sequence[float],
    marks: Sequence[DecisionMark],
    held: Sequence[bool],
    *,
    width: int = 760,
    counted: tuple[str, Mapping[str, str]] = ("Decisions", {}),
) -> str:
    """Draw a ticker's closes with its decisions, and below them when the account held it.

    Args:
        currency: Of the closes.
        days: Sessions, ascending.
        closes: One for each day; NaN leaves a gap. At least one is known.
        marks: Decisions; a day without a close has its mark at the close before.
        held: Whether the account held shares at each close.
        width: Width of the coordinates in pixels; the element takes the width it is given.
        counted: What marks are, and in words what each action is where it is another thing.
    """
    values = [float(close) if isfinite(close) else nan for close in closes]
    known = [value for value in values if isfinite(value)]
    low, high = scales.price_range(min(known), max(known), ())
    scale = Scale(low, high, _TOP, _TOP + _HEIGHT)
    last = words.price(known[-1])
    edges = (whole_digits(scale.low, scale.high) + 3, len(last) * _BOLD + 14)
    plot = one_panel(days, scale, currency, width, edges, below=_HELD)
    place = {day: number for number, day in enumerate(days)}
    drawn = "".join(_mark(plot, place[mark.day], mark, values) for mark in marks if mark.day in place)
    body = [
        layers.axes(plot),
        _held_band(plot, held),
        layers.line(plot, np.array(values), scale, "c5"),
        drawn,
        layers.text(plot.right + 6, scale(known[-1]) + 4, last, "strong"),
    ]
    counts = {name: sum(mark.action == name for mark in marks) for name in SHAPES}
    what, named = counted
    marked = ", ".join(f"{count} {named.get(name, name)}" for name, count in counts.items() if count)
    description = f"Closes from {days[0]} to {days[-1]}. {what}: {marked or 'none'}. Held at {sum(held)} closes."
    return svg(symbol, description, width, plot.height, "".join(body))


def reliability_chart(points: Sequence[ReliabilityPoint], *, width: int = 760) -> str:
    """Draw the share of calls that came true over the stated confidence; the diagonal is perfect calibration.

    Args:
        points: One for each group of confidence; the larger the circle, the more calls.
        width: Width of the coordinates in pixels; the element takes the width it is given.
    """
    size = min(width - 130.0, 330.0)
    left, top = 52.0, 16.0
    across, up = Scale(0.0, 1.0, left + size, left), Scale(0.0, 1.0, top, top + size)
    ticks = [number / 5 for number in range(6)]
    grid = "".join(f"M{left:.1f} {up(tick):.1f}h{size:.1f}M{across(tick):.1f} {top:.1f}v{size:.1f}" for tick in ticks)
    parts = [f'<path class="grid" d="{grid}"/>']
    parts += [layers.text(left - 6, up(tick) + 4, f"{100 * tick:.0f}%", "end") for tick in ticks]
    parts += [layers.text(across(tick), top + size + 16, f"{100 * tick:.0f}%", "mid") for tick in ticks]
    parts.append(f'<path class="day" d="M{left:.1f} {top + size:.1f}L{left + size:.1f} {top:.1f}"/>')
    parts.append(layers.text(left + size / 2, top + size + 34, "Stated confidence; up: share that was right", "mid"))
    most = max((point.calls for point in points), default=1)
    for point in points:
        x, y, r = across(point.confidence), up(point.right), 4 + 9 * (point.calls / most) ** 0.5
        circle = f"M{x - r:.1f} {y:.1f}a{r:.1f} {r:.1f} 0 1 0 {2 * r:.1f} 0a{r:.1f} {r:.1f} 0 1 0 {-2 * r:.1f} 0Z"
        said = f"confidence {words.percent(point.confidence)}: {words.percent(point.right)} of {point.calls} right"
        parts.append(f'<g><title>{said}</title><path class="up" d="{circle}"/></g>')
        parts.append(layers.text(x + r + 5, y + 4, f"{words.percent(point.right)} of {point.calls}", "strong"))
    shares = "; ".join(
        f"confidence {words.percent(point.confidence)}: {words.percent(point.right)} right" for point in points
    )
    return svg("Reliability of confidence", shares, width, top + size + 44, "".join(parts))


def deciders_chart(quantiles: Mapping[str, float], own: float, *, width: int = 760) -> str:
    """Draw the returns of random deciders as a strip, with the mark of the tested account.

    Args:
        quantiles: Their 5th, 25th, 50th, 75th and 95th percentile, by `5` to `95`.
        own: Return of the tested account.
        width: Width of the coordinates in pixels; the element takes the width it is given.
    """
    low, high = min(*quantiles.values(), own), max(*quantiles.values(), own)
    room = 0.08 * (high - low) or 0.01
    across, middle, base = Scale(low - room, high + room, width - 24.0, 24.0), 52.0, 84.0
    at = {name: across(value) for name, value in quantiles.items()}
    ticks = scales.round_ticks(low - room, high + room, 6)
    grid = "".join(f"M{across(tick):.1f} {middle - 16:.1f}V{base:.1f}" for tick in ticks)
    parts = [
        f'<path class="grid" d="{grid}"/>',
        f'<path class="vol" d="M{at["25"]:.1f} {middle - 12:.1f}H{at["75"]:.1f}v24H{at["25"]:.1f}Z"/>',
        f'<path class="day" d="M{at["5"]:.1f} {middle:.1f}H{at["95"]:.1f}"/>',
        f'<path class="leader" d="M{at["50"]:.1f} {middle - 12:.1f}v24"/>',
    ]
    parts += [layers.text(across(tick), base + 14, words.percent(tick, 1), "mid") for tick in ticks]
    said = f"decisions {words.percent(own, 1)}"
    drawn = f"M{across(own):.1f} {middle - 14:.1f}l5 -9h-10Z"
    parts.append(f'<g><title>{said}</title><path class="down" d="{drawn}"/></g>')
    anchor = "end" if across(own) > width / 2 else "strong"
    parts.append(layers.text(across(own) + (-9 if anchor == "end" else 9), middle - 16, said, anchor))
    spread = f"90 of 100 from {words.percent(quantiles['5'], 1)} to {words.percent(quantiles['95'], 1)}; {said}"
    return svg("Random deciders", spread, width, base + 24, "".join(parts))


def _mark(plot: Plot, at: int, mark: DecisionMark, closes: Sequence[float]) -> str:
    css, outline = SHAPES[mark.action]
    known = [value for value in closes[: at + 1] if isfinite(value)]
    if not known:
        return ""
    text = layers.clean(f"{mark.day} {mark.text}")
    start = f"M{plot.x(at):.1f} {plot.price(known[-1]):.1f}"
    return f'<g><title>{text}</title><path class="{css}" d="{start}{outline}"/></g>'


def _held_band(plot: Plot, held: Sequence[bool]) -> str:
    top, parts, begun = plot.price.bottom + 9, list[str](), None
    for at, now in enumerate([*held, False]):
        if now and begun is None:
            begun = at
        elif not now and begun is not None:
            left, right = plot.x(begun) - plot.slot / 2, plot.x(at - 1) + plot.slot / 2
            parts.append(f"M{left:.1f} {top:.1f}H{right:.1f}v10H{left:.1f}Z")
            begun = None
    label = layers.text(plot.left - 6, top + 9, "held", "end")
    return f'<path class="vol" d="{"".join(parts)}"/>{label}'
