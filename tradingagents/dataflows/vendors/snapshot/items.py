"""Map the sources' statement items to the library's names, without their known defects, plus computed totals."""

from __future__ import annotations

from collections.abc import Mapping

from tradingagents.dataflows.models import StatementKind
from tradingagents.dataflows.reference.line_items import ITEMS, PER_SHARE, UNLISTED
from tradingagents.dataflows.vendors.yfinance.line_items import STATEMENT_ROWS

Items = Mapping[str, float | None]
Aliases = Mapping[str, tuple[str, ...]]

ANCHORS: Mapping[str, tuple[str, ...]] = {
    "income": ("revenue", "net_income"),
    "balance": ("total_assets", "equity"),
    "cashflow": ("operating_cash_flow", "net_change_in_cash"),
}
"""Central items: a statement without any of them is a placeholder of the source."""

_POLYGON_INCOME: Aliases = {
    "revenue": ("revenues",),
    "cost_of_revenue": ("cost_of_revenue",),
    "gross_profit": ("gross_profit",),
    "research_and_development": ("research_and_development",),
    "selling_general_administrative": ("selling_general_and_administrative_expenses",),
    "operating_expenses": ("operating_expenses",),
    "operating_income": ("operating_income_loss",),
    "depreciation_and_amortization": ("depreciation_and_amortization",),
    "interest_expense": ("interest_expense_operating", "interest_and_debt_expense"),
    "pretax_income": ("income_loss_from_continuing_operations_before_tax",),
    "income_tax": ("income_tax_expense_benefit",),
    "net_income": ("net_income_loss_attributable_to_parent", "net_income_loss"),
    "eps_basic": ("basic_earnings_per_share",),
    "eps_diluted": ("diluted_earnings_per_share",),
    "shares_basic": ("basic_average_shares",),
    "shares_diluted": ("diluted_average_shares",),
    "net_income_to_common": ("net_income_loss_available_to_common_stockholders_basic",),
}
_POLYGON_BALANCE: Aliases = {
    "cash": ("cash",),
    "receivables": ("accounts_receivable",),
    "inventory": ("inventory",),
    "current_assets": ("current_assets",),
    "fixed_assets": ("fixed_assets",),
    "total_assets": ("assets",),
    "accounts_payable": ("accounts_payable",),
    "current_liabilities": ("current_liabilities",),
    "long_term_debt": ("long_term_debt",),
    "total_liabilities": ("liabilities",),
    "equity": ("equity_attributable_to_parent", "equity"),
    "long_term_investments": ("long_term_investments",),
    "minority_interest": ("equity_attributable_to_noncontrolling_interest",),
    "temporary_equity": ("temporary_equity", "redeemable_noncontrolling_interest"),
    "other_current_assets": ("other_current_assets",),
    "other_noncurrent_assets": ("other_noncurrent_assets",),
}
_POLYGON_CASHFLOW: Aliases = {
    "operating_cash_flow": ("net_cash_flow_from_operating_activities",),
    "investing_cash_flow": ("net_cash_flow_from_investing_activities",),
    "financing_cash_flow": ("net_cash_flow_from_financing_activities",),
    "net_change_in_cash": ("net_cash_flow",),
}
POLYGON: Mapping[StatementKind, Aliases] = {
    "income": _POLYGON_INCOME,
    "balance": _POLYGON_BALANCE,
    "cashflow": _POLYGON_CASHFLOW,
}
"""Polygon's item names by the library's, the preferred one first. Its cash flows are for the single quarter."""

_PRETAX_TOLERANCE = 0.02
"""Tolerance as a share of revenue for associates' results, which lie between pretax and net income at some companies.
"""
_SHARES_TOLERANCE = 100.0
"""Maximum ratio between the average shares and net income / earnings per share; beyond it the unit is wrong."""


def our_items(source: str, kind: StatementKind, items: Items, *, filed: bool) -> dict[str, float]:
    """Return a source's items with the library's names and signs, without missing ones.

    Args:
        source: `polygon` and `yfinance` have their own names; any other source uses the library's
            (`dataflows.reference.line_items`).
        items: As recorded; None for an item not reported.
        filed: Whether the row has a filing date. Polygon's rows without one are a year less the other quarters.
    """
    if source == "polygon":
        found = _renamed(items, POLYGON[kind])
        for item in _polygon_artefacts(kind, items, filed=filed):
            found.pop(item, None)
        if kind == "balance" and "total_liabilities" not in found and "total_assets" in found:
            found |= _liabilities_by_identity(items)
    elif source == "yfinance":
        # As yfinance prints them: `Gain On Sale Of Ppe` is Yahoo's `GainOnSaleOfPPE`.
        squeezed = {name.replace(" ", "").lower(): value for name, value in items.items()}
        rows = {item: tuple(name.lower() for name in names) for item, names in STATEMENT_ROWS[kind].items()}
        found = _renamed(squeezed, rows)
    else:
        found = _renamed(items, {item: (item,) for item in (*ITEMS[kind], *UNLISTED.get(kind, ()))})
    return _completed(found)


def _renamed(items: Items, aliases: Aliases) -> dict[str, float]:
    found: dict[str, float] = {}
    for item, names in aliases.items():
        value = next((value for name in names if (value := items.get(name)) is not None), None)
        if value is not None and value == value:  # NaN means not reported
            found[item] = round(float(value), 6) if item in PER_SHARE else float(value)
    return found


def _completed(found: dict[str, float]) -> dict[str, float]:
    """Add items that follow from an identity and that the source doesn't report."""
    sums = {
        "free_cash_flow": ("operating_cash_flow", "capital_expenditure"),
        "ebitda": ("operating_income", "depreciation_and_amortization"),
        "total_debt": ("long_term_debt", "short_term_debt"),
    }
    for item, (first, other) in sums.items():
        if item not in found and first in found and other in found:
            found[item] = found[first] + found[other]
    return found


def _polygon_artefacts(kind: StatementKind, items: Items, *, filed: bool) -> list[str]:
    """Return the items that Polygon fills with a different figure."""
    if kind == "income":
        return [*_untrue_shares(items, filed=filed), *_untrue_pretax(items)]
    if kind == "balance":
        return _untrue_balance(items)
    return []


def _untrue_shares(items: Items, *, filed: bool) -> list[str]:
    """Averages of a quarter computed by subtraction are meaningless; some others are in thousands or millions."""
    if not filed:
        return ["shares_basic", "shares_diluted"]
    untrue = []
    income = items.get("net_income_loss_attributable_to_parent")
    for item, name, per_share in (
        ("shares_basic", "basic_average_shares", "basic_earnings_per_share"),
        ("shares_diluted", "diluted_average_shares", "diluted_earnings_per_share"),
    ):
        shares, earned = items.get(name) or 0.0, items.get(per_share)
        if shares <= 0 or (income and earned and abs(income / earned) > _SHARES_TOLERANCE * shares):
            untrue.append(item)
    return untrue


def _untrue_pretax(items: Items) -> list[str]:
    """Pretax income must match income after tax; for some companies it contains revenue or operating income."""
    before, tax, after, revenue = (
        items.get(name)
        for name in (
            "income_loss_from_continuing_operations_before_tax",
            "income_tax_expense_benefit",
            "income_loss_from_continuing_operations_after_tax",
            "revenues",
        )
    )
    if before is None or tax is None or after is None or not revenue:
        return []
    return ["pretax_income"] if abs(before - tax - after) > _PRETAX_TOLERANCE * abs(revenue) else []


def _untrue_balance(items: Items) -> list[str]:
    """Imputed totals: liabilities from minus equity, and all "current" where nothing was classified."""
    untrue = []
    assets, liabilities, equity = (items.get(name) for name in ("assets", "liabilities", "equity"))
    if liabilities is not None and equity is not None and liabilities == -equity:
        untrue.append("total_liabilities")
    if items.get("current_liabilities") == liabilities and not items.get("noncurrent_liabilities"):
        untrue.append("current_liabilities")
    if items.get("current_assets") == assets and not items.get("noncurrent_assets"):
        untrue.append("current_assets")
    return untrue


def _liabilities_by_identity(items: Items) -> dict[str, float]:
    """Return assets less all equity, mezzanine equity included."""
    assets, equity = items.get("assets"), items.get("equity")
    if assets is None or equity is None:
        return {}
    return {"total_liabilities": float(assets - equity - (items.get("temporary_equity") or 0.0))}
