"""A server on this machine that takes messages, as tests tell it to."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "t0ken-in-the-path"  # noqa: S105 - a canary
Answer = int | tuple[int, dict[str, str]] | tuple[int, dict[str, str], bytes] | float | None
"""A status, a status with headers and perhaps a body, seconds of silence, or None: the connection is closed."""


class Receiver(ThreadingHTTPServer):
    """A receiver that answers as told, in order, then 204; it keeps what it was sent."""

    daemon_threads = True

    def __init__(self, answers: list[Answer]) -> None:
        self.answers, self.requests = list(answers), []
        self.requests: list[dict[str, Any]] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/hooks/{TOKEN}"


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.requests.append({"path": self.path, "headers": dict(self.headers), "body": body})
        answer = self.server.answers.pop(0) if self.server.answers else 204
        if answer is None or isinstance(answer, float):
            time.sleep(answer or 0.0)
            return
        status, headers, said = (*answer, b"")[:3] if isinstance(answer, tuple) else (answer, {}, b"")
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_: object) -> None: ...


@contextmanager
def receiving(*answers: Answer) -> Iterator[Receiver]:
    with Receiver(list(answers)) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield server
        server.shutdown()
