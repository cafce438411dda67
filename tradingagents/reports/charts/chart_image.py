"""The PNG of a chart, drawn with matplotlib (extra `charts`), which is loaded when first used."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from tradingagents.analytics.price.chart_data import ChartData, Numbers
from tradingagents.errors import ConfigurationError
from tradingagents.files.private_files import make_folder
from tradingagents.reports import formatting as words
from tradingagents.reports.charts.layers import free_row

MISSING_MATPLOTLIB = "A PNG needs matplotlib; install the extra: pip install 'tradingagents[charts]'"
INK, MUTED, GRID, UP, DOWN, BAND = "#1c2430", "#5b6675", "#e4e8ee", "#0072b2", "#c2500a", "#7a8aa0"
"""Colors of the page's charts."""
LINES = {
    "close_10_ema": ("EMA 10", "#c2500a", (0, (3, 2))),
    "close_50_sma": ("SMA 50", "#008a65", "-"),
    "close_200_sma": ("SMA 200", "#a8457f", (0, (7, 3))),
}
COMPARED = (UP, DOWN, "#008a65", "#a8457f", INK, MUTED)
STYLES = ("-", "-", (0, (7, 3)), (0, (2, 3)), (0, (9, 3, 2, 3)), "-")
DPI, WIDTH = 110, 10.0
PRICE_HEIGHT, PANEL_HEIGHT, COMPARISON_HEIGHT = 4.2, 1.1, 3.2
MARK_GAP = 24
"""Pixels between two marks of one row."""
CONFIG_VARIABLE = "MPLCONFIGDIR"
_LOCK = threading.Lock()


class MatplotlibMissing(ConfigurationError):
    """The extra `charts` is not installed."""


def chart_png(data: ChartData, *, cache: Path) -> bytes:
    """Draw a chart as PNG: candles with indicators and events, a panel each for volume, RSI and MACD, the comparison.

    Args:
        data: The chart.
        cache: Folder for matplotlib's list of fonts, which would otherwise go to the user's own cache.

    Raises:
        MatplotlibMissing: The extra `charts` is not installed.
    """
    panels = _panels(data)
    drawing = new_drawing(WIDTH, sum(height for _, height in panels) + 0.9, cache=cache)
    heights = [height for _, height in panels]
    axes = drawing.subplots(len(panels), 1, gridspec_kw={"height_ratios": heights}, squeeze=False)[:, 0]
    drawing.suptitle(f"{data.title}, {data.start} to {data.end}", color=INK, fontsize=12, x=0.01, ha="left")
    for axis, (draw, _) in zip(axes, panels, strict=True):
        plain_axis(axis)
        draw(axis, data)
    for axis in axes:
        _date_axis(axis, data, labelled=axis is axes[-1])
    return png_of(drawing)


def new_drawing(width: float, height: float, *, cache: Path) -> Any:
    """Return an empty drawing of matplotlib.

    Args:
        width: Inches, of `DPI` pixels.
        height: Likewise.
        cache: Folder for matplotlib's list of fonts, which would otherwise go to the user's own cache.

    Raises:
        MatplotlibMissing: The extra `charts` is not installed.
    """
    if find_spec("matplotlib") is None:
        raise MatplotlibMissing(MISSING_MATPLOTLIB)
    with _LOCK, _config_folder(cache):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure as Drawing

    drawing = Drawing(figsize=(width, height), dpi=DPI, layout="constrained")
    FigureCanvasAgg(drawing)
    return drawing


def png_of(drawing: Any) -> bytes:
    """Return a drawing as PNG, the same bytes each time."""
    out = BytesIO()
    drawing.savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()


@contextmanager
def _config_folder(folder: Path) -> Iterator[None]:
    """Point matplotlib, while it is first loaded, at a folder of ours, unless the user has named one."""
    if CONFIG_VARIABLE in os.environ:
        yield
        return
    make_folder(folder)
    os.environ[CONFIG_VARIABLE] = str(folder)
    try:
        import matplotlib

        matplotlib.get_cachedir()
        matplotlib.get_configdir()
        import matplotlib.font_manager

        yield
    finally:
        del os.environ[CONFIG_VARIABLE]


def _panels(data: ChartData) -> list[tuple[Any, float]]:
    names = {one.name for one in data.series}
    panels: list[tuple[Any, float]] = [(_candles, PRICE_HEIGHT)]
    if any(value for value in data.volumes):
        panels.append((_volume, PANEL_HEIGHT))
    if "rsi" in names:
        panels.append((_strength, PANEL_HEIGHT))
    if "macd" in names:
        panels.append((_momentum, PANEL_HEIGHT))
    if data.compared:
        panels.append((_comparison, COMPARISON_HEIGHT))
    return panels


def _candles(axis: Any, data: ChartData) -> None:
    """Draw rising bars hollow and falling ones filled, lines, the band and the marks of events."""
    columns = [np.array(values, dtype=float) for values in (data.opens, data.highs, data.lows, data.closes)]
    opened, high, low, close = columns
    at = np.arange(len(close))
    drawn = np.all(np.isfinite(columns), axis=0)
    if {"boll_ub", "boll_lb"} <= {one.name for one in data.series}:
        upper, lower = _values(data, "boll_ub"), _values(data, "boll_lb")
        axis.fill_between(at, lower, upper, color=BAND, alpha=0.15, linewidth=0, label="Bollinger 20, 2")
    for chosen, color, fill in ((close >= opened, UP, "white"), (close < opened, DOWN, DOWN)):
        some = drawn & chosen
        axis.vlines(at[some], low[some], high[some], color=color, linewidth=0.8)
        body = np.maximum(np.abs(close - opened), 1e-9)[some]
        axis.bar(
            at[some],
            body,
            0.64,
            np.minimum(opened, close)[some],
            color=fill,
            edgecolor=color,
            linewidth=0.8,
            snap=False,
        )
    for series in data.series:
        if series.name in LINES:
            label, color, style = LINES[series.name]
            axis.plot(at, _values(data, series.name), color=color, linestyle=style, linewidth=1.4, label=label)
    floor = axis.get_ylim()[0]
    rows: list[float] = []
    gap = MARK_GAP * len(close) / (WIDTH * 0.92 * DPI)
    for event in data.events:
        where = int(np.searchsorted(np.array(data.days, dtype="datetime64[D]"), np.datetime64(event.day)))
        level = free_row(rows, where, gap)
        axis.axvline(where, color=MUTED, linewidth=0.8, linestyle=":")
        axis.annotate(
            event.kind[0].upper(),
            (where, floor),
            xytext=(0, 9 + 15 * level),
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=8,
            color=INK,
            bbox={"boxstyle": "circle,pad=0.25", "facecolor": "white", "edgecolor": INK, "linewidth": 0.9},
        )
    axis.set_ylim(bottom=floor)
    axis.set_ylabel(data.unit or "Level", color=MUTED)
    if axis.get_legend_handles_labels()[0]:
        axis.legend(loc="upper left", frameon=False, fontsize=8, ncols=4)


def _volume(axis: Any, data: ChartData) -> None:
    traded = np.nan_to_num(np.array(data.volumes, dtype=float))
    axis.bar(np.arange(len(traded)), traded, 0.64, color=BAND, alpha=0.6, snap=False)
    axis.yaxis.set_major_formatter(lambda value, _: words.figure(round(value)))
    axis.set_ylabel("Volume", color=MUTED)


def _strength(axis: Any, data: ChartData) -> None:
    axis.axhspan(30, 70, color=BAND, alpha=0.13, linewidth=0)
    axis.plot(_values(data, "rsi"), color=UP, linewidth=1.2)
    axis.set_ylim(0, 100)
    axis.set_yticks((30, 70))
    axis.set_ylabel("RSI 14", color=MUTED)


def _momentum(axis: Any, data: ChartData) -> None:
    gap = _values(data, "macdh")
    axis.bar(np.arange(len(gap)), np.nan_to_num(gap), 0.64, color=BAND, alpha=0.6, snap=False)
    axis.plot(_values(data, "macd"), color="#008a65", linewidth=1.2)
    axis.plot(_values(data, "macds"), color="#a8457f", linewidth=1.2, linestyle=(0, (7, 3)))
    axis.set_ylabel("MACD", color=MUTED)


def _comparison(axis: Any, data: ChartData) -> None:
    for other, color, style in zip(data.compared, COMPARED, STYLES, strict=False):
        label = f"{other.symbol} {100 + other.change_pct:.1f}"
        axis.plot(np.array(other.values, dtype=float), color=color, linestyle=style, linewidth=1.5, label=label)
    axis.axhline(100, color=MUTED, linewidth=0.8, linestyle=":")
    axis.set_ylabel("Start 100", color=MUTED)
    axis.legend(loc="upper left", frameon=False, fontsize=8, ncols=3)


def _values(data: ChartData, name: str) -> Any:
    found: Numbers = next(one.values for one in data.series if one.name == name)
    return np.array(found, dtype=float)


def plain_axis(axis: Any) -> None:
    """Give a panel a grid and no frame."""
    axis.grid(color=GRID, linewidth=0.8)
    axis.set_axisbelow(True)
    axis.tick_params(colors=MUTED, labelsize=8, length=0)
    for side in axis.spines.values():
        side.set_visible(False)


def _date_axis(axis: Any, data: ChartData, *, labelled: bool) -> None:
    """Mark the first session of each month, as many as fit."""
    starts = [at for at in range(1, len(data.days)) if data.days[at].month != data.days[at - 1].month]
    starts = starts[:: max(1, -(-len(starts) // 10))] or [0]
    axis.set_xticks(starts, [f"{data.days[at]:%b %Y}" if labelled else "" for at in starts])
    axis.set_xlim(-1, len(data.days))
