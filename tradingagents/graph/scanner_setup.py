"""Builds the scanner graph: three scanners side by side, the industry deep dive, the macro synthesis."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from tradingagents.agents.builders.node import Node
from tradingagents.agents.scan_states import PHASE_ONE_REPORTS, ScannerState
from tradingagents.agents.scanners import (
    geopolitical_scanner,
    industry_deep_dive,
    macro_synthesis,
    market_movers_scanner,
    sector_scanner,
)
from tradingagents.agents.scanners.top_sectors import top_sectors
from tradingagents.capabilities.scanner import get_sector_performance
from tradingagents.context import RunContext
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import DataError
from tradingagents.graph.branches import fail_without_any
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.schemas.records import SectorRecord

MarketScan = CompiledStateGraph[ScannerState, RunContext, ScannerState, ScannerState]

SCANNER = {
    geopolitical_scanner.AGENT: ("geopolitical_report", geopolitical_scanner.create_geopolitical_scanner),
    market_movers_scanner.AGENT: ("market_movers_report", market_movers_scanner.create_market_movers_scanner),
    sector_scanner.AGENT: ("sector_performance_report", sector_scanner.create_sector_scanner),
}
"""Report and factory of the scanners of the first phase."""
TOP_SECTORS = "Top sectors"
"""The node at which the scanners' branches join, and the sectors to drill into are chosen."""
DEEP_DIVE, SYNTHESIS = industry_deep_dive.AGENT, macro_synthesis.AGENT


def build_scanner_graph(models: TierModels, *, checkpointer: BaseCheckpointSaver[Any] | None = None) -> MarketScan:
    """Compile the scanner graph.

    Args:
        models: The models of the three tiers.
        checkpointer: Where steps are kept; None keeps none (LangGraph's server brings its own).
    """
    graph: StateGraph[ScannerState, RunContext, ScannerState, ScannerState] = StateGraph(ScannerState, RunContext)
    for agent, (_, create) in SCANNER.items():
        # LangGraph's types want a plain node here; a compiled graph is one.
        graph.add_node(agent, cast(Any, create(models.quick)))
        graph.add_edge(START, agent)
        graph.add_edge(agent, TOP_SECTORS)
    # Deferred: it runs once, when every branch has ended.
    graph.add_node(TOP_SECTORS, Node(_choose_sectors, name=TOP_SECTORS), defer=True)
    graph.add_edge(TOP_SECTORS, DEEP_DIVE)
    graph.add_node(DEEP_DIVE, cast(Any, industry_deep_dive.create_industry_deep_dive(models.mid)))
    graph.add_edge(DEEP_DIVE, SYNTHESIS)
    graph.add_node(SYNTHESIS, macro_synthesis.create_macro_synthesis(models.deep))
    graph.add_edge(SYNTHESIS, END)
    return graph.compile(checkpointer=checkpointer, name="scanner")


async def _choose_sectors(state: ScannerState, runtime: Runtime[RunContext], _config: RunnableConfig) -> dict[str, Any]:
    """Join the scanners and choose the sectors; a scan in which no scanner could report ends here."""
    fail_without_any(PHASE_ONE_REPORTS, state, who="scanner")
    typed = state.get("sectors", []) or await asyncio.to_thread(_sectors_of, runtime.context.data)
    chosen = top_sectors(typed, state.get("sector_performance_report", ""))
    if typed:
        return {"top_sectors": chosen, "sectors": typed}
    names = f"read from the sector scanner's report: {', '.join(chosen)}" if chosen else "left to the deep dive"
    warning = f"No typed sector returns are to be had; the sectors to look into were {names}."
    runtime.context.events.emit("warning", warning, step="scanners")
    return {"top_sectors": chosen, "warnings": [warning]}


def _sectors_of(data: MarketData) -> list[SectorRecord]:
    """Return the typed result where the sector scanner could not leave it: its model failed, not its tool."""
    try:
        sectors: list[SectorRecord] = get_sector_performance.ask(data).kept()["sectors"]
    except DataError:
        return []
    return sectors
