"""Asks a decider the same again until its action is settled or is not; only where the setting `settle` is on.

Every agent that decides is asked again, each with the inputs it had: the research manager, who judges the debate first,
the trader, and the risk manager, who has the last word. The last one alone would not do: it is told to refine the plan
before it, so that it repeats an action which was a coin's toss two steps earlier. What analysts and debaters wrote
stays as it is. Once an agent's action is unsettled, those after it are asked once: they answer a plan that another run
would not have made, and the run is unsettled whatever they say.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tradingagents.agents.model_calls import ModelCalls
from tradingagents.agents.schemas import Decision
from tradingagents.agents.spec import DecideAgent
from tradingagents.agents.states import AgentState
from tradingagents.analytics.decisions.settling import SettlingVerdict, further_asks, settling_verdict
from tradingagents.context import TradingContext
from tradingagents.errors import BudgetReached
from tradingagents.schemas.records import DegradedRecord, RepeatedAsksRecord

BY_RULES = "By rules: one answer, nothing to settle."


@dataclass(frozen=True)
class AskAnswer:
    """What one ask gave."""

    decision: Decision
    warning: Mapping[str, Any]
    """Its addition to the state, such as a warning."""
    calls: ModelCalls

    @property
    def left(self) -> dict[str, Any]:
        """Its addition to the state, with what its calls left."""
        return {**self.warning, **self.calls.left}


Ask = Callable[[int], Awaitable[AskAnswer]]
"""Asks once; told how often the same has been asked before."""


async def settled(
    spec: DecideAgent, state: AgentState, context: TradingContext, ask: Ask
) -> tuple[Decision, dict[str, Any]]:
    """Ask a decider until its action is settled or is not; return its decision and the update of the state.

    The decision is that of the first ask which gave the most frequent action. Where the agent has the last word and an
    action of the run is unsettled, it is the one that the setting `unsettled_action` names.

    Raises:
        BudgetReached: Before the first answer, or before the end where others decide after this agent: such a run goes
            on from here with a larger budget.
        ModelUnreachable: From an ask.
        ReplyNotKept: A replay has no recorded reply for an ask.
    """
    earlier, once = state.get("settling", {}), _asked_once(spec, state, context)
    answers, stopped = [await ask(0)], ""
    while not once and (further := further_asks(_counts(answers), context.settings.settle_max_asks)):
        more, budget = await _asked(ask, range(len(answers), len(answers) + further))
        answers += more
        if budget is not None:
            if not spec.ends_run:
                raise budget
            stopped = str(budget)
            break
    record = _record(spec, answers, context.settings.settle_max_asks, once=once, stopped=stopped)
    chosen = next(one for one in answers if one.decision.action == next(iter(record.answers)))
    context.events.emit("progress", f"{spec.name}: {record.reason}", node=spec.name, settling=record.as_json())
    known = {**earlier, spec.output_key: record}
    decision, left = chosen.decision, {**chosen.left, "settling": {spec.output_key: record}}
    if fallbacks := _fallbacks(answers, chosen):
        left["degraded"] = [*left.get("degraded", []), *fallbacks]
    if spec.ends_run and any(one.verdict == "unsettled" for one in known.values()):
        decision = _unsettled(context, list(known.values()), answers)
    return decision, left


def _asked_once(spec: DecideAgent, state: AgentState, context: TradingContext) -> str:
    """Return why another answer could not differ, or not matter; empty where it could."""
    if context.labels.get(spec.tier, "").startswith("offline"):
        return BY_RULES
    before = (one for key, one in state.get("settling", {}).items() if key != spec.output_key)
    open_question = next((one.agent for one in before if one.verdict == "unsettled"), None)
    return f"Asked once: the action of the {open_question} before it is unsettled." if open_question else ""


async def _asked(ask: Ask, numbers: range) -> tuple[list[AskAnswer], BudgetReached | None]:
    """Ask several times at once; return the answers, and what ended the asks early.

    Raises:
        Exception: What ended an ask other than the budget, once the others have ended: their replies are kept.
    """
    found = await asyncio.gather(*map(ask, numbers), return_exceptions=True)
    for one in found:
        if isinstance(one, BaseException) and not isinstance(one, BudgetReached):
            raise one
    budget = next((one for one in found if isinstance(one, BudgetReached)), None)
    return [one for one in found if isinstance(one, AskAnswer)], budget


def _counts(answers: Sequence[AskAnswer]) -> Counter[str]:
    return Counter(one.decision.action for one in answers)


def _record(
    spec: DecideAgent, answers: Sequence[AskAnswer], most: int, *, once: str, stopped: str
) -> RepeatedAsksRecord:
    counts = dict(_counts(answers).most_common())
    verdict = settling_verdict(counts, most)
    used = [call for one in answers[1:] if one.calls.repeated for call in one.calls.repeated.used]
    costs = [call.cost_usd for call in used]
    return RepeatedAsksRecord(
        agent=spec.name,
        verdict="asked_once" if once else verdict or "unsettled",
        reason=once or _reason(counts, most, verdict, stopped),
        answers=counts,
        added_calls=sum(not call.cached_reply for call in used),
        added_cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
    )


def _reason(counts: Mapping[str, int], most: int, verdict: SettlingVerdict | None, stopped: str) -> str:
    """Say how the asks ended."""
    asked, action = sum(counts.values()), next(iter(counts))
    given = f"{action} in {counts[action]} of {asked} asks"
    if verdict == "settled":
        return f"Settled: {given}."
    if verdict is None:
        return f"Unsettled: {given}, when the budget ended them. {stopped}"
    if settling_verdict(counts, 10 * most) is None:
        return f"Unsettled: {given}, too few for a verdict within the maximum of {most}."
    return f"Unsettled: {given}, no action often enough."


def _fallbacks(answers: Sequence[AskAnswer], chosen: AskAnswer) -> list[DegradedRecord]:
    """Return the answers by fallback models that the chosen one does not tell of itself."""
    found = [gap for one in answers for gap in one.calls.degraded if gap.kind == "fallback_model"]
    return [gap for gap in dict.fromkeys(found) if gap not in chosen.calls.degraded]


def _unsettled(context: TradingContext, asked: Sequence[RepeatedAsksRecord], answers: Sequence[AskAnswer]) -> Decision:
    """Return the decision of a run whose action is unsettled, with what spoke for each action."""
    who = [f"the {one.agent} gave {_shares(one)}" for one in asked if one.verdict == "unsettled"]
    reason = f"Unsettled: asked the same again, {' and '.join(who)}. The same question gives different actions."
    said: dict[str, str] = {}
    for one in answers:
        said.setdefault(one.decision.action, f"{one.decision.action}: {one.decision.rationale}")
    action = context.settings.unsettled_action
    return Decision(action=action, confidence=0.0, rationale=reason, reasoning="\n\n".join(said.values()))


def _shares(record: RepeatedAsksRecord) -> str:
    listed = [f"{action} {count}" for action, count in record.answers.items()]
    return f"{', '.join(listed)} of {record.asks} times"
