"""Builds the research graph.

understand → (ask the user) → plan → (approve) → execute → reflect → (plan …) → synthesise; a question of one or two
figures goes from understand to one bounded turn of tools, and then to the answer.

Where the model gives a step nothing usable, or its tasks find nothing, rules answer from `understand` on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import interrupt
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tradingagents.agents.builders.node import Act, Node
from tradingagents.agents.model_calls import ModelCalls
from tradingagents.agents.prompting import fenced
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.registry import registry
from tradingagents.context import CheckedContext, RunContext
from tradingagents.errors import ModelFailure, UsageError
from tradingagents.features.research.agents import planner, question_reader, reflector, synthesizer
from tradingagents.features.research.agents.framework import load_frameworks
from tradingagents.features.research.agents.plan_rules import (
    plan_problems,
    reuse_guidance,
    with_export_task,
    with_proposed_calls,
    without_calls,
)
from tradingagents.features.research.agents.prompting import (
    catalogue_lines,
    findings_part,
    frameworks_lines,
    iterations_part,
    question_part,
    session_part,
)
from tradingagents.features.research.agents.schemas import (
    MOST_COMPANIES,
    MOST_ITERATIONS,
    DirectLookup,
    ReflectionResult,
    ResearchTask,
    TaskPlan,
    Understanding,
)
from tradingagents.features.research.agents.states import ResearchState
from tradingagents.features.research.graph.attempt import NO_CALL, ResearchTaskRunner, research_tool_node
from tradingagents.features.research.graph.brief import (
    named_companies,
    research_brief,
    resolved,
    with_companies,
)
from tradingagents.features.research.graph.sources import (
    missing_from,
    session_sources,
    source_names,
    with_sources,
)
from tradingagents.features.research.graph.tasks import TaskBoard, TaskOutput
from tradingagents.features.research.graph.tools import NOT_OFFERED, available
from tradingagents.features.research.schemas import IterationNote, TaskResultRecord
from tradingagents.files.plain_text import one_line
from tradingagents.llm_clients.structured import StructuredOutputError
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.offline.brief import Brief, ObjectRule, TextRule
from tradingagents.runtime.graphs.by_rules import START_OVER, models_of, note_of, or_rules, started_over
from tradingagents.runtime.graphs.source_check import sourced_text, withheld_note
from tradingagents.settings import Tier

ResearchGraph = CompiledStateGraph[ResearchState, "ResearchContext", ResearchState, ResearchState]
NAME_CHARS = 60
"""Characters of a company's name as a question gives it."""
TOLD_CHARS = 1500
"""Characters of what was understood, as later prompts have it."""
NOT_AN_ANSWER = "A plan is approved or revised. "
NOT_JUDGED = "The model gave no valid judgement of the results; the answer uses what was found."
NOTHING_FOUND = "The question could not be answered: no task found anything."


@dataclass(frozen=True, kw_only=True)
class ResearchContext(CheckedContext):
    """The context of a research run."""

    may_ask: bool = True
    """Whether the run can wait for the user's answer."""
    approve_plan: bool = False
    """Whether the user approves the first plan before it is carried out."""
    max_iterations: int = MOST_ITERATIONS
    finished: Mapping[str, TaskResultRecord] = field(default_factory=dict)
    """Results of tasks that earlier starts of the run have told of, by key: these are not carried out again."""

    @cached_property
    def available(self) -> Mapping[str, Capability]:
        """The capabilities that some vendor can answer in this run, by name."""
        return available(self)


class PlanAnswer(BaseModel):
    """The user's answer to a proposed plan."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    verdict: Literal["approve", "revise"] = "approve"
    """revise: the planner plans anew, with the note."""
    plan: TaskPlan | None = None
    """An edited plan, to be carried out instead."""
    note: str = Field("", max_length=4000)
    """What the planner should do differently."""

    @property
    def accepted(self) -> bool:
        """Whether a plan is carried out now."""
        return self.verdict == "approve"


def build_research_graph(models: TierModels) -> ResearchGraph:
    """Compile the graph."""
    steps = _ResearchSteps(models)
    graph: StateGraph[ResearchState, ResearchContext, ResearchState, ResearchState] = StateGraph(
        ResearchState, ResearchContext
    )
    for name in ("clarify", "approve", START_OVER):
        act: Act = getattr(steps, name)
        graph.add_node(name, Node(act, name=name))
    for name in ("understand", "plan", "direct", "reflect", "synthesise"):
        graph.add_node(name, Node(or_rules(getattr(steps, name)), name=name))
    graph.add_node("execute", cast(Any, steps.execute))  # LangGraph's own engine runs it: it holds LangGraph tasks
    graph.add_edge(START, "understand")
    graph.add_edge(START_OVER, "understand")
    graph.add_conditional_edges("understand", _after_understanding, ["clarify", "plan", "direct", START_OVER])
    graph.add_edge("clarify", "understand")
    graph.add_conditional_edges("plan", _after_planning, ["approve", "direct", "execute", "synthesise", START_OVER])
    graph.add_conditional_edges("approve", _after_approval, ["plan", "direct", "execute"])
    graph.add_edge("execute", "reflect")
    graph.add_conditional_edges("reflect", _after_reflection, ["synthesise", "plan", START_OVER])
    graph.add_conditional_edges("direct", _after_lookup, ["synthesise", START_OVER])
    graph.add_conditional_edges("synthesise", _after_synthesis, [END, START_OVER])
    return graph.compile(name="research")


def _after_understanding(state: ResearchState) -> str:
    if state.get("unusable"):
        return START_OVER
    understood = Understanding.model_validate(state["understanding"])
    if not understood.clear and not state.get("asked_back"):
        return "clarify"
    simple = understood.inferred_depth == "quick" and understood.intent == "quick_lookup"
    return "direct" if simple and understood.export_intent in (None, "none") else "plan"


def _after_planning(state: ResearchState) -> str:
    if state.get("unusable"):
        return START_OVER
    if state.get("stopped"):
        return "synthesise"
    if TaskPlan.model_validate(state["plan"]).is_simple_query:
        return "direct"
    return "approve" if state.get("iteration", 0) == 1 else "execute"


def _after_approval(state: ResearchState) -> str:
    if not state.get("plan"):
        return "plan"
    return "direct" if TaskPlan.model_validate(state["plan"]).is_simple_query else "execute"


def _after_reflection(state: ResearchState) -> str:
    if state.get("unusable"):
        return START_OVER
    return "synthesise" if state.get("stopped") else "plan"


def _after_lookup(state: ResearchState) -> str:
    return START_OVER if state.get("unusable") else "synthesise"


def _after_synthesis(state: ResearchState) -> str:
    return START_OVER if state.get("unusable") else END


def _plan_answer(given: Any, proposed: TaskPlan) -> tuple[PlanAnswer | None, str]:
    """Return the user's answer to a plan; where it cannot be used, None and why."""
    try:
        said = PlanAnswer.model_validate(given)
    except ValidationError as error:
        edited = isinstance(given, Mapping) and given.get("plan") is not None
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        return None, f"The edited plan is no plan ({where}: {first['msg']}). " if edited else NOT_AN_ANSWER
    if said.accepted and said.plan is not None:
        offered = {name for name in registry() if name not in NOT_OFFERED}
        asked = {call.capability for task in said.plan.tasks for call in task.calls}
        unknown = [f"There is no tool {name} for tasks." for name in sorted(asked - offered)]
        if problems := [*plan_problems(said.plan), *unknown]:
            return None, f"The edited plan cannot be carried out: {' '.join(problems)} "
        said = said.model_copy(update={"plan": with_proposed_calls(said.plan, proposed)})
    return said, ""


def _announce_plan(context: RunContext, plan: TaskPlan, number: int, **data: Any) -> None:
    """Show the plan of an iteration before it is carried out; a later event of the same iteration replaces it."""
    shown = plan.model_dump(mode="json", exclude={"tasks": {"__all__": {"calls"}}})
    context.events.emit("plan", plan.summary, step="plan", iteration=number, plan=shown, **data)


class _ResearchSteps:
    """The nodes."""

    def __init__(self, models: TierModels) -> None:
        self._models = models

    async def understand(
        self, state: ResearchState, runtime: Runtime[ResearchContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Read the question: intent, companies, depth, how sure."""
        context, spec = runtime.context, question_reader.SPEC
        symbols, unclear = await self._companies_by_rules(context, state, spec.tier)

        def brief(agent: str, rule: ObjectRule | TextRule) -> Brief:
            return Brief(agent, rule, known=with_companies(research_brief(context, state), symbols, unclear))

        calls = spec.calls(context, models_of(state, self._models), brief)
        understood = await spec.typed(calls, Understanding, _parts(state))
        named = list(dict.fromkeys(one_line(name)[:NAME_CHARS] for name in understood.tickers if name.strip()))
        if len(named) > MOST_COMPANIES:
            told_much = f"The question names {len(named)} companies; the first {MOST_COMPANIES} are researched."
            context.events.emit("warning", told_much, step="understand")
            calls_left = {**calls.left, "warnings": [told_much]}
        else:
            calls_left = calls.left
        companies, unmatched = await resolved(context, named[:MOST_COMPANIES])
        earlier = {ticker for question in state.get("history", []) for ticker in question.tickers}
        understanding = understood.model_copy(
            update={
                "tickers": [*companies, *unmatched],
                "prior_tickers_researched": [symbol for symbol in companies if symbol in earlier],
                "prior_task_results": None,  # the session has them
            }
        )
        who = ", ".join(understanding.tickers) or "no company"
        said = f"{understood.intent}: {who}, {understood.inferred_depth}, confidence {understood.confidence:.0%}"
        data = understanding.model_dump(mode="json")
        context.events.emit("analysis", said, step="understand", **data)
        return {"understanding": data, **calls_left}

    async def clarify(
        self, state: ResearchState, runtime: Runtime[ResearchContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Ask the user what was meant; do nothing else until that is answered."""
        understood = Understanding.model_validate(state["understanding"])
        question = understood.clarification or "What exactly do you want to know, and of which company?"
        if not runtime.context.may_ask:
            raise UsageError(f"{question} Ask again with that in the question.")
        # The node begins anew when an answer is there: nothing may happen before it is read.
        how = f"`tradingagents research --resume {runtime.context.run_id} --answer TEXT`"
        answer = ""
        while not answer:
            said = interrupt({"question": question, "kind": "clarification", "answer_with": how})
            answer = str(said.get("note") or said.get("text") or "").strip()
        runtime.context.events.emit("approval", f"clarified: {answer}", step="understand", question=question)
        return {"asked_back": [answer]}

    async def plan(
        self, state: ResearchState, runtime: Runtime[ResearchContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Write a new plan from everything that is known; refuse one that breaks the rules of plans."""
        context, spec = runtime.context, planner.SPEC
        number = state.get("iteration", 0) + (1 if state.get("plan") or not state.get("iteration") else 0)
        understood = Understanding.model_validate(state["understanding"])
        frameworks = load_frameworks(context.settings)
        calls = spec.calls(context, models_of(state, self._models), self._brief(context, state))
        guidance = " ".join(part for part in (reuse_guidance(understood), state.get("guidance", "")) if part)
        try:
            plan = await spec.typed(
                calls,
                TaskPlan,
                [*_parts(state), findings_part(_results(state)), iterations_part(state.get("iterations", []))],
                check=lambda plan: " ".join(plan_problems(plan)) or None,
                understanding=_told(understood),
                guidance=f"Guidance: {guidance}\n" if guidance else "",
                frameworks=frameworks_lines({name: framework.summary for name, framework in frameworks.items()}),
                tools=catalogue_lines(context.available.values()),
            )
        except StructuredOutputError:
            if not _results(state):
                raise
            missing = missing_from(state)
            context.events.emit(
                "warning", "No further plan could be made; the answer uses what was found.", step="plan"
            )
            return {"stopped": "no_plan", "missing": missing, **calls.left}
        if not getattr(models_of(state, self._models).of(spec.tier), "needs_brief", False):
            plan = without_calls(plan)
        plan = with_export_task(plan, understood)
        _announce_plan(context, plan, number)
        return {"plan": plan.model_dump(mode="json"), "iteration": number, **calls.left}

    async def approve(
        self, state: ResearchState, runtime: Runtime[ResearchContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Wait for the user's approval of the plan where it was asked for."""
        if not runtime.context.approve_plan:
            return {}
        plan = TaskPlan.model_validate(state["plan"])
        run = runtime.context.run_id
        approve = f"`tradingagents research --resume {run} --approve`"
        how = f"{approve}; `tradingagents research --help` names the other answers"
        question = f"The plan has {len(plan.tasks)} tasks and awaits approval"
        # The node begins anew when an answer is there: nothing may happen before it is read. One that cannot be used is
        # asked for again: LangGraph keeps each answer, so that an error here would be raised at every resumption.
        said, wrong = None, ""
        while said is None:
            text = f"{wrong}{question}"
            waiting = {"question": text, "kind": "plan", "plan": state["plan"], "answer_with": how}
            said, wrong = _plan_answer(interrupt(waiting), plan)
        if not said.accepted:
            runtime.context.events.emit("approval", f"plan refused: {said.note}", step="plan")
            return {"plan": {}, "guidance": said.note}
        chosen = said.plan or plan
        runtime.context.events.emit("approval", "plan approved", step="plan", edited=said.plan is not None)
        if said.plan is not None:
            _announce_plan(runtime.context, chosen, state["iteration"], edited=True)
        return {"plan": chosen.model_dump(mode="json")}

    async def execute(
        self, state: ResearchState, config: RunnableConfig, runtime: Runtime[ResearchContext]
    ) -> dict[str, Any]:
        """Carry out the tasks of the plan, each as soon as it can begin."""
        context, number = runtime.context, state["iteration"]
        node = research_tool_node(context.available.values())
        runner = ResearchTaskRunner(
            models_of(state, self._models), state, runtime, config, node, number, context.available
        )
        board = TaskBoard(
            context,
            TaskPlan.model_validate(state["plan"]).tasks,
            number,
            runner,
            seconds=context.settings.research_task_seconds,
            most=context.settings.max_concurrent_research_tasks,
            finished=context.finished,
            control=runtime.control,
        )
        results = await board.run()
        return {"results": results, **({"degraded": runner.degraded} if runner.degraded else {})}

    async def direct(
        self, state: ResearchState, runtime: Runtime[ResearchContext], config: RunnableConfig
    ) -> dict[str, Any]:
        """Answer a question of one or two figures: no tasks, one turn of at most two tool calls."""
        context, number = runtime.context, max(1, state.get("iteration", 0))
        node = research_tool_node(context.available.values())
        runner = ResearchTaskRunner(
            models_of(state, self._models), state, runtime, config, node, number, context.available
        )
        failures: list[ModelFailure] = []

        async def attempt(task: ResearchTask, _needed: Mapping[str, TaskResultRecord]) -> TaskOutput:
            try:
                return await runner.direct(task)
            except ModelFailure as failure:
                failures.append(failure)
                raise

        board = TaskBoard(
            context,
            (),
            number,
            attempt,
            seconds=context.settings.research_task_seconds,
            most=1,
            finished=context.finished,
            control=runtime.control,
        )
        result = await board.alone(DirectLookup(description=state["question"]))
        if failures and result.status != "completed":
            raise failures[-1]  # the model failed, not the source: the run can be resumed
        missing = [*state.get("missing", []), *([result.note] if result.note else [])]
        left = {"degraded": runner.degraded} if runner.degraded else {}
        return {"results": {result.key: result}, "stopped": "simple", "missing": missing, **left}

    async def reflect(
        self, state: ResearchState, runtime: Runtime[ResearchContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Judge whether the question can be answered; end the loop, or guide the next plan."""
        context, spec, number = runtime.context, reflector.SPEC, state["iteration"]
        most = context.max_iterations
        calls = spec.calls(context, models_of(state, self._models), self._brief(context, state))
        try:
            judged = await spec.typed(
                calls,
                ReflectionResult,
                [*_parts(state), findings_part(_results(state)), iterations_part(state.get("iterations", []))],
                iteration=number,
                most=most,
            )
        except StructuredOutputError:
            if not any(result.status == "completed" for result in _results(state)):
                raise
            context.events.emit("warning", NOT_JUDGED, step="reflect")
            note = _note(state, ReflectionResult(is_complete=False, reasoning=NOT_JUDGED))
            return {"iterations": [note], "stopped": "not_judged", "missing": missing_from(state), **calls.left}
        status = "Complete" if judged.is_complete else "Incomplete"
        context.events.emit(
            "reflection",
            f"{status}: {judged.reasoning}",
            step="reflect",
            iteration=number,
            most=most,
            **judged.model_dump(mode="json"),
        )
        note = _note(state, judged)
        stopped = "complete" if judged.is_complete else "max_iterations" if number >= most else ""
        return {
            "iterations": [note],
            "guidance": judged.guidance,
            "stopped": stopped,
            "missing": missing_from(state, judged.missing_info) if stopped else [],
            **calls.left,
        }

    async def synthesise(
        self, state: ResearchState, runtime: Runtime[ResearchContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Write the answer, and name the sources below it."""
        context, spec, results = runtime.context, synthesizer.SPEC, _results(state)
        understood = Understanding.model_validate(state["understanding"])
        left: dict[str, Any] = {}
        history, reason = state.get("history", []), state.get("by_rules", "")
        found = any(result.status == "completed" for result in results)
        if not (found or reason or context.by_rules) and any(NO_CALL in result.note for result in results):
            return {"unusable": f"{NO_CALL}; name a larger model, or one that calls tools."}
        if found:
            calls: ModelCalls = spec.calls(context, models_of(state, self._models), self._brief(context, state))
            export = understood.export_intent
            shown = await sourced_text(
                spec,
                calls,
                "answer",
                [*_parts(state), findings_part(results)],
                understanding=_told(understood),
                missing=fenced("; ".join(state.get("missing", []))) or "nothing is known to be missing",
                export=synthesizer.EXPORT.format(what="a workbook" if export == "excel" else "a PDF document")
                if export in ("excel", "pdf")
                else "",
            )
            text, left = shown.text, {**calls.left, "withheld": shown.withheld}
        else:
            reasons = "; ".join(dict.fromkeys(result.note for result in results if result.note))
            text = f"{NOTHING_FOUND} {reasons}".strip()
        sources = [*source_names(results), *session_sources(history, understood.tickers, results, text)]
        answer = with_sources(text, sources, state.get("missing", []), withheld_note(left.get("withheld", [])))
        return {
            "answer": f"{note_of(reason)}\n\n{answer}" if reason else answer,
            "sources": sources,
            **left,
        }

    async def start_over(
        self, state: ResearchState, runtime: Runtime[ResearchContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Forget what the model has led to; rules answer from the beginning."""
        runtime.context.events.emit("warning", note_of(state["unusable"]), step="understand")
        forgotten: dict[str, Any] = {
            **dict.fromkeys(("answer", "guidance", "stopped"), ""),
            **{name: {} for name in ("understanding", "plan")},
            **{name: [] for name in ("sources", "missing", "withheld")},
            **dict.fromkeys(("results", "iterations")),
            # Tasks are known by iteration and id: those of the rules are others than the model's.
            "iteration": max(1, state.get("iteration", 0)) + 1 if state.get("understanding") else 0,
        }
        return {**forgotten, **started_over(state, synthesizer.SPEC.name)}

    async def _companies_by_rules(
        self, context: ResearchContext, state: ResearchState, tier: Tier
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the companies and the unclear words of the question; nothing where no rule reads it."""
        fallback = context.fallbacks.get(tier)
        answering = [models_of(state, self._models).of(tier), *([fallback.llm] if fallback else [])]
        if not any(getattr(model, "needs_brief", False) for model in answering):
            return (), ()
        symbols, unknown = await named_companies(context, state)
        return symbols, () if symbols else unknown  # words beside a known company are rarely another one

    def _brief(self, context: RunContext, state: ResearchState) -> Any:
        def brief(agent: str, rule: ObjectRule | TextRule) -> Brief:
            return Brief(agent, rule, known=research_brief(context, state))

        return brief


def _results(state: ResearchState) -> list[TaskResultRecord]:
    return list(state.get("results", {}).values())


def _parts(state: ResearchState) -> list[str]:
    """Return the opening of every prompt of the run: the session, then the question."""
    return [session_part(state.get("history", [])), question_part(state["question"], state.get("asked_back", []))]


def _told(understood: Understanding) -> str:
    shown = understood.model_dump(mode="json", exclude={"confidence", "clarification", "prior_task_results"})
    said = {name: value for name, value in shown.items() if value not in (None, "", [], False, "none")}
    told = (f"{name} {', '.join(value) if isinstance(value, list) else value}" for name, value in said.items())
    return fenced(one_line("; ".join(told))[:TOLD_CHARS])


def _note(state: ResearchState, judged: ReflectionResult) -> IterationNote:
    return IterationNote(number=state["iteration"], plan=state["plan"], **dict(judged))
