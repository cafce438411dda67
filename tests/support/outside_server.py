"""Every vendor at its own address: a proxy of this machine that plays their servers, TLS included.

The real client libraries are led here by what they document: `HTTPS_PROXY`, and for the certificates `SSL_CERT_FILE`
(httpx) and `REQUESTS_CA_BUNDLE` (requests, curl_cffi). Hosts, paths, queries, headers and cookies are those of the real
world; what a host was not filled with is 404, and a host that no vendor has is refused.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.support.certificates import write_authority
from tests.support.vendor_server import Answers, Reply, Request
from tests.support.yahoo_server import COOKIE_PAGE, CRUMB, YahooAnswers, asked_of
from tradingagents.dataflows.gateway.registry import BUILT_IN

FURTHER_HOSTS = {"sec_edgar": ("www.sec.gov",), "reddit": ("oauth.reddit.com",)}
"""Hosts of a vendor beside the one of its registration."""
YAHOO = "yahoo.com"
NEEDS_CRUMB = frozenset({"quoteSummary", "quote", "screen", "calendar"})
"""What Yahoo answers only to who sends its cookie and the crumb that belongs to it."""
NO_CRUMB = Reply(
    {"finance": {"result": None, "error": {"code": "Unauthorized", "description": "Invalid Crumb"}}}, status=401
)
CONSENT = Reply(
    '<html><form><input name="csrfToken" value="fictional"><input name="sessionId" value="fictional"></form></html>'
)


@dataclass
class Throttle:
    """The next requests to a host that are answered with 429."""

    left: int
    retry_after: float


class OutsideServer:
    """The servers of all vendors."""

    def __init__(self, folder: Path) -> None:
        """Make the certificates in a folder, and listen."""
        self.yahoo = YahooAnswers()
        self.sites = {name: Answers() for name, known in BUILT_IN.items() if known.url}
        """What each vendor answers, by its name, with paths below its registered address."""
        self.throttles: dict[str, Throttle] = {}
        """By host."""
        self.moved: dict[str, str] = {}
        """What a host is called now, by the name it had: requests to the old one are redirected."""
        self.crumb = CRUMB
        """The crumb that Yahoo takes now."""
        self.mangle: Any = None
        """Where set, a function of a host, a request and the reply that returns what is sent instead."""
        self.hosts: list[str] = []
        """The host of each request that arrived."""
        self._folder = folder
        self._bases = {
            (host, urlsplit(BUILT_IN[name].url).path): name
            for name in self.sites
            for host in (str(urlsplit(BUILT_IN[name].url).hostname), *FURTHER_HOSTS.get(name, ()))
        }
        names = sorted({host for host, _ in self._bases} | {YAHOO, f"*.{YAHOO}", f"*.finance.{YAHOO}"})
        self._tls = write_authority(folder, names)
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True

    @property
    def url(self) -> str:
        host, port = self._http.server_address[:2]
        return f"http://{host!s}:{port}"

    def lead(self, patch: pytest.MonkeyPatch) -> None:
        """Lead every client of this process here, until the patch is undone."""
        for name in ("HTTPS_PROXY", "https_proxy"):
            patch.setenv(name, self.url)
        for name in ("ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy", "CURL_CA_BUNDLE"):
            patch.delenv(name, raising=False)
        for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"):
            patch.setenv(name, str(self._folder / "authority.pem"))

    def count(self, host: str) -> int:
        """Return how often a host was asked."""
        return self.hosts.count(host)

    def start(self) -> None:
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()
        self._http.shutdown()
        self._http.server_close()

    def knows(self, host: str) -> bool:
        """Tell whether some vendor has this host."""
        return host == YAHOO or host.endswith(f".{YAHOO}") or any(host == known for known, _ in self._bases)

    def reply_to(self, host: str, target: str, request: Request) -> Reply:
        """Answer a request that arrived for a host."""
        with self._lock:
            self.hosts.append(host)
            throttle = self.throttles.get(host)
            if throttle is not None and throttle.left > 0:
                throttle.left -= 1
                return Reply("Too Many Requests", status=429, headers={"Retry-After": f"{throttle.retry_after:g}"})
        if host in self.moved:
            return Reply("", status=302, headers={"Location": f"https://{self.moved[host]}{target}"})
        if host.endswith(YAHOO):
            return self._mangled(host, request, self._of_yahoo(host, target, request))
        for (known, base), name in self._bases.items():
            if known == host and request.path.startswith(base):
                site, below = self.sites[name], replace(request, path=request.path.removeprefix(base))
                with self._lock:
                    site.asked.append(below)
                return self._mangled(host, below, site.reply_to(below))
        return Reply({"error": "not found"}, status=404)

    def _mangled(self, host: str, request: Request, reply: Reply) -> Reply:
        return reply if self.mangle is None else self.mangle(host, request, reply)

    def _of_yahoo(self, host: str, target: str, request: Request) -> Reply:
        """Answer as Yahoo does, which wants its cookie and crumb for most of what it has."""
        if request.path in ("/consent", "/copyConsent", "/v2/collectConsent"):
            return CONSENT if request.path == "/consent" else replace(COOKIE_PAGE, status=200)
        is_json = request.body[:1] in (b"{", b"[")
        cookie = request.headers.get("cookie", "")
        asked = asked_of(target, json.loads(request.body) if is_json else None, cookie)
        with self._lock:
            self.yahoo.asked.append(asked)
        if asked.kind == "crumb":
            return Reply(self.crumb, content_type="text/plain") if "A3=" in cookie else Reply("", status=401)
        if asked.kind in NEEDS_CRUMB and not ("A3=" in cookie and asked.query.get("crumb") == self.crumb):
            return NO_CRUMB
        return self.yahoo.reply_to(asked)

    def _handler(server) -> type[BaseHTTPRequestHandler]:  # noqa: N805 - `self` is the handler's
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            host = ""

            def do_CONNECT(self) -> None:
                host = self.path.rpartition(":")[0]
                if not server.knows(host):
                    self.send_error(403, "no vendor has this host")
                    return
                self.send_response(200, "Connection established")
                self.end_headers()
                self.host = host
                try:
                    self.connection = server._tls.wrap_socket(self.connection, server_side=True)
                except OSError:  # the client does not trust the certificate, or has gone
                    self.close_connection = True
                    return
                self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)  # type: ignore[assignment]
                self.close_connection = False

            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                request = Request(
                    self.command,
                    parts.path,
                    dict(parse_qsl(parts.query, keep_blank_values=True)),
                    {name.lower(): value for name, value in self.headers.items()},
                    self.rfile.read(int(self.headers.get("Content-Length") or 0)),
                    time.monotonic(),
                )
                self._send(server.reply_to(self.host, self.path, request))

            do_POST = do_GET  # noqa: N815 - the base class's spelling

            def _send(self, reply: Reply) -> None:
                if reply.silent:
                    server._stopped.wait()
                    return
                time.sleep(reply.delay)
                body = reply.bytes()
                self.send_response(reply.status)
                self.send_header("Content-Type", _content_type(reply))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                if not self.host.endswith(YAHOO):  # pools of clients that a test throws away would be warned of
                    self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(body[: len(body) // 2] if reply.truncated else body)
                self.close_connection = self.close_connection or reply.truncated

            def finish(self) -> None:
                try:
                    super().finish()
                    self.connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass  # the client has gone
                finally:
                    self.connection.close()

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
                """Say nothing."""

        return Handler


def _content_type(reply: Reply) -> str:
    return reply.content_type or ("text/html" if isinstance(reply.body, str) else "application/json")


@contextmanager
def outside_server(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[OutsideServer]:
    """Run the servers of all vendors, and lead the clients of this process there."""
    server = OutsideServer(folder)
    server.start()
    server.lead(patch)
    try:
        yield server
    finally:
        server.stop()
