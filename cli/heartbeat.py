"""A sign of life for displays that print lines: says what a run waits for while nothing else is said."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .progress import retry_words
from .text import one_line

if TYPE_CHECKING:
    from tradingagents.events import Event, Subscriber

    from .console import Terminal

QUIET_SECONDS = 9.0
"""Longest time without a line."""
LOOKS_A_SECOND = 2
UNSEEN = frozenset({"token", "message", "usage", "reasoning", "node_start", "node_end", "tool_start", "tool_end"})
"""Events of which displays that print lines mostly say nothing."""


class Heartbeat:
    """Calls a function from a thread of its own whenever nothing was said for a while; use it as a context manager."""

    def __init__(self, beat: Callable[[], None], *, quiet: float = QUIET_SECONDS) -> None:
        """Set what is called.

        Args:
            beat: Says what is waited for.
            quiet: Seconds without a line after which it is called.
        """
        self._beat, self._quiet = beat, quiet
        self._said, self._ended = time.monotonic(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def __enter__(self) -> Heartbeat:
        self.said()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def said(self) -> None:
        """Note that a line was printed."""
        self._said = time.monotonic()

    def _run(self) -> None:
        while not self._ended.wait(min(self._quiet, 1 / LOOKS_A_SECOND)):
            if time.monotonic() - self._said >= self._quiet:
                self.said()
                self._beat()


@contextmanager
def with_signs_of_life(shown: Subscriber, terminal: Terminal, *, redraws: bool = False) -> Iterator[Subscriber]:
    """Yield a display that also prints retries as they happen, and what is waited for while nothing else is said.

    Args:
        shown: The display.
        terminal: On whose stderr the lines go; a quiet one gets none. Where it prints JSON, nothing moves by itself.
        redraws: Whether the display moves by itself, so that it needs no further sign of life than retries.
    """
    if terminal.quiet:
        yield shown
        return
    signs = _Signs(terminal)
    heartbeat = Heartbeat((lambda: None) if redraws and not terminal.json else signs.beat)

    def both(event: Event) -> None:
        shown(event)
        signs.take(event)
        if event.type not in UNSEEN:
            heartbeat.said()

    with heartbeat:
        yield both


class _Signs:
    """What a run waits for, by its events."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._agent, self._since = "", time.monotonic()
        self._tools: Counter[str] = Counter()
        """Calls under way, by tool."""

    def take(self, event: Event) -> None:
        """Take in an event; print a retry."""
        if event.type == "token":
            return
        self._agent, self._since = event.node or self._agent, time.monotonic()
        if event.type in ("tool_start", "tool_end"):
            self._tools[str(event.data.get("tool"))] += 1 if event.type == "tool_start" else -1
        elif event.type == "retry":
            self._print(f"retry: {retry_words(event)}", "yellow")

    def beat(self) -> None:
        """Print what is waited for."""
        tools = ", ".join(sorted(tool for tool, calls in self._tools.items() if calls > 0))
        who = f"{self._agent}: " if self._agent else ""
        self._print(f"{who}waiting for {tools or 'the model'}, {time.monotonic() - self._since:.0f} s", "dim")

    def _print(self, text: str, style: str) -> None:
        self._terminal.err.print(one_line(text), style=style, markup=False, highlight=False, soft_wrap=True)
