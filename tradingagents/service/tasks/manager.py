"""`TaskManager`: starts, resumes, cancels and recovers the tasks of a home folder, and streams their events.

A manager belongs to one event loop. Several managers, in one process or many, may share a home: the lock of each task
says who works on it, and each manager streams the tasks of the others too.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime
from types import TracebackType
from typing import Any, Self

from tradingagents.dataflows.cutoff import parse_day
from tradingagents.errors import BadDate, TradingAgentsError, UsageError
from tradingagents.features.assistant.sessions import SessionStore
from tradingagents.files.atomic import UnreadableFile
from tradingagents.files.json_file import JsonFile
from tradingagents.files.json_text import is_too_deep
from tradingagents.files.lock import Locked
from tradingagents.files.redaction import KnownSecrets, is_key, secrets_in_environment
from tradingagents.retrieval.questions.holdings import without_holdings
from tradingagents.runtime.request import Request
from tradingagents.runtime.runs.run_folder import is_component
from tradingagents.runtime.task_kind import TaskKind
from tradingagents.schemas.workspace import ENDED, ErrorInfo, TaskEvent, TaskInfo, TaskKindInfo
from tradingagents.service.kernel.kernel import Kernel
from tradingagents.service.mcp_client.lender import McpLender
from tradingagents.service.tasks.control import TaskArtifacts, WorkspaceTaskControl
from tradingagents.service.tasks.errors import NoSuchTask, TaskBusy, TaskKeepsFailing, error_info
from tradingagents.service.tasks.folder import KEYS, TaskFolder, TaskFolders, created_at, kind_of
from tradingagents.service.tasks.follow import STATUS, follow
from tradingagents.service.tasks.journal import last_event, read_events
from tradingagents.service.tasks.ray_engine import RayEngine
from tradingagents.service.tasks.registry import TaskKindRegistry, task_kinds
from tradingagents.service.tasks.runner import TaskRunner
from tradingagents.service.tasks.services import ServicePool
from tradingagents.service.tasks.session_notice import tell_session
from tradingagents.service.tasks.work import OPEN_STATUSES, TaskWork
from tradingagents.settings import Settings, secrets_of

RECOVER_SECONDS = 5.0
"""How often the tasks of processes that died are looked for."""
CANCEL_SECONDS = 10.0
"""How long `cancel` waits until the work has stopped; the request stays on disk in any case."""
MOST_DEATHS = 5
"""A task whose process died so often is not tried again by itself."""

logger = logging.getLogger(__name__)
logger.addHandler(logging.NullHandler())


class TaskManager:
    """The tasks of one home folder."""

    def __init__(
        self,
        settings: Settings,
        environ: Mapping[str, str],
        kernel: Kernel | None = None,
        sessions: SessionStore | None = None,
        *,
        artifacts: TaskArtifacts | None = None,
        kinds: TaskKindRegistry | None = None,
    ) -> None:
        """Set what tasks work with; nothing is read or started yet.

        Args:
            settings: Choose the home folder, and what a request does not.
            kernel: For kinds that ask capabilities; None makes one when needed.
            sessions: The store of sessions, which are told when their tasks end; None for none.
            artifacts: Where files that tasks make are registered; None registers none.
            kinds: The kinds that can be started; None: those of the library and of installed packages.

        Raises:
            RayNotInstalled: The settings want tasks in Ray workers, and Ray is missing.
        """
        self.settings, self.environ = settings, environ
        self._kernel, self._sessions, self._artifacts, self._kinds = kernel, sessions, artifacts, kinds
        self._folders = TaskFolders(settings.home_dir)
        self._secrets = KnownSecrets({*secrets_in_environment(environ), *secrets_of(settings)})
        self._pool = ServicePool(environ)
        self.lender: McpLender | None = McpLender(settings, environ) if settings.mcp_servers else None
        """Lends the tools of other MCP servers; None where the settings name none."""
        engine = RayEngine(settings, environ, work_in_worker) if settings.task_engine == "ray" else None
        self._runner = TaskRunner(
            self._pool, settings.max_concurrent_pipelines, self._control, self._tell_session, engine
        )
        self._recovering: asyncio.Task[None] | None = None
        self._reported: set[str] = set()

    async def __aenter__(self) -> Self:
        """Recover at once and every few seconds, until `close`."""
        await self.recover()
        self._recovering = asyncio.create_task(self._keep_recovering(), name="recover tasks")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def registry(self) -> TaskKindRegistry:
        """The kinds that can be started."""
        return task_kinds() if self._kinds is None else self._kinds

    def kinds(self) -> tuple[TaskKindInfo, ...]:
        """Describe the kinds that can be started, but for those that no catalogue lists."""
        return tuple(kind.info() for kind in self.registry.values() if kind.policy.listed)

    async def start(
        self,
        kind: str,
        request: Mapping[str, Any],
        as_of: str | date | None = None,
        session_id: str | None = None,
        *,
        key: str | None = None,
    ) -> TaskInfo:
        """Start a task; it is on disk when this returns.

        Args:
            as_of: Day of the study; a field `day` of the request may say it instead.
            session_id: Session that starts it, which is told when it ends.
            key: Chosen by the caller to start at most one task: the same key again returns the task it started.

        Raises:
            UsageError: The kind or the request is invalid; the message names the fields.
            NotFound: There is no such session.
            TaskQueueFull: Too many tasks wait.
            HomeNotWritable: The task cannot be written.
        """
        if self._runner.closing:
            raise TaskBusy("The process is ending; start the task in the next one.")
        chosen = self.registry.by_name(kind)
        checked, day = self._checked(chosen, request, as_of)
        if session_id is not None and not is_component(session_id):
            raise UsageError("The session's id is malformed; use one that a session has.")
        self._runner.assert_room()
        if session_id is not None and self._sessions is not None:
            await asyncio.to_thread(self._sessions.get, session_id, hidden=True)
        if key is None:
            info = self._create(chosen, checked, day, session_id)
        else:
            info = self._start_once(key, chosen, checked, day, session_id)
        if session_id is not None and self._sessions is not None and chosen.policy.listed:
            await asyncio.to_thread(self._sessions.add_task, session_id, info.task_id, hidden=True)
        return info

    def check(self, kind: str, request: Mapping[str, Any], as_of: str | date | None = None) -> None:
        """Check a request as `start` does, without starting anything. Raises UsageError."""
        self._checked(self.registry.by_name(kind), request, as_of)

    async def cancel(self, task_id: str) -> TaskInfo:
        """Stop a task for good, wherever it runs; one that has ended stays as it is.

        Raises:
            NoSuchTask: There is none of that id.
            UnreadableFile: It is damaged.
        """
        folder = self._folders.of(task_id)
        if self._runner.work_of(task_id) is None and folder.info().status in ENDED:
            return folder.info()
        folder.request_cancel()
        if self._runner.work_of(task_id) is not None:
            await self._runner.cancel(task_id, CANCEL_SECONDS)
        elif not await self._cancel_idle(folder):
            await _until_ended(folder, CANCEL_SECONDS)
        return await self.get(task_id)

    async def resume(self, task_id: str, answer: Mapping[str, Any] | None = None) -> TaskInfo:
        """Continue a task that failed or was interrupted, or answer one that waits for a person.

        Raises:
            NoSuchTask: There is none of that id.
            UsageError: It has ended, or takes another answer.
            TaskBusy: It is queued or running.
        """
        folder = self._folders.of(task_id)
        try:
            work = TaskWork.take(folder, self._secrets)
        except Locked:
            raise TaskBusy(f"Task {task_id} is queued or running; wait for its end, or cancel it.") from None
        taken = False
        try:
            if work.info.status in OPEN_STATUSES and not answer:  # its process died; nobody has taken it over yet
                taken = await self._continue(work)
            else:
                kind, request, said = self._resumable(work, answer)
                work.remember(answer=said, waits=_waits(work) if said else 0, deaths=0)
                work.set_status("queued")
                self._runner.submit(work, kind, request)
                taken = True
        finally:
            if not taken:
                work.close()
        return work.info

    async def get(self, task_id: str) -> TaskInfo:
        """Return a task.

        Raises:
            NoSuchTask: There is none of that id.
            UnreadableFile: It is damaged.
        """
        work = self._runner.work_of(task_id)
        return work.info if work is not None else self._folders.of(task_id).info()

    async def list(
        self, *, session_id: str | None = None, limit: int = 50, unlisted: bool = False
    ) -> tuple[TaskInfo, ...]:
        """Return the newest tasks, of one session or of all.

        Args:
            session_id: Only tasks that it started.
            limit: The most to return.
            unlisted: Whether to return tasks of kinds that no catalogue lists, such as turns of conversations.
        """
        found: list[TaskInfo] = []
        hidden = set() if unlisted else {name for name, kind in self.registry.items() if not kind.policy.listed}
        for folder in self._folders.newest_first(session_id):
            if len(found) >= limit:
                break
            if kind_of(folder.task_id) in hidden:
                continue
            work = self._runner.work_of(folder.task_id)
            with suppress(NoSuchTask):  # being created, or deleted just now
                found.append(work.info if work is not None else _shown(folder))
        return tuple(found)

    async def events(self, task_id: str, after: int = -1) -> AsyncIterator[TaskEvent]:
        """Yield the events numbered above `after`, stored ones first, then live ones, until it has ended or waits.

        The stream ends when nothing more happens until a person resumes the task or answers it; after that it goes on
        from the last number. Readers that are slow or go away hold up nothing.

        Raises:
            NoSuchTask: There is none of that id.
        """
        folder = self._folders.of(task_id)

        def journal_here() -> Any:
            work = self._runner.work_of(task_id)
            return None if work is None else work.journal

        async for event in follow(folder, after, journal_here):
            yield event

    async def recover(self) -> tuple[str, ...]:
        """Take over the tasks that are queued or running and that no living process works on; return their ids.

        Only tasks that are marked as open are looked at: the time does not depend on how many have ended. A damaged
        task is reported in the log, once, and keeps no other from being recovered.
        """
        taken = []
        for folder in self._folders.open_ones():
            if self._runner.closing or self._runner.knows(folder.task_id):
                continue
            try:
                if await self._take_over(folder):
                    taken.append(folder.task_id)
            except Locked:
                continue
            except TradingAgentsError as error:
                self._report(folder.task_id, str(error))
        return tuple(taken)

    async def work_on(self, task_id: str) -> None:
        """Take over one queued or orphaned task, and wait until it has ended or waits for a person.

        Raises:
            NoSuchTask: There is none of that id.
            TradingAgentsError: It cannot be taken over.
        """
        with suppress(Locked):  # another process was faster
            if await self._take_over(self._folders.of(task_id)):
                await self._runner.ended(task_id)

    async def close(self) -> None:
        """Stop the work of this process; its tasks stay queued on disk, and the next process continues them."""
        if self._recovering is not None:
            self._recovering.cancel()
            await asyncio.wait({self._recovering})
            self._recovering = None
        await self._runner.close(self.settings.drain_seconds)
        await self._pool.close()
        if self.lender is not None:
            await self.lender.close()

    # Start
    def _checked(
        self, kind: TaskKind[Any], request: Mapping[str, Any], as_of: str | date | None
    ) -> tuple[Request, date | None]:
        """Return the request as its model reads it, and the day of the study."""
        if not isinstance(request, Mapping):
            raise UsageError(f"The request must be an object with the fields {', '.join(kind.request.model_fields)}.")
        self._assert_harmless(request)
        day, given = None if as_of is None else parse_day(as_of), dict(request)
        if "day" in kind.request.model_fields and day is not None:
            if given.get("day") is None:
                given["day"] = day.isoformat()
            elif parse_day(given["day"]) != day:
                raise UsageError(f"The request names the day {given['day']}, and as_of is {day}; give one of them.")
        checked = kind.request(**given)
        day = getattr(checked, "day", day)
        if day is not None and day > datetime.now(UTC).date():
            raise BadDate(f"{day} is in the future; name a past day or today.")
        kind.check(checked, self.settings)
        return checked, day

    def _assert_harmless(self, request: Mapping[str, Any]) -> None:
        """Refuse secrets: a request is written to disk and shown."""
        if is_too_deep(dict(request)):
            raise UsageError("The request is nested too deeply; its fields are plain values.")
        for text in _texts(request):
            if is_key(text) or self._secrets.text(text) != text:
                raise UsageError(
                    "The request holds a key or a password; take it out. Keys belong into variables such as "
                    "OPENAI_API_KEY."
                )

    def _create(self, kind: TaskKind[Any], request: Request, day: date | None, session_id: str | None) -> TaskInfo:
        folder = self._folders.create(kind.name, session_id)
        held = folder.hold()
        try:
            folder.mark_open()
            info = TaskInfo(
                task_id=folder.task_id,
                kind=kind.name,
                title=without_holdings(kind.title(request))[:200],
                status="queued",
                request=request.model_dump(mode="json", exclude_unset=True),
                as_of=day,
                session_id=session_id,
                created_at=created_at(folder.task_id),
            )
            work = TaskWork(folder, info, held, self._secrets)
        except BaseException:
            held.close()
            raise
        work.set_status("queued")
        self._runner.submit(work, kind, request)
        return work.info

    def _start_once(
        self, key: str, kind: TaskKind[Any], request: Request, day: date | None, session_id: str | None
    ) -> TaskInfo:
        """Start a task unless one was started with this key."""
        name = hashlib.sha256(key.encode(errors="replace")).hexdigest()[:32]
        asked = {"kind": kind.name, "request": request.model_dump(mode="json", exclude_unset=True)}
        key_file = JsonFile(self.settings.home_dir, self._folders.path / KEYS / f"{name}.json", way_out="delete it")
        with key_file.changing():
            known = key_file.read()
            if known:
                with suppress(NoSuchTask):
                    earlier = self._folders.of(str(known.get("task_id"))).info()
                    if known.get("asked") != asked:
                        raise UsageError("Another request was started with this key; use another key.")
                    return earlier
            info = self._create(kind, request, day, session_id)
            key_file.write({"task_id": info.task_id, "asked": asked})
            return info

    # Resume and recover
    def _resumable(
        self, work: TaskWork, answer: Mapping[str, Any] | None
    ) -> tuple[TaskKind[Any], Request, dict[str, Any]]:
        info = work.info
        if info.status in ("done", "cancelled"):
            raise UsageError(f"Task {info.task_id} is {info.status}; start another one.")
        if info.status in OPEN_STATUSES:
            raise TaskBusy(f"Task {info.task_id} is {info.status}; it goes on by itself.")
        if answer is not None:
            self._assert_harmless(answer)
        kind = self.registry.by_name(info.kind)
        if info.status == "failed" and info.error is not None and not kind.goes_on_after(info.error, info.run_ids):
            raise UsageError(f"Task {info.task_id} would fail again: {info.error.message} Start another one.")
        return kind, kind.request(**info.request), kind.check_answer(info, answer)

    async def _take_over(self, folder: TaskFolder) -> bool:
        """Take over one task; False where nothing is left to do.

        Raises:
            Locked: A process works on it.
            TradingAgentsError: It cannot be taken over.
        """
        try:
            work = TaskWork.take(folder, self._secrets)
        except NoSuchTask:
            folder.unmark_open()  # its process died before the task was written
            return False
        taken = False
        try:
            taken = await self._continue(work)
        finally:
            if not taken:
                work.close()
        return taken

    async def _continue(self, work: TaskWork) -> bool:
        if work.info.status not in OPEN_STATUSES or work.folder.cancel_requested:
            await self._complete_end(work)
            return False
        kind = self.registry.by_name(work.info.kind)
        request = kind.request(**work.info.request)
        if work.info.status == "running":
            deaths = int(work.state.get("deaths", 0)) + 1
            work.remember(deaths=deaths)
            if deaths >= MOST_DEATHS:
                given_up = TaskKeepsFailing(
                    f"The process that worked on the task died {deaths} times; resume it with "
                    f"`tradingagents tasks resume {work.task_id}`."
                )
                work.set_status("interrupted", error=error_info(given_up), resumable=True)
                await self._complete_end(work)
                return False
            work.set_status("queued", "The process that worked on it died; another continues.")
        if work.state.get("answer") and _waits(work) > int(work.state.get("waits", 0)):
            work.remember(answer={})  # the run took it in, and waits for the next one
        self._runner.submit(work, kind, request)
        return True

    async def _complete_end(self, work: TaskWork) -> None:
        """Do what a process that died left to do for a task that has ended, or was cancelled and not stopped."""
        if work.info.status not in ENDED and work.folder.cancel_requested:
            work.set_status("cancelled", told=False)
        await self._tell_session(work, again=True)
        last = last_event(work.folder.events)
        if (
            last is None
            or last.type != STATUS
            or last.run_id is not None
            or last.data.get("status") != work.info.status
        ):
            work.tell_status()
        work.folder.unmark_open()

    async def _cancel_idle(self, folder: TaskFolder) -> bool:
        """Cancel a task that no process works on; False where one does."""
        try:
            work = TaskWork.take(folder, self._secrets)
        except Locked:
            return False
        try:
            if work.info.status not in ENDED:
                await self._complete_end(work)
        finally:
            work.close()
        return True

    async def _keep_recovering(self) -> None:
        while True:
            await asyncio.sleep(RECOVER_SECONDS)
            try:
                await self.recover()
            except Exception:
                logger.exception("Tasks could not be recovered")  # the next time may work

    def _report(self, task_id: str, message: str) -> None:
        if task_id not in self._reported:
            self._reported.add(task_id)
            logger.warning("Task %s cannot be continued: %s", task_id, message)

    # For the runner
    def _control(self, work: TaskWork) -> WorkspaceTaskControl:
        if self._kernel is None:
            self._kernel = Kernel(self.settings, sessions=self._sessions, artifacts=self._artifacts)
        return WorkspaceTaskControl(
            work,
            self._pool,
            settings=self.settings,
            environ=self.environ,
            kernel=self._kernel,
            sessions=self._sessions,
            artifacts=self._artifacts,
            tasks=self,
        )

    async def _tell_session(self, work: TaskWork, *, again: bool = False) -> None:
        """Tell the task's session that it has ended or waits; what keeps that from being written fails no task."""
        kind, info = self.registry.get(work.info.kind), work.info
        if self._sessions is None or info.session_id is None or kind is None or not kind.policy.listed:
            return
        try:
            await asyncio.to_thread(tell_session, self._sessions, info, check=again)
        except TradingAgentsError as error:
            logger.warning("Session %s was not told of task %s: %s", info.session_id, info.task_id, error)


def _shown(folder: TaskFolder) -> TaskInfo:
    """Return a task as a list shows it: a damaged one with its error."""
    try:
        return folder.info()
    except UnreadableFile as error:
        return TaskInfo(
            task_id=folder.task_id,
            kind=kind_of(folder.task_id),
            title="damaged",
            status="failed",
            request={},
            created_at=created_at(folder.task_id),
            error=ErrorInfo(code="unreadable_file", message=str(error), exit_code=error.exit_code),
        )


def work_in_worker(settings: str, environ: dict[str, str], task_id: str) -> None:
    """Take a task to its end in this process, which is a worker.

    Args:
        settings: As JSON; their engine is not used.
    """
    asyncio.run(_work_in_worker(Settings.model_validate_json(settings), environ, task_id))


async def _work_in_worker(settings: Settings, environ: dict[str, str], task_id: str) -> None:
    from tradingagents.features.assistant.sessions import ArtifactStore

    local = settings.model_copy(update={"task_engine": "local"})
    sessions, artifacts = SessionStore(local, environ=environ), ArtifactStore(local, environ=environ)
    manager = TaskManager(local, environ, sessions=sessions, artifacts=artifacts)
    try:
        await manager.work_on(task_id)
    finally:
        await manager.close()
        sessions.close()
        artifacts.close()


def _waits(work: TaskWork) -> int:
    """Return how often the task's runs have waited for a person."""
    found, place = 0, 0
    while True:
        events, end = read_events(work.folder.events, place)
        found += sum(event.type == "approval" and event.data.get("waiting") is True for event in events)
        if end == place:
            return found
        place = end


async def _until_ended(folder: TaskFolder, seconds: float) -> None:
    until = asyncio.get_running_loop().time() + seconds
    while folder.info().status not in ENDED and asyncio.get_running_loop().time() < until:
        await asyncio.sleep(0.1)


def _texts(value: Any) -> Any:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for pair in value.items():
            for part in pair:
                yield from _texts(part)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
