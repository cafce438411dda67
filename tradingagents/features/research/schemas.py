"""Records of research runs: what tasks found, what each iteration decided, the run's card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from tradingagents.features.research.agents.schemas import ReflectionResult
from tradingagents.schemas.cards import CardRecord
from tradingagents.schemas.facts import FactRecord
from tradingagents.schemas.record import Number, Record
from tradingagents.schemas.records import WithheldRecord


class TaskResultRecord(Record):
    """What one task found."""

    key: str
    """`ITERATION.TASK`, such as `1.task_2`."""
    task_id: str
    iteration: int
    description: str
    task_type: str
    status: str
    """completed, failed or skipped."""
    findings: str
    """In words, with figures; empty where the task failed or was skipped."""
    facts: list[FactRecord]
    """What its tools answered."""
    note: str
    """Why it failed or was skipped; empty otherwise."""
    attempts: int
    seconds: Number


class IterationNote(ReflectionResult, Record):
    """One round of planning, executing and reflecting: the plan, and what the reflection said of its results."""

    written_last = tuple(ReflectionResult.model_fields)

    number: int
    plan: dict[str, Any]
    """A `TaskPlan`."""
    missing_info: list[str]  # written even where nothing is missing
    guidance: str


class ResearchRecord(CardRecord):
    """The card of a research run."""

    older_lack: ClassVar[Mapping[str, Any]] = {**CardRecord.older_lack, "withheld": ()}

    question: str
    as_of: str
    understanding: dict[str, Any]
    iterations: list[IterationNote]
    tasks: list[TaskResultRecord]
    answer: str
    sources: list[str]
    """As the answer names them: `task_1: Market snapshot`."""
    missing: list[str]
    withheld: list[WithheldRecord]
    """Figures that readers are not shown, with the text as the model wrote it."""
    stopped: str
    written_by: str
    """rules or model."""
