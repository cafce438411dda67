"""`TaskKind`: what a kind of long work declares that is no single run, in the `kind.py` of its feature or a package."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol

from tradingagents.dataflows.vendor_method import title_of
from tradingagents.errors import NoData, UsageError, error_code
from tradingagents.runtime.request import RequestT, RunAnswer, RunRequestT
from tradingagents.schemas.workspace import ErrorInfo, TaskInfo, TaskKindInfo, TaskPolicy

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from tradingagents.dataflows.results import Result
    from tradingagents.events import Event
    from tradingagents.runtime.services import Services
    from tradingagents.settings import Settings

Lane = Literal["runs", "turns"]
"""The queue in which tasks of a kind wait.

- `runs`: at most `max_concurrent_pipelines` at a time, the rest in order.
- `turns`: short work that a person waits for, such as a turn of a conversation; it does not wait behind runs.
"""
LIMITS = ("budget_usd", "max_llm_calls")


@dataclass(frozen=True)
class TaskOutcome:
    """What a task came to."""

    result: dict[str, Any]
    """In short, as JSON; runs and artifacts hold the whole."""
    artifacts: tuple[str, ...] = ()
    """Ids of the files it made, besides those registered with `TaskControl.add_artifact`."""


class TaskControl(Protocol):
    """What a kind of task is given to do its work with: one start of a task."""

    settings: Settings
    """Those of the process."""
    environ: Mapping[str, str]
    """Variables of the process, which hold API keys."""
    earlier_runs: tuple[str, ...]
    """Runs that earlier starts of the task began, in order; empty at its first start."""
    answer: dict[str, Any]
    """What a person said, as `TaskKind.check_answer` returned it; empty for nothing."""

    @property
    def info(self) -> TaskInfo:
        """How the task stands."""
        ...

    @property
    def state(self) -> Mapping[str, Any]:
        """What `remember` noted, in this start or an earlier one."""
        ...

    def remember(self, **notes: Any) -> None:
        """Note JSON values for later starts of the task; they are on disk when this returns."""

    async def services(self, changes: Mapping[str, Any] | None = None, *, settings: Settings | None = None) -> Services:
        """Return services to run with, opened once for equal settings and given back when the task's start ends.

        Args:
            changes: Settings to change.
            settings: Settings to use instead of the process's.

        Raises:
            SettingsError: A changed setting is invalid.
            ModelNotConfigured: A key or package is missing.
        """
        ...

    def ask(self, name: str, arguments: Mapping[str, Any], *, as_of: str | date | None = None) -> Result:
        """Answer a capability from the data of a day. Raises as the capability does."""
        ...

    def subscriber(self, event: Event) -> None:
        """Write an event of a run to the task's journal: pass it as `RunOptions(subscribers=(control.subscriber,))`."""

    def emit(
        self,
        type: str,  # noqa: A002 - the documented field name
        message: str = "",
        *,
        run_id: str | None = None,
        node: str | None = None,
        step: str | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        """Write an event of the task itself to its journal."""

    def run_started(self, run_id: str, *, instead_of: str | None = None) -> None:
        """Note that the task began a run. Call it before the run does anything, so that a restart finds the run.

        Args:
            run_id: The run.
            instead_of: A run that was noted by a process that died before the run did anything.
        """

    def run_refused(self, run_id: str) -> None:
        """Forget a run that was refused before it wrote anything."""

    def progress(
        self,
        *,
        step: str | None = None,
        message: str | None = None,
        done: int | None = None,
        total: int | None = None,
    ) -> None:
        """Say how far the task has come; what is None stays.

        Agents that end are counted as finished parts, unless `done` was given once: then the parts are the task's own.
        """

    def add_artifact(
        self,
        path: Path,
        *,
        kind: Literal["report", "chart", "workbook", "document", "data"],
        title: str,
        run_id: str | None = None,
    ) -> str | None:
        """Register a file that the task made, once over all its starts; return its id, None without a register."""
        ...


class TaskKind(ABC, Generic[RequestT]):
    """A kind of long work that runs in the background, with progress, and survives its process."""

    name: str
    """Lower-case letters, digits and underscores."""
    known_as: str = ""
    """What pages call it; "" takes the words of its name."""
    summary: str
    """One sentence for people and models that choose among kinds."""
    request: type[RequestT]
    """What it is asked. A field `day` takes the day of the study, which may also be given as `as_of`."""
    policy: TaskPolicy = TaskPolicy()
    lane: Lane = "runs"

    def info(self) -> TaskKindInfo:
        """Describe the kind, as a catalogue lists it."""
        schema = self.request.model_json_schema()
        title = self.known_as or title_of(self.name)
        return TaskKindInfo(kind=self.name, title=title, summary=self.summary, request=schema, policy=self.policy)

    @abstractmethod
    def title(self, request: RequestT) -> str:
        """Return a short title, such as `VELQ 2025-03-14`."""

    def check(self, request: RequestT, settings: Settings) -> None:
        """Check what the request's model cannot, before the task is accepted.

        Raises:
            UsageError: The request is invalid.
        """

    def goes_on_after(self, error: ErrorInfo, run_ids: Collection[str]) -> bool:  # noqa: ARG002 - some kinds look at them
        """Return whether a task that failed may be resumed: not where it asks for what is invalid.

        Args:
            error: What ended it.
            run_ids: Runs that it has begun.
        """
        return error.exit_code != UsageError.exit_code

    def check_answer(self, info: TaskInfo, answer: Mapping[str, Any] | None) -> dict[str, Any]:
        """Check what a person says to a task that waits or is resumed; return it as JSON.

        Raises:
            UsageError: The task needs another answer, or takes none.
        """
        if answer:
            raise UsageError(f"A task of kind {info.kind} takes no answer; resume it without one.")
        return {}

    @abstractmethod
    async def run(self, request: RequestT, control: TaskControl) -> TaskOutcome:
        """Do the work, or continue what an earlier process began.

        It is called again after the process died, the task was resumed or a person answered: `control.earlier_runs`,
        `control.state` and `control.answer` say how far it came. Errors that it raises end the task as failed;
        `AwaitingApproval` lets it wait for a person.
        """


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


def new_limits(control: TaskControl) -> dict[str, Any]:
    """Return the limits that a person has changed by the answer."""
    return {name: control.answer[name] for name in LIMITS if name in control.answer}
