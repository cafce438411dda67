"""`Workspace`: capabilities, tasks, sessions, artifacts and runs of one home folder, in this process.

Every face works through one: the command line and Python directly, HTTP and MCP in the server, the web page and
clients through HTTP. Use it as an async context manager; it belongs to the event loop that entered it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import date
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar

from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.errors import UsageError
from tradingagents.features.assistant.sessions import ArtifactStore, NewEntry, SessionBusy, SessionStore
from tradingagents.files.environment import environment
from tradingagents.runtime.runs.watch_list import WatchList
from tradingagents.schemas.workspace import (
    ENDED,
    ActionApproval,
    ArtifactInfo,
    CapabilityAnswer,
    CapabilityInfo,
    Choices,
    PaperAccountInfo,
    SessionDefaults,
    SessionInfo,
    SettingInfo,
    SettingsCheck,
    StoredBook,
    TaskEvent,
    TaskInfo,
    TaskKindInfo,
    TranscriptEntry,
    ViewContext,
    WatchedTickers,
)
from tradingagents.service.kernel.caller import Caller, Face
from tradingagents.service.kernel.kernel import Kernel
from tradingagents.service.tasks import TaskManager
from tradingagents.service.workspace.api import ChangesFormat, Day, ReportFormat
from tradingagents.service.workspace.books import BookKeeper
from tradingagents.service.workspace.choices import choices_of
from tradingagents.service.workspace.paper import opened_account
from tradingagents.service.workspace.runs import RunReader
from tradingagents.service.workspace.settings_shown import checked_settings, shown_settings
from tradingagents.settings import Settings

T = TypeVar("T")
AGENT = "assistant"
"""The one agent that users talk to."""
TURN = "chat_turn"
"""Kind of the task that is a turn of a conversation."""
LONGEST_MESSAGE = 20_000
"""Characters of one message."""


class Workspace:
    """Implements `WorkspaceApi` in this process."""

    def __init__(
        self,
        settings: Settings,
        environ: Mapping[str, str] | None = None,
        *,
        vendors: Vendors | None = None,
        face: Face = "python",
    ) -> None:
        """Set the home folder and what everything works with; nothing is opened or started yet.

        Args:
            settings: Choose home folder, vendors and models.
            environ: Where API keys are read from; None: `.env` and the environment.
            vendors: Open vendors; None opens them when first asked.
            face: Who calls, for the audit of sessions.
        """
        self.settings = settings
        self._environ = environment() if environ is None else environ
        self._face: Face = face
        self.sessions_store = SessionStore(settings)
        self.artifact_store = ArtifactStore(settings)
        self.kernel = Kernel(settings, vendors=vendors, sessions=self.sessions_store, artifacts=self.artifact_store)
        self.task_manager = TaskManager(
            settings, self._environ, self.kernel, self.sessions_store, artifacts=self.artifact_store
        )
        self._runs = RunReader(settings.home_dir)
        self._books = BookKeeper(settings)
        self._watched = WatchList(settings.home_dir)

    async def __aenter__(self) -> Self:
        """Resume the tasks that a process which died has left, now and whenever another one dies."""
        await self.task_manager.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Stop what is under way; it continues when the home folder is opened again."""
        await self.task_manager.close()
        await asyncio.to_thread(self.sessions_store.close)

    async def choices(self) -> Choices:
        """Return what a face offers when it asks for a run."""
        return await asyncio.to_thread(choices_of, self.settings, self._environ)

    # Capabilities
    async def capabilities(self) -> tuple[CapabilityInfo, ...]:
        """Return every capability, those that cannot be asked too, with the reason."""
        return await asyncio.to_thread(self.kernel.catalogue)

    async def invoke(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        as_of: Day = None,
        session_id: str | None = None,
        files: bool = True,
    ) -> CapabilityAnswer:
        """Answer a capability as of a day; see `Kernel.invoke`.

        Raises:
            UsageError: There is no such capability, or it takes other arguments.
            TradingAgentsError: As the vendor and the analytics raise.
        """
        caller = Caller(face=self._face, session_id=session_id, files=files)
        answer = await self.kernel.ainvoke(name, arguments, as_of=as_of, caller=caller)
        if session_id is not None and answer.symbol:
            await self._in_thread(self.sessions_store.note_symbols, session_id, (answer.symbol,))
        return answer

    # Tasks
    async def task_kinds(self) -> tuple[TaskKindInfo, ...]:
        """Return the kinds of tasks that can be started."""
        return await asyncio.to_thread(self.task_manager.kinds)

    async def start_task(
        self, kind: str, request: Mapping[str, Any], *, as_of: Day = None, session_id: str | None = None
    ) -> TaskInfo:
        """Start long work in the background; it is on disk when this returns.

        Raises:
            UsageError: The kind or the request is invalid; names the fields.
            NotFound: There is no such session.
        """
        if kind == TURN:
            raise UsageError("A turn of a conversation is started by sending a message to its session.")
        if session_id is not None:
            session = await self.session(session_id)
            as_of = as_of or session.defaults.as_of
        return await self.task_manager.start(kind, request, as_of, session_id)

    async def tasks(self, *, session_id: str | None = None, limit: int = 50) -> tuple[TaskInfo, ...]:
        """Return the newest tasks, of one session or of all; turns of conversations are left out."""
        return await self.task_manager.list(session_id=session_id, limit=limit)

    async def task(self, task_id: str) -> TaskInfo:
        """Return a task.

        Raises:
            NotFound: There is none of that id.
        """
        return await self.task_manager.get(task_id)

    async def cancel_task(self, task_id: str) -> TaskInfo:
        """Stop a task for good; steps that it has finished stay on disk."""
        return await self.task_manager.cancel(task_id)

    async def resume_task(self, task_id: str, answer: Mapping[str, Any] | None = None) -> TaskInfo:
        """Resume an interrupted or failed task, or answer one that waits for a person."""
        return await self.task_manager.resume(task_id, answer)

    def task_events(self, task_id: str, *, after: int = -1) -> AsyncIterator[TaskEvent]:
        """Yield the events numbered above `after`, stored ones first, then live ones, until the task ends."""
        return self.task_manager.events(task_id, after)

    # Sessions
    async def create_session(self, *, title: str = "", defaults: SessionDefaults | None = None) -> SessionInfo:
        """Begin a conversation with the assistant."""
        return await self._in_thread(self.sessions_store.create, AGENT, title, defaults or SessionDefaults())

    async def sessions(self, *, limit: int = 50, before: str | None = None) -> tuple[SessionInfo, ...]:
        """Return the newest sessions, or those after the id `before` in that order."""
        return await self._in_thread(self.sessions_store.list, limit, before)

    async def session(self, session_id: str) -> SessionInfo:
        """Return a session.

        Raises:
            NotFound: There is none of that id.
        """
        return await self._in_thread(self.sessions_store.get, session_id)

    async def update_session(
        self,
        session_id: str,
        *,
        title: str | None = None,
        view: ViewContext | None = None,
        defaults: SessionDefaults | None = None,
    ) -> SessionInfo:
        """Change what is given."""
        return await self._in_thread(
            partial(self.sessions_store.update, session_id, title=title, view=view, defaults=defaults)
        )

    async def delete_session(self, session_id: str) -> None:
        """Delete a session with its transcript and state; runs and artifacts stay.

        Raises:
            SessionBusy: The assistant is still answering.
        """
        await self._in_thread(self.sessions_store.delete, session_id)

    async def transcript(self, session_id: str, *, after: int = -1, limit: int = 200) -> tuple[TranscriptEntry, ...]:
        """Return the entries numbered above `after`, oldest first."""
        return await self._in_thread(self.sessions_store.entries, session_id, after, limit)

    async def send_message(self, session_id: str, text: str, *, view: ViewContext | None = None) -> TaskInfo:
        """Start a turn, which is a task of kind `chat_turn`; its events are those of the task.

        Raises:
            UsageError: The message is empty or too long.
            SessionBusy: The assistant is still answering the message before.
        """
        if not text.strip():
            raise UsageError("The message is empty; write one.")
        if len(text) > LONGEST_MESSAGE:
            raise UsageError(f"The message has {len(text)} characters; at most {LONGEST_MESSAGE} are read.")
        session = await self.session(session_id)
        if view is not None:
            await self._in_thread(self.sessions_store.set_view, session_id, view)
        for task in await self.task_manager.list(session_id=session_id, limit=5, unlisted=True):
            if task.kind == TURN and task.status not in ENDED and task.status != "interrupted":
                raise SessionBusy("The assistant is still answering; wait for its reply, or cancel it.")
        request = {"session_id": session_id, "text": text}
        return await self.task_manager.start(TURN, request, session.defaults.as_of, session_id)

    async def answer_approval(self, session_id: str, approval_id: str, *, approved: bool) -> SessionInfo:
        """Allow or refuse an action; an allowed one begins at once, and the conversation is told.

        Raises:
            NotFound: There is no such approval, or it was answered before.
        """
        await self.session(session_id)
        answered: ActionApproval = await self._in_thread(
            self.sessions_store.answer_approval, session_id, approval_id, approved
        )
        said = await self._do_approved(session_id, answered) if approved else "The user refused it."
        notice = NewEntry(
            type="notice",
            name=answered.action,
            text=f"Approval of {answered.action}: {said}",
            data={"approval_id": approval_id, "approved": approved},
        )
        await self._in_thread(self.sessions_store.append, session_id, (notice,))
        return await self.session(session_id)

    async def _do_approved(self, session_id: str, approval: ActionApproval) -> str:
        """Take the action that the user allowed; return what happened, for the conversation."""
        if approval.action in self.task_manager.registry:
            task = await self.start_task(approval.action, approval.arguments, session_id=session_id)
            await self._in_thread(
                self.sessions_store.note_approval_task, session_id, approval.approval_id, task.task_id
            )
            return f"the user allowed it; task {task.task_id} has begun."
        lender = self.task_manager.lender
        if lender is not None and lender.lends(approval.action):
            day = (await self.session(session_id)).defaults.as_of
            await lender.call(approval.action, approval.arguments, as_of=day)
            return "the user allowed it; the other server was asked and reported no error."
        answer = await self.invoke(approval.action, approval.arguments, session_id=session_id)
        return f"the user allowed it; {answer.title}."

    # Artifacts
    async def artifacts(self, *, session_id: str | None = None) -> tuple[ArtifactInfo, ...]:
        """Return the artifacts of a session, or of all, newest first."""
        return await self._in_thread(partial(self.artifact_store.list, session_id=session_id))

    async def artifact(self, artifact_id: str) -> ArtifactInfo:
        """Return what is known of an artifact.

        Raises:
            NotFound: There is none of that id.
        """
        return await self._in_thread(self.artifact_store.get, artifact_id)

    async def artifact_content(self, artifact_id: str) -> bytes:
        """Return the bytes of an artifact.

        Raises:
            NotFound: There is none of that id, or its file was deleted.
        """
        return await self._in_thread(self.artifact_store.content, artifact_id)

    # The book
    async def books(self) -> tuple[StoredBook, ...]:
        """Return what the user holds, as stored, newest day first."""
        return await self._in_thread(self._books.books)

    async def book(self, day: Day = None) -> StoredBook:
        """Return the newest book of a day or earlier; None: the newest of all.

        Raises:
            NoBook: Nothing was stored by then.
        """
        return await self._in_thread(self._books.book, day)

    async def store_book(
        self, content: bytes, *, day: Day = None, cash: Mapping[str, float] | None = None, store: bool = True
    ) -> StoredBook:
        """Read what is held from the content of a file, and store it; see `WorkspaceApi.store_book`.

        Raises:
            UsageError: It cannot be read; names row and column.
        """
        return await self._in_thread(partial(self._books.store, content, day, cash or {}, store=store))

    async def remove_book(self, day: str | date) -> None:
        """Delete the stored book of a day.

        Raises:
            NoBook: There is none of that day.
        """
        await self._in_thread(self._books.remove, day)

    # The watch list
    async def watch_list(self) -> WatchedTickers:
        """Return the tickers of the watch list.

        Raises:
            UnreadableFile: The list is damaged.
        """
        return WatchedTickers(tickers=await self._in_thread(lambda: self._watched.tickers))

    async def watch(self, tickers: Sequence[str]) -> WatchedTickers:
        """Add tickers to the watch list, and return it.

        Raises:
            BadSymbol: One is not a valid ticker; none was added.
            UsageError: The list would be too long; none was added.
        """
        await self._in_thread(self._watched.add, tickers)
        return await self.watch_list()

    async def unwatch(self, ticker: str) -> WatchedTickers:
        """Remove a ticker from the watch list, and return it.

        Raises:
            BadSymbol: It is not a valid ticker.
        """
        await self._in_thread(self._watched.remove, (ticker,))
        return await self.watch_list()

    # Paper accounts and settings
    async def open_paper_account(self, plan: Mapping[str, Any]) -> PaperAccountInfo:
        """Make a paper account; it holds nothing until it is first run.

        Raises:
            UsageError: A part of the plan is unknown or not valid, or there is an account of that name.
        """
        return await self._in_thread(opened_account, self.settings.home_dir, plan)

    async def shown_settings(self) -> tuple[SettingInfo, ...]:
        """Return the settings of models, limits and data, without keys and folders."""
        return await self._in_thread(shown_settings, self.settings)

    async def check_settings(self, what: str, changes: Mapping[str, Any] | None = None) -> tuple[SettingsCheck, ...]:
        """Ask whether models or data answer; see `checked_settings`.

        Raises:
            UsageError: There is no such check, or a setting cannot be tried.
            SettingsError: A value is invalid.
        """
        return await self._in_thread(checked_settings, self.settings, self._environ, what, changes or {})

    # Runs
    async def runs(self, *, limit: int = 50, before: str | None = None) -> tuple[dict[str, Any], ...]:
        """Return a short row for each of the newest runs."""
        return await self._in_thread(partial(self._runs.rows, limit=limit, before=before))

    async def run(self, run_id: str) -> dict[str, Any]:
        """Return a run's card.

        Raises:
            NotFound: There is none of that id.
        """
        return await self._in_thread(self._runs.card, run_id)

    async def run_events(self, run_id: str, *, after: int = -1) -> tuple[dict[str, Any], ...]:
        """Return the events of a run numbered above `after`."""
        return await self._in_thread(partial(self._runs.events, run_id, after=after))

    async def run_report(self, run_id: str, name: str) -> bytes:
        """Return a file of the run's reports, such as `complete_report.md` or `report.html`."""
        return await self._in_thread(self._runs.report, run_id, name)

    async def export_run(self, run_id: str, name: ReportFormat) -> bytes:
        """Return the run's report as `md`, `html`, `pdf` or `xlsx`.

        Raises:
            NotFound: There is no run of that id, or it has no report yet.
            UsageError: There is no such format, or the run's kind has no report.
            ConfigurationError: The extra `pdf` or `xlsx` is not installed.
        """
        return await self._in_thread(self._runs.export, run_id, name)

    async def seal_run(self, run_id: str) -> bytes:
        """Return the dossier of a finished run: its data, prompts, replies and evidence in one file.

        The run is repeated from what the home folder holds, in a thread; no model is called.

        Raises:
            NotFound: There is no run of that id.
            UsageError: The run has not ended with a result.
            ConfigurationError: It cannot be recomputed from what the home folder still holds.
        """
        return await self._in_thread(self._runs.seal, run_id, self.settings, self._environ)

    async def report_changes(self, run_id: str, other: str, form: ChangesFormat = "json") -> bytes:
        """Return what changed between two deep reports of one company, as `json`, `md`, `html` or `pdf`.

        Raises:
            NotFound: There is no run of one of the ids, or it has no report yet.
            UsageError: One is no deep report, they are on different companies, or there is no such format.
            ConfigurationError: The extra `pdf` is not installed.
        """
        return await self._in_thread(self._runs.changes, run_id, other, form)

    async def _in_thread(self, work: Callable[..., T], *arguments: Any) -> T:
        """Do what waits for a disk or a database in a thread."""
        return await asyncio.to_thread(work, *arguments)
