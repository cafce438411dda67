"""`SyncWorkspace`: any workspace for callers without an event loop: scripts, notebooks, the command line."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self, TypeVar

from tradingagents.schemas.workspace import (
    ArtifactInfo,
    CapabilityAnswer,
    CapabilityInfo,
    Choices,
    SessionDefaults,
    SessionInfo,
    TaskEvent,
    TaskInfo,
    TaskKindInfo,
    TranscriptEntry,
    ViewContext,
)
from tradingagents.workspace.api import ChangesFormat, ClosableWorkspace, Day, ReportFormat

T = TypeVar("T")


class SyncWorkspace:
    """The methods of a workspace, each waiting for its answer; an event loop runs in a thread of its own.

    Use it as a context manager, or call `close`. Safe to use from several threads, and where a loop runs already, as in
    a notebook.
    """

    def __init__(self, workspace: ClosableWorkspace) -> None:
        """Take over a workspace; `close` closes it."""
        self._workspace = workspace
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="workspace", daemon=True)
        self._thread.start()
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the workspace and end the thread. Tasks under way are interrupted; they can be resumed."""
        if self._closed:
            return
        self._closed = True
        try:
            asyncio.run_coroutine_threadsafe(self._workspace.close(), self._loop).result()
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def choices(self) -> Choices:
        """See `WorkspaceApi.choices`."""
        return self._result(self._workspace.choices())

    def capabilities(self) -> tuple[CapabilityInfo, ...]:
        """See `WorkspaceApi.capabilities`."""
        return self._result(self._workspace.capabilities())

    def invoke(
        self, name: str, arguments: Mapping[str, Any], *, as_of: Day = None, session_id: str | None = None
    ) -> CapabilityAnswer:
        """See `WorkspaceApi.invoke`."""
        return self._result(self._workspace.invoke(name, arguments, as_of=as_of, session_id=session_id))

    def task_kinds(self) -> tuple[TaskKindInfo, ...]:
        """See `WorkspaceApi.task_kinds`."""
        return self._result(self._workspace.task_kinds())

    def start_task(
        self, kind: str, request: Mapping[str, Any], *, as_of: Day = None, session_id: str | None = None
    ) -> TaskInfo:
        """See `WorkspaceApi.start_task`."""
        return self._result(self._workspace.start_task(kind, request, as_of=as_of, session_id=session_id))

    def tasks(self, *, session_id: str | None = None, limit: int = 50) -> tuple[TaskInfo, ...]:
        """See `WorkspaceApi.tasks`."""
        return self._result(self._workspace.tasks(session_id=session_id, limit=limit))

    def task(self, task_id: str) -> TaskInfo:
        """See `WorkspaceApi.task`."""
        return self._result(self._workspace.task(task_id))

    def wait(self, task_id: str) -> TaskInfo:
        """Wait until a task has ended or waits for a person, and return it."""
        for _ in self.task_events(task_id):
            pass
        return self.task(task_id)

    def cancel_task(self, task_id: str) -> TaskInfo:
        """See `WorkspaceApi.cancel_task`."""
        return self._result(self._workspace.cancel_task(task_id))

    def resume_task(self, task_id: str, answer: Mapping[str, Any] | None = None) -> TaskInfo:
        """See `WorkspaceApi.resume_task`."""
        return self._result(self._workspace.resume_task(task_id, answer))

    def task_events(self, task_id: str, *, after: int = -1) -> Iterator[TaskEvent]:
        """See `WorkspaceApi.task_events`."""
        events = self._workspace.task_events(task_id, after=after)
        while (event := self._result(_next(events))) is not None:
            yield event

    def create_session(self, *, title: str = "", defaults: SessionDefaults | None = None) -> SessionInfo:
        """See `WorkspaceApi.create_session`."""
        return self._result(self._workspace.create_session(title=title, defaults=defaults))

    def sessions(self, *, limit: int = 50, before: str | None = None) -> tuple[SessionInfo, ...]:
        """See `WorkspaceApi.sessions`."""
        return self._result(self._workspace.sessions(limit=limit, before=before))

    def session(self, session_id: str) -> SessionInfo:
        """See `WorkspaceApi.session`."""
        return self._result(self._workspace.session(session_id))

    def update_session(
        self,
        session_id: str,
        *,
        title: str | None = None,
        view: ViewContext | None = None,
        defaults: SessionDefaults | None = None,
    ) -> SessionInfo:
        """See `WorkspaceApi.update_session`."""
        return self._result(self._workspace.update_session(session_id, title=title, view=view, defaults=defaults))

    def delete_session(self, session_id: str) -> None:
        """See `WorkspaceApi.delete_session`."""
        self._result(self._workspace.delete_session(session_id))

    def transcript(self, session_id: str, *, after: int = -1, limit: int = 200) -> tuple[TranscriptEntry, ...]:
        """See `WorkspaceApi.transcript`."""
        return self._result(self._workspace.transcript(session_id, after=after, limit=limit))

    def send_message(self, session_id: str, text: str, *, view: ViewContext | None = None) -> TaskInfo:
        """See `WorkspaceApi.send_message`."""
        return self._result(self._workspace.send_message(session_id, text, view=view))

    def answer_approval(self, session_id: str, approval_id: str, *, approved: bool) -> SessionInfo:
        """See `WorkspaceApi.answer_approval`."""
        return self._result(self._workspace.answer_approval(session_id, approval_id, approved=approved))

    def artifacts(self, *, session_id: str | None = None) -> tuple[ArtifactInfo, ...]:
        """See `WorkspaceApi.artifacts`."""
        return self._result(self._workspace.artifacts(session_id=session_id))

    def artifact(self, artifact_id: str) -> ArtifactInfo:
        """See `WorkspaceApi.artifact`."""
        return self._result(self._workspace.artifact(artifact_id))

    def artifact_content(self, artifact_id: str) -> bytes:
        """See `WorkspaceApi.artifact_content`."""
        return self._result(self._workspace.artifact_content(artifact_id))

    def runs(self, *, limit: int = 50, before: str | None = None) -> tuple[dict[str, Any], ...]:
        """See `WorkspaceApi.runs`."""
        return self._result(self._workspace.runs(limit=limit, before=before))

    def run(self, run_id: str) -> dict[str, Any]:
        """See `WorkspaceApi.run`."""
        return self._result(self._workspace.run(run_id))

    def run_events(self, run_id: str, *, after: int = -1) -> tuple[dict[str, Any], ...]:
        """See `WorkspaceApi.run_events`."""
        return self._result(self._workspace.run_events(run_id, after=after))

    def run_report(self, run_id: str, name: str) -> bytes:
        """See `WorkspaceApi.run_report`."""
        return self._result(self._workspace.run_report(run_id, name))

    def export_run(self, run_id: str, name: ReportFormat) -> bytes:
        """See `WorkspaceApi.export_run`."""
        return self._result(self._workspace.export_run(run_id, name))

    def seal_run(self, run_id: str) -> bytes:
        """See `WorkspaceApi.seal_run`."""
        return self._result(self._workspace.seal_run(run_id))

    def report_changes(self, run_id: str, other: str, form: ChangesFormat = "json") -> bytes:
        """See `WorkspaceApi.report_changes`."""
        return self._result(self._workspace.report_changes(run_id, other, form))

    def _result(self, asked: Coroutine[Any, Any, T]) -> T:
        """Wait for an answer; an interruption of the caller cancels what was asked."""
        future: Future[T] = asyncio.run_coroutine_threadsafe(asked, self._loop)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise


async def _next(events: AsyncIterator[TaskEvent]) -> TaskEvent | None:
    return await anext(events, None)
