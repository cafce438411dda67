"""Shows a run that a conversation has started: its progress, what it asks, its answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from ..research_display import COMPARING, ResearchDisplay
from ..research_session import print_answer
from ..text import clean

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
        with self._look.display(self._terminal.err, self._live) as display:
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
        return self._look.needs_words

    def print_answer(self, card: Mapping[str, Any], page: Path) -> None:
        """Print the answer of a run.

        Args:
            page: Where its page is, if it has one.
        """
        found = {**card, "paths": {"html": str(page)} if page.is_file() else {}}
        self._look.show(self._terminal, found)

    @property
    def _look(self) -> RunLook:
        return LOOKS.get(self._kind, RESEARCH)


@dataclass(frozen=True)
class RunLook:
    """How a kind of run is shown."""

    display: Callable[[Console, bool], Display]
    """Makes its display; whether the screen may be redrawn."""
    show: Callable[[Terminal, Mapping[str, Any]], None] = print_answer
    """Prints its answer from its card."""
    needs_words: bool = True


def _research(console: Console, live: bool) -> Display:
    return ResearchDisplay(console, live=live)


def _compare(console: Console, live: bool) -> Display:
    return ResearchDisplay(console, live=live, words=COMPARING)


def _debate(console: Console, live: bool) -> Display:
    from ..debate_display import DebateDisplay

    return nullcontext(DebateDisplay(console, framed=live))


def _print_debate(terminal: Terminal, card: Mapping[str, Any]) -> None:
    from tradingagents.features.debate.report import debate_summary
    from tradingagents.reports.render.markdown import to_markdown

    terminal.print_text(clean(to_markdown(debate_summary(cast(Any, card)))))
    if page := card["paths"].get("html"):
        terminal.err.print(f"Page: {page}", markup=False, soft_wrap=True)


RESEARCH = RunLook(_research)
LOOKS: Mapping[str, RunLook] = {
    "research": RESEARCH,
    "compare": RunLook(_compare),
    "debate": RunLook(_debate, _print_debate, needs_words=False),
    "run_question": RunLook(_debate),
}
"""By the kind of task."""
