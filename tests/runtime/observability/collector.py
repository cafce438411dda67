"""A server that takes what tracers send, in a thread: an OTLP collector and a LangSmith endpoint in one."""

from __future__ import annotations

import gzip
import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

INFO = {
    "version": "0.10.0",
    "batch_ingest_config": {
        "use_multipart_endpoint": False,
        "size_limit": 100,
        "size_limit_bytes": 20_000_000,
        "scale_up_qsize_trigger": 1000,
        "scale_up_nthreads_limit": 16,
        "scale_down_nempty_trigger": 4,
    },
}
"""What LangSmith says of itself."""


@dataclass(frozen=True)
class Taken:
    """One request."""

    path: str
    body: bytes


class Collector:
    """Takes every POST; `hangs` makes it never answer one."""

    def __init__(self, *, hangs: bool = False) -> None:
        self.taken: list[Taken] = []
        released = self._released = threading.Event()
        taken = self.taken

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer(INFO)

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                zipped = self.headers.get("content-encoding") == "gzip"
                taken.append(Taken(self.path, gzip.decompress(body) if zipped else body))
                if hangs:
                    released.wait()
                self._answer({})

            def do_PATCH(self) -> None:
                self.do_POST()

            def _answer(self, content: Any) -> None:
                body = json.dumps(content).encode()
                self.send_response(200)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Collector:
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def everything(self) -> bytes:
        """All that was sent."""
        return b"\n".join(one.body for one in self.taken)

    def spans(self) -> list[Span]:
        """Every span that came by OTLP."""
        found = []
        for one in self.taken:
            if one.path == "/v1/traces":
                for resource in ExportTraceServiceRequest.FromString(one.body).resource_spans:
                    found += [span for scope in resource.scope_spans for span in scope.spans]
        return found

    def langsmith_runs(self) -> list[dict[str, Any]]:
        """Every run that came in LangSmith's batches, what was posted and patched of it together."""
        runs: dict[str, dict[str, Any]] = {}
        for one in self.taken:
            if one.path == "/runs/batch":
                batch = json.loads(one.body)
                for part in (*batch.get("post", ()), *batch.get("patch", ())):
                    known = {key: value for key, value in part.items() if value is not None}
                    runs.setdefault(part["id"], {}).update(known)
        return list(runs.values())
