"""`RunTask`: a run of any kind as a task, made of the kind's declaration; and the base of tasks of several runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Generic

from tradingagents.errors import NoData, UsageError
from tradingagents.runtime.request import RunAnswer, RunRequest, RunRequestT, SessionRequest
from tradingagents.schemas.workspace import ErrorInfo, TaskInfo
from tradingagents.service.tasks.errors import error_code
from tradingagents.service.tasks.kind import TaskKind, TaskOutcome
from tradingagents.settings import Settings

if TYPE_CHECKING:
    from tradingagents.runtime.kind import RunKind
    from tradingagents.service.tasks.control import TaskControl


class RunTaskKind(TaskKind[RunRequestT], Generic[RunRequestT]):
    """Base of kinds that take a graph through one or more runs."""

    answer: type[RunAnswer] = RunAnswer

    def check(self, request: RunRequestT, settings: Settings) -> None:
        """Check that the settings accept what is asked. Raises UsageError."""
        request.settings(settings)

    def goes_on_after(self, error: ErrorInfo, run_ids: Collection[str]) -> bool:
        """Return whether a failed task may be resumed: not where its first run was refused for want of data."""
        return super().goes_on_after(error, run_ids) and (bool(run_ids) or error.code != error_code(NoData))

    def check_answer(self, info: TaskInfo, answer: Mapping[str, Any] | None) -> dict[str, Any]:
        """Check a verdict, which a waiting run needs, and new limits. Raises UsageError."""
        given = self.answer(**answer or {})
        if info.status == "awaiting_approval" and given.verdict is None:
            raise UsageError(
                "The task waits for a person; answer with a verdict (approve, revise or reject), and a note if wanted."
            )
        if info.status != "awaiting_approval" and given.verdict is not None:
            raise UsageError(f"The task does not wait for an approval, it is {info.status}; leave out verdict.")
        return given.model_dump(mode="json", exclude_none=True)


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
