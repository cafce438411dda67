"""Questions about what was written and who traded: company news, market news, insiders."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated

from pydantic import Field

from tradingagents.analytics.insiders import InsiderSummary, insider_summary
from tradingagents.analytics.news import NewsDigest, news_digest
from tradingagents.capabilities.capability import capability
from tradingagents.dataflows.market_data import MarketData


@capability
def get_news(data: MarketData, ticker: str, start_date: date, end_date: date) -> NewsDigest:
    """Get a company's news articles of a window: title, publisher, time, summary, newest first.

    Args:
        ticker: Ticker, for example AAPL.
        start_date: First day, YYYY-MM-DD.
        end_date: Last day, YYYY-MM-DD.
    """
    items = data.news(ticker, start_date, end_date)
    return news_digest(
        items,
        as_of=data.as_of,
        symbol=data.instrument(ticker).symbol,
        start=start_date,
        end=end_date,
        limit=data.settings.news_article_limit,
        fetched_at=data.asked_at,
        source=data.vendor_of("get_news"),
    )


@capability
def get_global_news(
    data: MarketData, curr_date: date, look_back_days: Annotated[int, Field(le=3650)] = 7, limit: int = 5
) -> NewsDigest:
    """Get market and economy news of the days before a day: title, publisher, time, summary, newest first.

    Args:
        curr_date: Day to look back from, YYYY-MM-DD.
        look_back_days: Days to look back.
        limit: Most articles to return.
    """
    market = data.at(curr_date)
    start = curr_date - timedelta(days=max(1, look_back_days))
    return news_digest(
        market.global_news(start, curr_date),
        as_of=market.as_of,
        symbol=None,
        start=start,
        end=curr_date,
        limit=max(1, min(limit, data.settings.global_news_article_limit)),
        fetched_at=data.asked_at,
        source=data.vendor_of("get_global_news"),
    )


@capability
def get_insider_transactions(data: MarketData, ticker: str) -> InsiderSummary:
    """Get what insiders of a company bought and sold over the last six months, as reported by the day.

    Args:
        ticker: Ticker, for example AAPL.
    """
    instrument = data.instrument(ticker)
    return insider_summary(
        data.insider_transactions(ticker),
        as_of=data.as_of,
        symbol=instrument.symbol,
        currency=instrument.currency,
        source=data.vendor_of("get_insider_transactions"),
        fetched_at=data.asked_at,
    )
