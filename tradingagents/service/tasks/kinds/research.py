"""`research`: a question, planned, carried out, judged and answered with sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from tradingagents.errors import UsageError
from tradingagents.schemas.workspace import TaskInfo
from tradingagents.service.tasks.control import TaskControl
from tradingagents.service.tasks.kind import TaskOutcome
from tradingagents.service.tasks.run_request import RunAnswer, RunTaskKind, SessionModelRequest, title_of
from tradingagents.settings import Settings


class ResearchTaskRequest(SessionModelRequest):
    """A research question and the settings of its run."""

    question: str = Field(min_length=1, max_length=4000, description="What to find out")
    max_iterations: int = Field(5, ge=1, le=5, description="Most plans")
    approve_plan: bool = Field(False, description="Wait for approval of the first plan before it is carried out")


class ResearchRunAnswer(RunAnswer):
    """What a person says to a research task that waits, failed or was interrupted."""

    plan: dict[str, Any] | None = Field(None, description="An edited plan, which an approval carries out instead")


class ResearchKind(RunTaskKind[ResearchTaskRequest]):
    """One run of the research graph."""

    name = "research"
    summary = "Research a question about companies or markets: plan, carry out, judge, and answer with sources."
    request = ResearchTaskRequest
    answer = ResearchRunAnswer

    def title(self, request: ResearchTaskRequest) -> str:
        """Return the beginning of the question."""
        return title_of(request.question)

    def check(self, request: ResearchTaskRequest, settings: Settings) -> None:
        """Check question and settings. Raises UsageError."""
        if not request.question.strip():
            raise UsageError("The question is empty; write one.")
        super().check(request, settings)

    def check_answer(self, info: TaskInfo, answer: Mapping[str, Any] | None) -> dict[str, Any]:
        """Check a verdict, an edited plan and new limits. Raises UsageError."""
        given = super().check_answer(info, answer)
        if given.get("verdict") == "reject":
            raise UsageError("A plan cannot be rejected; approve or revise it, or cancel the task.")
        if "plan" in given and given.get("verdict") != "approve":
            raise UsageError("An edited plan needs the verdict approve; revise lets the planner plan anew by the note.")
        return given

    async def run(self, request: ResearchTaskRequest, control: TaskControl) -> TaskOutcome:
        """Run the research graph, or resume its run."""
        from tradingagents.features.research.run import RESEARCH, ResearchRequest
        from tradingagents.service.tasks.run_steps import add_reports, run_to_end

        asked = ResearchRequest(
            question=request.question,
            day=request.day,
            session=request.session or control.info.session_id,
            max_iterations=request.max_iterations,
            approve_plan=request.approve_plan,
        )
        card = await run_to_end(control, RESEARCH, asked, request.settings(control.settings))
        add_reports(control, card, self.title(request))
        return TaskOutcome(researched(card))


def researched(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer with its sources and what it lacks."""
    from tradingagents.service.tasks.run_steps import short_card

    keys = ("run_id", "status", "question", "answer", "sources", "missing", "stopped", "written_by")
    return short_card(card, keys)


RESEARCH_TASK = ResearchKind()
