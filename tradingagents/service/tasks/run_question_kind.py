"""`run_question`: a question about a run that has ended, answered from its record with sources."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from pydantic import Field

from tradingagents.errors import UsageError
from tradingagents.runtime.request import RunRequest, title_of
from tradingagents.runtime.task_kind import RunTaskKind, TaskControl, TaskOutcome
from tradingagents.settings import Settings


class RunQuestionTaskRequest(RunRequest):
    """A question about a run and the settings of its answer. It is answered as of the day of the run."""

    run: str = Field(min_length=1, max_length=200, description="Run id of a research, debate or comparison")
    question: str = Field(min_length=1, max_length=4000, description="What to answer from the run")


class RunQuestionKind(RunTaskKind[RunQuestionTaskRequest]):
    """One answer from a run's record: a debate's by the models of the request, any other's by rule."""

    name = "run_question"
    summary = "Answer a question about a run that has ended from its record, such as what would change its finding."
    request = RunQuestionTaskRequest

    def title(self, request: RunQuestionTaskRequest) -> str:
        """Return the beginning of the question."""
        return title_of(request.question)

    def check(self, request: RunQuestionTaskRequest, settings: Settings) -> None:
        """Check question, run and settings. Raises UsageError."""
        from tradingagents.runtime.run_questions.answers import finished_run

        run = finished_run(settings.home_dir, request.run)
        if not request.question.strip():
            raise UsageError('The question is empty; write one, such as "what would change your mind?".')
        if request.day is not None and request.day.isoformat() < run["as_of"]:
            raise UsageError(f"The run is of {run['as_of']}, which is not known on {request.day}; name a later day.")
        super().check(request, settings)

    async def run(self, request: RunQuestionTaskRequest, control: TaskControl) -> TaskOutcome:
        """Answer the question; one about a debate is a run of its own, which is resumed."""
        from tradingagents.features.debate.schemas import DEBATE_KIND
        from tradingagents.runtime.run_questions.answers import answer_about, finished_run

        home = control.settings.home_dir
        run = await asyncio.to_thread(finished_run, home, request.run)
        if run.kind == DEBATE_KIND and run["cases"]:
            return TaskOutcome(await _about_debate(request, control, home))
        answer = await asyncio.to_thread(answer_about, run, request.question)
        return TaskOutcome({"run": run.run_id, "question": request.question, "answer": answer, "written_by": "rules"})


async def _about_debate(request: RunQuestionTaskRequest, control: TaskControl, home: Path) -> dict[str, Any]:
    from tradingagents.features.debate.question_kind import DEBATE_QUESTION, question_about
    from tradingagents.service.tasks.run_steps import add_reports, run_to_end

    asked = await asyncio.to_thread(question_about, home, request.run, request.question)
    record = await run_to_end(control, DEBATE_QUESTION, asked, request.settings(control.settings))
    add_reports(control, record.run_id, RUN_QUESTION_TASK.title(request))
    keys = ("run_id", "status", "ticker", "question", "answer", "written_by")
    return {"run": record.debate, **{key: record[key] for key in keys}, "cost_usd": record.usage.cost_usd}


RUN_QUESTION_TASK = RunQuestionKind()
