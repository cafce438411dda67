"""A conversation in the terminal: messages in, streamed replies out, approvals asked, tasks announced."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from tradingagents.errors import Interrupted, TradingAgentsError, UsageError
from tradingagents.schemas.workspace import (
    ENDED,
    ActionApproval,
    ErrorInfo,
    SessionDefaults,
    SessionInfo,
    TaskInfo,
    ViewContext,
)

from .chat_output import ChatOutput, task_line

if TYPE_CHECKING:
    from tradingagents.settings import Settings
    from tradingagents.workspace.workspace import Workspace

    from .console import Terminal

HELP = """\
/help          this list
/sessions      the latest conversations
/tasks         the tasks of this conversation
/approve [ID]  allow what the assistant asked for; without an id, everything that waits
/quit          end; the conversation can be continued with --session"""
LEAVE = ("/quit", "/exit", "exit", "quit", ":q")
FAILED = 1


@dataclass(frozen=True, kw_only=True)
class ChatOptions:
    """What a conversation begins with."""

    session_id: str | None
    """None begins a new one."""
    day: date | None
    yes: bool
    """Whether actions are approved without asking."""
    message: str | None
    """One message, after whose answer the command ends."""
    asks: bool
    """Whether a person sits at stdin."""


def chat_with(settings: Settings, environ: Mapping[str, str], wanted: ChatOptions, terminal: Terminal) -> int:
    """Hold a conversation until its end; return the exit code.

    Raises:
        NotFound: There is no session of that id.
        TradingAgentsError: The only message could not be answered.
    """
    with terminal.loading():
        from tradingagents.workspace.workspace import Workspace

        workspace = Workspace(settings, environ, face="cli")
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        return asyncio.run(_Chat(workspace, wanted, terminal).run())
    finally:
        # A closed event loop restores the system's own handlers, which would end the process without a message.
        for number, handler in before.items():
            signal.signal(number, handler)


class _Chat:
    """One conversation."""

    def __init__(self, workspace: Workspace, wanted: ChatOptions, terminal: Terminal) -> None:
        self._workspace, self._wanted, self._terminal = workspace, wanted, terminal
        self._output = ChatOutput(terminal)
        self._lines = _InputLines()
        self._session_id = ""
        self._turn: str | None = None
        """Task of the turn that is running."""
        self._left = asyncio.Event()
        self._watched: dict[str, asyncio.Task[None]] = {}
        self._code = 0

    async def run(self) -> int:
        """Answer messages until the end."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self._interrupt)
        loop.add_signal_handler(signal.SIGTERM, self._left.set)
        async with self._workspace:
            session = await self._open()
            self._session_id = session.session_id
            try:
                await self._converse()
            finally:
                for watcher in self._watched.values():
                    watcher.cancel()
        if not (self._terminal.quiet or self._terminal.json):
            self._output.note(f"Continue with: tradingagents chat --session {self._session_id}")
        if self._left.is_set() and self._turn is not None:
            raise Interrupted("Interrupted; the answer continues at the next start.")
        return self._code

    async def _open(self) -> SessionInfo:
        """Return the session: a new one, or the one to continue, on the day that was asked for."""
        wanted = self._wanted
        if wanted.session_id is None:
            return await self._workspace.create_session(defaults=SessionDefaults(as_of=wanted.day))
        session = await self._workspace.session(wanted.session_id)
        if wanted.day is not None and wanted.day != session.defaults.as_of:
            defaults = session.defaults.model_copy(update={"as_of": wanted.day})
            session = await self._workspace.update_session(session.session_id, defaults=defaults)
        return session

    async def _converse(self) -> None:
        if self._wanted.message is not None:
            await self._answer(self._wanted.message)
            return
        while (line := await self._next_line()) is not None:
            text = line.strip()
            if text.lower() in LEAVE:
                return
            if text.startswith("/"):
                await self._command(*text[1:].split(maxsplit=1))
            elif text:
                await self._answer(text)

    async def _next_line(self) -> str | None:
        """Return the next line of stdin; None at its end, and after Ctrl-C."""
        if self._wanted.asks:
            self._output.prompt()
        line = asyncio.ensure_future(self._lines.next())
        left = asyncio.ensure_future(self._left.wait())
        await asyncio.wait((line, left), return_when=asyncio.FIRST_COMPLETED)
        left.cancel()
        return line.result() if line.done() else None

    async def _answer(self, text: str) -> None:
        """Have a message answered, and show what happens meanwhile."""
        workspace, session_id = self._workspace, self._session_id
        try:
            task = await workspace.send_message(session_id, text, view=ViewContext(page="terminal"))
        except TradingAgentsError as error:
            self._failed(error)
            return
        self._turn = task.task_id
        self._output.begin()
        following = asyncio.ensure_future(self._follow(task.task_id))
        left = asyncio.ensure_future(self._left.wait())
        await asyncio.wait((following, left), return_when=asyncio.FIRST_COMPLETED)
        left.cancel()
        if not following.done():
            following.cancel()
            return
        ended = await workspace.task(task.task_id)
        self._turn = None
        await self._ended(text, ended)

    async def _follow(self, task_id: str) -> None:
        async for event in self._workspace.task_events(task_id):
            self._output.event(event)
            started = event.data.get("task_id") if event.type == "tool_end" else None
            if isinstance(started, str):
                self._watch(started)

    async def _ended(self, text: str, task: TaskInfo) -> None:
        """Show how a turn ended, and ask for what waits."""
        error: ErrorInfo | None = task.error
        session = await self._workspace.session(self._session_id)
        waiting = [one for one in session.approvals if one.status == "waiting"]
        approved = [one.approval_id for one in waiting if await self._allowed(one)]
        if self._terminal.json:
            self._output.as_json(session, text, task, [one for one in waiting if one.approval_id not in approved])
        else:
            self._output.end(task)
        if task.status == "cancelled":
            self._output.note("Stopped; the conversation continues.")
        elif error is not None:
            self._code = error.exit_code or FAILED
            self._terminal.print_error(error.message)
        for approval_id in approved:
            await self._approve(approval_id)

    async def _allowed(self, approval: ActionApproval) -> bool:
        """Ask the person whether an action may begin; without a person, only --yes allows it."""
        if self._wanted.yes:
            return True
        if self._terminal.json or not self._wanted.asks or self._left.is_set():
            self._output.waiting(approval)
            return False
        self._output.ask(approval)
        line = await self._lines.next()
        return line is not None and line.strip().lower() in ("y", "yes")

    async def _approve(self, approval_id: str) -> None:
        try:
            session = await self._workspace.answer_approval(self._session_id, approval_id, approved=True)
        except TradingAgentsError as error:
            self._failed(error)
            return
        found = next(one for one in session.approvals if one.approval_id == approval_id)
        if found.task_id is not None:
            self._output.note(f"Approved; task {found.task_id} has begun.")
            self._watch(found.task_id)
        else:
            self._output.note(f"Approved; {found.action} is done.")

    def _watch(self, task_id: str) -> None:
        """Say when a task has ended, whatever is happening then."""
        if task_id not in self._watched:
            self._watched[task_id] = asyncio.ensure_future(self._announce(task_id))

    async def _announce(self, task_id: str) -> None:
        with suppress(TradingAgentsError):  # it was deleted meanwhile
            async for _ in self._workspace.task_events(task_id):
                pass
            task = await self._workspace.task(task_id)
            if task.status in ENDED or task.status == "awaiting_approval":
                self._output.note(task_line(task))

    async def _command(self, name: str = "help", argument: str = "") -> None:
        """Run a line that begins with a slash."""
        try:
            if name == "sessions":
                self._output.sessions(await self._workspace.sessions(limit=20), self._session_id)
            elif name == "tasks":
                tasks = await self._workspace.tasks(session_id=self._session_id)
                self._output.lines([task_line(one) for one in tasks] or ["No task was started here yet."])
            elif name == "approve":
                await self._approve_waiting(argument.strip())
            else:
                self._output.lines(HELP.splitlines() if name == "help" else [f"There is no /{name}.", HELP])
        except TradingAgentsError as error:
            self._failed(error)

    async def _approve_waiting(self, approval_id: str) -> None:
        session = await self._workspace.session(self._session_id)
        waiting = [one.approval_id for one in session.approvals if one.status == "waiting"]
        chosen = [one for one in waiting if approval_id in ("", one)]
        if not chosen:
            raise UsageError("Nothing waits for an approval here." if not waiting else f"Not waiting: {approval_id}.")
        for one in chosen:
            await self._approve(one)

    def _failed(self, error: TradingAgentsError) -> None:
        """Report an error; only a conversation with a person continues after it."""
        if not self._wanted.asks or self._wanted.message is not None:
            raise error
        self._terminal.print_error(str(error))
        self._code = error.exit_code

    def _interrupt(self) -> None:
        """Handle Ctrl-C: stop the answer; where none is given, or at the second time, end the conversation."""
        if self._turn is None or self._output.stopping:
            self._left.set()
            return
        self._output.stopping = True
        self._stop = asyncio.ensure_future(self._workspace.cancel_task(self._turn))


class _InputLines:
    """Lines of stdin, read by a thread of its own, so that the event loop can end while it waits."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._thread: threading.Thread | None = None
        self._wanted = threading.Semaphore(0)

    async def next(self) -> str | None:
        """Return the next line; None at the end."""
        if self._thread is None:
            loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._read, args=(loop,), name="stdin", daemon=True)
            self._thread.start()
        self._wanted.release()
        return await self._queue.get()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        while True:
            self._wanted.acquire()
            line: str | None = sys.stdin.readline() or None
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._queue.put_nowait, line)
            if line is None:
                return
