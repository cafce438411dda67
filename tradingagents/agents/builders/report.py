"""Build a reporting agent: prescribed tool calls first, further ones if it asks, then one report."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, TypedDict, cast, get_type_hints

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

from tradingagents.agents.builders.node import NOT_AVAILABLE, AgentGraph, Node
from tradingagents.agents.model_calls import Asking, Bind, Model, asks_for_tools
from tradingagents.agents.prompting import instrument_part, joined, reports_part, role_part
from tradingagents.agents.scan_states import merge_seen
from tradingagents.agents.states import AnalystState, Failure
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.tools import as_tool, tool_node
from tradingagents.context import RunContext
from tradingagents.errors import BudgetReached, ModelUnreachable, ReplyNotKept, TradingAgentsError
from tradingagents.llm_clients.calls import RequestRefused
from tradingagents.settings import Tier

ToolCalls = Sequence[tuple[Capability, Mapping[str, Any]]]
_Step = Callable[[Mapping[str, Any], Runtime[RunContext], RunnableConfig], Awaitable[dict[str, Any]]]

WRITE_NOW = "You have no tool calls left. Write the report now from what you have; say what is missing."
CALL_FIRST = "No tool has answered yet. Call the tools you need first; the report must rest on their results."


def report_agent(
    llm: BaseChatModel,
    prompt: str,
    tools: Sequence[Capability],
    *,
    agent: str,
    writes: str,
    leaves: type[Any],
    tier: Tier = "quick",
    step: str = "analysts",
    conversation: type[Any] = AnalystState,
    reads: Sequence[str] = (),
    primed: Callable[[Any, Mapping[str, Any]], ToolCalls] | None = None,
    must_call: bool = False,
    also: Mapping[str, Capability] | None = None,
    where_answered: Mapping[Capability, str] | None = None,
) -> AgentGraph:
    """Return a reporting agent: a sub-graph with its own messages, agent and tool node, that leaves one report.

    The prescribed calls are made first, concurrently, through the same tool node as the model's own, and stand in the
    conversation as ordinary tool calls and results. The model may then call tools for `max_tool_rounds` rounds; after
    that it is asked once more, without tools.

    Args:
        llm: The model.
        prompt: The role's instruction.
        tools: What the model may call.
        agent: The agent's name.
        writes: State key of the report.
        leaves: The state keys the parent graph takes over: the report, and what results keep under them.
        tier: Tier of the model, for the meter.
        step: The phase, for the events.
        conversation: The sub-graph's own state.
        reads: State keys of earlier reports that stand before the role's instruction.
        primed: The prescribed calls for a run, from its context and the state.
        must_call: Whether a report that no tool result stands behind is asked for again, once.
        also: State keys that take the result of a capability as it stands.
        where_answered: Tools offered only in a run in which some vendor can be asked, with the method it is asked.
    """
    depends = dict(where_answered or {})
    bound: dict[tuple[str, ...], Model] = {}

    def with_tools(context: RunContext) -> Bind:
        """Return what gives a model the tools it may call in a run."""
        may = [tool for tool in tools if tool not in depends or context.data.can(depends[tool])]
        names = tuple(tool.name for tool in may)

        def bind(one: BaseChatModel) -> Model:
            if one is not llm:
                return one.bind_tools([as_tool(tool) for tool in may])
            if names not in bound:
                bound[names] = llm.bind_tools([as_tool(tool) for tool in may])
            return bound[names]

        return bind

    run_tools = tool_node(tools, agent=agent)
    copies = dict(also or {})
    keeps = frozenset(leaves.__annotations__) - {writes}

    async def opening(
        state: Mapping[str, Any], runtime: Runtime[RunContext], config: RunnableConfig
    ) -> list[AnyMessage]:
        """Return how the conversation begins: what is read, the role, the prescribed calls and their results."""
        context = runtime.context
        context.events.emit("node_start", agent, node=agent, step=step)
        earlier = reports_part(state, reads) if reads else ""
        messages: list[AnyMessage] = [
            HumanMessage(joined([instrument_part(context), earlier, role_part(agent, prompt)]))
        ]
        calls = primed(context, state) if primed else ()
        if calls:
            messages.append(AIMessage("", tool_calls=[_tool_call(number, *call) for number, call in enumerate(calls)]))
            messages += (await run_tools.ainvoke({"messages": messages}, config))["messages"]
        return messages

    async def ask_to_write(asking: Asking, messages: Sequence[BaseMessage]) -> AIMessage:
        """Ask without tools; with them where a server wants the tools named that the conversation used."""
        try:
            return await asking.reply(messages)
        except RequestRefused:
            return await asking.reply(messages, bind=with_tools(asking.context))

    async def write(state: Mapping[str, Any], runtime: Runtime[RunContext], config: RunnableConfig) -> dict[str, Any]:
        context, rounds = runtime.context, state.get("tool_rounds", 0)
        asking = Asking(context, agent, tier, llm)
        # What this step adds to the conversation: its beginning, what the model was told, what it answered.
        added: list[AnyMessage] = [] if state.get("messages") else await opening(state, runtime, config)
        so_far = [SystemMessage(context.preamble), *state.get("messages", []), *added]
        told: list[AnyMessage] = []
        may_call = rounds < context.settings.max_tool_rounds
        if may_call:
            reply = await asking.reply(so_far, bind=with_tools(context))
        else:
            told.append(HumanMessage(WRITE_NOW))
            reply = await ask_to_write(asking, [*so_far, *told])
        if must_call and may_call and not (asks_for_tools(reply) or _answered(so_far) or rounds):
            told += [reply, HumanMessage(CALL_FIRST)]
            reply = await asking.reply([*so_far, *told], bind=with_tools(context))
        if not (may_call and asks_for_tools(reply)):
            again = partial(asking.reply, bind=with_tools(context)) if may_call else partial(ask_to_write, asking)
            reply = await asking.mended(reply, [*so_far, *told], again, or_calls=may_call)
        if may_call and asks_for_tools(reply):
            return {"messages": [*added, *told, reply, *_unreadable(reply)], "tool_rounds": rounds + 1, **asking.left}
        report = reply.text.strip()
        context.events.emit("node_end", agent, node=agent, step=step, report=report)
        left = {**_kept(keeps, so_far), **_copied(copies, so_far)}
        return {"messages": [*added, *told, reply], writes: report, **left, **asking.left}

    def after_write(state: Mapping[str, Any]) -> str:
        if state.get(writes):
            return END
        last = next(message for message in reversed(state["messages"]) if isinstance(message, AIMessage))
        return "tools" if last.tool_calls else "write"

    async def answer_calls(
        state: Mapping[str, Any], _runtime: Runtime[RunContext], config: RunnableConfig
    ) -> dict[str, Any]:
        return cast(dict[str, Any], await run_tools.ainvoke(state, config))

    def or_gap(node: _Step) -> Any:
        """Return a step that states a gap in the report's place where it fails, so that the run goes on without."""

        async def step_or_gap(
            state: Mapping[str, Any], runtime: Runtime[RunContext], config: RunnableConfig
        ) -> dict[str, Any]:
            try:
                return await node(state, runtime, config)
            except (BudgetReached, ReplyNotKept, GraphBubbleUp):
                raise
            except Exception as error:  # noqa: BLE001 - a bug in one branch must not take the others with it
                failure = _failure(agent, error)
                runtime.context.events.emit("warning", could_not_report(failure), node=agent, step=step)
                return {writes: f"{NOT_AVAILABLE} The {could_not_report(failure)}", "failures": {writes: failure}}

        return step_or_gap

    # Their state is any conversation, which LangGraph cannot know.
    graph = StateGraph(
        conversation, RunContext, input_schema=_question_of(cast(Any, conversation)), output_schema=leaves
    )
    graph.add_node("write", Node(or_gap(write), name="write", llm=llm))
    graph.add_node("tools", Node(or_gap(answer_calls), name="tools", llm=llm))
    graph.add_edge(START, "write")
    graph.add_conditional_edges("tools", lambda state: END if state.get(writes) else "write", ["write", END])
    graph.add_conditional_edges("write", after_write, ["tools", "write", END])
    return AgentGraph.of(graph.compile(name=agent))


@cache
def _question_of(conversation: type[Any]) -> type[Any]:
    """Return what an agent takes over from the graph around it: all but a conversation, which is its own."""
    fields = get_type_hints(conversation, include_extras=True)
    asked = {name: kind for name, kind in fields.items() if name not in ("messages", "tool_rounds")}
    schema: type[Any] = TypedDict(f"{conversation.__name__}Question", asked, total=False)  # type: ignore[misc]
    return schema


def could_not_report(failure: Failure) -> str:
    """Return the sentence that says who could not report, and why."""
    return f"{failure['agent']} could not report: {failure['reason']}"


def _failure(agent: str, error: Exception) -> Failure:
    known = isinstance(error, TradingAgentsError)
    return Failure(
        agent=agent,
        kind="unreachable" if isinstance(error, ModelUnreachable) else "failed",
        reason=str(error) if known else f"an unexpected {type(error).__name__} in its tools or model",
    )


def _tool_call(number: int, tool: Capability, arguments: Mapping[str, Any]) -> ToolCall:
    """Return a prescribed call. Its id is the same in every run: a replay finds only what is asked to the letter."""
    what = json.dumps([number, tool.name, arguments], default=str)
    name = f"call_{hashlib.sha256(what.encode()).hexdigest()[:24]}"
    return ToolCall(name=tool.name, args=dict(arguments), id=name, type="tool_call")


def _answered(messages: Sequence[AnyMessage]) -> bool:
    """Tell whether any tool has answered."""
    return any(isinstance(message, ToolMessage) and message.status != "error" for message in messages)


def _unreadable(reply: AIMessage) -> list[ToolMessage]:
    """Answer the tool calls whose arguments are not JSON: a server refuses a conversation that leaves one open."""
    return [
        ToolMessage(
            f"The arguments of {call['name']} are not valid JSON; call it again.",
            name=call["name"],
            tool_call_id=call["id"] or "",
            status="error",
        )
        for call in reply.invalid_tool_calls
    ]


def _copied(also: Mapping[str, Capability], messages: Sequence[AnyMessage]) -> dict[str, str]:
    """Return the first good result of each capability that a state key takes over."""
    results = [message for message in messages if isinstance(message, ToolMessage) and message.status != "error"]
    return {
        key: str(message.content)
        for key, capability in also.items()
        for message in [next((one for one in results if one.name == capability.name), None)]
        if message is not None
    }


def _kept(keys: frozenset[str], messages: Sequence[AnyMessage]) -> dict[str, Any]:
    """Return what the results keep under the given state keys: of stocks seen all of them, else the latest."""
    found: dict[str, Any] = {}
    for message in messages:
        if isinstance(message, ToolMessage) and message.artifact:
            for key in keys & set(message.artifact):
                new = message.artifact[key]
                found[key] = merge_seen(found.get(key, {}), new) if key == "seen" else new
    return found
