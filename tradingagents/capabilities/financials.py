"""The question of a company's statements, put to several sources."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Annotated

from pydantic import Field

from tradingagents.analytics.company.financials import KINDS, Financials, StatementType, financials
from tradingagents.capabilities.capability import capability
from tradingagents.capabilities.company import FUNDAMENTALS_FROM, per_quoted_share
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Frequency


@capability(
    returns=Financials,
    requires={"get_financials"},
    uses=FUNDAMENTALS_FROM,
    aliases=("financials",),
)
def get_financials(
    data: MarketData,
    ticker: str,
    statement_type: StatementType = "all",
    period: Frequency = "annual",
    years: Annotated[int, Field(ge=1, le=10)] = 3,
    curr_date: date | None = None,
    cross_check: bool = True,
) -> Financials:
    """Get a company's statements as filed by the day from the first source that has them, checked against the others.

    Args:
        ticker: Ticker, for example AAPL.
        statement_type: income, balance, cashflow or all.
        period: annual or quarterly.
        years: Years to show, 1 to 10.
        curr_date: Day by which they were filed, YYYY-MM-DD; none: the day of this study.
        cross_check: Ask the other sources too and say where they differ.
    """
    market = data.as_of_date(curr_date)
    books = market.financials(ticker, KINDS[statement_type], period, cross_check=cross_check)
    return financials(
        replace(books, statements=per_quoted_share(market, ticker, books.statements)),
        as_of=market.as_of,
        statement_type=statement_type,
        period=period,
        years=years,
        fetched_at=market.asked_at,
        profile=market.known_profile(ticker) if "income" in KINDS[statement_type] else None,
    )
