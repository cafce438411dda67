"""What routes share: the workspace they ask, ids, bodies, and answers as JSON."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Path, Query, Request
from pydantic import BaseModel
from pydantic_core import to_json
from starlette.responses import Response

from tradingagents.errors import Interrupted
from tradingagents.service.workspace.api import WorkspaceApi

Answer = TypeVar("Answer")

ID_COMPONENT = r"[A-Za-z0-9_](\.?[A-Za-z0-9_\-])*"
"""One component of a path, which cannot lead elsewhere."""
ID_PATTERN = f"^{ID_COMPONENT}$"
MEDIA_TYPES: Mapping[str, str] = {
    ".md": "text/markdown; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".json": "application/json",
    ".jsonl": "application/x-ndjson",
    ".csv": "text/csv; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".pdf": "application/pdf",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""By ending of a file's name; others are bytes. Never guessed from contents."""
FILE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
"""Of files, which may hold text of others: no script runs, nothing is fetched."""


def _workspace_of(request: Request) -> WorkspaceApi:
    workspace: WorkspaceApi = request.app.state.workspace
    return workspace


def _stopping_of(request: Request) -> asyncio.Event:
    stopping: asyncio.Event = request.app.state.stopping
    return stopping


AskedWorkspace = Annotated[WorkspaceApi, Depends(_workspace_of)]
Stopping = Annotated[asyncio.Event, Depends(_stopping_of)]
LONGEST_ID = 200
Id = Annotated[str, Path(pattern=ID_PATTERN, max_length=LONGEST_ID)]
_ID_QUERY: dict[str, Any] = {"pattern": ID_PATTERN, "max_length": LONGEST_ID}
SessionFilter = Annotated[str | None, Query(**_ID_QUERY, description="Only those of this session.")]
BeforeId = Annotated[str | None, Query(**_ID_QUERY, description="Only those that follow this id in the list.")]
Limit = Annotated[int, Query(ge=1, le=500, description="How many at most.")]
After = Annotated[int, Query(ge=-1, lt=2**53, description="Only those numbered above this.")]


async def unless_gone(request: Request, answer: Coroutine[Any, Any, Answer]) -> Answer:
    """Return an answer; it is cancelled when its client closes the connection.

    Raises:
        Interrupted: The client is gone.
    """

    async def gone() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    making, leaving = asyncio.ensure_future(answer), asyncio.ensure_future(gone())
    try:
        await asyncio.wait((making, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not making.done():
            raise Interrupted("The client closed the connection; ask again.")
        return making.result()
    finally:
        making.cancel()
        leaving.cancel()


def as_json(value: BaseModel | Sequence[Any] | Mapping[str, Any], status: int = 200) -> Response:
    """Answer with a value as JSON; NaN and infinity, which JSON lacks, become null."""
    return Response(to_json(value, inf_nan_mode="null", fallback=str), status, media_type="application/json")


def as_file(content: bytes, name: str) -> Response:
    """Answer with a file that a page may show and no browser runs; `name` is what a reader stores it as."""
    ending = name[name.rfind(".") :].lower() if "." in name else ""
    safe = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "._-") else "_" for sign in name)
    headers = {
        "Content-Disposition": f'attachment; filename="{safe[-150:]}"',
        "Content-Security-Policy": FILE_POLICY,
    }
    # Set whole: Starlette would add a charset of its own to types of text.
    headers["Content-Type"] = MEDIA_TYPES.get(ending, "application/octet-stream")
    return Response(content, headers=headers)
