"""Fundamentals analyst: reads statements, ratios and peers; writes `fundamentals_report`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tradingagents.agents.spec import ReportAgent, ReportSection, ToolCalls
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.company import (
    fundamental_screen,
    get_balance_sheet,
    get_cashflow,
    get_fundamentals,
    get_income_statement,
    get_peer_multiples,
    get_ttm_analysis,
)
from tradingagents.capabilities.documents import holds_filings, search_filings
from tradingagents.capabilities.filings import get_filings, get_financials
from tradingagents.capabilities.guidance import guidance, guidance_record, holds_guidance
from tradingagents.capabilities.prices import get_peer_comparison, get_sector_relative
from tradingagents.capabilities.scanner import get_earnings_calendar
from tradingagents.capabilities.valuation import valuation
from tradingagents.offline.brief import ReportRule
from tradingagents.offline.reports import fundamentals

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tradingagents.agents.builders.node import AgentGraph
    from tradingagents.context import TradingContext

TOOLS = (
    get_ttm_analysis,
    get_fundamentals,
    get_peer_comparison,
    get_sector_relative,
    get_peer_multiples,
    get_earnings_calendar,
    get_balance_sheet,
    get_cashflow,
    get_income_statement,
    get_financials,
    get_filings,
    valuation,
    fundamental_screen,
    search_filings,
    guidance,
    guidance_record,
)
REQUIRES = {
    get_earnings_calendar: get_earnings_calendar.name,
    get_financials: get_financials.name,
    get_filings: get_filings.name,
    valuation: get_balance_sheet.name,
    fundamental_screen: get_balance_sheet.name,
}
"""Tools offered only where some vendor can answer."""
EARNINGS_AHEAD = timedelta(days=60)
"""How far ahead the next earnings date is looked for."""
PROMPT = """
You study the company behind the stock. The trailing twelve months, the valuation ratios, the returns and the multiples of its
peers, and the comparison with the sector have been fetched for you; so have its earnings dates where a source has them. Ask
for a raw statement, or another tool, only where a line of it decides a question.

Write a report of 350 to 600 words:
1. Growth: revenue over the quarters, and whether it is speeding up or slowing down.
2. Profitability: margins, their direction, the quality of earnings against cash flow.
3. Balance sheet: leverage, and whether debt could become a problem.
4. Valuation: what the price assumes, against growth and against the multiples of the company's peers; the value per share
   and the growth that the price implies, where `valuation` was called.
5. Relative strength: how the stock did against its sector and its peers.
6. Inflection points and what comes next: the next earnings date and what is expected of it, where that is known. What the
   statements do not show. Name filing dates that were assumed.

End with a Markdown table | Metric | Value | Reading | Source | of the key metrics: the value with its unit exactly as the
tool gave it, what it says in a few words, and the tool it came from.
"""


def initial_calls(context: TradingContext, _state: Mapping[str, Any]) -> ToolCalls:
    """Return the prescribed calls, in the documented sequence; then the peers' multiples and the earnings dates."""
    symbol, day = context.instrument.symbol, context.data.as_of
    arguments = {"ticker": symbol, "curr_date": day.isoformat()}
    tools = (get_ttm_analysis, get_fundamentals, get_peer_comparison, get_sector_relative, get_peer_multiples)
    calls: list[tuple[Capability, Mapping[str, Any]]] = [(tool, arguments) for tool in tools]
    if context.data.supports(get_earnings_calendar.name):
        window = {"from_date": day.isoformat(), "to_date": (day + EARNINGS_AHEAD).isoformat()}
        calls.append((get_earnings_calendar, {**window, "symbol": symbol}))
    if context.settings.fetch_valuation and context.data.supports(get_balance_sheet.name):
        calls += [(valuation, arguments), (fundamental_screen, {"ticker": symbol})]
    return tuple(calls)


def has_filings(context: TradingContext) -> bool:
    """Tell whether the store of filings holds one of the company."""
    return holds_filings(context.data, context.instrument.symbol)


def has_guidance(context: TradingContext) -> bool:
    """Tell whether the store holds a call or a release of the company, which may say what it guides to."""
    return holds_guidance(context.data, context.instrument.symbol)


SPEC = ReportAgent(
    name="Fundamentals Analyst",
    phase="analysts",
    tier="quick",
    choice="fundamentals",
    output_key="fundamentals_report",
    prompt=PROMPT,
    tools=TOOLS,
    initial_calls=initial_calls,
    requires=REQUIRES,
    kinds=frozenset({"stock"}),
    offered_if={search_filings: has_filings, guidance: has_guidance, guidance_record: has_guidance},
    copy_results={"valuation_report": valuation},
    sections=(
        ReportSection("fundamentals_report", "Fundamentals", "fundamentals report", "1_analysts/fundamentals.md"),
        ReportSection("valuation_report", "Valuation", "valuation", "1_analysts/valuation.md", optional=True),
    ),
    offline=ReportRule(fundamentals),
)


def create_fundamentals_analyst(llm: BaseChatModel) -> AgentGraph:
    """Return the fundamentals analyst."""
    from tradingagents.agents.builders.report import report_agent

    return report_agent(SPEC, llm)
