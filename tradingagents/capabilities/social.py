"""The question of how a company is talked about on social networks."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated

from pydantic import Field

from tradingagents.analytics.company.social import SocialSentiment, social_sentiment
from tradingagents.capabilities.capability import capability
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.symbols import normalise


@capability(title="Social media tone", returns=SocialSentiment, requires={"get_social_posts"})
def get_social_sentiment(
    data: MarketData,
    ticker: str,
    curr_date: date | None = None,
    look_back_days: Annotated[int, Field(ge=1, le=365)] = 7,
) -> SocialSentiment:
    """Count the posts about a company by source and day, bullish and bearish as tagged by authors, and quote some.

    Args:
        ticker: Ticker, for example AAPL.
        curr_date: Day to look back from, YYYY-MM-DD; none: the day of this study.
        look_back_days: Days to look back, 1 to 365.
    """
    market = data.as_of_date(curr_date)
    start = market.as_of - timedelta(days=look_back_days)
    return social_sentiment(
        market.social_posts(ticker, start, market.as_of),
        as_of=market.as_of,
        symbol=normalise(ticker),
        start=start,
        fetched_at=data.asked_at,
    )
