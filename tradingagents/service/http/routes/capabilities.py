"""Routes of the capabilities. The OpenAPI description has one path for each, see `service.http.openapi`."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import Response

from tradingagents.errors import NotFound
from tradingagents.schemas.workspace import CapabilityAnswer, CapabilityInfo, WireModel
from tradingagents.service.http.errors import Sanitizer
from tradingagents.service.http.routes.common import AskedWorkspace, Id, as_json, unless_gone

router = APIRouter(prefix="/v1/capabilities", tags=["capabilities"])


class CapabilityCall(WireModel):
    """What a capability is asked."""

    arguments: dict[str, Any] = Field(default_factory=dict)
    as_of: str | None = Field(None, max_length=40)
    """Day of the question as YYYY-MM-DD; nothing known only later is in the answer. None: the default of the session,
    else the last session of the market that has closed."""
    session_id: str | None = Field(None, max_length=200)
    """Conversation that asks, if any."""
    files: bool = True
    """False makes no files, such as a drawn chart; the answer is the same."""


@router.get("", response_model=list[CapabilityInfo])
async def capabilities(workspace: AskedWorkspace) -> Response:
    """List every capability; one that cannot be asked at present says why."""
    return as_json(await workspace.capabilities())


@router.get("/{name}", response_model=CapabilityInfo)
async def capability(name: Id, workspace: AskedWorkspace) -> Response:
    """Describe a capability, by name or alias."""
    for info in await workspace.capabilities():
        if name == info.name or name in info.aliases:
            return as_json(info)
    raise NotFound(f"There is no capability {name}; GET /v1/capabilities lists them.")


@router.post("/{name}", response_model=CapabilityAnswer)
async def invoke(name: Id, call: CapabilityCall, request: Request, workspace: AskedWorkspace) -> Response:
    """Answer a capability."""
    asked = workspace.invoke(name, call.arguments, as_of=call.as_of, session_id=call.session_id, files=call.files)
    answer = await unless_gone(request, asked)
    if not answer.artifacts:
        return as_json(answer)
    # An answer that made files names them by their paths; clients read them as artifacts.
    sanitizer: Sanitizer = request.app.state.sanitizer
    return as_json(sanitizer.value(answer.model_dump(mode="json")))
