"""Routes of the runs: the record of every analysis, scan and question."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from tradingagents.service.http.routes.common import (
    ID_COMPONENT,
    ID_PATTERN,
    LONGEST_ID,
    After,
    AskedWorkspace,
    BeforeId,
    Id,
    Limit,
    as_file,
    as_json,
)
from tradingagents.service.workspace.api import ChangesFormat, ReportFormat

router = APIRouter(prefix="/v1/runs", tags=["runs"])
ExportName = Annotated[ReportFormat, Path(description="md, html, pdf or xlsx.")]
OtherId = Annotated[str, Path(pattern=ID_PATTERN, max_length=LONGEST_ID, description="The other report.")]
ChangesForm = Annotated[ChangesFormat, Query(alias="format", description="json, md, html or pdf.")]
ReportName = Annotated[str, Path(pattern=rf"^({ID_COMPONENT}/)?{ID_COMPONENT}$", max_length=300)]


@router.get("", response_model=list[dict[str, Any]])
async def runs(workspace: AskedWorkspace, limit: Limit = 50, before: BeforeId = None) -> Response:
    """List the newest runs: run_id, kind, subject, day, status, action, confidence."""
    return as_json(await workspace.runs(limit=limit, before=before))


@router.get("/{run_id}", response_model=dict[str, Any])
async def run(run_id: Id, workspace: AskedWorkspace) -> Response:
    """Return a run's card."""
    return as_json(await workspace.run(run_id))


@router.get("/{run_id}/events", response_model=list[dict[str, Any]])
async def run_events(run_id: Id, workspace: AskedWorkspace, after: After = -1) -> Response:
    """Return the events of a run numbered above `after`."""
    return as_json(await workspace.run_events(run_id, after=after))


@router.get("/{run_id}/reports/{name:path}", response_class=Response)
async def run_report(run_id: Id, name: ReportName, workspace: AskedWorkspace) -> Response:
    """Return a file of a run's reports, such as `1_analysts/market.md`. A browser runs no script in it."""
    return as_file(await workspace.run_report(run_id, name), name.rpartition("/")[2])


@router.get("/{run_id}/export/{name}", response_class=Response)
async def export_run(run_id: Id, name: ExportName, workspace: AskedWorkspace) -> Response:
    """Return a run's report as one file: Markdown, HTML, PDF, or a workbook with figures and formulas."""
    return as_file(await workspace.export_run(run_id, name), f"{run_id}.{name}")


@router.get("/{run_id}/dossier", response_class=Response)
async def dossier(run_id: Id, workspace: AskedWorkspace) -> Response:
    """Return the dossier of a finished run: data, prompts, replies and evidence in one file, recomputed before."""
    return as_file(await workspace.seal_run(run_id), f"{run_id}.dossier")


@router.get("/{run_id}/changes/{other}", response_class=Response)
async def report_changes(run_id: Id, other: OtherId, workspace: AskedWorkspace, form: ChangesForm = "json") -> Response:
    """Compare two deep reports of one company: what changed and why, the earlier day first."""
    return as_file(await workspace.report_changes(run_id, other, form), f"changes.{form}")
