"""The question of what a company filed with its regulator."""

from __future__ import annotations

from datetime import date

from tradingagents.analytics.company.filings import FilingList, filing_list
from tradingagents.capabilities.capability import capability
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.symbols import normalise


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
