"""Routes of the conversations with the assistant."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response

from tradingagents.schemas.workspace import (
    SessionDefaults,
    SessionInfo,
    TaskInfo,
    TranscriptEntry,
    ViewContext,
    WireModel,
)
from tradingagents.service.http.routes.common import After, AskedWorkspace, BeforeId, Id, Limit, as_json

router = APIRouter(prefix="/v1/sessions", tags=["sessions"])


class NewSession(WireModel):
    """A conversation to begin."""

    title: str = Field("", max_length=500)
    defaults: SessionDefaults | None = None


class SessionChange(WireModel):
    """What to change about a conversation; what is left out stays."""

    title: str | None = Field(None, max_length=500)
    view: ViewContext | None = None
    defaults: SessionDefaults | None = None


class NewMessage(WireModel):
    """What the user says."""

    text: str = Field(min_length=1)
    view: ViewContext | None = None
    """What the user is looking at; None: as it was."""


class ApprovalAnswer(WireModel):
    """A person's answer to an action that the assistant wants to take."""

    approved: bool


@router.get("", response_model=list[SessionInfo])
async def sessions(workspace: AskedWorkspace, limit: Limit = 50, before: BeforeId = None) -> Response:
    """List the newest conversations."""
    return as_json(await workspace.sessions(limit=limit, before=before))


@router.post("", response_model=SessionInfo, status_code=201)
async def create_session(workspace: AskedWorkspace, new: NewSession | None = None) -> Response:
    """Begin a conversation."""
    new = new or NewSession()
    return as_json(await workspace.create_session(title=new.title, defaults=new.defaults), 201)


@router.get("/{session_id}", response_model=SessionInfo)
async def session(session_id: Id, workspace: AskedWorkspace) -> Response:
    """Return a conversation."""
    return as_json(await workspace.session(session_id))


@router.patch("/{session_id}", response_model=SessionInfo)
async def update_session(session_id: Id, change: SessionChange, workspace: AskedWorkspace) -> Response:
    """Change the title, what the user is looking at, or the defaults of a conversation."""
    changed = await workspace.update_session(session_id, title=change.title, view=change.view, defaults=change.defaults)
    return as_json(changed)


@router.delete("/{session_id}", status_code=204)
async def delete_session(session_id: Id, workspace: AskedWorkspace) -> Response:
    """Delete a conversation; its runs and artifacts stay."""
    await workspace.delete_session(session_id)
    return Response(status_code=204)


@router.get("/{session_id}/transcript", response_model=list[TranscriptEntry])
async def transcript(session_id: Id, workspace: AskedWorkspace, after: After = -1, limit: Limit = 200) -> Response:
    """Return the entries of a conversation numbered above `after`, oldest first."""
    return as_json(await workspace.transcript(session_id, after=after, limit=limit))


@router.post("/{session_id}/messages", response_model=TaskInfo, status_code=202)
async def send_message(session_id: Id, message: NewMessage, workspace: AskedWorkspace) -> Response:
    """Say something to the assistant. The turn is a task; the reply arrives in the stream of its events."""
    return as_json(await workspace.send_message(session_id, message.text, view=message.view), 202)


@router.post("/{session_id}/approvals/{approval_id}", response_model=SessionInfo)
async def answer_approval(
    session_id: Id, approval_id: Id, answer: ApprovalAnswer, workspace: AskedWorkspace
) -> Response:
    """Allow or refuse an action that the assistant wants to take."""
    return as_json(await workspace.answer_approval(session_id, approval_id, approved=answer.approved))
