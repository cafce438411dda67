"""Runs, their reports, and artifacts as MCP resources (`tradingagents://…`)."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from mimetypes import guess_type
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from tradingagents.errors import NotFound, TradingAgentsError
from tradingagents.schemas.decision import sureness_words
from tradingagents.schemas.workspace import ArtifactInfo
from tradingagents.service.mcp_client.sdk import INVALID_PARAMS, McpRequestRefused, Wire
from tradingagents.service.workspace.api import ReportFormat, WorkspaceApi

SCHEME = "tradingagents"
PAGE = 25
"""Runs or artifacts of one page of the list."""
LARGEST = 4_000_000
"""Largest resource in bytes: clients read a resource as one message."""
MARKDOWN, DOSSIER = "text/markdown", "application/zip"
_TYPES = {
    ".md": MARKDOWN,
    ".jsonl": "application/json",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_TEXT = ("text/", "application/json", "image/svg+xml")
EXPORTS: Mapping[str, ReportFormat] = {"md": "md", "html": "html", "pdf": "pdf", "xlsx": "xlsx"}
"""Formats of exported reports."""
_RUNS, _ARTIFACTS = "runs", "artifacts"


def run_uri(run_id: str, report: str | None = None) -> str:
    """Return the address of a run's card, or of one of its reports."""
    path = f"{_RUNS}/{quote(run_id, safe='')}"
    return f"{SCHEME}://{path}" if report is None else f"{SCHEME}://{path}/reports/{quote(report)}"


def artifact_uri(artifact_id: str) -> str:
    """Return the address of an artifact."""
    return f"{SCHEME}://{_ARTIFACTS}/{quote(artifact_id, safe='')}"


def media_type(name: str) -> str:
    """Return the media type of a file by its name."""
    suffix = name[name.rfind(".") :] if "." in name else ""
    return _TYPES.get(suffix) or guess_type(name)[0] or "application/octet-stream"


def templates() -> list[Wire]:
    """Return the templates of addresses."""
    return [
        {
            "uriTemplate": f"{SCHEME}://runs/{{run_id}}",
            "name": "run",
            "description": "Card of a run: decision, settings, cost, warnings, and the names of its reports.",
            "mimeType": "application/json",
        },
        {
            "uriTemplate": f"{SCHEME}://runs/{{run_id}}/reports/{{name}}",
            "name": "report",
            "description": "A report of a run, such as complete_report.md.",
        },
        {
            "uriTemplate": f"{SCHEME}://runs/{{run_id}}/export/{{format}}",
            "name": "export",
            "description": "The report of a run as one file: md, html, pdf, or xlsx with figures and formulas.",
        },
        {
            "uriTemplate": f"{SCHEME}://runs/{{run_id}}/dossier",
            "name": "dossier",
            "description": "A run with all that it rests on, in one file that another machine recomputes.",
            "mimeType": DOSSIER,
        },
        {
            "uriTemplate": f"{SCHEME}://artifacts/{{artifact_id}}",
            "name": "artifact",
            "description": "A file that an answer or a task made: chart, workbook, report.",
        },
    ]


class ResourceShelf:
    """Lists and reads the resources of a workspace."""

    def __init__(self, workspace: WorkspaceApi) -> None:
        self._workspace = workspace

    async def page(self, cursor: str | None) -> Wire:
        """Return a page of the resources: runs with their Markdown reports, newest first, then artifacts.

        Raises:
            McpRequestRefused: The cursor is none of ours.
        """
        part, _, after = (cursor or f"{_RUNS}:").partition(":")
        if part == _RUNS:
            rows = await self._workspace.runs(limit=PAGE, before=after or None)
            found = [resource for row in rows for resource in await self._of_run(row)]
            following = f"{_RUNS}:{rows[-1]['run_id']}" if len(rows) == PAGE else f"{_ARTIFACTS}:0"
            return {"resources": found, "nextCursor": following}
        if part == _ARTIFACTS and after.isdigit():
            start, artifacts = int(after), await self._workspace.artifacts()
            end = start + PAGE
            more = {"nextCursor": f"{_ARTIFACTS}:{end}"} if end < len(artifacts) else {}
            return {"resources": [listed_artifact(artifact) for artifact in artifacts[start:end]], **more}
        raise McpRequestRefused("The cursor is unknown; list from the beginning, without a cursor.", INVALID_PARAMS)

    async def read(self, uri: str) -> Wire:
        """Return the contents of a resource.

        Raises:
            NotFound: There is none at that address.
            McpRequestRefused: It is too large.
        """
        content, kind = await self._content(uri)
        _assert_not_too_large(len(content))
        about: Wire = {"uri": uri, "mimeType": kind}
        if kind.startswith(_TEXT):
            return {"contents": [{**about, "text": content.decode(errors="replace")}]}
        return {"contents": [{**about, "blob": base64.b64encode(content).decode()}]}

    async def _content(self, uri: str) -> tuple[bytes, str]:
        try:
            parts = urlsplit(uri)
        except ValueError:
            raise _unknown() from None
        path = [unquote(part) for part in parts.path.removeprefix("/").split("/")]
        if parts.scheme != SCHEME or parts.query or parts.fragment:
            raise _unknown()
        match parts.netloc, path:
            case "runs", [run_id] if run_id:
                card = await self._workspace.run(run_id)
                return json.dumps(card, ensure_ascii=False, indent=1).encode(), "application/json"
            case "runs", [run_id, "reports", *name] if run_id and name:
                report = "/".join(name)
                return await self._workspace.run_report(run_id, report), media_type(report)
            case "runs", [run_id, "export", name] if run_id and name in EXPORTS:
                return await self._workspace.export_run(run_id, EXPORTS[name]), media_type(f"run.{name}")
            case "runs", [run_id, "dossier"] if run_id:
                return await self._workspace.seal_run(run_id), DOSSIER
            case "artifacts", [artifact_id] if artifact_id:
                about = await self._workspace.artifact(artifact_id)
                _assert_not_too_large(about.size)
                return await self._workspace.artifact_content(artifact_id), about.media_type
        raise _unknown()

    async def artifact_links(self, artifact_ids: Iterable[str]) -> list[Wire]:
        """Return the links to artifacts that a tool's answer holds."""
        return [as_link(listed_artifact(await self._workspace.artifact(artifact_id))) for artifact_id in artifact_ids]

    async def run_links(self, run_id: str, title: str) -> list[Wire]:
        """Return the links to a run's card and its Markdown reports; none for a run that ended before it wrote any."""
        try:
            card = await self._workspace.run(run_id)
        except TradingAgentsError:
            return []
        about = {"uri": run_uri(run_id), "name": f"{title}: card of the run", "mimeType": "application/json"}
        reports = (run_link(run_id, name, title) for name in main_reports(card.get("report_files", ())))
        return [as_link(artifact) for artifact in (about, *reports)]

    async def _of_run(self, row: Wire) -> list[Wire]:
        """Return the resources of a run; only the card where its reports cannot be listed."""
        run_id, title = row["run_id"], " ".join(str(row[key]) for key in ("kind", "ticker", "day") if row.get(key))
        card = {
            "uri": run_uri(run_id),
            "name": f"{title} ({row.get('status')})",
            "description": _decision(row),
            "mimeType": "application/json",
        }
        try:
            reports: Iterable[str] = (await self._workspace.run(run_id)).get("report_files", ())
        except TradingAgentsError:
            return [card]
        return [card, *(run_link(run_id, name, title) for name in main_reports(reports))]


def main_reports(names: Iterable[str]) -> list[str]:
    """Return the reports that are listed: Markdown for all to read, not the parts that it is made of."""
    return [name for name in names if name.endswith(".md") and "/" not in name]


def run_link(run_id: str, report: str, title: str) -> Wire:
    """Return a report of a run as the protocol lists it."""
    return {"uri": run_uri(run_id, report), "name": f"{title}: {report}", "mimeType": media_type(report)}


def as_link(resource: Wire) -> Wire:
    """Return a listed resource as the link that a tool's answer holds."""
    return {"type": "resource_link", **resource}


def listed_artifact(one: ArtifactInfo) -> Wire:
    """Return an artifact as the protocol lists it."""
    return {
        "uri": artifact_uri(one.artifact_id),
        "name": one.title or one.artifact_id,
        "description": one.kind,
        "mimeType": one.media_type,
        "size": one.size,
    }


def _decision(row: dict[str, Any]) -> str:
    action = row.get("action")
    if not action:
        return f"A run of kind {row.get('kind')}."
    return f"Decision: {action}, {sureness_words(row.get('confidence') or 0.0, row.get('strength'))}."


def _assert_not_too_large(size: int) -> None:
    if size > LARGEST:
        raise McpRequestRefused(
            f"The resource has {size:,} bytes, more than {LARGEST:,}; read it with the command line or over HTTP."
        )


def _unknown() -> NotFound:
    return NotFound("There is no such resource; list the resources and their templates.")
