"""Sector scanner: reads the eleven sectors' returns; writes `sector_performance_report`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tradingagents.agents.scan_states import ScannerState
from tradingagents.agents.spec import ReportAgent, ReportSection, ToolCalls
from tradingagents.capabilities.scanner import get_sector_performance
from tradingagents.offline.brief import ReportRule
from tradingagents.offline.scan.sectors import sectors

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tradingagents.agents.builders.node import AgentGraph
    from tradingagents.context import RunContext

TOOLS = (get_sector_performance,)
PROMPT = """
You read where money moves between the eleven GICS sectors. Their returns over a day, a week, a month and the year so far
have been fetched for you.

Write a report of 250 to 400 words:
1. Ranking by momentum: the leaders and the laggards of the month, with figures.
2. Rotation: where the week contradicts the month, so that a trend speeds up, tires or turns.
3. Defensive sectors (utilities, consumer staples, health care) against cyclical ones (technology, consumer discretionary,
   industrials, materials, financials, energy): what the difference says about appetite for risk.
4. Which sectors deserve a closer look, and why.

Show all eleven in a table ranked by the month: | Sector | 1-Day % | 1-Week % | 1-Month % | YTD % |, figures as the tool gave them.
Then end with a Markdown table | Metric | Value | Reading | Source | of the key metrics: the value with its unit exactly as the
tool gave it, what it says in a few words, and the tool it came from.
"""


def initial_calls(_context: RunContext, _state: Mapping[str, Any]) -> ToolCalls:
    """Return the prescribed call."""
    return ((get_sector_performance, {}),)


SPEC = ReportAgent(
    name="Sector Scanner",
    phase="scanners",
    tier="quick",
    output_key="sector_performance_report",
    prompt=PROMPT,
    tools=TOOLS,
    initial_calls=initial_calls,
    keep_results=("sectors",),
    state_schema=ScannerState,
    sections=(ReportSection("sector_performance_report", "Sectors", "sector report", "1_scanners/sectors.md"),),
    offline=ReportRule(sectors),
)


def create_sector_scanner(llm: BaseChatModel) -> AgentGraph:
    """Return the sector scanner."""
    from tradingagents.agents.builders.report import report_agent

    return report_agent(SPEC, llm)
