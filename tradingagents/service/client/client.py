"""`AsyncClient`: a workspace on a server, over HTTP."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import date
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote, urlsplit, urlunsplit

import httpx
from pydantic import BaseModel, TypeAdapter, ValidationError

from tradingagents.errors import AccessRefused, RateLimited, ServerUnreachable, UsageError
from tradingagents.files.environment import environment
from tradingagents.files.json_text import parse_json
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
from tradingagents.service.client.errors import error_of
from tradingagents.service.client.event_stream import StreamEnded, read_events
from tradingagents.service.workspace.api import ChangesFormat, Day, ReportFormat

ADDRESS = "http://127.0.0.1:8765"
TOKEN_VARIABLE = "TRADINGAGENTS_SERVER_TOKEN"  # noqa: S105 - a name
IN_ADDRESS = "token="
CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 600.0
"""How long a capability may take: it may wait for slow vendors."""
SILENCE_SECONDS = 60.0
"""Longest silence of a stream of events; the server sends a heartbeat every 15 seconds."""
RECONNECT_SECONDS = (0.0, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Pauses before each further attempt to continue a stream. An event that arrives begins the list anew."""

M = TypeVar("M", bound=BaseModel)
Rows = TypeAdapter(tuple[dict[str, Any], ...])


class AsyncClient:
    """The methods of a workspace on a server. Use it as an async context manager, or call `close`.

    Raises the same errors as the library does, besides `ServerUnreachable` and `AccessRefused`.
    """

    def __init__(
        self,
        address: str = ADDRESS,
        token: str | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Set the server; nothing is sent yet.

        Args:
            address: Address of the server; the one with its token that `tradingagents serve` prints is understood too.
            token: None: that of the address, else of the variable TRADINGAGENTS_SERVER_TOKEN.
            environ: Variables to read the token from; None: `.env` and the process environment.
            transport: How requests are sent, such as `httpx.ASGITransport`; None: over the network.

        Raises:
            UsageError: The address is not one.
            AccessRefused: There is no token.
        """
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise UsageError("The address of the server is not one; write it as http://127.0.0.1:8765.")
        if token is None and parts.fragment.startswith(IN_ADDRESS):
            token = parts.fragment.removeprefix(IN_ADDRESS)
        if token is None:
            token = (environment() if environ is None else environ).get(TOKEN_VARIABLE)
        if not token:
            raise AccessRefused(f"The server needs its token; pass it, or set {TOKEN_VARIABLE}.")
        self._http = httpx.AsyncClient(
            base_url=urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/") + "/v1", "", "")),
            headers={"Authorization": f"Bearer {token}"},
            timeout=httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=20),
            transport=transport,
            verify=parts.scheme == "https",  # reading certificates takes longer than a request
            trust_env=False,  # a token is sent to no proxy
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections. Tasks on the server go on."""
        await self._http.aclose()

    async def choices(self) -> Choices:
        """See `WorkspaceApi.choices`."""
        return _read(Choices, await self._get("/settings"))

    # Capabilities
    async def capabilities(self) -> tuple[CapabilityInfo, ...]:
        """See `WorkspaceApi.capabilities`."""
        return _read_all(CapabilityInfo, await self._get("/capabilities"))

    async def invoke(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        as_of: Day = None,
        session_id: str | None = None,
        files: bool = True,
    ) -> CapabilityAnswer:
        """See `WorkspaceApi.invoke`."""
        body = {"arguments": _plain(arguments), "as_of": _day(as_of), "session_id": session_id, "files": files}
        return _read(CapabilityAnswer, await self._post(f"/capabilities/{_id(name)}", body))

    # Tasks
    async def task_kinds(self) -> tuple[TaskKindInfo, ...]:
        """See `WorkspaceApi.task_kinds`."""
        return _read_all(TaskKindInfo, await self._get("/task-kinds"))

    async def start_task(
        self, kind: str, request: Mapping[str, Any], *, as_of: Day = None, session_id: str | None = None
    ) -> TaskInfo:
        """See `WorkspaceApi.start_task`."""
        body = {"kind": kind, "request": _plain(request), "as_of": _day(as_of), "session_id": session_id}
        return _read(TaskInfo, await self._post("/tasks", body))

    async def tasks(self, *, session_id: str | None = None, limit: int = 50) -> tuple[TaskInfo, ...]:
        """See `WorkspaceApi.tasks`."""
        return _read_all(TaskInfo, await self._get("/tasks", session_id=session_id, limit=limit))

    async def task(self, task_id: str) -> TaskInfo:
        """See `WorkspaceApi.task`."""
        return _read(TaskInfo, await self._get(f"/tasks/{_id(task_id)}"))

    async def cancel_task(self, task_id: str) -> TaskInfo:
        """See `WorkspaceApi.cancel_task`."""
        return _read(TaskInfo, await self._post(f"/tasks/{_id(task_id)}/cancel"))

    async def resume_task(self, task_id: str, answer: Mapping[str, Any] | None = None) -> TaskInfo:
        """See `WorkspaceApi.resume_task`."""
        body = {"answer": None if answer is None else _plain(answer)}
        return _read(TaskInfo, await self._post(f"/tasks/{_id(task_id)}/resume", body))

    async def task_events(self, task_id: str, *, after: int = -1) -> AsyncIterator[TaskEvent]:
        """See `WorkspaceApi.task_events`. Continues after a lost connection, without a lost or double event.

        Raises:
            ServerUnreachable: The server did not come back within some ten seconds.
        """
        attempt = 0
        while True:
            try:
                async for event in self._stream(task_id, after):
                    if event.seq > after:
                        after, attempt = event.seq, 0
                        yield event
            except StreamEnded:
                return
            except RateLimited as error:
                await asyncio.sleep(error.retry_after or 1.0)
                continue
            except (httpx.TransportError, ServerUnreachable) as error:
                cut_off: Exception | None = error
            else:
                cut_off = None  # the server ends streams when it stops, and another takes over
            if attempt == len(RECONNECT_SECONDS):
                raise ServerUnreachable(_unreachable(self._http.base_url, cut_off)) from None
            await asyncio.sleep(RECONNECT_SECONDS[attempt])
            attempt += 1

    async def _stream(self, task_id: str, after: int) -> AsyncIterator[TaskEvent]:
        """Yield the events of one connection."""
        timeout = httpx.Timeout(SILENCE_SECONDS, connect=CONNECT_SECONDS)
        headers = {"Last-Event-ID": str(after)} if after >= 0 else {}
        path = f"/tasks/{_id(task_id)}/events"
        async with self._http.stream("GET", path, headers=headers, timeout=timeout) as response:
            if response.status_code == httpx.codes.NO_CONTENT:
                raise StreamEnded
            if not response.is_success:
                await response.aread()
                raise _error_in(response)
            async for event in read_events(response.aiter_lines()):
                yield TaskEvent.model_validate_json(event.data)

    # Sessions
    async def create_session(self, *, title: str = "", defaults: SessionDefaults | None = None) -> SessionInfo:
        """See `WorkspaceApi.create_session`."""
        body = {"title": title, "defaults": _dumped(defaults)}
        return _read(SessionInfo, await self._post("/sessions", body))

    async def sessions(self, *, limit: int = 50, before: str | None = None) -> tuple[SessionInfo, ...]:
        """See `WorkspaceApi.sessions`."""
        return _read_all(SessionInfo, await self._get("/sessions", limit=limit, before=before))

    async def session(self, session_id: str) -> SessionInfo:
        """See `WorkspaceApi.session`."""
        return _read(SessionInfo, await self._get(f"/sessions/{_id(session_id)}"))

    async def update_session(
        self,
        session_id: str,
        *,
        title: str | None = None,
        view: ViewContext | None = None,
        defaults: SessionDefaults | None = None,
    ) -> SessionInfo:
        """See `WorkspaceApi.update_session`."""
        body = {"title": title, "view": _dumped(view), "defaults": _dumped(defaults)}
        return _read(SessionInfo, await self._send("PATCH", f"/sessions/{_id(session_id)}", json=body))

    async def delete_session(self, session_id: str) -> None:
        """See `WorkspaceApi.delete_session`."""
        await self._send("DELETE", f"/sessions/{_id(session_id)}")

    async def transcript(self, session_id: str, *, after: int = -1, limit: int = 200) -> tuple[TranscriptEntry, ...]:
        """See `WorkspaceApi.transcript`."""
        found = await self._get(f"/sessions/{_id(session_id)}/transcript", after=after, limit=limit)
        return _read_all(TranscriptEntry, found)

    async def send_message(self, session_id: str, text: str, *, view: ViewContext | None = None) -> TaskInfo:
        """See `WorkspaceApi.send_message`."""
        body = {"text": text, "view": _dumped(view)}
        return _read(TaskInfo, await self._post(f"/sessions/{_id(session_id)}/messages", body))

    async def answer_approval(self, session_id: str, approval_id: str, *, approved: bool) -> SessionInfo:
        """See `WorkspaceApi.answer_approval`."""
        path = f"/sessions/{_id(session_id)}/approvals/{_id(approval_id)}"
        return _read(SessionInfo, await self._post(path, {"approved": approved}))

    # Artifacts
    async def artifacts(self, *, session_id: str | None = None) -> tuple[ArtifactInfo, ...]:
        """See `WorkspaceApi.artifacts`."""
        return _read_all(ArtifactInfo, await self._get("/artifacts", session_id=session_id))

    async def artifact(self, artifact_id: str) -> ArtifactInfo:
        """See `WorkspaceApi.artifact`."""
        return _read(ArtifactInfo, await self._get(f"/artifacts/{_id(artifact_id)}"))

    async def artifact_content(self, artifact_id: str) -> bytes:
        """See `WorkspaceApi.artifact_content`."""
        return await self._get(f"/artifacts/{_id(artifact_id)}/content")

    # The book
    async def books(self) -> tuple[StoredBook, ...]:
        """See `WorkspaceApi.books`."""
        return _read_all(StoredBook, await self._get("/books"))

    async def book(self, day: Day = None) -> StoredBook:
        """See `WorkspaceApi.book`."""
        return _read(StoredBook, await self._get("/book", day=_day(day)))

    async def store_book(
        self, content: bytes, *, day: Day = None, cash: Mapping[str, float] | None = None, store: bool = True
    ) -> StoredBook:
        """See `WorkspaceApi.store_book`."""
        encoded = base64.b64encode(content).decode()
        body = {"base64": encoded, "day": _day(day), "cash": dict(cash or {}), "store": store}
        return _read(StoredBook, await self._post("/books", body))

    async def remove_book(self, day: str | date) -> None:
        """See `WorkspaceApi.remove_book`."""
        await self._send("DELETE", f"/books/{_id(str(day))}")

    # The watch list
    async def watch_list(self) -> WatchedTickers:
        """See `WorkspaceApi.watch_list`."""
        return _read(WatchedTickers, await self._get("/watchlist"))

    async def watch(self, tickers: Sequence[str]) -> WatchedTickers:
        """See `WorkspaceApi.watch`."""
        return _read(WatchedTickers, await self._post("/watchlist", {"tickers": list(tickers)}))

    async def unwatch(self, ticker: str) -> WatchedTickers:
        """See `WorkspaceApi.unwatch`."""
        return _read(WatchedTickers, await self._send("DELETE", f"/watchlist/{_id(ticker)}"))

    # Paper accounts and settings
    async def open_paper_account(self, plan: Mapping[str, Any]) -> PaperAccountInfo:
        """See `WorkspaceApi.open_paper_account`."""
        return _read(PaperAccountInfo, await self._post("/paper", {"plan": _plain(plan)}))

    async def shown_settings(self) -> tuple[SettingInfo, ...]:
        """See `WorkspaceApi.shown_settings`."""
        return _read_all(SettingInfo, await self._get("/settings/shown"))

    async def check_settings(self, what: str, changes: Mapping[str, Any] | None = None) -> tuple[SettingsCheck, ...]:
        """See `WorkspaceApi.check_settings`."""
        body = {"what": what, "changes": _plain(changes or {})}
        return _read_all(SettingsCheck, await self._post("/settings/check", body))

    # Runs
    async def runs(self, *, limit: int = 50, before: str | None = None) -> tuple[dict[str, Any], ...]:
        """See `WorkspaceApi.runs`."""
        return _read_rows(await self._get("/runs", limit=limit, before=before))

    async def run(self, run_id: str) -> dict[str, Any]:
        """See `WorkspaceApi.run`."""
        return _read_rows(b"[" + await self._get(f"/runs/{_id(run_id)}") + b"]")[0]

    async def run_events(self, run_id: str, *, after: int = -1) -> tuple[dict[str, Any], ...]:
        """See `WorkspaceApi.run_events`."""
        return _read_rows(await self._get(f"/runs/{_id(run_id)}/events", after=after))

    async def run_report(self, run_id: str, name: str) -> bytes:
        """See `WorkspaceApi.run_report`."""
        return await self._get(f"/runs/{_id(run_id)}/reports/{'/'.join(map(_id, name.split('/')))}")

    async def export_run(self, run_id: str, name: ReportFormat) -> bytes:
        """See `WorkspaceApi.export_run`."""
        return await self._get(f"/runs/{_id(run_id)}/export/{_id(name)}")

    async def seal_run(self, run_id: str) -> bytes:
        """See `WorkspaceApi.seal_run`."""
        return await self._get(f"/runs/{_id(run_id)}/dossier")

    async def report_changes(self, run_id: str, other: str, form: ChangesFormat = "json") -> bytes:
        """See `WorkspaceApi.report_changes`."""
        return await self._get(f"/runs/{_id(run_id)}/changes/{_id(other)}", format=form)

    async def _get(self, path: str, **query: Any) -> bytes:
        given = {name: value for name, value in query.items() if value is not None}
        return await self._send("GET", path, params=given)

    async def _post(self, path: str, body: Mapping[str, Any] | None = None) -> bytes:
        return await self._send("POST", path, json=body or {})

    async def _send(self, method: str, path: str, **given: Any) -> bytes:
        try:
            response = await self._http.request(method, path, **given)
        except httpx.TransportError as error:
            raise ServerUnreachable(_unreachable(self._http.base_url, error)) from None
        if not response.is_success:
            raise _error_in(response)
        return response.content


def _error_in(response: httpx.Response) -> Exception:
    try:
        body = parse_json(response.content)
    except ValueError:
        body = None
    return error_of(body if isinstance(body, Mapping) else {})


def _unreachable(address: httpx.URL, error: Exception | None) -> str:
    why = f" ({type(error).__name__})" if error is not None else ""
    return f"No answer from {address.host}:{address.port or address.scheme}{why}; start it with `tradingagents serve`."


def _read(model: type[M], content: bytes) -> M:
    try:
        return model.model_validate_json(content)
    except ValidationError:
        raise ServerUnreachable(_OTHER_VERSION) from None


def _read_all(model: type[M], content: bytes) -> tuple[M, ...]:
    try:
        return TypeAdapter(tuple[model, ...]).validate_json(content)  # type: ignore[valid-type]
    except ValidationError:
        raise ServerUnreachable(_OTHER_VERSION) from None


def _read_rows(content: bytes) -> tuple[dict[str, Any], ...]:
    try:
        return Rows.validate_json(content)
    except ValidationError:
        raise ServerUnreachable(_OTHER_VERSION) from None


_OTHER_VERSION = "The server answers otherwise than this version of the library expects; install the same version."


def _id(name: str) -> str:
    """Return an id as a component of a path; one that would lead elsewhere names nothing."""
    return quote(name, safe="") if name not in ("", ".", "..") else "%00"


def _day(day: Day) -> str | None:
    return day.isoformat() if isinstance(day, date) else day


def _dumped(model: BaseModel | None) -> dict[str, Any] | None:
    return None if model is None else model.model_dump(mode="json")


def _plain(values: Mapping[str, Any]) -> Any:
    """Return arguments as JSON has them: days as text."""
    return TypeAdapter(dict[str, Any]).dump_python(dict(values), mode="json")
