"""The MCP server by itself over streamable HTTP (`tradingagents mcp --http`), behind the checks of the HTTP server."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp

from tradingagents.service.http.app import access_policy
from tradingagents.service.http.errors import Sanitizer
from tradingagents.service.http.security import Gate
from tradingagents.service.http.serve import DeadlineProtocol, ServePlan
from tradingagents.service.mcp.service import McpService
from tradingagents.service.mcp.transports import McpEndpoint, mount
from tradingagents.settings import secrets_of

SHUTDOWN_SECONDS = 2
"""How long open connections get when the server ends; tasks continue at the next start."""


def standalone_app(service: McpService, plan: ServePlan) -> ASGIApp:
    """Return an ASGI app that serves MCP at `/mcp` and nothing else.

    Args:
        service: What answers.
        plan: Token, allowed hosts and origins, sizes and rates.
    """
    endpoint = McpEndpoint(service)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with endpoint.running():
            yield

    app = Starlette(lifespan=lifespan)
    mount(app, endpoint)
    sanitizer = Sanitizer(plan.settings.home_dir, plan.environ, {plan.token, *secrets_of(plan.settings)})
    return Gate(app, access_policy(plan.settings, plan.token, plan.host), sanitizer)


async def serve_alone(app: ASGIApp, plan: ServePlan, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Serve at a socket until the process is interrupted.

    Args:
        app: As `standalone_app` returns it.
        plan: What is served.
        listener: The open socket.
        ready: Called when it begins to serve.
    """
    config = uvicorn.Config(
        app,
        http=DeadlineProtocol,
        ws="none",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=plan.settings.server_max_connections,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    ready()
    await uvicorn.Server(config).serve(sockets=[listener])
