"""HTTP connections to model servers, shared by every ticker of a process, whichever event loop it runs in.

Two things the stock pool does not do. A pooled connection belongs to the event loop it was opened in, and a client
that outlives `asyncio.run` would reuse it in the next one ("Event loop is closed"): here each loop has its own pools.
And the stock pool looks at every connection on every request, which at 64 calls under way takes a quarter of a call's
processor time and more: here requests take turns over small pools.
"""

from __future__ import annotations

import asyncio
import itertools
import ssl
from functools import cached_property

import httpx

POOLS = 16
KEEPALIVE_SECONDS = 30.0
"""Below the idle time after which common servers and proxies close a connection from their side (60 s and more)."""
CONNECT_SECONDS = 10.0


class SharedConnections(httpx.AsyncBaseTransport):
    """A transport of small connection pools, a set for each event loop; as many connections as there are requests."""

    def __init__(self, *, retries: int = 0) -> None:
        """Open nothing yet.

        Args:
            retries: How often a connection that cannot be opened is tried again.
        """
        self._retries = retries
        self._turns: dict[asyncio.AbstractEventLoop, itertools.cycle[httpx.AsyncHTTPTransport]] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request over the next pool of the running loop."""
        loop = asyncio.get_running_loop()
        turn = self._turns.get(loop)
        if turn is None:
            turn = self._turns[loop] = itertools.cycle([self._pool() for _ in range(POOLS)])
        return await next(turn).handle_async_request(request)

    async def aclose(self) -> None:
        """Close the running loop's connections, and forget those of loops that have ended."""
        turn = self._turns.pop(asyncio.get_running_loop(), None)
        for loop in [loop for loop in self._turns if loop.is_closed()]:
            del self._turns[loop]
        if turn is not None:
            for pool in itertools.islice(turn, POOLS):
                await pool.aclose()

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        """Certificates, read once: it takes some 20 ms, and there are many pools."""
        return httpx.create_ssl_context()

    def _pool(self) -> httpx.AsyncHTTPTransport:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None, keepalive_expiry=KEEPALIVE_SECONDS)
        return httpx.AsyncHTTPTransport(verify=self._trust, limits=limits, retries=self._retries)
