"""Convert Alpha Vantage's statements, known from the day on which the company published its results."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from tradingagents.dataflows.models import Frequency, Statement, StatementKind
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.reference.currencies import NOT_STATED
from tradingagents.dataflows.reference.fiscal_periods import assumed_known_at, fiscal_quarter, fiscal_year
from tradingagents.dataflows.responses.lost_rows import lost, unread
from tradingagents.dataflows.vendors.alpha_vantage.fields import (
    NAME,
    Unreadable,
    day_of,
    number,
    object_of,
    objects_of,
    text_of,
)

ITEMS: Mapping[StatementKind, Mapping[str, tuple[str, ...]]] = {
    "income": {
        "revenue": ("totalRevenue",),
        "cost_of_revenue": ("costOfRevenue", "costofGoodsAndServicesSold"),
        "gross_profit": ("grossProfit",),
        "research_and_development": ("researchAndDevelopment",),
        "selling_general_administrative": ("sellingGeneralAndAdministrative", "sellingGeneralAdministrative"),
        "operating_expenses": ("operatingExpenses", "totalOperatingExpense"),
        "operating_income": ("operatingIncome",),
        "depreciation_and_amortization": ("depreciationAndAmortization",),
        "ebitda": ("ebitda",),
        "interest_expense": ("interestExpense",),
        "pretax_income": ("incomeBeforeTax",),
        "income_tax": ("incomeTaxExpense", "taxProvision"),
        "net_income": ("netIncome",),
    },
    "balance": {
        "cash": ("cashAndCashEquivalentsAtCarryingValue",),
        "receivables": ("currentNetReceivables",),
        "inventory": ("inventory",),
        "current_assets": ("totalCurrentAssets",),
        "fixed_assets": ("propertyPlantEquipment",),
        "total_assets": ("totalAssets",),
        "accounts_payable": ("currentAccountsPayable",),
        "short_term_debt": ("shortTermDebt", "currentDebt"),
        "current_liabilities": ("totalCurrentLiabilities",),
        "long_term_debt": ("longTermDebtNoncurrent", "longTermDebt"),
        "total_debt": ("shortLongTermDebtTotal",),
        "total_liabilities": ("totalLiabilities",),
        "equity": ("totalShareholderEquity",),
        "retained_earnings": ("retainedEarnings",),
        # `shortLongTermDebtTotal` holds leases.
        "short_term_investments": ("shortTermInvestments",),
        "long_term_investments": ("longTermInvestments",),
        "other_current_assets": ("otherCurrentAssets",),
        "other_noncurrent_assets": ("otherNonCurrentAssets",),
        "shares_outstanding": ("commonStockSharesOutstanding",),
    },
    "cashflow": {
        "operating_cash_flow": ("operatingCashflow",),
        "capital_expenditure": ("capitalExpenditures",),
        "investing_cash_flow": ("cashflowFromInvestment",),
        "financing_cash_flow": ("cashflowFromFinancing",),
        "dividends_paid": ("dividendPayout", "dividendPayoutCommonStock"),
        "share_repurchases": ("paymentsForRepurchaseOfCommonStock", "paymentsForRepurchaseOfEquity"),
        "net_change_in_cash": ("changeInCashAndCashEquivalents",),
    },
}
"""The library's items and Alpha Vantage's names for them, the preferred one first."""
_MONEY_OUT = frozenset({"capital_expenditure", "dividends_paid", "share_repurchases"})
"""Positive there, negative here."""

Reported = Mapping[date, date]
"""Publication day of the results by period end."""


def statements_of(
    symbol: str, kind: StatementKind, freq: Frequency, reports: Any, *, year_end: date | None, reported: Reported
) -> tuple[Statement, ...]:
    """Return statements, newest period first.

    Results are known from the open of the session after their publication. If that day is missing, the filing deadline
    is assumed; likewise for balance sheet and cash flow, which a press release may omit.

    Args:
        freq: Quarters or years.
        reports: Alpha Vantage's rows.
        year_end: Last day of some fiscal year; None: calendar years are assumed.
        reported: When results were published.
    """
    given = objects_of(reports)
    found = []
    for report in given:
        period_end = day_of(report.get("fiscalDateEnding"))
        if period_end is None:
            lost("report", fiscalDateEnding=None)
            continue
        annual = freq == "annual"
        year, period = (fiscal_year(period_end), "FY") if annual else fiscal_quarter(period_end, year_end=year_end)
        published = reported.get(period_end)
        known_at = assumed_known_at(period_end, annual=period in ("FY", "Q4"))
        if published:
            # A press release always has the results; balance sheet and cash flow may come with the filing.
            results = sessions().next_open(published)
            known_at = results if kind == "income" else max(results, known_at)
        items = _items(kind, report, known_at)
        if not items:
            lost("report", since=known_at, items=None)
            continue
        found.append(
            Statement(
                symbol=symbol,
                kind=kind,
                frequency=freq,
                fiscal_year=year,
                fiscal_period=period,
                period_end=period_end,
                known_at=known_at,
                known_by="accepted" if published and kind == "income" else "assumed",
                currency=text_of(report.get("reportedCurrency")) or NOT_STATED,
                source=NAME,
                items=items,
            )
        )
    if given and not found:
        raise Unreadable
    return tuple(sorted(found, key=lambda statement: statement.period_end, reverse=True))


def reported_of(answer: Any) -> Reported:
    """Return when results were published, as EARNINGS has it; empty for the empty object that stands for none.

    A day that does not follow its period cannot be one of publication and is left out.
    """
    found = object_of(answer)
    rows = objects_of(found.get("quarterlyEarnings")) if found else []
    days = ((day_of(row.get("fiscalDateEnding")), day_of(row.get("reportedDate"))) for row in rows)
    return {
        period_end: published for period_end, published in days if period_end and published and published > period_end
    }


def year_end_of(reports: Any) -> date | None:
    """Return the last day of the newest fiscal year; None where there is no annual report."""
    ends = [day_of(one.get("fiscalDateEnding")) for one in (objects_of(reports) if reports else ())]
    return max((day for day in ends if day is not None), default=None)


def _items(kind: StatementKind, report: Mapping[str, Any], since: datetime) -> dict[str, float]:
    items: dict[str, float] = {}
    for item, names in ITEMS[kind].items():
        value = next((read for name in names if (read := number(report.get(name))) is not None), None)
        for name in names if value is None else ():
            unread(name, text_of(report.get(name)), since=since)
        if value is not None:
            items[item] = 0.0 - abs(value) if item in _MONEY_OUT else value
    if "operating_cash_flow" in items and "capital_expenditure" in items:
        items["free_cash_flow"] = items["operating_cash_flow"] + items["capital_expenditure"]
    return items
