"""Build a decider: it reads everything it is given and answers with a typed verdict, never with prose to be parsed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from tradingagents.agents.builders.debate import TurnsOf
from tradingagents.agents.builders.node import Node, texts_of
from tradingagents.agents.memory_query import debate_context, lessons_used, recall
from tradingagents.agents.model_calls import Asking
from tradingagents.agents.prompting import (
    debate_part,
    instrument_part,
    joined,
    lessons_part,
    plan_part,
    reports_part,
    reviews_part,
    role_part,
)
from tradingagents.agents.schemas import Decision, Verdict
from tradingagents.agents.states import AgentState
from tradingagents.agents.verdict_check import rules_part, verdict_problems
from tradingagents.context import TradingContext
from tradingagents.errors import ModelFailure, ModelUnreachable
from tradingagents.memory.situations import FinancialSituationMemory
from tradingagents.settings import Tier


def decide_agent(
    llm: BaseChatModel,
    prompt: str,
    *,
    agent: str,
    step: str,
    writes: str,
    tier: Tier,
    memory: FinancialSituationMemory | None = None,
    turns_of: TurnsOf | None = None,
    plans_before: Sequence[str] = (),
    plans_after: Sequence[str] = (),
    render: Callable[[Decision], str],
    update: Callable[[AgentState, str], dict[str, Any]] | None = None,
) -> Node:
    """Return a decider: reads everything it is given, answers with a typed verdict, never with prose to be parsed.

    One repair turn shows the model its mistake; after that the decision is NO_DECISION with the reason.

    Args:
        llm: The model.
        prompt: The role's instruction.
        agent: The agent's name.
        step: The phase, for the events.
        writes: State key of the decision's text.
        tier: Tier of the model, for the meter.
        memory: Lessons to recall.
        turns_of: Reads the debate to judge.
        plans_before: State keys of plans shown before the debate: those the debaters saw too.
        plans_after: State keys of plans shown after it.
        render: Makes the text from the decision.
        update: Further updates of the state from that text.
    """

    async def decide(state: AgentState, runtime: Runtime[TradingContext], _config: RunnableConfig) -> dict[str, Any]:
        context, texts = runtime.context, texts_of(state)
        turns = turns_of(state) if turns_of else []
        plans = [texts[key] for key in (*plans_before, *plans_after)]
        lessons = recall(memory, texts, context, debate_context(turns, plans))
        context.events.emit("node_start", agent, node=agent, step=step)
        prompt_text = joined(
            [
                instrument_part(context),
                reports_part(texts),
                *(plan_part(texts, key) for key in plans_before),
                debate_part(turns) if turns_of else "",
                *(plan_part(texts, key) for key in plans_after),
                lessons_part(lessons),
                reviews_part(texts.get(writes, ""), state.get("reviews", [])),
                role_part(agent, f"{prompt.strip()}\n\n{rules_part(context)}"),
            ]
        )
        messages = [SystemMessage(context.preamble), HumanMessage(prompt_text)]
        asking = Asking(context, agent, tier, llm)
        decision, warning = await _judge(asking, context, messages)
        text = render(decision)
        context.events.emit("node_end", agent, node=agent, step=step, decision=decision.model_dump(mode="json"))
        return {
            writes: text,
            "decisions": {writes: decision.model_dump(mode="json")},
            **(update(state, text) if update else {}),
            **lessons_used(agent, memory, lessons),
            **warning,
            **asking.left,
        }

    return Node(decide, name=agent, llm=llm)


async def _judge(
    asking: Asking, context: TradingContext, messages: list[BaseMessage]
) -> tuple[Decision, dict[str, Any]]:
    def problems(verdict: Verdict) -> str | None:
        return verdict_problems(verdict, context)

    try:
        verdict = await asking.typed(Verdict, messages, check=problems)
    except ModelUnreachable:
        raise
    except ModelFailure as failure:
        reason = f"{asking.agent} gave no usable decision: {failure}"
        asking.context.events.emit("warning", reason, node=asking.agent)
        asking.lacks("no_verdict", str(failure))
        return Decision.none(reason), {"warnings": [reason]}
    return Decision.from_verdict(verdict, sell_means=context.settings.sell_means), {}
