"""A line that a question asks for: a measure with a phrase and qualifiers, of one company."""

from __future__ import annotations

from dataclasses import dataclass

from tradingagents.retrieval.calculation import Output
from tradingagents.retrieval.lines.cells.found_cells import CellKind
from tradingagents.retrieval.lines.company_books import LineBooks
from tradingagents.retrieval.lines.line_questions import AskedMeasure, Qualifier
from tradingagents.retrieval.questions.figures import with_capitals
from tradingagents.retrieval.series.fact import Version

TOLD_IN_ORDER: tuple[Qualifier, ...] = ("adjusted", "core", "organic", "constant currency")
"""Qualifiers that the name of a line says, in this order."""


PER_EMPLOYEE = " per employee"
"""With it ends the name of an amount for each of those who work for a company."""


@dataclass(frozen=True, slots=True)
class AskedLine:
    """A line that is asked for: a measure with a phrase and qualifiers, of one company."""

    books: LineBooks
    measure: AskedMeasure | None
    phrases: tuple[str, ...]
    """Phrases whose figures are added up; one, or none for the whole company."""
    qualifiers: frozenset[Qualifier] = frozenset()
    version: Version = "latest"
    tells_version: bool = False
    growth: bool = False
    """Whether a printed rate of change is wanted."""
    per_employee: bool = False
    """Whether the amount for each of those who work for the company is wanted."""

    @property
    def name(self) -> str:
        """In words."""
        said = [name for name in TOLD_IN_ORDER if name in self.qualifiers]
        told = ["adjusted (non-GAAP)" if name == "adjusted" else name for name in said]
        what = with_capitals(self.measure.name) if self.measure else ""
        version = (
            (" as first reported" if self.version == "first" else " as last reported") if self.tells_version else ""
        )
        words = [*told, " + ".join(self.phrases), what, "growth" if self.growth else ""]
        return " ".join(word for word in words if word) + version + (PER_EMPLOYEE if self.per_employee else "")

    @property
    def whose(self) -> str:
        """What tells it from the lines it is compared with, of one company."""
        return " + ".join(self.phrases) or self.name


_KINDS: dict[Output, CellKind] = {"percent": "percent", "per_share": "per_share", "money": "money"}


def kind_of(output: Output) -> CellKind:
    """Return what the cells of a measure hold."""
    return _KINDS.get(output, "any")
