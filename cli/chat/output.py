"""What a conversation shows in the terminal: replies on stdout; tools, memos, approvals and tasks on stderr."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tradingagents.schemas.workspace import ActionApproval, SessionInfo, TaskEvent, TaskInfo

from ..heartbeat import QUIET_SECONDS, Heartbeat
from ..text import clean, one_line

if TYPE_CHECKING:
    from ..console import Terminal

WIDTH = 100
_CONTROL = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)))
"""Control characters but tab and newline; dropped one by one, for a piece may end within an escape sequence."""


class ChatOutput:
    """Writes a conversation to a terminal.

    A reply appears while it is written where a person reads along. Elsewhere it is printed once it is stored: text that
    the model is asked to write again cannot be taken back from a file or a pipe.
    """

    def __init__(self, terminal: Terminal) -> None:
        """Begin with nothing shown."""
        self._terminal = terminal
        self._heartbeat: Heartbeat | None = None
        self._since = time.monotonic()
        self._told: dict[str, list[Any]] = {}
        self._streamed, self._line_open = -1, False
        self.stopping = False
        """Whether the answer is being stopped."""

    def begin(self) -> None:
        """Begin a turn."""
        self._told = {"tools": [], "memos": [], "tasks": []}
        self._streamed, self._line_open, self.stopping = -1, False, False

    @contextmanager
    def alive(self, *, quiet: float = QUIET_SECONDS) -> Iterator[None]:
        """Say during a turn what is waited for while nothing else is said, where no reply appears as it is written.

        Args:
            quiet: Seconds without a line after which it is said.
        """
        if self._terminal.quiet or self._terminal.json or self._terminal.out.is_terminal:
            yield
            return
        self._since = time.monotonic()
        with Heartbeat(self._beat, quiet=quiet) as self._heartbeat:
            yield
        self._heartbeat = None

    def event(self, event: TaskEvent) -> None:
        """Show an event of a turn."""
        data = event.data
        if event.type != "message":
            self._since = time.monotonic()
        if event.type == "message" and not self._terminal.out.is_terminal:
            return
        if event.type == "message" and "delta" in data:
            self._piece(str(data["delta"]), int(data.get("part", 0)))
        elif event.type == "message":
            self._whole(str(data.get("text", "")), int(data.get("part", 0)))
        elif event.type == "retry":
            self._end_line()
            self._dim(f"· {event.message}")
        elif event.type == "warning" and data.get("from_memory"):
            self._end_line()
            self._dim(f"! {event.message}")
        elif event.type == "tool_end":
            self._told["tools"].append(
                {"tool": data.get("tool"), "args": data.get("args"), "status": data.get("status")}
            )
            if data.get("task_id"):
                self._told["tasks"].append(data["task_id"])
            if not str(data.get("tool", "")).startswith("consult_") or data.get("status") == "error":
                asked = ", ".join(f"{name}={value}" for name, value in (data.get("args") or {}).items())
                sign = "✗" if data.get("status") == "error" else "·"
                self._end_line()
                self._dim(f"{sign} {data.get('tool')}({asked}) → {event.message}")
        elif event.type == "memo":
            self._told["memos"].append(data)
            self._end_line()
            self._card(data)

    def end(self, task: TaskInfo) -> None:
        """End a turn: the reply is complete."""
        reply = (task.result or {}).get("reply")
        if self._streamed < 0 and reply:
            self._write(clean(str(reply)))
        self._end_line()
        cost = (task.result or {}).get("cost_usd")
        if cost and not self._terminal.quiet:
            self._dim(f"· {cost:.4f} USD")

    def as_json(self, session: SessionInfo, text: str, task: TaskInfo, waiting: Sequence[ActionApproval]) -> None:
        """Print a turn as one object."""
        result = task.result or {}
        self._terminal.print_json(
            {
                "session_id": session.session_id,
                "message": text,
                "status": task.status,
                "reply": result.get("reply"),
                "tools": self._told["tools"],
                "memos": self._told["memos"],
                "tasks": self._told["tasks"],
                "approvals": [approval.model_dump(mode="json") for approval in waiting],
                "cost_usd": result.get("cost_usd"),
                "error": task.error.model_dump(mode="json") if task.error else None,
            }
        )

    def ask(self, approval: ActionApproval) -> None:
        """Show the action that may begin, and why a person is asked."""
        self._end_line()
        self.lines([_action(approval), one_line(approval.reason)])

    def waiting(self, approval: ActionApproval) -> None:
        """Say that an action waits and how it is allowed."""
        if not self._terminal.json:
            self.note(f"Waits for approval: {_action(approval)} (/approve {approval.approval_id}, or --yes)")

    def note(self, text: str) -> None:
        """Print a line about the conversation."""
        if not self._terminal.quiet:
            self._end_line()
            self._dim(text)

    def lines(self, lines: Sequence[str]) -> None:
        """Print the answer of a command."""
        for line in lines:
            self._terminal.err.print(clean(line), markup=False, highlight=False, soft_wrap=True)

    def sessions(self, sessions: Sequence[SessionInfo], current: str) -> None:
        """List conversations."""
        self.lines(
            [
                f"{'*' if session.session_id == current else ' '} {session.session_id}  "
                f"{session.updated_at:%Y-%m-%d %H:%M}  {one_line(session.title)[:60]}"
                for session in sessions
            ]
        )

    def _piece(self, delta: str, part: int) -> None:
        if self._terminal.json:
            return
        if part != self._streamed:
            self._end_line()
            self._streamed = part
        self._write(delta.translate(_CONTROL))

    def _whole(self, text: str, part: int) -> None:
        """Complete a part that was not streamed."""
        if self._terminal.json or part == self._streamed or not text:
            return
        self._end_line()
        self._streamed = part
        self._write(clean(text))

    def _write(self, text: str) -> None:
        self._terminal.out.file.write(text)
        self._terminal.out.file.flush()
        self._line_open = not text.endswith("\n")

    def _end_line(self) -> None:
        if self._line_open:
            self._write("\n")

    def _dim(self, text: str) -> None:
        if not (self._terminal.quiet or self._terminal.json):
            from rich.text import Text

            self._terminal.err.print(Text(one_line(text), style="dim"), soft_wrap=True)
            if self._heartbeat is not None:
                self._heartbeat.said()

    def _beat(self) -> None:
        self._dim(f"· waiting for the answer, {time.monotonic() - self._since:.0f} s")

    def _card(self, memo: dict[str, Any]) -> None:
        """Show a memo as a small card."""
        if self._terminal.quiet or self._terminal.json:
            return
        from rich.panel import Panel
        from rich.text import Text

        from tradingagents.schemas.memo import memo_sureness

        lines = [clean(str(memo.get("thesis", "")))]
        lines += [f"+ {one_line(str(evidence))}" for evidence in memo.get("key_evidence", ())]
        lines += [f"- {one_line(str(risk))}" for risk in memo.get("risks", ())]
        lines += [f"! {one_line(str(memo[name]))}" for name in ("confidence_note", "fit_note") if memo.get(name)]
        sure = memo_sureness(memo.get("confidence", 0), by_rules=memo.get("by_rules", False))
        heading = f"{memo.get('title')}: {memo.get('stance')}, {sure}"
        width = min(WIDTH, self._terminal.err.width)
        self._terminal.err.print(Panel(Text("\n".join(lines)), title=Text(one_line(heading)), width=width))


def task_line(task: TaskInfo) -> str:
    """Return how a task stands, in a line."""
    result = task.result or {}
    action = f": {result['action']}" if isinstance(result.get("action"), str) else ""
    error = f": {task.error.message}" if task.error else ""
    return f"Task {task.task_id} ({task.kind}, {task.title}) is {task.status.replace('_', ' ')}{action}{error}"


def _action(approval: ActionApproval) -> str:
    given = ", ".join(f"{name}={value}" for name, value in approval.arguments.items())
    return one_line(f"{approval.action}({given})")
