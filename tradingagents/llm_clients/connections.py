"""HTTP connections to model servers, shared by all tickers of a process across event loops.

The stock pool falls short in two ways. A pooled connection belongs to the event loop that opened it, so a client that
outlives `asyncio.run` would reuse it in the next loop ("Event loop is closed"): here each loop has its own pools. And
the stock pool scans every connection on every request and parses HTTP in Python, which takes up to half of a call's
processor time at 64 concurrent calls: here aiohttp carries the requests, as the OpenAI SDK supports.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from http.cookiejar import CookieJar
from typing import Any

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport
from httpx_aiohttp.transport import map_aiohttp_exceptions
from multidict import CIMultiDict
from yarl import URL

from tradingagents.dataflows.gateway.certificates import trusted_certificates

KEEPALIVE_SECONDS = 30.0
"""Shorter than the idle time after which common servers and proxies close a connection (60 s and more)."""
CONNECT_SECONDS = 10.0
YEAR_SECONDS = 365 * 24 * 3600.0
_HTTP_LOG = logging.getLogger("httpx")
"""Requests without httpx are logged where those with it are, so that a log holds all of them in one form."""


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


class ModelHttpClient(httpx.AsyncClient):
    """A client that reads the address it asks once, and looks for cookies where an answer sets any.

    httpx parses the address again for every request, and builds a request and an answer of `urllib` from every answer
    to look for cookies: together about a millisecond in 17 calls.
    """

    def __init__(self, **options: Any) -> None:
        """Create a client; `options` are those of `httpx.AsyncClient`."""
        super().__init__(**options)
        transport = options.get("transport")
        self.connections = transport if isinstance(transport, SharedConnections) else None
        """The connections that it sends requests on; None where it has its own, such as through a proxy."""
        self._jar = _Cookies(super().cookies)
        self._text, self._address = "", httpx.URL()

    @property
    def cookies(self) -> httpx.Cookies:
        """The cookies that servers have set."""
        return self._jar

    @cookies.setter
    def cookies(self, cookies: httpx.Cookies | CookieJar | dict[str, str] | list[tuple[str, str]]) -> None:
        self._jar = _Cookies(cookies)

    def build_request(self, method: str, url: httpx.URL | str, **options: Any) -> httpx.Request:
        """Return a request; see `httpx.AsyncClient.build_request`."""
        if isinstance(url, str):
            if url != self._text:
                self._address, self._text = httpx.URL(url), url
            url = self._address
        return super().build_request(method, url, **options)


class _Cookies(httpx.Cookies):
    def extract_cookies(self, response: httpx.Response) -> None:
        if "set-cookie" in response.headers:
            super().extract_cookies(response)


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
        sending = (await self._of(loop)).pool.handle_async_request(request)
        # A connection keeps the context it was opened in, and a LangGraph context holds the whole state of its run: so
        # each request is sent from an empty context.
        return await loop.create_task(sending, context=contextvars.Context())

    async def post(self, target: PostTarget, body: bytes) -> PostAnswer:
        """Send a request and read its whole answer, without the steps of httpx: redirects are not followed.

        Raises:
            httpx.HTTPError: What httpx raises where the server does not answer.
        """
        loop = asyncio.get_running_loop()
        sending = _posted((await self._of(loop)).session, target, body)
        answer = await loop.create_task(sending, context=contextvars.Context())
        # In the caller's context, which says for which run and agent the request was.
        _HTTP_LOG.info('HTTP Request: POST %s "HTTP/1.1 %d"', target.url, answer.status)
        return answer

    async def _of(self, loop: asyncio.AbstractEventLoop) -> _Loop:
        """Return the connections of a loop."""
        if loop not in self._loops:
            self._forget_ended_loops()
            lifetime = self._lifetime()
            self._loops[loop] = _Loop(lifetime, await anext(lifetime))
        return self._loops[loop]

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

    @property
    def session(self) -> aiohttp.ClientSession:
        """What aiohttp sends requests with."""
        return self.pool.get_client()


class PostTarget:
    """Where requests go: address, headers and time limits, which are the same for many, as aiohttp takes them."""

    def __init__(self, request: httpx.Request) -> None:
        """Take those of a request."""
        url = request.url.copy_with(userinfo=b"") if request.url.userinfo else request.url
        self.url = URL(str(url), encoded=True)
        self._headers = CIMultiDict(request.headers.multi_items())
        limits = request.extensions.get("timeout", {})
        self.timeout = aiohttp.ClientTimeout(
            sock_connect=limits.get("connect"), sock_read=limits.get("read"), connect=limits.get("pool")
        )

    def headers(self, body: bytes) -> CIMultiDict[str]:
        """Return the headers of a request with this body."""
        headers = self._headers.copy()
        headers["content-length"] = str(len(body))
        return headers


@dataclass(frozen=True, slots=True)
class PostAnswer:
    """An answer as it came: the body is not decompressed."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    encoded: bool
    """Whether the body is compressed."""

    def response(self, request: httpx.Request) -> httpx.Response:
        """Return the answer as httpx gives it."""
        return httpx.Response(self.status, headers=list(self.headers), content=self.body, request=request)


async def _posted(session: aiohttp.ClientSession, target: PostTarget, body: bytes) -> PostAnswer:
    with map_aiohttp_exceptions():
        async with session.post(
            target.url,
            headers=target.headers(body),
            data=body,
            allow_redirects=False,
            auto_decompress=False,
            compress=False,
            timeout=target.timeout,
        ) as answer:
            content = await answer.read()
            return PostAnswer(answer.status, answer.raw_headers, content, "Content-Encoding" in answer.headers)
