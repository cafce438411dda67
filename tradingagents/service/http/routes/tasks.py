"""Routes of the tasks: long work in the background, and the stream of its events."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Annotated, Any

from fastapi import APIRouter, Header
from pydantic import Field
from starlette.responses import Response

from tradingagents.errors import UsageError
from tradingagents.schemas.workspace import TaskEvent, TaskInfo, TaskKindInfo, WireModel
from tradingagents.service.http.errors import StatusError
from tradingagents.service.http.routes.common import After, AskedWorkspace, Id, Limit, SessionFilter, Stopping, as_json
from tradingagents.service.http.sse import EventStreamResponse, task_frames
from tradingagents.service.tasks.follow import AT_REST

router = APIRouter(prefix="/v1", tags=["tasks"])


class TaskStart(WireModel):
    """A task to start."""

    kind: str = Field(max_length=200)
    request: dict[str, Any] = Field(default_factory=dict)
    """As the kind declares it."""
    as_of: str | None = Field(None, max_length=40)
    """Day of the study as YYYY-MM-DD; None: today."""
    session_id: str | None = Field(None, max_length=200)
    """Conversation that starts it, if any."""


class TaskAnswer(WireModel):
    """What a task is resumed with."""

    answer: dict[str, Any] | None = None
    """Of a task that waits for a person: what the person decided."""


@router.get("/task-kinds", response_model=list[TaskKindInfo])
async def task_kinds(workspace: AskedWorkspace) -> Response:
    """List the kinds of tasks that can be started."""
    return as_json(await workspace.task_kinds())


@router.post("/tasks", response_model=TaskInfo, status_code=202)
async def start_task(start: TaskStart, workspace: AskedWorkspace) -> Response:
    """Start long work in the background."""
    info = await workspace.start_task(start.kind, start.request, as_of=start.as_of, session_id=start.session_id)
    return as_json(info, 202)


@router.get("/tasks", response_model=list[TaskInfo])
async def tasks(workspace: AskedWorkspace, session_id: SessionFilter = None, limit: Limit = 50) -> Response:
    """List the newest tasks, of one session or of all."""
    return as_json(await workspace.tasks(session_id=session_id, limit=limit))


@router.get("/tasks/{task_id}", response_model=TaskInfo)
async def task(task_id: Id, workspace: AskedWorkspace) -> Response:
    """Return a task."""
    return as_json(await workspace.task(task_id))


@router.post("/tasks/{task_id}/cancel", response_model=TaskInfo)
async def cancel_task(task_id: Id, workspace: AskedWorkspace) -> Response:
    """Stop a task for good; finished steps stay on disk."""
    return as_json(await workspace.cancel_task(task_id))


@router.post("/tasks/{task_id}/resume", response_model=TaskInfo)
async def resume_task(task_id: Id, workspace: AskedWorkspace, given: TaskAnswer | None = None) -> Response:
    """Resume a task that was interrupted or failed, or answer one that waits for a person."""
    return as_json(await workspace.resume_task(task_id, given.answer if given else None))


@router.get(
    "/tasks/{task_id}/events",
    response_class=EventStreamResponse,
    status_code=200,
    responses={
        200: {"content": {"text/event-stream": {"schema": TaskEvent.model_json_schema()}}},
        204: {"description": "The task has ended or waits for a person, and there are no further events."},
    },
)
async def task_events(
    task_id: Id,
    workspace: AskedWorkspace,
    stopping: Stopping,
    after: After = -1,
    last_event_id: Annotated[str | None, Header()] = None,
) -> Response:
    """Stream the events of a task: those numbered above `after` or `Last-Event-ID` first, then live ones.

    The stream ends when the task has ended or waits for a person. Each event has its number as `id`, its type as
    `event`, and a TaskEvent as `data`. A complete stream ends with the comment `: end`; one that ends without it was
    cut off, and a request with `Last-Event-ID` continues it without a lost or double event.
    """
    info = await workspace.task(task_id)  # an unknown id is an error before the stream begins
    frames = task_frames(workspace.task_events(task_id, after=_number(last_event_id, after)))
    if info.status in AT_REST:
        first = await anext(frames, None)
        if first is None:
            return Response(status_code=204)
        frames = _with_first(first, frames)
    return EventStreamResponse(frames, stopping=stopping)


def _number(last_event_id: str | None, after: int) -> int:
    if not last_event_id:
        return after
    if not last_event_id.isascii() or not last_event_id.isdecimal() or len(last_event_id) > 15:
        raise StatusError(400, UsageError("Last-Event-ID is not the number of an event; send the last `id` received."))
    return int(last_event_id)


async def _with_first(first: bytes, rest: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    yield first
    async for event in rest:
        yield event
