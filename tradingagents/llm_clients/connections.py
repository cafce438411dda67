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
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from functools import cached_property

import httpx

POOLS = 16
KEEPALIVE_SECONDS = 30.0
"""Below the idle time after which common servers and proxies close a connection from their side (60 s and more)."""
CONNECT_SECONDS = 10.0
YEAR_SECONDS = 365 * 24 * 3600.0


class SharedConnections(httpx.AsyncBaseTransport):
    """A transport of small connection pools, a set for each event loop; as many connections as there are requests.

    The connections of a loop close when it ends, provided it ends as `asyncio.run` ends one.
    """

    def __init__(self, *, retries: int = 0) -> None:
        """Open nothing yet.

        Args:
            retries: How often a connection that cannot be opened is tried again.
        """
        self._retries = retries
        self._loops: dict[asyncio.AbstractEventLoop, _Loop] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request over the next pool of the running loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._loops:
            self._forget_ended_loops()
            lifetime = self._lifetime()
            self._loops[loop] = _Loop(lifetime, itertools.cycle(await anext(lifetime)))
        return await next(self._loops[loop].turn).handle_async_request(request)

    async def aclose(self) -> None:
        """Close the running loop's connections; a later request opens new ones."""
        ended = self._loops.pop(asyncio.get_running_loop(), None)
        if ended is not None:
            await ended.lifetime.aclose()

    async def _lifetime(self) -> AsyncGenerator[list[httpx.AsyncHTTPTransport], None]:
        """Yield a loop's pools; close them when the loop ends, which it tells its open asynchronous generators.

        A generator that nobody holds any more is closed by the loop too. The timer, which never fires, makes the loop
        hold the pools until then: otherwise the garbage collector would come upon open sockets before that.
        """
        pools = [self._pool() for _ in range(POOLS)]
        hold = asyncio.get_running_loop().call_later(YEAR_SECONDS, pools.clear)
        try:
            yield pools
        finally:
            hold.cancel()
            for pool in pools:
                await pool.aclose()

    def _forget_ended_loops(self) -> None:
        for loop in [loop for loop in self._loops if loop.is_closed()]:
            del self._loops[loop]

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        """Certificates, read once: it takes some 20 ms, and there are many pools."""
        return httpx.create_ssl_context()

    def _pool(self) -> httpx.AsyncHTTPTransport:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None, keepalive_expiry=KEEPALIVE_SECONDS)
        return httpx.AsyncHTTPTransport(verify=self._trust, limits=limits, retries=self._retries)


@dataclass(frozen=True)
class _Loop:
    """What one event loop has open."""

    lifetime: AsyncGenerator[list[httpx.AsyncHTTPTransport], None]
    turn: itertools.cycle[httpx.AsyncHTTPTransport]
