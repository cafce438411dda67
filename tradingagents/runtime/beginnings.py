"""Lets runs that are started together begin one after the other.

Runs that begin at once also go on at once: each prepares its first requests before any of them is sent, and later all
end together. Then no model works while the processor does, and the processor rests while all models work.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

LONGEST_WAIT = 0.05
"""Seconds that a run may take until it asks a model before the next begins all the same: it may wait for a vendor."""


class Beginning:
    """One run's turn to begin."""

    def __init__(self, before: Beginning | None) -> None:
        self._before = before
        self._loop = asyncio.get_running_loop()
        self._begun, self.asked = asyncio.Event(), asyncio.Event()
        """`asked` is to be set once the run asks a model."""

    async def turn(self) -> None:
        """Wait until the run started before this one has begun and asked a model, has ended, or is slow to ask."""
        before, self._before = self._before, None
        if before is not None and before._loop is self._loop and not before.asked.is_set():
            await before._begun.wait()
            with suppress(TimeoutError):
                async with asyncio.timeout(LONGEST_WAIT):
                    await before.asked.wait()
        self._begun.set()

    def over(self) -> None:
        """Hold up no later run any more."""
        self._before = None
        self._begun.set()
        self.asked.set()


class Beginnings:
    """The turns of the runs that share services, in the order in which they were started."""

    def __init__(self) -> None:
        self._last: Beginning | None = None

    def next(self) -> Beginning:
        """Return the turn of a run that is started now, in the running event loop."""
        self._last = Beginning(self._last)
        return self._last
