"""The page of the HTTP interface, and its OpenAPI description."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pages.markdown import code, page, table
from tradingagents.service.http.app import openapi_document
from tradingagents.service.http.errors import STATUSES
from tradingagents.service.http.openapi import capability_paths

INTRODUCTION = """
The routes of a server that `tradingagents serve` runs ([guide](../guides/server.md)). The server describes them as
OpenAPI at `/v1/openapi.json`, with the arguments and the typed result of each capability; `make docs` writes the same
to `docs/build/openapi.json`.

- Every request but those for the web page and `/v1/health` needs the header `Authorization: Bearer TOKEN`.
- Bodies are JSON; unknown fields are refused.
- A day (`as_of`) is written `YYYY-MM-DD`. Nothing that became known after it is in an answer.
"""
STREAM_WORDS = """
## Streams of events

`GET /v1/tasks/{task_id}/events` answers with server-sent events. Each has its number as `id`, its type as `event` and a
`TaskEvent` as `data`; numbers rise by one and are never used twice, across restarts of the server too. A comment is
sent after 15 seconds of silence. The comment `: end` closes a complete stream; one that stops without it was cut off,
and a request with the header `Last-Event-ID` (or `?after=`) continues it. Status 204 means that there is nothing more
to come until a person resumes the task or answers it.
"""
ERROR_WORDS = """
## Errors

Every failure has the body `{"error": {"code", "message", "exit_code", "request_id", "python_class", "details"}}`. The
message says what to do; `request_id` names the request in the server's log, and is the header `X-Request-ID` of every
answer. The status follows from the class of the error:
"""
GATE_STATUSES = {
    "AccessRefused": "401 the token; 403 the origin of a page; 421 the host name",
    "RequestTooLarge": "413 the body; 414 the address; 431 the headers",
    "UsageError": "400; 404 an unknown address; 405 another method; 408 a body that does not arrive",
    "RateLimited": "429, with `Retry-After`",
}


def http_page() -> str:
    """Return the page."""
    document = openapi_document()
    errors = ((f"`{name}`", GATE_STATUSES.get(name, str(status))) for name, status in STATUSES.items())
    return page(
        "HTTP interface",
        INTRODUCTION,
        "## Routes",
        table(("Route", "What it does"), _routes(document["paths"])),
        f"`POST /v1/capabilities/{{name}}` takes `arguments`, `as_of` and `session_id`. The names are: "
        f"{code(_capabilities(document['paths']))} ([what each answers](capabilities.md)).",
        STREAM_WORDS,
        ERROR_WORDS,
        table(("Error", "Status"), errors),
    )


def openapi_json() -> str:
    """Return the OpenAPI description as it is stored."""
    return json.dumps(openapi_document(), indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"


def _routes(paths: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for path, operations in paths.items():
        if path in capability_paths(paths):
            continue
        for method, operation in operations.items():
            yield f"`{method.upper()} {path}`", " ".join(operation["description"].partition("\n\n")[0].split())
    yield "`POST /v1/capabilities/{name}`", "Answer a capability."


def _capabilities(paths: Mapping[str, Any]) -> list[str]:
    return sorted(path.rpartition("/")[2] for path in capability_paths(paths))
