"""Horizontal bars of companies, the own one dark, with the median as a line, as one inline SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tradingagents.reports import formatting as words
from tradingagents.reports.charts.figure_svg import LETTER, figure_svg, percent_ticks
from tradingagents.reports.charts.layers import text

_ROW, _TOP, _FOOT, _BAR = 27.0, 26.0, 24.0, 16.0


@dataclass(frozen=True, slots=True)
class CompanyBar:
    """One bar."""

    label: str
    value: float
    """Fraction."""
    own: bool = False


def bar_chart(title: str, bars: Sequence[CompanyBar], median: tuple[str, float] | None, *, width: int = 760) -> str:
    """Draw fractions as bars, in percent, from the top in the order given.

    Args:
        title: What is drawn, for screen readers.
        bars: At least one.
        median: Name and value of a line through all bars; None for none.
        width: Width of the coordinates in pixels; the element takes the width it is given.
    """
    values = [one.value for one in bars] + ([median[1]] if median else [])
    low, high = min([*values, 0.0]), max([*values, 0.0])
    span = (high - low) or 0.01
    left = max(len(one.label) for one in bars) * LETTER + 20
    inner_left, inner_right = left + 4, width - 66  # the figures stand at the right edge

    def x(value: float) -> float:
        return inner_left + (value - low) / span * (inner_right - inner_left)

    bottom = _TOP + _ROW * len(bars)
    ticks = percent_ticks(low, high, 7 if width > 600 else 4)
    grid = "".join(f"M{x(value):.1f} {_TOP - 4:.1f}V{bottom:.1f}" for value, _ in ticks)
    parts = [f'<path class="grid" d="{grid}"/>']
    parts += [text(x(value), bottom + 17, label, "mid") for value, label in ticks]
    for at, bar in enumerate(bars):
        y = _TOP + _ROW * at + (_ROW - _BAR) / 2
        start, end = min(x(0.0), x(bar.value)), max(x(0.0), x(bar.value))
        css = "own" if bar.own else "other"
        parts.append(text(left - 8, y + _BAR - 4, bar.label, "strong end" if bar.own else "ink end"))
        parts.append(
            f'<rect class="{css}" x="{start:.1f}" y="{y:.1f}" width="{max(end - start, 1):.1f}" height="{_BAR}"/>'
        )
        shown = f"{100 * bar.value:+.1f}%"
        parts.append(text(width - 4, y + _BAR - 4, shown, "strong end" if bar.own else "ink end"))
    parts.append(f'<path class="zero" d="M{x(0.0):.1f} {_TOP - 4:.1f}V{bottom:.1f}"/>')
    if median is not None:
        label = f"{median[0]} {100 * median[1]:+.1f}%"
        half = len(label) * LETTER / 2
        middle = min(max(x(median[1]), half + 2), width - half - 2)
        parts.append(f'<path class="reference" d="M{x(median[1]):.1f} {_TOP - 8:.1f}V{bottom:.1f}"/>')
        parts.append(text(middle, 13, label, "ink mid"))
    told = " ".join(f"{one.label}: {words.percent(one.value, 1)}." for one in bars)
    return figure_svg(title, told, width, bottom + _FOOT, "".join(parts))
