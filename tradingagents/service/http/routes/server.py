"""Routes about the server itself: whether it runs, its interface, its settings; and making a paper account."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import Response

from tradingagents.schemas.workspace import Choices, PaperAccountInfo, SettingInfo, SettingsCheck, WireModel
from tradingagents.service.http.routes.common import AskedWorkspace, as_json

router = APIRouter(prefix="/v1", tags=["server"])


class CheckWanted(WireModel):
    """What to check."""

    what: str = Field(max_length=40)
    """`models` or `data`."""
    changes: dict[str, Any] = Field(default_factory=dict)
    """Settings to try, by name."""


class PaperWanted(WireModel):
    """A paper account to make."""

    plan: dict[str, Any] = Field(default_factory=dict)
    """Name, tickers, deposit, currency, every, scheme, benchmark, exits; what is left out is as usual."""


@router.get("/health")
async def health() -> dict[str, str]:
    """Say that the server runs. Needs no token."""
    return {"status": "ok", "version": version("tradingagents")}


@router.get("/settings", response_model=Choices)
async def settings(workspace: AskedWorkspace) -> Response:
    """Return what a page offers: models, vendors, analysts and defaults; never a secret."""
    return as_json(await workspace.choices())


@router.get("/settings/shown", response_model=list[SettingInfo])
async def shown_settings(workspace: AskedWorkspace) -> Response:
    """List the settings of models, limits and data with their values; never a key, a password or a folder."""
    return as_json(await workspace.shown_settings())


@router.post("/settings/check", response_model=list[SettingsCheck])
async def check_settings(wanted: CheckWanted, workspace: AskedWorkspace) -> Response:
    """Ask whether models or data answer with the settings, or with changed ones. Nothing is stored or paid for."""
    return as_json(await workspace.check_settings(wanted.what, wanted.changes))


@router.post("/paper", response_model=PaperAccountInfo, status_code=201)
async def open_paper_account(wanted: PaperWanted, workspace: AskedWorkspace) -> Response:
    """Make a paper account; the capability `paper_accounts` shows how accounts stand."""
    return as_json(await workspace.open_paper_account(wanted.plan), 201)


@router.get("/openapi.json", include_in_schema=False)
async def openapi(request: Request) -> Response:
    """Return the description of this interface."""
    return as_json(request.app.openapi())
