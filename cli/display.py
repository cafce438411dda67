"""Who watches runs: live on a terminal, line by line in a log, or not at all."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Protocol

from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from cli.frames import FRAMES_A_SECOND, run_panel, runs_table, spent_words
from cli.progress import Clock, RunProgress, moment, utc_now
from tradingagents.events import Event

if TYPE_CHECKING:
    from cli.terminal import Terminal


NOTE_CHARS = 100
"""How much of an agent's note stands in a log line."""


class Watcher(AbstractContextManager["Watcher"], Protocol):
    """Someone who watches runs from their start to their end."""

    def on_event(self, event: Event) -> None:
        """Take in an event; it may come from any thread."""

    def ended(self, ticker: str, state: Literal["done", "failed"], outcome: str) -> None:
        """Take in that a ticker's run is over, also one that never began."""


def watch(terminal: Terminal, tickers: Sequence[str], analysts: Sequence[str]) -> Watcher:
    """Return the watcher that suits the terminal: live, line by line where nothing can move, or silent."""
    runs = Runs(tickers, analysts)
    if terminal.live:
        return LiveDisplay(runs, terminal.err)
    return LineDisplay(runs, None if terminal.quiet else terminal.err)


class Runs:
    """The progress of every ticker asked for, in the order asked."""

    def __init__(self, tickers: Sequence[str], analysts: Sequence[str]) -> None:
        self.by_ticker = {ticker: RunProgress.waiting(ticker, analysts) for ticker in tickers}
        self._by_id: dict[str, RunProgress] = {}

    def apply(self, event: Event) -> RunProgress:
        """Give the event to its run; the first of a run names its ticker."""
        if event.type == "run_start":
            self._by_id[event.run_id] = self.by_ticker[event.data["ticker"]]
        run = self._by_id[event.run_id]
        run.apply(event)
        return run

    def end(self, ticker: str, state: Literal["done", "failed"], outcome: str, at: datetime) -> None:
        """Note that a ticker's run is over."""
        self.by_ticker[ticker].end(state, outcome, at)


class LineDisplay:
    """Progress for logs: a line when an agent starts, ends or warns. Says nothing without a console."""

    def __init__(self, runs: Runs, console: Console | None, clock: Clock = utc_now) -> None:
        self._runs, self._console, self._clock = runs, console, clock
        self._lock = threading.Lock()
        self._width = max(map(len, runs.by_ticker))

    def __enter__(self) -> LineDisplay:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def on_event(self, event: Event) -> None:
        """Print what is worth a line."""
        with self._lock:
            run, at = self._runs.apply(event), moment(event)
            match event.type:
                case "run_start":
                    self._print(run, at, f"{run.day} begins as run {run.run_id}")
                case "node_start":
                    self._print(run, at, f"{event.node} starts")
                case "node_end" if agent := run.agents.get(event.node or ""):
                    self._print(run, at, f"{event.node} is done: {_shortened(agent.note)}")
                case "warning":
                    self._print(run, at, run.warnings[-1], "warning: ", "yellow")

    def ended(self, ticker: str, state: Literal["done", "failed"], outcome: str) -> None:
        """Print how the run ended; what went wrong is left to the error's own line."""
        with self._lock:
            run, at = self._runs.by_ticker[ticker], self._clock()
            self._runs.end(ticker, state, outcome, at)
            if state == "done":
                self._print(run, at, f"{run.outcome}, {spent_words(run.spent)}")
            elif run.began:
                self._print(run, at, "stopped")

    def _print(self, run: RunProgress, at: datetime, message: str, label: str = "", style: str = "") -> None:
        if self._console is None:
            return
        passed = f"{run.seconds(at):7.1f} s"
        line = Text.assemble((f"{run.ticker:<{self._width}} {passed}  ", "dim"), (label, style), message)
        self._console.print(line, soft_wrap=True)


def _shortened(note: str) -> str:
    return note if len(note) <= NOTE_CHARS else f"{note[:NOTE_CHARS].rpartition(' ')[0]} …"


class LiveDisplay:
    """Progress for people: redrawn in place a few times a second."""

    def __init__(self, runs: Runs, console: Console, clock: Clock = utc_now) -> None:
        self._runs, self._console, self._clock = runs, console, clock
        self._lock = threading.Lock()
        several = len(runs.by_ticker) > 1
        # What one run did stays on the screen above its result; several runs are summed up by the table of results.
        self._live = Live(
            console=console,
            get_renderable=self.render,
            refresh_per_second=FRAMES_A_SECOND,
            transient=several,
            vertical_overflow="crop",
        )

    def __enter__(self) -> LiveDisplay:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._live.stop()

    def on_event(self, event: Event) -> None:
        """Take in an event; it shows with the next frame."""
        with self._lock:
            self._runs.apply(event)

    def ended(self, ticker: str, state: Literal["done", "failed"], outcome: str) -> None:
        """Take in that a ticker's run is over."""
        with self._lock:
            self._runs.end(ticker, state, outcome, self._clock())

    def render(self) -> RenderableType:
        """Return the present frame."""
        with self._lock:
            runs, now = tuple(self._runs.by_ticker.values()), self._clock()
            if len(runs) == 1:
                return run_panel(runs[0], now, width=self._console.width, height=self._console.height)
            return runs_table(runs, now, width=self._console.width, height=self._console.height)
