"""One connection to another MCP server, opened when it is first used and opened again after it has broken off."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Awaitable, Mapping
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any, TypeVar

from tradingagents.errors import ConfigurationError, TradingAgentsError, UsageError, VendorUnavailable
from tradingagents.files.redaction import Redactor
from tradingagents.schemas.lent_tools import LentTool
from tradingagents.schemas.mcp_servers import McpServer
from tradingagents.service.mcp_client.rules import MOST_TOOLS, in_brief, lent_tools, read_answer
from tradingagents.service.mcp_client.sdk import (
    McpConnection,
    Wire,
    assert_installed,
    connect,
    described_error,
    has_broken_off,
    http_transport,
    process_transport,
)

RETRY_SECONDS = 60.0
"""How long after a failure a server is not tried again."""
CLOSING_SECONDS = 8.0
"""How long a server gets to end."""
T = TypeVar("T")


class LenderConnection:
    """A server of the setting `mcp_servers`. All its methods are called on one event loop."""

    def __init__(self, name: str, server: McpServer, environ: Mapping[str, str]) -> None:
        """Note how to reach the server; nothing is started yet.

        Args:
            name: Its name in the settings.
            server: How to reach it, and what it may do.
            environ: Variables, of which it receives those that the setting names.
        """
        self.name, self.server = name, server
        self._environ = environ
        self._redactor = Redactor(environ)
        self._opening = asyncio.Lock()
        self._owner: asyncio.Task[None] | None = None
        self._connection: McpConnection | None = None
        self._stop = asyncio.Event()
        self._failed_at = float("-inf")
        self._own_names: dict[str, str] = {}
        self._tools: tuple[LentTool, ...] = ()
        self.gap: str | None = None
        """Why the server lends nothing; None while it does."""
        self.left_out: tuple[str, ...] = ()
        """Why tools that the settings name are not used."""

    async def tools(self) -> tuple[LentTool, ...]:
        """Return the tools that may be used; none where the server cannot be reached, and `gap` says why."""
        try:
            await self._open()
        except TradingAgentsError:
            return ()
        return self._tools

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Return the answer of a tool, fenced.

        Raises:
            UsageError: There is no such tool, or it answered with an error.
            VendorUnavailable: The server does not answer.
        """
        connection = await self._open()
        own = self._own_names.get(name)
        if own is None:
            raise UsageError(
                f"There is no tool {name}; those of {self.name} are: {', '.join(self._own_names) or 'none'}."
            )
        try:
            answer: Wire = await self._within(connection.call_tool(own, arguments))
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever the package raises for a server that misbehaves
            if has_broken_off(error):
                await self.close()
            raise self._unavailable(f"gave no answer to {own}", error) from None
        text = read_answer(self.name, own, answer, self.server.max_chars)
        if answer.get("isError"):
            raise UsageError(f"{name} was answered with an error; correct the arguments or do without. {text}")
        return text

    async def close(self) -> None:
        """End the connection; a program that was started is ended too."""
        owner, self._owner, self._connection = self._owner, None, None
        self._stop.set()
        if owner is not None:
            done, _ = await asyncio.wait({owner}, timeout=CLOSING_SECONDS)
            if not done:
                owner.cancel()
                await asyncio.wait({owner}, timeout=CLOSING_SECONDS)

    async def _open(self) -> McpConnection:
        async with self._opening:
            if self._connection is not None and self._owner is not None and not self._owner.done():
                return self._connection
            if time.monotonic() - self._failed_at < RETRY_SECONDS:
                raise VendorUnavailable(self.gap or f"The MCP server {self.name} cannot be reached; try again later.")
            await self.close()
            self._stop = asyncio.Event()
            ready: asyncio.Future[McpConnection] = asyncio.get_running_loop().create_future()
            errors = StderrTail()
            self._owner = asyncio.create_task(self._hold(ready, errors, self._stop))
            try:
                self._connection = await self._within(asyncio.shield(ready))
                offered = await self._within(self._connection.list_tools(MOST_TOOLS * 5))
            except asyncio.CancelledError:
                raise
            except Exception as error:  # noqa: BLE001 - as in `call`
                await self.close()
                failure = self._unavailable("cannot be reached", error, errors.last_line())
                self.gap, self._failed_at = str(failure), time.monotonic()
                raise failure from None
            self._own_names, self._tools, self.left_out = lent_tools(self.name, self.server, offered)
            self.gap = None
            return self._connection

    async def _hold(self, ready: asyncio.Future[McpConnection], errors: StderrTail, stop: asyncio.Event) -> None:
        """Open the connection, wait until it shall end, and close it: all in one task, as the package demands."""
        try:
            with errors:
                async with connect(self._transport(errors)) as connection:
                    ready.set_result(connection)
                    await stop.wait()
        except asyncio.CancelledError:
            ready.cancel()
            raise
        except BaseException as error:  # noqa: BLE001 - handed to the one who waits; the package raises groups
            if not ready.done():
                ready.set_exception(VendorUnavailable(described_error(error)))

    def _transport(self, errors: StderrTail) -> AbstractAsyncContextManager[Any]:
        assert_installed()
        if self.server.command is not None:
            variables = {name: self._variable(name) for name in self.server.env}
            return process_transport(self.server.command, self.server.args, variables, errors.file)
        headers = {name: self._variable(variable) for name, variable in self.server.headers.items()}
        if self.server.token_env:
            headers["Authorization"] = f"Bearer {self._variable(self.server.token_env)}"
        return http_transport(str(self.server.url), headers, self.server.timeout_seconds)

    def _variable(self, name: str) -> str:
        value = self._environ.get(name)
        if not value:
            raise ConfigurationError(f"the environment variable {name} is not set")
        return value

    async def _within(self, wait: Awaitable[T]) -> T:
        return await asyncio.wait_for(wait, self.server.timeout_seconds)

    def _unavailable(self, what: str, error: BaseException, last_words: str = "") -> VendorUnavailable:
        """Return the error for a server that fails."""
        why = f"no answer within {self.server.timeout_seconds:g} s" if isinstance(error, TimeoutError) else ""
        why = why or next(in_brief([described_error(error)]))
        if last_words:
            why = f"{why}; it wrote: {last_words}"
        said = self._redactor.text(f"The MCP server {self.name} {what} ({why}); do without it, or check `mcp_servers`.")
        return VendorUnavailable(said)


class StderrTail:
    """A file for the stderr of a program, of which the end is remembered."""

    SIZE = 2_000

    def __init__(self) -> None:
        self._bytes = b""
        self._thread: threading.Thread | None = None

    def __enter__(self) -> StderrTail:
        reader, writer = os.pipe()
        self.file = os.fdopen(writer, "w", encoding="utf-8")
        self._thread = threading.Thread(target=self._read, args=(reader,), name="mcp-stderr", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        with suppress(OSError):
            self.file.close()
        if self._thread is not None:
            self._thread.join(timeout=1.0)  # a program that outlives its end may hold the pipe open

    def _read(self, reader: int) -> None:
        with os.fdopen(reader, "rb", buffering=0) as file:
            while part := file.read(self.SIZE):
                self._bytes = (self._bytes + part)[-self.SIZE :]

    def last_line(self) -> str:
        """Return the last line that is not empty."""
        lines = [line for line in self._bytes.decode(errors="replace").splitlines() if line.strip()]
        return next(in_brief(lines[-1:]), "")
