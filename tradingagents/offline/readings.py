"""Readings: what the offline analysts found, as typed rows with a score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tradingagents.analytics.company.metric_names import LABELS, metric_label, metric_named
from tradingagents.dataflows.results import Result


@dataclass(frozen=True, slots=True)
class Shown:
    """One figure as a tool showed it."""

    value: float
    """In the unit of the figure, rounded as shown; a percentage is 12.5 for 12.5%."""
    text: str
    """As it stands in the tool result; what a report may quote."""
    unit: str = ""
    over: str = ""
    """The period of the value where its name suggests another one, such as `fiscal year to 2024-01-31`; else empty."""


@dataclass(frozen=True, slots=True)
class Row:
    """One scored reading: a row of a report's closing table."""

    metric: str
    """The figure's short name, as in the tool's answer."""
    shown: str
    score: float
    """-1 to 1; positive is bullish."""
    words: str
    source: str
    """The tool that gave the figure."""
    value: float | None = None
    """The figure in its unit; None for what is derived from several."""
    unit: str = ""
    over: str = ""
    """The period of the value where its name suggests another one, such as `fiscal year to 2024-01-31`; else empty."""

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
        inside = ", ".join(part for part in (self.shown if named else self.figure, self.over, source) if part)
        return f"{self.words} ({inside})" if self.words else inside


@dataclass(frozen=True, eq=False)
class Reading:
    """What one analyst found, from the results of its tools alone; computed once a run and shared by all readers."""

    rows: tuple[Row, ...]
    """Those of its closing table, scores rounded as shown there."""
    text: str
    """The report."""
    weight: float = 0.0
    """What the report counts in the net score of a stock; 0: nothing."""
    regime: float | None = None
    """Macro regime score, -6 to 6; None where it is not known or not read."""


def shown_row(metric: str, shown: Shown, score: float, words: str, source: str) -> Row:
    """Return the reading of one figure of a tool."""
    return Row(metric, shown.text, score, words, source, shown.value, shown.unit, shown.over)


def rounded_score(score: float) -> float:
    """Return a score as a closing table shows it."""
    return round(score, 2) + 0.0  # + 0.0: no negative zero


def figures_of(result: Result) -> Mapping[str, Shown]:
    """Return the figures that a result lists, as shown; those that are not known are left out."""
    found: dict[str, Shown] = {}
    for figure in () if result.tabulated else result.figures():
        value = figure.rounded
        if value is not None:
            found.setdefault(figure.name, Shown(value, figure.text, figure.unit, figure.over))
    return found


def row_text(row: Row) -> str:
    """Write a row of a closing table."""
    score = rounded_score(row.score)
    name = row.label if row.metric in LABELS or metric_named(row.label) == row.metric else row.metric
    return f"| {name} | {row.shown} | {direction(score)} {score:+.2f}: {row.words} | {row.source} |"


def direction(score: float) -> str:
    """Name the side of a score; what rounds to less than 0.05 is neutral."""
    if abs(score) < 0.05:
        return "neutral"
    return "bullish" if score > 0 else "bearish"
