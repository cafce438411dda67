"""State of a debate. All values can be written as JSON."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from tradingagents.agents.states import Degraded, appended, united
from tradingagents.features.debate.schemas import AnsweredDebateQuestion, DebateEvidence, DebateHint, RebuttalRecord
from tradingagents.schemas.records import WithheldRecord


class DebateState(TypedDict, total=False):
    """What is known while a debate is held."""

    ticker: str
    gathered: Annotated[dict[str, list[str]], united]
    """By side, the keys of the tool calls it made, in order."""
    evidence: list[DebateEvidence]
    """What both sides gathered, each answer once."""
    hints: Annotated[list[DebateHint], appended]
    """What the user advised."""
    cases: Annotated[dict[str, dict[str, Any]], united]
    """A `DebateCase` by side."""
    rebuttals: Annotated[list[RebuttalRecord], appended]
    verdict: dict[str, Any]
    """A `DebateVerdict`."""
    withheld: list[WithheldRecord]
    """Figures that the verdict does not show, since no tool gave them."""
    degraded: Degraded
    warnings: Annotated[list[str], appended]


class DebateQuestionState(TypedDict, total=False):
    """Questions that were asked after a debate."""

    question: str
    answer: str
    asked: list[AnsweredDebateQuestion]
    """Earlier questions about the same debate, the oldest first."""
    withheld: list[WithheldRecord]
    """Figures that the answer does not show, since nothing in the debate gives them."""
    degraded: Degraded
    warnings: Annotated[list[str], appended]
