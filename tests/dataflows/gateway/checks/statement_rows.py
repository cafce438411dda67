"""Statements of a made-up company: every quarter earns a fifth of its revenue, and revenue grows by 2 % a quarter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from tradingagents.dataflows.models import Frequency, Statement, StatementKind

NOW = datetime(2025, 6, 1, tzinfo=UTC)
NEWEST = date(2025, 3, 31)
SHARES = 1e9


def quarters(kind: StatementKind, count: int = 12, **changed: float) -> list[Statement]:
    """Return quarters, the newest first; `changed` replaces items of every one."""
    return [_quarter(kind, age, changed) for age in range(count)]


def years(kind: StatementKind, count: int = 4) -> list[Statement]:
    """Return fiscal years, the newest first."""
    return [
        replace(
            _quarter(kind, 4 * age, {}), frequency="annual", fiscal_period="FY", period_end=date(2024 - age, 12, 31)
        )
        for age in range(count)
    ]


def scaled(row: Statement, factor: float, *names: str, but: frozenset[str] = frozenset()) -> Statement:
    """Return a row with the named items, or all but some, times a factor."""
    items = {
        name: value * factor if (name in names if names else name not in but) else value
        for name, value in row.items.items()
    }
    return replace(row, items=items)


def with_items(row: Statement, **items: float) -> Statement:
    """Return a row with other values of some items."""
    return replace(row, items={**row.items, **items})


def only(row: Statement, *names: str) -> Statement:
    """Return a row with the named items alone."""
    return replace(row, items={name: row.items[name] for name in names})


def _quarter(
    kind: StatementKind, age: int, changed: Mapping[str, float], frequency: Frequency = "quarterly"
) -> Statement:
    months = 12 * NEWEST.year + NEWEST.month - 3 * age  # the month after the quarter, counted from year 0
    end = date(months // 12, months % 12 + 1, 1) - timedelta(days=1)
    return Statement(
        symbol="ACMQ",
        kind=kind,
        frequency=frequency,
        fiscal_year=end.year,
        fiscal_period=f"Q{(end.month + 2) // 3}",
        period_end=end,
        known_at=datetime(end.year, end.month, end.day, tzinfo=UTC) + timedelta(days=30),
        currency="USD",
        source="made",
        items={**_ITEMS[kind](1e10 / 1.02**age), **changed},
    )


def _income(revenue: float) -> dict[str, float]:
    return {
        "revenue": revenue,
        "cost_of_revenue": 0.6 * revenue,
        "gross_profit": 0.4 * revenue,
        "research_and_development": 0.05 * revenue,
        "operating_expenses": 0.15 * revenue,
        "operating_income": 0.25 * revenue,
        "pretax_income": 0.25 * revenue,
        "income_tax": 0.05 * revenue,
        "net_income": 0.2 * revenue,
        "eps_basic": round(0.2 * revenue / SHARES, 2),
        "eps_diluted": round(0.2 * revenue / SHARES, 2),
        "shares_basic": SHARES,
        "shares_diluted": SHARES,
    }


def _balance(revenue: float) -> dict[str, float]:
    return {
        "cash": 0.5 * revenue,
        "receivables": 0.4 * revenue,
        "current_assets": revenue,
        "total_assets": 4 * revenue,
        "current_liabilities": 0.8 * revenue,
        "long_term_debt": revenue,
        "short_term_debt": 0.2 * revenue,
        "total_debt": 1.2 * revenue,
        "total_liabilities": 2.5 * revenue,
        "equity": 1.5 * revenue,
    }


def _cashflow(revenue: float) -> dict[str, float]:
    return {
        "operating_cash_flow": 0.3 * revenue,
        "capital_expenditure": -0.1 * revenue,
        "free_cash_flow": 0.2 * revenue,
        "investing_cash_flow": -0.12 * revenue,
        "financing_cash_flow": -0.1 * revenue,
        "dividends_paid": -0.04 * revenue,
        "net_change_in_cash": 0.08 * revenue,
    }


_ITEMS = {"income": _income, "balance": _balance, "cashflow": _cashflow}
