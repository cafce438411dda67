"""Questions about what was written and who traded: company news, market news, insiders."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Annotated

from pydantic import Field

from tradingagents.analytics.company.filings import InsiderSummary, insider_summary
from tradingagents.analytics.company.news import MarketDigest, NewsDigest, NewsQuery, company_digest, market_digest
from tradingagents.analytics.company.news_ranking import rank_company_news, rank_market_news
from tradingagents.capabilities.capability import capability
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.company_names import company_names


@capability(returns=NewsDigest, requires={"get_news"}, uses={"get_profile"})
def get_news(data: MarketData, ticker: str, start_date: date, end_date: date) -> NewsDigest:
    """Get a company's news articles of a window, the most relevant and newest first, each with publisher and link.

    Args:
        ticker: Ticker, for example AAPL.
        start_date: First day, YYYY-MM-DD.
        end_date: Last day, YYYY-MM-DD.
    """
    items = data.news(ticker, start_date, end_date)
    instrument = data.instrument(ticker)
    asked = asked_about(data, "get_news", start_date, end_date)
    names = company_names(instrument.symbol, instrument.name)
    ranking = rank_company_news(items, names, until=asked.until, limit=data.settings.news_article_limit)
    return company_digest(ranking, asked, instrument.symbol)


@capability(returns=MarketDigest, requires={"get_global_news"})
def get_global_news(
    data: MarketData, curr_date: date, look_back_days: Annotated[int, Field(le=3650)] = 7, limit: int = 5
) -> MarketDigest:
    """Get news on markets, the economy, policy, geopolitics and commodities, the most relevant and newest first.

    Args:
        curr_date: Day to look back from, YYYY-MM-DD.
        look_back_days: Days to look back.
        limit: Most articles to return.
    """
    market = data.as_of_date(curr_date)
    start = curr_date - timedelta(days=max(1, look_back_days))
    items = market.global_news(start, curr_date)
    asked = replace(asked_about(market, "get_global_news", start, curr_date), fetched_at=data.asked_at)
    most = max(1, min(limit, data.settings.global_news_article_limit))
    return market_digest(rank_market_news(items, until=asked.until, limit=most), asked)


def asked_about(data: MarketData, method: str, start: date, end: date) -> NewsQuery:
    """Return what a digest is told about a question that has been answered."""
    return NewsQuery(
        as_of=data.as_of,
        start=start,
        end=end,
        until=data.end_of(end),
        fetched_at=data.asked_at,
        source=data.vendor_of(method),
    )


@capability(
    returns=InsiderSummary,
    requires={"get_insider_transactions"},
    uses={"get_profile", "get_stock_data"},
)
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
