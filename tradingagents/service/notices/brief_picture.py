"""The picture of a daily brief: the moves of the session as bars, the market, the book and the watch list apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from tradingagents.analytics.holdings.daily_brief import Move
from tradingagents.reports.charts.chart_image import DOWN, INK, MUTED, UP, new_drawing, plain_axis, png_of

MOST_BARS = 30
BAR_HEIGHT, HEAD_HEIGHT = 0.3, 1.1
"""Inches."""
PICTURE_WIDTH = 7.0


def brief_png(title: str, moves: Sequence[Move], note: str, *, cache: Path) -> bytes:
    """Draw moves as PNG.

    Args:
        title: Stands above it.
        moves: Those of a group one after another; the first `MOST_BARS` are drawn, and how many are not is said.
        note: A line below, such as that the market is simulated; empty for none.
        cache: Folder for matplotlib's list of fonts.

    Raises:
        MatplotlibMissing: The extra `charts` is not installed.
    """
    shown = moves[:MOST_BARS]
    groups = [(name, list(some)) for name, some in groupby(shown, key=lambda move: move.group)]
    drawing = new_drawing(PICTURE_WIDTH, HEAD_HEIGHT + BAR_HEIGHT * (len(shown) + 2 * len(groups)), cache=cache)
    drawing.suptitle(title, color=INK, fontsize=13, x=0.01, ha="left")
    left_out = f"{len(moves) - MOST_BARS} further ones are not drawn. " if len(moves) > MOST_BARS else ""
    drawing.supxlabel(f"{left_out}{note}", color=MUTED, fontsize=8)
    if not groups:
        return png_of(drawing)
    widest = max(1.0, *(abs(move.percent) for move in shown)) * 1.35
    heights = [len(some) + 2 for _, some in groups]
    panels = drawing.subplots(len(groups), 1, gridspec_kw={"height_ratios": heights}, squeeze=False)[:, 0]
    for panel, (name, some) in zip(panels, groups, strict=True):
        plain_axis(panel)
        percents = [move.percent for move in some]
        bars = panel.barh(
            [move.name for move in some], percents, 0.62, color=[DOWN if value < 0 else UP for value in percents]
        )
        panel.bar_label(bars, [f"{value:+.2f} %" for value in percents], padding=4, fontsize=9, color=INK)
        panel.axvline(0, color=MUTED, linewidth=0.8)
        panel.set_ylim(max(len(some), 2) - 0.4, -0.6)  # the first on top, a single bar not thicker than others
        panel.set_xlim(-widest, widest)
        panel.set_xticks([])
        panel.set_title(name, loc="left", fontsize=10, color=MUTED)
    return png_of(drawing)
