"""Builds the scanner graph: parallel scanners, the industry deep dive, the macro synthesis."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from tradingagents.agents import roster
from tradingagents.agents.builders.agent_node import agent_node
from tradingagents.agents.builders.node import Node
from tradingagents.agents.scan_states import ScannerState
from tradingagents.agents.scanners.top_sectors import top_sectors
from tradingagents.capabilities.scanner import get_sector_performance
from tradingagents.context import RunContext
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import DataError
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.runtime.graphs.branches import fail_without_any, state_with
from tradingagents.schemas.records import SectorRecord

MarketScan = CompiledStateGraph[ScannerState, RunContext, ScannerState, ScannerState]

TOP_SECTORS = "Top sectors"
"""The node that joins the scanners and selects the sectors for the deep dive."""
SCANNERS = "scanners"
"""The phase whose agents run in parallel; later agents run one after the other."""


def build_scanner_graph(models: TierModels, *, checkpointer: BaseCheckpointSaver[Any] | None = None) -> MarketScan:
    """Compile the scanner graph.

    Args:
        models: The models of the three tiers.
        checkpointer: Where steps are saved; None saves none (LangGraph's server brings its own).
    """
    agents = roster.scan_agents()
    graph: StateGraph[ScannerState, RunContext, ScannerState, ScannerState] = StateGraph(
        state_with(ScannerState, agents), RunContext
    )
    before = TOP_SECTORS
    for spec in agents:
        # LangGraph's types require a plain node here; a compiled graph is one.
        graph.add_node(spec.name, cast(Any, agent_node(spec, models.of(spec.tier))))
        if spec.phase == SCANNERS:
            graph.add_edge(START, spec.name)
            graph.add_edge(spec.name, TOP_SECTORS)
        else:
            graph.add_edge(before, spec.name)
            before = spec.name
    # Deferred: it runs once, when every branch has ended.
    graph.add_node(TOP_SECTORS, Node(_choose_sectors, name=TOP_SECTORS), defer=True)
    graph.add_edge(before, END)
    return graph.compile(checkpointer=checkpointer, name="scanner")


async def _choose_sectors(state: ScannerState, runtime: Runtime[RunContext], _config: RunnableConfig) -> dict[str, Any]:
    """Join the scanners and select the sectors; end a scan in which no scanner could report."""
    fail_without_any(roster.report_keys([SCANNERS]), state, who="scanner")
    typed = state.get("sectors", []) or await asyncio.to_thread(_sectors_of, runtime.context.data)
    chosen = top_sectors(typed, state.get("sector_performance_report", ""))
    if typed:
        return {"top_sectors": chosen, "sectors": typed}
    names = f"read from the sector scanner's report: {', '.join(chosen)}" if chosen else "left to the deep dive"
    warning = f"No typed sector returns are available; the sectors for the deep dive were {names}."
    runtime.context.events.emit("warning", warning, step="scanners")
    return {"top_sectors": chosen, "warnings": [warning]}


def _sectors_of(data: MarketData) -> list[SectorRecord]:
    """Return the sector returns if the sector scanner's model failed but its tool can answer."""
    try:
        rows = get_sector_performance.ask(data).kept()["sectors"]
    except DataError:
        return []
    return [SectorRecord.model_validate(row) for row in rows]
