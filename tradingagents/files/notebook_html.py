"""How results show themselves in a notebook: small, escaped HTML without scripts and without requests to elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from tradingagents.files.plain_text import clean

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

LONGEST = 40_000
"""Characters of Markdown that are shown; a notebook stores what it shows."""
_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 640, 200, 8, 18
_POINTS = 320
"""Points of a line; more would not be seen."""


def markdown_html(markdown: str) -> str:
    """Return Markdown as HTML: HTML in it is shown as text, only http links become links, images become their text."""
    text = clean(markdown)
    cut = f"\n\n*Cut here: {len(text) - LONGEST:,} more characters.*" if len(text) > LONGEST else ""
    return f"<div>{_parser().render(text[:LONGEST] + cut)}</div>"


def card_html(title: str, rows: Iterable[tuple[str, str]], text: str = "") -> str:
    """Return a heading, a table of names and values, and Markdown below it."""
    cells = "".join(
        f'<tr><th style="text-align:left">{_escaped(name)}</th><td style="text-align:left">{_escaped(value)}</td></tr>'
        for name, value in rows
        if value
    )
    table = f"<table>{cells}</table>" if cells else ""
    return f"<div><h3>{_escaped(title)}</h3>{table}{markdown_html(text) if text else ''}</div>"


def line_svg(days: Sequence[date], values: Sequence[float | None], label: str) -> str:
    """Return a line of values as SVG, in the colours of the page it stands on; empty for fewer than two values."""
    step = max(1, -(-len(values) // _POINTS))
    points = [(at, value) for at, value in enumerate(values) if value is not None]
    if len(points) < 2:
        return ""
    low, high = min(value for _, value in points), max(value for _, value in points)
    last, span = max(len(values) - 1, 1), (high - low) or 1.0

    def placed(at: int, value: float) -> str:
        x = _LEFT + at * (_WIDTH - 2 * _LEFT) / last
        y = _BOTTOM + (high - value) * (_HEIGHT - 3 * _BOTTOM) / span
        return f"{x:.1f},{y:.1f}"

    kept = [point for position, point in enumerate(points) if position % step == 0 or point is points[-1]]
    line = " ".join(placed(at, value) for at, value in kept)
    texts = (
        (_LEFT, 12, "start", f"{label}: {low:,.2f} to {high:,.2f}"),
        (_LEFT, _HEIGHT - 4, "start", str(days[points[0][0]])),
        (_WIDTH - _LEFT, _HEIGHT - 4, "end", str(days[points[-1][0]])),
        (_WIDTH - _LEFT, 12, "end", f"last {points[-1][1]:,.2f}"),
    )
    labels = "".join(
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="11" fill="currentColor">{_escaped(text)}</text>'
        for x, y, anchor, text in texts
    )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" role="img" aria-label="{_escaped(label)}" '
        f'style="max-width:100%;height:auto"><polyline points="{line}" fill="none" stroke="currentColor" '
        f'stroke-width="1.5"/>{labels}</svg>'
    )


def _escaped(text: str) -> str:
    return escape(clean(text))


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    class Parser(MarkdownIt):
        """Follows http links only."""

        def validateLink(self, url: str) -> bool:  # noqa: N802 - the name markdown-it calls
            return url.lower().startswith(("http://", "https://"))

    return Parser("commonmark", {"html": False}).enable("table").disable("image")
