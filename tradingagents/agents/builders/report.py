"""Build a reporting agent: initial tool calls, further calls that the model asks for, then one report."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Annotated, Any, TypedDict, cast, get_type_hints

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolCall,
    ToolMessage,
)
from langchain_core.runnables import RunnableConfig
from langgraph.errors import GraphBubbleUp
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from pydantic import TypeAdapter

from tradingagents.agents.builders.briefs import report_brief
from tradingagents.agents.builders.grounds import REPORT_WISH, all_text, is_held_to_data, report_fault
from tradingagents.agents.builders.node import AgentGraph, NextNode, Node
from tradingagents.agents.builders.subject_question import ANSWER_TOKENS, read_subject
from tradingagents.agents.model_calls import Bind, Model, ModelCalls, asks_for_tools
from tradingagents.agents.prompting import instrument_part, joined, reports_part, results_part, role_part, said_last
from tradingagents.agents.roster import report_keys
from tradingagents.agents.scan_states import merge_seen
from tradingagents.agents.spec import ReportAgent
from tradingagents.agents.states import NOT_AVAILABLE, Degraded, Failure, Failures, appended
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.tools import as_tool, tool_node
from tradingagents.context import RunContext
from tradingagents.errors import BudgetReached, ModelFailure, ModelUnreachable, ReplyNotKept, TradingAgentsError
from tradingagents.llm_clients.model_profile import report_limit
from tradingagents.provenance.company_mentions import CompanyBook

_Step = Callable[[Mapping[str, Any], Runtime[RunContext], RunnableConfig], Awaitable[dict[str, Any]]]

WRITE_NOW = "You have no tool calls left. Write the report now from what you have; say what is missing."
FETCHED = """\
The data above have been fetched for you. Call a tool only for what they lack and your report needs; else write the report
now."""
CALL_FIRST = "No tool has answered yet. Call the tools you need first; the report must rest on their results."


def report_agent(spec: ReportAgent, llm: BaseChatModel) -> AgentGraph:
    """Return a reporting agent: a sub-graph with its own messages, model step and tool step, that writes one report.

    The initial calls are made first, concurrently, through the same tool node as the model's own. Their results stand
    fenced in the user's message, not as calls that the model never made: providers check the turns that they are sent
    back. The model may then call tools for `max_tool_rounds` rounds; after that it is asked once more, without tools.
    """
    reporter, key = _Reporter(spec, llm), spec.output_key
    conversation, question, output = _schemas(
        cast(Hashable, spec.state_schema), key, tuple(spec.copy_results), spec.keep_results
    )
    # Its state is any conversation, which LangGraph cannot know.
    graph = StateGraph(cast(Any, conversation), RunContext, input_schema=question, output_schema=output)
    graph.add_node("write", Node(reporter.or_gap(reporter.write), name="write", llm=llm))
    graph.add_node("tools", Node(reporter.or_gap(reporter.answer_calls), name="tools", llm=llm))
    graph.add_edge(START, "write")
    graph.add_conditional_edges("tools", NextNode(lambda state: END if state.get(key) else "write"), ["write", END])
    graph.add_conditional_edges("write", NextNode(reporter.after_write), ["tools", "write", END])
    return AgentGraph.of(graph.compile(name=spec.name))


class _Reporter:
    """The steps of one reporting agent."""

    def __init__(self, spec: ReportAgent, llm: BaseChatModel) -> None:
        self._spec, self._llm = spec, llm
        self._run_tools = tool_node(spec.tools, agent=spec.name)
        self._bound: dict[tuple[str, ...], Model] = {}
        self._input_reports = report_keys(spec.input_phases)

    async def write(
        self, state: Mapping[str, Any], runtime: Runtime[RunContext], config: RunnableConfig
    ) -> dict[str, Any]:
        """Ask the model for tool calls or the report."""
        spec, context, rounds = self._spec, runtime.context, state.get("tool_rounds", 0)
        if (unfit := spec.unfit(context)) is not None:
            return {spec.output_key: f"{NOT_AVAILABLE} {unfit}"}
        fetched = state.get("prescribed")
        if fetched is None:
            fetched = await self._prescribed(state, runtime, config)
        brief = partial(report_brief, spec, context, state, fetched)
        limit = report_limit(spec.prompt)
        asking = ModelCalls(context, spec.name, spec.tier, self._llm, brief, most_tokens=limit)
        # What the step adds to the conversation: what the model was told, what it answered.
        told: list[BaseMessage] = []
        so_far = [*self._opening(context, state, fetched), *state.get("messages", [])]
        known = [*fetched, *so_far]
        may_call = rounds < context.settings.max_tool_rounds
        bind = self._with_tools(context) if may_call else None
        reply = await asking.reply(so_far if may_call else said_last(so_far, WRITE_NOW), bind=bind)
        if spec.must_call and may_call and not (asks_for_tools(reply) or _answered(known) or rounds):
            told += [reply, HumanMessage(CALL_FIRST)]
            reply = await asking.reply([*so_far, *told], bind=bind)
        if not (may_call and asks_for_tools(reply)):
            again = partial(asking.reply, bind=bind)
            shown = [*so_far, *told] if may_call else said_last(so_far, WRITE_NOW)
            reply = await asking.mended(reply, shown, again, or_calls=may_call)
            if not (may_call and asks_for_tools(reply)):
                reply = await self._founded(asking, reply, shown, again, or_calls=may_call)
        left: dict[str, Any] = {"prescribed": fetched, "messages": [*told, reply], **asking.left}
        if may_call and asks_for_tools(reply):
            return {
                **left,
                "messages": [*left["messages"], *unreadable_calls(reply)],
                "tool_rounds": rounds + 1,
            }
        report = reply.text.strip()
        context.events.emit("node_end", spec.name, node=spec.name, step=spec.phase, report=report)
        kept = {**_kept(spec, known), **_copied(spec.copy_results, known)}
        return {**left, spec.output_key: report, **kept}

    async def _founded(
        self,
        asking: ModelCalls,
        reply: AIMessage,
        messages: Sequence[BaseMessage],
        ask: Callable[[Sequence[BaseMessage]], Awaitable[AIMessage]],
        *,
        or_calls: bool,
    ) -> AIMessage:
        """Return a report that rests on the data: the given one, or a second one; or calls of tools where they count.

        Raises:
            ModelFailure: The second one does not either; or from `ask`.
        """
        if not is_held_to_data(self._llm):
            return reply
        fault_of_report = self._fault_check(asking, all_text(messages))
        fault = await fault_of_report(reply.text)
        if fault is None:
            return reply
        asking.again(f"its report {fault}.")
        wish = [AIMessage(reply.text), HumanMessage(REPORT_WISH.format(problem=fault))]
        second = await asking.mended(await ask([*messages, *wish]), [*messages, *wish], ask, or_calls=or_calls)
        if or_calls and asks_for_tools(second):
            return second
        if fault := await fault_of_report(second.text):
            raise ModelFailure(f"the model's report {fault}, twice; try a larger model.")
        return second

    def _fault_check(self, asking: ModelCalls, given: str) -> Callable[[str], Awaitable[str | None]]:
        """Return what tells why a report is none, see `report_fault`; it may ask the model whom the report is about."""
        spec, context = self._spec, asking.context
        calls = replace(asking, brief=None, most_tokens=ANSWER_TOKENS)  # it keeps the lists of what was lacking

        known: dict[str, str | None] = {}

        async def read(report: str, book: CompanyBook) -> str | None:
            if report not in known:
                known[report] = await read_subject(report, calls, book)
            return known[report]

        return partial(
            report_fault,
            agent=spec.name,
            context=context,
            prompt=spec.prompt,
            given=given,
            read_subject=read if context.settings.ask_report_company and not _fell_back_to_rules(asking) else None,
        )

    def after_write(self, state: Mapping[str, Any]) -> str:
        """Return the next step: the tools that were called, the report again, or the end."""
        if state.get(self._spec.output_key):
            return END
        last = next(message for message in reversed(state["messages"]) if isinstance(message, AIMessage))
        return "tools" if last.tool_calls else "write"

    async def answer_calls(
        self, state: Mapping[str, Any], runtime: Runtime[RunContext], config: RunnableConfig
    ) -> dict[str, Any]:
        """Run the tools that the model called."""
        return cast(dict[str, Any], await self._run_tools.ainvoke(state, config, runtime=runtime))

    def or_gap(self, step: _Step) -> Any:
        """Wrap a step so that its failure becomes a statement in place of the report, and the run continues."""
        spec = self._spec

        async def step_or_gap(
            state: Mapping[str, Any], runtime: Runtime[RunContext], config: RunnableConfig
        ) -> dict[str, Any]:
            try:
                return await step(state, runtime, config)
            except (BudgetReached, ReplyNotKept, GraphBubbleUp):
                raise
            except Exception as error:  # noqa: BLE001 - a bug in one branch must not take the others with it
                failure = _failure(spec.name, error)
                said = could_not_report(failure)
                runtime.context.events.emit("warning", said, node=spec.name, step=spec.phase)
                return {spec.output_key: f"{NOT_AVAILABLE} The {said}", "failures": {spec.output_key: failure}}

        return step_or_gap

    async def _prescribed(
        self, state: Mapping[str, Any], runtime: Runtime[RunContext], config: RunnableConfig
    ) -> list[AnyMessage]:
        """Make the initial calls; return them and their results. Empty where none is prescribed."""
        spec, context = self._spec, runtime.context
        context.events.emit("node_start", spec.name, node=spec.name, step=spec.phase)
        calls = spec.initial_calls(context, state) if spec.initial_calls else ()
        if not calls:
            return []
        asked = AIMessage("", tool_calls=[tool_call(number, *call) for number, call in enumerate(calls)])
        told = await self._run_tools.ainvoke({"messages": [asked]}, config, runtime=runtime)
        return [asked, *told["messages"]]

    def _opening(
        self, context: RunContext, state: Mapping[str, Any], fetched: Sequence[AnyMessage]
    ) -> list[BaseMessage]:
        """Return the first messages: the rules; input reports, what was fetched, the role."""
        spec = self._spec
        earlier = reports_part(state, self._input_reports) if self._input_reports else ""
        data = results_part(fetched)
        parts = [
            instrument_part(context),
            earlier,
            f"# Data fetched for you\n{data}" if data else "",
            role_part(spec.name, spec.prompt),
            FETCHED if data else "",
        ]
        return [SystemMessage(context.preamble), HumanMessage(joined(parts))]

    def _with_tools(self, context: RunContext) -> Bind:
        """Return the function that binds this run's tools to a model."""
        offered = self._spec.offered_tools(context)
        names = tuple(tool.name for tool in offered)

        def bind(model: BaseChatModel) -> Model:
            if model is not self._llm:
                return model.bind_tools([as_tool(tool) for tool in offered])
            if names not in self._bound:
                self._bound[names] = model.bind_tools([as_tool(tool) for tool in offered])
            return self._bound[names]

        return bind


@cache
def _schemas(
    state_schema: Hashable, output_key: str, copied: tuple[str, ...], kept: tuple[str, ...]
) -> tuple[type[Any], type[Any], type[Any]]:
    """Return the sub-graph's state, its input and its output as types."""
    known = get_type_hints(cast(type[Any], state_schema), include_extras=True)
    texts: dict[str, Any] = dict.fromkeys((output_key, *copied), str)
    left = {**texts, **{key: known[key] for key in kept}, "failures": Failures, "degraded": Degraded}
    question = {**known, **left}
    own = {
        "prescribed": list[AnyMessage],
        "messages": Annotated[list[AnyMessage], appended],
        "tool_rounds": int,
    }
    told = {"warnings": Annotated[list[str], appended]}  # those of others are not taken in: they would count twice
    fields = {"Conversation": {**question, **own, **told}, "Question": question, "Report": {**left, **told}}
    conversation, asked, output = (
        TypedDict(f"{output_key}_{name}", kinds, total=False)  # type: ignore[operator]
        for name, kinds in fields.items()
    )
    return conversation, asked, output


def could_not_report(failure: Failure) -> str:
    """Return the sentence that says which agent could not report, and why."""
    return f"{failure['agent']} could not report: {failure['reason']}"


def _fell_back_to_rules(asking: ModelCalls) -> bool:
    """Tell whether rules answered in place of a model that failed."""
    fallback = asking.context.fallbacks.get(asking.tier)
    fell_back = any(gap.kind == "fallback_model" for gap in asking.degraded)
    return fell_back and fallback is not None and not is_held_to_data(fallback.llm)


def _failure(agent: str, error: Exception) -> Failure:
    known = isinstance(error, TradingAgentsError)
    return Failure(
        agent=agent,
        kind="unreachable" if isinstance(error, ModelUnreachable) else "failed",
        reason=str(error).removeprefix(f"{agent}: ")
        if known
        else f"an unexpected {type(error).__name__} in its tools or model",
    )


def tool_call(number: int, tool: Capability, arguments: Mapping[str, Any]) -> ToolCall:
    """Return an initial call. Its id is the same in every run, because a replay matches requests exactly."""
    what = json.dumps([number, tool.name, arguments], default=str)
    name = f"call_{hashlib.sha256(what.encode()).hexdigest()[:24]}"
    return ToolCall(name=tool.name, args=dict(arguments), id=name, type="tool_call")


def _answered(messages: Sequence[AnyMessage]) -> bool:
    """Tell whether any tool has answered."""
    return any(isinstance(message, ToolMessage) and message.status != "error" for message in messages)


def unreadable_calls(reply: AIMessage) -> list[ToolMessage]:
    """Answer tool calls whose arguments are not JSON: servers reject conversations with unanswered calls."""
    return [
        ToolMessage(
            f"The arguments of {call['name']} are not valid JSON; call it again.",
            name=call["name"],
            tool_call_id=call["id"] or "",
            status="error",
        )
        for call in reply.invalid_tool_calls
    ]


def _copied(copies: Mapping[str, Capability], messages: Sequence[AnyMessage]) -> dict[str, str]:
    """Return the first successful result of each copied capability, by state key."""
    results = [message for message in messages if isinstance(message, ToolMessage) and message.status != "error"]
    return {
        key: str(message.content)
        for key, capability in copies.items()
        for message in [next((one for one in results if one.name == capability.name), None)]
        if message is not None
    }


def _kept(spec: ReportAgent, messages: Sequence[AnyMessage]) -> dict[str, Any]:
    """Return the typed parts of tool results by state key: all stocks seen, else the latest value."""
    found: dict[str, Any] = {}
    for message in messages:
        if isinstance(message, ToolMessage) and message.artifact:
            for key in set(spec.keep_results) & set(message.artifact):
                # JSON, or what a checkpoint made of records
                new = _reader(cast(Hashable, spec.state_schema), key)(message.artifact[key])
                found[key] = merge_seen(found.get(key, {}), new) if key == "seen" else new
    return found


@cache
def _reader(state_schema: Hashable, key: str) -> Callable[[object], Any]:
    """Return what reads the JSON of a tool's result as the state holds it."""
    return TypeAdapter(get_type_hints(cast(type[Any], state_schema))[key]).validate_python
