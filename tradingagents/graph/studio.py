"""The graphs for LangGraph Studio: a ticker and a date, or a date, go in; settings come from the environment."""

from __future__ import annotations

from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from tradingagents.agents.scan_states import ScannerState
from tradingagents.agents.states import AgentState
from tradingagents.graph.desk import open_desk
from tradingagents.runs import analyze, scan
from tradingagents.settings import environment, load_settings


def trading() -> CompiledStateGraph[Any, Any, Any, Any]:
    """Return a graph whose one node opens a run and takes it through the trading graph, which Studio finds inside it.

    A run holds the market bound to its day, which no JSON input can carry: so it is opened here, inside the node. No
    checkpointer is set: the server brings its own.
    """
    environ = environment()
    desk = open_desk(load_settings(environ=environ), environ)
    inner = desk.graph

    async def run(state: AgentState) -> dict[str, Any]:
        finished = await analyze(desk, state["company_of_interest"], state["trade_date"])
        return {key: value for key, value in finished.state.items() if key in inner.output_channels}

    graph: StateGraph[Any, Any, Any, Any] = StateGraph(AgentState)
    graph.add_node("trading", run)
    graph.add_edge(START, "trading")
    graph.add_edge("trading", END)
    return graph.compile(name="trading")


def scanner() -> CompiledStateGraph[Any, Any, Any, Any]:
    """Return a graph whose one node opens a scan and takes it through the scanner graph; see `trading`."""
    environ = environment()
    desk = open_desk(load_settings(environ=environ), environ)
    inner = desk.scanner

    async def run(state: ScannerState) -> dict[str, Any]:
        finished = await scan(desk, state["scan_date"])
        return {key: value for key, value in finished.state.items() if key in inner.output_channels}

    graph: StateGraph[Any, Any, Any, Any] = StateGraph(ScannerState)
    graph.add_node("scanner", run)
    graph.add_edge(START, "scanner")
    graph.add_edge("scanner", END)
    return graph.compile(name="scanner")
