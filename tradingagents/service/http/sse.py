"""Server-sent events: a stream that ends with its source, with its client, or with the server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from functools import lru_cache
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tradingagents.schemas.workspace import TaskEvent

HEARTBEAT_SECONDS = 15.0
"""Longest silence of a stream: so a client notices a dead server, and the server a dead client."""
SEND_SECONDS = 30.0
"""How long a client may leave what was sent to it unread before it is dropped. It can reconnect."""
FRAMES_AT_ONCE = 20
"""Frames of a long history that are sent before others have their turn."""
HEARTBEAT = b": still here\n\n"
END = b": end\n\n"
"""The last line of a stream that is complete. One that ends without it was cut off, and goes on after a reconnect."""


class EventStreamResponse(Response):
    """Sends frames as they come, and heartbeats between them. The source is asked only as fast as the client reads."""

    media_type = "text/event-stream"

    def __init__(
        self,
        frames: AsyncGenerator[bytes],
        *,
        stopping: asyncio.Event,
        heartbeat: float = HEARTBEAT_SECONDS,
        patience: float = SEND_SECONDS,
    ) -> None:
        """Set the source.

        Args:
            frames: Encoded events; closed when the stream ends.
            stopping: Set when the server is to stop, which ends the stream.
            heartbeat: Seconds of silence after which a comment is sent.
            patience: Seconds that the client may leave what was sent unread.
        """
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._frames, self._stopping, self._heartbeat, self._patience = frames, stopping, heartbeat, patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - ASGI's signature
        """Serve the stream."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        connection = _Connection(send, self._patience)
        sending = asyncio.ensure_future(self._send_all(connection))
        others = [
            asyncio.ensure_future(_disconnected(receive)),
            asyncio.ensure_future(self._stopping.wait()),
            asyncio.ensure_future(connection.keep_alive(self._heartbeat)),
        ]
        try:
            await asyncio.wait({sending, *others}, return_when=asyncio.FIRST_COMPLETED)
            await _cancelled(sending, *others)
            if others[0].cancelled() and not connection.stuck:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
            if not sending.cancelled():
                sending.result()
        finally:
            await _cancelled(sending, *others)
            await self._frames.aclose()

    async def _send_all(self, connection: _Connection) -> None:
        number = 0
        async for frame in self._frames:
            if not await connection.send(frame):
                return
            number += 1
            if number % FRAMES_AT_ONCE == 0:
                await asyncio.sleep(0)
        await connection.send(END)


class _Connection:
    """Sends pieces of a stream one after another; notices a client that reads nothing."""

    def __init__(self, send: Send, patience: float) -> None:
        self._send, self._patience = send, patience
        self._lock = asyncio.Lock()
        self._sent = 0
        self.stuck = False
        """Whether a piece could not be sent in time. The connection is closed then, for the answer is not complete."""

    async def send(self, piece: bytes) -> bool:
        """Send a piece; return whether the client took it."""
        async with self._lock:
            self._sent += 1
            try:
                async with asyncio.timeout(self._patience):
                    await self._send({"type": "http.response.body", "body": piece, "more_body": True})
            except TimeoutError:
                self.stuck = True
        return not self.stuck

    async def keep_alive(self, seconds: float) -> None:
        """Send a comment whenever nothing was sent for some time, until the client takes nothing any more."""
        while not self.stuck:
            sent = self._sent
            await asyncio.sleep(seconds)
            if sent == self._sent:
                await self.send(HEARTBEAT)


def frame(data: str, *, event: str | None = None, number: int | None = None) -> bytes:
    """Encode an event; `data` must be one line, as JSON is."""
    head = f"id: {number}\n" if number is not None else ""
    head += f"event: {event}\n" if event is not None else ""
    return f"{head}data: {data}\n\n".encode()


def json_frame(value: Any, *, event: str | None = None) -> bytes:
    """Encode an event whose data are JSON."""
    return frame(json.dumps(value, ensure_ascii=False, allow_nan=False, default=str), event=event)


async def task_frames(events: AsyncIterator[TaskEvent]) -> AsyncGenerator[bytes]:
    """Encode the events of a task, numbered as they are."""
    async for event in events:
        yield _task_frame(_Same(event))


class _Same:
    """An event by its identity: every listener of a task receives the same events, which are encoded once."""

    __slots__ = ("event", "key")

    def __init__(self, event: TaskEvent) -> None:
        self.event, self.key = event, (event.task_id, event.seq, event.ts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@lru_cache(maxsize=256)
def _task_frame(same: _Same) -> bytes:
    event = same.event
    return frame(event.model_dump_json(), event=event.type, number=event.seq)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _cancelled(*tasks: asyncio.Future[Any]) -> None:
    """Cancel what has not ended, and wait for it."""
    for task in tasks:
        if not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
