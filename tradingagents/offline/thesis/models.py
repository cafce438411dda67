"""What the rules of the deep report read: typed figures of sources, hypotheses, evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadableSource:
    """A source with its typed figures."""

    label: str
    kind: str
    title: str
    figures: tuple[SourceFigure, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ThesisBrief:
    """What an agent of a report's run knows when it is asked."""

    ticker: str
    name: str
    topic: str = ""
    """Which of the rules' hypotheses is researched; empty where it is none of them."""
    figures: Mapping[str, SourceFigure] = field(default_factory=dict)
    """Figures of the company at the start, by name."""
    sources: Sequence[ReadableSource] = ()
    evidence: Sequence[Mapping[str, Any]] = ()
    """Items, the surest first."""
    hypotheses: Sequence[Mapping[str, Any]] = ()
    known_titles: frozenset[str] = frozenset()
    diversity: int = 0
    insights: int = 0
