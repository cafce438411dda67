"""Builds the graph of a debate.

research ∥ → (pause) → openings ∥ → (pause) → bull's rebuttal → bear's rebuttal → (pause → a second round) → moderator.
The pauses wait for the user's hints where the debate is coached; each step is on disk before the next begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from tradingagents.agents.builders.node import Node
from tradingagents.context import CheckedContext, RunContext
from tradingagents.features.debate.agents import moderator
from tradingagents.features.debate.agents.advocate import GATHERING, Advocate
from tradingagents.features.debate.agents.bear_advocate import BEAR
from tradingagents.features.debate.agents.bull_advocate import BULL
from tradingagents.features.debate.agents.debate_rules import (
    case_problems,
    rebuttal_problems,
    statements_of,
    verdict_problems,
)
from tradingagents.features.debate.agents.prompting import debate_so_far, discrepancies_part, evidence_part, hints_part
from tradingagents.features.debate.agents.statements import case_text, rebuttal_text, verdict_text
from tradingagents.features.debate.agents.states import DebateState
from tradingagents.features.debate.graph.brief import debate_brief, differing_figures
from tradingagents.features.debate.graph.gathering import SharedAnswers, gather, numbered
from tradingagents.features.debate.graph.hints import hints_of
from tradingagents.features.debate.schemas import (
    OTHER_SIDE,
    DebateCase,
    DebateHint,
    DebateRebuttal,
    DebateVerdict,
    RebuttalRecord,
)
from tradingagents.llm_clients.structured import StructuredOutputError
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.offline.brief import Brief, ObjectRule, TextRule
from tradingagents.runtime.graphs.source_check import sourced_object, withheld_note

DebateGraph = CompiledStateGraph[DebateState, "DebateContext", DebateState, DebateState]
ADVOCATES: Mapping[str, Advocate] = {"bull": BULL, "bear": BEAR}
TURN = "debate"
"""Step under which the events of all turns stand."""


@dataclass(frozen=True, kw_only=True)
class DebateContext(CheckedContext):
    """The context of a debate."""

    rounds: int = 1
    """Rebuttals of each side."""
    coach: bool = False
    """Whether the run pauses between phases for the user's hints."""
    shared: SharedAnswers = field(default_factory=lambda: SharedAnswers({}))
    """The answers of tools; both sides read the same."""


def build_debate_graph(models: TierModels) -> DebateGraph:
    """Compile the graph."""
    steps = _DebateSteps(models)
    graph: StateGraph[DebateState, DebateContext, DebateState, DebateState] = StateGraph(DebateState, DebateContext)
    for side, advocate in ADVOCATES.items():
        for what, act in (("research", steps.research), ("opening", steps.opening), ("rebuttal", steps.rebuttal)):
            name = f"{side}_{what}"
            graph.add_node(name, Node(partial(act, advocate), name=name))
    for name, node in (
        ("collect", steps.collect),
        ("before_rebuttal", steps.before_rebuttal),
        ("moderate", steps.moderate),
    ):
        graph.add_node(name, Node(node, name=name))
    for side in ADVOCATES:
        graph.add_edge(START, f"{side}_research")
        graph.add_edge("collect", f"{side}_opening")
    graph.add_edge([f"{side}_research" for side in ADVOCATES], "collect")
    graph.add_edge([f"{side}_opening" for side in ADVOCATES], "before_rebuttal")
    graph.add_edge("before_rebuttal", "bull_rebuttal")
    graph.add_edge("bull_rebuttal", "bear_rebuttal")
    graph.add_conditional_edges("bear_rebuttal", _after_a_round, ["before_rebuttal", "moderate"])
    graph.add_edge("moderate", END)
    return graph.compile(name="debate")


def _after_a_round(state: DebateState, runtime: Runtime[DebateContext]) -> str:
    return "before_rebuttal" if _rounds_done(state) < runtime.context.rounds else "moderate"


def _rounds_done(state: DebateState) -> int:
    return max((said.round for said in state.get("rebuttals", []) if said.side == BEAR.side), default=0)


class _DebateSteps:
    """The nodes."""

    def __init__(self, models: TierModels) -> None:
        self._models = models

    async def research(
        self, advocate: Advocate, state: DebateState, runtime: Runtime[DebateContext], config: RunnableConfig
    ) -> dict[str, Any]:
        """Gather the evidence of one side."""
        context = runtime.context
        context.events.emit("node_start", advocate.name, node=advocate.name, step="research")

        def brief(first: bool) -> Brief:
            return Brief(advocate.name, GATHERING, known=debate_brief(context, state, advocate.side, gathering=first))

        keys, left = await gather(advocate, self._models, context.shared, brief, runtime, config)
        titles = [context.shared.known[key]["title"] for key in keys if not context.shared.known[key]["failure"]]
        text = f"{advocate.name}: {len(keys)} tool calls"
        context.events.emit("node_end", text, node=advocate.name, step="research", side=advocate.side, titles=titles)
        return {"gathered": {advocate.side: keys}, **left}

    async def collect(
        self, state: DebateState, runtime: Runtime[DebateContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Number what both sides gathered; wait for hints on the openings."""
        evidence = numbered(state["gathered"], runtime.context.shared)
        return {"evidence": evidence, **self._pause(runtime.context, "opening", "The evidence is gathered")}

    async def opening(
        self, advocate: Advocate, state: DebateState, runtime: Runtime[DebateContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """State the case of one side."""
        context = runtime.context
        context.events.emit("node_start", advocate.name, node=advocate.name, step="opening")
        calls = advocate.opening.calls(context, self._models, self._brief(context, state, advocate))
        known = {evidence.id for evidence in state["evidence"] if not evidence.failure}
        case = await advocate.opening.typed(
            calls,
            DebateCase,
            [evidence_part(state["evidence"]), hints_part(state.get("hints", []), advocate.side)],
            check=lambda given: case_problems(given, known),
            stance=advocate.stance,
        )
        self._tell(context, advocate, "opening", case_text(case, advocate.side))
        return {"cases": {advocate.side: case.model_dump(mode="json")}, **calls.left}

    async def before_rebuttal(
        self, state: DebateState, runtime: Runtime[DebateContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Wait for hints on the next rebuttals."""
        number = _rounds_done(state) + 1
        what = "Both cases are stated" if number == 1 else "Both sides have answered"
        return self._pause(runtime.context, f"rebuttal_{number}", what)

    async def rebuttal(
        self, advocate: Advocate, state: DebateState, runtime: Runtime[DebateContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Answer the other side; where the model gives no valid rebuttal, the debate continues without it."""
        context = runtime.context
        own = [said.round for said in state.get("rebuttals", []) if said.side == advocate.side]
        number = max(own, default=0) + 1
        context.events.emit("node_start", advocate.name, node=advocate.name, step="rebuttal", round=number)
        calls = advocate.rebuttal.calls(context, self._models, self._brief(context, state, advocate))
        statements = statements_of(OTHER_SIDE[advocate.side], state["cases"], state.get("rebuttals", []))
        known = {evidence.id for evidence in state["evidence"] if not evidence.failure}
        try:
            given = await advocate.rebuttal.typed(
                calls,
                DebateRebuttal,
                [*self._material(state), hints_part(state.get("hints", []), advocate.side)],
                check=lambda said: rebuttal_problems(said, advocate.side, statements, known),
                stance=advocate.stance,
                number=number,
                rounds=context.rounds,
            )
        except StructuredOutputError as error:
            calls.lacks("silent_debater", str(error))
            said = f"{advocate.name} gave no valid rebuttal {number}: {error.__cause__ or error}"
            context.events.emit("warning", said, node=advocate.name, step="rebuttal")
            nothing = RebuttalRecord(side=advocate.side, round=number, counters=[])
            return {"rebuttals": [nothing], "warnings": [said], **calls.left}
        counters = [counter.model_dump(mode="json") for counter in given.counters]
        record = RebuttalRecord(side=advocate.side, round=number, counters=counters)
        self._tell(context, advocate, "rebuttal", rebuttal_text(record), round=number)
        return {"rebuttals": [record], **calls.left}

    async def moderate(
        self, state: DebateState, runtime: Runtime[DebateContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Weigh both cases; where the model gives no valid verdict, the debate ends without one."""
        context, spec = runtime.context, moderator.SPEC
        context.events.emit("node_start", spec.name, node=spec.name, step="verdict")
        calls = spec.calls(context, self._models, self._brief(context, state, None))
        known = {evidence.id for evidence in state["evidence"] if not evidence.failure}
        differing = differing_figures(state["evidence"])
        try:
            verdict = await spec.typed(
                calls,
                DebateVerdict,
                [*self._material(state), discrepancies_part(differing)],
                check=lambda given: verdict_problems(given, known),
            )
            verdict, withheld = await sourced_object(
                spec,
                calls,
                verdict,
                "verdict",
                [*self._material(state), discrepancies_part(differing)],
                conditions=("other_if", "breaks_if"),
                check=lambda given: verdict_problems(given, known),
            )
        except StructuredOutputError as error:
            said = f"The moderator gave no valid verdict: {error.__cause__ or error}"
            context.events.emit("warning", said, node=spec.name, step="verdict")
            return {"verdict": {}, "warnings": [said], **calls.left}
        text = "\n\n".join(part for part in (verdict_text(verdict), withheld_note(withheld)) if part)
        context.events.emit("debate_turn", "verdict", node=spec.name, step=TURN, text=text, statement="verdict")
        context.events.emit("node_end", spec.name, node=spec.name, step="verdict")
        return {"verdict": verdict.model_dump(mode="json"), "withheld": withheld, **calls.left}

    def _material(self, state: DebateState) -> list[str]:
        """Return what all read from the rebuttals on: the evidence, then the debate, which only grows."""
        return [evidence_part(state["evidence"]), debate_so_far(state["cases"], state.get("rebuttals", []))]

    def _tell(self, context: RunContext, advocate: Advocate, statement: str, text: str, **data: Any) -> None:
        details = {"side": advocate.side, "statement": statement, **data}
        context.events.emit(
            "debate_turn", f"{advocate.name}: {statement}", node=advocate.name, step=TURN, text=text, **details
        )
        context.events.emit("node_end", advocate.name, node=advocate.name, step=statement)

    def _brief(self, context: RunContext, state: DebateState, advocate: Advocate | None) -> Any:
        def brief(agent: str, rule: ObjectRule | TextRule) -> Brief:
            return Brief(agent, rule, known=debate_brief(context, state, advocate.side if advocate else None))

        return brief

    def _pause(self, context: DebateContext, phase: str, what: str) -> dict[str, Any]:
        """Wait for the user's hints where the debate is coached; return them as the state's update.

        The node begins anew when an answer is there, so nothing may happen before it is read. An answer that cannot be
        used is asked for again: LangGraph keeps each, so that an error here would be raised at every resumption.
        """
        if not context.coach:
            return {}
        hints: list[DebateHint] | None = None
        wrong = ""
        while hints is None:
            how = f"`tradingagents debate --resume {context.run_id}`, with hints such as bull=TEXT where wanted"
            waiting = {
                "question": f"{wrong}{what}: the debate awaits hints to the bull or the bear",
                "kind": "hints",
                "phase": phase,
                "answer_with": how,
            }
            hints, wrong = hints_of(cast(Mapping[str, Any], interrupt(waiting)), phase)
        for hint in hints:
            context.events.emit("approval", f"hint to the {hint.side}", step=phase, side=hint.side)
        return {"hints": hints}
