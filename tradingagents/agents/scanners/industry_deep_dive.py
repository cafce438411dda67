"""Industry deep dive: drills into the sectors that moved most; writes `industry_deep_dive_report`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tradingagents.agents.scan_states import ScannerState, Seen
from tradingagents.agents.scanners.top_sectors import top_sectors
from tradingagents.agents.spec import ReportAgent, ReportSection, ToolCalls
from tradingagents.capabilities.news import get_news
from tradingagents.capabilities.scanner import (
    get_earnings_calendar,
    get_industry_performance,
    get_market_movers,
    get_topic_news,
)
from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.offline.brief import ReportRule
from tradingagents.offline.scan.industries import deep_dive

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tradingagents.agents.builders.node import AgentGraph
    from tradingagents.context import RunContext

TOOLS = (get_industry_performance, get_topic_news, get_news, get_earnings_calendar)
MOVERS, BIG_DAY = 5, 5.0
"""Most movers of the day whose news are fetched, and the move in per cent from which they are."""
DAYS = timedelta(days=2)
"""How far back the news on a day's movers are looked for: results and rulings often come the evening before."""
PROMPT = """
You drill into the sectors that moved most over the month. Above stand the reports of the three scanners; the companies and
industries of those sectors, the past week's news on each, and the news on the day's largest movers have been fetched for
you. Look into a further sector or topic, or ask the earnings calendar, where a question stays open.

Write a report of 400 to 600 words:
1. Why these sectors: their figures, and what the other scanners say about them.
2. Industries: which carry the move, which stand against it.
3. Companies: the strongest and the weakest with their figures, and what may stand behind each.
4. Catalysts and risks, with the articles they stand in; for each large mover what explains it, or that nothing read does;
   how the geopolitical findings bear on these industries.
5. Which of these companies deserve to be studied, and whether as leaders, as laggards or as turns.

End with a Markdown table | Metric | Value | Reading | Source | of the key metrics: the value with its unit exactly as the
tool gave it, what it says in a few words, and the tool it came from.
"""


def initial_calls(context: RunContext, state: Mapping[str, Any]) -> ToolCalls:
    """Return the prescribed calls: industries and news of the sectors chosen, and the news on the day's movers."""
    sectors: list[str] = state.get("top_sectors", [])
    day = context.data.as_of
    window = {"start_date": (day - DAYS).isoformat(), "end_date": day.isoformat()}
    movers = largest_movers(state.get("seen", {})) if context.data.supports("get_news") else ()
    return (
        *((get_industry_performance, {"sector_key": sector}) for sector in sectors),
        *((get_topic_news, {"topic": DISPLAY[sector], "limit": 8}) for sector in sectors),
        *((get_news, {"ticker": ticker, **window}) for ticker in movers),
    )


def _extract_top_sectors(report: str) -> list[str]:
    """Return the keys of the sectors to look into, read from a report; by the public name of `top_sectors`."""
    return top_sectors([], report)


def largest_movers(seen: Seen) -> tuple[str, ...]:
    """Return the movers of the day that moved most, up or down, the largest move first; equals by ticker.

    Companies that stand in no list of movers are left out: the answer is the same before and after this agent's calls.
    """
    listed = {
        ticker: stock
        for ticker, stock in seen.items()
        if any(tool.startswith(get_market_movers.name) for tool in stock.tools)
    }
    moves = {ticker: abs(stock.figures.get("change_1d", 0.0)) for ticker, stock in listed.items()}
    moved = sorted((-move, ticker) for ticker, move in moves.items() if move >= BIG_DAY)
    return tuple(ticker for _, ticker in moved[:MOVERS])


SPEC = ReportAgent(
    name="Industry Deep Dive",
    phase="industries",
    tier="mid",
    output_key="industry_deep_dive_report",
    prompt=PROMPT,
    tools=TOOLS,
    initial_calls=initial_calls,
    input_phases=("scanners",),
    must_call=True,
    keep_results=("seen",),
    state_schema=ScannerState,
    sections=(
        ReportSection(
            "industry_deep_dive_report", "Industry deep dive", "industry report", "2_industries/industry_deep_dive.md"
        ),
    ),
    offline=ReportRule(deep_dive),
)


def create_industry_deep_dive(llm: BaseChatModel) -> AgentGraph:
    """Return the industry deep dive."""
    from tradingagents.agents.builders.report import report_agent

    return report_agent(SPEC, llm)
