"""What is shown on stderr of one run while it works, as its kind declares: a list of tasks, statements, or lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TypeAlias

from tradingagents.runtime.presentation import EventLines, Progress, Statements, TaskList

from .debate_display import DebateDisplay
from .research_display import Happening, ResearchDisplay
from .text import one_line

if TYPE_CHECKING:
    from rich.console import Console

Display: TypeAlias = AbstractContextManager[Callable[[Any], None]]
LINES = EventLines()


def display_of(
    progress: Progress, console: Console, *, redraws: bool, earlier: Iterable[Mapping[str, Any]] = ()
) -> Display:
    """Return the display of a run; as a context manager it gives what takes in events.

    Args:
        progress: What the kind declares.
        console: Where it is shown.
        redraws: Whether the screen may be redrawn, and text be framed.
        earlier: Events of earlier starts of the run.
    """
    if isinstance(progress, TaskList):
        tasks = ResearchDisplay(console, live=redraws, words=progress)
        tasks.recall(earlier)
        return tasks
    if isinstance(progress, Statements):
        return nullcontext(DebateDisplay(console, framed=redraws))
    return nullcontext(LineDisplay(console, progress if isinstance(progress, EventLines) else LINES))


class LineDisplay:
    """Prints an event as one line."""

    def __init__(self, console: Console, lines: EventLines) -> None:
        """Set where lines are printed, and of what."""
        self._console, self._lines = console, lines

    def __call__(self, event: Happening) -> None:
        """Print an event that is worth a line."""
        lines = self._lines
        if event.type not in lines.words:
            return
        said = one_line(event.message)
        if lines.longest is not None and len(said) > lines.longest:
            said = f"{said[: lines.longest]} …"
        word = lines.words[event.type]
        style = lines.style or ("yellow" if event.type == "warning" else None)
        self._console.print(f"{word}: {said}" if word else said, style=style, markup=False, soft_wrap=True)
