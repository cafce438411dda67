"""Build a debater: it reads the reports and the debate so far, and adds one turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from tradingagents.agents.builders.node import NOT_AVAILABLE, Node, texts_of
from tradingagents.agents.memory_query import debate_context, lessons_used, recall
from tradingagents.agents.model_calls import Asking
from tradingagents.agents.prompting import (
    debate_part,
    instrument_part,
    joined,
    lessons_part,
    plan_part,
    reports_part,
    role_part,
)
from tradingagents.agents.states import AgentState, Turn
from tradingagents.context import TradingContext
from tradingagents.errors import ModelFailure, ModelUnreachable
from tradingagents.memory.situations import FinancialSituationMemory
from tradingagents.settings import Tier

TurnsOf = Callable[[AgentState], list[Turn]]


def debate_agent(
    llm: BaseChatModel,
    opening: str,
    answering: str,
    *,
    agent: str,
    step: str,
    turns_of: TurnsOf,
    update: Callable[[list[Turn]], dict[str, Any]],
    tier: Tier,
    memory: FinancialSituationMemory | None = None,
    plan: str | None = None,
    limits: Callable[[TradingContext], str] | None = None,
) -> Node:
    """Return a debater: reads the reports and the debate so far, adds one turn.

    Args:
        llm: The model.
        opening: Instruction while no other side has spoken: there is nothing to rebut yet.
        answering: Instruction once another side has spoken.
        agent: The agent's name.
        step: The phase, for the events.
        turns_of: Reads the debate from the state.
        update: Makes the state's update from the longer debate.
        tier: Tier of the model, for the meter.
        memory: Lessons to recall.
        plan: State key of the plan under debate.
        limits: Writes the limits that hold for what is debated, below the instruction.
    """

    async def speak(state: AgentState, runtime: Runtime[TradingContext], _config: RunnableConfig) -> dict[str, Any]:
        context, turns = runtime.context, turns_of(state)
        context.events.emit("node_start", agent, node=agent, step=step)
        others_spoke = any(turn["speaker"] != agent for turn in turns)
        lessons = recall(memory, texts_of(state), context, debate_context(turns))
        prompt = joined(
            [
                instrument_part(context),
                reports_part(texts_of(state)),
                plan_part(texts_of(state), plan) if plan else "",
                debate_part(turns) if turns else "",
                lessons_part(lessons),
                role_part(agent, answering if others_spoke else opening),
                limits(context) if limits else "",
            ]
        )
        messages = [SystemMessage(context.preamble), HumanMessage(prompt)]
        asking = Asking(context, agent, tier, llm)
        text, warning = await _argue(asking, messages)
        longer = [*turns, Turn(speaker=agent, text=text)]
        context.events.emit("debate_turn", f"{agent}, turn {len(longer)}", node=agent, step=step, text=text)
        context.events.emit("node_end", agent, node=agent, step=step)
        return {**update(longer), **lessons_used(agent, memory, lessons), **warning, **asking.left}

    return Node(speak, name=agent, llm=llm)


async def _argue(asking: Asking, messages: list[BaseMessage]) -> tuple[str, dict[str, Any]]:
    """Return the argument; where the model fails or gives none that is whole, a stated gap in the debate, and a warning."""
    try:
        return (await asking.whole(messages)).text.strip(), {}
    except ModelUnreachable:
        raise
    except ModelFailure as failure:
        asking.lacks("silent_debater", str(failure))
        return f"{NOT_AVAILABLE} {failure}", {"warnings": [f"{asking.agent} did not speak: {failure}"]}
