"""Wakes all who wait for news, in whatever event loop they wait, from any thread."""

from __future__ import annotations

import asyncio
import threading


class Announcer:
    """One bell for any number of waiting coroutines: ringing it costs one call for each event loop."""

    def __init__(self) -> None:
        """Begin with nobody waiting."""
        self._lock = threading.Lock()
        self._waiting: dict[asyncio.AbstractEventLoop, asyncio.Event] = {}

    def next_ring(self) -> asyncio.Event:
        """Return an event of the running loop that the next ring sets. Ask for it before looking for news."""
        with self._lock:
            return self._waiting.setdefault(asyncio.get_running_loop(), asyncio.Event())

    def ring(self) -> None:
        """Wake everyone. May be called from any thread."""
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        for loop, event in waiting.items():
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)
