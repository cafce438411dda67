"""The web page: static files served from memory, with a content security policy and caching by content.

The page is plain HTML, CSS and ES modules in `static/`; there is no build step. Files are sent compressed to every
browser that takes them so, and without the comments above functions. Styles stand in the page itself, so that its first
paint waits for one answer, and the page names all modules, which browsers then fetch at once instead of level by level.
The page talks to the routes under `/v1` with the token that its address carries in the fragment, which browsers never
send to a server.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import mimetypes
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from fastapi import FastAPI

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' {styles}; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Of every file, with the hash of the styles that stand in the page."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
FOR_EVER = "public, max-age=31536000, immutable"
CHECK_EACH_TIME = "no-cache"
"""Browsers keep the file and ask whether its content is still the same."""
VERSION_MARK = "{{version}}"
"""Stands in `index.html` for the hash of all files, so that a new version of the library is loaded as a whole."""
STYLES_MARK = "/*styles*/"
"""Stands in `index.html` for `STYLES`."""
STYLES = ("chart.css", "app.css", "company.css")
MODULES_MARK = "{{modules}}"
"""Stands in `index.html` for a link to each module of the page."""
WIDGET = "widget.js"
"""For pages of others: no module of ours."""
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
    policy: str
    """Content security policy of the page and its files."""


@cache
def page() -> WebPage:
    """Read the files of the page; they are read once in a process."""
    folder = files(__package__) / "static"
    found = dict(sorted(_read(folder, "").items()))
    templates = files("tradingagents.reports") / "templates"
    styles = b"".join((templates / name).read_bytes() for name in CHART_STYLES)
    found["chart.css"] = _sent("chart.css", CHART_COLOURS.sub(b"", styles))
    version = hashlib.sha256(b"\0".join(name.encode() + b"\0" + content for name, content in found.items())).hexdigest()
    index, inlined = found.pop("index.html").decode(), b"".join(found[name] for name in STYLES)
    links = (f'<link rel="modulepreload" href="/static/v/{VERSION_MARK}/{name}">' for name in _modules(found))
    index = index.replace(STYLES_MARK, inlined.decode()).replace(MODULES_MARK, "\n".join(links))
    digest = base64.b64encode(hashlib.sha256(inlined).digest()).decode()
    return WebPage(
        index=_static_file("index.html", index.replace(VERSION_MARK, version[:16]).encode()),
        files={name: _static_file(name, content) for name, content in found.items()},
        version=version[:16],
        policy=CONTENT_SECURITY_POLICY.format(styles=f"'sha256-{digest}'"),
    )


def _modules(names: Iterable[str]) -> Iterator[str]:
    """Yield the modules that the page imports."""
    return (name for name in names if name.endswith(".js") and name != WIDGET)


def mount(app: FastAPI) -> None:
    """Add the web page to an application.

    Its paths: `/`, `/company/SYMBOL`, `/static/PATH` and, unchanged for ever, `/static/v/VERSION/PATH`.
    """
    from starlette.requests import Request
    from starlette.responses import Response

    shown = page()
    common = {**HEADERS, "Content-Security-Policy": shown.policy}

    def send(found: StaticFile | None, request: Request, caching: str) -> Response:
        if found is None:
            return Response("There is no such file.", status_code=404, headers=common, media_type="text/plain")
        headers = {**common, "ETag": found.tag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
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
        return Response(status_code=307, headers={**common, "Location": f"/#/company/{symbol}{query}"})

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
