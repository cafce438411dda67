"""Ask runs to stop: the calls under way end, and no further step begins."""

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
    def control(self, control: RunControl) -> Iterator[None]:
        """Have a run stop with the others; LangGraph asks its control after each step whether to go on."""
        with self._lock:
            if self._requested:
                control.request_drain()
            self._controls.add(control)
        try:
            yield
        finally:
            with self._lock:
                self._controls.discard(control)
