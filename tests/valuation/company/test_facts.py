"""Facts of a company: currencies, defaults for what a source lacks, and the dated premium."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

import tradingagents.valuation.company
from tests.support.fakes import make_prices
from tradingagents.capabilities.valuation_case import _exchange_rate, risk_free_of
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Profile, Statement, StatementKind
from tradingagents.errors import NoData
from tradingagents.settings import load_settings
from tradingagents.valuation.company.build import build_for_model
from tradingagents.valuation.company.claims import Sourced, debt_of
from tradingagents.valuation.company.facts import CompanyFacts, company_facts
from tradingagents.valuation.company.market_rates import MarketRates, equity_premium
from tradingagents.valuation.inputs import ValuationInputs

ENDS = (date(2024, 12, 31), date(2024, 9, 30), date(2024, 6, 30), date(2024, 3, 31))
PROFILE = Profile(symbol="ACMQ", name="Acme", kind="stock", sector="technology")


def statement(kind: StatementKind, end: date, **items: float) -> Statement:
    return Statement(
        symbol="ACMQ",
        kind=kind,
        frequency="quarterly",
        fiscal_year=end.year,
        fiscal_period=f"Q{end.month // 3}",
        period_end=end,
        known_at=datetime(2025, 2, 1, tzinfo=UTC),
        currency="USD",
        source="test",
        items=items,
    )


def income() -> list[Statement]:
    return [
        statement(
            "income", end, revenue=100.0, operating_income=20.0, net_income=12.0, shares_diluted=50.0, eps_diluted=0.24,
            pretax_income=16.0, income_tax=4.0,
        )
        for end in ENDS
    ]  # fmt: skip


def balance(**items: float) -> list[Statement]:
    return [statement("balance", ENDS[0], equity=300.0, **items)]


def test_money_is_turned_into_the_currency_of_the_price() -> None:
    prices = make_prices("ACMQ")
    sheet = balance(total_debt=100.0, cash=40.0)
    plain = company_facts(prices, income(), sheet, [], PROFILE)
    turned = company_facts(prices, income(), sheet, [], PROFILE, exchange_rate=1.5)
    for name in ("revenue", "operating_income", "net_income", "debt", "cash", "equity"):
        assert getattr(turned, name).value == pytest.approx(1.5 * getattr(plain, name).value)
    assert plain.revenue is not None
    assert plain.revenue.value == 400
    assert plain.tax_rate is not None
    assert plain.tax_rate.value == pytest.approx(0.25)
    assert turned.shares == plain.shares
    assert turned.tax_rate == plain.tax_rate


def test_a_quarter_far_from_the_others_is_named() -> None:
    prices = make_prices("ACMQ")
    ends = (*ENDS, date(2023, 12, 31), date(2023, 9, 30), date(2023, 6, 30), date(2023, 3, 31))
    quarters = [replace(income()[0], period_end=end, fiscal_year=end.year) for end in ends]
    one_off = replace(quarters[1], items={**quarters[1].items, "operating_income": 62.3})
    plain, unusual = (
        company_facts(prices, rows, balance(), [], PROFILE).notes
        for rows in (quarters, [quarters[0], one_off, *quarters[2:]])
    )
    told = [one for one in unusual if one not in plain]
    assert len(told) == 1
    assert told[0] == (
        "One-off: the operating margin of the quarter to 2024-09-30 was 62.3%, usually 20.0%, a difference of 42. "
        "The usual rate stands for it."
    )


def test_a_gap_that_hides_the_growth_is_refused() -> None:
    prices = make_prices("ACMQ")
    ends = (*ENDS, date(2023, 12, 31), date(2023, 9, 30), date(2023, 6, 30), date(2023, 3, 31))
    quarters = [replace(income()[0], period_end=end, fiscal_year=end.year) for end in ends]
    assert company_facts(prices, quarters, balance(), [], PROFILE).growth is not None
    assert company_facts(prices, quarters[:4], balance(), [], PROFILE).growth is None
    gap = company_facts(prices, [*quarters[:5], *quarters[6:]], balance(), [], PROFILE)
    day, rates = date(2025, 3, 14), MarketRates(Sourced(0.04, "test"), Sourced(0.045, "test"), 1.1, "SPY")
    with pytest.raises(NoData, match=r"the quarter before 2023-12-31 is missing, .* its growth is not known. Give gro"):
        build_for_model("fcff", gap, rates, {"debt": 10.0}, as_of=day)
    given = build_for_model("fcff", gap, rates, {"debt": 10.0, "growth": 0.06}, as_of=day).inputs
    assert isinstance(given, ValuationInputs)
    assert given.sales_growth[0] == 0.06


def test_an_unknown_exchange_rate_is_refused() -> None:
    market = MarketData(load_settings({"data_vendor": "simulated"}, environ={}), date(2025, 3, 14))
    assert _exchange_rate(market, "USD", "USD") == 1.0
    with pytest.raises(NoData, match="statements are in TWD, the price in USD"):
        _exchange_rate(market, "TWD", "USD")


def test_the_risk_free_rate_is_that_of_the_currency_or_refused() -> None:
    market = MarketData(load_settings({"data_vendor": "simulated"}, environ={}), date(2025, 3, 14))
    assert risk_free_of(market, "USD").source == "get_macro_indicators: DGS10, 2025-03-14"
    for currency in ("EUR", "TWD"):  # a series that is not recorded, and a currency without one
        with pytest.raises(NoData, match=f"risk-free rate of {currency} is not known; give it"):
            risk_free_of(market, currency)


def test_long_term_liabilities_stand_for_a_debt_that_is_not_given() -> None:
    (sheet,) = balance(total_liabilities=500.0, current_liabilities=180.0)
    debt = debt_of(sheet)
    assert debt is not None
    assert (debt.value, debt.assumed) == (320.0, True)
    assert debt.source.startswith("default: no debt is given")
    given = debt_of(replace(sheet, items={**sheet.items, "total_debt": 90.0}))
    assert given is not None
    assert (given.value, given.assumed) == (90.0, False)
    assert debt_of(balance()[0]) is None


WHOLE: Mapping[StatementKind, Mapping[str, float]] = {
    "income": {
        "revenue": 100.0, "operating_income": 20.0, "net_income": 12.0, "net_income_to_common": 11.5,
        "pretax_income": 16.0, "income_tax": 4.0, "interest_expense": 1.0, "depreciation_and_amortization": 5.0,
        "ebitda": 25.0, "shares_diluted": 50.0, "shares_basic": 49.0, "eps_diluted": 0.23, "special_charges": -3.0,
        "gain_on_property_sales": 0.5, "property_impairment": 0.25,
    },
    "balance": {
        "cash": 30.0, "equity": 300.0, "total_debt": 80.0, "long_term_debt": 60.0, "short_term_debt": 20.0,
        "total_liabilities": 400.0, "total_assets": 700.0, "current_assets": 120.0, "current_liabilities": 90.0,
        "fixed_assets": 200.0, "long_term_investments": 40.0, "short_term_investments": 10.0,
        "equity_method_investments": 5.0, "preferred_equity": 8.0, "minority_interest": 6.0, "temporary_equity": 2.0,
        "finance_leases": 4.0, "pension_deficit": 3.0, "goodwill_and_intangibles": 150.0, "convertible_debt": 10.0,
    },
    "cashflow": {"operating_cash_flow": 22.0, "capital_expenditure": -7.0, "free_cash_flow": 15.0},
}  # fmt: skip
"""Statements in which every item of a firm's valuation stands."""
EVERY_ITEM = [(kind, name) for kind, items in WHOLE.items() for name in items]


@pytest.mark.parametrize("place", [0, 1, 4])
@pytest.mark.parametrize(("kind", "name"), EVERY_ITEM)
def test_an_item_that_is_withheld_never_moves_a_fact(kind: StatementKind, name: str, place: int) -> None:
    """Either the company cannot be valued without it, or nothing of the facts read it."""
    ends = [end.replace(year=year) for year in (2024, 2023, 2022) for end in ENDS]
    rows = {each: [statement(each, end, **items) for end in ends] for each, items in WHOLE.items()}
    whole = facts_of(rows)
    row = rows[kind][place]
    left = {item: value for item, value in row.items.items() if item != name}
    rows[kind][place] = replace(row, items=left, withheld={name: "The reason."})
    found = facts_or_refusal(rows)
    assert "The reason." in found if isinstance(found, str) else found == whole


def facts_or_refusal(rows: Mapping[StatementKind, list[Statement]]) -> CompanyFacts | str:
    try:
        return facts_of(rows)
    except NoData as refusal:
        return str(refusal)


def facts_of(rows: Mapping[StatementKind, list[Statement]]) -> CompanyFacts:
    found = company_facts(make_prices("ACMQ"), rows["income"], rows["balance"], rows["cashflow"], PROFILE)
    return replace(found, notes=())


def test_the_premium_is_the_newest_published_by_the_day() -> None:
    assert equity_premium(date(2025, 3, 14)).value == 0.0433
    assert equity_premium(date(2025, 1, 9)).year == 2024
    assert equity_premium(date(2025, 1, 10)).year == 2025
    for day in (date(2007, 6, 1), date(2040, 1, 1)):
        with pytest.raises(NoData, match=r"equity_premium=0\.05"):
            equity_premium(day)


def test_no_module_of_the_company_knows_pandas_or_a_vendor() -> None:
    folder = Path(tradingagents.valuation.company.__file__).parent
    named = {
        node.module or ""
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
    }
    assert not [name for name in named if name.startswith(("pandas", "tradingagents.dataflows.vendors"))]
