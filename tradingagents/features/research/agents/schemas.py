"""What the agents of the research loop answer with."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

MOST_TASKS, MOST_ITERATIONS = 10, 5
MOST_COMPANIES = 20
"""Companies of one question."""
SURE_ENOUGH = 0.8
"""Confidence of an understanding below which the user is asked what was meant."""
Depth = Literal["quick", "standard", "deep"]
ExportFormat = Literal["none", "excel", "pdf"]


def _cut(most: int) -> BeforeValidator:
    """Return a validator that shortens a text: one that is too long is no reason to ask the model again."""
    return BeforeValidator(lambda text: f"{text[: most - 1]}…" if isinstance(text, str) and len(text) > most else text)


class ResearchModel(BaseModel):
    """Base of the answers: unknown fields of a model's reply are ignored."""

    model_config = ConfigDict(frozen=True)


class Understanding(ResearchModel):
    """What a question asks for."""

    intent: str = Field(description="research, valuation, quick_lookup, comparison, screen or another word for it")
    tickers: list[str] = Field(default_factory=list, description="Every company or symbol that is asked about")
    confidence: float = Field(ge=0, le=1, description="How sure you are of what is asked, 0 to 1")
    inferred_depth: Depth = Field(
        "standard", description="From the wording: a single figure is quick, a thesis is deep"
    )
    timeframe: str | None = Field(None, description='Such as "last 3 years" or "Q3 2024"; null where none is named')
    metrics_focus: list[str] = Field(default_factory=list, description="Metrics that are asked about")
    wants_sentiment: bool = Field(False, description="Whether news or social sentiment is asked about")
    wants_factors: bool = Field(False, description="Whether factor exposures are asked about")
    export_intent: ExportFormat | None = Field(None, description="excel or pdf where the user wants a file, else none")
    clarification: str = Field("", description="The question to ask the user where confidence is below 0.8")
    prior_tickers_researched: list[str] = Field(default_factory=list)
    prior_frameworks_used: list[str] = Field(default_factory=list)
    prior_task_results: dict[str, Any] | None = None

    @property
    def clear(self) -> bool:
        """Whether research may begin without asking the user."""
        return self.confidence >= SURE_ENOUGH


class TaskType(StrEnum):
    """How a research step is done."""

    USE_TOOLS = "use_tools"
    """Gather data with tools."""
    REASON = "reason"
    """Think about what earlier steps gathered."""


class PlannedCall(ResearchModel):
    """A tool call that a framework prescribes; carried out where no language model chooses tools."""

    capability: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    figures: tuple[str, ...] = ()
    """The figures of its answer that the task is about; empty: the first ones."""


class ResearchTask(ResearchModel):
    """One step of a plan."""

    id: str = Field(pattern=r"^task_[1-9][0-9]?$", description="task_1, task_2, …")
    description: Annotated[str, _cut(400)] = Field(
        min_length=3, max_length=400, description="What to find out, in one sentence"
    )
    task_type: TaskType = Field(description="use_tools gathers data; reason thinks about gathered data")
    depends_on: list[str] = Field(default_factory=list, description="Ids of the tasks whose results it needs")
    rationale: Annotated[str | None, _cut(400)] = Field(None, max_length=400, description="Why; for unusual tools only")
    calls: SkipJsonSchema[list[PlannedCall]] = Field(default_factory=list)
    """Of a plan by rules; models choose tools when a task is carried out."""


class DirectLookup(ResearchTask):
    """The one turn of tools that answers a question without a plan."""

    id: str = "direct"
    description: Annotated[str, _cut(400)]
    task_type: TaskType = TaskType.USE_TOOLS


class TaskPlan(ResearchModel):
    """The steps of one iteration."""

    summary: Annotated[str, _cut(600)] = Field(max_length=600, description="The approach in one or two sentences")
    selected_frameworks: list[str] = Field(default_factory=list, description="Names of the frameworks that guide it")
    tasks: list[ResearchTask] = Field(default_factory=list, description="1 to 10 tasks; none for a simple query")
    is_simple_query: bool = Field(False, description="True where one or two figures answer it: then no tasks")


class ReflectionResult(ResearchModel):
    """Whether the question can be answered with what was gathered."""

    is_complete: bool = Field(
        description="True unless critical data of the primary company is missing or the core question cannot be "
        "answered"
    )
    reasoning: Annotated[str, _cut(800)] = Field(max_length=800, description="Why, for the user")
    missing_info: list[str] = Field(default_factory=list, description="What is missing; empty where complete")
    guidance: Annotated[str, _cut(800)] = Field(
        "", max_length=800, description="What the next plan should do; empty where complete"
    )
