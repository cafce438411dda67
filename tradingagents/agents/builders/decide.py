"""Build a decider: it reads reports, plans and a debate, and answers with a typed verdict."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, cast

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from tradingagents.agents.builders.briefs import reader_brief
from tradingagents.agents.builders.debate_state import judged
from tradingagents.agents.builders.grounds import TextRefusal, all_text, is_held_to_data, model_reports, verdict_faults
from tradingagents.agents.builders.node import Node, texts_of
from tradingagents.agents.builders.settle import AskAnswer, settled
from tradingagents.agents.memory_query import debate_context, lessons_used, recall
from tradingagents.agents.model_calls import ModelCalls, RepeatedAsk
from tradingagents.agents.prompting import (
    book_part,
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
from tradingagents.agents.verdict_check import SIDES, rules_part, verdict_problems
from tradingagents.context import TradingContext
from tradingagents.errors import ModelFailure, ModelUnreachable
from tradingagents.llm_clients.model_profile import VERDICT_TOKENS
from tradingagents.llm_clients.structured import StructuredOutputError
from tradingagents.memory.situations import FinancialSituationMemory, Match

WAY_OUT = "Try a larger model; the reports stand in the run's record."


def decide_agent(spec: DecideAgent, llm: BaseChatModel, memory: FinancialSituationMemory | None = None) -> Node:
    """Return the node of a decider. Its answer is a typed verdict; prose is never parsed.

    One repair turn shows the model its mistake, another one that its verdict rests on nothing in the data; after that
    the decision is NO_DECISION with the reason. No model is asked where no decision can rest on the prices.

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
        messages = [SystemMessage(context.preamble), HumanMessage(_prompt(spec, state, context, turns, lessons))]
        brief = partial(reader_brief, spec, context, state, turns, lessons)

        async def ask(number: int) -> AskAnswer:
            own = RepeatedAsk(number) if context.settings.settle else None
            calls = ModelCalls(context, agent, spec.tier, llm, brief, most_tokens=VERDICT_TOKENS, repeated=own)
            return AskAnswer(*await _judge(spec, calls, state, messages), calls)

        if context.no_trade is not None:
            decision, left = Decision.none(context.no_trade), dict[str, Any]()
        elif context.settings.settle:
            decision, left = await settled(spec, state, context, ask)
        else:
            answered = await ask(0)
            decision, left = answered.decision, answered.left
        text = spec.render(decision)
        plain = decision.model_dump(mode="json")
        context.events.emit("node_end", agent, node=agent, step=spec.phase, decision=plain)
        return {
            key: text,
            "decisions": {key: decision},
            **(judged(spec.debate, state, text) if spec.debate else {}),
            **(spec.update(state) if spec.update else {}),
            **lessons_used(agent, memory, lessons),
            **left,
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
            book_part(context) if spec.reads_book else "",
            debate_part(turns) if turns else "",
            *(plan_part(texts, key) for key in spec.plans_after),
            lessons_part(lessons),
            reviews_part(texts.get(spec.output_key, ""), state.get("reviews", [])),
            role_part(spec.name, f"{spec.prompt.strip()}\n\n{rules_part(context)}"),
        ]
    )


async def _judge(
    spec: DecideAgent, asking: ModelCalls, state: AgentState, messages: list[BaseMessage]
) -> tuple[Decision, dict[str, Any]]:
    """Return the decision; NO_DECISION with the reason, and a warning, where the model gave none that holds."""
    context = cast(TradingContext, asking.context)
    try:
        verdict, faults = await _verdict(spec, asking, context, messages, model_reports(texts_of(state)))
    except ModelUnreachable:
        raise
    except ModelFailure as failure:
        return _none(asking, "no_verdict", f"{asking.agent} gave no usable decision: {failure}", str(failure))
    way_out = f" {WAY_OUT}" if spec.ends_run else ""
    if faults:
        why = " and ".join(one.why for one in faults)
        reason = f"{asking.agent} answered {verdict.action}, but {why}: that is no decision.{way_out}"
        return _none(asking, faults[0].kind, reason, why)
    if lacking := _missing_plan(spec, verdict, state):
        reason = f"{asking.agent} answered {verdict.action}, but {lacking}: there is nothing to trade on.{way_out}"
        return _none(asking, "no_plan", reason, lacking)
    decision = Decision.from_verdict(verdict, sell_means=context.sell_means)
    return decision.without_levels(context.no_size) if context.no_size else decision, {}


async def _verdict(
    spec: DecideAgent, asking: ModelCalls, context: TradingContext, messages: list[BaseMessage], reports: list[str]
) -> tuple[Verdict, Sequence[TextRefusal]]:
    """Return the model's verdict, the second where the first rests on nothing, and why that one is none either."""

    def problems(verdict: Verdict) -> str | None:
        return verdict_problems(verdict, context)

    verdict = await asking.typed(Verdict, messages, check=problems)
    if not is_held_to_data(asking.llm):
        return verdict, []
    check = partial(
        verdict_faults,
        context=context,
        prompt=f"{spec.prompt}\n{rules_part(context)}",
        given=all_text(messages),
        reports=reports,
    )
    faults = await check(verdict)
    if not faults:
        return verdict, []
    asking.again(f"{' and '.join(one.why for one in faults)}.")
    wish = f"Your decision is refused. Give it again, whole: {'; '.join(one.wish for one in faults)}."
    again = [*messages, AIMessage(verdict.model_dump_json(exclude_none=True)), HumanMessage(wish)]
    try:
        verdict = await asking.typed(Verdict, again, check=problems)
    except StructuredOutputError:  # the first one at least was whole
        return verdict, faults
    return verdict, await check(verdict)


def _missing_plan(spec: DecideAgent, verdict: Verdict, state: AgentState) -> str | None:
    """Return why there is no plan to trade on; None where there is one or none is needed."""
    if spec.needs_plan is None or verdict.action not in SIDES:
        return None
    plan = state.get("decisions", {}).get(spec.needs_plan)
    if plan is None:  # outside our graphs a plan may be a text alone
        return None if texts_of(state).get(spec.needs_plan) else "no trader's plan came before it"
    if plan.action != "NO_DECISION":
        return None
    return f"the trader gave no plan ({plan.rationale.rstrip('.')})"


def _none(asking: ModelCalls, kind: str, reason: str, detail: str) -> tuple[Decision, dict[str, Any]]:
    """Return NO_DECISION; its reason is a warning of the run and a degradation."""
    asking.context.events.emit("warning", reason, node=asking.agent)
    asking.lacks(kind, detail)
    return Decision.none(reason), {"warnings": [reason]}
