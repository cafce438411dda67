"""Builds the graph of the deep report.

hypothesise → research (side by side) → gather → (synthesise at checkpoints) → evaluate → (pause for hints) → refine →
research … → conclude → final synthesis → narrate ∥ value → merge.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send, interrupt

from tradingagents.agents.builders.node import Act, Node
from tradingagents.capabilities.registry import registry
from tradingagents.capabilities.tools import ask_in_run
from tradingagents.context import RunContext
from tradingagents.errors import BudgetReached, DataError, ModelFailure, TradingAgentsError
from tradingagents.features.deep_report.agents.states import HypothesisTask, ResearchOutcome, ThesisState
from tradingagents.features.deep_report.evidence import freeze
from tradingagents.features.deep_report.graph import judgement
from tradingagents.features.deep_report.graph.context import ThesisContext
from tradingagents.features.deep_report.graph.found_source import FoundSource
from tradingagents.features.deep_report.graph.hints import ENOUGH, STOPPED_BY_READER, hints_of, steered
from tradingagents.features.deep_report.graph.rubric import report_scores
from tradingagents.features.deep_report.graph.sources import ask_ahead
from tradingagents.features.deep_report.graph.steps import ThesisSteps
from tradingagents.features.deep_report.graph.value import value_of
from tradingagents.features.deep_report.schemas.thesis import (
    HypothesisRecord,
    ReportHint,
    ThesisIteration,
)
from tradingagents.files.plain_text import counted
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.schemas.evidence import EvidenceItem
from tradingagents.valuation.company.results import CompanyValuation

ThesisGraph = CompiledStateGraph[ThesisState, ThesisContext, ThesisState, ThesisState]
AFTER_ASKING = 0.05
"""Seconds after which a request has surely been sent."""


def build_thesis_graph(models: TierModels) -> ThesisGraph:
    """Compile the graph."""
    nodes = _ThesisNodes(ThesisSteps(models))
    graph: StateGraph[ThesisState, ThesisContext, ThesisState, ThesisState] = StateGraph(ThesisState, ThesisContext)
    for name in (
        *("hypothesise", "research", "gather", "synthesise", "evaluate", "steer", "refine"),
        *("conclude", "final_synthesis", "narrate", "value", "merge"),
    ):
        act: Act = getattr(nodes, name)
        graph.add_node(name, Node(act, name=name))
    graph.add_edge(START, "hypothesise")
    graph.add_conditional_edges("hypothesise", nodes.to_research, ["research"])
    graph.add_edge("research", "gather")
    graph.add_conditional_edges("gather", nodes.to_synthesise, ["synthesise", "evaluate"])
    graph.add_edge("synthesise", "evaluate")
    graph.add_conditional_edges("evaluate", lambda state: "conclude" if state.get("stopped") else "steer")
    graph.add_conditional_edges("steer", lambda state: "conclude" if state.get("stopped") else "refine")
    graph.add_conditional_edges("refine", nodes.to_research, ["research"])
    graph.add_edge("conclude", "final_synthesis")
    graph.add_edge("final_synthesis", "narrate")
    graph.add_edge("final_synthesis", "value")
    graph.add_edge(["narrate", "value"], "merge")
    graph.add_edge("merge", END)
    return graph.compile(name="thesis")


class _ThesisNodes:
    """The nodes: what belongs to the state; what agents do is in `steps`."""

    def __init__(self, steps: ThesisSteps) -> None:
        self._steps = steps

    async def hypothesise(
        self, state: ThesisState, runtime: Runtime[ThesisContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """State the first hypotheses."""
        hints = state.get("hints", [])
        stating = asyncio.ensure_future(self._steps.first_hypotheses(runtime.context, hints))
        try:
            # The company's data are asked for meanwhile.
            if not runtime.context.by_rules and not (await asyncio.wait({stating}, timeout=AFTER_ASKING))[0]:
                await ask_ahead(runtime.context, runtime.context.instrument.symbol)
            made, left = await stating
        finally:
            stating.cancel()
        runtime.context.events.emit(
            "plan", f"{len(made)} hypotheses", step="hypothesise", hypotheses=[stated.as_json() for stated in made]
        )
        return {
            "iteration": 1,
            "hypotheses": steered({hypothesis.id: hypothesis for hypothesis in made}, hints, 1),
            "stopped": "",
            **left,
        }

    def to_research(self, state: ThesisState, runtime: Runtime[ThesisContext]) -> Sequence[Send]:
        """Send each open hypothesis to research, with what is known about it and nothing of the others."""
        level = level_of(runtime.context)
        chosen = judgement.open_hypotheses(state["hypotheses"], level=level)
        return [Send("research", self._task(state, hypothesis)) for hypothesis in chosen]

    def to_synthesise(self, state: ThesisState) -> Sequence[Send] | str:
        """Send the hypotheses of a checkpoint to synthesis; else go on to evaluation."""
        chosen = judgement.to_synthesise(state["hypotheses"], state["iteration"])
        return [Send("synthesise", self._task(state, hypothesis)) for hypothesis in chosen] or "evaluate"

    async def research(
        self, task: HypothesisTask, runtime: Runtime[ThesisContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Research one hypothesis; a failure leaves it uncertain, and the others go on."""
        context, hypothesis = runtime.context, task["hypothesis"]
        try:
            ahead = await self._found_ahead(context, task)
            async with context.places:
                context.events.emit(
                    "iteration_start",
                    f"Iteration {task['iteration']}: {hypothesis.title}",
                    step="research",
                    iteration=task["iteration"],
                    hypothesis=hypothesis.id,
                )
                found = await self._steps.sources(context, task) if ahead is None else ahead
                outcome, left = await self._steps.research(context, task, found)
        except BudgetReached:
            raise
        except (ModelFailure, DataError) as error:
            outcome = ResearchOutcome(
                hypothesis=hypothesis.id,
                iteration=task["iteration"],
                items=[],
                read=[],
                dropped=[],
                failure=str(error),
            )
            left = {"warnings": [f"{hypothesis.title}: not researched in iteration {task['iteration']}: {error}"]}
        if context.store is not None and outcome.items:
            items = context.items.items(outcome.items)
            await asyncio.get_running_loop().run_in_executor(context.executor, context.store.append, items)
        context.events.emit(
            "iteration_complete",
            f"{hypothesis.title}: {counted(len(outcome.items), 'item', 'items')} of evidence",
            step="research",
            iteration=task["iteration"],
            hypothesis=hypothesis.id,
            dropped=len(outcome.dropped),
        )
        return {"outcomes": [outcome], "evidence": {item["id"]: item for item in outcome.items}, **left}

    async def gather(
        self, state: ThesisState, runtime: Runtime[ThesisContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Bring a round together: depth, confidence, contradictions."""
        number = state["iteration"]
        round_ = [outcome for outcome in state.get("outcomes", []) if outcome.iteration == number]
        failed = {outcome.hypothesis for outcome in round_ if outcome.failure}
        researched = {outcome.hypothesis for outcome in round_}
        read = runtime.context.items
        own: dict[str, list[EvidenceItem]] = {key: [] for key in state["hypotheses"]}
        for item in read.items(state.get("evidence", {}).values()):
            if item.hypothesis in own:
                own[item.hypothesis].append(item)
        against = {key: read.contradictions(items) for key, items in own.items()}
        standings = {key: judgement.standing(items, against[key]) for key, items in own.items()}
        hypotheses = {
            key: judgement.after_round(hypothesis, own[key], standings[key], failed=key in failed)
            if key in researched
            else hypothesis
            for key, hypothesis in state["hypotheses"].items()
        }
        confidence = judgement.overall(hypotheses.values(), standings)
        found = [pair for key in sorted(researched) for pair in against[key]]
        note = ThesisIteration(
            number=number,
            researched=sorted(researched),
            new_items=[item["id"] for outcome in round_ for item in outcome.items],
            dropped=[why for outcome in round_ for why in outcome.dropped],
            contradictions=found,
            insights=[],
            syntheses=[],
            evaluation=None,
            confidence=confidence,
            titles={key: hypotheses[key].title for key in sorted(researched)},
            confidences={key: hypotheses[key].confidence for key in sorted(researched)},
        )
        runtime.context.events.emit(
            "analysis",
            f"Iteration {number}: {counted(len(note.new_items), 'new item', 'new items')}, "
            f"confidence {confidence:.2f}, {counted(len(found), 'contradiction', 'contradictions')}",
            step="gather",
            iteration=number,
            confidence=confidence,
        )
        return {"hypotheses": hypotheses, "iterations": [*state.get("iterations", []), note]}

    async def synthesise(
        self, task: HypothesisTask, runtime: Runtime[ThesisContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Weigh both sides of one hypothesis; without an answer the last synthesis stands."""
        try:
            made, left = await self._steps.synthesise(runtime.context, task)
        except BudgetReached:
            raise
        except ModelFailure as error:
            return {"warnings": [f"{task['hypothesis'].title}: no synthesis in iteration {task['iteration']}: {error}"]}
        runtime.context.events.emit(
            "debate_turn", made.synthesis, step="synthesise", hypothesis=made.hypothesis, text=made.synthesis
        )
        return {"syntheses": [made], **left}

    async def evaluate(
        self, state: ThesisState, runtime: Runtime[ThesisContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Score the round, and decide whether research ends."""
        context, number = runtime.context, state["iteration"]
        syntheses = [made for made in state.get("syntheses", []) if made.iteration == number]
        insights = [text for made in syntheses for text in made.insights]
        note = state["iterations"][-1].model_copy(update={"syntheses": syntheses, "insights": insights})
        left: dict[str, Any] = {}
        level = level_of(context)
        if level < len(judgement.BUDGET_LEVELS):
            try:
                evaluation, left = await self._steps.evaluate(context, state, note)
                note = note.model_copy(update={"evaluation": evaluation})
            except BudgetReached:
                raise
            except ModelFailure as error:
                left = {"warnings": [f"Iteration {number} was not evaluated: {error}"]}
        stopped = judgement.why_stop(
            number,
            note.confidence,
            state["hypotheses"],
            least=context.min_iterations,
            most=context.max_iterations,
            level=level,
            found_nothing=self._found_nothing(context, state, note),
        )
        said = f"Research ends: {judgement.STOPPED[stopped]}." if stopped else "Research goes on."
        context.events.emit(
            "reflection", f"Iteration {number}: {said}", step="evaluate", iteration=number, stopped=stopped, level=level
        )
        return {"iterations": [*state["iterations"][:-1], note], "stopped": stopped, **left}

    @staticmethod
    def _found_nothing(context: ThesisContext, state: ThesisState, note: ThesisIteration) -> bool:
        """Return whether a round left nothing new; False where a part of it failed, or a reader steers the rounds."""
        uncertain = any(state["hypotheses"][key].status == "uncertain" for key in note.researched)
        return not (note.new_items or uncertain or context.ask)

    async def steer(
        self, state: ThesisState, runtime: Runtime[ThesisContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Wait for the reader's hints on the next round where the report is asked to; a rejection ends the research.

        The node begins anew when an answer is there, so nothing may happen before it is read. An answer that cannot be
        used is asked for again.
        """
        context, number = runtime.context, state["iteration"]
        if not context.ask:
            return {}
        hints: list[ReportHint] | None = None
        wrong = ""
        while hints is None:
            question = {
                "question": f"{wrong}Iteration {number} has ended: the report awaits hints on what to look at next",
                "kind": "hints",
                "phase": f"iteration_{number + 1}",
                "answer_with": f"`tradingagents report --resume {context.run_id}`, with hints where wanted",
            }
            said = cast(Mapping[str, Any], interrupt(question))
            if said.get("verdict") == ENOUGH:
                context.events.emit("approval", "the reader ends the research", step="steer", iteration=number)
                return {"stopped": STOPPED_BY_READER}
            hints, wrong = hints_of(said, state["hypotheses"], number + 1)
        for hint in hints:
            context.events.emit("approval", f"hint: {hint.text}", step="steer", iteration=number + 1)
        return {"hints": hints}

    async def refine(
        self, state: ThesisState, runtime: Runtime[ThesisContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Write the questions of the next round; add what new hypotheses there is room for."""
        try:
            hypotheses, left = await self._steps.refine(runtime.context, state)
        except BudgetReached:
            raise
        except ModelFailure as error:
            hypotheses, left = state["hypotheses"], {"warnings": [f"No new questions were asked: {error}"]}
        number = state["iteration"] + 1
        return {"hypotheses": steered(hypotheses, state.get("hints", []), number), "iteration": number, **left}

    async def conclude(
        self, state: ThesisState, runtime: Runtime[ThesisContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Settle every hypothesis and freeze the evidence: what follows rests on this bundle and on nothing else."""
        context = runtime.context
        hypotheses = {
            key: hypothesis.model_copy(update={"status": judgement.settled(hypothesis.confidence)})
            if hypothesis.status == "open"
            else hypothesis
            for key, hypothesis in state["hypotheses"].items()
        }
        items = context.items.items(state.get("evidence", {}).values())
        as_of = context.data.cutoff.instant
        if context.store is not None:
            loop = asyncio.get_running_loop()
            bundle = await loop.run_in_executor(context.executor, context.store.freeze, as_of, items)
        else:
            bundle = freeze(context.instrument.symbol, as_of, items)
        context.events.emit(
            "analysis", f"{len(bundle.items)} items of evidence frozen", step="conclude", bundle=bundle.sha256
        )
        armed, warnings = await judgement.with_falsifiers(context, context.instrument.symbol, hypotheses, items)
        found = context.items.contradictions(bundle.items)
        return {"hypotheses": armed, "bundle": bundle.sha256, "contradictions": found, "warnings": warnings}

    async def final_synthesis(
        self, state: ThesisState, runtime: Runtime[ThesisContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Weigh the whole in one call; its probabilities are those of the scenarios."""
        if not state.get("evidence"):
            return {}
        try:
            made, left = await self._steps.weigh_whole(runtime.context, state)
        except BudgetReached:
            raise
        except ModelFailure as error:
            return {"warnings": [f"There is no final synthesis: {error}"]}
        runtime.context.events.emit("debate_turn", made.synthesis, step="final_synthesis", text=made.synthesis)
        return {"syntheses": [made], **left}

    async def narrate(
        self, state: ThesisState, runtime: Runtime[ThesisContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Write the sections."""
        if not state.get("evidence"):
            return {"sections": []}
        sections, left = await self._steps.narrate(runtime.context, state)
        return {"sections": sections, **left}

    async def value(
        self, state: ThesisState, runtime: Runtime[ThesisContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Value the company from data and evidence; say why where it cannot be."""
        context = runtime.context
        if not context.by_rules:
            await asyncio.sleep(AFTER_ASKING)  # the narrative is written meanwhile, and must have been asked for
        try:
            found = await ask_in_run(
                context, registry()["valuation"], {"ticker": context.instrument.symbol}, agent="value"
            )
        except TradingAgentsError as error:
            return {"valuation": None, "no_valuation": str(error)}
        if not isinstance(found, CompanyValuation):
            return {"valuation": None, "no_valuation": "No valuation was computed."}
        items = context.items.items(state.get("evidence", {}).values())
        made = value_of(found, items, state.get("syntheses", []))
        return (
            {"valuation": None, "no_valuation": made}
            if isinstance(made, str)
            else {"valuation": made, "no_valuation": ""}
        )

    async def merge(
        self, state: ThesisState, runtime: Runtime[ThesisContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Score the whole report."""
        scores = report_scores(state)
        runtime.context.events.emit("analysis", f"Quality {scores.overall:.1f} of 10", step="merge", **scores.as_json())
        return {"scores": scores}

    async def _found_ahead(self, context: ThesisContext, task: HypothesisTask) -> list[FoundSource] | None:
        """Find the sources of a hypothesis that waits for its turn, while models read those of others."""
        if context.by_rules or not context.places.locked():
            return None
        await asyncio.sleep(AFTER_ASKING)
        return await self._steps.sources(context, task)

    @staticmethod
    def _task(state: ThesisState, hypothesis: HypothesisRecord) -> HypothesisTask:
        key = hypothesis.id
        evidence = [item for item in state.get("evidence", {}).values() if item["hypothesis"] == key]
        evidence.sort(key=lambda item: (-item["confidence"], item["id"]))
        earlier = [made for made in state.get("syntheses", []) if made.hypothesis == key]
        read = [address for done in state.get("outcomes", []) if done.hypothesis == key for address in done.read]
        return HypothesisTask(
            iteration=state["iteration"],
            hypothesis=hypothesis,
            evidence=evidence,
            read=read,
            prior=earlier[-1] if earlier else None,
        )


def level_of(context: RunContext) -> int:
    """Return the budget level of a run: by calls or money, whichever is nearer to its limit; 0 without limits."""
    totals, settings = context.meter.totals(), context.settings
    shares = [0.0]
    if settings.max_llm_calls:
        shares.append(totals.llm_calls / settings.max_llm_calls)
    if settings.budget_usd:
        shares.append((totals.cost_usd or 0.0) / settings.budget_usd)
    return judgement.budget_level(max(shares))
