"""How many requests a client may make: a bucket per client that fills at a steady rate."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

from tradingagents.dataflows.gateway.limits import Rate

MOST_CLIENTS = 10_000
"""Clients remembered at a time; the one not seen for longest is forgotten first."""


class RequestLimit:
    """Counts the requests of each client against rates. For one event loop; not thread-safe."""

    def __init__(self, rates: Sequence[Rate], clock: Callable[[], float] = time.monotonic) -> None:
        """Set the rates; none means no limit."""
        self._rates, self._clock = tuple(rates), clock
        self._buckets: OrderedDict[str, list[float]] = OrderedDict()
        self._filled: dict[str, float] = {}

    def seconds_to_wait(self, client: str, *, count: bool = True) -> float:
        """Return 0, or how long a client must wait where its request is one too many.

        Args:
            client: The client.
            count: Whether to count the request; one too many is never counted.
        """
        now = self._clock()
        levels = self._levels(client, now)
        waits = [
            (1 - level) * rate.seconds / rate.calls
            for level, rate in zip(levels, self._rates, strict=True)
            if level < 1
        ]
        if waits:
            return max(waits)
        if count:
            self._buckets[client] = [level - 1 for level in levels]
        return 0.0

    def _levels(self, client: str, now: float) -> list[float]:
        """Return how many requests each rate leaves a client now."""
        known = self._buckets.get(client)
        if known is None:
            levels = [float(rate.calls) for rate in self._rates]
        else:
            passed = now - self._filled[client]
            levels = [
                min(rate.calls, level + passed * rate.calls / rate.seconds)
                for level, rate in zip(known, self._rates, strict=True)
            ]
        self._buckets[client], self._filled[client] = levels, now
        self._buckets.move_to_end(client)
        while len(self._buckets) > MOST_CLIENTS:
            oldest, _ = self._buckets.popitem(last=False)
            del self._filled[oldest]
        return levels
