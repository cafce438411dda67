"""`RunTask`: a run of any kind as a task, made of the kind's declaration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tradingagents.runtime.request import RunRequest, SessionRequest
from tradingagents.runtime.task_kind import RunTaskKind, TaskControl, TaskOutcome
from tradingagents.schemas.workspace import TaskInfo

if TYPE_CHECKING:
    from tradingagents.runtime.kind import RunKind


class RunTask(RunTaskKind[RunRequest]):
    """One run of a kind."""

    def __init__(self, kind: RunKind[Any, Any, Any]) -> None:
        """Make the task of a kind that people may start by itself."""
        self._kind = kind
        self.name, self.known_as, self.summary = kind.task, kind.known_as, kind.summary
        self.policy = kind.policy
        self.request, self.answer = kind.request, kind.answer

    def title(self, request: RunRequest) -> str:
        """Return the title that the kind gives it."""
        return self._kind.title(request)

    def check_answer(self, info: TaskInfo, answer: Mapping[str, Any] | None) -> dict[str, Any]:
        """Check what a person says, and whether a run of this kind can use it. Raises UsageError."""
        given = super().check_answer(info, answer)
        self._kind.check_answer(given)
        return given

    async def run(self, request: RunRequest, control: TaskControl) -> TaskOutcome:
        """Take the graph through a run, or resume the run that an earlier start began."""
        from tradingagents.service.tasks.run_steps import add_reports, run_to_end

        settings = request.settings(control.settings)
        if (steps := self._kind.steps(settings)) is not None:
            control.progress(total=steps)
        if isinstance(request, SessionRequest) and request.session is None:
            request = request.changed(session=control.info.session_id)
        record = await run_to_end(control, self._kind, request, settings)
        add_reports(control, record.run_id, self._kind.title_of_run(request, record))
        return TaskOutcome(self._kind.in_short(record))
