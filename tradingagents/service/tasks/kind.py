"""`TaskKind`: what a kind of long work declares. One file a kind, in `tasks/kinds/` or in an installed package."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal

from tradingagents.dataflows.vendor_method import title_of
from tradingagents.errors import UsageError
from tradingagents.runtime.request import RequestT
from tradingagents.schemas.workspace import ErrorInfo, TaskInfo, TaskKindInfo, TaskPolicy

if TYPE_CHECKING:
    from tradingagents.service.tasks.control import TaskControl
    from tradingagents.settings import Settings

Lane = Literal["runs", "turns"]
"""The queue in which tasks of a kind wait.

- `runs`: at most `max_concurrent_pipelines` at a time, the rest in order.
- `turns`: short work that a person waits for, such as a turn of a conversation; it does not wait behind runs.
"""


@dataclass(frozen=True)
class TaskOutcome:
    """What a task came to."""

    result: dict[str, Any]
    """In short, as JSON; runs and artifacts hold the whole."""
    artifacts: tuple[str, ...] = ()
    """Ids of the files it made, besides those registered with `TaskControl.add_artifact`."""


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
