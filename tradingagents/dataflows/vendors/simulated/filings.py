"""What the companies file: statements, the report of each quarter with the news of its results, and when they do.

Quarters are those of the books, and years the sum of their quarters. The earnings calendar holds every filing of every
company, with the estimate the press compares it with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from tradingagents.dataflows.models import EarningsEvent, Filing, Frequency, Profile, Statement, StatementKind
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES
from tradingagents.dataflows.vendors.simulated.books import Accounts, accounts_of, per_share
from tradingagents.dataflows.vendors.simulated.shares import Share
from tradingagents.dataflows.vendors.universe import QuarterlyResults

SOURCE = "simulated"


def statements_of(
    symbol: str, accounts: Sequence[Accounts], kind: StatementKind, freq: Frequency
) -> tuple[Statement, ...]:
    """Return the statements of one kind and frequency, newest period first.

    Args:
        accounts: Its quarters, oldest first, beginning with the first of a fiscal year.
        kind: Income, balance or cashflow.
        freq: A fiscal fourth quarter is filed with its year, quarterly and annual alike.
    """
    if freq == "quarterly":
        filed = [_quarterly(symbol, quarter, kind) for quarter in accounts]
    else:
        years = [accounts[index : index + 4] for index in range(0, len(accounts) - 3, 4)]
        filed = [_annual(symbol, year, kind) for year in years]
    return tuple(reversed(filed))


def _items(accounts: Accounts, kind: StatementKind) -> Mapping[str, float]:
    return {"income": accounts.income, "balance": accounts.balance, "cashflow": accounts.cashflow}[kind]


def _quarterly(symbol: str, accounts: Accounts, kind: StatementKind) -> Statement:
    quarter = accounts.quarter
    return Statement(
        symbol=symbol,
        kind=kind,
        frequency="quarterly",
        fiscal_year=quarter.fiscal_year,
        fiscal_period=quarter.label,
        period_end=quarter.end,
        known_at=quarter.filed_at,
        currency="USD",
        source=SOURCE,
        items=_items(accounts, kind),
        period_start=quarter.start,
    )


def _annual(symbol: str, year: Sequence[Accounts], kind: StatementKind) -> Statement:
    last = year[-1].quarter
    quarters = [_items(accounts, kind) for accounts in year]
    return Statement(
        symbol=symbol,
        kind=kind,
        frequency="annual",
        fiscal_year=last.fiscal_year,
        fiscal_period="FY",
        period_end=last.end,
        known_at=last.filed_at,
        currency="USD",
        source=SOURCE,
        items=quarters[-1] if kind == "balance" else _sum(quarters, income=kind == "income"),
        period_start=year[0].quarter.start,
    )


def _sum(quarters: Sequence[Mapping[str, float]], *, income: bool) -> dict[str, float]:
    """Add flows up; share counts are the last quarter's: a split may leave the others in old units."""
    last = quarters[-1]
    total = {name: sum(quarter[name] for quarter in quarters) for name in last if name not in PER_SHARE | SHARES}
    return total | per_share(total["net_income"], last["shares_basic"], last["shares_diluted"]) if income else total


_ZONES = timedelta(days=1)
"""How far the day of a filing at the company's exchange may be from its day in UTC."""


def files_within(share: Share, start: date, end: date) -> bool:
    """Return whether a company may file a quarter on the days [start, end], without writing its books."""
    return any(start - _ZONES <= quarter.filed_at.date() <= end + _ZONES for quarter in share.quarters)


class FiledResults:
    """The results of a company by day of filing; each is judged when it is first asked for.

    Estimates are public before a filing, and headlines quote them on the day: what the quarter would have earned
    without its surprise. Here they come with the filing, so an open quarter has none.
    """

    def __init__(self, share: Share, profile: Profile) -> None:
        """Write the company's books."""
        symbol, accounts = share.company.symbol, accounts_of(share.company, share.traits, share.quarters)
        statements = statements_of(symbol, accounts, kind="income", freq="quarterly")
        self._results = QuarterlyResults(statements, profile)
        self._estimates: Mapping[date | None, float] = {filed.quarter.end: filed.expected_eps for filed in accounts}

    def between(self, start: date, end: date) -> Iterator[EarningsEvent]:
        """Yield the results filed on the days [start, end], by day."""
        for event in self._results.between(start, end):
            yield replace(event, eps_estimate=self._estimates.get(event.period_end))


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
