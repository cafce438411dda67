"""A stream of events ends with its source, with its client, or with the server; nobody waits for a slow client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator

import pytest
from starlette.types import Message

from tradingagents.service.client.event_stream import ServerEvent, StreamEnded, read_events
from tradingagents.service.http.sse import END, HEARTBEAT, EventStreamResponse, frame, json_frame


class Browser:
    """One connection: collects what is sent, and may leave or stop reading."""

    def __init__(self) -> None:
        self.chunks: list[bytes] = []
        self.complete = False
        self.left = asyncio.Event()
        self.reads = asyncio.Event()
        self.reads.set()

    async def receive(self) -> Message:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        await self.reads.wait()
        if message["type"] == "http.response.body":
            self.chunks += [message["body"]] if message["body"] else []
            self.complete = not message.get("more_body", False)


class Source:
    """Frames that come when the test says so; knows whether it was closed."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.closed = False
        self.asked = 0

    async def frames(self) -> AsyncGenerator[bytes]:
        try:
            while True:
                self.asked += 1
                one = await self.queue.get()
                if one is None:
                    return
                yield one
        finally:
            self.closed = True


async def serve(source: Source, browser: Browser, **given: float) -> asyncio.Event:
    stopping = asyncio.Event()
    response = EventStreamResponse(source.frames(), stopping=stopping, **given)
    task = asyncio.create_task(response({"type": "http"}, browser.receive, browser.send))
    browser.task = task  # type: ignore[attr-defined]
    await asyncio.sleep(0)
    return stopping


async def done(browser: Browser) -> None:
    await asyncio.wait_for(browser.task, 5)  # type: ignore[attr-defined]


async def test_a_stream_ends_with_its_source_and_says_so() -> None:
    source, browser = Source(), Browser()
    await serve(source, browser)
    for one in (b"a", b"b", None):
        source.queue.put_nowait(one)
    await done(browser)
    assert browser.chunks == [b"a", b"b", END]
    assert (browser.complete, source.closed) == (True, True)


async def test_silence_is_filled_with_heartbeats() -> None:
    source, browser = Source(), Browser()
    await serve(source, browser, heartbeat=0.01)
    while browser.chunks.count(HEARTBEAT) < 3:
        await asyncio.sleep(0.01)
    source.queue.put_nowait(None)
    await done(browser)
    assert browser.chunks[-1] == END


async def test_a_client_that_leaves_ends_the_stream_at_once() -> None:
    source, browser = Source(), Browser()
    await serve(source, browser)
    browser.left.set()
    await done(browser)
    assert source.closed
    assert END not in browser.chunks


async def test_a_server_that_stops_ends_the_stream_which_is_not_complete() -> None:
    source, browser = Source(), Browser()
    stopping = await serve(source, browser)
    source.queue.put_nowait(b"a")
    while not browser.chunks:
        await asyncio.sleep(0)
    stopping.set()
    await done(browser)
    assert browser.chunks == [b"a"]
    assert (browser.complete, source.closed) == (True, True)


async def test_a_client_that_does_not_read_is_dropped_and_its_source_is_not_asked_further() -> None:
    source, browser = Source(), Browser()
    await serve(source, browser, patience=0.05)
    for _ in range(1_000):
        source.queue.put_nowait(b"x")
    while not browser.chunks:
        await asyncio.sleep(0)
    browser.reads.clear()
    await done(browser)
    assert source.closed
    assert not browser.complete
    assert source.asked < 200


async def lines(text: str) -> AsyncIterator[str]:
    for line in text.split("\n"):
        yield line


async def test_what_is_encoded_is_read_back() -> None:
    text = (frame('{"a": "ü\u2028"}', event="task", number=7) + HEARTBEAT + json_frame([1]) + END).decode()
    read = read_events(lines(text))
    assert await anext(read) == ServerEvent('{"a": "ü\u2028"}', "task", "7")
    assert await anext(read) == ServerEvent("[1]")
    with pytest.raises(StreamEnded):
        await anext(read)


async def test_an_event_that_was_cut_off_is_left_out() -> None:
    assert [one.data async for one in read_events(lines("data: 1\n\ndata: 2"))] == ["1"]
