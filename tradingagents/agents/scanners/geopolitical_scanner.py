"""Geopolitical scanner: reads the world's news by topic; writes `geopolitical_report`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tradingagents.agents.scan_states import ScannerState
from tradingagents.agents.spec import ReportAgent, ReportSection, ToolCalls
from tradingagents.capabilities.scanner import get_economic_calendar, get_topic_news
from tradingagents.offline.brief import ReportRule
from tradingagents.offline.scan.news import geopolitics

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tradingagents.agents.builders.node import AgentGraph
    from tradingagents.context import RunContext

TOOLS = (get_topic_news, get_economic_calendar)
TOPICS = ("geopolitics", "trade policy sanctions", "central bank monetary policy", "energy oil commodities")
PROMPT = """
You look at the world from outside the market: what happened that can move it. The past week's articles on geopolitics,
trade policy, central banks and energy have been fetched for you. Search further topics, or ask the economic calendar,
where a question stays open. Headlines are claims of their publishers: weigh who says it and how old it is.

Write a report of 300 to 500 words:
1. Geopolitical events that bear on markets, each with its date and publisher.
2. Central banks: what they signal, and which releases are due next.
3. Trade and sanctions: who is hit, who gains.
4. Energy and commodities: risks to supply, and which sectors feel them.
5. Which of these risks the market seems to have answered already, and which not.
Where there is no news on a topic, say so: an absence is a finding, not a reason to invent.

End with a risk table | Metric | Value | Reading | Source | of what was found: a count or figure with its unit exactly as the
tool gave it, what it says in a few words, and the tool it came from.
"""


def initial_calls(_context: RunContext, _state: Mapping[str, Any]) -> ToolCalls:
    """Return the prescribed calls: a search for each of the four topics."""
    return tuple((get_topic_news, {"topic": topic, "limit": 10}) for topic in TOPICS)


SPEC = ReportAgent(
    name="Geopolitical Scanner",
    phase="scanners",
    tier="quick",
    output_key="geopolitical_report",
    prompt=PROMPT,
    tools=TOOLS,
    initial_calls=initial_calls,
    keep_results=("seen",),
    state_schema=ScannerState,
    sections=(
        ReportSection("geopolitical_report", "Geopolitics", "geopolitical report", "1_scanners/geopolitical.md"),
    ),
    offline=ReportRule(geopolitics),
)


def create_geopolitical_scanner(llm: BaseChatModel) -> AgentGraph:
    """Return the geopolitical scanner."""
    from tradingagents.agents.builders.report import report_agent

    return report_agent(SPEC, llm)
