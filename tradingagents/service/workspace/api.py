"""The methods that every workspace has, whether it works in this process or asks a server.

`Workspace` works in this process; `service.client.AsyncClient` asks a server. Faces (command line, HTTP, MCP,
web page) use nothing else.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import date
from typing import Any, Literal, Protocol

from tradingagents.schemas.workspace import (
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

ReportFormat = Literal["md", "html", "pdf", "xlsx"]
ChangesFormat = Literal["json", "md", "html", "pdf"]
Day = str | date | None
"""A day of study; None: today, or the session's default."""


class WorkspaceApi(Protocol):
    """Capabilities, tasks, sessions, artifacts and runs of one home folder.

    Every method may wait for a disk or a network.

    Methods raise the errors of `tradingagents.errors`; a client raises the same classes as the library does.
    """

    async def choices(self) -> Choices:
        """Return what a face offers when it asks for a run: providers, vendors, analysts, present settings."""
        ...

    # Capabilities
    async def capabilities(self) -> tuple[CapabilityInfo, ...]:
        """Return every capability, those that cannot be asked too, with the reason."""
        ...

    async def invoke(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        as_of: Day = None,
        session_id: str | None = None,
        files: bool = True,
    ) -> CapabilityAnswer:
        """Answer a capability as of a day; see `tradingagents.service.kernel.Kernel.invoke`.

        Args:
            name: Name or alias.
            arguments: As the capability declares them.
            as_of: Day of the question.
            session_id: Conversation that asks.
            files: False makes no files, such as a drawn chart; the answer is the same.
        """
        ...

    # Tasks
    async def task_kinds(self) -> tuple[TaskKindInfo, ...]:
        """Return the kinds of tasks that can be started."""
        ...

    async def start_task(
        self, kind: str, request: Mapping[str, Any], *, as_of: Day = None, session_id: str | None = None
    ) -> TaskInfo:
        """Start long work in the background; the request is checked before this returns."""
        ...

    async def tasks(self, *, session_id: str | None = None, limit: int = 50) -> tuple[TaskInfo, ...]:
        """Return the newest tasks, of one session or of all; turns of conversations are left out."""
        ...

    async def task(self, task_id: str) -> TaskInfo:
        """Return a task."""
        ...

    async def cancel_task(self, task_id: str) -> TaskInfo:
        """Stop a task for good; steps that it has finished stay on disk."""
        ...

    async def resume_task(self, task_id: str, answer: Mapping[str, Any] | None = None) -> TaskInfo:
        """Resume an interrupted or failed task, or answer one that waits for a person."""
        ...

    def task_events(self, task_id: str, *, after: int = -1) -> AsyncIterator[TaskEvent]:
        """Yield the events numbered above `after`, stored, then live, until the task ends or waits for a person."""
        ...

    # Sessions
    async def create_session(self, *, title: str = "", defaults: SessionDefaults | None = None) -> SessionInfo:
        """Begin a conversation with the assistant."""
        ...

    async def sessions(self, *, limit: int = 50, before: str | None = None) -> tuple[SessionInfo, ...]:
        """Return the newest sessions, or those after the id `before` in that order."""
        ...

    async def session(self, session_id: str) -> SessionInfo:
        """Return a session."""
        ...

    async def update_session(
        self,
        session_id: str,
        *,
        title: str | None = None,
        view: ViewContext | None = None,
        defaults: SessionDefaults | None = None,
    ) -> SessionInfo:
        """Change what is given."""
        ...

    async def delete_session(self, session_id: str) -> None:
        """Delete a session with its transcript and state; runs and artifacts stay."""
        ...

    async def transcript(self, session_id: str, *, after: int = -1, limit: int = 200) -> tuple[TranscriptEntry, ...]:
        """Return the entries numbered above `after`, oldest first."""
        ...

    async def send_message(self, session_id: str, text: str, *, view: ViewContext | None = None) -> TaskInfo:
        """Start a turn, which is a task of kind `chat_turn`; its events are those of the task."""
        ...

    async def answer_approval(self, session_id: str, approval_id: str, *, approved: bool) -> SessionInfo:
        """Allow or refuse an action; an allowed one begins at once."""
        ...

    # Artifacts
    async def artifacts(self, *, session_id: str | None = None) -> tuple[ArtifactInfo, ...]:
        """Return the artifacts of a session, or of all, newest first."""
        ...

    async def artifact(self, artifact_id: str) -> ArtifactInfo:
        """Return what is known of an artifact."""
        ...

    async def artifact_content(self, artifact_id: str) -> bytes:
        """Return the bytes of an artifact."""
        ...

    # The book
    async def books(self) -> tuple[StoredBook, ...]:
        """Return what the user holds, as stored, newest day first."""
        ...

    async def book(self, day: Day = None) -> StoredBook:
        """Return the newest book of a day or earlier; None: the newest of all."""
        ...

    async def store_book(
        self, content: bytes, *, day: Day = None, cash: Mapping[str, float] | None = None, store: bool = True
    ) -> StoredBook:
        """Read what is held from the content of a CSV, JSON or XLSX file, and store it in place of that day's book.

        Args:
            content: As brokers export it.
            day: Of the holdings, where the content names none; None: today, or the last recorded session.
            cash: Amounts by currency, in place of the content's.
            store: False only reads it.
        """
        ...

    async def remove_book(self, day: str | date) -> None:
        """Delete the stored book of a day."""
        ...

    # The watch list
    async def watch_list(self) -> WatchedTickers:
        """Return the tickers of the watch list."""
        ...

    async def watch(self, tickers: Sequence[str]) -> WatchedTickers:
        """Add tickers to the watch list, and return it."""
        ...

    async def unwatch(self, ticker: str) -> WatchedTickers:
        """Remove a ticker from the watch list, and return it."""
        ...

    # Paper accounts and settings
    async def open_paper_account(self, plan: Mapping[str, Any]) -> PaperAccountInfo:
        """Make a paper account from its plan; what the plan leaves out is as usual."""
        ...

    async def shown_settings(self) -> tuple[SettingInfo, ...]:
        """Return the settings of models, limits and data, without keys and folders."""
        ...

    async def check_settings(self, what: str, changes: Mapping[str, Any] | None = None) -> tuple[SettingsCheck, ...]:
        """Ask whether `models` or `data` answer with the settings, or with changed ones; nothing is stored."""
        ...

    # Runs
    async def runs(self, *, limit: int = 50, before: str | None = None) -> tuple[dict[str, Any], ...]:
        """Return a short row for each of the newest runs: run_id, kind, ticker, day, status, action, confidence."""
        ...

    async def run(self, run_id: str) -> dict[str, Any]:
        """Return a run's card."""
        ...

    async def run_events(self, run_id: str, *, after: int = -1) -> tuple[dict[str, Any], ...]:
        """Return the events of a run numbered above `after`."""
        ...

    async def run_report(self, run_id: str, name: str) -> bytes:
        """Return a file of the run's reports, such as `complete_report.md` or `report.html`."""
        ...

    async def export_run(self, run_id: str, name: ReportFormat) -> bytes:
        """Return the run's report as `md`, `html`, `pdf` or `xlsx`."""
        ...

    async def seal_run(self, run_id: str) -> bytes:
        """Return the dossier of a finished run: its data, prompts, replies and evidence in one file."""
        ...

    async def report_changes(self, run_id: str, other: str, form: ChangesFormat = "json") -> bytes:
        """Return what changed between two deep reports of one company, as `json`, `md`, `html` or `pdf`."""
        ...


class ClosableWorkspace(WorkspaceApi, Protocol):
    """A workspace with something to close: connections, threads, tasks under way."""

    async def close(self) -> None:
        """Close it; what is under way can be resumed later."""
        ...
