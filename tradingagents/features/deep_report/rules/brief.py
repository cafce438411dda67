"""What the rules of the deep report read: typed figures of sources, hypotheses, evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from tradingagents.features.deep_report.schemas.thesis import HypothesisRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFigure:
    """One figure of a source."""

    name: str
    value: float
    """As shown: 20.74 for 20.74 %."""
    shown: str
    """With its unit."""
    row: str
    """The words of the source that state it."""
    claim: str = ""
    """The figure in a sentence; empty where its name and value make one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadableSource:
    """A source with its typed figures, and its text where it is one that the company or its managers wrote."""

    label: str
    kind: str
    title: str
    figures: tuple[SourceFigure, ...] = ()
    text: str = ""
    known_on: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RevenuePart:
    """A part of revenue in a fiscal year and the one before; money in one unit."""

    label: str
    value: float
    before: float

    @property
    def change(self) -> float:
        """What it added to revenue."""
        return self.value - self.before

    @property
    def growth(self) -> float:
        """In percent; 0 where there was nothing before."""
        return 100 * self.change / self.before if self.before > 0 else 0.0


@dataclass(frozen=True, kw_only=True)
class CompanyProfile:
    """A company's own figures, from which the rules make their hypotheses; what is not known is absent."""

    as_of: date
    currency: str = ""
    figures: Mapping[str, SourceFigure] = field(default_factory=dict)
    """Figures of statements, price and valuation by name."""
    growth_before: float | None = None
    """Yearly growth of revenue over the last years in percent, as the valuation takes it."""
    year: int | None = None
    """Fiscal year of flows and parts."""
    flows: Mapping[str, tuple[float, float | None]] = field(default_factory=dict)
    """Flows of the fiscal year and of the one before, as filed, by line item."""
    parts: tuple[RevenuePart, ...] = ()
    lines: Mapping[str, str] = field(default_factory=dict)
    """The line of a filing that prints a figure, by the figure's name."""
    balance_parts: Mapping[str, float] = field(default_factory=dict)
    """Rows of the newest balance sheet filed, by line item; of several rows of an item the last."""
    cash: float | None = None
    """Cash, short-term and long-term securities, as filed."""
    debt: float | None = None
    risk: str = ""
    """The risk that the filing names most unusually often; empty where none stands out."""
    risk_times: float = 0.0
    """How many times as often as usual."""
    risk_document: str = ""

    def value(self, name: str) -> float | None:
        """Return a figure by name."""
        found = self.figures.get(name)
        return None if found is None else found.value


@dataclass(frozen=True, kw_only=True)
class ThesisBrief:
    """What an agent of a report's run knows when it is asked."""

    ticker: str
    name: str
    topic: str = ""
    """Which of the rules' hypotheses is researched; empty where it is none of them."""
    profile: CompanyProfile | None = None
    """None where the agent is not shown the company's figures."""
    figures: Mapping[str, SourceFigure] = field(default_factory=dict)
    """Figures of the sources, by name."""
    sources: Sequence[ReadableSource] = ()
    evidence: Sequence[Mapping[str, Any]] = ()
    """Items, the surest first."""
    hypotheses: Sequence[HypothesisRecord] = ()
    known_titles: frozenset[str] = frozenset()
    diversity: int = 0
    insights: int = 0
