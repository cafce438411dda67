"""Build a decider: it reads reports, plans and a debate, and answers with a typed verdict."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from tradingagents.agents.builders.briefs import reader_brief
from tradingagents.agents.builders.node import Node, texts_of
from tradingagents.agents.memory_query import debate_context, lessons_used, recall
from tradingagents.agents.model_calls import ModelCalls
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
from tradingagents.agents.spec import DecideAgent
from tradingagents.agents.states import AgentState, Turn
from tradingagents.agents.verdict_check import rules_part, verdict_problems
from tradingagents.context import TradingContext
from tradingagents.errors import ModelFailure, ModelUnreachable
from tradingagents.memory.situations import FinancialSituationMemory, Match


def decide_agent(spec: DecideAgent, llm: BaseChatModel, memory: FinancialSituationMemory | None = None) -> Node:
    """Return the node of a decider. Its answer is a typed verdict; prose is never parsed.

    One repair turn shows the model its mistake; after that the decision is NO_DECISION with the reason. No model is
    asked where no decision can rest on the prices.

    Args:
        spec: The decider.
        llm: The model.
        memory: Lessons to recall.
    """
    agent, key = spec.name, spec.output_key

    async def decide(state: AgentState, runtime: Runtime[TradingContext], _config: RunnableConfig) -> dict[str, Any]:
        context, texts = runtime.context, texts_of(state)
        turns = spec.debate.turns(state) if spec.debate else []
        plans = [texts[plan] for plan in (*spec.plans_before, *spec.plans_after)]
        lessons = recall(memory, texts, context, debate_context(turns, plans))
        context.events.emit("node_start", agent, node=agent, step=spec.phase)
        prompt = _prompt(spec, state, context, turns, lessons)
        brief = partial(reader_brief, spec, context, state, turns, lessons)
        asking = ModelCalls(context, agent, spec.tier, llm, brief)
        if context.no_trade is not None:
            decision, warning = Decision.none(context.no_trade), dict[str, Any]()
        else:
            decision, warning = await _judge(asking, context, [SystemMessage(context.preamble), HumanMessage(prompt)])
        text = spec.render(decision)
        plain = decision.model_dump(mode="json")
        context.events.emit("node_end", agent, node=agent, step=spec.phase, decision=plain)
        return {
            key: text,
            "decisions": {key: decision.model_dump(mode="json")},
            **(spec.debate.judged(state, text) if spec.debate else {}),
            **(spec.update(state) if spec.update else {}),
            **lessons_used(agent, memory, lessons),
            **warning,
            **asking.left,
        }

    return Node(decide, name=agent, llm=llm)


def _prompt(
    spec: DecideAgent, state: AgentState, context: TradingContext, turns: list[Turn], lessons: Sequence[Match]
) -> str:
    """Return a decider's prompt: what others read too comes first, its role last."""
    texts = texts_of(state)
    return joined(
        [
            instrument_part(context),
            reports_part(texts),
            *(plan_part(texts, key) for key in spec.plans_before),
            debate_part(turns) if turns else "",
            *(plan_part(texts, key) for key in spec.plans_after),
            lessons_part(lessons),
            reviews_part(texts.get(spec.output_key, ""), state.get("reviews", [])),
            role_part(spec.name, f"{spec.prompt.strip()}\n\n{rules_part(context)}"),
        ]
    )


async def _judge(
    asking: ModelCalls, context: TradingContext, messages: list[BaseMessage]
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
