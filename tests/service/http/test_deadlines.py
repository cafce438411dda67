"""Clients that send slowly, on a server of this process whose deadlines are short."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from tradingagents.service.http import security
from tradingagents.service.http import serve as serve_module
from tradingagents.service.http.errors import Sanitizer
from tradingagents.service.http.security import AccessPolicy, Gate
from tradingagents.service.http.serve import DeadlineProtocol

TOKEN = "a-long-token-of-the-server-1"  # noqa: S105 - made up for this test
HEAD = f"POST /v1/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"


async def inner(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("answered")(scope, receive, send)


@pytest.fixture
async def port(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    monkeypatch.setattr(serve_module, "REQUEST_SECONDS", 0.3)
    monkeypatch.setattr(security, "BODY_SECONDS", 0.3)
    gate = Gate(inner, AccessPolicy(token=TOKEN), Sanitizer(Path("/srv/home"), {}))
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        gate, http=DeadlineProtocol, ws="none", lifespan="off", log_config=None, access_log=False, loop="asyncio"
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        await task


async def exchange(port: int, *pieces: str, wait: float = 0.0) -> str:
    """Send pieces with pauses; return all that comes back until the server closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for piece in pieces:
        writer.write(piece.encode())
        await writer.drain()
        await asyncio.sleep(wait)
    try:
        return (await asyncio.wait_for(reader.read(), 10)).decode()
    finally:
        writer.close()


async def test_a_head_that_does_not_arrive_closes_the_connection(port: int) -> None:
    assert await exchange(port, "") == ""
    assert await exchange(port, "GET /v1/x HTTP/1.1\r\n", "Host: local") == ""


async def test_a_head_that_arrives_in_pieces_within_its_time_is_answered(port: int) -> None:
    text = await exchange(
        port, "GET /v1/health HTTP/1.1\r\n", "Host: localhost\r\n", "Connection: close\r\n\r\n", wait=0.05
    )
    assert text.startswith("HTTP/1.1 200")


async def test_a_body_that_does_not_arrive_is_answered_and_closed(port: int) -> None:
    text = await exchange(port, f"{HEAD}Content-Length: 10\r\n\r\n123")
    assert text.startswith("HTTP/1.1 408")
    assert '"code":"usage_error"' in text


async def test_a_second_request_of_a_connection_has_a_deadline_too(port: int) -> None:
    text = await exchange(port, f"{HEAD}Content-Length: 2\r\n\r\n{{}}", "GET /v1/x HT", wait=0.1)
    assert text.startswith("HTTP/1.1 200")
    assert text.endswith("answered")
