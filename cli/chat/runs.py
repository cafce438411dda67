"""Shows a run that a conversation has started: its progress, what it asks, its answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tradingagents.runtime.presentation import AgentGrid, HintsPause, Progress, Statements, pause_of, printed_answer
from tradingagents.runtime.registry import built_in_kinds, record_of

from ..run_display import display_of
from ..run_session import print_run

if TYPE_CHECKING:
    from tradingagents.schemas.workspace import TaskEvent, TaskInfo

    from ..console import Terminal


class RunView:
    """One run of a conversation on a terminal."""

    def __init__(self, terminal: Terminal, kind: str, *, live: bool) -> None:
        """Prepare to show a run.

        Args:
            kind: The kind of task.
            live: Whether the screen may be redrawn.
        """
        self._terminal, self._live = terminal, live
        self._kind = next((known for known in built_in_kinds().values() if known.task == kind), None)
        """None for a task that is no run of one kind."""
        self._question = ""
        self.seen = -1
        """Number of the last event."""

    async def follow(self, events: AsyncIterator[TaskEvent]) -> None:
        """Show events until the run ends or waits."""
        silent = self._terminal.quiet or self._terminal.json
        with display_of(self._progress, self._terminal.err, redraws=self._live) as display:
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

    @property
    def needs_words(self) -> bool:
        """Whether an empty line is no answer to what a run asks."""
        return self._kind is None or pause_of(self._kind.pauses, HintsPause) is None

    def print_answer(self, card: Mapping[str, Any], page: Path) -> None:
        """Print the answer of a run.

        Args:
            page: Where its page is, if it has one.
        """
        here = {"paths": {"html": str(page)} if page.is_file() else {}, "error": card.get("error") or ""}
        record = record_of({**card, **here})
        kind = None if isinstance(self._progress, AgentGrid) else self._kind
        print_run(self._terminal, printed_answer(record) if kind is None else kind.printed(record))

    @property
    def _progress(self) -> Progress:
        return Statements() if self._kind is None else self._kind.progress
