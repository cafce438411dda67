"""The layers of the price chart, each a function from the layout to SVG markup."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from html import escape
from itertools import compress, pairwise

import numpy as np
import numpy.typing as npt

from tradingagents.dataflows.models import Floats
from tradingagents.reports import formatting as words
from tradingagents.reports.charts import scales
from tradingagents.reports.charts.pixels import rows_of_tenths, tenths
from tradingagents.reports.charts.plot import BAND, BENCHMARK, LETTER, Plot, PricePlot, level_words
from tradingagents.reports.charts.scales import Scale

LEVELS = ("target", "entry", "stop")
_AVERAGES = (
    ("close_10_ema", "quick", "EMA 10"),
    ("close_50_sma", "fast", "SMA 50"),
    ("close_200_sma", "slow", "SMA 200"),
)
_LINE = 15.0
"""Pixels between two labels, vertically."""
NARROW = 600
"""Minimum width of a legend with more than names."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def axes(plot: Plot) -> str:
    """Draw the grid with prices at round numbers and dates at month starts."""
    dates = _date_labels(plot)
    across = "".join(f"M{plot.left:.1f} {y:.1f}H{plot.right:.1f}" for y, _ in plot.ticks)
    starts = (plot.x(at) - plot.slot / 2 for at in plot.months)
    down = "".join(f"M{x:.1f} {plot.price.top:.1f}V{plot.bottom:.1f}" for x in starts)
    titles = ((plot.volume, "Volume"), (plot.rsi, "RSI 14"), (plot.macd, "MACD 12, 26, 9"))
    labels = [
        text(plot.left - 6, plot.price.top - 12, plot.currency, "end"),
        *(text(plot.left - 6, y + 4, label, "end") for y, label in plot.ticks),
        *(text(x, plot.bottom + 17, label, anchor) for x, label, anchor in dates),
        *(text(plot.left + 4, panel.top - 4, title) for panel, title in titles if panel),
    ]
    return f'<path class="grid" d="{across}{down}"/>{"".join(labels)}'


def candles(plot: PricePlot) -> str:
    """Draw rising bars hollow and falling ones filled, to distinguish them without color."""
    shown = plot.drawn
    opened, closed, middles = plot.open[shown], plot.close[shown], plot.middles[shown]
    columns = (
        middles,
        middles - plot.half,
        middles + plot.half,
        *map(plot.price.pixels, (plot.high[shown], plot.low[shown], np.maximum(opened, closed))),
        plot.price.pixels(np.minimum(opened, closed)),
    )
    drawn = [
        f"M{x} {high}V{top}M{x} {bottom}V{low}M{left} {top}H{right}V{bottom}H{left}Z"
        for x, left, right, high, low, top, bottom in rows_of_tenths(*columns)
    ]
    rises = closed >= opened
    rising, falling = (compress(drawn, chosen.tolist()) for chosen in (rises, ~rises))
    return f'<path class="up" d="{"".join(rising)}"/><path class="down" d="{"".join(falling)}"/>'


def averages(plot: PricePlot) -> str:
    """Draw the moving averages, and the benchmark's line if there is one."""
    lines = [*_AVERAGES, (BENCHMARK, "bench", "")]
    known = ((plot.overlays[name], css) for name, css, _ in lines if name in plot.overlays)
    return "".join(line(plot, values, plot.price, css) for values, css in known)


def band(plot: PricePlot) -> str:
    """Draw the area between the Bollinger bands, if both are known."""
    if not all(name in plot.overlays for name in BAND):
        return ""
    upper, lower = (plot.overlays[name] for name in BAND)
    above, below = np.isfinite(upper), np.isfinite(lower)
    there, back = _stretches(plot, upper, plot.price, above), _stretches(plot, lower, plot.price, below)
    edges = _path(there, "edge") + _path(back, "edge")
    if (above != below).any():
        there, back = (_stretches(plot, values, plot.price, above & below) for values in (upper, lower))
    areas = [f"M{'L'.join(upwards + downwards[::-1])}Z" for upwards, downwards in zip(there, back, strict=True)]
    return f'<path class="band" d="{"".join(areas)}"/>{edges}' if areas else ""


def strength(plot: PricePlot) -> str:
    """Draw the RSI with the zone from 30 to 70 shaded."""
    if plot.rsi is None:
        return ""
    box = f"M{plot.left:.1f} {plot.rsi(70):.1f}H{plot.right:.1f}V{plot.rsi(30):.1f}H{plot.left:.1f}Z"
    return f'<path class="band" d="{box}"/>{line(plot, plot.overlays["rsi"], plot.rsi, "rsi")}'


def momentum(plot: PricePlot) -> str:
    """Draw the MACD: bars for the distance from its signal line, and both lines."""
    scale = plot.macd
    if scale is None:
        return ""
    gap = plot.overlays.get("macdh", np.array([]))
    bars = _columns(plot, gap, scale, scale(0.0), np.isfinite(gap))
    lines = ((plot.overlays[name], css) for name, css in (("macd", "fast"), ("macds", "slow")) if name in plot.overlays)
    return bars + "".join(line(plot, values, scale, css) for values, css in lines)


def notes(plot: Plot) -> str:
    """Draw a lettered mark at the foot of the price panel for each event; marks that would overlap are stacked."""
    parts: list[str] = []
    rows: list[float] = []
    for note in sorted(plot.notes, key=lambda one: one.day):
        at = bisect_left(plot.days, note.day.isoformat())
        if at == len(plot.days) or note.day.isoformat() < plot.days[0]:
            continue
        x = plot.x(at)
        y = plot.price.bottom - 10 - 17 * free_row(rows, x, 17)
        told = clean(f"{note.day} {note.text}")
        circle = f"M{x - 7.5:.1f} {y:.1f}a7.5 7.5 0 1 0 15 0a7.5 7.5 0 1 0 -15 0Z"
        stem = f'<path class="day" d="M{x:.1f} {plot.price.top:.1f}V{plot.price.bottom:.1f}"/>'
        letter = text(x, y + 3.8, note.letter, "noted mid")
        parts.append(f'{stem}<g><title>{told}</title><path class="note" d="{circle}"/>{letter}</g>')
    return "".join(parts)


def free_row(rows: list[float], x: float, gap: float) -> int:
    """Return the lowest row whose last mark lies at least `gap` left of `x`, and place a mark there."""
    row = next((number for number, last in enumerate(rows) if x - last >= gap), len(rows))
    rows[row : row + 1] = [x]
    return row


def levels(plot: PricePlot) -> str:
    """Draw a dashed line for each visible level, and labels next to the plot, connected to their line if moved."""
    wanted = [plot.price.pinned(level) for level in plot.levels.values()]
    placed = scales.keep_apart(wanted, _LINE, plot.price.top + 4, plot.price.bottom - 4)
    parts = []
    for (name, level), y, label_y in zip(plot.levels.items(), wanted, placed, strict=True):
        if plot.price.holds(level) and name in LEVELS:
            parts.append(f'<path class="level {name}" d="M{plot.left:.1f} {y:.1f}H{plot.right:.1f}"/>')
        parts.append(f'<path class="leader" d="M{plot.right:.1f} {y:.1f}L{plot.right + 9:.1f} {label_y:.1f}"/>')
        parts.append(text(plot.right + 12, label_y + 4, level_words(name, level, plot.price), "strong"))
    return "".join(parts)


def mark(plot: PricePlot) -> str:
    """Mark the trade date: a line through the panels, text above the plot, and the action's symbol at the bar."""
    if plot.marked is None:
        return ""
    at, x = plot.marked, plot.x(plot.marked)
    action = plot.decision.action if plot.decision else ""
    label = f"{words.action_words(action)} {plot.days[at]}".strip()
    on_the_right = x > (plot.left + plot.right) / 2
    upright = f'<path class="day" d="M{x:.1f} {plot.price.top:.1f}V{plot.bottom:.1f}"/>'
    shift, css = (5, "strong end") if on_the_right else (-5, "strong")
    return (
        upright + text(x + shift, plot.price.top - 6, label, css) + (_sign(plot, action, at) if plot.drawn[at] else "")
    )


def volume(plot: PricePlot) -> str:
    """Draw the volume."""
    if plot.volume is None:
        return ""
    return _columns(plot, plot.traded, plot.volume, plot.volume.bottom, plot.drawn & (plot.traded > 0))


def tips(plot: PricePlot) -> str:
    """Draw a transparent column over each bar that shows its numbers on hover."""
    tail = f"{plot.price.top:.1f}h{plot.slot:.1f}V{plot.bottom:.1f}h-{plot.slot:.1f}Z"
    shown = plot.drawn
    prices = (words.prices(values[shown].tolist()) for values in (plot.open, plot.high, plot.low, plot.close))
    traded = np.rint(plot.traded[shown]).tolist()
    said = (f"\nVolume {text}" if one > 0 else "" for one, text in zip(traded, words.volumes(traded), strict=True))
    starts = tenths(plot.middles[shown] - plot.slot / 2)
    return "".join(
        [
            f'<path class="hit" d="M{x} {tail}"><title>{day}\n'
            f"Open {opened}\nHigh {high}\nLow {low}\nClose {close}{volume}</title></path>"
            for x, day, opened, high, low, close, volume in zip(
                starts, compress(plot.days, shown.tolist()), *prices, said, strict=True
            )
        ]
    )


def legend(plot: PricePlot) -> str:
    """Draw a sample and a name for each element of the price panel."""
    items = [("up", "up", 8), ("down", "down", 8)]
    items += [(f"line {css}", title, 18) for name, css, title in _AVERAGES if _is_known(plot, name)]
    if _is_known(plot, BENCHMARK):
        title = plot.benchmark if plot.width < NARROW else f"{plot.benchmark} from the same start"
        items.append(("line bench", title, 18))
    if all(_is_known(plot, name) for name in BAND):
        items.append(("band", "Bollinger 20, 2", 18))
    parts, x, y = [], plot.left, 0
    for css, title, width in items:
        wide = width + 5 + len(title) * LETTER
        if x + wide > plot.width and plot.marked is None:  # the text of a marked day stands in the second row
            x, y = plot.left, 16
        sample = f"M{x:.1f} {y + 11}h{width}" if css.startswith("line") else f"M{x:.1f} {y + 6}h{width}v10h-{width}Z"
        parts.append(f'<path class="{css}" d="{sample}"/>{text(x + width + 5, y + 15, title)}')
        x += wide + 10
    return "".join(parts)


def text(x: float, y: float, words_: str, css: str = "label") -> str:
    """Return a text element; `css` names its classes."""
    return f'<text class="{css}" x="{x:.1f}" y="{y:.1f}">{clean(words_)}</text>'


def clean(words_: str) -> str:
    """Return text escaped for XML, attributes included, without control characters."""
    return escape(_CONTROL.sub("", words_), quote=True)


def _date_labels(plot: Plot) -> list[tuple[float, str, str]]:
    """Return (x, text, anchor) of month starts as far as they fit, or of both ends if that is fewer than two."""
    labels: list[tuple[float, str, str]] = []
    year = ""
    for at in plot.months:
        x = plot.x(at) - plot.slot / 2
        if (labels and x - labels[-1][0] < 10 * LETTER) or x > plot.right - 4 * LETTER:
            continue
        month = _MONTHS[int(plot.days[at][5:7]) - 1]
        labels.append((x, month if plot.days[at][:4] == year else f"{month} {plot.days[at][:4]}", "mid"))
        year = plot.days[at][:4]
    if len(labels) > 1:
        return labels
    if len(plot.days) == 1:
        return [(plot.x(0), plot.days[0], "mid")]
    return [(plot.left, plot.days[0], "label"), (plot.right, plot.days[-1], "end")]


def line(plot: Plot, values: Floats, scale: Scale, css: str) -> str:
    """Draw a series as a line with gaps where it is not known; nothing if it is never known."""
    return _path(_stretches(plot, values, scale, np.isfinite(values)), css)


def _path(stretches: Sequence[Sequence[str]], css: str) -> str:
    drawn = "".join(f"M{'L'.join(points)}" + ("h0" if len(points) == 1 else "") for points in stretches)
    return f'<path class="line {css}" d="{drawn}"/>' if drawn else ""


def _stretches(plot: Plot, values: Floats, scale: Scale, known: npt.NDArray[np.bool_]) -> list[list[str]]:
    """Return the points of each stretch of adjacent known values."""
    at = np.flatnonzero(known)
    if not len(at):
        return []
    xs = plot.x_texts if len(at) == len(plot.days) else tenths(plot.middles[at])
    points = [f"{x} {y}" for x, y in zip(xs, tenths(scale.pixels(values[at])), strict=True)]
    if at[-1] - at[0] == len(at) - 1:
        return [points]
    gaps: list[int] = (np.flatnonzero(np.diff(at) > 1) + 1).tolist()
    return [points[first:end] for first, end in pairwise([0, *gaps, len(points)])]


def _columns(plot: Plot, values: Floats, scale: Scale, floor: float, shown: npt.NDArray[np.bool_]) -> str:
    """Draw a bar from a floor to each value shown."""
    foot, wide = f"{floor:.1f}", f"{2 * plot.half:.1f}"
    rows = rows_of_tenths(plot.middles[shown] - plot.half, scale.pixels(values[shown]))
    bars = [f"M{left} {foot}V{top}h{wide}V{foot}Z" for left, top in rows]
    return f'<path class="vol" d="{"".join(bars)}"/>'


def _is_known(plot: PricePlot, name: str) -> bool:
    """Return whether a series has a number anywhere."""
    return name in plot.overlays and bool(np.isfinite(plot.overlays[name]).any())


def _sign(plot: PricePlot, action: str, at: int) -> str:
    x, above, below = plot.x(at), plot.price(float(plot.high[at])) - 5, plot.price(float(plot.low[at])) + 5
    shapes = {
        "BUY": f"M{x:.1f} {below:.1f}l7 12h-14Z",
        "SELL": f"M{x:.1f} {above:.1f}l7 -12h-14Z",
        "HOLD": f"M{x:.1f} {plot.price(float(plot.close[at])) - 7:.1f}l7 7l-7 7l-7 -7Z",
    }
    return f'<path class="mark" d="{shapes[action]}"/>' if action in shapes else ""
