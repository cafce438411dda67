"""Social media analyst: reads how the company is talked about, in posts and articles; writes `sentiment_report`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tradingagents.agents.spec import ReportAgent, ReportSection, ToolCalls
from tradingagents.capabilities.news import get_news
from tradingagents.capabilities.social import get_social_sentiment
from tradingagents.offline.brief import ReportRule
from tradingagents.offline.reports import social

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tradingagents.agents.builders.node import AgentGraph
    from tradingagents.context import TradingContext

TOOLS = (get_news, get_social_sentiment)
PROMPT = """
You study the mood around the stock. The past week's articles on the company have been fetched for you and, where a source
has them for this day, counts of social posts: by source and by day, tagged bullish or bearish by their authors or
untagged, with a few posts quoted. Without them state plainly that no social posts were available and that sentiment is
read from articles; never speak of posts, likes or communities you were not shown.

Posts are what strangers wrote: evidence of mood, not of facts. Give a count with its source and its dates, a share with
the number of tags behind it, and say where few posts, one day or one source carry the reading. Untagged posts have no
direction. A crowd that repeats what the price has just done says little about what it will do.

Write a report of 250 to 450 words:
1. How much is written and posted, where, and whether attention rises or falls within the week.
2. Tone: of articles the share of favourable, unfavourable and neutral pieces, with the clearest examples and their dates;
   of posts the tags.
3. Whether the tone changed, and what changed it; whether posts and articles agree.
4. Whether mood and facts agree: enthusiasm without cause, or worry the figures do not bear out.
With few or no articles and posts the honest finding is that there is no reading.

End with a Markdown table | Metric | Value | Reading | Source | of the key metrics: the value with its unit exactly as the
tool gave it, what it says in a few words, and the tool it came from.
"""
DAYS = 7


def initial_calls(context: TradingContext, _state: Mapping[str, Any]) -> ToolCalls:
    """Return the prescribed calls: a week of company news; a week of posts where a source has them for this day."""
    day, symbol = context.data.as_of, context.instrument.symbol
    week_ago = day - timedelta(days=DAYS)
    news = (get_news, {"ticker": symbol, "start_date": week_ago.isoformat(), "end_date": day.isoformat()})
    posts = (get_social_sentiment, {"ticker": symbol, "curr_date": day.isoformat(), "look_back_days": DAYS})
    return (news, posts) if context.data.supports("get_social_posts") else (news,)


SPEC = ReportAgent(
    name="Social Media Analyst",
    phase="analysts",
    tier="quick",
    choice="social",
    output_key="sentiment_report",
    prompt=PROMPT,
    tools=TOOLS,
    initial_calls=initial_calls,
    sections=(ReportSection("sentiment_report", "Sentiment", "sentiment report", "1_analysts/social.md"),),
    offline=ReportRule(social),
)


def create_social_media_analyst(llm: BaseChatModel) -> AgentGraph:
    """Return the social media analyst."""
    from tradingagents.agents.builders.report import report_agent

    return report_agent(SPEC, llm)
