"""The assistant's workflow: one turn of a conversation, from a message to the reply.

A turn leaves no run folder: its transcript holds everything, and a turn that was killed is continued from it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import UsageError
from tradingagents.events import Event
from tradingagents.features.assistant.agents.definitions import agent_registry
from tradingagents.runtime.manifest import RunManifest
from tradingagents.runtime.services import Services
from tradingagents.runtime.workflow import AnyGraph, RunParts, RunRequest, Workflow, WorkflowRun
from tradingagents.schemas.workspace import SessionInfo

if TYPE_CHECKING:
    from tradingagents.features.assistant.agents.host import ToolHost
    from tradingagents.features.assistant.sessions import SessionStore

MARKET = "^GSPC"
"""The index whose exchange gives the day of a turn."""
LONGEST_MESSAGE = 20_000
"""Characters."""


@dataclass(frozen=True)
class TurnResult:
    """What came of a turn."""

    reply: str
    usage: Mapping[str, Any]
    seconds: float


@dataclass(frozen=True, kw_only=True)
class AssistantRequest(RunRequest):
    """One message of the user, with the live objects that answer it."""

    session_id: str
    text: str
    turn: str
    """Task id of the turn; the same again continues it."""
    store: SessionStore
    host: ToolHost

    def __post_init__(self) -> None:
        """Check the message. Raises UsageError."""
        if not self.text.strip():
            raise UsageError("The message is empty; write one.")
        if len(self.text) > LONGEST_MESSAGE:
            raise UsageError(f"The message has {len(self.text)} characters; at most {LONGEST_MESSAGE} are read.")


class AssistantTurn(WorkflowRun[TurnResult]):
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


class AssistantWorkflow(Workflow[AssistantRequest, TurnResult]):
    """Model and tools in turn, until the assistant replies."""

    kind = "assistant_turn"

    def subject(self, request: AssistantRequest) -> None:  # noqa: ARG002
        """Return None: a conversation may be about anything."""
        return

    def calendar_symbol(self, request: AssistantRequest) -> str:  # noqa: ARG002
        """Return the index whose exchange is the calendar."""
        return MARKET

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
        from tradingagents.features.assistant.graph import build_assistant_graph

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
        from tradingagents.features.assistant.agents.conversation import Conversation
        from tradingagents.features.assistant.agents.window import Window
        from tradingagents.features.assistant.graph import AssistantContext
        from tradingagents.features.assistant.sessions.budget import context_tokens

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


ASSISTANT_TURN = AssistantWorkflow()
