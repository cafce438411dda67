"""`create_app`: the HTTP server of a workspace."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from tradingagents.dataflows.gateway.limits import parse_rates
from tradingagents.errors import NotFound, TradingAgentsError, UsageError
from tradingagents.service.http import agui, openbb
from tradingagents.service.http.errors import Sanitizer, StatusError, error_body, error_headers, status_of
from tradingagents.service.http.openapi import describe, openapi_of
from tradingagents.service.http.routes import artifacts, books, capabilities, runs, server, sessions, tasks, watch_list
from tradingagents.service.http.security import AccessPolicy, Gate
from tradingagents.service.http.threads import ThreadMap
from tradingagents.service.workspace.api import WorkspaceApi
from tradingagents.settings import Settings, secrets_of

MODULES = (server, capabilities, tasks, sessions, artifacts, books, watch_list, runs, openbb, agui)
"""Those with routes, in the order of the reference."""
Lifespan = Callable[[], AbstractAsyncContextManager[Any]]


def create_app(
    workspace: WorkspaceApi,
    *,
    token: str,
    settings: Settings,
    environ: Mapping[str, str],
    host: str = "127.0.0.1",
    lifespans: Sequence[Lifespan] = (),
) -> FastAPI:
    """Return the server of a workspace, an ASGI app.

    Args:
        workspace: What answers.
        token: What clients must send as `Authorization: Bearer …`.
        settings: Limits and allowed origins of the server; the home folder, which errors do not name.
        environ: Variables, whose secrets errors do not tell; whether keys are set.
        host: Address that the server listens at.
        lifespans: What is open while the server runs, such as the workspace; closed in reverse order.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            async with AsyncExitStack() as stack:
                stack.callback(app.state.threads.close)
                for lifespan in lifespans:
                    await stack.enter_async_context(lifespan())
                yield
        except BaseException as error:
            app.state.failure = error  # the server that runs the app only logs it
            raise

    app = _empty_app(lifespan)
    app.state.workspace, app.state.settings, app.state.environ = workspace, settings, environ
    app.state.failure = None
    app.state.stopping, app.state.threads = asyncio.Event(), ThreadMap(settings)
    app.state.sanitizer = Sanitizer(settings.home_dir, environ, {token, *secrets_of(settings)})
    _add_error_handlers(app)
    describe(app)
    app.add_middleware(Gate, policy=access_policy(settings, token, host), sanitizer=app.state.sanitizer)
    return app


def openapi_document() -> dict[str, Any]:
    """Return the OpenAPI description of the HTTP interface, as every server of this version has it."""
    return openapi_of(_empty_app())


def _empty_app(lifespan: Any = None) -> FastAPI:
    """Return an app with our routes. Pages that show the interface would load scripts of others: there are none."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False, lifespan=lifespan)
    for module in MODULES:
        app.include_router(module.router)
    return app


def access_policy(settings: Settings, token: str, host: str) -> AccessPolicy:
    """Return what a server with these settings accepts.

    Raises:
        SettingsError: `server_rate` is not a rate.
    """
    return AccessPolicy(
        token=token,
        host=host,
        allowed_hosts=frozenset(settings.server_allowed_hosts),
        allowed_origins=frozenset(settings.server_allowed_origins),
        max_body=settings.server_max_body_bytes,
        rates=parse_rates(settings.server_rate),
    )


def _add_error_handlers(app: FastAPI) -> None:
    async def known(request: Request, error: Exception) -> Response:
        assert isinstance(error, TradingAgentsError)  # noqa: S101 - registered for it
        return _answer(request, status_of(error), error, error_headers(error))

    async def with_status(request: Request, error: Exception) -> Response:
        assert isinstance(error, StatusError)  # noqa: S101
        return _answer(request, error.status, error.error, error.headers)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)  # noqa: S101
        problems = error.errors()
        if any(problem["loc"][:1] == ("path",) for problem in problems):
            return _answer(request, 404, NotFound("Nothing has this name or id; list what there is."), {})
        told = "; ".join(
            f"{'.'.join(map(str, problem['loc'][1:])) or 'body'}: {problem['msg']}" for problem in problems[:10]
        )
        return _answer(request, 400, UsageError(f"The request is not understood ({told}); correct it."), {})

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101
        told = {404: "There is no such address; see the API reference.", 405: "This address has other methods."}
        message = told.get(error.status_code, "The request is not understood; correct it.")
        kind = NotFound if error.status_code == 404 else UsageError
        return _answer(request, error.status_code, kind(message), dict(error.headers or {}))

    app.add_exception_handler(TradingAgentsError, known)
    app.add_exception_handler(StatusError, with_status)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)


def _answer(request: Request, status: int, error: TradingAgentsError, headers: Mapping[str, str]) -> Response:
    body = error_body(error, request.scope["state"]["request_id"], request.app.state.sanitizer)
    return Response(body.model_dump_json(), status, dict(headers), media_type="application/json")
