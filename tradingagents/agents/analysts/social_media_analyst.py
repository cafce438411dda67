"""Social media analyst: reads how the company is talked about; writes `sentiment_report`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from langchain_core.language_models import BaseChatModel

from tradingagents.agents.shapes import AgentGraph, ToolCalls, report_agent
from tradingagents.agents.states import SentimentReport
from tradingagents.capabilities.news import get_news
from tradingagents.context import TradingContext
from tradingagents.settings import Tier

AGENT = "Social Media Analyst"
TIER: Tier = "quick"
TOOLS = (get_news,)
PROMPT = """
You study the mood around the stock. The past week's articles on the company have been fetched for you; there are no posts
of social networks among them, so state plainly that sentiment is read from articles and never speak of posts, likes or
communities you were not shown.

Write a report of 250 to 450 words:
1. How much is written, by whom, and whether attention rises or falls within the week.
2. Tone: the share of favourable, unfavourable and neutral pieces, with the clearest examples and their dates.
3. Whether the tone changed, and what changed it.
4. Whether mood and facts agree: enthusiasm without cause, or worry the figures do not bear out.
With few or no articles the honest finding is that there is no reading.

End with a Markdown table | Metric | Value | Reading | Source | of the key metrics: the value with its unit exactly as the
tool gave it, what it says in a few words, and the tool it came from.
"""
WINDOW = timedelta(days=7)


def primed(context: TradingContext, _state: Mapping[str, Any]) -> ToolCalls:
    """Return the prescribed call: a week of company news."""
    day, symbol = context.data.as_of, context.instrument.symbol
    return ((get_news, {"ticker": symbol, "start_date": (day - WINDOW).isoformat(), "end_date": day.isoformat()}),)


def create_social_media_analyst(llm: BaseChatModel) -> AgentGraph:
    """Return the social media analyst."""
    return report_agent(
        llm, PROMPT, TOOLS, agent=AGENT, writes="sentiment_report", leaves=SentimentReport, tier=TIER, primed=primed
    )
