"""AG-UI: a run of the assistant as events of the Agent User Interaction Protocol, for front ends that speak it."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterator
from typing import Annotated, Any
from uuid import uuid4

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from starlette.responses import Response

from tradingagents.errors import UsageError
from tradingagents.schemas.workspace import TaskEvent
from tradingagents.service.http.routes.common import AskedWorkspace, Stopping
from tradingagents.service.http.sse import EventStreamResponse, json_frame
from tradingagents.service.http.turns import ReplyPart, TurnEnd, TurnStep, find_session, turn
from tradingagents.service.workspace.api import WorkspaceApi

router = APIRouter(prefix="/v1", tags=["other agents"])
CLIENT = "agui"
ClientId = Annotated[str, Field(min_length=1, max_length=500)]


class AguiModel(BaseModel):
    """Base of what AG-UI clients send: camelCase; what we do not read is ignored, as the protocol asks."""

    model_config = ConfigDict(extra="ignore", alias_generator=to_camel, populate_by_name=True)


class AguiMessage(AguiModel):
    """A message of the conversation."""

    role: str
    content: Any = None

    @property
    def text(self) -> str:
        """Its text, without images and files."""
        if isinstance(self.content, str):
            return self.content
        parts = self.content if isinstance(self.content, list) else []
        return "\n".join(str(part.get("text", "")) for part in parts if isinstance(part, dict) and "text" in part)


class AguiResume(AguiModel):
    """A person's answer to an interrupt, which is an approval of ours."""

    interrupt_id: ClientId
    status: str
    payload: Any = None

    @property
    def approved(self) -> bool:
        """Whether the person allows the action."""
        payload = self.payload if isinstance(self.payload, dict) else {"approved": self.payload}
        return self.status == "resolved" and payload.get("approved") is not False


class AguiRun(AguiModel):
    """A run to begin. The session keeps the conversation: of `messages` only the last one of the user is read."""

    thread_id: ClientId
    run_id: ClientId
    messages: list[AguiMessage] = Field(max_length=2_000)
    resume: list[AguiResume] | None = Field(None, max_length=50)


@router.post("/agui", response_class=EventStreamResponse, status_code=200)
async def run_agent(asked: AguiRun, request: Request, workspace: AskedWorkspace, stopping: Stopping) -> Response:
    """Run the assistant for an AG-UI client; the answer is a stream of AG-UI events."""
    users = [message.text for message in asked.messages if message.role == "user"]
    if not asked.resume and (not users or not users[-1].strip() or asked.messages[-1].role != "user"):
        raise UsageError("The last message is not one of the user; send its text with the role user.")
    session_id = await find_session(
        workspace, request.app.state.threads, CLIENT, asked.thread_id, users[0] if users else ""
    )
    if asked.resume:
        notes = [await _answer(workspace, session_id, resumed) for resumed in asked.resume]
        return EventStreamResponse(_resumed(asked, notes), stopping=stopping)
    steps = turn(workspace, session_id, users[-1])
    first = await anext(steps)  # an error of the question is answered before the stream begins
    return EventStreamResponse(_frames(asked, first, steps), stopping=stopping)


async def _answer(workspace: WorkspaceApi, session_id: str, resume: AguiResume) -> str:
    session = await workspace.answer_approval(session_id, resume.interrupt_id, approved=resume.approved)
    action = next(
        (approval.action for approval in session.approvals if approval.approval_id == resume.interrupt_id), "The action"
    )
    return f"{action} was {'approved and begins' if resume.approved else 'refused'}."


async def _resumed(asked: AguiRun, notes: list[str]) -> AsyncGenerator[bytes]:
    translator = _Translator(asked)
    events = [translator.started(), *translator.spoken("\n".join(notes)), *translator.finished()]
    for event in events:
        yield json_frame(event)


async def _frames(asked: AguiRun, first: TurnStep, rest: AsyncGenerator[TurnStep]) -> AsyncGenerator[bytes]:
    translator = _Translator(asked)
    try:
        yield json_frame(translator.started())
        for event in translator.translated(first):
            yield json_frame(event)
        async for step in rest:
            for event in translator.translated(step):
                yield json_frame(event)
    finally:
        await rest.aclose()


class _Translator:
    """Translates the steps of a turn; knows which message and which calls are open."""

    def __init__(self, asked: AguiRun) -> None:
        self._names = {"threadId": asked.thread_id, "runId": asked.run_id}
        self._message: str | None = None
        self._part = 0
        self._calls: set[str] = set()
        self._interrupts: list[dict[str, Any]] = []

    def started(self) -> dict[str, Any]:
        return {"type": "RUN_STARTED", **self._names}

    def translated(self, step: TurnStep) -> Iterator[dict[str, Any]]:
        if isinstance(step, ReplyPart):
            if step.part != self._part:
                yield from self._silent()
            self._part = step.part
            yield from self.spoken(step.text)
        elif isinstance(step, TurnEnd):
            yield from self._ended(step)
        elif step.type in ("tool_start", "tool_end"):
            yield from self._tool(step)
        elif step.type in ("memo", "approval"):
            yield from self._custom(step)

    def spoken(self, text: str) -> Iterator[dict[str, Any]]:
        if self._message is None:
            self._message = uuid4().hex
            yield {"type": "TEXT_MESSAGE_START", "messageId": self._message, "role": "assistant"}
        yield {"type": "TEXT_MESSAGE_CONTENT", "messageId": self._message, "delta": text}

    def finished(self) -> Iterator[dict[str, Any]]:
        yield from self._silent()
        outcome = {"type": "interrupt", "interrupts": self._interrupts} if self._interrupts else {"type": "success"}
        yield {"type": "RUN_FINISHED", **self._names, "outcome": outcome}

    def _ended(self, end: TurnEnd) -> Iterator[dict[str, Any]]:
        if end.error_message is None:
            yield from self.finished()
            return
        yield from self._silent()
        yield {"type": "RUN_ERROR", "message": end.error_message, "code": end.error_code or "failed"}

    def _silent(self) -> Iterator[dict[str, Any]]:
        if self._message is not None:
            yield {"type": "TEXT_MESSAGE_END", "messageId": self._message}
            self._message = None

    def _tool(self, event: TaskEvent) -> Iterator[dict[str, Any]]:
        data = event.data
        call = str(data.get("call") or f"call-{event.seq}")
        if event.type == "tool_start":
            yield from self._silent()
            self._calls.add(call)
            yield {"type": "TOOL_CALL_START", "toolCallId": call, "toolCallName": str(data.get("tool", "tool"))}
            arguments = json.dumps(data.get("args") or {}, ensure_ascii=False, default=str)
            yield {"type": "TOOL_CALL_ARGS", "toolCallId": call, "delta": arguments}
            yield {"type": "TOOL_CALL_END", "toolCallId": call}
        elif call in self._calls:
            self._calls.discard(call)
            content = str(data.get("content") or event.message)
            yield {"type": "TOOL_CALL_RESULT", "messageId": uuid4().hex, "toolCallId": call, "content": content}

    def _custom(self, event: TaskEvent) -> Iterator[dict[str, Any]]:
        yield {"type": "CUSTOM", "name": event.type, "value": event.data}
        approval = event.data.get("approval_id")
        if event.type == "approval" and approval:
            self._interrupts.append({"id": str(approval), "reason": "approval", "message": event.message})
