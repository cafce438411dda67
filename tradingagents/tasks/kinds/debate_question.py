"""`debate_question`: a question about a debate that has ended, such as what would change its verdict."""

from __future__ import annotations

from pydantic import Field

from tradingagents.errors import UsageError
from tradingagents.settings import Settings
from tradingagents.tasks.control import TaskControl
from tradingagents.tasks.kind import TaskOutcome
from tradingagents.tasks.run_request import ModelRequest, RunTaskKind


class DebateQuestionTaskRequest(ModelRequest):
    """A question about a debate and the settings of its answer. It is answered as of the day of the debate."""

    debate: str = Field(min_length=1, max_length=200, description="Run id of the debate, or its beginning")
    question: str = Field(min_length=1, max_length=4000, description="What to answer from the debate")

    @classmethod
    def not_settings(cls) -> set[str]:
        """Return the fields that are no settings."""
        return {*super().not_settings(), "debate", "question"}


class DebateQuestionKind(RunTaskKind[DebateQuestionTaskRequest]):
    """One answer from a debate's record."""

    name = "debate_question"
    summary = "Answer a question about a debate that has ended, such as what would change its verdict."
    request = DebateQuestionTaskRequest

    def title(self, request: DebateQuestionTaskRequest) -> str:
        """Return the beginning of the question."""
        words = " ".join(request.question.split())
        return words if len(words) <= 80 else f"{words[:79]}…"

    def check(self, request: DebateQuestionTaskRequest, settings: Settings) -> None:
        """Check question, debate and settings. Raises UsageError."""
        from tradingagents.workflows.debate_question import question_about

        asked = question_about(settings.home_dir, request.debate, request.question)
        if request.day is not None and request.day.isoformat() < str(asked.day):
            raise UsageError(f"The debate is of {asked.day}, which is not known on {request.day}; name a later day.")
        super().check(request, settings)

    async def run(self, request: DebateQuestionTaskRequest, control: TaskControl) -> TaskOutcome:
        """Answer the question, or resume its run."""
        from tradingagents.tasks.run_steps import add_reports, cost_of, run_to_end
        from tradingagents.workflows.debate_question import DEBATE_QUESTION, question_about

        asked = question_about(control.settings.home_dir, request.debate, request.question)
        card = await run_to_end(control, DEBATE_QUESTION, asked, request.settings(control.settings))
        add_reports(control, card, self.title(request))
        keys = ("run_id", "status", "debate", "ticker", "question", "answer", "written_by")
        return TaskOutcome({**{key: card.get(key) for key in keys}, "cost_usd": cost_of(card)})


DEBATE_QUESTION_TASK = DebateQuestionKind()
