"""The kind of one turn of a conversation with the assistant."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import ConfigDict, Field, SkipValidation, field_validator

from tradingagents.errors import UsageError
from tradingagents.runtime.kind import RunKind
from tradingagents.runtime.request import RunRequest
from tradingagents.schemas.cards import CardRecord

if TYPE_CHECKING:
    from tradingagents.dataflows.market_data import MarketData
    from tradingagents.features.assistant.run import AssistantTurn, TurnResult  # noqa: F401 - the base class names it as text
    from tradingagents.runtime.kind import AnyGraph, RunParts
    from tradingagents.runtime.manifest import RunManifest
    from tradingagents.runtime.services import Services
    from tradingagents.schemas.workspace import SessionInfo

LONGEST_MESSAGE = 20_000
"""Characters."""


class AssistantRequest(RunRequest):
    """One message of the user, with the live objects that answer it."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    session_id: str
    text: str = Field(max_length=LONGEST_MESSAGE)
    turn: str
    """Task id of the turn; the same again continues it."""
    store: SkipValidation[Any]
    host: SkipValidation[Any]

    @field_validator("text")
    @classmethod
    def _says(cls, text: str) -> str:
        """Refuse an empty message. Raises UsageError."""
        if not text.strip():
            raise UsageError("The message is empty; write one.")
        return text


class AssistantKind(RunKind[AssistantRequest, CardRecord, "TurnResult"]):
    """Model and tools in turn, until the assistant replies."""

    name = "assistant_turn"
    request = AssistantRequest
    record = CardRecord

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
        from tradingagents.features.assistant.agents.definitions import agent_registry
        from tradingagents.features.assistant.agents.window import Window
        from tradingagents.features.assistant.graph import AssistantContext
        from tradingagents.features.assistant.run import AssistantTurn
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


ASSISTANT_TURN = AssistantKind()
