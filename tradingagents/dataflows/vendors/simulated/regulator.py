"""What the companies file with a regulator: each quarter its report, and on the same day the news of its results."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from zoneinfo import ZoneInfo

from tradingagents.dataflows.models import Filing
from tradingagents.dataflows.vendors.simulated.books import Accounts

_NEW_YORK = ZoneInfo("America/New_York")


def filed_by(symbol: str, accounts: Sequence[Accounts]) -> tuple[Filing, ...]:
    """Return a company's filings, newest first: a 10-Q or 10-K and an 8-K for every quarter of its books."""
    found = [filing for number, quarter in enumerate(accounts) for filing in _of_quarter(symbol, quarter, number)]
    return tuple(reversed(found))


def _of_quarter(symbol: str, accounts: Accounts, number: int) -> tuple[Filing, Filing]:
    """Return the news first: both are accepted with the statements they are about."""
    quarter = accounts.quarter
    filed_on = quarter.filed_at.astimezone(_NEW_YORK).date()
    report = "10-K" if quarter.number == 4 else "10-Q"

    def filing(part: int, form: str, title: str, about: date, items: tuple[str, ...] = ()) -> Filing:
        accession = f"{symbol}-{filed_on:%y}-{2 * number + part:06d}"
        return Filing(
            symbol=symbol,
            form=form,
            known_at=quarter.filed_at,
            filed_on=filed_on,
            accession=accession,
            url=f"https://filings.invalid/{symbol}/{accession}",
            title=title,
            period_end=about,
            items=items,
        )

    period = f"{quarter.label} {quarter.fiscal_year}"
    return (
        filing(0, "8-K", f"Results for {period}", filed_on, ("2.02", "9.01")),
        filing(1, report, f"{'Annual' if report == '10-K' else 'Quarterly'} report for {period}", quarter.end),
    )
