"""Routes about the server itself: whether it runs, its interface, and what its settings offer."""

from __future__ import annotations

from importlib.metadata import version

from fastapi import APIRouter, Request
from starlette.responses import Response

from tradingagents.schemas.workspace import Choices
from tradingagents.service.http.routes.common import AskedWorkspace, as_json

router = APIRouter(prefix="/v1", tags=["server"])


@router.get("/health")
async def health() -> dict[str, str]:
    """Say that the server runs. Needs no token."""
    return {"status": "ok", "version": version("tradingagents")}


@router.get("/settings", response_model=Choices)
async def settings(workspace: AskedWorkspace) -> Response:
    """Return what a page offers: models, vendors, analysts and defaults; never a secret."""
    return as_json(await workspace.choices())


@router.get("/openapi.json", include_in_schema=False)
async def openapi(request: Request) -> Response:
    """Return the description of this interface."""
    return as_json(request.app.openapi())
