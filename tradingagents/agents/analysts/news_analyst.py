"""News analyst: reads company news, market news and insider trades; writes `news_report`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tradingagents.agents.spec import ReportAgent, ReportSection, ToolCalls
from tradingagents.capabilities.news import get_global_news, get_insider_transactions, get_macro_indicators, get_news
from tradingagents.offline.brief import ReportRule
from tradingagents.offline.reports import news

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tradingagents.agents.builders.node import AgentGraph
    from tradingagents.context import TradingContext

TOOLS = (get_news, get_global_news, get_insider_transactions, get_macro_indicators)
PROMPT = """
You study what happened. The past week's articles on the company, the market's news and what insiders bought and sold have
been fetched for you. Headlines are claims of their publishers: weigh who says it, how old it is, and whether the price
has already answered.

Write a report of 300 to 500 words:
1. The events that matter for this stock, each with its date and publisher; what is new in them.
2. The market and the economy: what bears on this company and how; where you may call get_macro_indicators, ask it for the
   series the news turns on rather than trust a headline's figure.
3. Insiders: open-market purchases and sales, apart from grants and plans.
4. What is expected next, and what the news does not tell.
Where there is no news, say so: an absence is a finding, not a reason to invent.

End with a Markdown table | Metric | Value | Reading | Source | of the key metrics: the value with its unit exactly as the
tool gave it, what it says in a few words, and the tool it came from.
"""
WINDOW = timedelta(days=7)


def initial_calls(context: TradingContext, _state: Mapping[str, Any]) -> ToolCalls:
    """Return the prescribed calls: a week of company news, market news; insiders of a company."""
    day, symbol = context.data.as_of, context.instrument.symbol
    calls: ToolCalls = (
        (get_news, {"ticker": symbol, "start_date": (day - WINDOW).isoformat(), "end_date": day.isoformat()}),
        (
            get_global_news,
            {
                "curr_date": day.isoformat(),
                "look_back_days": context.settings.global_news_lookback_days,
                "limit": context.settings.global_news_article_limit,
            },
        ),
    )
    return (*calls, (get_insider_transactions, {"ticker": symbol})) if has_insiders(context) else calls


def has_insiders(context: TradingContext) -> bool:
    """Tell whether the instrument is a company: nothing else has insiders."""
    return context.instrument.kind == "stock"


SPEC = ReportAgent(
    name="News Analyst",
    phase="analysts",
    tier="quick",
    choice="news",
    output_key="news_report",
    prompt=PROMPT,
    tools=TOOLS,
    initial_calls=initial_calls,
    offered_if={get_insider_transactions: has_insiders},
    requires={get_macro_indicators: get_macro_indicators.name},
    sections=(ReportSection("news_report", "News", "news report", "1_analysts/news.md"),),
    offline=ReportRule(news),
)


def create_news_analyst(llm: BaseChatModel) -> AgentGraph:
    """Return the news analyst."""
    from tradingagents.agents.builders.report import report_agent

    return report_agent(SPEC, llm)
