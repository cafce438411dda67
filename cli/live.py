"""Progress displays: live on a terminal, line by line in a log, or none."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from tradingagents.events import Event
from tradingagents.reports import formatting as words

from .heartbeat import Heartbeat
from .live_render import FRAMES_A_SECOND, run_panel, runs_table, spent_words
from .progress import Clock, Ending, RunProgress, moment, retry_words, utc_now
from .run_monitor import RunMonitor

if TYPE_CHECKING:
    from .console import Terminal


NOTE_CHARS = 100
"""Maximum length of an agent's note in a log line."""


class Watcher(AbstractContextManager["Watcher"], Protocol):
    """A display of runs from their start to their end."""

    def on_event(self, event: Event) -> None:
        """Handle an event; it may come from any thread."""

    def planned(self, tickers: Sequence[str]) -> None:
        """Add the tickers to analyze, if they were not known at the start."""

    def ended(self, ticker: str | None, state: Ending, outcome: str) -> None:
        """Show that a ticker's run, or the scan (None), has ended, even if it never began."""


def watcher_for(terminal: Terminal, runs: RunMonitor) -> Watcher:
    """Return the display for the terminal: live, line by line, or silent."""
    if terminal.live:
        return LiveProgress(runs, terminal.err)
    return LineProgress(runs, None if terminal.quiet else terminal.err)


class LineProgress:
    """Progress for logs: one line when an agent starts, ends, asks again or warns. Silent without a console.

    While nothing else happens a line says what is waited for. A warning that was printed before is counted; how often
    it came is printed at the end of the run.
    """

    def __init__(self, runs: RunMonitor, console: Console | None, clock: Clock = utc_now) -> None:
        self._runs, self._console, self._clock = runs, console, clock
        self._lock = threading.Lock()
        self._heartbeat = Heartbeat(self.beat)
        self._warned: Counter[tuple[str, str]] = Counter()
        """How often each warning of each run came."""

    def __enter__(self) -> LineProgress:
        if self._console:
            self._heartbeat.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console:
            self._heartbeat.__exit__()

    def beat(self) -> None:
        """Print what the run waits for whose agent has waited longest."""
        with self._lock:
            now = self._clock()
            runs = [*([self._runs.scan] if self._runs.scan else []), *self._runs.tickers]
            waiting = [(run, said) for run in runs if (said := run.waiting_for(now))]
            if waiting:
                longest = min(waiting, key=lambda entry: min(agent.latest or now for agent in entry[0].at_work()))
                self._print(longest[0], now, longest[1], style="dim")

    def on_event(self, event: Event) -> None:
        """Print an event if it is relevant."""
        with self._lock:
            run, at = self._runs.apply(event), moment(event)
            match event.type:
                case "run_start":
                    self._print(run, at, f"{run.day} begins as run {run.run_id}")
                case "node_start":
                    self._print(run, at, f"{event.node} starts")
                case "node_end" if agent := run.agents.get(event.node or ""):
                    self._print(run, at, f"{event.node} is done: {_shortened(agent.note)}{_so_far(run)}")
                case "retry":
                    self._print(run, at, retry_words(event), "retry: ", "yellow")
                case "warning":
                    warning = (run.subject, run.warnings[-1])
                    self._warned[warning] += 1
                    if self._warned[warning] == 1:
                        self._print(run, at, run.warnings[-1], "warning: ", "yellow")

    def planned(self, tickers: Sequence[str]) -> None:
        """Print which tickers will be analyzed."""
        with self._lock:
            at = self._clock()
            self._runs.plan(tickers, at)
            if scan := self._runs.scan:
                self._print_end(scan, at)
            if self._console:
                self._console.print(f"to analyze: {', '.join(tickers) or 'none'}", soft_wrap=True)

    def ended(self, ticker: str | None, state: Ending, outcome: str) -> None:
        """Print how the run ended; errors have their own line."""
        with self._lock:
            at = self._clock()
            self._runs.end(ticker, state, outcome, at)
            self._print_end(self._runs[ticker], at)

    def _print_end(self, run: RunProgress, at: datetime) -> None:
        for (subject, warning), count in self._warned.items():
            if subject == run.subject and count > 1:
                self._print(run, at, f"(said {count} times) {warning}", "warning: ", "yellow")
        if run.state == "done":
            self._print(run, at, f"{run.outcome}; {spent_words(run.spent)}" if run.began else run.outcome)
        elif run.began:
            self._print(run, at, "stopped")

    def _print(self, run: RunProgress, at: datetime, message: str, label: str = "", style: str = "") -> None:
        if self._console is None:
            return
        self._heartbeat.said()
        passed = f"{run.seconds(at):7.1f} s"
        line = Text.assemble((f"{run.subject:<{self._runs.width}} {passed}  ", "dim"), (label, style), message)
        self._console.print(line, soft_wrap=True)


def _so_far(run: RunProgress) -> str:
    """Return the cost of a run so far, if it has any."""
    return f" ({words.usd(run.spent.cost_usd)} so far)" if run.spent.cost_usd else ""


def _shortened(note: str) -> str:
    return note if len(note) <= NOTE_CHARS else f"{note[:NOTE_CHARS].rpartition(' ')[0]} …"


class LiveProgress:
    """Progress on a terminal: redrawn in place a few times per second."""

    def __init__(self, runs: RunMonitor, console: Console, clock: Clock = utc_now) -> None:
        self._runs, self._console, self._clock = runs, console, clock
        self._lock = threading.Lock()
        # The progress of one run stays on the screen above its result; multiple runs are summarized in a table.
        self._live = Live(
            console=console,
            get_renderable=self.render,
            refresh_per_second=FRAMES_A_SECOND,
            transient=runs.only is None,
            vertical_overflow="crop",
        )

    def __enter__(self) -> LiveProgress:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._live.stop()

    def on_event(self, event: Event) -> None:
        """Handle an event; it is shown with the next frame."""
        with self._lock:
            self._runs.apply(event)

    def planned(self, tickers: Sequence[str]) -> None:
        """Set which tickers will be analyzed."""
        with self._lock:
            self._runs.plan(tickers, self._clock())

    def ended(self, ticker: str | None, state: Ending, outcome: str) -> None:
        """Mark a run as ended."""
        with self._lock:
            self._runs.end(ticker, state, outcome, self._clock())

    def render(self) -> RenderableType:
        """Return the present frame."""
        with self._lock:
            runs, now = self._runs, self._clock()
            width, height = self._console.width, self._console.height
            if alone := runs.only or (runs.scan if not runs.tickers else None):
                panel = run_panel(alone, now, width=width, height=height)
                # After a line that fills the screen's width, the ^C of an interruption would start a new line.
                return panel if alone.ended else Group(panel, "")
            return runs_table(runs.tickers, now, width=width, height=height, scan=runs.scan)
