"""Real MCP servers in processes of their own, and the official client connected to them."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

from tests.support.warm import WarmProcess
from tradingagents.service.mcp_client.sdk import McpConnection, connect, process_transport

COMMAND = (sys.executable, "-m", "tradingagents", "mcp", "--offline")
TOKEN = "a-token-of-this-test"  # noqa: S105
READY_SECONDS = 120.0


def variables(home: Path, calendars: Path) -> dict[str, str]:
    """Return the variables of a server: none of this machine's settings.

    `PYTHONPATH` is passed on, which may name a folder with another version of the package `mcp`.
    """
    cache = home.parent / "cache" / "tradingagents"
    if not cache.exists():
        cache.mkdir(parents=True)
        (cache / "calendars").symlink_to(calendars, target_is_directory=True)
    known = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    folders = {"HOME": str(home.parent), "XDG_CACHE_HOME": str(cache.parent)}
    return {**known, **folders, "MALLOC_ARENA_MAX": "2", "TRADINGAGENTS_SERVER_TOKEN": TOKEN}


def stdio_transport(home: Path, calendars: Path, *flags: str) -> AbstractAsyncContextManager[Any]:
    arguments = (*COMMAND[1:], "--home", str(home), *flags)
    return process_transport(COMMAND[0], arguments, variables(home, calendars), sys.stderr)


@asynccontextmanager
async def held(transport: AbstractAsyncContextManager[Any]) -> AsyncIterator[McpConnection]:
    """Hold a connection in a task of its own, as the package demands: a fixture is left by another than entered it."""
    ready: asyncio.Future[McpConnection] = asyncio.get_running_loop().create_future()
    leave = asyncio.Event()

    async def hold() -> None:
        try:
            async with connect(transport) as connection:
                ready.set_result(connection)
                await leave.wait()
        except BaseException as error:
            if not ready.done():
                ready.set_exception(error)
            raise

    owner = asyncio.create_task(hold())
    try:
        yield await asyncio.wait_for(asyncio.shield(ready), READY_SECONDS)
    finally:
        leave.set()
        await owner


class RawClient:
    """A client that writes the protocol by hand, and sees every byte of the server's stdout."""

    def __init__(self, home: Path, calendars: Path) -> None:
        command = [*COMMAND[1:], "--home", str(home)]
        pipe, env = subprocess.PIPE, variables(home, calendars)
        self.process = WarmProcess(command, env=env, stdin=pipe, stdout=pipe, stderr=pipe)
        self.lines: list[str] = []
        self._number = 0

    def send(self, method: str, params: Mapping[str, Any], *, notification: bool = False) -> int:
        assert self.process.stdin is not None
        self._number += not notification
        number = {} if notification else {"id": self._number}
        message = {"jsonrpc": "2.0", **number, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        return self._number

    def until(self, wanted: Any) -> dict[str, Any]:
        """Read messages up to the first for which `wanted` is true."""
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            self.lines.append(line)
            message: dict[str, Any] = json.loads(line)
            if wanted(message):
                return message
        raise AssertionError("the server has ended: " + self.process.stderr.read())  # type: ignore[union-attr]

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        number = self.send(method, params)
        return self.until(lambda message: message.get("id") == number)

    def initialize(self) -> dict[str, Any]:
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
        answer = self.ask("initialize", about)
        self.send("notifications/initialized", {}, notification=True)
        result: dict[str, Any] = answer["result"]
        return result

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def close(self) -> tuple[str, int]:
        """Close stdin as clients do; return the rest of stdout and the exit code."""
        rest, _ = self.process.communicate(timeout=60)
        return rest, self.process.wait()
