"""`SyncWorkspace`: any workspace for callers without an event loop: scripts, notebooks, the command line."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import Future
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from tradingagents.schemas.workspace import TaskEvent, TaskInfo
from tradingagents.service.workspace.api import ClosableWorkspace, WorkspaceApi

P = ParamSpec("P")
T = TypeVar("T")


def _waiting(
    method: Callable[Concatenate[Any, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[SyncWorkspace, P], T]:
    """Return the method of a `SyncWorkspace` that calls the workspace's own, and waits for its answer."""

    @wraps(method)
    def called(self: SyncWorkspace, /, *args: P.args, **kwargs: P.kwargs) -> T:
        asked: Coroutine[Any, Any, T] = getattr(self._workspace, method.__name__)(*args, **kwargs)
        return self._result(asked)

    return called


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

    choices = _waiting(WorkspaceApi.choices)
    capabilities = _waiting(WorkspaceApi.capabilities)
    invoke = _waiting(WorkspaceApi.invoke)
    task_kinds = _waiting(WorkspaceApi.task_kinds)
    start_task = _waiting(WorkspaceApi.start_task)
    tasks = _waiting(WorkspaceApi.tasks)
    task = _waiting(WorkspaceApi.task)

    def wait(self, task_id: str) -> TaskInfo:
        """Wait until a task has ended or waits for a person, and return it."""
        for _ in self.task_events(task_id):
            pass
        return self.task(task_id)

    cancel_task = _waiting(WorkspaceApi.cancel_task)
    resume_task = _waiting(WorkspaceApi.resume_task)

    def task_events(self, task_id: str, *, after: int = -1) -> Iterator[TaskEvent]:
        """See `WorkspaceApi.task_events`."""
        events = self._workspace.task_events(task_id, after=after)
        while (event := self._result(_next(events))) is not None:
            yield event

    create_session = _waiting(WorkspaceApi.create_session)
    sessions = _waiting(WorkspaceApi.sessions)
    session = _waiting(WorkspaceApi.session)
    update_session = _waiting(WorkspaceApi.update_session)
    delete_session = _waiting(WorkspaceApi.delete_session)
    transcript = _waiting(WorkspaceApi.transcript)
    send_message = _waiting(WorkspaceApi.send_message)
    answer_approval = _waiting(WorkspaceApi.answer_approval)
    artifacts = _waiting(WorkspaceApi.artifacts)
    artifact = _waiting(WorkspaceApi.artifact)
    artifact_content = _waiting(WorkspaceApi.artifact_content)
    books = _waiting(WorkspaceApi.books)
    book = _waiting(WorkspaceApi.book)
    store_book = _waiting(WorkspaceApi.store_book)
    remove_book = _waiting(WorkspaceApi.remove_book)
    watch_list = _waiting(WorkspaceApi.watch_list)
    watch = _waiting(WorkspaceApi.watch)
    unwatch = _waiting(WorkspaceApi.unwatch)
    open_paper_account = _waiting(WorkspaceApi.open_paper_account)
    shown_settings = _waiting(WorkspaceApi.shown_settings)
    check_settings = _waiting(WorkspaceApi.check_settings)
    runs = _waiting(WorkspaceApi.runs)
    run = _waiting(WorkspaceApi.run)
    run_events = _waiting(WorkspaceApi.run_events)
    run_report = _waiting(WorkspaceApi.run_report)
    export_run = _waiting(WorkspaceApi.export_run)
    seal_run = _waiting(WorkspaceApi.seal_run)
    report_changes = _waiting(WorkspaceApi.report_changes)

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
