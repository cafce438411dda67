"""The frame of a report's figures: the element with its description and style sheet, and what they share."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from tradingagents.reports.charts import scales
from tradingagents.reports.charts.layers import clean

LETTER = 6.9
"""Pixels of a letter."""


@lru_cache(maxsize=1)
def figure_css() -> str:
    """Return the style sheet that every figure carries, character by character."""
    return files("tradingagents.reports").joinpath("templates/figure.css").read_text(encoding="utf-8")


def figure_svg(title: str, description: str, width: int, height: float, body: str) -> str:
    """Return a figure with its title, its description for screen readers, and its style."""
    heading, told = clean(title), clean(description)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="report-figure" viewBox="0 0 {width} {height:.0f}" role="img"'
        f' aria-label="{heading}: {told}"><title>{heading}</title><desc>{told}</desc>'
        f"<style>{figure_css()}</style>{body}</svg>"
    )


def percent_ticks(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """Return round ticks of fractions with their labels in percent."""
    step = 100 * scales.tick_step(low, high, most)
    places = scales.decimals_of(round(step, 6))
    return [(value, f"{100 * value:,.{places}f}%") for value in scales.round_ticks(low, high, most)]


def shortened(words: str, room: float) -> str:
    """Return words cut to a width in pixels."""
    most = max(int(room / LETTER), 4)
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"
