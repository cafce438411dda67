"""The kind `research`: one question, from understanding to an answer with sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, field_validator
from pydantic.json_schema import SkipJsonSchema

from tradingagents.errors import UsageError
from tradingagents.features.research.agents.schemas import MOST_ITERATIONS
from tradingagents.features.research.schemas import ResearchRecord
from tradingagents.runtime.kind import RunKind, short_card
from tradingagents.runtime.presentation import PlanPause, PrintedRun, QuestionPause, TaskList, printed_answer
from tradingagents.runtime.request import Argument, Flag, RunAnswer, SessionRequest, title_of

if TYPE_CHECKING:
    from pathlib import Path

    from tradingagents.dataflows.market_data import MarketData
    from tradingagents.features.research.run import ResearchAnswer, ResearchRun  # noqa: F401 - the base class names it as text
    from tradingagents.reports.document import Document
    from tradingagents.runtime.kind import AnyGraph, RunParts
    from tradingagents.runtime.manifest import RunManifest
    from tradingagents.runtime.services import Services

LONGEST_QUESTION = 4000


class ResearchRequest(SessionRequest):
    """A research question and the settings of its run."""

    question: Annotated[
        str,
        Argument(
            metavar="QUESTION",
            help="In plain words.",
            wanted='Write a question, such as tradingagents research "Is VELQ cheap?", or --resume RUN.',
        ),
    ] = Field(min_length=1, max_length=LONGEST_QUESTION, description="What to find out")
    max_iterations: int = Field(MOST_ITERATIONS, ge=1, le=MOST_ITERATIONS, description="Most plans")
    approve_plan: bool = Field(False, description="Wait for approval of the first plan before it is carried out")
    adds_to_session: Annotated[SkipJsonSchema[bool], Flag(hidden=True)] = True
    """Whether later questions of the session are shown its answer; not those of a comparison's companies."""

    @field_validator("question")
    @classmethod
    def _asks(cls, question: str) -> str:
        """Refuse an empty question. Raises UsageError."""
        if not question.strip():
            raise UsageError("The question is empty; write one.")
        return question


class ResearchRunAnswer(RunAnswer):
    """What a person says to a research task that waits, failed or was interrupted."""

    plan: dict[str, Any] | None = Field(None, description="An edited plan, which an approval carries out instead")


class ResearchKind(RunKind[ResearchRequest, ResearchRecord, "ResearchAnswer"]):
    """Understand, plan, execute, reflect, synthesise."""

    name = task = "research"
    summary = "Research a question about companies or markets: plan, carry out, judge, and answer with sources."
    noun = "research"
    at_once = ("max_concurrent_research_tasks", "Tasks of the plan that are carried out at the same time.")
    progress = TaskList(
        heading="Planning research...",
        first="Reading the question",
        judging="Reflecting on results",
        writers=frozenset({"Synthesizer"}),
        drafts=True,
    )
    pauses = (QuestionPause(), PlanPause())
    request = ResearchRequest
    record = ResearchRecord
    answer = ResearchRunAnswer

    def title(self, request: ResearchRequest) -> str:
        """Return the beginning of the question."""
        return title_of(request.question)

    def check_answer(self, given: Mapping[str, Any]) -> None:
        """Check a verdict, and an edited plan. Raises UsageError."""
        if given.get("verdict") == "reject":
            raise UsageError("A plan cannot be rejected; approve or revise it, or cancel the task.")
        if "plan" in given and given.get("verdict") != "approve":
            raise UsageError("An edited plan needs the verdict approve; revise lets the planner plan anew by the note.")

    def in_short(self, record: ResearchRecord) -> dict[str, Any]:
        """Return the answer with its sources and what it lacks."""
        keys = ("run_id", "status", "question", "answer", "sources", "missing", "stopped", "written_by")
        return short_card(record, keys)

    def prompts(self) -> Mapping[str, str]:
        """Return the instructions of its agents."""
        from tradingagents.features.research.agents.prompts import research_prompts

        return research_prompts()

    def home_files(self, manifest: RunManifest, home: Path) -> Mapping[str, bytes]:
        """Return the user's frameworks, and what the session had found."""
        from tradingagents.features.research.agents.framework import framework_files
        from tradingagents.runtime.runs.session_notes import session_file

        return {**framework_files(home), **session_file(manifest, home)}

    def graph(self, services: Services) -> AnyGraph:
        """Compile the graph."""
        from tradingagents.features.research.graph.graph import build_research_graph

        return build_research_graph(services.models)

    def document(self, record: ResearchRecord) -> Document:
        """Return the report from its record."""
        from tradingagents.features.research.report import research_document

        return research_document(record)

    def printed(self, record: ResearchRecord, *, whole: bool = False) -> PrintedRun:  # noqa: ARG002
        """Return the answer."""
        return printed_answer(record)

    def look_up(self, data: MarketData, request: ResearchRequest) -> None:
        """Read nothing: the companies are known once the question is understood."""

    def open(self, parts: RunParts, found: None) -> ResearchRun:  # noqa: ARG002
        """Return a run."""
        from tradingagents.features.research.agents.prompting import research_preamble
        from tradingagents.features.research.graph.graph import ResearchContext
        from tradingagents.features.research.run import ResearchRun, finished_in

        asked = parts.manifest.request
        context = ResearchContext(
            **parts.context,
            preamble=research_preamble(parts.services.settings, parts.data.cutoff),
            may_ask=parts.persist == "all",
            approve_plan=asked["approve_plan"],
            max_iterations=asked["max_iterations"],
            finished=finished_in(parts.earlier),
        )
        return ResearchRun(parts, context)


RESEARCH = ResearchKind()
