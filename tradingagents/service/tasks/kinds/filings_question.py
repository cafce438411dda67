"""`filings_question`: a question about companies, answered from filings, earnings calls and news, with citations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from tradingagents.errors import UsageError
from tradingagents.runtime.runs.run_folder import is_component
from tradingagents.service.tasks.control import TaskControl
from tradingagents.service.tasks.kind import TaskOutcome
from tradingagents.service.tasks.run_request import ModelRequest, RunTaskKind, title_of
from tradingagents.settings import Settings


class FilingsQuestionRequest(ModelRequest):
    """A question, how thoroughly it is answered, and the settings of its run."""

    question: str = Field(min_length=1, max_length=4000, description="What to find out")
    mode: Literal["direct", "standard", "detailed", "deep_search"] | None = Field(
        None, description="How thorough; unset: as the question says"
    )
    max_iterations: int | None = Field(None, ge=1, le=20, description="Most searches, instead of the mode's")
    conversation: str | None = Field(
        None, max_length=120, description="Id of the conversation, for questions that refer to earlier ones"
    )


class FilingsQuestionKind(RunTaskKind[FilingsQuestionRequest]):
    """One run of the filings graph."""

    name = "filings_question"
    known_as = "Ask filings and calls"
    summary = "Answer a question about companies from their filings, earnings calls and news, with citations."
    request = FilingsQuestionRequest

    def title(self, request: FilingsQuestionRequest) -> str:
        """Return the beginning of the question."""
        return title_of(request.question)

    def check(self, request: FilingsQuestionRequest, settings: Settings) -> None:
        """Check question, conversation and settings. Raises UsageError."""
        if not request.question.strip():
            raise UsageError("The question is empty; write one.")
        if request.conversation is not None and not is_component(request.conversation):
            raise UsageError("conversation: use letters, digits, dots, dashes and underscores.")
        super().check(request, settings)

    async def run(self, request: FilingsQuestionRequest, control: TaskControl) -> TaskOutcome:
        """Run the filings graph, or resume its run."""
        from tradingagents.features.filings_qa.run import FILINGS_QA, FilingsRequest, mode_named
        from tradingagents.service.tasks.run_steps import add_reports, run_to_end

        asked = FilingsRequest(
            question=request.question,
            mode=mode_named(request.mode),
            day=request.day,
            max_iterations=request.max_iterations,
            conversation=request.conversation,
        )
        card = await run_to_end(control, FILINGS_QA, asked, request.settings(control.settings))
        add_reports(control, card, self.title(request))
        return TaskOutcome(answered(card))


def answered(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer with what it cites."""
    from tradingagents.service.tasks.run_steps import short_card

    keys = ("run_id", "status", "question", "answer", "confidence", "cited", "sources", "stopped", "written_by")
    return short_card(card, keys)


FILINGS_QUESTION = FilingsQuestionKind()
