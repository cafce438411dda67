"""Server-sent events: a stream that ends with its source, with its client, or with the server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tradingagents.schemas.workspace import TaskEvent

HEARTBEAT_SECONDS = 15.0
"""Longest silence of a stream: so a client notices a dead server, and the server a dead client."""
SEND_SECONDS = 30.0
"""How long a client may leave what was sent to it unread before it is dropped. It can reconnect."""
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
        gone = asyncio.ensure_future(_disconnected(receive))
        stop = asyncio.ensure_future(self._stopping.wait())
        following: asyncio.Future[bytes | None] | None = None
        try:
            while not (gone.done() or stop.done()):
                following = following or asyncio.ensure_future(_next_of(self._frames))
                awaited: set[asyncio.Future[Any]] = {following, gone, stop}
                await asyncio.wait(awaited, timeout=self._heartbeat, return_when=asyncio.FIRST_COMPLETED)
                if gone.done() or (stop.done() and not following.done()):
                    break
                chunk = HEARTBEAT
                if following.done():
                    chunk, following = following.result() or END, None
                async with asyncio.timeout(self._patience):
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
                if chunk is END:
                    break
            if not gone.done():
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        except TimeoutError:
            return  # the connection is closed, for the answer is not complete
        finally:
            for task in (gone, stop, following):
                if task is not None and not task.done():
                    task.cancel()
                    with suppress(asyncio.CancelledError):
                        await task
            await self._frames.aclose()


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
        yield frame(event.model_dump_json(), event=event.type, number=event.seq)


async def _next_of(frames: AsyncIterator[bytes]) -> bytes | None:
    return await anext(frames, None)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
