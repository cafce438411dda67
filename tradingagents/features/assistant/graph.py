"""The graph of one turn of the assistant: the model, and the tools it calls, until it replies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypedDict

from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from tradingagents.agents.builders.node import Node
from tradingagents.context import RunContext
from tradingagents.features.assistant.agents.briefs import conversation_brief, instruments_of
from tradingagents.features.assistant.agents.consult import Consultations, consult_offer
from tradingagents.features.assistant.agents.conversation import Conversation
from tradingagents.features.assistant.agents.definitions import AgentRegistry
from tradingagents.features.assistant.agents.events import ReplyEvents
from tradingagents.features.assistant.agents.host import ToolHost, ToolOffer
from tradingagents.features.assistant.agents.loop import AgentLoop, Answered
from tradingagents.features.assistant.agents.prompts import ANSWER_NOW, system_prompt
from tradingagents.features.assistant.agents.shown_tools import OPEN_TOOLS, opened, shown_offers
from tradingagents.features.assistant.agents.window import Window
from tradingagents.features.assistant.personas.persona import Persona
from tradingagents.features.assistant.sessions import SessionStore
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.offline.brief import Brief
from tradingagents.runtime.kind import AnyGraph
from tradingagents.schemas.workspace import TranscriptEntry

MODEL, TOOLS = "model", "tools"
FROM_MEMORY = (
    "The model asked no tool: the figures of this reply come from its memory, not from data. Look them up with "
    "`tradingagents ask`, or use a model that calls tools."
)


class TurnState(TypedDict, total=False):
    """State of a turn; what was said stands in the transcript."""

    reply: str
    """The assistant's reply; empty until it is given."""
    offers: Sequence[ToolOffer]
    """Tools of the turn, listed once."""


@dataclass(frozen=True, kw_only=True)
class AssistantContext(RunContext):
    """The context of one turn."""

    conversation: Conversation
    host: ToolHost
    agents: AgentRegistry
    store: SessionStore
    window: Window


def build_assistant_graph(models: TierModels) -> AnyGraph:
    """Return the graph: model and tools in turn, until the model replies without a call."""
    steps = _Steps(models)
    graph = StateGraph(TurnState, AssistantContext)
    graph.add_node(MODEL, Node(steps.ask, name=MODEL, llm=models.mid))
    graph.add_node(TOOLS, Node(steps.answer_calls, name=TOOLS, llm=models.mid))
    graph.add_edge(START, MODEL)
    graph.add_conditional_edges(MODEL, lambda state: END if state.get("reply") else TOOLS, [TOOLS, END])
    graph.add_edge(TOOLS, MODEL)
    return graph.compile(name="assistant")


class _Steps:
    """The two steps of a turn."""

    def __init__(self, models: TierModels) -> None:
        self._models = models

    async def ask(
        self,
        state: TurnState,
        runtime: Runtime[AssistantContext],
        config: RunnableConfig,  # noqa: ARG002
    ) -> dict[str, Any]:
        """Ask the model; what an earlier start of the turn left unanswered or finished is not asked again."""
        context = runtime.context
        conversation = context.conversation
        if (said := conversation.reply) is not None:
            return {"reply": said.text}
        offers = state.get("offers") or await self._offers(context)
        if conversation.unanswered:
            return {"offers": offers}
        over = conversation.rounds >= context.agents.assistant.max_rounds
        part = sum(entry.type == "assistant" for entry in conversation.own)
        shown = replace(context, events=ReplyEvents(context.events, part))
        loop = self._loop(context, offers)
        reply = await loop.ask(context=shown, last=ANSWER_NOW if over else "", offers=() if over else None)
        calls = [call["name"] for call in (*reply.tool_calls, *reply.invalid_tool_calls)]
        context.events.emit(
            "message", "", node=context.agents.assistant.role, text=reply.text.strip(), part=part, final=not calls,
            calls=calls,
        )  # fmt: skip
        if not calls and not context.by_rules and conversation.is_from_memory(reply.text):
            context.events.emit("warning", FROM_MEMORY, node=context.agents.assistant.role, from_memory=True)
        return {"offers": offers, "reply": "" if calls else reply.text.strip()}

    async def answer_calls(
        self,
        state: TurnState,
        runtime: Runtime[AssistantContext],
        config: RunnableConfig,  # noqa: ARG002
    ) -> dict[str, Any]:
        """Run the calls of the last reply that have no result yet."""
        context = runtime.context
        await self._loop(context, state["offers"]).answer_calls()
        return {}

    async def _offers(self, context: AssistantContext) -> tuple[ToolOffer, ...]:
        """Return the tools of the turn: the host's, and one for each persona where the agent may consult."""
        agent = context.agents.assistant
        personas = context.agents.personas if agent.can_consult else ()
        offers = await context.host.offers(agent)
        for gap in context.host.gaps():
            context.events.emit("warning", gap, node=agent.role)
        return (*offers, *map(consult_offer, personas))

    def _loop(self, context: AssistantContext, offers: Sequence[ToolOffer]) -> AgentLoop:
        agents, conversation = context.agents, context.conversation
        day = context.data.as_of
        catalogue = context.host.catalogue(agents.assistant)

        def brief_of(about: Conversation, tools: Sequence[ToolOffer], persona: Persona | None) -> Brief:
            known = instruments_of(context.data)
            return conversation_brief(about, tools, persona, () if persona else catalogue, day, known)

        async def brief(_messages: Sequence[BaseMessage]) -> Brief:
            return brief_of(conversation, offers, None)

        consultations = Consultations(
            agents=agents,
            context=context,
            models=self._models,
            store=context.store,
            parent=conversation,
            host=context.host,
            brief=brief_of,
        )
        session = conversation.session
        return AgentLoop(
            agent=agents.assistant,
            context=context,
            models=self._models,
            conversation=conversation,
            window=context.window,
            host=context.host,
            offers=offers,
            brief=brief,
            system=system_prompt(
                agents.assistant.prompt,
                day,
                session.defaults,
                context.settings.output_language,
                session.view,
                session.symbols,
            ),
            shown=None if context.by_rules else partial(shown_now, offers, conversation),
            own_calls={
                OPEN_TOOLS: partial(_open_topics, offers),
                **{persona.tool_name: consultations.answer for persona in agents.personas},
            },
        )


async def _open_topics(offers: Sequence[ToolOffer], call: TranscriptEntry) -> Answered:
    """Answer a call that opens topics."""
    return Answered(opened(call, offers))


def shown_now(offers: Sequence[ToolOffer], conversation: Conversation) -> list[ToolOffer]:
    """Return the tools that the model is shown at this point of a conversation."""
    return shown_offers(offers, conversation.entries, conversation.turn)
