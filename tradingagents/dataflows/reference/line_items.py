"""Names of statement items, and how money is shown. Each vendor maps its own names to these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

StatementKind = Literal["income", "balance", "cashflow"]

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

UNLISTED: Mapping[str, tuple[str, ...]] = {
    "income": (
        "net_income_to_common",
        "convertible_shares",
        "special_charges",
        "gain_on_property_sales",
        "property_impairment",
    ),
    "balance": (
        "retained_earnings",
        "short_term_investments",
        "long_term_investments",
        "equity_method_investments",
        "preferred_equity",
        "minority_interest",
        "temporary_equity",
        "finance_leases",
        "pension_deficit",
        "convertible_debt",
        "restricted_cash",
        "dividends_payable",
        "assets_held_for_sale",
        "liabilities_held_for_sale",
        "pension_surplus",
        "derivative_assets",
        "derivative_liabilities",
        "goodwill_and_intangibles",
        "other_current_assets",
        "other_noncurrent_assets",
        "shares_outstanding",
    ),
}
"""Items that analytics use but tables of statements don't show.

`special_charges`, such as write-offs, are below zero and those that the source's operating income leaves out.
`gain_on_property_sales` and `property_impairment` are in the net income, and no part of the funds from operations of a
real-estate trust.

`cash` leaves out `short_term_investments`. `long_term_investments` are all securities and stakes held for longer than a
year; `equity_method_investments` are a part of them. `preferred_equity` is a part of `equity`; `minority_interest` and
`temporary_equity` (redeemable interests of others) are not. `finance_leases` are those that `total_debt` leaves out,
`convertible_debt` is a part of it; `convertible_shares` are those that `shares_diluted` holds for it.
`goodwill_and_intangibles` were paid for with other companies, or bought. `shares_outstanding` are common shares at the
end of the period, or some weeks later on the cover of its report, without options and own shares; of several classes it
may hold one. Either part of `other_…_assets` may hold cash or securities where no item does.
"""
OWN_TERMS: Mapping[str, frozenset[str]] = {
    "polygon": frozenset(
        {
            "net_income_to_common",
            "minority_interest",
            "temporary_equity",
            "other_current_assets",
            "other_noncurrent_assets",
        }
    ),
    "yfinance": frozenset(
        {
            "net_income_to_common",
            "special_charges",
            "gain_on_property_sales",
            "property_impairment",
            "short_term_investments",
            "long_term_investments",
            "equity_method_investments",
            "preferred_equity",
            "minority_interest",
            "temporary_equity",
            "pension_deficit",
            "restricted_cash",
            "dividends_payable",
            "assets_held_for_sale",
            "liabilities_held_for_sale",
            "pension_surplus",
            "derivative_assets",
            "derivative_liabilities",
            "goodwill_and_intangibles",
            "other_current_assets",
            "other_noncurrent_assets",
            "shares_outstanding",
        }
    ),
    "sec_edgar": frozenset(
        {
            "net_income_to_common",
            "convertible_shares",
            "gain_on_property_sales",
            "property_impairment",
            "short_term_investments",
            "long_term_investments",
            "equity_method_investments",
            "preferred_equity",
            "minority_interest",
            "temporary_equity",
            "finance_leases",
            "pension_deficit",
            "convertible_debt",
            "restricted_cash",
            "goodwill_and_intangibles",
            "other_current_assets",
            "other_noncurrent_assets",
            "shares_outstanding",
        }
    ),
    "alpha_vantage": frozenset(
        {
            "short_term_investments",
            "long_term_investments",
            "other_current_assets",
            "other_noncurrent_assets",
            "shares_outstanding",
        }
    ),
    "financial_datasets": frozenset({"short_term_investments", "long_term_investments"}),
    "simulated": frozenset(
        {"short_term_investments", "long_term_investments", "preferred_equity", "minority_interest", "temporary_equity"}
    ),
}
"""Items of `UNLISTED`, without `retained_earnings`, that a source always gives where there are some: absent from its
statement, such an item is none. Any other item is not known: Polygon counts most long-term securities as other assets.
Sources that are not listed are not known to give any."""

PER_SHARE = frozenset({"eps_basic", "eps_diluted"})
SHARES = frozenset({"shares_basic", "shares_diluted", "convertible_shares", "shares_outstanding"})
