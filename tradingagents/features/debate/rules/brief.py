"""What the rules of a debate read: cited figures, what was said, and the question that is asked afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from tradingagents.features.debate.schemas import AnsweredDebateQuestion, DebateSide, RebuttalRecord


@dataclass(frozen=True, slots=True)
class CitedFigure:
    """One figure with the evidence that gives it."""

    value: float
    shown: str
    """With its unit, as the tool wrote it."""
    evidence: str
    """E1, E2 …"""


@dataclass(frozen=True, kw_only=True)
class DebateBrief:
    """What an agent of a debate knows when it is asked."""

    ticker: str
    day: date
    side: DebateSide | None = None
    """None for the moderator and for questions afterwards."""
    gathering: bool = False
    """Whether no tool was called yet."""
    figures: Mapping[str, CitedFigure] = field(default_factory=dict)
    """Figures of the company by name; where two tools give one, the first."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Titles of the evidence by id."""
    discrepancies: tuple[str, ...] = ()
    """Figures that tools state differently."""
    hints: tuple[str, ...] = ()
    """What the user advised this side."""
    cases: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    rebuttals: Sequence[RebuttalRecord] = ()
    verdict: Mapping[str, Any] = field(default_factory=dict)
    question: str = ""
    asked: Sequence[AnsweredDebateQuestion] = ()
