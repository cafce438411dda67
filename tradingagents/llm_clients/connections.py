"""HTTP connections to model servers, shared by all tickers of a process across event loops.

The stock pool falls short in two ways. A pooled connection belongs to the event loop that opened it, so a client that
outlives `asyncio.run` would reuse it in the next loop ("Event loop is closed"): here each loop has its own pools. And
the stock pool scans every connection on every request and parses HTTP in Python: here aiohttp carries the requests, as
the OpenAI SDK supports (148 ms of processor time a ticker at 8 at once, 177 by the stock pool).
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import AsyncGenerator
from dataclasses import dataclass

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

from tradingagents.dataflows.gateway.vendor_config import trusted_certificates

KEEPALIVE_SECONDS = 30.0
"""Shorter than the idle time after which common servers and proxies close a connection (60 s and more)."""
CONNECT_SECONDS = 10.0
YEAR_SECONDS = 365 * 24 * 3600.0


class RedirectRefused(httpx.TransportError):
    """A model server answered with a redirect to another host; it isn't followed.

    Attributes:
        host: The other host.
    """

    def __init__(self, host: str, request: httpx.Request | None = None) -> None:
        super().__init__(f"redirected to {host}", request=request)
        self.host = host


def refuse_other_hosts(response: httpx.Response) -> None:
    """Refuse a redirect to another server. A response hook: clients call it before they follow a redirect.

    It also works for httpx2, which has the same interface.

    Raises:
        RedirectRefused: The redirect leads to another host, or to another port other than the HTTPS port of the same
            host.
    """
    if not response.has_redirect_location:
        return
    here, there = response.request.url, response.request.url.join(response.headers["Location"])
    upgraded = (here.scheme, there.scheme) == ("http", "https") and there.port is None and here.port is None
    if here.host != there.host or not (upgraded or (here.scheme, here.port) == (there.scheme, there.port)):
        raise RedirectRefused(there.netloc.decode("ascii", "replace") or "nowhere")


async def refuse_other_hosts_async(response: httpx.Response) -> None:
    """`refuse_other_hosts` for asynchronous clients."""
    refuse_other_hosts(response)


class SharedConnections(httpx.AsyncBaseTransport):
    """A transport with one connection pool per event loop and no limit on connections.

    A loop's connections close when the loop ends, provided it shuts down its asynchronous generators as `asyncio.run`
    does.
    """

    def __init__(self) -> None:
        """Create the transport; it opens no connection yet."""
        self._loops: dict[asyncio.AbstractEventLoop, _Loop] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request through the running loop's pool."""
        if request.url.userinfo:  # the header already contains the key; aiohttp refuses both
            request.url = request.url.copy_with(userinfo=b"")
        loop = asyncio.get_running_loop()
        sending = (await self._of(loop)).handle_async_request(request)
        # A connection keeps the context it was opened in, and a LangGraph context holds the whole state of its run: so
        # each request is sent from an empty context.
        return await loop.create_task(sending, context=contextvars.Context())

    async def _of(self, loop: asyncio.AbstractEventLoop) -> AiohttpTransport:
        """Return the pool of a loop."""
        if loop not in self._loops:
            self._forget_ended_loops()
            lifetime = self._lifetime()
            self._loops[loop] = _Loop(lifetime, await anext(lifetime))
        return self._loops[loop].pool

    async def aclose(self) -> None:
        """Close the running loop's connections; a later request opens new ones."""
        ended = self._loops.pop(asyncio.get_running_loop(), None)
        if ended is not None:
            await ended.lifetime.aclose()

    async def _lifetime(self) -> AsyncGenerator[AiohttpTransport, None]:
        """Yield a loop's pool and close it when the loop shuts down its asynchronous generators.

        A loop also closes a generator that nobody references any more. The timer, which never fires, makes the loop
        hold a reference until it ends; otherwise the garbage collector would find open sockets first.
        """
        session = self._session()
        pool = AiohttpTransport(client=session)
        hold = asyncio.get_running_loop().call_later(YEAR_SECONDS, pool.get_client)
        try:
            yield pool
        finally:
            hold.cancel()
            await pool.aclose()

    def _forget_ended_loops(self) -> None:
        for loop in [loop for loop in self._loops if loop.is_closed()]:
            del self._loops[loop]

    def _session(self) -> aiohttp.ClientSession:
        # aiohttp: limit=0 means no limit
        connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEPALIVE_SECONDS, ssl=trusted_certificates())
        return aiohttp.ClientSession(connector=connector)


@dataclass(frozen=True)
class _Loop:
    """The open connections of one event loop."""

    lifetime: AsyncGenerator[AiohttpTransport, None]
    pool: AiohttpTransport
