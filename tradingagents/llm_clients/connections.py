"""HTTP connections to model servers, shared by every ticker of a process, whichever event loop it runs in.

Two things the stock pool does not do. A pooled connection belongs to the event loop it was opened in, and a client
that outlives `asyncio.run` would reuse it in the next one ("Event loop is closed"): here each loop has its own pools.
And the stock pool, which looks at every connection on every request and speaks HTTP in Python, takes up to half of a
call's processor time at 64 calls under way: here aiohttp carries the requests, the OpenAI SDK's own alternative.
"""

from __future__ import annotations

import asyncio
import contextvars
import ssl
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from functools import cached_property

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

KEEPALIVE_SECONDS = 30.0
"""Below the idle time after which common servers and proxies close a connection from their side (60 s and more)."""
CONNECT_SECONDS = 10.0
YEAR_SECONDS = 365 * 24 * 3600.0


class RedirectRefused(httpx.TransportError):
    """A model server answered with a redirect to another host, which is not followed.

    Attributes:
        host: The other host.
    """

    def __init__(self, host: str, request: httpx.Request | None = None) -> None:
        super().__init__(f"redirected to {host}", request=request)
        self.host = host


def refuse_other_hosts(response: httpx.Response) -> None:
    """Refuse a redirect that leaves the server: a response hook, called before the client follows a redirect.

    The clients of httpx2, which has the same interface, take it as well.

    Raises:
        RedirectRefused: The redirect names another host, or another port that is not the encrypted one of the same
            host.
    """
    if not response.has_redirect_location:
        return
    here, there = response.request.url, response.request.url.join(response.headers["Location"])
    upgraded = (here.scheme, there.scheme) == ("http", "https") and there.port is None and here.port is None
    if here.host != there.host or not (upgraded or (here.scheme, here.port) == (there.scheme, there.port)):
        raise RedirectRefused(there.netloc.decode("ascii", "replace") or "nowhere")


async def refuse_other_hosts_async(response: httpx.Response) -> None:
    """Do as `refuse_other_hosts`, for asynchronous clients."""
    refuse_other_hosts(response)


class SharedConnections(httpx.AsyncBaseTransport):
    """A transport with a connection pool for each event loop; as many connections as there are requests.

    The connections of a loop close when it ends, provided it ends as `asyncio.run` ends one.
    """

    def __init__(self) -> None:
        """Open nothing yet."""
        self._loops: dict[asyncio.AbstractEventLoop, _Loop] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request over the running loop's pool."""
        loop = asyncio.get_running_loop()
        if request.url.userinfo:  # the key is in the header already; aiohttp refuses both
            request.url = request.url.copy_with(userinfo=b"")
        if loop not in self._loops:
            self._forget_ended_loops()
            lifetime = self._lifetime()
            self._loops[loop] = _Loop(lifetime, await anext(lifetime))
        # A connection keeps the context it was opened in as long as it stays open, and a LangGraph context holds the
        # whole state of its run: so each request is sent from an empty one.
        sending = self._loops[loop].pool.handle_async_request(request)
        return await loop.create_task(sending, context=contextvars.Context())

    async def aclose(self) -> None:
        """Close the running loop's connections; a later request opens new ones."""
        ended = self._loops.pop(asyncio.get_running_loop(), None)
        if ended is not None:
            await ended.lifetime.aclose()

    async def _lifetime(self) -> AsyncGenerator[AiohttpTransport, None]:
        """Yield a loop's pool; close it when the loop ends, which it tells its open asynchronous generators.

        A generator that nobody holds any more is closed by the loop too. The timer, which never fires, makes the loop
        hold the pool until then: otherwise the garbage collector would come upon open sockets before that.
        """
        pool = self._pool()
        hold = asyncio.get_running_loop().call_later(YEAR_SECONDS, pool.get_client)
        try:
            yield pool
        finally:
            hold.cancel()
            await pool.aclose()

    def _forget_ended_loops(self) -> None:
        for loop in [loop for loop in self._loops if loop.is_closed()]:
            del self._loops[loop]

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        """Certificates, read once: it takes some 20 ms."""
        return httpx.create_ssl_context()

    def _pool(self) -> AiohttpTransport:
        return AiohttpTransport(client=self._session)

    def _session(self) -> aiohttp.ClientSession:
        # limit 0 is aiohttp's word for no limit
        connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEPALIVE_SECONDS, ssl=self._trust)
        return aiohttp.ClientSession(connector=connector)


@dataclass(frozen=True)
class _Loop:
    """What one event loop has open."""

    lifetime: AsyncGenerator[AiohttpTransport, None]
    pool: AiohttpTransport
