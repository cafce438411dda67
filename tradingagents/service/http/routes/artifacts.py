"""Routes of the artifacts: files that answers and tasks made."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from tradingagents.schemas.workspace import ArtifactInfo
from tradingagents.service.http.routes.common import MEDIA_TYPES, AskedWorkspace, Id, SessionFilter, as_file, as_json

router = APIRouter(prefix="/v1/artifacts", tags=["artifacts"])
ENDINGS = {media_type.partition(";")[0]: ending for ending, media_type in MEDIA_TYPES.items()}


@router.get("", response_model=list[ArtifactInfo])
async def artifacts(workspace: AskedWorkspace, session_id: SessionFilter = None) -> Response:
    """List the artifacts of a session, or all, newest first."""
    return as_json(await workspace.artifacts(session_id=session_id))


@router.get("/{artifact_id}", response_model=ArtifactInfo)
async def artifact(artifact_id: Id, workspace: AskedWorkspace) -> Response:
    """Return what is known of an artifact."""
    return as_json(await workspace.artifact(artifact_id))


@router.get("/{artifact_id}/content", response_class=Response)
async def artifact_content(artifact_id: Id, workspace: AskedWorkspace) -> Response:
    """Return the bytes of an artifact. A browser runs no script in it."""
    info = await workspace.artifact(artifact_id)
    content = await workspace.artifact_content(artifact_id)
    # Only types of our own list are told to a browser, whatever the artifact says.
    return as_file(content, f"{info.artifact_id}{ENDINGS.get(info.media_type.partition(';')[0], '')}")
