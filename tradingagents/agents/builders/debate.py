"""Build a debater: it reads the reports and the debate so far, and adds one turn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from tradingagents.agents.builders.briefs import reader_brief
from tradingagents.agents.builders.debate_state import order_of, with_turns
from tradingagents.agents.builders.grounds import all_text, is_held_to_data, turn_fault, turn_wish
from tradingagents.agents.builders.node import Node, texts_of
from tradingagents.agents.debates import SIMULTANEOUS
from tradingagents.agents.memory_query import debate_context, lessons_used, recall
from tradingagents.agents.model_calls import ModelCalls
from tradingagents.agents.prompting import (
    book_part,
    debate_part,
    instrument_part,
    joined,
    lessons_part,
    plan_part,
    reports_part,
    role_part,
)
from tradingagents.agents.spec import DebateAgent
from tradingagents.agents.states import NOT_AVAILABLE, AgentState, Turn
from tradingagents.context import TradingContext
from tradingagents.errors import ModelFailure, ModelUnreachable
from tradingagents.llm_clients.model_profile import text_limit
from tradingagents.memory.situations import FinancialSituationMemory, Match


def debate_agent(spec: DebateAgent, llm: BaseChatModel, memory: FinancialSituationMemory | None = None) -> Node:
    """Return the node of a debater.

    Args:
        spec: The debater.
        llm: The model.
        memory: Lessons to recall.
    """
    agent, step = spec.name, spec.phase

    async def speak(state: AgentState, runtime: Runtime[TradingContext], _config: RunnableConfig) -> dict[str, Any]:
        context, turns = runtime.context, spec.debate.turns(state)
        context.events.emit("node_start", agent, node=agent, step=step)
        lessons = recall(memory, texts_of(state), context, debate_context(turns))
        prompt = _prompt(spec, state, context, turns, lessons)
        brief = partial(reader_brief, spec, context, state, turns, lessons)
        limit = text_limit(spec.prompt_template)
        asking = ModelCalls(context, agent, spec.tier, llm, brief, most_tokens=limit)
        text, warning = await _argue(asking, [SystemMessage(context.preamble), HumanMessage(prompt)])
        longer = [*turns, Turn(speaker=agent, text=text)]
        number = len(longer) + (
            order_of(spec.debate).index(agent) if context.settings.debate_mode == SIMULTANEOUS else 0
        )
        context.events.emit("debate_turn", f"{agent}, turn {number}", node=agent, step=step, text=text)
        context.events.emit("node_end", agent, node=agent, step=step)
        return {**with_turns(spec.debate, longer), **lessons_used(agent, memory, lessons), **warning, **asking.left}

    return Node(speak, name=agent, llm=llm)


def _prompt(
    spec: DebateAgent, state: AgentState, context: TradingContext, turns: list[Turn], lessons: Sequence[Match]
) -> str:
    """Return a debater's prompt: what all read first, its role last."""
    texts = texts_of(state)
    others_spoke = any(turn["speaker"] != spec.name for turn in turns)
    instruction = spec.stance + (spec.answering if others_spoke else spec.opening)
    return joined(
        [
            instrument_part(context),
            reports_part(texts),
            plan_part(texts, spec.plan) if spec.plan else "",
            book_part(context) if spec.reads_book else "",
            debate_part(turns) if turns else "",
            lessons_part(lessons),
            role_part(spec.name, instruction),
            spec.limits(context) if spec.limits else "",
        ]
    )


async def _argue(asking: ModelCalls, messages: list[BaseMessage]) -> tuple[str, dict[str, Any]]:
    """Return the argument; where the model gives none, or one about another company, a statement of that and a warning."""
    try:
        return await _turn(asking, messages), {}
    except ModelUnreachable:
        raise
    except ModelFailure as failure:
        why = str(failure).removeprefix(f"{asking.agent}: ")
        said = f"{asking.agent} did not speak: {why}"
        asking.lacks("silent_debater", why)
        asking.context.events.emit("warning", said, node=asking.agent)
        return f"{NOT_AVAILABLE} The {said}", {"warnings": [said]}


async def _turn(asking: ModelCalls, messages: list[BaseMessage]) -> str:
    """Return what the model says: the second time where the first turn is about another company.

    Raises:
        ModelFailure: The second one is too; or from `ModelCalls.whole`.
    """
    text, context = (await asking.whole(messages)).text.strip(), asking.context
    if not is_held_to_data(asking.llm):
        return text
    given = all_text(messages)
    fault = turn_fault(text, context, given)
    if fault is None:
        return text
    asking.again(f"its turn {fault}.")
    wish = turn_wish(fault, context)
    text = (await asking.whole([*messages, AIMessage(text), HumanMessage(wish)])).text.strip()
    if fault := turn_fault(text, context, given):
        raise ModelFailure(f"the model's turn {fault}, twice; try a larger model.")
    return text
