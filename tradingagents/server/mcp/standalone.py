"""The MCP server by itself over streamable HTTP (`tradingagents mcp --http`), behind the checks of the HTTP server."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.types import ASGIApp

from tradingagents.errors import ConfigurationError
from tradingagents.server.app import access_policy
from tradingagents.server.errors import Sanitizer
from tradingagents.server.mcp.service import McpService
from tradingagents.server.mcp.transports import PATH, McpEndpoint, mount
from tradingagents.server.security import Gate
from tradingagents.settings import Settings, secrets_of

TOKEN_VARIABLE = "TRADINGAGENTS_SERVER_TOKEN"  # noqa: S105 - a name
SHORTEST_TOKEN = 16
SHUTDOWN_SECONDS = 3
"""How long connections that are open get when the server ends."""


def token_of(environ: Mapping[str, str]) -> str:
    """Return the token that clients send: that of the environment, else one made for this start.

    Raises:
        ConfigurationError: It is too short.
    """
    token = environ.get(TOKEN_VARIABLE) or secrets.token_urlsafe(24)
    if len(token) < SHORTEST_TOKEN:
        raise ConfigurationError(
            f"{TOKEN_VARIABLE} is too short; use at least {SHORTEST_TOKEN} characters, or leave it unset."
        )
    return token


def standalone_app(service: McpService, settings: Settings, environ: Mapping[str, str], token: str) -> ASGIApp:
    """Return an ASGI app that serves MCP at `/mcp` and nothing else.

    Args:
        service: What answers.
        settings: Allowed hosts and origins, sizes and rates.
        environ: Variables, whose secrets errors do not tell.
        token: What clients must send as `Authorization: Bearer …`.
    """
    endpoint = McpEndpoint(service)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with endpoint.running():
            yield

    app = Starlette(lifespan=lifespan)
    mount(app, endpoint)
    sanitizer = Sanitizer(settings.home_dir, environ, {token, *secrets_of(settings)})
    return Gate(app, access_policy(settings, token, "127.0.0.1"), sanitizer)


async def serve_http(app: ASGIApp, port: int, ready: str) -> None:
    """Serve on the loopback address until the process is interrupted.

    Args:
        app: As `standalone_app` returns it.
        port: Port; 0 for any that is free.
        ready: Said on stderr once it listens; `{address}` stands for where.

    Raises:
        ConfigurationError: The port is taken.
    """
    import socket
    import sys

    import uvicorn

    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except OSError as error:
        listener.close()
        raise ConfigurationError(
            f"Port {port} cannot be used ({error.strerror}); choose another with --port."
        ) from None
    with listener:
        listener.listen(128)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}{PATH}"
        sys.stderr.write(f"{ready.format(address=address)}\n")
        sys.stderr.flush()
        config = uvicorn.Config(
            app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=SHUTDOWN_SECONDS
        )
        await uvicorn.Server(config).serve(sockets=[listener])
