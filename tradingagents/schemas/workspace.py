"""What the faces exchange: capabilities, answers, tasks, sessions, transcripts, artifacts, errors.

Python, the command line, HTTP, the web page and MCP all show these models; their JSON is the HTTP interface.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tradingagents.schemas.portfolio import Portfolio

TaskStatus = Literal["queued", "running", "awaiting_approval", "done", "failed", "cancelled", "interrupted"]
"""How a task stands.

- `queued`, `running`: it will end without anybody's help, also after a restart of the process.
- `awaiting_approval`: its run waits for a person (`approve`, `revise` or `reject`).
- `interrupted`: it was stopped and can be resumed; `cancelled`: it was stopped for good.
"""
ENDED: frozenset[TaskStatus] = frozenset({"done", "failed", "cancelled"})
"""Statuses after which nothing more happens unless a person resumes the task."""
QUESTION_NOW = "My question now: "
"""Stands before the question of a turn whose message also quotes a conversation that this server does not know."""
EntryType = Literal["user", "assistant", "tool_call", "tool_result", "memo", "notice", "summary"]
"""Kind of a transcript entry.

- `user`, `assistant`: what was said.
- `tool_call`, `tool_result`: a call by the assistant, and what it was answered.
- `memo`: the validated memo of an investor persona, as the assistant received it.
- `notice`: something that happened outside a turn: a task ended, an approval was given.
- `summary`: stands for all entries up to `covers` when the conversation is shown to a model.
"""


class WireModel(BaseModel):
    """Base of everything that crosses a process boundary: frozen, unknown fields refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")


class ErrorInfo(WireModel):
    """An error as every face reports it."""

    code: str
    """Name of the error's class in snake case, such as `bad_symbol`."""
    message: str
    """What happened and what to do, for a person."""
    exit_code: int
    """What the command line would exit with."""


class CapabilityPolicy(WireModel):
    """What calling a capability entails."""

    writes: bool = False
    """It writes files into the home folder, or changes something there."""
    outside_text: bool = False
    """Its answer holds text that others wrote: news, posts, filings. Such text may try to give instructions."""
    needs_key: bool = False
    """No vendor can answer it today without an API key."""
    needs_session: bool = False
    """It answers from the state of a session."""


class CapabilityInfo(WireModel):
    """One capability, as a catalogue lists it."""

    name: str
    title: str = ""
    """What reports and pages call its answers."""
    summary: str
    aliases: tuple[str, ...] = ()
    arguments: dict[str, Any]
    """JSON schema of the arguments."""
    returns: str
    """Name of the kind of result."""
    policy: CapabilityPolicy
    available: bool
    """Whether it can be asked with the present settings and keys."""
    reason: str | None = None
    """Why it is not available, with what to do; None where it is."""


class CapabilityAnswer(WireModel):
    """The answer of a capability; the same over Python, command line, HTTP and MCP."""

    capability: str
    symbol: str | None
    as_of: date
    title: str
    figures: dict[str, float]
    """Figures that the answer shows, rounded as shown."""
    shown: dict[str, str] = Field(default_factory=dict)
    """The same figures as the answer writes them, with their unit, such as `76.85B USD`."""
    labels: dict[str, str] = Field(default_factory=dict)
    """The names of its figures in words, such as `P/E ratio`; of those without a value too."""
    result: dict[str, Any]
    """The typed result as JSON."""
    markdown: str
    """The result as a model or a person reads it."""
    artifacts: tuple[str, ...] = ()
    """Ids of files that the answer made."""


class WatchedTickers(WireModel):
    """The watch list."""

    tickers: tuple[str, ...]
    """In the order in which they were added."""


class SettingInfo(WireModel):
    """A setting as a page shows it."""

    setting: str
    """Its name."""
    group: str
    now: Any
    """Its value; addresses without user and password."""
    usual: Any
    """Its default."""
    meaning: str
    variable: str
    """The variable that sets it, also in a file `.env`; a change counts from the next start of the server."""
    tried: bool
    """Whether another value can be tried from a page."""


class SettingsCheck(WireModel):
    """Whether a model or a vendor answers."""

    about: str
    """Tier and model, or the vendor."""
    state: str
    works: bool
    trouble: str
    """Why it does not, with the way out; empty where it does."""


class PaperAccountInfo(WireModel):
    """A paper account that was made."""

    account: str
    plan: dict[str, Any]
    """What it trades and how; it stays as it is."""


class TaskPolicy(WireModel):
    """What starting a task entails."""

    costs_money: bool = True
    """It asks a language model where the settings name one."""
    writes: bool = True
    listed: bool = True
    """Whether catalogues and agents are shown it; turns of a conversation are not."""


class TaskKindInfo(WireModel):
    """A kind of long work that can be started in the background."""

    kind: str
    title: str = ""
    """What pages call it."""
    summary: str
    request: dict[str, Any]
    """JSON schema of the request."""
    policy: TaskPolicy


class Progress(WireModel):
    """How far a task has come."""

    step: str = ""
    """Phase of the run, such as `analysts`; empty before the first."""
    message: str = ""
    done: int = 0
    """Finished parts (agents, tickers), of `total`."""
    total: int | None = None
    """None where it is not known beforehand."""


class TaskInfo(WireModel):
    """A task: long work with progress, cancellation, and a result that may come later."""

    task_id: str
    kind: str
    title: str
    status: TaskStatus
    request: dict[str, Any]
    as_of: date | None = None
    """Day of the study; None: today."""
    session_id: str | None = None
    """Session that started it, if any."""
    run_ids: tuple[str, ...] = ()
    """Runs that it has started, in order."""
    created_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None
    progress: Progress = Progress()
    result: dict[str, Any] | None = None
    """What came out, in short; the runs and artifacts hold the whole. None while it has not ended well."""
    error: ErrorInfo | None = None
    resumable: bool = False
    """Whether `resume` can continue it: it waits, was interrupted, or failed for a reason that may pass."""
    artifacts: tuple[str, ...] = ()


class TaskEvent(WireModel):
    """One event of a task. Numbers rise by one from 0, across restarts; nothing is sent before it is on disk."""

    task_id: str
    seq: int
    ts: str
    """ISO 8601 instant, UTC."""
    type: str
    """Type of the run's event (see `tradingagents.events`), or `task` for a change of status."""
    message: str = ""
    run_id: str | None = None
    node: str | None = None
    step: str | None = None
    data: dict[str, Any] = Field(default_factory=dict)


class OpenOnScreen(BaseModel):
    """What is open in a user's session."""

    symbols: tuple[str, ...] = ()
    page: str = ""
    """Page or interface, such as `run`, `chart`, `portfolio`, `terminal`."""
    run_id: str | None = None
    document_id: str | None = None
    """A filing that is open."""
    chart: str | None = None
    """Artifact id of the chart that is open."""


class ViewContext(WireModel, OpenOnScreen):
    """What the user is looking at; the assistant and the personas it consults read it."""

    note: str = ""
    """Selected text, at most some hundred characters."""


class StoredBook(WireModel):
    """What the user holds on a day, as stored in the home folder, or as it would be stored."""

    day: date
    hash: str
    """Of the book: equal books have the same."""
    book: Portfolio
    stored: bool
    """False where it was only read, to be checked by a person."""


class SessionDefaults(WireModel):
    """What a session assumes where a message does not say."""

    as_of: date | None = None
    """Day of all questions; None: today."""
    depth: Literal["quick", "standard", "deep"] = "standard"
    view: Literal["summary", "full"] = "summary"
    auto_approve: bool = False
    """Whether actions that cost money or write may begin without asking the user."""


class ActionApproval(WireModel):
    """An action that the assistant wants to take and a person must allow."""

    approval_id: str
    action: str
    """Name of the capability or kind of task."""
    arguments: dict[str, Any]
    reason: str
    """Why a person is asked."""
    status: Literal["waiting", "approved", "refused"] = "waiting"
    created_at: datetime
    answered_at: datetime | None = None
    task_id: str | None = None
    """Task that the approval started."""


class SessionInfo(WireModel):
    """A conversation with the assistant."""

    session_id: str
    agent: str
    title: str
    created_at: datetime
    updated_at: datetime
    entries: int = 0
    """Entries of the transcript."""
    symbols: tuple[str, ...] = ()
    """Symbols that the conversation is about, latest first."""
    view: ViewContext = ViewContext()
    defaults: SessionDefaults = SessionDefaults()
    task_ids: tuple[str, ...] = ()
    artifacts: tuple[str, ...] = ()
    approvals: tuple[ActionApproval, ...] = ()


class NewEntry(WireModel):
    """An entry to be appended to a transcript, which gives it a number and a time."""

    turn: str = ""
    """Task id of the turn; empty outside a turn."""
    type: EntryType
    text: str = ""
    name: str | None = None
    """Tool, persona or task kind."""
    call_id: str | None = None
    """Joins a tool call with its result."""
    arguments: dict[str, Any] | None = None
    status: Literal["ok", "error"] = "ok"
    data: dict[str, Any] = Field(default_factory=dict)
    """Structured details: a memo, a task id, usage, artifacts, the provider's own reply parts."""
    covers: int | None = None
    """Of a summary: the last entry that it stands for."""


class EntryPlace(WireModel):
    """Where an entry stands in its transcript."""

    seq: int
    ts: datetime


class TranscriptEntry(NewEntry, EntryPlace):
    """One line of a transcript; never changed after it was written. Its place comes first in the line."""

    turn: str


class ArtifactInfo(WireModel):
    """A file that an answer or a task made."""

    artifact_id: str
    kind: Literal["report", "chart", "workbook", "document", "data"]
    title: str
    media_type: str
    size: int
    """Bytes."""
    created_at: datetime
    session_id: str | None = None
    task_id: str | None = None
    run_id: str | None = None


class ProviderChoice(WireModel):
    """A provider of language models, as a form offers it."""

    name: str
    models: tuple[str, ...] = ()
    """Suggested models; any other can be entered."""
    key_variable: str | None = None
    """Environment variable of its key; None where it needs none."""
    key_set: bool = True
    """Whether that variable is set. Keys themselves are never shown."""


class VendorChoice(WireModel):
    """A vendor of market data, as a form offers it."""

    name: str
    key_variables: tuple[str, ...] = ()
    keys_set: bool = True


class Choices(WireModel):
    """What a face offers when it asks for a run: providers, vendors, analysts, and the present settings."""

    version: str
    providers: tuple[ProviderChoice, ...]
    vendors: tuple[VendorChoice, ...]
    analysts: tuple[str, ...]
    rules_record: str
    """How often decisions of the fixed rules were right, in a few words, to stand once beside their strengths."""
    defaults: dict[str, Any]
    """The settings that a person may choose for a run, by name, with their present values; no secret, no path."""
    last_session: date
    """The day of a run that names none: today on the US market, or the last recorded session."""
    recorded_until: date | None = None
    """The last day of the folder of recorded data; None where the data come from elsewhere."""
    tickers: tuple[str, ...] = ()
    """Examples that the present market knows; empty where any listed symbol can be asked."""
    titles: dict[str, str] = Field(default_factory=dict)
    """Titles of the answers of tools and vendor methods, by name, and of reports, by state key."""
    phases: dict[str, dict[str, tuple[str, ...]]] = Field(default_factory=dict)
    """Names of the agents by phase, in running order, of the kinds of tasks whose agents are known before they begin.
    The analysts of an analysis stand in the order of `analysts`."""
