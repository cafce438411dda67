"""The two tables the offline analysts trust: a tool result's figures, and a report's closing table.

Everything else in a prompt is text. A headline that looks like a table row is inside the body of a tool result, below
its figures table, and is never read as a figure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tradingagents.analytics.company.metric_names import LABELS, metric_label, metric_named
from tradingagents.dataflows.reference.metrics import HEADER, OVER_HEADER, parse_number

_LEAD = r"\A(?:(?!###)[^\n]*\n){0,6}?"
"""Heading, provenance and blank lines; an article's heading (###) means that the body has begun."""
_FIGURES = re.compile(_LEAD + f"(?:{re.escape(HEADER)}|{re.escape(OVER_HEADER)})" + r"\n((?:\|[^\n]*(?:\n|\Z))+)")
_FIGURE_ROW = re.compile(r"^\|\s*([A-Za-z0-9_^.\-]+)\s*\|\s*([^|\n]*?)\s*\|(?:[^|\n]*\|)?[ \t]*$", re.MULTILINE)
_CLOSING = re.compile(
    r"^\|\s*metric\s*\|\s*value\s*\|\s*reading\s*\|\s*source\s*\|[ \t]*\n\|[-:|\s]+?\|[ \t]*\n((?:\|[^\n]*(?:\n|\Z))*)",
    re.MULTILINE | re.IGNORECASE,
)
_READING = re.compile(r"^(bullish|bearish|neutral)\s+([+-]?\d(?:\.\d+)?)\s*:\s*(.*)$", re.IGNORECASE)
_DIRECTIONS = {"bullish": 0.4, "positive": 0.4, "bearish": -0.4, "negative": -0.4}
"""What a reading in a language model's words counts, where it states no number."""
_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class Shown:
    """One figure as a tool showed it."""

    value: float
    """In the unit of the figure; a percentage is 12.5 for 12.5%."""
    text: str
    """As it stands in the tool result; what a report may quote."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a report's closing table."""

    metric: str
    """The figure's short name, as in the tool's answer; what a language model called it where we know none."""
    shown: str
    score: float
    """-1 to 1; positive is bullish."""
    words: str
    source: str

    @property
    def label(self) -> str:
        """What people call the figure."""
        return metric_label(self.metric)

    @property
    def counts(self) -> bool:
        """Whether the value is a count that names itself: `19 articles`."""
        return self.shown.endswith(f" {self.metric}")

    @property
    def figure(self) -> str:
        """The figure by the name that people use, for example `200-day average 85.40 USD`; a count: `19 articles`."""
        return self.shown if self.counts else f"{self.label} {self.shown}"

    @property
    def claim(self) -> str:
        """What the reading says, with its figure: `price far above its 200-day average (85.40 USD)`."""
        return self.cited("")

    def cited(self, source: str) -> str:
        """Return the claim with where it stands, inside the same brackets."""
        named = not self.counts and self.label.lower() in self.words.lower()
        inside = ", ".join(part for part in (self.shown if named else self.figure, source) if part)
        return f"{self.words} ({inside})" if self.words else inside


def figures_of(markdown: str) -> tuple[Mapping[str, Shown], str]:
    """Return the figures of a tool result and the body below them; figures shown as n/a are left out.

    Without a figures table at the top there are no figures, and the whole text is body.
    """
    table = _FIGURES.match(markdown)
    if table is None:
        return {}, markdown
    found: dict[str, Shown] = {}
    for name, text in _FIGURE_ROW.findall(table.group(1)):
        parsed = parse_number(text)
        if parsed is not None:
            found.setdefault(name, Shown(parsed[0], text))
    return found, markdown[table.end() :]


def closing_table(report: str) -> tuple[Row, ...]:
    """Read the rows of a report's last `| Metric | Value | Reading | Source |` table; none where there is no table."""
    tables = _CLOSING.findall(report)
    return tuple(row for line in tables[-1].splitlines() if (row := _row(line))) if tables else ()


def row_text(row: Row) -> str:
    """Write a row so that `closing_table` reads it back."""
    score = round(row.score, 2) + 0.0  # + 0.0: no negative zero
    name = row.label if row.metric in LABELS or metric_named(row.label) == row.metric else row.metric
    return f"| {name} | {row.shown} | {direction(score)} {score:+.2f}: {row.words} | {row.source} |"


def direction(score: float) -> str:
    """Name the side of a score; what rounds to less than 0.05 is neutral."""
    if abs(score) < 0.05:
        return "neutral"
    return "bullish" if score > 0 else "bearish"


def _row(line: str) -> Row | None:
    cells = [cell.strip().strip("*`") for cell in line.strip().strip("|").split("|")]
    if len(cells) != 4 or not cells[0]:
        return None
    named, shown, reading, source = cells
    metric = metric_named(named) or named
    stated = _READING.match(reading)
    if stated:
        return Row(metric, shown, _clip(float(stated.group(2))), stated.group(3), source)
    words = _WORD.findall(reading.lower())
    score = next((_DIRECTIONS[word] for word in words if word in _DIRECTIONS), 0.0)
    return Row(metric, shown, score, reading, source)


def _clip(value: float) -> float:
    return max(-1.0, min(1.0, value))
