"""The contract of custom agents in OpenBB Workspace: `/agents.json` describes the assistant, `/query` asks it.

OpenBB sends the whole conversation with each question. The part before the question identifies the session, which
remembers it with all tool calls.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from tradingagents.errors import UsageError
from tradingagents.schemas.workspace import QUESTION_NOW, TaskEvent
from tradingagents.service.http.routes.common import AskedWorkspace, Stopping, as_json
from tradingagents.service.http.sse import EventStreamResponse, json_frame
from tradingagents.service.http.threads import ThreadMap
from tradingagents.service.http.turns import ReplyPart, TurnEnd, TurnStep, find_session, turn

router = APIRouter(tags=["other agents"])
AGENT = "tradingagents_assistant"
CLIENT = "openbb"
MOST_MESSAGES = 2_000
LONGEST_HISTORY = 20_000
"""Characters of an unknown conversation that the assistant is shown."""
Level = Literal["INFO", "WARNING", "ERROR"]


class OpenBBMessage(BaseModel):
    """A message of the conversation; those of tools are left out."""

    model_config = ConfigDict(extra="ignore")

    role: str
    content: Any = ""

    @property
    def text(self) -> str:
        """Its text; empty for a call of a function."""
        return self.content if isinstance(self.content, str) else ""


class OpenBBQuery(BaseModel):
    """A question with the conversation before it. Widgets and further context are not read."""

    model_config = ConfigDict(extra="ignore")

    messages: list[OpenBBMessage] = Field(min_length=1, max_length=MOST_MESSAGES)


@router.get("/agents.json")
async def agents(request: Request) -> Response:
    """Describe the assistant as OpenBB Workspace reads it."""
    described = {
        "name": "TradingAgents",
        "description": (
            "Answers questions about stocks and markets from data with a day on it, consults three investor personas, "
            "and starts analyses by a team of agents."
        ),
        "endpoints": {"query": str(request.url_for("query"))},
        "features": {"streaming": True, "widget-dashboard-select": False, "widget-dashboard-search": False},
    }
    return as_json({AGENT: described})


@router.post("/query", response_class=EventStreamResponse, status_code=200)
async def query(asked: OpenBBQuery, request: Request, workspace: AskedWorkspace, stopping: Stopping) -> Response:
    """Ask the assistant; the answer is a stream of OpenBB's message events."""
    said = [message for message in asked.messages if message.role in ("human", "ai") and message.text]
    if not said or said[-1].role != "human":
        raise UsageError("The last message is not a question of a person; send one with the role human.")
    threads: ThreadMap = request.app.state.threads
    before, question = said[:-1], said[-1].text
    new = not before or await threads.session_of(CLIENT, _thread(before)) is None
    session_id = await find_session(workspace, threads, CLIENT, _thread(before), said[0].text) if before else ""
    if not before:
        session_id = (await workspace.create_session(title=question[:80])).session_id
    text = _with_history(before, question) if new and before else question
    steps = turn(workspace, session_id, text)
    first = await anext(steps)  # an error of the question is answered before the stream begins
    return EventStreamResponse(_frames(first, steps, _Thread(threads, session_id, said)), stopping=stopping)


class _Thread:
    """Notes under which conversation the next question will come: this one with the reply."""

    def __init__(self, threads: ThreadMap, session_id: str, said: list[OpenBBMessage]) -> None:
        self._threads, self._session_id, self._said = threads, session_id, said

    async def ended(self, reply: str) -> None:
        said = [*self._said, OpenBBMessage(role="ai", content=reply)]
        await self._threads.remember(CLIENT, _thread(said), self._session_id)


@dataclass
class _Reply:
    """What was sent of the reply."""

    text: str = ""
    part: int = 0


async def _frames(first: TurnStep, rest: AsyncGenerator[TurnStep], thread: _Thread) -> AsyncGenerator[bytes]:
    reply = _Reply()
    try:
        for encoded in _encoded(first, reply):
            yield encoded
        async for step in rest:
            if isinstance(step, TurnEnd):
                await thread.ended(reply.text)
            for encoded in _encoded(step, reply):
                yield encoded
    finally:
        await rest.aclose()


def _encoded(step: TurnStep, reply: _Reply) -> list[bytes]:
    """Return what OpenBB is sent about a step; pieces of the reply are also collected."""
    if isinstance(step, ReplyPart):
        text = step.text if step.part == reply.part or not reply.text else f"\n\n{step.text}"
        reply.text, reply.part = reply.text + text, step.part
        return [json_frame({"delta": text}, event="copilotMessageChunk")]
    if isinstance(step, TurnEnd):
        if step.error_message is None:
            return []
        return [_status("ERROR", step.error_message)]
    return [_status(*shown) for shown in _shown(step)]


def _shown(event: TaskEvent) -> list[tuple[Level, str, dict[str, Any]]]:
    """Return what is told about an event: tools, memos and approvals; other events are for other faces."""
    data = event.data
    if event.type == "tool_start":
        return [("INFO", f"Calls {data.get('tool', '')}", {"arguments": _short(data.get("args"))})]
    if event.type == "memo":
        return [("INFO", event.message, {name: _short(value) for name, value in data.items() if name != "call"})]
    if event.type in ("approval", "warning"):
        return [("WARNING", event.message, {})]
    return []


def _status(level: Level, message: str, details: dict[str, Any] | None = None) -> bytes:
    data = {
        "eventType": level,
        "message": message,
        "group": "reasoning",
        "details": [details] if details else [],
        "hidden": False,
    }
    return json_frame(data, event="copilotStatusUpdate")


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text[:1_000]


def _thread(said: list[OpenBBMessage]) -> str:
    """Identify a conversation by what was said; clients trim and wrap texts, so white space does not count."""
    return hashlib.sha256(json.dumps([(message.role, message.text.split()) for message in said]).encode()).hexdigest()


def _with_history(before: list[OpenBBMessage], question: str) -> str:
    """Return the question after a conversation that this server does not know."""
    names = {"human": "I", "ai": "You"}
    lines = "\n".join(f"{names[message.role]}: {message.text}" for message in before)
    return f"Our conversation so far:\n{lines[-LONGEST_HISTORY:]}\n\n{QUESTION_NOW}{question}"
