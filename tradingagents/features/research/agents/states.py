"""State of the research loop. All values can be written as JSON."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from tradingagents.agents.states import Degraded
from tradingagents.features.research.schemas import IterationNote, TaskResultRecord
from tradingagents.schemas.facts import AnsweredQuestion
from tradingagents.schemas.records import WithheldRecord


def merged_results(
    known: dict[str, TaskResultRecord] | None, new: dict[str, TaskResultRecord] | None
) -> dict[str, TaskResultRecord]:
    """Return both; `None` begins a new question."""
    return {} if new is None else {**(known or {}), **new}


def restarted(known: list[Any] | None, new: list[Any] | None) -> list[Any]:
    """Return both lists joined; `None` begins a new question."""
    return [] if new is None else [*(known or []), *new]


class ResearchState(TypedDict, total=False):
    """What is known while a question is researched."""

    question: str
    history: list[AnsweredQuestion]
    """Earlier questions of the session with what was found, the oldest first."""
    asked_back: list[str]
    """What the user answered when asked what was meant, after the question before it."""
    understanding: dict[str, Any]
    """An `Understanding`."""
    iteration: int
    """Number of plans executed or begun."""
    plan: dict[str, Any]
    """The present `TaskPlan`."""
    results: Annotated[dict[str, TaskResultRecord], merged_results]
    """What tasks found, by `ITERATION.TASK`, such as `1.task_2`."""
    iterations: Annotated[list[IterationNote], restarted]
    guidance: str
    """What the reflection asks of the next plan."""
    answer: str
    sources: list[str]
    """As the answer names them."""
    stopped: str
    """Why the loop ended: complete, simple, max_iterations, no_plan, not_judged; empty while it runs."""
    missing: list[str]
    """What the answer lacks."""
    unusable: str
    by_rules: str
    """See `runtime.graphs.by_rules`."""
    withheld: list[WithheldRecord]
    """Figures that the answer does not show, since no tool gave them."""
    degraded: Degraded
    warnings: Annotated[list[str], restarted]
