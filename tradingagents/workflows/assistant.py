"""The assistant's workflow: one turn of a conversation, from a message to the reply.

A turn leaves no run folder: its transcript holds everything, and a turn that was killed is continued from it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import ConfigDict, Field, SkipValidation, field_validator

from tradingagents.agents.assistant.definitions import agent_registry
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import UsageError
from tradingagents.events import Event
from tradingagents.runtime.kind import ActiveRun, AnyGraph, RunKind, RunParts
from tradingagents.runtime.manifest import RunManifest
from tradingagents.runtime.request import RunRequest
from tradingagents.runtime.services import Services
from tradingagents.schemas.workspace import SessionInfo

if TYPE_CHECKING:
    from tradingagents.agents.assistant.host import ToolHost
    from tradingagents.sessions import SessionStore

LONGEST_MESSAGE = 20_000
"""Characters."""


@dataclass(frozen=True)
class TurnResult:
    """What came of a turn."""

    reply: str
    usage: Mapping[str, Any]
    seconds: float


class AssistantRequest(RunRequest):
    """One message of the user, with the live objects that answer it."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    session_id: str
    text: str = Field(max_length=LONGEST_MESSAGE)
    turn: str
    """Task id of the turn; the same again continues it."""
    store: SkipValidation[SessionStore]
    host: SkipValidation[ToolHost]

    @field_validator("text")
    @classmethod
    def _says(cls, text: str) -> str:
        """Refuse an empty message. Raises UsageError."""
        if not text.strip():
            raise UsageError("The message is empty; write one.")
        return text


class AssistantTurn(ActiveRun[TurnResult]):
    """One turn."""

    context: Any

    def __init__(self, parts: RunParts, context: Any) -> None:
        """Open a turn."""
        self.context, self.state = context, {}
        self._began = parts.began

    def first_state(self) -> Mapping[str, Any]:
        """Return an empty state: the transcript says how far an earlier start came."""
        return {}

    def on_event(self, event: Event) -> None:
        """Take in an event; nothing is collected."""

    def announce(self) -> None:
        """Emit `run_start`."""
        self.context.events.emit("run_start", "turn", turn=self.context.conversation.turn)

    async def finish(self) -> TurnResult:
        """Emit `result`, and return the reply."""
        record = await self.leave("done")
        result = TurnResult(self.state["reply"], record["usage"], record["seconds"])
        self.context.events.emit(
            "result", result.reply.partition("\n")[0][:200], reply=result.reply, usage=result.usage
        )
        return result

    async def leave(self, status: str, *, error: str | None = None) -> Mapping[str, Any]:
        """Return what the turn used."""
        self.context.replay.flush()
        seconds = round(time.perf_counter() - self._began, 3)
        return {"status": status, "error": error, "usage": self.context.meter.totals(), "seconds": seconds}


class AssistantKind(RunKind[AssistantRequest, TurnResult]):
    """Model and tools in turn, until the assistant replies."""

    name = "assistant_turn"
    request = AssistantRequest

    def details(self, request: AssistantRequest) -> Mapping[str, Any]:
        """Return which turn of which session it is."""
        return {"session_id": request.session_id, "turn": request.turn}

    def request_of(self, manifest: RunManifest) -> AssistantRequest:
        """Refuse: a turn is continued from its transcript, not from a run.

        Raises:
            UsageError: Always.
        """
        raise UsageError(f"Turn {manifest.request.get('turn')} is continued by its task, not as a run.")

    def graph(self, services: Services) -> AnyGraph:
        """Compile the graph."""
        from tradingagents.workflows.graphs.assistant import build_assistant_graph

        return build_assistant_graph(services.models)

    def look_up(self, data: MarketData, request: AssistantRequest) -> tuple[AssistantRequest, SessionInfo]:  # noqa: ARG002
        """Return the session.

        Raises:
            NoSuchSession: There is none of that id.
        """
        return request, request.store.get(request.session_id)

    def open(self, parts: RunParts, found: tuple[AssistantRequest, SessionInfo]) -> AssistantTurn:
        """Return a turn, with the message noted in the transcript.

        Raises:
            UsageError: The conversation has reached a later day.
            PersonaError: A persona's file cannot be used.
        """
        from tradingagents.agents.assistant.conversation import Conversation
        from tradingagents.agents.assistant.window import Window
        from tradingagents.sessions.budget import context_tokens
        from tradingagents.workflows.graphs.assistant import AssistantContext

        request, session = found
        settings, models = parts.services.settings, parts.services.models
        agents = agent_registry(settings, context_tokens(models.of(settings.assistant_tier), settings))
        conversation = Conversation(request.store, session, request.turn)
        conversation.begin(request.text, parts.data.as_of)
        given = {**parts.context, "settings": settings.model_copy(update={"stream_tokens": True})}
        context = AssistantContext(
            **given,
            preamble="",
            conversation=conversation,
            host=request.host,
            agents=agents,
            store=request.store,
            window=Window(conversation, partial(request.host.tasks, session.session_id)),
        )
        return AssistantTurn(parts, context)


ASSISTANT_TURN = AssistantKind()
