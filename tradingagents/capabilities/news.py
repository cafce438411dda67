"""Questions of how the economy stands, what was written, and who traded: macro series, news, insiders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Annotated, Literal

from pydantic import Field

from tradingagents.analytics.company.filings import InsiderSummary, insider_summary
from tradingagents.analytics.company.news import MarketDigest, NewsDigest, NewsQuery, company_digest, market_digest
from tradingagents.analytics.company.news_ranking import rank_company_news, rank_market_news
from tradingagents.analytics.market.macro_indicators import MacroIndicators, macro_indicators
from tradingagents.capabilities.capability import capability
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import INSIDER_WINDOW, MacroSeries
from tradingagents.dataflows.reference.company_names import company_names
from tradingagents.errors import BadDate, DataError, NoData, NotInPlan, TradingAgentsError, UsageError

MOST_SERIES = 6
USUAL_DAYS = 730
READ_DAYS = 1500
"""Days read at least: an annual figure may be two and a half years old, and is compared with the one before."""


@capability(
    returns=MacroIndicators,
    requires={"get_macro_indicators"},
    example={"indicator": "unemployment rate, 10y"},
    aliases=("economic",),
)
def get_macro_indicators(
    data: MarketData,
    indicator: str,
    curr_date: date | None = None,
    look_back_days: Annotated[int, Field(ge=1, le=20000)] | None = None,
) -> MacroIndicators:
    """Get an economic series as published by a day: latest value, change, change over a year, range, table of values.

    Args:
        indicator: A name such as CPI, core CPI, unemployment rate, payrolls, GDP growth, fed funds, 10y, 2y, yield
            curve, HY spread or VIX, or a series id of FRED such as UNRATE; up to six, separated by commas.
        curr_date: Day to look back from, YYYY-MM-DD; none: the day of this study.
        look_back_days: Calendar days of values to show; none: two years.
    """
    market, days = data.as_of_date(curr_date), look_back_days or USUAL_DAYS
    names = tuple(dict.fromkeys(name.strip() for name in indicator.split(",") if name.strip()))
    if not 0 < len(names) <= MOST_SERIES:
        raise UsageError(f"Name one to {MOST_SERIES} series, separated by commas, such as unemployment rate, 10y.")
    start = market.as_of - timedelta(days=max(days, READ_DAYS))
    found: list[MacroSeries] = []
    missing: dict[str, TradingAgentsError] = {}
    for name in names:
        try:
            found.append(market.macro_series(name, start))
        except (DataError, NotInPlan) as error:  # one series says nothing of the others
            missing[name] = error
    if not found:
        raise _none_of(missing)
    return macro_indicators(
        found,
        as_of=market.as_of,
        look_back_days=days,
        fetched_at=data.asked_at,
        source=next(row.vendor for row in market.sheet.rows if row.method == "get_macro_indicators"),
        missing={name: str(error) for name, error in missing.items()},
    )


def _none_of(missing: Mapping[str, TradingAgentsError]) -> TradingAgentsError:
    """Return the error of a question none of whose series can be shown: its own, or of several one with each reason."""
    first, *others = missing.values()
    if not others or {str(one) for one in others} == {str(first)}:
        return first
    if not all(isinstance(one, NoData) for one in missing.values()):
        return next(one for one in missing.values() if not isinstance(one, NoData))  # asking again may help
    return NoData(" ".join(f"{name}: {error}" for name, error in missing.items()))


FOCUS: Mapping[str, str] = {
    "overview": "fed funds target, 10y, CPI, unemployment rate, GDP growth, HY spread",
    "rates": "fed funds target, 2y, 10y, 30y, yield curve, real yield",
    "inflation": "CPI, core CPI, PCE, core PCE, PPI, breakeven inflation",
    "jobs": "unemployment rate, payrolls, initial jobless claims, job openings",
    "growth": "GDP growth, industrial production, retail sales, housing starts, consumer sentiment",
    "markets": "VIX, HY spread, IG spread, dollar index, WTI, M2",
}
"""Series of each view, by the names of `dataflows.reference.macro_series`."""


@capability(title="Economic series in focus", returns=MacroIndicators, requires={"get_macro_indicators"})
def macro_focus(
    data: MarketData, focus: Literal["overview", "rates", "inflation", "jobs", "growth", "markets"] = "overview"
) -> MacroIndicators:
    """Get the economic series of one view as published by the day: overview, rates, inflation, jobs, growth, markets.

    Args:
        focus: The view: overview, rates, inflation, jobs, growth or markets.
    """
    return get_macro_indicators.answer(data, FOCUS[focus])


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
def get_insider_transactions(
    data: MarketData, ticker: str, start_date: date | None = None, end_date: date | None = None
) -> InsiderSummary:
    """Get what insiders of a company bought and sold in the last six months or the days given, as reported by the day.

    Args:
        ticker: Ticker, for example AAPL.
        start_date: First day of the trades, YYYY-MM-DD; if left out, six months before the last.
        end_date: Last day of the trades, YYYY-MM-DD; if left out, the day of the question.
    """
    if start_date and end_date and start_date > end_date:
        raise BadDate(f"start_date {start_date} lies after end_date {end_date}; swap them.")
    instrument = data.instrument(ticker)
    since = start_date or (end_date and end_date - INSIDER_WINDOW)
    return insider_summary(
        data.insider_transactions(ticker, since),
        start=since,
        end=end_date,
        as_of=data.as_of,
        symbol=instrument.symbol,
        currency=instrument.currency,
        source=data.vendor_of("get_insider_transactions"),
        fetched_at=data.asked_at,
    )
