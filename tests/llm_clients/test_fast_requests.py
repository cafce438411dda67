"""Requests after a model's first one: sent and refused as the SDK does it."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import openai
import pytest
from langchain_core.messages import HumanMessage

from benchmarks.openai_server import Answer, OpenAIServer
from tradingagents.llm_clients.connections import RedirectRefused
from tradingagents.llm_clients.providers import create_chat_model
from tradingagents.settings import load_settings


def model_of(url: str, **more: Any) -> Any:
    settings = load_settings({"llm_timeout": 2.0, **more}, environ={})
    return create_chat_model("openai_compatible", "m", base_url=url, settings=settings, environ={})


@asynccontextmanager
async def recorded() -> AsyncIterator[tuple[str, list[bytes]]]:
    """A server that keeps what it receives, byte for byte."""
    received: list[bytes] = []
    body = b'{"choices":[{"index":0,"message":{"role":"assistant","content":"Hello."},"finish_reason":"stop"}]}'

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        while head := await _until_blank_line(reader):
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            received.append(head + await reader.readexactly(length))
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
            writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    writers: list[asyncio.StreamWriter] = []
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", received
    finally:
        server.close()
        for writer in writers:
            writer.close()
            await writer.wait_closed()


async def _until_blank_line(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return b""


async def test_each_request_is_byte_for_byte_the_one_of_the_sdk():
    async with recorded() as (url, received):
        model = model_of(url)
        for said in ("One", "One", "Zwölf — 12 \u2028 €", "One"):
            await model.ainvoke([HumanMessage(said)])
        first, again, other, last = received
        assert first == again == last
        assert other.partition(b"\r\n\r\n")[2].decode().count("Zwölf — 12 \u2028 €") == 1
        stock = model_of(url)
        await stock.ainvoke([HumanMessage("Zwölf — 12 \u2028 €")])
        assert received[-1] == other


async def test_another_key_or_address_is_used_at_once():
    async with recorded() as (url, received), recorded() as (elsewhere, others):
        model = model_of(url)
        await model.ainvoke([HumanMessage("Hi")])
        model.root_async_client.api_key = "another key"
        await model.ainvoke([HumanMessage("Hi")])
        assert b"Bearer another key" in received[1]
        model.root_async_client.base_url = elsewhere
        await model.ainvoke([HumanMessage("Hi")])
        assert (len(received), len(others)) == (2, 1)


REFUSALS = {
    "bad request": Answer(status=400, error="no such parameter"),
    "key": Answer(status=401, error="wrong key"),
    "forbidden": Answer(status=403, error="not yours"),
    "unknown": Answer(status=404, error="no such model"),
    "conflict": Answer(status=409, error="again"),
    "format": Answer(status=422, error="no tools here"),
    "rate": Answer(status=429, error="slow down", retry_after=7),
    "teapot": Answer(status=418, error="a teapot"),
    "broken": Answer(status=503, error="busy"),
    "no JSON": Answer(raw=b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 4\r\n\r\noops"),
    "cut": Answer(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{", cut=True),
    "no HTTP": Answer(raw=b"hello\r\n\r\n", cut=True),
    "silence": Answer(hang=True),
}


async def _failure(model: Any) -> Exception:
    with pytest.raises((openai.OpenAIError, aiohttp.ClientError)) as raised:
        await model.ainvoke([HumanMessage("Hi")])
    return raised.value


@pytest.mark.parametrize("answer", REFUSALS.values(), ids=REFUSALS.keys())
async def test_a_refusal_is_the_error_that_the_sdk_makes_of_it(answer: Answer):
    with OpenAIServer() as server:
        errors = []
        for begun in (False, True):
            model = model_of(server.url)
            if begun:
                await model.ainvoke([HumanMessage("Hi")])
            server.answer(answer)
            before = server.calls
            error = await _failure(model)
            assert server.calls == before + 1
            status = getattr(error, "response", None)
            errors.append(
                (
                    type(error),
                    str(error),
                    getattr(error, "body", None),
                    status is not None and (status.status_code, status.headers.get("retry-after")),
                    [type(one) for one in _causes(error)],
                )
            )
        assert errors[0] == errors[1]


def _causes(error: BaseException | None) -> list[BaseException]:
    found: list[BaseException] = []
    while error is not None and len(found) < 9:
        found.append(error)
        error = error.__cause__
    return found


COMPLETION = b'{"choices":[{"index":0,"message":{"role":"assistant","content":"Squeezed."},"finish_reason":"stop"}]}'


async def test_a_compressed_answer_is_read():
    body = gzip.compress(COMPLETION)
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body)
    with OpenAIServer() as server:
        model = model_of(server.url)
        await model.ainvoke([HumanMessage("Hi")])
        server.answer(Answer(raw=head + body))
        assert (await model.ainvoke([HumanMessage("Hi")])).text == "Squeezed."


async def test_a_redirect_on_the_same_server_is_followed():
    with OpenAIServer() as server:
        model = model_of(server.url)
        await model.ainvoke([HumanMessage("Hi")])
        moved = b"HTTP/1.1 307 Moved\r\nLocation: /v1/chat/completions\r\nContent-Length: 0\r\n\r\n"
        server.answer(Answer(raw=moved), Answer(raw=moved), Answer("Here."))
        assert (await model.ainvoke([HumanMessage("Hi")])).text == "Here."


async def test_a_redirect_to_another_server_is_refused():
    with OpenAIServer() as server:
        model = model_of(server.url)
        await model.ainvoke([HumanMessage("Hi")])
        moved = b"HTTP/1.1 307 Moved\r\nLocation: http://elsewhere.test/v1\r\nContent-Length: 0\r\n\r\n"
        server.answer(Answer(raw=moved), Answer(raw=moved))
        causes = _causes(await _failure(model))
        assert [cause.host for cause in causes if isinstance(cause, RedirectRefused)] == ["elsewhere.test"]


async def test_a_server_that_is_gone_is_named_as_by_the_sdk():
    with OpenAIServer() as server:
        begun, new = model_of(server.url), model_of(server.url)
        await begun.ainvoke([HumanMessage("Hi")])
    errors = [await _failure(model) for model in (begun, new)]
    assert str(errors[0]) == str(errors[1])
    # What the transport says last differs: one had a connection.
    first, second = ([type(cause) for cause in _causes(error)][:3] for error in errors)
    assert first == second
    assert isinstance(errors[0], openai.APIConnectionError)
