"""How runs are asked to stop where they are: what is under way ends, no further step begins."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from langgraph.runtime import RunControl


class Cancellation:
    """Stop the runs that share these services. Thread-safe, and safe in a signal handler of asyncio."""

    def __init__(self) -> None:
        self._controls: set[RunControl] = set()
        self._lock = threading.Lock()
        self._requested = False

    @property
    def requested(self) -> bool:
        """Whether runs are to stop, and none is to begin."""
        return self._requested

    def request(self) -> None:
        """Let every run end its step, and none begin, until `withdraw`."""
        with self._lock:
            self._requested = True
            for control in self._controls:
                control.request_drain()

    def withdraw(self) -> None:
        """Let runs begin again."""
        with self._lock:
            self._requested = False

    @contextmanager
    def control(self) -> Iterator[RunControl]:
        """Yield what LangGraph asks after each step of a run whether to go on."""
        control = RunControl()
        with self._lock:
            if self._requested:
                control.request_drain()
            self._controls.add(control)
        try:
            yield control
        finally:
            with self._lock:
                self._controls.discard(control)
