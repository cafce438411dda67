"""The layers of the price chart, each a function from the layout to SVG markup."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from html import escape
from math import isfinite

from tradingagents.reports import formatting as words
from tradingagents.reports.charts import scales
from tradingagents.reports.charts.plot import BAND, BENCHMARK, LETTER, Plot, Series
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
    ticks, dates = plot.ticks(), _date_labels(plot)
    across = "".join(f"M{plot.left:.1f} {y:.1f}H{plot.right:.1f}" for y, _ in ticks)
    starts = (plot.x(at) - plot.slot / 2 for at in plot.months)
    down = "".join(f"M{x:.1f} {plot.price.top:.1f}V{plot.bottom:.1f}" for x in starts)
    titles = ((plot.volume, "Volume"), (plot.rsi, "RSI 14"), (plot.macd, "MACD 12, 26, 9"))
    labels = [
        text(plot.left - 6, plot.price.top - 12, plot.currency, "end"),
        *(text(plot.left - 6, y + 4, label, "end") for y, label in ticks),
        *(text(x, plot.bottom + 17, label, anchor) for x, label, anchor in dates),
        *(text(plot.left + 4, panel.top - 4, title) for panel, title in titles if panel),
    ]
    return f'<path class="grid" d="{across}{down}"/>{"".join(labels)}'


def candles(plot: Plot) -> str:
    """Draw rising bars hollow and falling ones filled, to distinguish them without color."""
    rising: list[str] = []
    falling: list[str] = []
    for at, drawn in enumerate(plot.drawn):
        if not drawn:
            continue
        opened, closed = plot.open[at], plot.close[at]
        x, top, bottom = plot.x(at), plot.price(max(opened, closed)), plot.price(min(opened, closed))
        high, low = plot.price(plot.high[at]), plot.price(plot.low[at])
        wicks = f"M{x:.1f} {high:.1f}V{top:.1f}M{x:.1f} {bottom:.1f}V{low:.1f}"
        body = f"M{x - plot.half:.1f} {top:.1f}H{x + plot.half:.1f}V{bottom:.1f}H{x - plot.half:.1f}Z"
        (rising if closed >= opened else falling).append(wicks + body)
    return f'<path class="up" d="{"".join(rising)}"/><path class="down" d="{"".join(falling)}"/>'


def averages(plot: Plot) -> str:
    """Draw the moving averages, and the benchmark's line if there is one."""
    lines = [*_AVERAGES, (BENCHMARK, "bench", "")]
    return "".join(line(plot, plot.overlays.get(name, []), plot.price, css) for name, css, _ in lines)


def band(plot: Plot) -> str:
    """Draw the area between the Bollinger bands, if both are known."""
    if not all(name in plot.overlays for name in BAND):
        return ""
    upper, lower = (plot.overlays[name] for name in BAND)
    areas = []
    for run in _runs([up + down for up, down in zip(upper, lower, strict=True)]):
        there = [f"{plot.x_texts[at]} {plot.price(upper[at]):.1f}" for at in run]
        back = [f"{plot.x_texts[at]} {plot.price(lower[at]):.1f}" for at in reversed(run)]
        areas.append(f"M{'L'.join(there + back)}Z")
    edges = line(plot, upper, plot.price, "edge") + line(plot, lower, plot.price, "edge")
    return f'<path class="band" d="{"".join(areas)}"/>{edges}' if areas else ""


def strength(plot: Plot) -> str:
    """Draw the RSI with the zone from 30 to 70 shaded."""
    if plot.rsi is None:
        return ""
    box = f"M{plot.left:.1f} {plot.rsi(70):.1f}H{plot.right:.1f}V{plot.rsi(30):.1f}H{plot.left:.1f}Z"
    return f'<path class="band" d="{box}"/>{line(plot, plot.overlays["rsi"], plot.rsi, "rsi")}'


def momentum(plot: Plot) -> str:
    """Draw the MACD: bars for the distance from its signal line, and both lines."""
    scale = plot.macd
    if scale is None:
        return ""
    zero, half, wide = scale(0.0), plot.half, 2 * plot.half
    bars = (
        f"M{plot.x(at) - half:.1f} {zero:.1f}V{scale(value):.1f}h{wide:.1f}V{zero:.1f}Z"
        for at, value in enumerate(plot.overlays.get("macdh", []))
        if isfinite(value)
    )
    lines = (("macd", "fast"), ("macds", "slow"))
    drawn = "".join(line(plot, plot.overlays.get(name, []), scale, css) for name, css in lines)
    return f'<path class="vol" d="{"".join(bars)}"/>{drawn}'


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


def levels(plot: Plot) -> str:
    """Draw a dashed line for each visible level, and labels next to the plot, connected to their line if moved."""
    wanted = [plot.price.pinned(level) for level in plot.levels.values()]
    placed = scales.keep_apart(wanted, _LINE, plot.price.top + 4, plot.price.bottom - 4)
    parts = []
    for (name, level), y, label_y in zip(plot.levels.items(), wanted, placed, strict=True):
        if plot.price.holds(level) and name in LEVELS:
            parts.append(f'<path class="level {name}" d="M{plot.left:.1f} {y:.1f}H{plot.right:.1f}"/>')
        parts.append(f'<path class="leader" d="M{plot.right:.1f} {y:.1f}L{plot.right + 9:.1f} {label_y:.1f}"/>')
        parts.append(text(plot.right + 12, label_y + 4, plot.level_words(name), "strong"))
    return "".join(parts)


def mark(plot: Plot) -> str:
    """Mark the trade date: a line through the panels, text above the plot, and the action's symbol at the bar."""
    if plot.marked is None:
        return ""
    at, x = plot.marked, plot.x(plot.marked)
    action = plot.decision["action"] if plot.decision else ""
    label = f"{words.action_words(action)} {plot.days[at]}".strip()
    on_the_right = x > (plot.left + plot.right) / 2
    upright = f'<path class="day" d="M{x:.1f} {plot.price.top:.1f}V{plot.bottom:.1f}"/>'
    shift, css = (5, "strong end") if on_the_right else (-5, "strong")
    return (
        upright + text(x + shift, plot.price.top - 6, label, css) + (_sign(plot, action, at) if plot.drawn[at] else "")
    )


def volume(plot: Plot) -> str:
    """Draw the volume."""
    if plot.volume is None:
        return ""
    floor, half, wide = plot.volume.bottom, plot.half, 2 * plot.half
    bars = (
        f"M{plot.x(at) - half:.1f} {floor:.1f}V{plot.volume(traded):.1f}h{wide:.1f}V{floor:.1f}Z"
        for at, traded in enumerate(plot.traded)
        if plot.drawn[at] and traded > 0
    )
    return f'<path class="vol" d="{"".join(bars)}"/>'


def tips(plot: Plot) -> str:
    """Draw a transparent column over each bar that shows its numbers on hover."""
    columns = (("Open", plot.open), ("High", plot.high), ("Low", plot.low), ("Close", plot.close))
    tail = f"{plot.price.top:.1f}h{plot.slot:.1f}V{plot.bottom:.1f}h-{plot.slot:.1f}Z"
    parts = []
    for at, drawn in enumerate(plot.drawn):
        if not drawn:
            continue
        tip = [plot.days[at], *(f"{name} {words.price(values[at])}" for name, values in columns)]
        if plot.traded[at] > 0:
            tip.append(f"Volume {words.figure(round(plot.traded[at]))}")
        told = "\n".join(tip)
        parts.append(f'<path class="hit" d="M{plot.x(at) - plot.slot / 2:.1f} {tail}"><title>{told}</title></path>')
    return "".join(parts)


def legend(plot: Plot) -> str:
    """Draw a sample and a name for each element of the price panel."""
    items = [("up", "up", 8), ("down", "down", 8)]
    items += [(f"line {css}", title, 18) for name, css, title in _AVERAGES if _is_known(plot.overlays.get(name, []))]
    if _is_known(plot.overlays.get(BENCHMARK, [])):
        title = plot.benchmark if plot.width < NARROW else f"{plot.benchmark} from the same start"
        items.append(("line bench", title, 18))
    if all(_is_known(plot.overlays.get(name, [])) for name in BAND):
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


def line(plot: Plot, values: Series, scale: Scale, css: str) -> str:
    """Draw a series as a line with gaps where it is not known; nothing if it is never known."""
    stretches = []
    for run in _runs(values):
        points = [f"{plot.x_texts[at]} {scale(values[at]):.1f}" for at in run]
        stretches.append(f"M{'L'.join(points)}" + ("h0" if len(points) == 1 else ""))
    return f'<path class="line {css}" d="{"".join(stretches)}"/>' if stretches else ""


def _runs(values: Sequence[float]) -> list[range]:
    """Return the ranges of adjacent positions with a number."""
    runs: list[range] = []
    first: int | None = None
    for at, value in enumerate(values):
        if isfinite(value):
            first = at if first is None else first
        elif first is not None:
            runs.append(range(first, at))
            first = None
    return runs if first is None else [*runs, range(first, len(values))]


def _is_known(values: Sequence[float]) -> bool:
    """Return whether a series has a number anywhere."""
    return any(map(isfinite, values))


def _sign(plot: Plot, action: str, at: int) -> str:
    x, above, below = plot.x(at), plot.price(plot.high[at]) - 5, plot.price(plot.low[at]) + 5
    shapes = {
        "BUY": f"M{x:.1f} {below:.1f}l7 12h-14Z",
        "SELL": f"M{x:.1f} {above:.1f}l7 -12h-14Z",
        "HOLD": f"M{x:.1f} {plot.price(plot.close[at]) - 7:.1f}l7 7l-7 7l-7 -7Z",
    }
    return f'<path class="mark" d="{shapes[action]}"/>' if action in shapes else ""
