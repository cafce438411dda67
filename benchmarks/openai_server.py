"""An OpenAI-compatible chat-completions server on 127.0.0.1, for benchmarks (its own process) and tests (a thread).

    python -m benchmarks.openai_server --port 0 --delay 0.2 --reply-tokens 600

prints the port it listens on, then answers every chat completion after the delay until it is ended. `GET /v1/stats`
tells what it was asked and when; `GET /v1/stats?prompts=0` the same without the prompts.

Plain asyncio and a protocol of its own: the server must cost little beside the client it measures.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import threading
import time
from collections import deque
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from types import TracebackType
from typing import Any

from benchmarks.openai_answers import Answer, ToolCall, answer_for, problem, role_of, text_of, tokens_of

__all__ = ["Answer", "OpenAIServer", "ToolCall"]

MODELS = ("gpt-5-mini", "gpt-5.2", "bench-model")
CHUNKS = 12
"""Pieces a streamed text is sent in."""
CUT_AFTER = 0.05
"""Seconds between a reply that is cut and the end of its connection."""
REQUEST_KEYS = ("model", "stream", "tool_choice", "response_format", "temperature", "reasoning_effort")


class OpenAIServer:
    """The server; as a context manager it runs in a thread of its own.

    Args:
        delay: Seconds until a chat completion is answered.
        reply_tokens: Length of a text reply.
        key: The only accepted API key; None accepts all.
        port: 0 takes a free one.
    """

    def __init__(self, *, delay: float = 0.0, reply_tokens: int = 60, key: str | None = None, port: int = 0) -> None:
        self.delay, self.reply_tokens, self.key, self.port = delay, reply_tokens, key, port
        self.requests: list[dict[str, Any]] = []
        """One entry per chat completion: role, prompt, key, request, received_at, answered_at (epoch seconds)."""
        self._answers: dict[str | None, deque[Answer]] = {}
        self._always: dict[str | None, Answer] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Transport] = set()

    @property
    def url(self) -> str:
        """Base URL for a client."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def calls(self) -> int:
        """Chat completions asked for so far."""
        return len(self.requests)

    def answer(self, *answers: Answer, role: str | None = None) -> None:
        """Give these answers, once each and in order, to the next calls of a role (None: of any role)."""
        self._answers.setdefault(role, deque()).extend(answers)

    def always(self, answer: Answer, *, role: str | None = None) -> None:
        """Give this answer to every further call of a role (None: of any role)."""
        self._always[role] = answer

    def choose(self, body: Mapping[str, Any], role: str | None) -> Answer:
        """Return what a request is answered with."""
        for key in (role, None):
            if self._answers.get(key):
                return self._answers[key].popleft()
        for key in (role, None):
            if key in self._always:
                return self._always[key]
        return self.ponder(body)

    def ponder(self, body: Mapping[str, Any]) -> Answer:
        """Return the answer to a request for which none was given."""
        return answer_for(body, self.reply_tokens, self.calls)

    def stats(self, *, prompts: bool = True) -> dict[str, Any]:
        """Return what the server was asked, as JSON-able."""
        kept = [{k: v for k, v in one.items() if k != "key" and (prompts or k != "prompt")} for one in self.requests]
        return {"calls": self.calls, "requests": kept}

    async def start(self) -> None:
        """Listen, in the running loop."""
        self._loop = asyncio.get_running_loop()
        self._server = await self._loop.create_server(
            lambda: _Connection(self, self._connections), "127.0.0.1", self.port, backlog=1024
        )
        self.port = self._server.sockets[0].getsockname()[1]

    def __enter__(self) -> OpenAIServer:
        ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(ready)), name="openai-server")
        self._thread.start()
        ready.wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._loop is not None  # noqa: S101 - entered before
        assert self._thread is not None  # noqa: S101
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    async def _serve(self, ready: threading.Event) -> None:
        self._stop = asyncio.Event()
        await self.start()
        ready.set()
        await self._stop.wait()
        assert self._server is not None  # noqa: S101 - started above
        self._server.close()
        for transport in tuple(self._connections):
            transport.abort()


class _Connection(asyncio.Protocol):
    """One kept-alive HTTP/1.1 connection: requests come one after the other, as clients' pools send them."""

    def __init__(self, server: OpenAIServer, connections: set[asyncio.Transport]) -> None:
        self._server, self._connections, self._buffer = server, connections, bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - TCP
        self._transport = transport
        self._connections.add(transport)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self._connections.discard(self._transport)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            start, *lines = self._buffer[:end].decode("latin-1").split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            stop = end + 4 + int(headers.get("content-length", 0))
            if len(self._buffer) < stop:
                return
            body = bytes(self._buffer[end + 4 : stop])
            del self._buffer[:stop]
            method, target, _ = start.split(" ", 2)
            self._handle(method, target, headers, body)

    def _handle(self, method: str, target: str, headers: Mapping[str, str], body: bytes) -> None:
        path, _, query = target.partition("?")
        key = headers.get("authorization", "").removeprefix("Bearer ")
        if method == "GET" and path in ("/stats", "/v1/stats"):
            self._send(200, self._server.stats(prompts=query != "prompts=0"))
        elif self._server.key is not None and key != self._server.key:
            # A real server echoes part of the key; this one all of it, so that a leak shows.
            self._send(401, _error(f"Incorrect API key provided: {key}."))
        elif (method, path) == ("GET", "/v1/models"):
            self._send(200, {"object": "list", "data": [{"id": name, "object": "model"} for name in MODELS]})
        elif (method, path) == ("POST", "/v1/chat/completions"):
            self._complete(body, key)
        else:
            self._send(404, _error(f"unknown path {path}"))

    def _complete(self, raw: bytes, key: str) -> None:
        received, arrived = time.time(), asyncio.get_running_loop().time()
        try:
            body = json.loads(raw)
        except ValueError:
            return self._send(400, _error("the body is not JSON"))
        if (wrong := problem(body)) is not None:
            return self._send(400, _error(wrong))
        role = role_of(body["messages"])
        entry = {
            "role": role,
            "prompt": "\n\n".join(map(text_of, body["messages"])),
            "key": key,
            "request": {name: body[name] for name in REQUEST_KEYS if name in body},
            "tools": [tool["function"]["name"] for tool in body.get("tools") or []],
            "received_at": received,
            "answered_at": None,
        }
        self._server.requests.append(entry)
        answer = self._server.choose(body, role)
        if not answer.hang:
            delay = self._server.delay if answer.delay is None else answer.delay
            # What the server itself takes is part of the delay, so that a call lasts as long as it was told to.
            reply = self._reply(answer, body, entry)
            asyncio.get_running_loop().call_at(arrived + delay, self._answer, reply, answer.cut, entry)
        return None

    def _answer(self, reply: bytes, cut: bool, entry: dict[str, Any]) -> None:
        entry["answered_at"] = time.time()
        self._write(reply)
        if cut:  # once the client has had the time to read what was sent
            asyncio.get_running_loop().call_later(CUT_AFTER, self._transport.close)

    def _reply(self, answer: Answer, body: Mapping[str, Any], entry: dict[str, Any]) -> bytes:
        if answer.raw is not None:
            return answer.raw
        if answer.body is not None:
            return _raw(answer.status, answer.body)
        if answer.status != HTTPStatus.OK:
            return _response(answer.status, _error(answer.error), retry_after=answer.retry_after)
        whole = _completion(answer, body["model"], entry["prompt"], len(self._server.requests))
        if answer.change is not None:
            answer.change(whole)
        if not body.get("stream"):
            return _response(200, whole, cut=answer.cut)
        with_usage = bool((body.get("stream_options") or {}).get("include_usage"))
        return _streamed(list(_chunks(whole, with_usage=with_usage)), cut=answer.cut, ends=answer.ends)

    def _send(self, status: int, content: Mapping[str, Any]) -> None:
        self._write(_response(status, content))

    def _write(self, data: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(data)


def _response(status: int, content: Mapping[str, Any], *, cut: bool = False, retry_after: str | None = None) -> bytes:
    """Return a JSON answer as it goes over the wire; cut in the middle of its body on demand."""
    body = json.dumps(content).encode()
    wait = "" if retry_after is None else f"retry-after: {retry_after}\r\n"
    head = (
        f"HTTP/1.1 {status} {_phrase(status)}\r\ncontent-type: application/json\r\n"
        f"{wait}content-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + (body[: len(body) // 2] if cut else body)


def _raw(status: int, text: str) -> bytes:
    """Return a text as it goes over the wire."""
    body, kind = text.encode(), "application/json" if text.startswith("{") else "text/html"
    head = f"HTTP/1.1 {status} {_phrase(status)}\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase if status in set(HTTPStatus) else "Overloaded"


def _streamed(chunks: list[Mapping[str, Any]], *, cut: bool, ends: bool) -> bytes:
    """Return an answer in pieces as it goes over the wire; cut, or ended, in its middle on demand."""
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    lines = [f"data: {json.dumps(chunk)}\n\n".encode() for chunk in chunks]
    lines = lines[: len(lines) // 2] if cut or ends else [*lines, b"data: [DONE]\n\n"]
    framed = b"".join(b"%x\r\n%s\r\n" % (len(line), line) for line in lines)
    return head + framed + (b"" if cut else b"0\r\n\r\n")


def _error(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}


def _completion(answer: Answer, model: str, prompt: str, number: int) -> dict[str, Any]:
    calls = [
        {
            **({"id": f"call_{number}_{index}"} if answer.ids else {}),
            "type": "function",
            "function": {
                "name": call.name,
                "arguments": call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments),
            },
        }
        for index, call in enumerate(answer.tool_calls)
    ]
    message = {"role": "assistant", "content": answer.text, **({"tool_calls": calls} if calls else {})}
    written = (answer.text or "") + "".join(call["function"]["arguments"] for call in calls)  # type: ignore[index]
    asked, said = tokens_of(prompt), tokens_of(written)
    usage = {
        "prompt_tokens": asked,
        "completion_tokens": said,
        "total_tokens": asked + said,
        "prompt_tokens_details": {"cached_tokens": answer.cached_tokens},
    }
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": answer.finish_reason or ("tool_calls" if calls else "stop"),
            }
        ],
        **({"usage": usage} if answer.usage else {}),
    }


def _chunks(whole: Mapping[str, Any], *, with_usage: bool) -> Iterable[dict[str, Any]]:
    """Cut a completion into the pieces a server streams: text in equal parts, arguments that are text in two."""
    head = {key: whole[key] for key in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    choice = whole["choices"][0]
    message, text = choice["message"], choice["message"]["content"] or ""

    def piece(delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    yield piece({"role": "assistant", "content": ""})
    size = max(1, -(-len(text) // CHUNKS))
    for start in range(0, len(text), size):
        yield piece({"content": text[start : start + size]})
    for index, call in enumerate(message.get("tool_calls", ())):
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        opened = {"index": index, "type": "function", **({"id": call["id"]} if "id" in call else {})}
        if not isinstance(arguments, str):
            yield piece({"tool_calls": [{**opened, "function": {"name": name, "arguments": arguments}}]})
            continue
        half = len(arguments) // 2
        yield piece({"tool_calls": [{**opened, "function": {"name": name, "arguments": arguments[:half]}}]})
        yield piece({"tool_calls": [{"index": index, "function": {"arguments": arguments[half:]}}]})
    yield piece({}, choice["finish_reason"])
    if with_usage and "usage" in whole:
        yield {**head, "choices": [], "usage": whole["usage"]}


async def _main(server: OpenAIServer) -> None:
    await server.start()
    print(server.port, flush=True)
    await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(description="An OpenAI-compatible model server with a fixed delay.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--delay", type=float, default=0.2, help="seconds per call")
    parser.add_argument("--reply-tokens", type=int, default=600)
    given = parser.parse_args()
    server = OpenAIServer(delay=given.delay, reply_tokens=given.reply_tokens, port=given.port)
    try:
        asyncio.run(_main(server))
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main()
