"""A client whose connections break at random, also within an event, receives every event once and in order."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator

import httpx
import pytest

from tests.service.conftest import DAY, TICKER
from tests.support.server_process import TOKEN, ServerProcess
from tests.support.tiers import sampled
from tradingagents.schemas.workspace import TaskInfo
from tradingagents.service.client import AsyncClient
from tradingagents.service.client import client as client_module

ROUNDS, CUTS = 20, 50
"""Rounds of so many disconnects each: 1,000 with `--all`."""


class Cutting(httpx.AsyncBaseTransport):
    """Breaks connections after a random number of bytes, so many times."""

    def __init__(self, seed: int, cuts: int, longest: int) -> None:
        self._inner = httpx.AsyncHTTPTransport()
        self._random, self.left, self._longest = random.Random(seed), cuts, longest  # noqa: S311 - reproducible

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self._inner.handle_async_request(request)
        if not request.url.path.endswith("/events") or not self.left:
            return response
        self.left -= 1
        if self._random.random() < 0.1:
            await response.aclose()
            raise httpx.ConnectError("cut before the first byte")
        stream = response.stream
        assert isinstance(stream, httpx.AsyncByteStream)
        return httpx.Response(
            response.status_code,
            headers=response.headers,
            stream=Cut(stream, self._random.randrange(self._longest)),
        )

    async def aclose(self) -> None:
        await self._inner.aclose()


class Cut(httpx.AsyncByteStream):
    """The first bytes of a stream; then the connection is lost."""

    def __init__(self, stream: httpx.AsyncByteStream, length: int) -> None:
        self._stream, self._left = stream, length

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            if len(chunk) > self._left:
                yield chunk[: self._left]
                raise httpx.ReadError("cut")
            self._left -= len(chunk)
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


@pytest.fixture(autouse=True)
def _reconnect_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "RECONNECT_SECONDS", (0.0,) * (CUTS + 1))


@pytest.mark.parametrize("seed", sampled(range(ROUNDS), every=ROUNDS))
async def test_no_event_is_lost_or_doubled(server: ServerProcess, analysis: TaskInfo, seed: int) -> None:
    cutting = Cutting(seed, CUTS, longest=4_000)
    async with AsyncClient(server.address, TOKEN, transport=cutting) as client:
        first = [event async for event in client.task_events(analysis.task_id)]
        assert [event.seq for event in first] == list(range(len(first)))
        while cutting.left:
            assert [event async for event in client.task_events(analysis.task_id)] == first


async def test_nor_while_the_task_runs(server: ServerProcess) -> None:
    cutting = Cutting(7, CUTS, longest=20_000)
    async with AsyncClient(server.address, TOKEN, transport=cutting) as client:
        task = await client.start_task("analyze", {"ticker": TICKER}, as_of=DAY)
        live = [event async for event in client.task_events(task.task_id)]
        assert cutting.left < CUTS
        async with server.async_client() as other:
            assert [event async for event in other.task_events(task.task_id)] == live
        assert (await client.task(task.task_id)).status == "done"


async def test_a_client_that_leaves_stops_nothing(server: ServerProcess) -> None:
    async with server.async_client() as client:
        task = await client.start_task("analyze", {"ticker": "OMBZ"}, as_of=DAY)
        async for _ in client.task_events(task.task_id):
            break
    async with server.async_client() as other:
        numbers = [event.seq async for event in other.task_events(task.task_id)]
        assert numbers == list(range(len(numbers)))
        assert (await other.task(task.task_id)).status == "done"
