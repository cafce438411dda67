"""What is shown on stderr of one run while it works, as its kind declares: a list of tasks, statements, or lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TypeAlias

from tradingagents.events import Event
from tradingagents.runtime.presentation import EventLines, Progress, Statements, TaskList

from .research_display import Happening, ResearchDisplay
from .text import clean, one_line

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


RULE = "━" * 46
SIDES = ("bull", "bear")
HEADINGS = {"opening": "Opening statement", "rebuttal": "Rebuttal", "verdict": "Verdict"}
STYLES = {"bull": "green", "bear": "red"}


class DebateDisplay:
    """Takes in a debate's events and prints what they mean."""

    def __init__(self, console: Console, *, framed: bool) -> None:
        """Set the console; nothing is printed yet.

        Args:
            framed: Whether statements are shown in frames, as Markdown; otherwise as lines.
        """
        self._console, self._framed = console, framed
        self._gathered: dict[str, Mapping[str, Any]] = {}
        self._openings: dict[str, Event] = {}
        self._begun: set[str] = set()

    def __call__(self, event: Event) -> None:
        """Take in an event."""
        if event.type == "run_start" and "rounds" in event.data:
            rounds = event.data["rounds"]
            about = f"Debate on {event.data['ticker']} as of {event.data['trade_date']}"
            self._line(f"{about}: {rounds} rebuttal{'s' if rounds > 1 else ''} a side", "bold")
        elif event.type == "node_end" and event.step == "research":
            self._gathered[event.data["side"]] = event.data
            if len(self._gathered) == len(SIDES):
                self._show_evidence()
        elif event.type == "debate_turn":
            self._turn(event)
        elif event.type == "approval" and event.data.get("side"):
            self._line(one_line(event.message), "cyan")
        elif event.type == "warning":
            self._line(f"warning: {one_line(event.message)}", "yellow")

    def _show_evidence(self) -> None:
        self._line("Gathering evidence...", "bold")
        self._line(RULE)
        for side in SIDES:
            titles = self._gathered[side]["titles"]
            self._line(f"  ✓ {side}: {len(titles)} answers")
            for title in titles:
                self._line(f"      {one_line(title)}", "dim")
        self._line(RULE)

    def _turn(self, event: Event) -> None:
        """Show a statement; openings, which are made in parallel, once both are there. The verdict is the result."""
        if event.data["statement"] == "verdict":
            return
        if event.data["statement"] != "opening":
            self._statement(event)
            return
        self._openings[event.data["side"]] = event
        if len(self._openings) == len(SIDES):
            for side in SIDES:
                self._statement(self._openings[side])

    def _statement(self, event: Event) -> None:
        side, text = event.data["side"], clean(event.data["text"])
        number = f" {event.data['round']}" if event.data.get("round") else ""
        title = f"{HEADINGS[event.data['statement']]}{number} of the {side}"
        if self._framed:
            from rich.markdown import Markdown
            from rich.panel import Panel

            self._console.print(Panel(Markdown(text), title=title, border_style=STYLES[side], title_align="left"))
            return
        self._line(title, "bold")
        self._line(RULE)
        for line in text.splitlines():
            self._line(line)
        self._line(RULE)

    def _line(self, text: str, style: str = "") -> None:
        if text:
            self._console.print(text, style=style or None, markup=False, soft_wrap=True, highlight=False)
