"""The books of a company: income, balance sheet and cash flow of each quarter, tied together by the usual identities.

Share counts and per-share items are in the shares of the day of filing: a later split does not reach back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from tradingagents.dataflows.vendors.simulated.companies import Company, Traits
from tradingagents.dataflows.vendors.simulated.operations import (
    INTEREST_RATE,
    Operations,
    Quarter,
    dividend_in,
    income_statement,
    operations_of,
    thousands,
    yearly_revenue,
)

_WEAR = 0.03  # of fixed assets, a quarter
_RECEIVABLE_DAYS, _INVENTORY_DAYS, _PAYABLE_DAYS = 45.0, 60.0, 50.0
_QUARTER_DAYS = 91.0
_SHORT_SHARE_OF_DEBT = 0.15
_MIN_CASH = 0.05  # of one year's revenue; below it a company borrows
_AMPLE_CASH = 0.4  # of one year's revenue; above it a company buys back more of its shares
_MAX_BOUGHT_BACK = 0.004  # of the shares, a quarter
_DILUTION = 1.012  # diluted shares for each basic one


@dataclass(frozen=True, slots=True)
class Accounts:
    """What one quarter reports, and what it would have reported without its surprise."""

    quarter: Quarter
    income: Mapping[str, float]
    balance: Mapping[str, float]
    cashflow: Mapping[str, float]
    expected_eps: float
    """Diluted earnings per share had there been no surprise this quarter, USD."""
    expected_revenue: float


@dataclass
class _Books:
    """The state carried from quarter to quarter, USD."""

    company: Company
    traits: Traits
    other_assets: float
    """Goodwill, and what a bank lends."""
    other_liabilities: float
    cash: float
    receivables: float
    inventory: float
    payables: float
    fixed_assets: float
    debt: float
    borrowed: float
    """Part of `debt` that keeps cash above its least."""
    shares: float
    """In the split units of the first session."""


def accounts_of(company: Company, traits: Traits, quarters: tuple[Quarter, ...]) -> tuple[Accounts, ...]:
    """Write the books of a company, oldest quarter first; () where it files nothing."""
    path = operations_of(company, traits, quarters)
    if not path:
        return ()
    books = _opening_books(company, traits, path[0])
    return tuple(_close_quarter(books, quarter, done) for quarter, done in zip(quarters, path, strict=True))


def _opening_books(company: Company, traits: Traits, first: Operations) -> _Books:
    """Return the state before the first quarter, in keeping with that quarter's revenue."""
    yearly = yearly_revenue(company, traits)
    cost = first.revenue * (1.0 - traits.gross_margin)
    books = _Books(
        company=company,
        traits=traits,
        other_assets=thousands(0.30 * yearly),
        other_liabilities=thousands(traits.other_liabilities * yearly),
        cash=thousands(0.20 * yearly * first.trend),
        receivables=thousands(first.revenue * _RECEIVABLE_DAYS / _QUARTER_DAYS),
        inventory=_inventory(traits, cost),
        payables=thousands(cost * _PAYABLE_DAYS / _QUARTER_DAYS),
        fixed_assets=thousands(0.9 * first.revenue * traits.capex / _WEAR),
        debt=thousands(traits.debt * yearly * first.trend),
        borrowed=0.0,
        shares=round(1.02 * company.cap * 1e9 / company.price),
    )
    opening = _balance(books)
    missing = opening["total_liabilities"] / (1.0 - traits.equity) - opening["total_assets"]
    books.other_assets += thousands(max(missing, 0.0))
    return books


def _close_quarter(books: _Books, quarter: Quarter, done: Operations) -> Accounts:
    """Write the statements of one quarter and carry `books` on to its end."""
    traits, shares_before = books.traits, books.shares
    interest = thousands(books.debt * INTEREST_RATE / 4.0)
    wear = thousands(books.fixed_assets * _WEAR)
    income = income_statement(traits, done.revenue, done.margin, wear, interest)
    expected = income_statement(traits, done.expected_revenue, done.expected_margin, wear, interest)
    cashflow = _cashflow(books, quarter, done, income)
    basic = round((shares_before + books.shares) / 2.0 * _split_units(books.company, quarter.filed_at.date()))
    return Accounts(
        quarter=quarter,
        income=income | per_share(income["net_income"], basic, round(basic * _DILUTION)),
        balance=_balance(books),
        cashflow=cashflow,
        expected_eps=round(expected["net_income"] / round(basic * _DILUTION), 2),
        expected_revenue=expected["revenue"],
    )


def _cashflow(books: _Books, quarter: Quarter, done: Operations, income: Mapping[str, float]) -> dict[str, float]:
    """Return the cash flow of a quarter, and move the books to its end."""
    company, traits, revenue = books.company, books.traits, income["revenue"]
    operating = income["net_income"] + income["depreciation_and_amortization"] - _tie_up(books, income)
    spent = thousands(revenue * traits.capex)
    paid = thousands(dividend_in(company, traits, quarter.start, quarter.end) * books.shares)
    spare = operating - spent - paid
    ample = max(books.cash - _AMPLE_CASH * 4.0 * revenue, 0.0)
    share_price = company.price * done.trend
    wanted = traits.payout * max(spare, 0.0) + 0.3 * ample
    bought_back = thousands(min(wanted, _MAX_BOUGHT_BACK * books.shares * share_price))
    least = thousands(_MIN_CASH * 4.0 * revenue)
    # Nobody lends to those who lose money: they sell shares to keep going.
    issued = max(least - books.cash - spare, 0.0) if income["net_income"] < 0.0 else 0.0
    raised = _raise_debt(books, done, books.cash + spare + issued - bought_back, least)
    financing = raised + issued - paid - bought_back
    net_change = operating - spent + financing
    books.cash += net_change
    books.fixed_assets += spent - income["depreciation_and_amortization"]
    books.shares += round((issued - bought_back) / share_price)
    return {
        "operating_cash_flow": operating,
        "capital_expenditure": -spent,
        "free_cash_flow": operating - spent,
        "investing_cash_flow": -spent,
        "financing_cash_flow": financing,
        "dividends_paid": -paid,
        "share_repurchases": -bought_back,
        "net_change_in_cash": net_change,
    }


def _tie_up(books: _Books, income: Mapping[str, float]) -> float:
    """Set receivables, inventory and payables to the quarter's business; return the cash that took."""
    before = books.receivables + books.inventory - books.payables
    books.receivables = thousands(income["revenue"] * _RECEIVABLE_DAYS / _QUARTER_DAYS)
    books.inventory = _inventory(books.traits, income["cost_of_revenue"])
    books.payables = thousands(income["cost_of_revenue"] * _PAYABLE_DAYS / _QUARTER_DAYS)
    return books.receivables + books.inventory - books.payables - before


def _inventory(traits: Traits, cost: float) -> float:
    return thousands(cost * _INVENTORY_DAYS / _QUARTER_DAYS) if traits.holds_inventory else 0.0


def _raise_debt(books: _Books, done: Operations, cash: float, least: float) -> float:
    """Move debt to its target, borrow what is missing from `least` cash, repay it as soon as there is more.

    Returns:
        The change of debt, USD.
    """
    target = thousands(books.traits.debt * yearly_revenue(books.company, books.traits) * done.trend)
    available = cash + target - (books.debt - books.borrowed)
    books.borrowed += max(least - available, -books.borrowed)
    change = target + books.borrowed - books.debt
    books.debt += change
    return change


def _balance(books: _Books) -> dict[str, float]:
    """Return the balance sheet at the end of a quarter."""
    inventory = {"inventory": books.inventory} if books.traits.holds_inventory else {}
    current_assets = books.cash + books.receivables + books.inventory
    total_assets = current_assets + books.fixed_assets + books.other_assets
    short_term_debt = thousands(_SHORT_SHARE_OF_DEBT * books.debt)
    total_liabilities = books.payables + books.debt + books.other_liabilities
    return {
        "cash": books.cash,
        "receivables": books.receivables,
        **inventory,
        "current_assets": current_assets,
        "fixed_assets": books.fixed_assets,
        "total_assets": total_assets,
        "accounts_payable": books.payables,
        "short_term_debt": short_term_debt,
        "current_liabilities": books.payables + short_term_debt,
        "long_term_debt": books.debt - short_term_debt,
        "total_debt": books.debt,
        "total_liabilities": total_liabilities,
        "equity": total_assets - total_liabilities,
    }


def per_share(net_income: float, basic: float, diluted: float) -> dict[str, float]:
    """Return the items per share, rounded to cents, and the share counts."""
    return {
        "eps_basic": round(net_income / basic, 2),
        "eps_diluted": round(net_income / diluted, 2),
        "shares_basic": float(basic),
        "shares_diluted": float(diluted),
    }


def _split_units(company: Company, day: date) -> float:
    """Return how many of a day's shares one share of the first session has become."""
    return company.split.ratio if company.split and company.split.day <= day else 1.0
