"""The package `mcp`, in versions 1 and 2, behind one interface. No other module of this library imports it.

Messages are passed as they are on the wire: dicts whose names are written as in the protocol (`inputSchema`,
`isError`), since the classes of the two versions spell their fields differently.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from io import TextIOWrapper
from typing import Any, Protocol

from tradingagents.errors import ConfigurationError

Wire = dict[str, Any]
"""A message, or a part of one, as JSON."""
Report = Callable[[float, float | None, str], Awaitable[None]]
"""Reports progress of a call: what is done, of how much if that is known, and a sentence. Does nothing for a client
that did not ask for progress."""
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
UNKNOWN_RESOURCE = -32002
CONNECTION_CLOSED = -32000
LARGEST_BODY = 1_000_000
"""Largest body of an HTTP request in bytes."""
LONGEST_SILENCE = 600.0
"""Seconds that a server may send nothing on an open stream; the time limit of a call is the caller's."""
MOST_SESSIONS = 1_000
"""Most connections over HTTP that are open at once; idle ones end after half an hour."""


class McpRequestRefused(Exception):
    """A request that the protocol answers with an error: an unknown prompt, resource or cursor."""

    def __init__(self, message: str, code: int = INVALID_PARAMS) -> None:
        super().__init__(message)
        self.code = code


class McpHandlers(Protocol):
    """What a server answers. Every method returns the result of its request as JSON."""

    async def list_tools(self) -> Wire:
        """Return the tools."""
        ...

    async def call_tool(self, name: str, arguments: Mapping[str, Any], report: Report) -> Wire:
        """Call a tool."""
        ...

    async def list_resources(self, cursor: str | None) -> Wire:
        """Return a page of the resources."""
        ...

    async def list_resource_templates(self) -> Wire:
        """Return the templates of addresses."""
        ...

    async def read_resource(self, uri: str) -> Wire:
        """Return the contents of a resource."""
        ...

    async def list_prompts(self) -> Wire:
        """Return the prompts."""
        ...

    async def get_prompt(self, name: str, arguments: Mapping[str, str]) -> Wire:
        """Return the messages of a prompt."""
        ...


def is_installed() -> bool:
    """Return whether the package is installed."""
    return find_spec("mcp") is not None


def assert_installed() -> None:
    """Check that the package is installed.

    Raises:
        ConfigurationError: It is not; the message says how to install it.
    """
    if not is_installed():
        raise ConfigurationError('MCP needs the package mcp; install it: pip install "tradingagents[mcp]".')


def is_version_2() -> bool:
    """Return whether version 2 of the package is installed."""
    from mcp.server.lowlevel import Server

    return hasattr(Server, "add_request_handler")


def to_wire(model: Any) -> Wire:
    """Return a message of either version as JSON."""
    found: Wire = model.model_dump(by_alias=True, mode="json", exclude_none=True)
    return found


# Servers


def build_server(name: str, version: str, instructions: str, handlers: McpHandlers) -> Any:
    """Return a low-level server of the installed version."""
    from mcp.server.lowlevel import Server

    server: Any = Server(name, version=version, instructions=instructions)
    if is_version_2():
        _register_2(server, handlers)
    else:
        _register_1(server, handlers)
    return server


@dataclass(frozen=True)
class _Route:
    """One request of the protocol: its method, the names of its classes, and how it is answered."""

    method: str
    request: str
    params: str
    result: str
    answer: Callable[[McpHandlers, Wire, Report], Awaitable[Wire]]


_ROUTES = (
    _Route("tools/list", "ListToolsRequest", "PaginatedRequestParams", "ListToolsResult",
           lambda to, _given, _: to.list_tools()),
    _Route("tools/call", "CallToolRequest", "CallToolRequestParams", "CallToolResult",
           lambda to, given, report: to.call_tool(given["name"], given.get("arguments") or {}, report)),
    _Route("resources/list", "ListResourcesRequest", "PaginatedRequestParams", "ListResourcesResult",
           lambda to, given, _: to.list_resources(given.get("cursor"))),
    _Route("resources/templates/list", "ListResourceTemplatesRequest", "PaginatedRequestParams",
           "ListResourceTemplatesResult", lambda to, _given, _: to.list_resource_templates()),
    _Route("resources/read", "ReadResourceRequest", "ReadResourceRequestParams", "ReadResourceResult",
           lambda to, given, _: to.read_resource(given["uri"])),
    _Route("prompts/list", "ListPromptsRequest", "PaginatedRequestParams", "ListPromptsResult",
           lambda to, _given, _: to.list_prompts()),
    _Route("prompts/get", "GetPromptRequest", "GetPromptRequestParams", "GetPromptResult",
           lambda to, given, _: to.get_prompt(given["name"], given.get("arguments") or {})),
)  # fmt: skip


def _register_2(server: Any, handlers: McpHandlers) -> None:
    from mcp import types
    from mcp.shared.exceptions import MCPError

    def register(route: _Route) -> None:
        async def handle(context: Any, params: Any) -> Any:
            async def report(done: float, total: float | None, message: str) -> None:
                await context.session.report_progress(done, total, message)

            try:
                answer = await route.answer(handlers, to_wire(params), report)
            except McpRequestRefused as error:
                raise MCPError(error.code, str(error)) from None
            return getattr(types, route.result).model_validate(answer)

        server.add_request_handler(route.method, getattr(types, route.params), handle)

    for route in _ROUTES:
        register(route)


def _register_1(server: Any, handlers: McpHandlers) -> None:
    from mcp import types
    from mcp.shared import exceptions

    some: Any = types
    refused: Any = getattr(exceptions, "McpError")  # noqa: B009 - version 2 has no such name

    def register(route: _Route) -> None:
        async def handle(request: Any) -> Any:
            context = server.request_context
            params = getattr(request, "params", None)

            async def report(done: float, total: float | None, message: str) -> None:
                token = context.meta.progressToken if context.meta is not None else None
                if token is not None:
                    await context.session.send_progress_notification(
                        token, done, total, message, related_request_id=str(context.request_id)
                    )

            try:
                answer = await route.answer(handlers, to_wire(params) if params is not None else {}, report)
            except McpRequestRefused as error:
                raise refused(some.ErrorData(code=error.code, message=str(error))) from None
            return some.ServerResult(getattr(some, route.result).model_validate(answer))

        server.request_handlers[getattr(some, route.request)] = handle

    for route in _ROUTES:
        register(route)


async def serve_stdio(server: Any, on_closed: Callable[[], None]) -> None:
    """Serve one client over this process's stdin and stdout, until it closes stdin.

    Meanwhile whatever else prints to stdout goes to stderr, and reads from stdin find its end.

    Args:
        server: Made by `build_server`.
        on_closed: Called when the client has gone, before calls that still run are cancelled.
    """
    import anyio
    from mcp.server.stdio import stdio_server

    with _own_stdio() as (stdin, stdout):
        async with stdio_server(anyio.wrap_file(stdin), anyio.wrap_file(stdout)) as (read, write):
            watched: Any = _WatchedStream(read, on_closed)
            await server.run(watched, write, server.create_initialization_options())


@contextmanager
def _own_stdio() -> Iterator[tuple[TextIOWrapper, TextIOWrapper]]:
    """Take stdin and stdout of the process for the protocol; restore them afterwards."""
    sys.stdout.flush()
    wire_in, wire_out, nothing = os.dup(0), os.dup(1), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    try:
        # A thread may still wait for stdin when the server ends: the descriptor is not closed under it.
        yield (
            TextIOWrapper(os.fdopen(wire_in, "rb", closefd=False), encoding="utf-8", errors="replace"),
            TextIOWrapper(os.fdopen(wire_out, "wb", closefd=False), encoding="utf-8"),
        )
    finally:
        sys.stdout.flush()
        os.dup2(wire_in, 0)
        os.dup2(wire_out, 1)


class _WatchedStream:
    """A stream of messages that tells when it ends."""

    def __init__(self, stream: Any, on_end: Callable[[], None]) -> None:
        self._stream, self._on_end = stream, on_end

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __aiter__(self) -> _WatchedStream:
        return self

    async def __anext__(self) -> Any:
        try:
            return await self._stream.__anext__()
        except StopAsyncIteration:
            self._on_end()
            raise

    async def __aenter__(self) -> _WatchedStream:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *failure: Any) -> Any:
        return await self._stream.__aexit__(*failure)


def http_sessions(server: Any, *, stateless: bool) -> Any:
    """Return a manager of connections over streamable HTTP: `run()` is its lifetime, `handle_request` an ASGI app.

    Args:
        server: Made by `build_server`.
        stateless: Every request stands for itself, so that another process may answer the next one.
    """
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    return StreamableHTTPSessionManager(
        server, stateless=stateless, max_request_body_size=LARGEST_BODY, max_sessions=MOST_SESSIONS
    )


# Clients


@dataclass(frozen=True)
class McpConnection:
    """A connection to a server that has been initialised."""

    session: Any
    """The package's `ClientSession`."""
    instructions: str

    async def list_tools(self, most: int) -> list[Wire]:
        """Return the server's tools, at most so many."""
        from mcp import types

        found: list[Wire] = []
        cursor: str | None = None
        while len(found) < most:
            page = to_wire(await self.session.list_tools(params=types.PaginatedRequestParams(cursor=cursor)))
            found += page["tools"]
            cursor = page.get("nextCursor")
            if not cursor or not page["tools"]:
                break
        return found[:most]

    async def call_tool(self, name: str, arguments: Mapping[str, Any]) -> Wire:
        """Return the result of a tool."""
        return to_wire(await self.session.call_tool(name, dict(arguments)))


@asynccontextmanager
async def connect(transport: AbstractAsyncContextManager[Any]) -> AsyncIterator[McpConnection]:
    """Open a connection over a transport; opened and closed by one task."""
    from mcp import ClientSession

    async with transport as streams, ClientSession(streams[0], streams[1]) as session:
        welcome = to_wire(await session.initialize())
        yield McpConnection(session, welcome.get("instructions", ""))


def process_transport(
    command: str, args: tuple[str, ...], env: Mapping[str, str], stderr: Any
) -> AbstractAsyncContextManager[Any]:
    """Return the transport to a program that is started with these variables besides HOME, PATH and the like."""
    from mcp.client.stdio import StdioServerParameters, stdio_client

    return stdio_client(StdioServerParameters(command=command, args=list(args), env=dict(env)), errlog=stderr)


@asynccontextmanager
async def http_transport(url: str, headers: Mapping[str, str], timeout: float) -> AsyncIterator[Any]:
    """Open the transport to a server that speaks streamable HTTP."""
    from mcp.client.streamable_http import streamable_http_client

    library: Any = import_module("httpx2" if is_version_2() else "httpx")
    limits = library.Timeout(timeout, read=LONGEST_SILENCE)
    async with (
        library.AsyncClient(headers=dict(headers), timeout=limits) as client,
        streamable_http_client(url, http_client=client) as streams,
    ):
        yield streams


def has_broken_off(error: BaseException) -> bool:
    """Return whether an error means that the connection is of no more use."""
    told = getattr(error, "error", None)
    return told is None or getattr(told, "code", None) == CONNECTION_CLOSED


def described_error(error: BaseException) -> str:
    """Return what an error of the package says, without the groups that it arrives in."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    told = getattr(error, "error", None)
    return str(getattr(told, "message", None) or error) or type(error).__name__
