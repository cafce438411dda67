"""How clients reach the MCP server: stdin and stdout of a process, or streamable HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from tradingagents.capabilities.registry import CapabilityRegistry, registry
from tradingagents.features.assistant.personas.loader import load_personas
from tradingagents.features.assistant.personas.persona import Persona
from tradingagents.service.http.errors import Sanitizer
from tradingagents.service.mcp.service import INSTRUCTIONS, NAME, McpService
from tradingagents.service.mcp.tools import Offer
from tradingagents.service.mcp_client.sdk import build_server, http_sessions, is_installed, serve_stdio
from tradingagents.service.workspace.api import WorkspaceApi
from tradingagents.settings import Settings, secrets_of

PATH = "/mcp"


def service_of(
    workspace: WorkspaceApi, settings: Settings, environ: Mapping[str, str], offer: Offer = "core"
) -> McpService:
    """Return what answers MCP clients of a workspace.

    Args:
        workspace: What is asked.
        settings: Name the home folder and the personas.
        environ: Variables, whose secrets errors do not tell.
        offer: Which capabilities are tools of their own.

    Raises:
        PersonaError: The file of a persona is damaged.
    """
    sanitizer = Sanitizer(settings.home_dir, environ, secrets_of(settings))
    return McpService(workspace, sanitizer=sanitizer, offer=offer, personas=_personas(settings))


async def serve_over_stdio(service: McpService) -> None:
    """Serve one client over stdin and stdout until it closes stdin."""
    await serve_stdio(_server(service), service.leave)


class McpEndpoint:
    """The MCP server as an ASGI app, for one path of an HTTP server. `running` is its lifetime."""

    def __init__(self, service: McpService, *, several: bool = False) -> None:
        """Set what answers; nothing is served before `running` is entered.

        Args:
            several: Whether several processes share the address: then no request relies on an earlier one.
        """
        self._service = service
        self._sessions = http_sessions(_server(service), stateless=several)
        self.stopping: asyncio.Event | None = None
        """Set when the HTTP server ends: open streams then end too."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve connections meanwhile; can be entered once."""
        async with self._sessions.run():
            try:
                yield
            finally:
                self._service.leave()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; whoever mounts it has checked token, host and origin."""
        if self.stopping is None:
            await self._sessions.handle_request(scope, receive, send)
            return
        answer = asyncio.ensure_future(self._sessions.handle_request(scope, receive, send))
        stop = asyncio.ensure_future(self.stopping.wait())
        try:
            await asyncio.wait({answer, stop}, return_when=asyncio.FIRST_COMPLETED)
            if stop.done():
                self._service.leave()
        finally:
            for waiting in (answer, stop):
                if not waiting.done():
                    waiting.cancel()
            await asyncio.wait({answer, stop})
        if not answer.cancelled():
            answer.result()


def mcp_endpoint(
    workspace: WorkspaceApi, settings: Settings, environ: Mapping[str, str], *, several: bool = False
) -> McpEndpoint | None:
    """Return the MCP server of a workspace; None where the package `mcp` is not installed."""
    if not is_installed():
        return None
    return McpEndpoint(service_of(workspace, settings, environ), several=several)


def mount(app: Any, endpoint: McpEndpoint, path: str = PATH) -> None:
    """Add the MCP server to a FastAPI or Starlette app, before its other routes; enter `running` in its lifespan."""
    endpoint.stopping = getattr(app.state, "stopping", None)
    app.router.routes.insert(0, Route(path, endpoint=endpoint))


def _server(service: McpService) -> Any:
    return build_server(NAME, version("tradingagents"), INSTRUCTIONS, service)


def _personas(settings: Settings) -> tuple[Persona, ...]:
    known: CapabilityRegistry = registry()
    return load_personas(settings, {word: info.name for info in known.values() for word in (info.name, *info.aliases)})
