"""Lessons of one run: each agent with a memory compares its statements with the outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from tradingagents.agents import reflector
from tradingagents.agents.memory_query import debate_context
from tradingagents.agents.model_calls import ModelCalls
from tradingagents.agents.prompting import fenced
from tradingagents.agents.roster import roster
from tradingagents.agents.spec import AgentSpec, DebateAgent, DecideAgent
from tradingagents.agents.states import NOT_AVAILABLE
from tradingagents.analytics.decisions.outcome import earned, excess, proved_right
from tradingagents.context import RunContext
from tradingagents.graph.evaluation.decision import NO_DECISION, Case
from tradingagents.memory.lessons import Lesson
from tradingagents.memory.outcome import Outcome, Said
from tradingagents.offline.brief import Happened
from tradingagents.runtime.services import Services
from tradingagents.schemas.decision import sureness_of
from tradingagents.settings import SELL_MEANINGS

NO_SIDE = "no side was taken, so nothing was won or lost"


@dataclass(frozen=True, slots=True)
class Role:
    """An agent that has a memory."""

    agent: str
    memory: str
    duty: str
    said: Callable[[Case], str]
    """Returns the agent's own text, fenced; empty when it said nothing."""
    debate: str | None = None
    """The debate it read or took part in, by its key in the run record."""
    plans: tuple[str, ...] = ()
    """State keys of the plans it read."""

    def situation(self, case: Case) -> str:
        """Return the situation text by which this agent's lessons are retrieved."""
        turns = case.debates.get(self.debate, ()) if self.debate else ()
        plans = [case.reports[key] for key in self.plans if key in case.reports]
        return case.situation_with(debate_context(turns, plans))


def _turns(agent: str) -> Callable[[Case], str]:
    def said(case: Case) -> str:
        turns = [turn for turn in case.debates.get("research", ()) if turn["speaker"] == agent]
        return "\n".join(
            f'<turn speaker="{agent}" number="{number}">\n{fenced(turn["text"])}\n</turn>'
            for number, turn in enumerate(turns, start=1)
            if not turn["text"].startswith(NOT_AVAILABLE)
        )

    return said


def _plan(agent: str, key: str) -> Callable[[Case], str]:
    def said(case: Case) -> str:
        text = case.reports.get(key, "")
        if not text or case.agents.get(agent, Said(NO_DECISION, 0.0)).action == NO_DECISION:
            return ""
        return f'<plan name="{key}" by="{agent}">\n{fenced(text)}\n</plan>'

    return said


def _role(spec: AgentSpec) -> Role:
    memory, said = spec.memory or "", _turns(spec.name)
    plans: tuple[str, ...] = ()
    debate = spec.debate if isinstance(spec, (DebateAgent, DecideAgent)) else None
    if isinstance(spec, DecideAgent):
        said, plans = _plan(spec.name, spec.output_key), (*spec.plans_before, *spec.plans_after)
    return Role(spec.name, memory, spec.duty, said, debate.phase if debate else None, plans)


ROLES = tuple(_role(spec) for spec in roster().deciders if spec.memory)
"""The agents that remember."""


async def draw_lessons(
    services: Services, context: RunContext, case: Case, came: DescribedOutcome, settled_on: date
) -> list[tuple[str, Lesson]]:
    """Return a run's lessons by memory, drawn by parallel model calls; agents that said nothing are skipped.

    Args:
        services: Provide the quick model.
        context: Provides the usage meter.
        case: The run.
        came: The decision's outcome.
        settled_on: The day on which the outcome was known.

    Raises:
        ModelFailure, BudgetReached, ReplyNotKept: One lesson could not be drawn, so none is returned.
    """
    situation = case.situation
    outcome = f"{case.trade_date}: {came.text}".replace("\n", "; ")

    async def one(role: Role, said: str) -> tuple[str, Lesson]:
        asking = ModelCalls(context, reflector.AGENT, reflector.TIER, services.models.quick)
        happened = replace(came.happened, side=reflector.side_of(role.agent))
        looked = reflector.ReflectionInput(role.agent, role.duty, situation, said, came.text, happened)
        text = await reflector.reflect(asking, looked)
        lesson = Lesson(
            role.situation(case),
            text,
            settled_on,
            case.ticker,
            case.run_id,
            cohort=case.cohort,
            outcome=outcome,
        )
        return role.memory, lesson

    spoke = [(role, said) for role in ROLES if (said := role.said(case))]
    lessons = await asyncio.gather(*(one(role, said) for role, said in spoke), return_exceptions=True)
    for lesson in lessons:  # after all have ended, so that no call continues in the background
        if isinstance(lesson, BaseException):
            raise lesson
    return [lesson for lesson in lessons if not isinstance(lesson, BaseException)]


@dataclass(frozen=True, slots=True)
class DescribedOutcome:
    """A decision's outcome in words."""

    text: str
    """One fact a line."""
    happened: Happened
    """What the words rest on."""


def describe_outcome(outcome: Outcome, final: Said) -> DescribedOutcome:
    """Describe the outcome of a run's decision."""
    total, benchmark = outcome.total_return, outcome.benchmark_return
    right = proved_right(outcome.action, total, benchmark)
    beyond = excess(outcome.action, total, benchmark)
    worth = NO_SIDE
    if right is not None:
        more = "" if beyond is None else f", {_percent(beyond)} against the benchmark"
        gain = _percent(earned(outcome.action, total, final.sell_means))
        closed = final.sell_means == "close"
        worth = f"{'right' if right else 'wrong'}: " + (
            f"nothing of it was held; its proceeds in the benchmark made {_percent(beyond)} more than the stock"
            if closed and beyond is not None
            else f"the side taken earned {gain}{more}"
        )
    text = _lines(
        [
            *_decided(final),
            ("Window", f"{outcome.horizon_days} calendar days, close to close"),
            ("Stock", _percent(total)),
            (f"Benchmark {outcome.benchmark or ''}".strip(), _percent(benchmark)),
            ("Against the benchmark", _percent(outcome.total_return - benchmark) if benchmark is not None else "n/a"),
            ("Deepest fall of the stock within the window", _percent(outcome.drawdown)),
            ("The decision", worth),
        ]
    )
    against = None if benchmark is None else round(100 * (total - benchmark), 2)
    return DescribedOutcome(text, Happened(final.action, stock=round(100 * total, 2), against=against))


def describe_reported_outcome(said: Said, told: Any) -> DescribedOutcome:
    """Describe a decision with the outcome as the user reported it: a return in percent, an amount, or a sentence."""
    words = " ".join(str(told).split())
    text = _lines([*_decided(said), ("Returns and losses, as told", words)])
    return DescribedOutcome(text, Happened(said.action, told=words))


def _decided(said: Said) -> Sequence[tuple[str, str]]:
    means = [("SELL means", SELL_MEANINGS["close"])] if said.sell_means == "close" else []
    name, value = sureness_of(said.confidence, said.strength)
    return (("Action", said.action), *means, (name.capitalize(), f"{value:.2f}"))


def _lines(facts: Sequence[tuple[str, str]]) -> str:
    return "\n".join(f"{name}: {value}" for name, value in facts)


def _percent(fraction: float | None) -> str:
    return "n/a" if fraction is None else f"{fraction * 100:+.2f}%"
