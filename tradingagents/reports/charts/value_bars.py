"""Charts of values as horizontal bars: the football field of methods, and the tornado of drivers, as inline SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from tradingagents.reports import formatting as words
from tradingagents.reports.charts import scales
from tradingagents.reports.charts.layers import clean, text

_LETTER = 6.6
"""Pixels of a letter."""
_ROW, _TOP, _BOTTOM, _BAR = 40.0, 26.0, 24.0, 13.0
_SIDE = 14.0
_ROOM = 0.06
"""Space on both sides of the values, as a part of their span."""


@dataclass(frozen=True, slots=True)
class ValueBar:
    """One bar from a low to a high value."""

    label: str
    low: float
    high: float
    middle: float | None = None
    """Marked within the bar."""
    low_label: str = ""
    """What the low value belongs to; empty where it speaks for itself."""
    high_label: str = ""


def football_field(bars: Sequence[ValueBar], *, price: float | None, currency: str, name: str, width: int = 960) -> str:
    """Draw the range of values that each method gives, with the price as a line through all of them.

    Args:
        bars: One a method, from the top.
        price: Price of the share; None for no line.
        currency: Of all values.
        name: What is valued.
        width: Width of the coordinates in pixels; the element takes the width it is given.
    """
    told = [f"{bar.label}: {words.price(bar.low)} to {words.price(bar.high)}." for bar in bars]
    if price is not None:
        told.append(f"The price is {words.price(price)}.")
    line = ("Price", price) if price is not None else None
    return _chart(bars, line, f"Football field of {name}, {currency} a share", " ".join(told), width, split=False)


def tornado_chart(bars: Sequence[ValueBar], *, base: float, currency: str, name: str, width: int = 960) -> str:
    """Draw how far each driver alone moves the value, the widest bar first, on both sides of the base value.

    Args:
        bars: One a driver; `low` and `high` are the values at the low and the high shift, in either order.
        base: Value of the inputs as they are.
        currency: Of all values.
        name: What is valued.
        width: Width of the coordinates in pixels; the element takes the width it is given.
    """
    told = [f"{bar.label}: {words.price(bar.low)} at {bar.low_label}, {words.price(bar.high)} at {bar.high_label}."
            for bar in bars]  # fmt: skip
    told.append(f"The value is {words.price(base)}.")
    title = f"Tornado of {name}, {currency} a share"
    return _chart(bars, ("Value", base), title, " ".join(told), width, split=True)


@lru_cache(maxsize=1)
def bars_css() -> str:
    """Return the style sheet that every chart of bars carries, character by character."""
    return files("tradingagents.reports").joinpath("templates/bars.css").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class _Axis:
    """Values to pixels across the chart."""

    low: float
    high: float
    width: int

    def __call__(self, value: float) -> float:
        return _SIDE + (value - self.low) / (self.high - self.low) * (self.width - 2 * _SIDE)


def _axis(bars: Sequence[ValueBar], line: tuple[str, float] | None, width: int) -> _Axis:
    values = [value for bar in bars for value in (bar.low, bar.high)] + ([line[1]] if line else [])
    low, high = min(values), max(values)
    room = (high - low) * _ROOM or abs(high) * 0.01 or 0.5
    return _Axis(low - room, high + room, width)


def _chart(
    bars: Sequence[ValueBar], line: tuple[str, float] | None, title: str, told: str, width: int, *, split: bool
) -> str:
    height = _TOP + _ROW * len(bars) + _BOTTOM
    axis = _axis(bars, line, width)
    parts = [_grid(axis, height)]
    for at, bar in enumerate(bars):
        parts.append(_bar(axis, bar, _TOP + _ROW * at, line[1] if split and line else None))
    if line is not None:
        parts.append(_line(axis, line, height))
    heading, description = clean(title), clean(told)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="value-bars" viewBox="0 0 {width} {height:.0f}" role="img"'
        f' aria-label="{heading}: {description}"><title>{heading}</title><desc>{description}</desc>'
        f"<style>{bars_css()}</style>{''.join(parts)}</svg>"
    )


def _grid(axis: _Axis, height: float) -> str:
    most = 8 if axis.width > 600 else 4
    ticks = scales.round_ticks(axis.low, axis.high, most)
    decimals = scales.decimals_of(scales.tick_step(axis.low, axis.high, most))
    across = "".join(f"M{axis(value):.1f} {_TOP - 4:.1f}V{height - _BOTTOM:.1f}" for value in ticks)
    labels = (text(axis(value), height - 7, f"{value:,.{decimals}f}", "mid") for value in ticks)
    return f'<path class="grid" d="{across}"/>{"".join(labels)}'


def _bar(axis: _Axis, bar: ValueBar, top: float, split: float | None) -> str:
    y = top + _ROW - _BAR - 6
    figures = f"{words.price(bar.low)} to {words.price(bar.high)}"
    room = int((axis.width - 2 * _SIDE - len(figures) * _LETTER) / _LETTER) - 1
    shown = bar.label if len(bar.label) <= room else f"{bar.label[: max(room - 1, 1)]}…"
    parts = [text(_SIDE, y - 6, shown, "strong"), text(axis.width - _SIDE, y - 6, figures, "end")]
    if split is None:
        parts.append(_rect("bar", axis(bar.low), axis(bar.high), y))
    else:
        parts += [_rect("low", axis(bar.low), axis(split), y), _rect("high", axis(bar.high), axis(split), y)]
    if bar.middle is not None:
        parts.append(f'<path class="middle" d="M{axis(bar.middle):.1f} {y - 2:.1f}v{_BAR + 4:.1f}"/>')
    return "".join(parts)


def _rect(css: str, one: float, other: float, y: float) -> str:
    left, wide = min(one, other), max(abs(one - other), 1.0)
    return f'<rect class="{css}" x="{left:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{_BAR:.1f}"/>'


def _line(axis: _Axis, line: tuple[str, float], height: float) -> str:
    name, value = line
    x, label = axis(value), f"{name} {words.price(value)}"
    half = len(label) * _LETTER / 2
    middle = min(max(x, half + 2), axis.width - half - 2)
    drawn = f'<path class="price" d="M{x:.1f} {_TOP - 8:.1f}V{height - _BOTTOM:.1f}"/>'
    return drawn + text(middle, 13, label, "strong mid")
