"""The web page: static files served from memory, with a content security policy and caching by content.

The page is plain HTML, CSS and ES modules in `static/`; there is no build step. Files are sent compressed to every
browser that takes them so, and without the comments above functions. The page talks to the routes under `/v1` with the
token that its address carries in the fragment, which browsers never send to a server.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from fastapi import FastAPI

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
FOR_EVER = "public, max-age=31536000, immutable"
CHECK_EACH_TIME = "no-cache"
"""Browsers keep the file and ask whether its content is still the same."""
VERSION_MARK = "{{version}}"
"""Stands in `index.html` for the hash of all files, so that a new version of the library is loaded as a whole."""
CHART_STYLES = ("chart.css", "bars.css", "figure.css")
"""Style sheets of the reports' charts, which the page shows too."""
CHART_COLOURS = re.compile(
    rb"^@media (?:print|\(prefers-color-scheme: dark\)) \{\n(?:[^\n]*\n)*?\}\n|^ *--[^\n]*;\n", re.MULTILINE
)
"""Colours of the reports' own pages: `app.css` has those of the page, which follow its theme."""
DESCRIPTIONS = re.compile(rb"^ *\/\*\*(?:[^*]|\*(?!\/))*\*\/\n", re.MULTILINE)
TEXT_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file of the page as it is sent."""

    content: bytes
    compressed: bytes
    """The content by gzip."""
    media_type: str
    tag: str
    """Hash of the content, in quotes: its `ETag`."""


@dataclass(frozen=True, slots=True)
class WebPage:
    """All files of the page."""

    index: StaticFile
    files: dict[str, StaticFile]
    """By path below `static/`."""
    version: str
    """Hash of all files."""


@cache
def page() -> WebPage:
    """Read the files of the page; they are read once in a process."""
    folder = files(__package__) / "static"
    found = dict(sorted(_read(folder, "").items()))
    templates = files("tradingagents.reports") / "templates"
    styles = b"".join((templates / name).read_bytes() for name in CHART_STYLES)
    found["chart.css"] = _sent("chart.css", CHART_COLOURS.sub(b"", styles))
    version = hashlib.sha256(b"\0".join(name.encode() + b"\0" + content for name, content in found.items())).hexdigest()
    index = found.pop("index.html").replace(VERSION_MARK.encode(), version[:16].encode())
    return WebPage(
        index=_static_file("index.html", index),
        files={name: _static_file(name, content) for name, content in found.items()},
        version=version[:16],
    )


def mount(app: FastAPI) -> None:
    """Add the web page to an application.

    Its paths: `/`, `/company/SYMBOL`, `/static/PATH` and, unchanged for ever, `/static/v/VERSION/PATH`.
    """
    from starlette.requests import Request
    from starlette.responses import Response

    shown = page()

    def send(found: StaticFile | None, request: Request, caching: str) -> Response:
        if found is None:
            return Response("There is no such file.", status_code=404, headers=HEADERS, media_type="text/plain")
        headers = {**HEADERS, "ETag": found.tag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == found.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(found.content, headers=headers, media_type=found.media_type)
        headers["Content-Encoding"] = "gzip"
        return Response(found.compressed, headers=headers, media_type=found.media_type)

    def index(request: Request) -> Response:
        return send(shown.index, request, CHECK_EACH_TIME)

    def versioned(request: Request) -> Response:
        asked = request.path_params
        found = shown.files.get(asked["path"]) if asked["version"] == shown.version else None
        return send(found, request, FOR_EVER)

    def company(request: Request) -> Response:
        """Lead an address that people write, `/company/AAPL?day=2025-03-14`, to the page's own."""
        symbol, day = quote(request.path_params["symbol"], safe=""), request.query_params.get("day")
        query = f"?day={quote(day, safe='')}" if day else ""
        return Response(status_code=307, headers={**HEADERS, "Location": f"/#/company/{symbol}{query}"})

    def static(request: Request) -> Response:
        return send(shown.files.get(request.path_params["path"]), request, CHECK_EACH_TIME)

    for path, endpoint in (
        ("/", index),
        ("/company/{symbol}", company),
        ("/static/v/{version}/{path:path}", versioned),
        ("/static/{path:path}", static),
    ):
        app.add_route(path, endpoint, methods=["GET"], include_in_schema=False)


def _read(folder: Traversable, path: str) -> dict[str, bytes]:
    """Return the content of every file below a folder by its path."""
    found: dict[str, bytes] = {}
    for entry in folder.iterdir():
        name = f"{path}{entry.name}"
        found.update(_read(entry, f"{name}/") if entry.is_dir() else {name: _sent(name, entry.read_bytes())})
    return found


def _sent(name: str, content: bytes) -> bytes:
    """Return a file without what only those who change it read."""
    return DESCRIPTIONS.sub(b"", content) if name.endswith(".js") else content


def _static_file(name: str, content: bytes) -> StaticFile:
    suffix = name[name.rfind(".") :]
    media_type = TEXT_TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return StaticFile(
        content, gzip.compress(content, mtime=0), media_type, f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    )
