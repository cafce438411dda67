"""The server under load: `python -m benchmarks.server [LISTENERS] [CHATS] [SESSIONS]`; prints one JSON object.

On the simulated market, over a fresh home folder, in a process of its own:

- LISTENERS (200) streams of one analysis, and one client that asks for a stream and reads nothing of it. The same
  analysis without listeners is measured first.
- CHATS (50) conversations in which a question is asked at the same moment.
- The list of conversations, and a first message, before and after SESSIONS (10,000) conversations are on disk.

Times are in milliseconds. `first_event` is the time from a client's request to the first event that it has read,
`delay` that from an event's own time to its arrival, of events after the client had connected. `memory_mb` is the
resident memory of the server before and after.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from tradingagents.features.assistant.sessions import NewEntry, SessionStore
from tradingagents.service.client import AsyncClient
from tradingagents.settings import Settings

LISTENERS, CHATS, SESSIONS = 200, 50, 10_000
DAY = "2025-03-14"
REQUEST = {"ticker": "VELQ", "debate_rounds": 10, "risk_rounds": 10}
QUESTION = "What is VELQ worth?"
TOKEN = secrets.token_urlsafe(24)
_TIME = re.compile(rb'"ts":"([^"]+)"')


def main() -> None:
    """Measure, and print the figures."""
    given = [int(one) for one in sys.argv[1:]]
    listeners, chats, sessions = (*given, *(LISTENERS, CHATS, SESSIONS)[len(given) :])
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        with _server(home) as (pid, address):
            figures = asyncio.run(_measure(pid, address, listeners, chats))
        began = time.perf_counter()
        _add_sessions(home, sessions)
        figures["sessions"]["made_s"] = round(time.perf_counter() - began, 1)
        began = time.perf_counter()
        with _server(home) as (pid, address):
            figures["sessions"] |= {
                "count": sessions,
                "start_ms": _ms(time.perf_counter() - began),
                **asyncio.run(_with_sessions(pid, address)),
            }
    sys.stdout.write(json.dumps(figures, indent=2) + "\n")


async def _measure(pid: int, address: str, listeners: int, chats: int) -> dict[str, Any]:
    async with AsyncClient(address, TOKEN) as client:
        await _analysis(client)  # what is loaded once
        alone = await _analysis(client)
        before = _memory(pid)
        streams = await _listen(client, address, listeners)
        after = _memory(pid)
        talk = await _chat(client, chats)
        return {
            "listeners": {"count": listeners, "analysis_alone_ms": alone, **streams, "memory_mb": [before, after]},
            "chats": {"count": chats, **talk, "memory_mb": [after, _memory(pid)]},
            "sessions": {"before": await _list_and_ask(client)},
        }


async def _analysis(client: AsyncClient) -> float:
    began = time.perf_counter()
    task = await client.start_task("analyze", REQUEST, as_of=DAY)
    async for _ in client.task_events(task.task_id):
        pass
    return _ms(time.perf_counter() - began)


async def _listen(client: AsyncClient, address: str, count: int) -> dict[str, Any]:
    """Stream one analysis to many clients, and to one that does not read."""
    task = await client.start_task("analyze", REQUEST, as_of=DAY)
    idle = await _stuck(address, task.task_id)
    try:
        read = await asyncio.gather(*(_raw_listener(address, task.task_id) for _ in range(count)))
    finally:
        idle.close()
    if len({len(one.numbers) for one in read}) != 1 or any(one.numbers != sorted(set(one.numbers)) for one in read):
        raise RuntimeError("a listener lost an event or read one twice")
    ended = await client.task(task.task_id)
    took = (ended.finished_at - ended.started_at).total_seconds() if ended.finished_at and ended.started_at else 0.0
    delays = [delay for one in read for delay in one.delays]
    return {
        "analysis_ms": _ms(took),
        "events": len(read[0].numbers),
        "first_event_ms": _spread([one.first for one in read]),
        "delay_ms": _spread(delays or [0.0]),
        "delays_measured": len(delays),
    }


@dataclass
class _Reading:
    """What one client has read of a stream."""

    asked: float
    first: float = 0.0
    last: float = 0.0
    numbers: list[int] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)


async def _listener(client: AsyncClient, task_id: str, asked: float | None = None) -> _Reading:
    reading = _Reading(asked or time.time())
    connected = None
    async for event in client.task_events(task_id):
        now = time.time()
        reading.first = reading.first or now - reading.asked
        connected = connected or now
        reading.last = now - reading.asked
        reading.numbers.append(event.seq)
        happened = datetime.fromisoformat(event.ts).timestamp()
        if happened > connected:
            reading.delays.append(now - happened)
    return reading


async def _raw_listener(address: str, task_id: str) -> _Reading:
    """Read a stream at little cost, for this process shares the machine with the server."""
    reading, connected = _Reading(time.time()), 0.0
    reader, writer = await _ask(address, task_id)
    try:
        async for line in reader:
            if line.startswith(b"id: "):
                reading.numbers.append(int(line[4:]))
            elif line.startswith(b"data: "):
                now = time.time()
                reading.first = reading.first or now - reading.asked
                connected = connected or now
                happened = datetime.fromisoformat(_TIME.search(line)[1].decode()).timestamp()  # type: ignore[index]
                if happened > connected:
                    reading.delays.append(now - happened)
    finally:
        writer.close()
    return reading


async def _ask(address: str, task_id: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = address.removeprefix("http://").rstrip("/").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=2**22)
    head = f"GET /v1/tasks/{task_id}/events HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {TOKEN}\r\n"
    writer.write(f"{head}Connection: close\r\n\r\n".encode())
    await writer.drain()
    return reader, writer


async def _stuck(address: str, task_id: str) -> asyncio.StreamWriter:
    """Ask for a stream and read nothing of it."""
    _, writer = await _ask(address, task_id)
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    return writer


async def _chat(client: AsyncClient, count: int) -> dict[str, Any]:
    sessions = [await client.create_session(title=f"chat {number}") for number in range(count)]
    began = time.perf_counter()

    read = await asyncio.gather(*(_turn(client, one.session_id) for one in sessions))
    return {
        "all_ms": _ms(time.perf_counter() - began),
        "first_event_ms": _spread([one.first for one in read]),
        "reply_ms": _spread([one.last for one in read]),
    }


async def _turn(client: AsyncClient, session_id: str) -> _Reading:
    asked = time.time()
    task = await client.send_message(session_id, QUESTION)
    return await _listener(client, task.task_id, asked)


async def _with_sessions(pid: int, address: str) -> dict[str, Any]:
    async with AsyncClient(address, TOKEN) as client:
        await _analysis(client)
        return {"after": await _list_and_ask(client), "memory_mb": _memory(pid)}


async def _list_and_ask(client: AsyncClient) -> dict[str, Any]:
    lists = []
    for _ in range(20):
        began = time.perf_counter()
        await client.sessions(limit=50)
        lists.append(time.perf_counter() - began)
    session = await client.create_session(title="one more")
    read = await _turn(client, session.session_id)
    return {"list_ms": _spread(lists), "first_event_ms": _ms(read.first), "reply_ms": _ms(read.last)}


def _add_sessions(home: Path, count: int) -> None:
    said = (NewEntry(type="user", text=QUESTION), NewEntry(type="assistant", text="It depends. " * 40))
    with closing(SessionStore(Settings(home=home), environ={})) as store:
        for number in range(count):
            store.append(store.create("assistant", f"conversation {number}").session_id, said)


@contextmanager
def _server(home: Path) -> Iterator[tuple[int, str]]:
    command = [
        sys.executable,
        "-m",
        "tradingagents",
        "serve",
        "--offline",
        "--json",
        "--port",
        "0",
        "--home",
        str(home),
    ]
    variables = {"TRADINGAGENTS_SERVER_TOKEN": TOKEN, "TRADINGAGENTS_SERVER_RATE": "100000/minute"}
    with subprocess.Popen(
        [*command, "--home", str(home)], stdout=subprocess.PIPE, text=True, env={**os.environ, **variables}
    ) as process:
        if process.stdout is None:
            raise RuntimeError("the output is piped")
        try:
            yield process.pid, json.loads(process.stdout.readline())["address"]
        finally:
            process.terminate()


def _memory(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return round(next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024, 1)


def _spread(seconds: Any) -> dict[str, float]:
    ordered = sorted(seconds)
    return {
        "median": _ms(statistics.median(ordered)),
        "p95": _ms(ordered[int(0.95 * (len(ordered) - 1))]),
        "max": _ms(ordered[-1]),
    }


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)


if __name__ == "__main__":
    main()
