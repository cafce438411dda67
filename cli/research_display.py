"""Shows a research run on a terminal as it happens: the plan before it runs, tasks, reflections, the answer in draft.

With `--plain`, and where the terminal cannot redraw, each change is a line. Otherwise the list of tasks is redrawn, and
the answer appears while the model writes it. That draft is not checked yet: it disappears when the answer is complete,
which is then printed with its figures checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from .text import clean, one_line

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.live import Live
    from rich.text import Text

    from tradingagents.runtime.presentation import TaskList

RULE = "━" * 46
MARKS = {"completed": "✓", "running": "◐", "pending": "○", "failed": "✗", "skipped": "-"}
"""Marks of tasks by status."""
STYLES = {"completed": "green", "running": "cyan", "failed": "red", "skipped": "yellow"}
FRAMES_A_SECOND = 8
DRAFT_CHARS = 4000
"""Final characters of a draft that are wrapped for a frame."""
LINES_AROUND = 3
"""Lines of a frame that are not the draft's."""
NARROWEST = 20
"""Columns below which text is not set in a column of its own."""
WRITING = "Writing the answer (draft, figures not checked yet)"
PLANNING = "Planning"
LOOKING_UP = "Looking up the figures"
_CONTROL = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)))


class Happening(Protocol):
    """An event of a run, or of the task that runs it."""

    @property
    def type(self) -> str:
        """Its type."""

    @property
    def message(self) -> str:
        """One line for the user."""

    @property
    def node(self) -> str | None:
        """The agent or step that caused it."""

    @property
    def data(self) -> Mapping[str, Any]:
        """Its details."""


class ResearchDisplay:
    """Takes in a run's events and prints what they mean; use it as a context manager."""

    def __init__(self, console: Console, *, live: bool, words: TaskList) -> None:
        """Set the console; nothing is printed yet.

        Args:
            live: Whether the screen may be redrawn.
            words: What the steps are called.
        """
        self._console, self._redraw, self._words = console, live, words
        self._tasks: dict[str, dict[str, str]] = {}
        self._live: Live | None = None
        self._executing = False
        """Whether tasks are being carried out."""
        self._doing = words.first
        self._draft = ""

    def __enter__(self) -> ResearchDisplay:
        self._begin_live()
        return self

    def __exit__(self, *_: object) -> None:
        self._end_tasks()
        self._end_live()

    def __call__(self, event: Happening) -> None:
        """Take in an event."""
        handler = {"plan": self._plan, "task": self._task, "reflection": self._reflection}.get(event.type)
        if handler is not None:
            handler(event.data)
        elif event.type == "token":
            if event.node in self._words.writers:
                self._draft += event.message.translate(_CONTROL)
        elif event.type == "retry":
            self._draft = "" if event.node in self._words.writers else self._draft
        elif event.type == "analysis":
            self._doing = PLANNING
        elif event.type == "progress" and event.data.get("runs"):  # what the session has found before
            self._line(one_line(event.message), "dim")
        elif event.type == "warning":
            self._line(f"warning: {one_line(event.message)}", "yellow")

    def recall(self, events: Iterable[Mapping[str, Any]]) -> None:
        """Take in the log of the earlier starts of a run: its plan, and the tasks that have ended. Prints nothing."""
        for event in events:
            data = event.get("data") or {}
            if event.get("type") == "plan":
                self._take_plan(data["plan"])
            elif event.get("type") == "task" and data.get("task_id") in self._tasks and data["status"] != "running":
                self._tasks[data["task_id"]].update(status=data["status"], note=data.get("note") or "")

    def _plan(self, data: Mapping[str, Any]) -> None:
        plan = data["plan"]
        if data.get("edited"):
            self._line("Plan as edited:", "bold")
        elif data["iteration"] == 1:
            self._line(self._words.heading, "bold")
        self._doing = PLANNING
        if plan["is_simple_query"] or not plan["tasks"]:
            return
        self._rule()
        self._line("Tasks:")
        for task in plan["tasks"]:
            after = ", ".join(name.removeprefix("task_") for name in task["depends_on"])
            number = task["id"].removeprefix("task_")
            self._hanging(f"  [{number}] ", f"{one_line(task['description'])}{f' (depends: {after})' if after else ''}")
        self._rule()
        self._take_plan(plan)

    def _take_plan(self, plan: Mapping[str, Any]) -> None:
        self._tasks = {
            task["id"]: {"description": one_line(task["description"]), "status": "pending", "note": ""}
            for task in plan["tasks"]
        }

    def _task(self, data: Mapping[str, Any]) -> None:
        if (known := self._tasks.get(data["task_id"])) is None:  # one or two figures, looked up without a plan
            self._doing = LOOKING_UP if data["status"] == "running" else WRITING
            return
        if not self._executing:
            self._executing = True
            self._line("Executing tasks...", "bold")
            self._rule()
            self._print_ended()
        known.update(status=data["status"], note=one_line(data.get("note") or ""))
        if not self._redraw and data["status"] != "running":
            self._print_task(data["task_id"])

    def _print_ended(self) -> None:
        """Print the tasks that an earlier start of the run has finished; the redrawn list has them anyway."""
        for name, task in self._tasks.items() if not self._redraw else ():
            if task["status"] != "pending":
                self._print_task(name)

    def _print_task(self, name: str) -> None:
        task = self._tasks[name]
        note = f" ({task['note']})" if task["note"] else ""
        style = STYLES.get(task["status"], "") if self._redraw else ""
        self._hanging(f"  {MARKS[task['status']]} {name}: ", f"{task['description']}{note}", style)

    def _end_tasks(self) -> None:
        """Print the list of tasks as it stands at the end, where it was redrawn until now."""
        if self._executing:
            self._executing = False
            for name in self._tasks if self._redraw else ():
                self._print_task(name)
            self._rule()

    def _reflection(self, data: Mapping[str, Any]) -> None:
        self._end_tasks()
        self._line("Reflecting on results...", "bold")
        self._rule()
        self._line(f"Status: {'Complete' if data['is_complete'] else 'Incomplete'}")
        self._hanging("Reason: ", one_line(data["reasoning"]))
        if not data["is_complete"]:
            self._hanging("Guidance: ", one_line(data["guidance"]))
        self._rule()
        again = not data["is_complete"] and data["iteration"] < data["most"]
        self._doing = PLANNING if again else WRITING
        if again:
            self._line(f"Replanning (iteration {data['iteration'] + 1}/{data['most']})...", "bold")

    def _begin_live(self) -> None:
        if self._redraw:
            from rich.live import Live

            self._live = Live(
                console=self._console,
                get_renderable=self.frame,
                refresh_per_second=FRAMES_A_SECOND,
                transient=True,
                vertical_overflow="crop",
            )
            self._live.start()

    def _end_live(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def frame(self) -> RenderableType:
        """Return what is redrawn now: the draft of the answer, the list of tasks, or the step under way."""
        from rich.text import Text

        if self._draft:
            return self._drafted()
        if not self._executing:
            return Text(f"{self._doing}...", style="dim")
        lines = []
        for name, task in self._tasks.items():
            status = task["status"]
            lines.append(Text(f"  {MARKS[status]} {name}: {task['description']}", style=STYLES.get(status, "dim")))
        if all(task["status"] not in ("pending", "running") for task in self._tasks.values()):
            lines.append(Text(f"{self._words.judging}...", style="dim"))
        return _cropped(lines, self._console.width)

    def _drafted(self) -> RenderableType:
        from rich.text import Text

        tail = Text(clean(self._draft[-DRAFT_CHARS:]))
        lines = tail.wrap(self._console, max(NARROWEST, self._console.width - 1))
        room = max(3, self._console.height - LINES_AROUND)
        return _cropped([Text(f"{WRITING}...", style="dim"), *list(lines)[-room:]], self._console.width)

    def _rule(self) -> None:
        self._line(RULE[: self._console.width] if self._console.is_terminal else RULE)

    def _line(self, text: str, style: str = "") -> None:
        self._hanging("", text, style)

    def _hanging(self, prefix: str, text: str, style: str = "") -> None:
        """Print a line; on a terminal it is wrapped below the end of its prefix, in a log it stays whole."""
        from rich.text import Text

        if not self._console.is_terminal:
            self._console.print(f"{prefix}{text}", style=style or None, markup=False, soft_wrap=True)
            return
        room = self._console.width - len(prefix)
        if room < NARROWEST:
            self._console.print(Text(f"{prefix}{text}", style=style))
            return
        for at, line in enumerate(Text(text).wrap(self._console, room)):
            line.rstrip()
            start = prefix if at == 0 else " " * len(prefix)
            self._console.print(Text.assemble(start, line, style=style), no_wrap=True)


def _cropped(lines: Iterable[Text], width: int) -> RenderableType:
    """Return lines as one renderable, each cut to the width."""
    from rich.console import Group

    cut = []
    for line in lines:
        line.truncate(max(1, width - 1), overflow="ellipsis")
        cut.append(line)
    return Group(*cut)
