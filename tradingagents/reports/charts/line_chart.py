"""Lines over years or iterations, each told apart by dashes and by the form of its points, as one inline SVG."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite

from tradingagents.reports import formatting as words
from tradingagents.reports.charts import scales
from tradingagents.reports.charts.figure_svg import LETTER, figure_svg, percent_ticks, shortened
from tradingagents.reports.charts.layers import text
from tradingagents.reports.charts.scales import Scale

_TOP, _HEIGHT, _FOOT, _GAP = 14.0, 210.0, 26.0, 16.0
_STYLES = 4
"""Lines that can be told apart; further ones are drawn thin and without points."""


@dataclass(frozen=True, slots=True)
class ChartLine:
    """One line."""

    name: str
    values: Sequence[float | None]
    """One for each place, fractions where the chart is in percent; None leaves a gap."""
    thin: bool = False
    """Whether it is drawn thin, as one of many."""


Say = Callable[[float], str]


def line_chart(
    title: str, places: Sequence[str], lines: Sequence[ChartLine], *, width: int = 760, say: Say | None = None
) -> str:
    """Draw lines with their names and last values at the right edge.

    Args:
        title: What is drawn, for screen readers.
        places: Names of the places on the horizontal axis, such as years.
        lines: At least one has a value.
        width: Width of the coordinates in pixels; the element takes the width it is given.
        say: Writes a value; None: the values are fractions and written in percent.
    """
    known = [value for one in lines for value in one.values if value is not None and isfinite(value)]
    low, high = min([*known, 0.0]), max([*known, 0.0])
    room = (high - low) * 0.06 or 0.05
    said = say or _percent
    scale = Scale(low - (room if low < 0 else 0.0), high + room, _TOP, _TOP + _HEIGHT)
    labels = {at: f"{one.name} {said(last)}" for at, one in enumerate(lines) if (last := _last(one)) is not None}
    widest = max(map(len, labels.values()), default=0)
    ticks = percent_ticks(scale.low, scale.high, 6) if say is None else _ticks(scale, say)
    left = 48.0 if say is None else 12 + LETTER * max(len(label) for _, label in ticks)
    right = width - min(widest * LETTER + 48, width * 0.42)
    across = (right - left) / max(len(places) - 1, 1)
    xs = [left + across * at if len(places) > 1 else (left + right) / 2 for at in range(len(places))]
    drawn = [_grid(scale, ticks, left, right), _axis(places, xs, scale.bottom)]
    style = 0
    for line in lines:
        css = "l4" if line.thin else f"l{style % _STYLES}"
        drawn.append(_line(line, xs, scale, css, None if line.thin else style % _STYLES))
        style += 0 if line.thin else 1
    drawn.append(_names(lines, labels, scale, (right, width), said))
    told = " ".join(
        f"{line.name}: "
        + ", ".join(
            f"{place} {said(value)}" for place, value in zip(places, line.values, strict=True) if value is not None
        )
        + "."
        for line in lines
    )
    return figure_svg(title, told, width, scale.bottom + _FOOT, "".join(drawn))


def _percent(value: float) -> str:
    return words.percent(value, 1)


def _ticks(scale: Scale, say: Say) -> list[tuple[float, str]]:
    return [(value, say(value)) for value in scales.round_ticks(scale.low, scale.high, 6)]


def _grid(scale: Scale, ticks: Sequence[tuple[float, str]], left: float, right: float) -> str:
    across = "".join(f"M{left:.1f} {scale(value):.1f}H{right:.1f}" for value, _ in ticks)
    labels = "".join(text(left - 6, scale(value) + 4, label, "end") for value, label in ticks)
    zero = f'<path class="zero" d="M{left:.1f} {scale(0.0):.1f}H{right:.1f}"/>' if scale.holds(0.0) else ""
    return f'<path class="grid" d="{across}"/>{zero}{labels}'


def _axis(places: Sequence[str], xs: Sequence[float], bottom: float) -> str:
    every = 1
    widest = max(map(len, places), default=1) * LETTER + 8
    while len(places) > every and len(xs) > 1 and (xs[1] - xs[0]) * every < widest:
        every += 1
    return "".join(text(x, bottom + 17, place, "mid") for place, x in list(zip(places, xs, strict=True))[::every])


def _line(one: ChartLine, xs: Sequence[float], scale: Scale, css: str, form: int | None) -> str:
    path, points, pen = [], [], False
    for x, value in zip(xs, one.values, strict=True):
        if value is None or not isfinite(value):
            pen = False
            continue
        y = scale(value)
        path.append(f"{'L' if pen else 'M'}{x:.1f} {y:.1f}")
        pen = True
        if form is not None:
            points.append(_point(x, y, form))
    marks = f'<path class="m{form}" d="{"".join(points)}"/>' if form is not None else ""
    return f'<path class="line {css}" d="{"".join(path)}"/>{marks}'


def _point(x: float, y: float, form: int) -> str:
    """Return a point's outline: circle, square, triangle or diamond."""
    return (
        f"M{x - 4:.1f} {y:.1f}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z",
        f"M{x - 3.6:.1f} {y - 3.6:.1f}h7.2v7.2h-7.2Z",
        f"M{x:.1f} {y - 5:.1f}l5 8.6h-10Z",
        f"M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5Z",
    )[form]


def _last(one: ChartLine) -> float | None:
    return next((value for value in reversed(one.values) if value is not None and isfinite(value)), None)


def _names(
    lines: Sequence[ChartLine], labels: dict[int, str], scale: Scale, across: tuple[float, int], said: Say
) -> str:
    right, width = across
    wanted = [scale(_last(lines[at]) or 0.0) for at in labels]
    placed = scales.keep_apart(wanted, _GAP, scale.top + 4, scale.bottom - 2)
    form = {at: number for number, at in enumerate(at for at, one in enumerate(lines) if not one.thin)}
    parts = []
    for at, y in zip(labels, placed, strict=True):
        css = "l4" if lines[at].thin else f"l{form[at] % _STYLES}"
        parts.append(f'<path class="line {css}" d="M{right + 8:.1f} {y:.1f}h18"/>')
        if not lines[at].thin:
            parts.append(f'<path class="m{form[at] % _STYLES}" d="{_point(right + 17, y, form[at] % _STYLES)}"/>')
        room = width - right - 30
        value = said(_last(lines[at]) or 0.0)
        name = shortened(lines[at].name, room - (len(value) + 1) * LETTER)
        parts.append(text(right + 30, y + 4, f"{name} {value}", "ink" if lines[at].thin else "strong"))
    return "".join(parts)
