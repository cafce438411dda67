"""The tree of scenarios: expected value, probabilities on the branches, values at their ends, as one inline SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tradingagents.reports import formatting as words
from tradingagents.reports.charts.figure_svg import figure_svg
from tradingagents.reports.charts.layers import text

_ROW, _TOP, _BOX = 62.0, 8.0, 46.0


@dataclass(frozen=True, slots=True)
class TreeBranch:
    """One scenario."""

    name: str
    probability: float
    value: float


def scenario_tree(
    title: str, branches: Sequence[TreeBranch], *, expected: float, price: float, width: int = 760
) -> str:
    """Draw the tree from the expected value to the scenarios.

    Args:
        title: What is drawn, for screen readers.
        branches: From the top; their probabilities add up to 1.
        expected: The expected value.
        price: Of the share, which values are compared with.
        width: Width of the coordinates in pixels; the element takes the width it is given.
    """
    height = _TOP + _ROW * len(branches)
    middle = _TOP + (height - _TOP) / 2
    wide = width > 600
    root, leaf = (190.0, 230.0) if wide else (112.0, 138.0)
    start, end = 6 + root, width - leaf - 6
    parts = []
    for at, branch in enumerate(branches):
        y = _TOP + _ROW * at + _ROW / 2
        bend = start + (end - start) * 0.28
        parts.append(f'<path class="edge" d="M{start:.1f} {middle:.1f}L{bend:.1f} {y:.1f}H{end:.1f}"/>')
        likely = words.percent(branch.probability, 1)
        label = f"{branch.name} {likely}" if wide else likely
        parts.append(text((bend + end) / 2, y - 6, label, "strong mid"))
        parts.append(
            _box(
                "box",
                end,
                y,
                leaf,
                words.price(branch.value),
                f"{_against(branch.value, price)}{'' if wide else f', {branch.name}'}",
            )
        )
    parts.append(
        _box(
            "root",
            6.0,
            middle,
            root,
            words.price(expected),
            f"expected, {_against(expected, price)}" if wide else "expected",
        )
    )
    told = " ".join(
        f"{branch.name}: probability {words.percent(branch.probability, 1)}, value {words.price(branch.value)}."
        for branch in branches
    )
    return figure_svg(title, f"Expected value {words.price(expected)}. {told}", width, height + 6, "".join(parts))


def _box(css: str, x: float, y: float, width: float, value: str, note: str) -> str:
    top = y - _BOX / 2
    return (
        f'<rect class="{css}" x="{x:.1f}" y="{top:.1f}" width="{width:.1f}" height="{_BOX:.1f}"/>'
        f"{text(x + width / 2, y - 3, value, 'strong mid')}{text(x + width / 2, y + 14, note, 'small mid')}"
    )


def _against(value: float, price: float) -> str:
    return f"{100 * (value / price - 1):+.1f}% to the price" if price > 0 else ""
