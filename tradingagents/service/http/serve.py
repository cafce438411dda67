"""Run the server: one process, or workers over one home folder with a process that watches them."""

from __future__ import annotations

import asyncio
import math
import multiprocessing
import secrets
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from tradingagents.errors import ConfigurationError, ServerFailure, TradingAgentsError, UsageError
from tradingagents.service import web
from tradingagents.service.http.app import access_policy, create_app
from tradingagents.service.http.security import is_address, is_loopback
from tradingagents.service.mcp.transports import mcp_endpoint
from tradingagents.service.mcp.transports import mount as mount_mcp
from tradingagents.service.workspace.read_ahead import ReadAhead
from tradingagents.service.workspace.workspace import Workspace
from tradingagents.settings import Settings

TOKEN_VARIABLE = "TRADINGAGENTS_SERVER_TOKEN"  # noqa: S105 - a name
SHORTEST_TOKEN = 16
REQUEST_SECONDS = 15.0
"""Time in which a client must have sent the head of a request."""
IDLE_SECONDS = 30
LARGEST_HEAD = 65_536
"""Bytes of the head of a request that are read before it is refused."""
BACKLOG = 2_048
MOST_DEATHS = 5
"""Workers that may die within `SOON` of their start before the server gives up."""
SOON = 20.0
MOST_WORKERS = 64


@dataclass(frozen=True, kw_only=True)
class ServePlan:
    """What to serve and where. Workers receive a copy."""

    settings: Settings
    environ: Mapping[str, str] = field(repr=False)
    host: str = "127.0.0.1"
    token: str = field(repr=False)
    workers: int = 1

    @property
    def made_token(self) -> bool:
        """Whether the token was made for this start."""
        return self.environ.get(TOKEN_VARIABLE) != self.token


def plan_of(settings: Settings, environ: Mapping[str, str], *, host: str, workers: int) -> ServePlan:
    """Check what is to be served, and make a token where there is none.

    Raises:
        UsageError: Others could reach the server and no token was chosen; too many workers.
        ConfigurationError: The token is too short; a setting of the server is invalid.
    """
    token = environ.get(TOKEN_VARIABLE)
    if token is None and not is_loopback(host):
        raise UsageError(
            f"At {host} other machines could reach the server; choose a token with {TOKEN_VARIABLE} first, or use "
            "the address 127.0.0.1."
        )
    if not 1 <= workers <= MOST_WORKERS:
        raise UsageError(f"The number of workers cannot be {workers}; it is 1 to {MOST_WORKERS}.")
    if token is not None and (len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable()):
        raise ConfigurationError(
            f"{TOKEN_VARIABLE} cannot be used; choose at least {SHORTEST_TOKEN} characters of ASCII, without blanks."
        )
    plan = ServePlan(
        settings=settings, environ=environ, host=host, workers=workers, token=token or secrets.token_urlsafe(32)
    )
    access_policy(settings, plan.token, host)
    return plan


def listen(host: str, port: int) -> socket.socket:
    """Open the socket that the server listens at.

    Raises:
        ConfigurationError: The port is taken, or this machine has no such address.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise ConfigurationError(
            f"Cannot listen at {host}, port {port} ({why}); choose another port, or 0 for any."
        ) from None


def address_of(plan: ServePlan, listener: socket.socket) -> str:
    """Return the address for a browser on this machine."""
    host, port = plan.host, listener.getsockname()[1]
    if is_address(host) and host in ("0.0.0.0", "::"):  # noqa: S104 - a comparison
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def workspace_app(plan: ServePlan) -> FastAPI:
    """Return the whole server: HTTP interface, web page and MCP over one workspace, which it opens and closes."""
    workspace = Workspace(plan.settings, plan.environ, face="http")

    @asynccontextmanager
    async def opened() -> AsyncIterator[None]:
        async with workspace:
            ahead = ReadAhead(workspace)
            ahead.start()
            yield
            await asyncio.to_thread(ahead.stop)

    endpoint = mcp_endpoint(workspace, plan.settings, plan.environ, several=plan.workers > 1)
    app = create_app(
        workspace,
        token=plan.token,
        settings=plan.settings,
        environ=plan.environ,
        host=plan.host,
        lifespans=(opened,) if endpoint is None else (opened, endpoint.running),
    )
    if endpoint is not None:
        mount_mcp(app, endpoint)
    web.mount(app)
    return app


def serve(plan: ServePlan, listener: socket.socket, ready: Callable[[], None], worker: Worker | None = None) -> None:
    """Serve until the process is interrupted or terminated.

    Args:
        listener: The open socket.
        ready: Called once requests are answered.
        worker: Runs one worker, in a process of its own; a function that can be pickled. None: `run_worker`.

    Raises:
        TradingAgentsError: The server could not start, or its workers die.
    """
    if plan.workers == 1:
        _serve_here(plan, listener, ready)
    else:
        _Supervisor(plan, listener, worker or run_worker).run(ready)


Worker = Callable[[ServePlan, socket.socket, Any], None]
"""Serves a plan at a socket, and sets an event once requests are answered."""


def run_worker(plan: ServePlan, listener: socket.socket, ready: Any) -> None:
    """Serve as one worker of several, until terminated or the process that started it is gone."""
    parent = multiprocessing.parent_process()
    gone = None if parent is None else parent.sentinel
    _serve_here(plan, listener, ready.set, gone=gone)


def _serve_here(
    plan: ServePlan, listener: socket.socket, ready: Callable[[], None], *, gone: int | None = None
) -> None:
    """Serve in this process."""
    app = workspace_app(plan)
    server = _Server(_config(plan, app), app, ready)
    if gone is not None:
        threading.Thread(target=_stop_with_parent, args=(server, gone), daemon=True).start()
    with suppress(KeyboardInterrupt):  # raised again by uvicorn after it has stopped in order
        server.run(sockets=[listener])
    failure: BaseException | None = app.state.failure
    if isinstance(failure, TradingAgentsError):
        raise failure
    if failure is not None or not server.started:
        raise ServerFailure(f"The server could not start ({type(failure).__name__}); see the log.") from failure


def _config(plan: ServePlan, app: FastAPI) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        loop="asyncio",
        http=DeadlineProtocol,
        ws="none",
        lifespan="on",
        interface="asgi3",
        log_config=None,
        log_level="critical",  # what fails is logged by the gate, without tokens
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=plan.settings.server_max_connections,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=math.ceil(plan.settings.drain_seconds) + 1,
        h11_max_incomplete_event_size=LARGEST_HEAD,
    )


class _Server(uvicorn.Server):
    """Ends streams of events before it waits for open requests."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._app, self._ready = app, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the workspace, and say that requests are answered."""
        try:
            await super().startup(sockets)
        except SystemExit:
            self.should_exit = True  # the lifespan failed, and says why in the app's state
            return
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then the requests, then close the workspace."""
        self._app.state.stopping.set()
        if hasattr(self, "servers"):
            await super().shutdown(sockets)


class DeadlineProtocol(H11Protocol):
    """HTTP/1.1 of which the head of each request must arrive in time."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take what arrived; stop waiting once it is a request."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._deadline is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()


def _stop_with_parent(server: uvicorn.Server, sentinel: int) -> None:
    wait([sentinel])
    server.should_exit = True


class _Supervisor:
    """Starts workers, replaces those that die, and stops them with this process."""

    def __init__(self, plan: ServePlan, listener: socket.socket, worker: Worker) -> None:
        self._plan, self._listener, self._worker = plan, listener, worker
        self._context = multiprocessing.get_context("spawn")
        self._ready = self._context.Event()
        self._processes: dict[BaseProcess, float] = {}
        self._deaths = 0

    def run(self, ready: Callable[[], None]) -> None:
        try:
            for _ in range(self._plan.workers):
                self._start()
            while not self._ready.wait(0.1):
                self._replace_dead()
            ready()
            while True:
                wait([process.sentinel for process in self._processes])
                self._replace_dead()
        except KeyboardInterrupt:
            pass
        finally:
            self._stop()

    def _start(self) -> None:
        process = self._context.Process(target=self._worker, args=(self._plan, self._listener, self._ready))
        process.start()
        self._processes[process] = time.monotonic()

    def _replace_dead(self) -> None:
        for process, began in list(self._processes.items()):
            if process.is_alive():
                continue
            del self._processes[process]
            self._deaths = self._deaths + 1 if time.monotonic() - began < SOON else 0
            if self._deaths > MOST_DEATHS:
                raise ServerFailure("The workers of the server die soon after their start; the lines above say why.")
            self._start()

    def _stop(self) -> None:
        patience = time.monotonic() + 2 * self._plan.settings.drain_seconds + 10
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join(max(0.0, patience - time.monotonic()))
            if process.is_alive():
                process.kill()
                process.join()
