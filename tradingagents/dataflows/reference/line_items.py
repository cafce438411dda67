"""Names of statement items, and how money is shown. Each vendor maps its own names to these."""

from __future__ import annotations

from collections.abc import Mapping

INCOME = (
    "revenue",
    "cost_of_revenue",
    "gross_profit",
    "research_and_development",
    "selling_general_administrative",
    "operating_expenses",
    "operating_income",
    "depreciation_and_amortization",
    "ebitda",
    "interest_expense",
    "pretax_income",
    "income_tax",
    "net_income",
    "eps_basic",
    "eps_diluted",
    "shares_basic",
    "shares_diluted",
)
BALANCE = (
    "cash",
    "receivables",
    "inventory",
    "current_assets",
    "fixed_assets",
    "total_assets",
    "accounts_payable",
    "short_term_debt",
    "current_liabilities",
    "long_term_debt",
    "total_debt",
    "total_liabilities",
    "equity",
)
CASHFLOW = (
    "operating_cash_flow",
    "capital_expenditure",
    "free_cash_flow",
    "investing_cash_flow",
    "financing_cash_flow",
    "dividends_paid",
    "share_repurchases",
    "net_change_in_cash",
)
ITEMS = {"income": INCOME, "balance": BALANCE, "cashflow": CASHFLOW}
"""Items by statement, in display order. `capital_expenditure`, `dividends_paid` and `share_repurchases` are outflows
and negative; `free_cash_flow` is operating cash flow plus capital expenditure."""

UNLISTED: Mapping[str, tuple[str, ...]] = {"balance": ("retained_earnings",)}
"""Items that analytics use but tables of statements don't show."""

PER_SHARE = frozenset({"eps_basic", "eps_diluted"})
SHARES = frozenset({"shares_basic", "shares_diluted"})
