"""Shows a run that a conversation has started: its progress, what it asks, its answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from ..research_display import ResearchDisplay
from ..research_session import print_answer

if TYPE_CHECKING:
    from rich.console import Console

    from tradingagents.schemas.workspace import TaskEvent, TaskInfo

    from ..console import Terminal

Display: TypeAlias = AbstractContextManager[Callable[[Any], None]]


class RunView:
    """One run of a conversation on a terminal."""

    def __init__(self, terminal: Terminal, kind: str, *, live: bool) -> None:
        """Prepare to show a run.

        Args:
            terminal: Where to print.
            kind: The kind of task.
            live: Whether the screen may be redrawn.
        """
        self._terminal, self._kind, self._live = terminal, kind, live
        self._question = ""
        self.seen = -1
        """Number of the last event."""

    async def follow(self, events: AsyncIterator[TaskEvent]) -> None:
        """Show events until the run ends or waits."""
        silent = self._terminal.quiet or self._terminal.json
        with LOOKS.get(self._kind, RESEARCH).display(self._terminal.err, self._live) as display:
            async for event in events:
                self.seen = event.seq
                if event.run_id is None:  # of the task itself: how it stands
                    self._question = event.message
                elif not silent:
                    display(event)

    def question(self, task: TaskInfo) -> str:
        """Return what a run that waits asks."""
        return self._question.partition(";")[0] or f"{task.title} waits for you."

    def how_to_answer(self, task: TaskInfo) -> str:
        """Return how a run that waits is answered later."""
        return f"Answer with: tradingagents tasks resume {task.task_id} --verdict approve --note TEXT"

    def print_answer(self, card: Mapping[str, Any]) -> None:
        """Print the answer of a run from its card."""
        print_answer(self._terminal, card, LOOKS.get(self._kind, RESEARCH).report)


@dataclass(frozen=True)
class RunLook:
    """How a kind of run is shown."""

    display: Callable[[Console, bool], Display]
    """Makes its display; whether the screen may be redrawn."""
    report: str
    """Which of its reports is the answer."""


def _research(console: Console, live: bool) -> Display:
    return ResearchDisplay(console, live=live)


RESEARCH = RunLook(_research, "answer")
LOOKS: Mapping[str, RunLook] = {"research": RESEARCH}
"""By the kind of task."""
