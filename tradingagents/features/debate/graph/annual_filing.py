"""Tells whether twelve months of a company's statements were known by a day, which a debate needs."""

from __future__ import annotations

from datetime import timedelta

from tradingagents.analytics.company.trailing import months_in_words, trailing
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Frequency, Statement
from tradingagents.errors import NoData, NotForPastDate, VendorNotConfigured

ANNUAL_FORMS = frozenset({"10-K", "10-K405", "10-KT", "20-F", "40-F"})
"""Annual reports to the SEC, of companies at home and abroad."""
LOOKED_BACK = timedelta(days=460)
"""How far back an annual report is looked for: one that is older tells of another time (`period_age`)."""


class NoAnnualFiling(NoData):
    """No twelve months of a company's statements are known by the day."""


def annual_filing(data: MarketData, symbol: str) -> str:
    """Return the newest twelve months of statements that were known on the day, in words.

    A fiscal year, four quarters or two half-years of any vendor count, and so do the forms 10-K, 20-F and 40-F in the
    list of SEC filings.

    Args:
        data: The market as of the day.
        symbol: The company.

    Raises:
        NoAnnualFiling: No vendor knows them; the message says what is known instead.
        DataError: A vendor could not be asked, so that nothing is known.
    """
    quarters, years = (_income(data, symbol, freq) for freq in ("quarterly", "annual"))
    books = trailing((*quarters, *years), (), (), as_of=data.as_of)
    if books.periods:
        months = months_in_words(books.basis, [period.end for period in books.periods])
        what = "annual statements" if books.basis == "annual" else "statements"
        return f"{what} of the {months} to {books.periods[0].end.isoformat()}"
    form = _annual_form(data, symbol)
    if form is not None:
        return form
    why = books.notes[0] if quarters or years else "The source has no statements and no list of annual filings of it."
    raise NoAnnualFiling(
        f"No twelve months of statements of {symbol} were known on {data.as_of.isoformat()}, so there is nothing to "
        f"debate. {why} Take another company, another day or another source of data; `tradingagents research` answers "
        f"questions about {symbol} without them."
    )


def _income(data: MarketData, symbol: str, freq: Frequency) -> tuple[Statement, ...]:
    try:
        return data.statements(symbol, "income", freq)
    except (NoData, NotForPastDate, VendorNotConfigured):
        return ()


def _annual_form(data: MarketData, symbol: str) -> str | None:
    """Return the newest annual report in the list of SEC filings, in words; None where there is none."""
    try:
        listed = data.filings(symbol, data.as_of - LOOKED_BACK, data.as_of)
    except (NoData, NotForPastDate, VendorNotConfigured):
        return None
    found = (filing for filing in listed if filing.form.removesuffix("/A") in ANNUAL_FORMS)
    return next((f"{filing.form} of {filing.known_at.date().isoformat()}" for filing in found), None)
