"""`McpLender`: the tools of all servers of the setting `mcp_servers`, for the assistant."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, TypeVar

from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.errors import NotForPastDate, UsageError
from tradingagents.schemas.lent_tools import LentTool
from tradingagents.service.mcp_client.connection import LenderConnection
from tradingagents.settings import Settings, nearest

T = TypeVar("T")


class McpLender:
    """Lends the tools of other MCP servers; see `schemas.lent_tools.ToolLender`.

    Servers are started when their tools are first listed, and ended by `close`. They are served by a thread of their
    own, so that the methods may be awaited on any event loop.
    """

    def __init__(self, settings: Settings, environ: Mapping[str, str]) -> None:
        """Note the servers; none is started yet.

        Args:
            settings: Name the servers.
            environ: Variables, of which a server receives those that its setting names.
        """
        self._settings, self._environ = settings, environ
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._servers: dict[str, LenderConnection] = {}

    async def list_tools(self) -> Sequence[LentTool]:
        """Return the tools that may be used; servers that cannot be reached lend none, see `gaps`."""
        return await self._run(self._list_tools()) if self._settings.mcp_servers else ()

    async def call(self, name: str, arguments: Mapping[str, Any], *, as_of: date | None = None) -> str:
        """Return a tool's answer, fenced as text from outside.

        Args:
            name: As listed.
            arguments: As its schema says.
            as_of: Day of the study; None: now.

        Raises:
            UsageError: There is no such tool, or it answered with an error.
            NotForPastDate: The day is past, and the server knows only today's data.
            VendorUnavailable: The server does not answer.
        """
        server = name.partition("__")[0]
        known = self._settings.mcp_servers
        if server not in known:
            close = nearest(server, known)
            hint = f"did you mean the server {close}?" if close else "list the tools first."
            raise UsageError(f"There is no tool {name}; {hint}")
        if as_of is not None and not known[server].point_in_time and as_of < _last_session():
            raise NotForPastDate(
                f"{name} answers with today's data, and the day of this study is {as_of}; use the library's own tools, "
                f"or set point_in_time for the MCP server {server} if its answers hold for any day."
            )
        return await self._run(self._call(server, name, arguments))

    def lends(self, name: str) -> bool:
        """Tell whether a name is that of a tool of a server in the settings, whether or not it has such a tool."""
        server, mark, _ = name.partition("__")
        return bool(mark) and server in self._settings.mcp_servers

    def gaps(self) -> Sequence[str]:
        """Return one sentence for each server that lends nothing, and for each missing tool that the settings name."""
        servers = self._servers.values()
        return [
            *(server.gap for server in servers if server.gap),
            *(line for server in servers for line in server.left_out),
        ]

    async def close(self) -> None:
        """End all servers that were started."""
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is None or thread is None:
            return
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._close(), loop))
        loop.call_soon_threadsafe(loop.stop)
        await asyncio.to_thread(thread.join)

    async def _list_tools(self) -> Sequence[LentTool]:
        lists = await asyncio.gather(*(server.tools() for server in self._servers.values()))
        return [tool for tools in lists for tool in tools]

    async def _call(self, server: str, name: str, arguments: Mapping[str, Any]) -> str:
        return await self._servers[server].call(name, arguments)

    async def _close(self) -> None:
        await asyncio.gather(*(server.close() for server in self._servers.values()))

    async def _run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run work on the thread of the servers, and cancel it there when it is cancelled here."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._started()))

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                loop = self._loop = asyncio.new_event_loop()
                self._servers = {
                    name: LenderConnection(name, server, self._environ)
                    for name, server in self._settings.mcp_servers.items()
                }
                self._thread = threading.Thread(target=_serve, args=(loop,), name="mcp-client", daemon=True)
                self._thread.start()
            return self._loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def _last_session() -> date:
    """Return the last session of the New York Stock Exchange that has closed: the day of a study that names none."""
    return sessions().last_closed(datetime.now(UTC))
