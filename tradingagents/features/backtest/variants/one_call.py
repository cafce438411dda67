"""One call instead of a team: the analysts' prescribed tool results in one prompt, one decision by the deep model.

It is what a backtest compares the team with, and is not a kind of run that is started by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from tradingagents.agents import roster
from tradingagents.agents.builders.agent_node import agent_node
from tradingagents.agents.builders.node import Node
from tradingagents.agents.builders.report import tool_call
from tradingagents.agents.managers import sole_decider
from tradingagents.agents.spec import ReportAgent
from tradingagents.agents.states import NOT_AVAILABLE, AgentState
from tradingagents.capabilities.tools import tool_node
from tradingagents.context import TradingContext
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.runtime.graphs.branches import state_with
from tradingagents.runtime.kind import AnyGraph
from tradingagents.settings import Settings


def build_one_call_graph(models: TierModels, settings: Settings, *, name: str) -> AnyGraph:
    """Compile the graph: the evidence of every analyst, side by side, then the decision.

    Args:
        models: The models of the three tiers; that of the deep tier is asked.
        settings: Whose evidence is read.
        name: Of the graph, in traces.
    """
    agents = roster.trading_agents(settings.analysts)
    analysts = [spec for spec in agents if isinstance(spec, ReportAgent)]
    graph = StateGraph(state_with(AgentState, analysts), TradingContext)
    decider = sole_decider.SPEC
    # Deferred: it runs once, when all evidence is there.
    graph.add_node(decider.name, cast(Any, agent_node(decider, models.of(decider.tier))), defer=True)
    for spec in analysts:
        graph.add_node(spec.name, cast(Any, _evidence(spec)))
        graph.add_edge(START, spec.name)
        graph.add_edge(spec.name, decider.name)
    graph.add_edge(decider.name, END)
    return graph.compile(name=name)


def _evidence(spec: ReportAgent) -> Node:
    """Return a node that makes an analyst's prescribed calls and puts their results in the place of its report."""
    run_tools = tool_node(spec.tools, agent=spec.name)

    async def gather(state: AgentState, runtime: Runtime[TradingContext], config: RunnableConfig) -> dict[str, Any]:
        context = runtime.context
        if (unfit := spec.unfit(context)) is not None:
            return {spec.output_key: f"{NOT_AVAILABLE} {unfit}"}
        context.events.emit("node_start", spec.name, node=spec.name, step=spec.phase)
        calls = spec.initial_calls(context, cast(Mapping[str, Any], state)) if spec.initial_calls else ()
        messages: list[BaseMessage] = [
            AIMessage("", tool_calls=[tool_call(at, *call) for at, call in enumerate(calls)])
        ]
        answers = (
            (await run_tools.ainvoke({"messages": messages}, config, runtime=runtime))["messages"] if calls else []
        )
        text = "\n\n".join(answer.text for answer in answers)
        if all(isinstance(answer, ToolMessage) and answer.status == "error" for answer in answers):
            text = f"{NOT_AVAILABLE} {text}"
        context.events.emit("node_end", spec.name, node=spec.name, step=spec.phase, report=text)
        return {spec.output_key: text}

    return Node(gather, name=spec.name)
