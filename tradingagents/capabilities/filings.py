"""Questions of what companies and investors filed: filings, portfolios, and statements as several sources have them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Annotated

from pydantic import Field

from tradingagents.analytics.company.filings import FilingList, filing_list
from tradingagents.analytics.company.financials import KINDS, Financials, StatementType, financials
from tradingagents.analytics.market.portfolio import InvestorPortfolio
from tradingagents.analytics.market.portfolio import portfolio as combined
from tradingagents.capabilities.capability import capability
from tradingagents.capabilities.company import FUNDAMENTALS_FROM, per_quoted_share
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Frequency
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import NoData

REPORTS_BEFORE = timedelta(days=230)
"""How far back reports are read: the newest quarter's may be 135 days old, the quarter before's 92 more."""
LONGEST_NAME = 80


@capability(returns=FilingList, requires={"get_filings"}, aliases=("sec_filings",))
def get_filings(data: MarketData, ticker: str, start_date: date, end_date: date, forms: str = "") -> FilingList:
    """List what a company filed with the SEC in a window: form, day, time of acceptance, subject, address.

    Args:
        ticker: Ticker, for example AAPL.
        start_date: First day, YYYY-MM-DD.
        end_date: Last day, YYYY-MM-DD.
        forms: Forms wanted, comma-separated, for example 10-K,10-Q,8-K (amendments come with them); empty for all.
    """
    start = min(start_date, end_date)
    return filing_list(
        data.filings(ticker, start, end_date),
        as_of=data.as_of,
        symbol=normalise(ticker),
        start=start,
        end=end_date,
        forms=[form for form in forms.split(",") if form.strip()],
        fetched_at=data.asked_at,
        source=data.vendor_of("get_filings"),
    )


@capability(
    title="An investor's holdings",
    returns=InvestorPortfolio,
    requires={"get_holdings"},
    example={"investor": "Larkspur Hill Capital"},
    aliases=("holdings",),
)
def portfolio(data: MarketData, investor: str, limit: Annotated[int, Field(ge=1, le=200)] = 20) -> InvestorPortfolio:
    """List what an investor held at a quarter's end as reported on Form 13F, with the changes to the quarter before.

    Positions are new, added to, reduced, unchanged or sold out; calls and puts are listed apart.

    Args:
        investor: Name of a well-known investor, for example Berkshire Hathaway or Michael Burry, or any filer's CIK.
        limit: Most rows of each table.
    """
    name = " ".join(investor.split())[:LONGEST_NAME]
    reports = data.rows(Vendor.get_holdings, name, data.as_of - REPORTS_BEFORE, data.as_of)
    vendor = data.vendor_of(Vendor.get_holdings)
    if not reports:
        raise NoData(
            f"{vendor} has no report of holdings of {name} accepted from {data.as_of - REPORTS_BEFORE} to "
            f"{data.as_of}; ask for another day, or give the CIK of the company that files for it."
        )
    return combined(reports, as_of=data.as_of, limit=limit, source=vendor, fetched_at=data.asked_at)


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
