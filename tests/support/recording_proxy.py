"""An HTTP server between a client and a model server: it passes everything on, and remembers what was said."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp import web

_OF_ONE_HOP = frozenset({"host", "connection", "content-length", "transfer-encoding", "keep-alive"})
"""Headers that each connection has of its own."""
COMPLETIONS = "/v1/chat/completions"


@dataclass
class Exchange:
    """One request, and what was answered so far."""

    path: str
    request: Mapping[str, Any]
    """The body; empty for a request without one."""
    status: int = 0
    """0 while nothing was answered."""
    body: bytes = b""
    is_whole: bool = False
    """Whether the answer arrived to its end at the client."""

    @property
    def prompt(self) -> str:
        """The request's messages, tools and schema as the client wrote them."""
        return json.dumps(self.request, ensure_ascii=False)

    @property
    def usage(self) -> Mapping[str, Any]:
        """The tokens that the server counted; of a stream they stand in its last chunk. Empty where it said nothing."""
        text = self.body.decode("utf-8")
        lines = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: {")] or [text]
        said = [part["usage"] for part in map(json.loads, lines) if part.get("usage")]
        return said[-1] if said else {}


@dataclass
class RecordingProxy:
    """What passed through; `url` is what a client is told."""

    upstream: str
    url: str = ""
    exchanges: list[Exchange] = field(default_factory=list)
    asked: threading.Event = field(default_factory=threading.Event)
    """Set once a model is asked."""

    @property
    def completions(self) -> list[Exchange]:
        """The requests to the model."""
        return [one for one in self.exchanges if one.path == COMPLETIONS]

    @property
    def replies(self) -> list[Exchange]:
        """Those that the model answered to the end."""
        return [one for one in self.completions if one.status == web.HTTPOk.status_code and one.is_whole]

    async def passed_on(self, request: web.Request) -> web.StreamResponse:
        """Pass a request on, and its answer back as it comes; both end with the client's connection."""
        body = await request.read()
        exchange = Exchange(request.path, json.loads(body) if body else {})
        self.exchanges.append(exchange)
        headers = {name: value for name, value in request.headers.items() if name.lower() not in _OF_ONE_HOP}
        asked = aiohttp.request(
            request.method,
            f"{self.upstream}{request.path_qs}",
            data=body,
            headers={**headers, "Accept-Encoding": "identity"},
            timeout=aiohttp.ClientTimeout(total=None),
        )
        if exchange.path == COMPLETIONS:
            self.asked.set()
        async with asked as answer:
            exchange.status = answer.status
            kept = {name: value for name, value in answer.headers.items() if name.lower() not in _OF_ONE_HOP}
            back = web.StreamResponse(status=answer.status, headers=kept)
            await back.prepare(request)
            async for chunk in answer.content.iter_any():
                exchange.body += chunk
                await back.write(chunk)
            exchange.is_whole = True
            await back.write_eof()
        return back


@contextmanager
def recording(upstream: str) -> Iterator[RecordingProxy]:
    """Run a proxy in front of a server on a free port, on a thread of its own.

    Args:
        upstream: The server's address, such as http://127.0.0.1:41234.
    """
    proxy, loop, is_up = RecordingProxy(upstream), asyncio.new_event_loop(), threading.Event()

    async def serve() -> web.AppRunner:
        app = web.Application(client_max_size=2**26)
        app.router.add_route("*", "/{path:.*}", proxy.passed_on)
        runner = web.AppRunner(app, handler_cancellation=True)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        proxy.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        is_up.set()
        return runner

    def run() -> None:
        asyncio.set_event_loop(loop)
        runner = loop.run_until_complete(serve())
        loop.run_forever()
        loop.run_until_complete(runner.cleanup())
        loop.close()

    thread = threading.Thread(target=run, name="recording proxy")
    thread.start()
    assert is_up.wait(30)
    try:
        yield proxy
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(30)
