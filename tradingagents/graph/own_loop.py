"""An event loop of one's own, for callers that do not wait themselves: scripts, threads, notebooks."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from tradingagents.events import Event

T = TypeVar("T")
log = logging.getLogger("tradingagents.events")
RECORD_SECONDS = 30.0
"""Longest an interrupted run may take to write its record."""


class OwnLoop:
    """Runs coroutines on one event loop for good, since a model client's connections belong to one loop."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run to the end and return the result.

        Ctrl-C cancels the run and waits until it has left its record; a second one does not wait.
        """
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="tradingagents", daemon=True).start()
        ended = threading.Event()

        async def whole() -> T:
            try:
                return await work
            finally:
                ended.set()

        future = asyncio.run_coroutine_threadsafe(whole(), self._loop)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            ended.wait(RECORD_SECONDS)
            raise


def log_event(event: Event) -> None:
    """Log an event, for `debug`."""
    log.info("%s %s %s", event.type, event.node or "", event.message)
