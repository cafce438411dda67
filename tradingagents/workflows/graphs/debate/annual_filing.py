"""Tells whether a company has filed an annual report by a day: without one there is nothing to debate."""

from __future__ import annotations

from datetime import timedelta

from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import NoData, NotForPastDate, VendorNotConfigured

ANNUAL_FORMS = frozenset({"10-K", "10-K405", "10-KT", "20-F", "40-F"})
"""Annual reports to the SEC, of companies at home and abroad."""
LOOKED_BACK = timedelta(days=3 * 366)
"""How far back an annual report is looked for."""


class NoAnnualFiling(NoData):
    """A company has no annual report by the day."""


def annual_filing(data: MarketData, symbol: str) -> str:
    """Return the newest annual report that was known on the day, in words.

    Annual income statements of any vendor count, and so do the forms 10-K, 20-F and 40-F in the list of SEC filings.

    Args:
        data: The market as of the day.
        symbol: The company.

    Raises:
        NoAnnualFiling: No vendor knows one.
        DataError: A vendor could not be asked, so that nothing is known.
    """
    try:
        newest = data.statements(symbol, "income", "annual")[0]
        return f"annual statements of the fiscal year to {newest.period_end.isoformat()}"
    except (NoData, NotForPastDate, VendorNotConfigured):
        pass
    try:
        listed = data.filings(symbol, data.as_of - LOOKED_BACK, data.as_of)
    except (NoData, NotForPastDate, VendorNotConfigured):
        listed = ()
    for filing in listed:
        if filing.form.removesuffix("/A") in ANNUAL_FORMS:
            return f"{filing.form} of {filing.known_at.date().isoformat()}"
    raise NoAnnualFiling(
        f"No annual filing of {symbol} was known on {data.as_of.isoformat()}, so there is nothing to debate: only "
        "companies that report (10-K, 20-F, 40-F or annual statements) are debated. Take another company or a later "
        f"day; `tradingagents research` answers questions about {symbol} without one."
    )
