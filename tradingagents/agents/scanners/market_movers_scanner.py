"""Market movers scanner: reads movers and indices; writes `market_movers_report`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, get_args

from tradingagents.agents.scan_states import ScannerState
from tradingagents.agents.spec import ReportAgent, ReportSection, ToolCalls
from tradingagents.capabilities.prices import get_macro_regime
from tradingagents.capabilities.scanner import get_earnings_calendar, get_market_indices, get_market_movers
from tradingagents.dataflows.models import MoverCategory
from tradingagents.offline.brief import ReportRule
from tradingagents.offline.scan.market import movers

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tradingagents.agents.builders.node import AgentGraph
    from tradingagents.context import RunContext

TOOLS = (get_market_movers, get_market_indices, get_macro_regime, get_earnings_calendar)
PROMPT = """
You look for what is unusual in the last session. Its strongest gainers and losers, the most traded stocks, the main
indices and the macro regime have been fetched for you. Where a mover may have published results, the earnings calendar tells.

Write a report of 300 to 500 words:
1. Unusual movers: how far, on what volume, and what may stand behind each; say where nothing read explains it.
2. Volume: which stocks were traded most, and whether they rose or fell on it.
3. Regime: the macro regime with its score, as the analysts of single stocks read it too.
4. Indices: direction, breadth between large and small companies, volatility, distance from the year's high and low.
5. Concentration: which sectors gather the gainers, which the losers.
6. What of it may last, and what is noise of one day.

End with a Markdown table | Metric | Value | Reading | Source | of the key metrics: the value with its unit exactly as the
tool gave it, what it says in a few words, and the tool it came from.
"""


def initial_calls(context: RunContext, _state: Mapping[str, Any]) -> ToolCalls:
    """Return the prescribed calls: the three screens, the indices and the macro regime."""
    screens = [(get_market_movers, {"category": category}) for category in get_args(MoverCategory)]
    return (*screens, (get_market_indices, {}), (get_macro_regime, {"curr_date": context.data.as_of.isoformat()}))


SPEC = ReportAgent(
    name="Market Movers Scanner",
    phase="scanners",
    tier="quick",
    output_key="market_movers_report",
    prompt=PROMPT,
    tools=TOOLS,
    initial_calls=initial_calls,
    keep_results=("indices", "seen"),
    state_schema=ScannerState,
    sections=(
        ReportSection("market_movers_report", "Market movers", "market movers report", "1_scanners/market_movers.md"),
    ),
    offline=ReportRule(movers),
)


def create_market_movers_scanner(llm: BaseChatModel) -> AgentGraph:
    """Return the market movers scanner."""
    from tradingagents.agents.builders.report import report_agent

    return report_agent(SPEC, llm)
