"""A company valued a second time: raw statements, stated assumptions and plain arithmetic, nothing of the package.

`recorded_figure` reads the figure that an assumption names as its source from a snapshot's raw rows. `plain_value`
values a company from its stated assumptions, by the formulas of docs/concepts/valuation.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

Rates = Mapping[str, float]
RAW_NAMES: Mapping[str, tuple[str, ...]] = {
    "revenue": ("revenues", "TotalRevenue", "revenue"),
    "operating_income": ("operating_income_loss", "OperatingIncome", "operating_income"),
    "income_tax": ("income_tax_expense_benefit", "TaxProvision", "income_tax"),
    "pretax_income": ("income_loss_from_continuing_operations_before_tax", "PretaxIncome", "pretax_income"),
    "net_income": ("net_income_loss_attributable_to_parent", "NetIncome", "net_income"),
    "net_income_to_common": (
        "net_income_loss_available_to_common_stockholders_basic",
        "NetIncomeCommonStockholders",
        "net_income_to_common",
    ),
    "interest_expense": (
        "interest_expense_operating",
        "interest_and_debt_expense",
        "InterestExpense",
        "interest_expense",
    ),
    "cash": ("cash", "CashAndCashEquivalents"),
    "equity": ("equity_attributable_to_parent", "StockholdersEquity", "equity"),
    "long_term_investments": ("long_term_investments", "InvestmentsAndAdvances", "InvestmentinFinancialAssets"),
    "equity_method_investments": ("LongTermEquityInvestment", "equity_method_investments"),
    "short_term_investments": ("OtherShortTermInvestments", "short_term_investments"),
    "minority_interest": ("equity_attributable_to_noncontrolling_interest", "MinorityInterest", "minority_interest"),
    "temporary_equity": (
        "temporary_equity",
        "redeemable_noncontrolling_interest",
        "PreferredSecuritiesOutsideStockEquity",
    ),
    "preferred_equity": ("PreferredStockEquity", "PreferredStock", "preferred_equity"),
    "pension_deficit": ("NonCurrentPensionAndOtherPostretirementBenefitPlans", "EmployeeBenefits", "pension_deficit"),
    "total_debt": ("TotalDebt", "total_debt"),
    "long_term_debt": ("long_term_debt", "LongTermDebt"),
    "short_term_debt": ("CurrentDebt", "short_term_debt"),
}
"""Names of Polygon, Yahoo and the library for an item, in the order to look for them."""
_FLOW = re.compile(r"^get_income_statement: (\w+), (four quarters|fiscal year|year) to (\d{4}-\d\d-\d\d)$")
_RATIO = re.compile(
    r"^get_income_statement: (\w+)(?:/| over )(\w+), (four quarters|fiscal year|year) to (\d{4}-\d\d-\d\d)$"
)
_SHEET = re.compile(r"^get_balance_sheet: (\w+(?: \+ \w+)*), (\d{4}-\d\d-\d\d)$")


def recorded_figure(rows: Sequence[Mapping[str, Any]], source: str) -> float | None:
    """Return what the raw rows of a company give for the source of an assumption; None for a source that is no item."""
    if found := _FLOW.match(source):
        name, length, end = found.groups()
        return flow(rows, name, end, quarters=length == "four quarters")
    if found := _RATIO.match(source):
        above, below, length, end = found.groups()
        parts = [flow(rows, name, end, quarters=length == "four quarters") for name in (above, below)]
        return None if parts[0] is None or not parts[1] else parts[0] / parts[1]
    if found := _SHEET.match(source):
        names, end = found.groups()
        if names == "debt":
            return _debt(rows, end)
        return sum(_item(_sheet(rows, end), name) or 0.0 for name in names.split(" + "))
    return None


def flow(rows: Sequence[Mapping[str, Any]], name: str, end: str, *, quarters: bool) -> float | None:
    """Return an item of the income statement over twelve months to a day; None where a period lacks it."""
    period = "quarterly" if quarters else "annual"
    known = [
        row for row in rows if row["statement"] == "income" and row["period"] == period and row["period_end"] <= end
    ]
    known.sort(key=lambda row: str(row["period_end"]), reverse=True)
    parts = [_item(row["items"], name) for row in known[: 4 if quarters else 1]]
    return None if not parts or None in parts else sum(part for part in parts if part is not None)


def _sheet(rows: Sequence[Mapping[str, Any]], end: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = next(
        row["items"] for row in rows if row["statement"] == "balance" and row["period_end"] == end
    )
    return found


def _item(items: Mapping[str, Any], name: str) -> float | None:
    squeezed = {key.replace(" ", ""): value for key, value in items.items()}
    return next((float(squeezed[one]) for one in RAW_NAMES[name] if squeezed.get(one) is not None), None)


def _debt(rows: Sequence[Mapping[str, Any]], end: str) -> float:
    sheet = _sheet(rows, end)
    total = _item(sheet, "total_debt")
    if total is not None:
        return total
    return (_item(sheet, "long_term_debt") or 0.0) + (_item(sheet, "short_term_debt") or 0.0)


def plain_value(model: str, rates: Rates, *, wacc: float | None = None) -> float:
    """Return the value per share from assumptions by name.

    Args:
        model: `fcff`, `excess_returns` or `dividend_discount`.
        rates: Assumption to value.
        wacc: Cost of capital of the first five years, of a firm.

    Raises:
        KeyError: An assumption is missing, or the model is another one.
    """
    if model == "fcff":
        assert wacc is not None
        return _free_cash_flow(rates, wacc)
    return {"excess_returns": _excess_returns, "dividend_discount": _dividends}[model](rates)


def plain_wacc(rates: Rates, price: float, interest: float | None) -> float:
    """Return the cost of capital at market values; the debt is one bond of five years."""
    risk_free, premium, tax, debt = (rates[one] for one in ("risk_free", "equity_premium", "effective_tax", "debt"))
    yields, equity = risk_free + rates["debt_spread"], price * rates["shares_out"]
    coupon = interest or debt * yields
    bond = sum(coupon / (1 + yields) ** year for year in range(1, 6)) + debt / (1 + yields) ** 5 if debt else 0.0
    beta = rates["unlevered_beta"] * (1 + (1 - tax) * bond / equity)
    both = equity + bond
    return equity / both * (risk_free + beta * premium) + bond / both * yields * (1 - tax)


def faded(first: float, last: float, year: int) -> float:
    """Return a rate that holds for five years and reaches another one in year 10, in a straight line."""
    return first if year <= 5 else first + (last - first) * (year - 5) / 5


def _free_cash_flow(rates: Rates, wacc: float) -> float:
    revenue, factor, applied, worth, losses = rates["revenue_t0"], 1.0, 1.0, 0.0, rates.get("nol_t0", 0.0)
    growth, tax, margin, target = 0.0, 0.0, rates["margin_t0"], rates["target_margin"]
    for year in range(1, 11):
        growth = faded(rates["growth_years_1_to_5"], rates["stable_growth"], year)
        tax = faded(rates["effective_tax"], rates["marginal_tax"], year)
        before, revenue = revenue, revenue * (1 + growth)
        income = revenue * (margin + (target - margin) * min(year, 5) / 5)
        shielded = min(losses, max(income, 0.0))
        losses += max(-income, 0.0) - shielded
        after_tax = income - tax * max(income - shielded, 0.0)
        yearly = 1 + faded(wacc, rates["stable_wacc"], year)
        factor /= yearly
        applied = factor * yearly ** (1 - rates.get("discounting", 1.0))  # the part of its year that is discounted
        worth += (after_tax - (revenue - before) / rates["turnover"]) * applied
    last, cost = rates["stable_growth"], rates["stable_wacc"]
    after = revenue * (1 + last) * target * (1 - rates["marginal_tax"])
    worth += after * (1 - max(last, 0.0) / rates["stable_roic"]) / (cost - last) * applied
    fails = rates.get("failure_probability", 0.0)
    worth *= 1 - fails + fails * rates.get("distress_proceeds", 0.0)
    plus = ("cash", "short_term_investments", "non_operating_assets")
    minus = ("debt", "finance_leases", "pension_deficit", "minority_interest", "preferred_equity", "option_value")
    worth += sum(rates.get(one, 0.0) for one in plus) - sum(rates.get(one, 0.0) for one in minus)
    return worth / rates["shares_out"]


def _excess_returns(rates: Rates) -> float:
    cost = rates["risk_free"] + rates["beta"] * rates["equity_premium"]
    later, book, factor = rates["stable_cost_of_equity"], rates["book_equity"], 1.0
    worth = book
    for year in range(1, 11):
        earned = book * faded(rates["return_on_equity"], rates["stable_return_on_equity"], year)
        charge = book * faded(cost, later, year)
        factor /= 1 + faded(cost, later, year)
        worth += (earned - charge) * factor
        book += earned * (1 - rates["payout"])
    excess = book * (rates["stable_return_on_equity"] - later)
    return (worth + excess / (later - rates["stable_growth"]) * factor) / rates["shares_out"]


def _dividends(rates: Rates) -> float:
    cost = rates["risk_free"] + rates["beta"] * rates["equity_premium"]
    later, last, paid = rates["stable_cost_of_equity"], rates["stable_growth"], rates["dividend_t0"]
    factor, worth = 1.0, 0.0
    for year in range(1, 11):
        paid *= 1 + faded(rates["dividend_growth"], last, year)
        factor /= 1 + faded(cost, later, year)
        worth += paid * factor
    return worth + paid * (1 + last) / (later - last) * factor
