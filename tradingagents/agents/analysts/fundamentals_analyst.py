"""Fundamentals analyst: reads statements, ratios and peers; writes `fundamentals_report`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.language_models import BaseChatModel

from tradingagents.agents.builders.node import AgentGraph
from tradingagents.agents.builders.report import ToolCalls, report_agent
from tradingagents.agents.states import FundamentalsReport
from tradingagents.capabilities.company import (
    get_balance_sheet,
    get_cashflow,
    get_fundamentals,
    get_income_statement,
    get_ttm_analysis,
)
from tradingagents.capabilities.prices import get_peer_comparison, get_sector_relative
from tradingagents.context import TradingContext
from tradingagents.settings import Tier

AGENT = "Fundamentals Analyst"
TIER: Tier = "quick"
TOOLS = (
    get_ttm_analysis,
    get_fundamentals,
    get_peer_comparison,
    get_sector_relative,
    get_balance_sheet,
    get_cashflow,
    get_income_statement,
)
PROMPT = """
You study the company behind the stock. The trailing twelve months, the valuation ratios, the comparison with peers and
that with the sector have been fetched for you. Ask for a raw statement only where a line of it decides a question.

Write a report of 350 to 600 words:
1. Growth: revenue over the quarters, and whether it is speeding up or slowing down.
2. Profitability: margins, their direction, the quality of earnings against cash flow.
3. Balance sheet: leverage, and whether debt could become a problem.
4. Valuation: what the price assumes, against growth and against the company's peers.
5. Relative strength: how the stock did against its sector and its peers.
6. Inflection points, and what the statements do not show. Name filing dates that were assumed.

End with a Markdown table | Metric | Value | Reading | Source | of the key metrics: the value with its unit exactly as the
tool gave it, what it says in a few words, and the tool it came from.
"""


def primed(context: TradingContext, _state: Mapping[str, Any]) -> ToolCalls:
    """Return the prescribed calls, in the documented sequence."""
    arguments = {"ticker": context.instrument.symbol, "curr_date": context.data.as_of.isoformat()}
    return tuple(
        (tool, arguments) for tool in (get_ttm_analysis, get_fundamentals, get_peer_comparison, get_sector_relative)
    )


def create_fundamentals_analyst(llm: BaseChatModel) -> AgentGraph:
    """Return the fundamentals analyst."""
    return report_agent(
        llm,
        PROMPT,
        TOOLS,
        agent=AGENT,
        writes="fundamentals_report",
        leaves=FundamentalsReport,
        tier=TIER,
        primed=primed,
    )
