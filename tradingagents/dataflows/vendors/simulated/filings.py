"""Statements as filed: the quarters of the books, and years as the sum of their quarters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tradingagents.dataflows.models import Frequency, Statement, StatementKind
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES
from tradingagents.dataflows.vendors.simulated.books import Accounts, per_share

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
