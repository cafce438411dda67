"""Who may ask the server: token, host name, origin, sizes and rates, checked before anything else sees a request."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tradingagents.dataflows.gateway.limits import Rate
from tradingagents.errors import AccessRefused, RateLimited, RequestTooLarge, UsageError
from tradingagents.files.json_text import parse_json
from tradingagents.service.http.errors import Sanitizer, StatusError, error_body, error_headers, status_of, unexpected
from tradingagents.service.http.limits import RequestLimit

PUBLIC = ("/", "/favicon.ico", "/v1/health")
PUBLIC_FOLDERS = ("/static/", "/company/")
"""The web page, its files and the addresses that lead to it: they hold no data. And the answer that the server runs."""
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
WRONG_TOKENS = (Rate(30, 60),)
"""Requests with a wrong token that one address may make. After that no token of it is looked at, right or wrong, until
it has waited: else guesses that are right would stand out from those that are refused. A connection on which the right
token came before is served on, since others who guess may have the same address: all of this machine have."""
MOST_PROVEN = 1_000
"""Connections remembered that brought the right token; the one not seen for longest is forgotten first."""
MOST_HEADERS, LONGEST_HEADER, LONGEST_TARGET = 100, 8_192, 4_096
BODY_SECONDS = 30.0
"""Time in which a client must have sent the whole body."""
READ_FURTHER = 20
"""Of a body that is too large, so many times the limit is read and dropped before the connection is closed."""
WITH_BODY = frozenset({"POST", "PUT", "PATCH", "DELETE"})
METHODS = "GET, POST, PATCH, DELETE, OPTIONS"
ASKED_HEADERS = "authorization, content-type, last-event-id, mcp-session-id, mcp-protocol-version"
HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}
"""Headers of every answer that does not set its own."""

logger = logging.getLogger("tradingagents.service.http.access")


@dataclass(frozen=True, kw_only=True)
class AccessPolicy:
    """What the server accepts."""

    token: str = field(repr=False)
    host: str = "127.0.0.1"
    """Address the server listens at."""
    allowed_hosts: frozenset[str] = frozenset()
    """Further names that clients may use for it."""
    allowed_origins: frozenset[str] = frozenset()
    """Origins of other web pages that may ask."""
    max_body: int = 1_000_000
    rates: tuple[Rate, ...] = ()

    @property
    def loopback_only(self) -> bool:
        """Whether only this machine can reach the server."""
        return is_loopback(self.host)


class Gate:
    """Checks every request, numbers it, and answers what it refuses; the app behind it only sees the others."""

    def __init__(self, app: ASGIApp, policy: AccessPolicy, sanitizer: Sanitizer) -> None:
        self._app, self._policy, self._sanitizer = app, policy, sanitizer
        self._token = policy.token.encode()
        self._names = frozenset(map(str.lower, policy.allowed_hosts)) | LOOPBACK_NAMES | {policy.host.lower()}
        self._requests, self._failures = RequestLimit(policy.rates), RequestLimit(WRONG_TOKENS)
        self._proven: OrderedDict[tuple[Any, ...], None] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        await self._serve(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        request_id = uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id
        headers = _headers(scope)
        origin = headers.get("origin")
        # Only what `_check` lets through may be read by the page that asks.
        readable = origin if origin in self._policy.allowed_origins else None
        answer = _CheckedAnswer(send, request_id, readable)
        try:
            self._check(scope, headers)
            if scope["method"] == "OPTIONS" and readable and "access-control-request-method" in headers:
                await _preflight(answer)
            else:
                self._check_token(scope, headers)
                await self._app(scope, await self._with_body(scope, headers, receive), answer)
        except StatusError as refusal:
            await self._refuse(answer, refusal, request_id)
        except Exception as error:
            if answer.status is not None:
                raise
            failure = unexpected(error, request_id)
            await self._refuse(answer, StatusError(status_of(failure), failure), request_id)
        finally:
            took = (time.perf_counter() - began) * 1000
            logger.info("%s %s %s %.0f ms %s", scope["method"], scope["path"], answer.status, took, request_id)

    def _check(self, scope: Scope, headers: Mapping[str, str]) -> None:
        """Check everything about a request that needs no token."""
        sizes = [len(name) + len(value) for name, value in scope["headers"]]
        if len(sizes) > MOST_HEADERS or max(sizes, default=0) > LONGEST_HEADER:
            raise StatusError(431, RequestTooLarge("The request has too many or too long headers; send fewer."))
        if len(scope.get("raw_path", b"")) + len(scope.get("query_string", b"")) > LONGEST_TARGET:
            raise StatusError(414, RequestTooLarge("The address of the request is too long; shorten it."))
        if not self._is_our_name(headers.get("host", "")):
            # A page whose name was made to lead to this machine would otherwise ask with our own origin.
            raise StatusError(
                421,
                AccessRefused(
                    "The server is not known by this host name; use its address, or add the name to "
                    "server_allowed_hosts."
                ),
            )
        if not self._is_our_page(headers):
            raise StatusError(
                403,
                AccessRefused(
                    "Pages of other origins may not ask this server; add the origin to server_allowed_origins."
                ),
            )

    def _is_our_name(self, host: str) -> bool:
        name = host_name(host)
        if name is None:
            return False
        return name in self._names or (not self._policy.loopback_only and is_address(name))

    def _is_our_page(self, headers: Mapping[str, str]) -> bool:
        """Return whether no page asks, or one of ours, or one that is allowed."""
        origin = headers.get("origin")
        if origin is None or origin in self._policy.allowed_origins:
            return True
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        return parts.scheme in ("http", "https") and parts.netloc.lower() == headers["host"].lower()

    def _check_token(self, scope: Scope, headers: Mapping[str, str]) -> None:
        path = scope["path"]
        if scope["method"] in ("GET", "HEAD") and (path in PUBLIC or path.startswith(PUBLIC_FOLDERS)):
            return
        connection = tuple(scope.get("client") or ("", 0))
        address = str(connection[0])
        if connection not in self._proven:
            self._count(self._failures, address, count=False)
        scheme, _, given = headers.get("authorization", "").partition(" ")
        right = hmac.compare_digest(given.strip().encode("utf-8", "replace"), self._token)
        if scheme.lower() != "bearer" or not right:
            self._proven.pop(connection, None)
            self._count(self._failures, address)
            raise StatusError(
                401,
                AccessRefused("The token is missing or wrong; send it as a bearer token in the header Authorization."),
                {"WWW-Authenticate": "Bearer"},
            )
        self._proven[connection] = None
        self._proven.move_to_end(connection)
        if len(self._proven) > MOST_PROVEN:
            self._proven.popitem(last=False)
        self._count(self._requests, "token")

    @staticmethod
    def _count(limit: RequestLimit, client: str, *, count: bool = True) -> None:
        if wait := limit.seconds_to_wait(client, count=count):
            error = RateLimited("Too many requests; wait, and ask less often.", retry_after=round(wait, 2), asked=False)
            raise StatusError(429, error, error_headers(error))

    async def _with_body(self, scope: Scope, headers: Mapping[str, str], receive: Receive) -> Receive:
        """Read the body within the limits of size and time; return what hands it to the app."""
        if scope["method"] not in WITH_BODY:
            return receive
        most = self._policy.max_body
        too_large = RequestTooLarge(f"The body has more than {most:,} bytes; send less or raise server_max_body_bytes.")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > READ_FURTHER * most:
            raise StatusError(413, too_large)
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await _read(receive, most)
        except TimeoutError:
            raise StatusError(408, UsageError("The body did not arrive in time; send it at once.")) from None
        if body is None:
            raise StatusError(413, too_large)
        if body and headers.get("content-type", "").partition(";")[0].strip().lower().endswith("json"):
            _check_json(body)
        return _replayed(body, receive)

    async def _refuse(self, answer: _CheckedAnswer, refusal: StatusError, request_id: str) -> None:
        body = error_body(refusal.error, request_id, self._sanitizer).model_dump_json().encode()
        headers = {"Content-Type": "application/json", **refusal.headers}
        if refusal.status in (408, 413):
            headers["Connection"] = "close"  # the rest of the body is not read
        await answer.whole(refusal.status, headers, body)


class _CheckedAnswer:
    """Sends an answer with the headers that every answer has."""

    def __init__(self, send: Send, request_id: str, origin: str | None) -> None:
        self._send, self._request_id, self._origin = send, request_id, origin
        self.status: int | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message = {**message, "headers": self._completed(message.get("headers", ()))}
        await self._send(message)

    async def whole(self, status: int, headers: Mapping[str, str], body: bytes = b"") -> None:
        """Send an answer in one piece."""
        raw = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]
        raw.append((b"content-length", str(len(body)).encode()))
        await self({"type": "http.response.start", "status": status, "headers": raw})
        await self({"type": "http.response.body", "body": body})

    def _completed(self, headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        given = list(headers)
        names = {name.lower() for name, _ in given}
        more: MutableMapping[str, str] = {**HEADERS, "X-Request-ID": self._request_id}
        if self._origin is not None:
            more["Access-Control-Allow-Origin"], more["Vary"] = self._origin, "Origin"
            more["Access-Control-Expose-Headers"] = "X-Request-ID, Retry-After, Content-Disposition, Mcp-Session-Id"
        added = ((name.lower().encode(), value.encode("latin-1")) for name, value in more.items())
        return given + [pair for pair in added if pair[0] not in names]


def host_name(host: str) -> str | None:
    """Return the name in a Host header in lower case, without its port; None where it is none."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    if parts.netloc != host or "@" in host:
        return None
    return parts.hostname.rstrip(".") if parts.hostname else None


def is_address(name: str) -> bool:
    """Return whether a host name is an IP address, which no name server can redirect."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach what listens at a host."""
    return host.lower() == "localhost" or (is_address(host) and ipaddress.ip_address(host).is_loopback)


def _headers(scope: Scope) -> dict[str, str]:
    """Return the headers by name in lower case; a name given twice has both values, which no check accepts."""
    found: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found


async def _preflight(answer: _CheckedAnswer) -> None:
    headers = {
        "Access-Control-Allow-Methods": METHODS,
        "Access-Control-Allow-Headers": ASKED_HEADERS,
        "Access-Control-Max-Age": "600",
    }
    await answer.whole(204, headers)


async def _read(receive: Receive, most: int) -> bytes | None:
    """Return the whole body; None where it is larger than allowed.

    What is too much is read and dropped, within bounds: clients read no answer before they have sent everything.
    """
    body, size = bytearray(), 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return bytes(body)
        piece = message.get("body", b"")
        size += len(piece)
        if size <= most:
            body += piece
        if not message.get("more_body", False) or size > READ_FURTHER * most:
            return bytes(body) if size <= most else None


def _check_json(body: bytes) -> None:
    """Refuse JSON that is nested too deeply, or holds what no file can: NaN, halves of surrogate pairs."""
    try:
        value = parse_json(body, parse_constant=_refuse_constant)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        why = "it is not valid UTF-8" if isinstance(error, UnicodeError) else str(error)
        raise StatusError(400, UsageError(f"The body is not JSON that the server reads ({why}); correct it.")) from None


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return what hands over a body that was read, and then whatever else arrives."""
    pending = [body]

    async def replay() -> Message:
        if pending:
            return {"type": "http.request", "body": pending.pop(), "more_body": False}
        return await receive()

    return replay
