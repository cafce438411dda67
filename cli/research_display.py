"""Shows a research run on a terminal as it happens: the plan before it runs, tasks, reflections.

With `--plain`, and where the terminal cannot redraw, each change is a line; otherwise the list of tasks is redrawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tradingagents.events import Event

from .text import one_line

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.live import Live

RULE = "━" * 46
MARKS = {"completed": "✓", "running": "◐", "pending": "○", "failed": "✗", "skipped": "-"}
"""Marks of tasks by status."""
STYLES = {"completed": "green", "running": "cyan", "failed": "red", "skipped": "yellow"}


class ResearchDisplay:
    """Takes in a run's events and prints what they mean; use it as a context manager."""

    def __init__(self, console: Console, *, live: bool) -> None:
        """Set the console; nothing is printed yet."""
        self._console, self._redraw = console, live
        self._tasks: dict[str, dict[str, str]] = {}
        self._live: Live | None = None
        self._announced = False

    def __enter__(self) -> ResearchDisplay:
        return self

    def __exit__(self, *_: object) -> None:
        self._end_tasks()

    def __call__(self, event: Event) -> None:
        """Take in an event."""
        handler = {"plan": self._plan, "task": self._task, "reflection": self._reflection}.get(event.type)
        if handler is not None:
            handler(event.data)
        elif event.type == "warning":
            self._line(f"warning: {one_line(event.message)}", "yellow")

    def _plan(self, data: Mapping[str, Any]) -> None:
        plan = data["plan"]
        self._line("Planning research..." if data["iteration"] == 1 else "", "bold")
        if plan["is_simple_query"] or not plan["tasks"]:
            return
        self._line(RULE)
        self._line("Tasks:")
        for task in plan["tasks"]:
            after = ", ".join(name.removeprefix("task_") for name in task["depends_on"])
            number = task["id"].removeprefix("task_")
            self._line(f"  [{number}] {one_line(task['description'])}{f' (depends: {after})' if after else ''}")
        self._line(RULE)
        self._tasks = {
            task["id"]: {"description": one_line(task["description"]), "status": "pending"} for task in plan["tasks"]
        }
        self._announced = False

    def _task(self, data: Mapping[str, Any]) -> None:
        if (known := self._tasks.get(data["task_id"])) is None:
            return
        if not self._announced:
            self._begin_tasks()
        known["status"] = data["status"]
        if self._live is not None:
            self._live.update(self._board())
        elif data["status"] != "running":
            note = f" ({one_line(data['note'])})" if data.get("note") else ""
            self._line(f"  {MARKS[data['status']]} {data['task_id']}: {known['description']}{note}")

    def _begin_tasks(self) -> None:
        self._announced = True
        self._line("Executing tasks...", "bold")
        self._line(RULE)
        if self._redraw:
            from rich.live import Live

            self._live = Live(self._board(), console=self._console, refresh_per_second=8, transient=False)
            self._live.start()

    def _end_tasks(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _board(self) -> RenderableType:
        from rich.text import Text

        lines = Text()
        for name, task in self._tasks.items():
            status = task["status"]
            lines.append(f"  {MARKS[status]} {name}: {task['description']}\n", style=STYLES.get(status, "dim"))
        lines.append(RULE)
        return lines

    def _reflection(self, data: Mapping[str, Any]) -> None:
        redrawn = self._live is not None
        self._end_tasks()
        if not redrawn:
            self._line(RULE)
        self._line("Reflecting on results...", "bold")
        self._line(RULE)
        self._line(f"Status: {'Complete' if data['is_complete'] else 'Incomplete'}")
        self._line(f"Reason: {one_line(data['reasoning'])}")
        if not data["is_complete"]:
            self._line(f"Guidance: {one_line(data['guidance'])}")
        self._line(RULE)
        if not data["is_complete"] and data["iteration"] < data["most"]:
            self._line(f"Replanning (iteration {data['iteration'] + 1}/{data['most']})...", "bold")

    def _line(self, text: str, style: str = "") -> None:
        if text:
            self._console.print(text, style=style or None, markup=False, soft_wrap=True)
