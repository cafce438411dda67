"""State of the deep report's graph. All values can be written as JSON."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from tradingagents.agents.states import Degraded, appended
from tradingagents.features.deep_report.schemas.thesis import (
    Contradiction,
    HypothesisRecord,
    NarrativeSectionRecord,
    ReportHint,
    ReportScores,
    SynthesisRecord,
    ThesisIteration,
    ThesisValuation,
)
from tradingagents.schemas.record import Record


class ResearchOutcome(Record):
    """What one round of research on one hypothesis gave."""

    hypothesis: str
    iteration: int
    items: list[dict[str, Any]]
    """Evidence that was new."""
    read: list[str]
    """Addresses of the sources that were read or filtered out: they are not looked at again."""
    dropped: list[str]
    failure: str
    """Why the research failed; empty where it did not."""


def by_id(known: dict[str, Any] | None, new: dict[str, Any] | None) -> dict[str, Any]:
    """Return both; later values replace earlier ones."""
    return {**(known or {}), **(new or {})}


class ThesisState(TypedDict, total=False):
    """What is known while a report is researched."""

    iteration: int
    """The present round, from 1."""
    hypotheses: dict[str, HypothesisRecord]
    evidence: Annotated[dict[str, dict[str, Any]], by_id]
    """Items by id."""
    outcomes: Annotated[list[ResearchOutcome], appended]
    syntheses: Annotated[list[SynthesisRecord], appended]
    hints: Annotated[list[ReportHint], appended]
    contradictions: list[Contradiction]
    iterations: list[ThesisIteration]
    stopped: str
    sections: list[NarrativeSectionRecord]
    valuation: ThesisValuation | None
    no_valuation: str
    scores: ReportScores
    bundle: str
    degraded: Degraded
    warnings: Annotated[list[str], appended]


class HypothesisTask(TypedDict):
    """What is sent to research or synthesise one hypothesis: nothing of the others."""

    iteration: int
    hypothesis: HypothesisRecord
    evidence: list[dict[str, Any]]
    """Of this hypothesis."""
    read: list[str]
    prior: SynthesisRecord | None
    """The last synthesis of this hypothesis."""
