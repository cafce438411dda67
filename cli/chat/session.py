"""A conversation in the terminal: messages in, streamed replies out, approvals asked, runs shown, tasks announced."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from tradingagents.errors import Interrupted, TradingAgentsError, UsageError
from tradingagents.runtime.presentation import PrintedRun
from tradingagents.schemas.workspace import (
    ENDED,
    ActionApproval,
    ErrorInfo,
    SessionDefaults,
    SessionInfo,
    TaskInfo,
    ViewContext,
)

from ..run_session import print_run
from .output import ChatOutput, task_line
from .runs import RunView
from .spending import SessionSpending

if TYPE_CHECKING:
    from tradingagents.features.assistant.personas.persona import Persona
    from tradingagents.service.workspace.workspace import Workspace

    from ..console import Terminal

T = TypeVar("T")
FAILED = 1
STOPPED = "Stopped; the conversation continues."
WELCOME = "Ask about stocks and markets. /help lists the commands; Ctrl-C stops an answer, Ctrl-D ends."


@dataclass(frozen=True, kw_only=True)
class ChatOptions:
    """What a conversation begins with."""

    session_id: str | None
    """None begins a new one."""
    day: date | None
    yes: bool
    """Whether actions are approved without asking."""
    message: str | None
    """The first message, after whose answer the command ends, unless it goes on."""
    asks: bool
    """Whether a person sits at stdin."""
    plain: bool = False
    """Whether lines are read and progress is printed without redrawing."""
    goes_on: bool = False
    """Whether the conversation goes on after the message."""

    @property
    def reads_lines(self) -> bool:
        """Whether more is read than the message."""
        return self.message is None or self.goes_on


class LineSource(Protocol):
    """Lines of a person or of a program."""

    async def message(self) -> str | None:
        """Return the next message; None at the end."""

    async def reply(self, question: str) -> str | None:
        """Ask something in between and return the line; None at the end."""

    async def above(self, show: Callable[[], None]) -> None:
        """Print something while a line may be being typed."""

    def interrupted(self) -> bool:
        """Handle a signal that interrupts while a line is awaited; return whether the conversation goes on."""


class ChatSession:
    """One conversation; its commands work on it."""

    def __init__(
        self,
        workspace: Workspace,
        wanted: ChatOptions,
        terminal: Terminal,
        *,
        lines_of: Callable[[ChatSession], LineSource],
        take: Callable[[ChatSession, str], Awaitable[None]],
    ) -> None:
        """Prepare; nothing is opened yet.

        Args:
            workspace: Of the home folder.
            wanted: What the conversation begins with.
            lines_of: Makes the source of lines.
            take: Does what a line asks for.
        """
        self.workspace, self.terminal = workspace, terminal
        self.output, self.spending = ChatOutput(terminal), SessionSpending()
        self.session_id = ""
        self.ended = False
        """Whether the person wants to end it."""
        self._wanted, self._take = wanted, take
        self._lines = lines_of(self)
        self._turn: str | None = None
        """Task of the turn or run that is shown."""
        self._line: asyncio.Future[str | None] | None = None
        """Reading of the newest line, which is done once the line is there."""
        self._answering, self._stop_wanted = False, False
        """Whether a line is being carried out, and whether Ctrl-C was pressed for it before its task was known."""
        self._left = asyncio.Event()
        self._stopping: asyncio.Task[Any] | None = None
        self._watched: dict[str, asyncio.Task[None]] = {}
        self._code = 0

    @property
    def drafts(self) -> bool:
        """Whether answers are shown while they are written, and the screen is redrawn."""
        return self.terminal.live and not (self._wanted.plain or self.terminal.json)

    async def run(self) -> int:
        """Answer messages until the end."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self._interrupt)
        loop.add_signal_handler(signal.SIGTERM, self._left.set)
        async with self.workspace:
            session = await self._open()
            self.session_id = session.session_id
            try:
                await self._converse()
            finally:
                for watcher in self._watched.values():
                    watcher.cancel()
        if not (self.terminal.quiet or self.terminal.json):
            self.output.note(f"Continue with: tradingagents chat --session {self.session_id}")
        if self._left.is_set() and self._turn is not None:
            raise Interrupted("Interrupted; the answer continues at the next start.")
        return self._code

    def personas(self) -> tuple[Persona, ...]:
        """Return the personas of this home folder. Raises PersonaError."""
        from tradingagents.capabilities.registry import registry
        from tradingagents.features.assistant.personas.loader import load_personas

        names = {
            called: capability.name
            for capability in registry().values()
            for called in (capability.name, *capability.aliases)
        }
        return load_personas(self.workspace.settings, names)

    async def answer(self, text: str) -> None:
        """Have the assistant answer a message, and show what happens meanwhile."""
        if self._stop_wanted:
            self.output.note(STOPPED)
            return
        try:
            task = await self.workspace.send_message(self.session_id, text, view=ViewContext(page="terminal"))
        except TradingAgentsError as error:
            self._failed(error)
            return
        self.output.begin()
        with self.output.alive():
            is_shown = await self._shown(task.task_id, self._follow(task.task_id))
        if is_shown:
            await self._turn_ended(text, await self.workspace.task(task.task_id))

    async def run_task(self, kind: str, request: Mapping[str, Any]) -> None:
        """Run a task of this conversation in the foreground: its progress, what it asks, and its answer.

        Raises:
            UsageError: The request is wrong.
        """
        if self._stop_wanted:
            self.output.note(STOPPED)
            return
        task = await self.workspace.start_task(kind, request, session_id=self.session_id)
        self.output.begin()
        view, seen = RunView(self.terminal, task.kind, live=self.drafts), -1
        while True:
            if not await self._shown(task.task_id, view.follow(self._events(task.task_id, seen))):
                return
            seen, task = view.seen, await self.workspace.task(task.task_id)
            if task.status != "awaiting_approval" or not await self._answered(view, task):
                break
        await self._run_ended(view, task)

    async def approve(self, approval_id: str) -> None:
        """Allow an action, and watch the task that it starts."""
        try:
            session = await self.workspace.answer_approval(self.session_id, approval_id, approved=True)
        except TradingAgentsError as error:
            self._failed(error)
            return
        found = next(approval for approval in session.approvals if approval.approval_id == approval_id)
        if found.task_id is not None:
            self.output.note(f"Approved; task {found.task_id} has begun.")
            self._watch(found.task_id)
        else:
            self.output.note(f"Approved; {found.action} is done.")

    async def _open(self) -> SessionInfo:
        """Return the session: a new one, or the one to continue, on the day that was asked for."""
        wanted = self._wanted
        if wanted.session_id is None:
            return await self.workspace.create_session(defaults=SessionDefaults(as_of=wanted.day))
        from .named import conversation_named

        session = await conversation_named(self.workspace, wanted.session_id, wanted.day)
        if wanted.day is not None and wanted.day != session.defaults.as_of:
            defaults = session.defaults.model_copy(update={"as_of": wanted.day})
            session = await self.workspace.update_session(session.session_id, defaults=defaults)
        return session

    async def _converse(self) -> None:
        if self._wanted.message is not None:
            await self._taken(self._wanted.message)
        if not self._wanted.reads_lines:
            return
        if self._wanted.asks and not self.terminal.json:
            self.output.note(WELCOME)
        while not self.ended and (line := await self._unless_left(self._lines.message())) is not None:
            if text := line.strip():
                await self._taken(text)

    async def _taken(self, text: str) -> None:
        self._answering = True
        try:
            await self._take(self, text)
        except TradingAgentsError as error:
            self._failed(error)
        finally:
            self._answering, self._line = False, None

    async def _shown(self, task_id: str, work: Coroutine[Any, Any, None]) -> bool:
        """Show a task until it ends or waits; return False where the conversation ends before."""
        self._turn = task_id
        if self._stop_wanted:  # Ctrl-C came while the task was being started
            self._stop(task_id)
        following = asyncio.ensure_future(work)
        left = asyncio.ensure_future(self._left.wait())
        await asyncio.wait((following, left), return_when=asyncio.FIRST_COMPLETED)
        left.cancel()
        if not following.done():
            following.cancel()
            await asyncio.wait((following,))
            return False
        following.result()
        self._turn = None
        return True

    async def _unless_left(self, line: Coroutine[Any, Any, str | None]) -> str | None:
        """Return the line; None where the conversation ends before."""
        self._line, self._stop_wanted = (reading := asyncio.ensure_future(line)), False
        left = asyncio.ensure_future(self._left.wait())
        await asyncio.wait((reading, left), return_when=asyncio.FIRST_COMPLETED)
        left.cancel()
        if reading.done():
            return reading.result()
        reading.cancel()
        await asyncio.wait((reading,))
        return None

    async def _follow(self, task_id: str) -> None:
        async for event in self.workspace.task_events(task_id):
            self.output.event(event)
            started = event.data.get("task_id") if event.type == "tool_end" else None
            if isinstance(started, str):
                self._watch(started)

    def _events(self, task_id: str, after: int) -> AsyncIterator[Any]:
        return self.workspace.task_events(task_id, after=after)

    async def _turn_ended(self, text: str, task: TaskInfo) -> None:
        """Show how a turn ended, and ask for what waits."""
        session = await self.workspace.session(self.session_id)
        waiting = [approval for approval in session.approvals if approval.status == "waiting"]
        approved = [approval.approval_id for approval in waiting if await self._allowed(approval)]
        if self.terminal.json:
            self.output.as_json(
                session, text, task, [approval for approval in waiting if approval.approval_id not in approved]
            )
        else:
            self.output.end(task)
        self._tell_end(task)
        for approval_id in approved:
            await self.approve(approval_id)

    async def _run_ended(self, view: RunView, task: TaskInfo) -> None:
        """Print the answer of a run, or why there is none."""
        card = await self.workspace.run(task.run_ids[-1]) if task.status == "done" and task.run_ids else None
        if self.terminal.json:
            self.terminal.print_json({"session_id": self.session_id, **task.model_dump(mode="json")})
        elif card is not None:
            page = self.workspace.settings.home_dir / "runs" / task.run_ids[-1] / "reports" / "report.html"
            view.print_answer(card, page)
        elif isinstance(answer := (task.result or {}).get("answer"), str):  # answered without a run of its own
            print_run(self.terminal, PrintedRun(text=answer))
        elif task.status == "awaiting_approval":
            self.output.note(f"It waits: {view.question(task).rstrip('.')}. {view.how_to_answer(task)}")
        self._tell_end(task)

    def _tell_end(self, task: TaskInfo) -> None:
        error: ErrorInfo | None = task.error
        if task.status == "cancelled":
            self.output.note(STOPPED)
        elif error is not None:
            self._code = error.exit_code or FAILED
            self.terminal.print_error(error.message)

    async def _answered(self, view: RunView, task: TaskInfo) -> bool:
        """Ask what a run asks, until its answer can be used; False where nobody answers."""
        while not (self.terminal.json or not self._wanted.asks or self._left.is_set() or self._stop_wanted):
            self.output.lines([view.question(task)])
            text = await self._unless_left(self._lines.reply("answer> "))
            if text is None or (view.needs_words and not text.strip()):
                return False
            try:
                await self.workspace.resume_task(task.task_id, {"verdict": "approve", "note": text.strip()})
            except UsageError as wrong:
                self.terminal.print_error(str(wrong))
            else:
                return True
        return False

    async def _allowed(self, approval: ActionApproval) -> bool:
        """Ask the person whether an action may begin; without a person, only --yes allows it."""
        if self._wanted.yes:
            return True
        if self.terminal.json or not self._wanted.asks or self._left.is_set():
            self.output.waiting(approval)
            return False
        self.output.ask(approval)
        line = await self._unless_left(self._lines.reply("Allow it? [y/N] "))
        return line is not None and line.strip().lower() in ("y", "yes")

    def _watch(self, task_id: str) -> None:
        """Say when a task has ended, whatever is happening then."""
        if task_id not in self._watched:
            self._watched[task_id] = asyncio.ensure_future(self._announce(task_id))

    async def _announce(self, task_id: str) -> None:
        with suppress(TradingAgentsError):  # it was deleted meanwhile
            async for _ in self.workspace.task_events(task_id):
                pass
            task = await self.workspace.task(task_id)
            if task.status in ENDED or task.status == "awaiting_approval":
                await self._lines.above(lambda: self.output.note(task_line(task)))

    def _failed(self, error: TradingAgentsError) -> None:
        """Report an error; only a conversation with a person continues after it."""
        if not self._wanted.asks or not self._wanted.reads_lines:
            raise error
        self.terminal.print_error(str(error))
        self._code = error.exit_code

    def _interrupt(self) -> None:
        """Handle Ctrl-C: stop the answer; at the prompt drop the line, and end the conversation without a person."""
        if self._turn is not None and not self.output.stopping:
            self._stop(self._turn)
        elif self._turn is None and self._is_carrying_out and not self._stop_wanted:
            self._stop_wanted = True
        elif self._turn is not None or not self._lines.interrupted():
            self._left.set()

    @property
    def _is_carrying_out(self) -> bool:
        """Whether a line was read and is not yet carried out, and no other line is awaited meanwhile."""
        return self._answering if self._line is None else self._line.done()

    def _stop(self, task_id: str) -> None:
        self.output.stopping, self._stop_wanted = True, False
        self._stopping = asyncio.ensure_future(self.workspace.cancel_task(task_id))
