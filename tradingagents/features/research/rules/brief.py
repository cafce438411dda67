"""What the rules of the research loop read: the question, its companies, the plan, and typed results of tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from tradingagents.features.research.schemas import TaskResultRecord
from tradingagents.offline.questions.asked import AskedFigures
from tradingagents.offline.questions.message import MessageRequest
from tradingagents.schemas.facts import FactRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameworkWords:
    """A framework, as planning by rules knows it."""

    name: str
    title: str
    words: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ResearchBrief:
    """What an agent of a research run knows when it is asked."""

    question: str
    day: date
    request: MessageRequest
    """The question as its words say it."""
    asked: AskedFigures = field(default_factory=AskedFigures)
    """The figures that it asks for."""
    symbols: tuple[str, ...] = ()
    """Companies that were recognised, by ticker."""
    unclear: tuple[str, ...] = ()
    """Words of the question that may name a company and that nothing is known of, or that mean several."""
    earlier_symbols: tuple[str, ...] = ()
    """Companies of earlier questions of the session, the latest first."""
    earlier_frameworks: tuple[str, ...] = ()
    frameworks: Sequence[FrameworkWords] = ()
    framework_tasks: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    """Tasks of the chosen frameworks as JSON, by `FRAMEWORK:SYMBOL`."""
    understanding: Mapping[str, Any] = field(default_factory=dict)
    """An `Understanding` as JSON; empty before it is written."""
    plan: Mapping[str, Any] = field(default_factory=dict)
    tasks: tuple[TaskResultRecord, ...] = ()
    """What tasks found so far, in their order."""
    facts: tuple[FactRecord, ...] = ()
    """What the tools of the present task answered."""
    needs: tuple[str, ...] = ()
    """Keys of the tasks whose results the present one needs."""
    iteration: int = 0
    missing: tuple[str, ...] = ()
