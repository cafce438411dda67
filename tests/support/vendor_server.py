"""A vendor on this machine: an HTTP server that answers as a test filled it, fails as told, and counts.

Only the network is replaced: a vendor's real client library talks to it, since `vendor_urls` names its address.
`tests.support.outside_server` has all vendors at their own addresses, with TLS.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Request:
    """One request that arrived."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    """By lower-case name."""
    body: bytes
    at: float
    """Seconds, monotonic."""

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """An answer in any state: a status, a page instead of JSON, a body that breaks off, none at all."""

    body: Any = None
    """Bytes and text are sent as they are, anything else as JSON."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str | None = None
    """None: application/json for what is sent as JSON, else text/html."""
    truncated: bool = False
    """Send half of the body, then hang up."""
    silent: bool = False
    """Answer nothing until the server stops."""
    delay: float = 0.0
    """Seconds before the answer."""

    def bytes(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


HTML = Reply("<!DOCTYPE html><html><body>Please come back later</body></html>")

Answer = Reply | Callable[[Request], Any] | Any
"""A reply, a function of the request that gives one (or a payload), or a payload."""


class Answers:
    """What a vendor answers by path, as the test filled it: the longest prefix counts. The rest is 404."""

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.failing: Reply | None = None
        """Where set, every request is answered so."""
        self._answers: dict[str, Answer] = {}

    def answer(self, path: str, answer: Answer) -> None:
        """Answer requests whose path begins with `path`."""
        self._answers[path] = answer

    def count(self, path: str = "/") -> int:
        """Return how often a path, or one below it, was asked."""
        return sum(request.path.startswith(path) for request in self.asked)

    def reply_to(self, request: Request) -> Reply:
        if self.failing is not None:
            return self.failing
        prefix = max((path for path in self._answers if request.path.startswith(path)), key=len, default=None)
        if prefix is None:
            return Reply({"error": "not found"}, status=404)
        answer = self._answers[prefix]
        if callable(answer):
            answer = answer(request)
        return answer if isinstance(answer, Reply) else Reply(answer)


class VendorServer(Answers):
    """The answers of one vendor at an address of this machine."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True

    @property
    def url(self) -> str:
        host, port = self._http.server_address[:2]
        return f"http://{host!s}:{port}"

    def start(self) -> None:
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()
        self._http.shutdown()
        self._http.server_close()

    def _handler(server) -> type[BaseHTTPRequestHandler]:  # noqa: N805 - `self` is the handler's
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                length = int(self.headers.get("Content-Length") or 0)
                request = Request(
                    self.command,
                    parts.path,
                    dict(parse_qsl(parts.query, keep_blank_values=True)),
                    {name.lower(): value for name, value in self.headers.items()},
                    self.rfile.read(length),
                    time.monotonic(),
                )
                with server._lock:
                    server.asked.append(request)
                self._send(server.reply_to(request))

            do_POST = do_GET  # noqa: N815 - the base class's spelling

            def _send(self, reply: Reply) -> None:
                if reply.silent:
                    server._stopped.wait()
                    return
                time.sleep(reply.delay)
                body = reply.bytes()
                kind = reply.content_type or ("text/html" if isinstance(reply.body, str) else "application/json")
                self.send_response(reply.status)
                self.send_header("Content-Type", kind)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body[: len(body) // 2] if reply.truncated else body)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
                """Say nothing."""

        return Handler


@contextmanager
def vendor_server() -> Iterator[VendorServer]:
    """Run a server for the length of a test."""
    server = VendorServer()
    server.start()
    try:
        yield server
    finally:
        server.stop()
