"""`WorkspaceTaskControl`: one start of a task, which a kind of task is given to do its work with."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from tradingagents.dataflows.results import Result
from tradingagents.events import Event
from tradingagents.features.assistant.sessions import SessionStore
from tradingagents.schemas.lent_tools import ToolLender
from tradingagents.schemas.workspace import ArtifactInfo, TaskInfo, TaskKindInfo
from tradingagents.service.kernel.kernel import Kernel
from tradingagents.service.tasks.work import TaskWork
from tradingagents.settings import Settings, changed_settings

if TYPE_CHECKING:
    from tradingagents.runtime.services import Services
    from tradingagents.service.tasks.services import ServicePool


class TaskArtifacts(Protocol):
    """Registers the files of tasks; `tradingagents.features.assistant.sessions.ArtifactStore` does."""

    def register(
        self,
        path: Path,
        /,
        *,
        kind: Literal["report", "chart", "workbook", "document", "data"],
        title: str,
        session_id: str | None = None,
        task_id: str | None = None,
        run_id: str | None = None,
    ) -> ArtifactInfo:
        """Register a file under the home folder, and return what is known of it."""
        ...


class TaskStarter(Protocol):
    """Starts tasks and says how they stand; `tradingagents.service.tasks.TaskManager` does."""

    @property
    def lender(self) -> ToolLender | None:
        """Lends the tools of other servers; None for none."""

    def kinds(self) -> tuple[TaskKindInfo, ...]:
        """Describe the kinds that can be started."""
        ...

    def check(self, kind: str, request: Mapping[str, Any], as_of: str | date | None = None, /) -> None:
        """Check a request without starting anything."""

    async def start(
        self,
        kind: str,
        request: Mapping[str, Any],
        as_of: str | date | None = None,
        session_id: str | None = None,
        /,
        *,
        key: str | None = None,
    ) -> TaskInfo:
        """Start a task; a second start with the same key returns the first."""
        ...

    async def list(self, *, session_id: str | None = None, limit: int = 50) -> tuple[TaskInfo, ...]:
        """Return the newest tasks, of one session or of all."""
        ...

    async def cancel(self, task_id: str, /) -> TaskInfo:
        """Stop a task."""
        ...


class WorkspaceTaskControl:
    """One start of a task: a `TaskControl` with what a workspace has."""

    def __init__(
        self,
        work: TaskWork,
        pool: ServicePool,
        *,
        settings: Settings,
        environ: Mapping[str, str],
        kernel: Kernel | None,
        sessions: SessionStore | None,
        artifacts: TaskArtifacts | None,
        tasks: TaskStarter | None = None,
    ) -> None:
        self._work, self._pool = work, pool
        self._lent: dict[str, tuple[Settings, Services]] = {}
        self._known_artifacts: dict[str, str] = dict(work.state.get("artifacts", {}))
        self.settings, self.environ = settings, environ
        """Settings of the process and its variables, which hold API keys."""
        self.tasks = tasks
        """Starts further tasks, for kinds that do; None outside a manager."""
        self.kernel, self.sessions, self.artifacts = kernel, sessions, artifacts
        self.earlier_runs: tuple[str, ...] = work.info.run_ids
        """Runs that earlier starts of the task began, in order; empty at its first start."""
        self.answer: dict[str, Any] = dict(work.state.get("answer") or {})
        """What a person said, as `TaskKind.check_answer` returned it; empty for nothing."""

    @property
    def info(self) -> TaskInfo:
        """How the task stands."""
        return self._work.info

    @property
    def state(self) -> Mapping[str, Any]:
        """What `remember` noted, in this start or an earlier one."""
        notes: dict[str, Any] = self._work.state.get("notes", {})
        return notes

    def remember(self, **notes: Any) -> None:
        """Note JSON values for later starts of the task; they are on disk when this returns."""
        self._work.remember(notes={**self.state, **notes})

    def ask(self, name: str, arguments: Mapping[str, Any], *, as_of: str | date | None = None) -> Result:
        """Answer a capability from the data of a day. Raises as the capability does."""
        if self.kernel is None:
            self.kernel = Kernel(self.settings)
        return self.kernel.ask(name, arguments, as_of=as_of)

    async def services(self, changes: Mapping[str, Any] | None = None, *, settings: Settings | None = None) -> Services:
        """Return services to run with, opened once for equal settings and given back when the task's start ends.

        Args:
            settings: Settings to use instead of the process's.

        Raises:
            SettingsError: A changed setting is invalid.
            ModelNotConfigured: A key or package is missing.
        """
        chosen = changed_settings(settings or self.settings, changes or {})
        key = chosen.model_dump_json()
        if key not in self._lent:
            self._lent[key] = (chosen, await self._pool.lend(chosen))
        return self._lent[key][1]

    def subscriber(self, event: Event) -> None:
        """Write an event of a run to the task's journal: pass it as `RunOptions(subscribers=(control.subscriber,))`."""
        self._work.on_event(event)

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
        self._work.journal.append(type, message, run_id=run_id, node=node, step=step, data=data)

    def run_started(self, run_id: str, *, instead_of: str | None = None) -> None:
        """Note that the task began a run. Call it before the run does anything, so that a restart finds the run.

        Args:
            instead_of: A run that was noted by a process that died before the run did anything.
        """
        known = tuple(known_id for known_id in self._work.info.run_ids if known_id != instead_of)
        if run_id not in known:
            self._work.change(run_ids=(*known, run_id))

    def run_refused(self, run_id: str) -> None:
        """Forget a run that was refused before it wrote anything."""
        self._work.change(run_ids=tuple(known_id for known_id in self._work.info.run_ids if known_id != run_id))

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
        self._work.note_progress(step=step, message=message, done=done, total=total, parts=done is not None)

    def add_artifact(
        self,
        path: Path,
        *,
        kind: Literal["report", "chart", "workbook", "document", "data"],
        title: str,
        run_id: str | None = None,
    ) -> str | None:
        """Register a file that the task made, once over all its starts; return its id, None without a register."""
        if self.artifacts is None:
            return None
        known = self._known_artifacts.get(str(path))
        if known is None:
            known = self.artifacts.register(
                path, kind=kind, title=title, session_id=self.info.session_id, task_id=self.info.task_id, run_id=run_id
            ).artifact_id
            self._known_artifacts[str(path)] = known
            self._work.remember(artifacts=self._known_artifacts)
            self._work.change(artifacts=(*self._work.info.artifacts, known))
        return known

    def release(self) -> None:
        """Give the services back; the manager calls it when the start has ended."""
        lent, self._lent = self._lent, {}
        for settings, _ in lent.values():
            self._pool.give_back(settings)
