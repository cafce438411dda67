"""A real-estate trust, a utility and a company before its first profit, from recorded statements of a vendor's shape.

The statements are made up. Each value is worked out a second time here, by plain arithmetic.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.fakes import make_prices
from tests.support.snapshot_folder import read_lines, statement_row, write_lines, write_snapshot
from tests.valuation.company.test_facts import PROFILE, balance, income
from tradingagents.capabilities.valuation import build_valuation_inputs, reverse_valuation, sensitivity, valuation
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import NoData, UsageError
from tradingagents.features.valuation_report.equity_valuation import equity_document
from tradingagents.features.valuation_report.valuation_files import assert_workbook
from tradingagents.reports.render.html import to_html
from tradingagents.settings import load_settings
from tradingagents.valuation import ExcessReturnInputs, FundsInputs, InadmissibleInput, Valuation, ValuationInputs
from tradingagents.valuation.company.answer_parts import ValuationAssumption
from tradingagents.valuation.company.build import build_for_model
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.facts import company_facts
from tradingagents.valuation.company.market_rates import MarketRates

DAY = date(2025, 3, 14)
ENDS = [date(2022, 12, 31), date(2023, 3, 31), date(2023, 6, 30), date(2023, 9, 30), date(2023, 12, 31)]
ENDS += [date(2024, 3, 31), date(2024, 6, 30), date(2024, 9, 30), date(2024, 12, 31)]
TRUST, UTILITY, YOUNG, EARLY = "FERQ", "JAYQ", "GANQ", "CRGQ"
MILLION = 1e6
SOFTWARE = ("Information Technology", "Quantum Software")
KINDS = {
    TRUST: ("Real Estate", "REIT - Retail"),
    UTILITY: ("Utilities", "Utilities - Regulated Electric"),
    YOUNG: SOFTWARE,
    EARLY: ("Health Care", "Biotechnology"),
    **dict.fromkeys(("ACMQ", "ELMQ", "DOVQ", "HAWQ", "KITQ"), SOFTWARE),
}
RATES = "risk_free=0.04; equity_premium=0.04; beta=1"
"""A cost of equity of 8 % every year and for ever."""


def trust() -> dict[str, dict[str, float]]:
    """One quarter, with Yahoo's names, in millions: a year has 800 of net income and 2,400 of depreciation."""
    return {
        "income": {
            "Total Revenue": 1250, "Operating Income": 500, "Reconciled Depreciation": 600, "Interest Expense": 250,
            "Pretax Income": 215, "Tax Provision": 15, "Net Income": 200, "Net Income Common Stockholders": 200,
            "Gain On Sale Of Ppe": 20, "Impairment Of Capital Assets": 50, "Diluted Average Shares": 870,
            "Basic Average Shares": 870, "Diluted EPS": 200 / 870e6, "Basic EPS": 200 / 870e6,
        },
        "balance": {
            "Total Assets": 60000, "Total Liabilities Net Minority Interest": 28000, "Stockholders Equity": 31850,
            "Minority Interest": 150, "Total Debt": 25000, "Cash And Cash Equivalents": 400,
        },
    }  # fmt: skip


def firm(revenue: float, margin: float, shares: float, sheet: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """One quarter with the library's names; income after tax is three quarters of that of the operations."""
    earned = revenue * margin * (0.75 if margin > 0 else 1.0)
    return {
        "income": {
            "revenue": revenue, "operating_income": revenue * margin, "net_income": earned, "shares_diluted": shares,
            "eps_diluted": earned / shares / MILLION, "pretax_income": revenue * margin,
            "income_tax": revenue * margin - earned,
        },
        "balance": dict(sheet),
        "cashflow": {"operating_cash_flow": 0.25 / 0.3 * revenue * margin, "capital_expenditure": -0.03 * revenue},
    }  # fmt: skip


def young_revenue(number: int) -> float:
    return 50 * 1.08**number


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = write_snapshot(tmp_path_factory.mktemp("kinds"))
    profiles = json.loads((place / "profiles.json").read_text())
    for symbol, (sector, industry) in KINDS.items():
        profiles[symbol] |= {"sector": sector, "industry": industry}
    (place / "profiles.json").write_text(json.dumps(profiles))
    rows = read_lines(place / "statements.jsonl.gz")
    sheet = {
        "total_assets": 50000.0,
        "total_liabilities": 34000.0,
        "equity": 16000.0,
        "total_debt": 18000.0,
        "cash": 100.0,
    }
    young = {"total_assets": 400.0, "total_liabilities": 150.0, "equity": 250.0, "total_debt": 60.0, "cash": 150.0}
    for number, end in enumerate(ENDS):
        rows += quarter(TRUST, end, trust(), source="yfinance")
        rows += quarter(UTILITY, end, firm(3000, 400 / 0.75 / 3000, 500, sheet))
        rows += quarter(YOUNG, end, firm(young_revenue(number), -0.3, 100, young))
        rows += quarter(EARLY, end, firm(0.5, -60, 100, young))
        rows += quarter("HAWQ", end, firm(900, 0.10, 100, young))
        rows += quarter("KITQ", end, firm(800, 0.15, 100, young))
    write_lines(place / "statements.jsonl.gz", rows)
    return place


def quarter(symbol: str, end: date, books: Mapping[str, Mapping[str, float]], **more: str) -> list[dict[str, Any]]:
    filed = f"{(end + timedelta(days=40)).isoformat()}T20:30:00Z"
    return [
        statement_row(symbol, kind, end, {name: value * MILLION for name, value in items.items()}, filed_at=filed)
        | more
        for kind, items in books.items()
    ]


@pytest.fixture
def market(folder: Path) -> MarketData:
    return MarketData(load_settings({"data_vendor": "snapshot", "data_dir": str(folder)}, environ={}), DAY)


def by_name(rows: tuple[ValuationAssumption, ...]) -> dict[str, ValuationAssumption]:
    return {row.name: row for row in rows}


def test_a_trust_is_valued_by_its_adjusted_funds_from_operations(market: MarketData) -> None:
    found = valuation.ask(market, ticker=TRUST, assumptions=RATES)
    rows = by_name(found.assumptions)
    assert (found.kind, found.model) == ("reit", "funds_from_operations")
    assert rows["funds_from_operations"].value == pytest.approx(3320 * MILLION)  # 800 + 2,400 + 200 - 80
    assert rows["recurring_capital_expenditure"].value == pytest.approx(360 * MILLION)  # 15 % of 2,400
    assert rows["funds_t0"].value == pytest.approx(2960 * MILLION)
    assert found.value_per_share == pytest.approx(2960 * 1.02 / (0.08 - 0.02) / 870)  # 57.84, Gordon
    assert found.value_per_share == pytest.approx(57.84, abs=0.005)
    # 4,400 of operating income before depreciation at 6 %, less 25,000 of debt and 150 of others, with 400 of cash
    assert found.second_view == pytest.approx((4400 / 0.06 - 25000 - 150 + 400) / 870)
    assert found.second_view == pytest.approx(55.84, abs=0.005)
    assert "Second view: 55.84 USD a share by the properties at a capitalisation rate of 6.0%" in " ".join(
        found.opening
    )
    assert "3.5% below the value from funds" in " ".join(found.opening)
    assert any(note.startswith("Method: adjusted funds from operations") for note in found.notes)


def test_what_a_trusts_price_implies_gives_the_price(market: MarketData) -> None:
    found = valuation.ask(market, ticker=TRUST, assumptions=RATES)
    assert found.implied_name == "funds_growth"
    again = valuation.ask(
        market, ticker=TRUST, assumptions=f"{RATES}; funds_growth={','.join([repr(found.implied)] * 10)}"
    )
    assert again.value_per_share == pytest.approx(found.price)
    reverse = reverse_valuation.ask(market, ticker=TRUST, assumptions=RATES)
    assert reverse.implied_rates == (("funds_growth", 0.02, found.implied),)


def test_a_trusts_assumptions_are_replaced(market: MarketData) -> None:
    given = f"{RATES}; cap_rate=0.05; recurring_capital_expenditure=660e6; funds_growth=0.03; cost_of_equity=0.08"
    found = valuation.ask(market, ticker=TRUST, assumptions=given)
    inputs = found.kernel_inputs
    assert isinstance(inputs, FundsInputs)
    assert inputs.funds_t0 == pytest.approx(2660 * MILLION)
    assert inputs.funds_growth[:5] == (0.03,) * 5
    assert found.second_view == pytest.approx((4400 / 0.05 - 24750) / 870)
    with pytest.raises(NoData, match=r"adjusted funds from operations of FERQ are -.*Give funds_t0="):
        valuation.ask(market, ticker=TRUST, assumptions=f"{RATES}; gains_on_sales=4e9")
    with pytest.raises(InadmissibleInput, match=r"^oper_margin: the model funds_from_operations has no such input"):
        valuation.ask(market, ticker=TRUST, assumptions="margin=0.3")


def test_properties_below_the_debt_leave_nothing_and_not_less(market: MarketData) -> None:
    found = valuation.ask(market, ticker=TRUST, assumptions=f"{RATES}; cap_rate=0.5")
    assert found.second_view == 0.0
    assert "leave nothing for the shares" in " ".join(found.opening)


def test_a_trust_has_a_page_and_says_that_it_has_no_workbook(market: MarketData) -> None:
    found = valuation.ask(market, ticker=TRUST, assumptions=RATES)
    page = to_html(equity_document(found))
    assert "Adjusted funds" in page
    assert "properties at a capitalisation rate" in page
    with pytest.raises(UsageError, match="FERQ is valued by funds_from_operations; the page shows it"):
        assert_workbook(found, "the page shows it")
    with pytest.raises(UsageError, match="Use model=funds_from_operations"):
        sensitivity.ask(market, ticker=TRUST)
    assert build_valuation_inputs.ask(market, ticker=TRUST, assumptions=RATES).kind == "reit"


def test_a_utility_earns_what_its_own_past_shows_that_commissions_allow(market: MarketData) -> None:
    found = valuation.ask(market, ticker=UTILITY, assumptions=RATES)
    inputs = found.kernel_inputs
    assert (found.kind, found.model) == ("utility", "excess_returns")
    assert isinstance(inputs, ExcessReturnInputs)
    assert inputs.return_on_equity[0] == pytest.approx(0.10)  # 1,600 over 16,000
    book, worth = 16000.0, 16000.0
    for year in range(1, 11):
        earned = 0.10 if year <= 5 else 0.10 - 0.02 * (year - 5) / 5
        worth += (earned - 0.08) * book / 1.08**year
        book *= 1 + earned * 0.35  # growth of 3.5 %, half a point below risk_free, at a return of 10 % retains 35 %
    assert found.value_per_share == pytest.approx(worth / 500)
    assert any("a commission lets a regulated utility earn" in note for note in found.notes)


def test_a_utilitys_return_is_taken_within_what_commissions_allow(market: MarketData) -> None:
    low = valuation.ask(market, ticker=UTILITY, assumptions=f"{RATES}; preferred_equity=5e9").assumptions
    row = by_name(low)["return_on_equity"]
    assert row.value == 0.12  # 1,600 over 11,000 is 14.5 %
    assert "14.5%, taken within 7% to 12%" in row.source


def test_a_young_company_reaches_the_margin_of_its_industry_or_fails(market: MarketData) -> None:
    found = valuation.ask(market, ticker=YOUNG, assumptions=f"{RATES}; debt_spread=0.02")
    inputs, rows = found.kernel_inputs, by_name(found.assumptions)
    assert found.kind == "no_profit_yet"
    assert isinstance(inputs, ValuationInputs)
    assert isinstance(found.valuation, Valuation)
    assert inputs.stable_margin == pytest.approx(0.20)  # the median of 10, 15, 20, 20 and 20 %
    assert inputs.oper_margin[:5] == pytest.approx((-0.20, -0.10, 0.0, 0.10, 0.20))
    assert "ACMQ, DOVQ, ELMQ, HAWQ, KITQ" in rows["target_margin"].source
    lost = 0.3 * sum(young_revenue(number) for number in range(1, 9)) * MILLION  # two years of losses
    assert inputs.nol_t0 == pytest.approx(lost)
    # 150 of cash last 1.6 years at a burn of 28 % of 331: grade B-
    assert inputs.failure_probability == 0.3250
    assert "cash lasts 19 months" in rows["failure_probability"].source
    # on failure half of the capital is left: 250 of equity and 60 of debt less 150 of cash
    left = found.valuation.pv_operating * (1 - 0.3250) + 0.3250 * 80 * MILLION
    assert found.value_per_share == pytest.approx((left - 60 * MILLION + 150 * MILLION) / (100 * MILLION))
    told = next(note for note in found.notes if note.startswith("Outcomes:"))
    lives = (found.valuation.pv_operating + 90 * MILLION) / (100 * MILLION)
    assert f"{lives:,.2f} USD a share if it lives" in told
    assert "1.70 if it fails, with a probability of 32.5%" in told  # (80 + 90) / 100


def test_a_young_company_without_peers_that_earn_needs_a_margin(folder: Path, tmp_path: Path) -> None:
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    profiles = json.loads((tmp_path / "profiles.json").read_text())
    profiles["KITQ"]["industry"] = "Other Software"
    (tmp_path / "profiles.json").write_text(json.dumps(profiles))
    four = MarketData(load_settings({"data_vendor": "snapshot", "data_dir": str(tmp_path)}, environ={}), DAY)
    with pytest.raises(NoData, match=r"5 or more companies .* are known: ACMQ, DOVQ, ELMQ, HAWQ\. Give the margin"):
        valuation.ask(four, ticker=YOUNG, assumptions=RATES)
    given = valuation.ask(four, ticker=YOUNG, assumptions=f"{RATES}; target_margin=0.2; failure_probability=0")
    assert isinstance(given.kernel_inputs, ValuationInputs)
    assert given.kernel_inputs.failure_probability == 0
    assert not any(note.startswith("Outcomes:") for note in given.notes)


def test_a_company_before_its_first_sale_is_refused_or_valued_on_an_estimate(market: MarketData) -> None:
    with pytest.raises(NoData, match=r"CRGQ has no sales to speak of.* they last 18 months; net of debt .* 0\.90 USD"):
        valuation.ask(market, ticker=EARLY, assumptions=RATES)
    with pytest.raises(NoData, match="has no sales to speak of"):
        valuation.ask(market, ticker=EARLY, assumptions=f"{RATES}; revenue_t0=5e8")
    given = f"{RATES}; revenue_t0=5e8; margin=0.25; growth=0.1; sales_to_capital=2"
    found = valuation.ask(market, ticker=EARLY, assumptions=given)
    inputs = found.kernel_inputs
    assert found.kind == "no_sales"
    assert isinstance(inputs, ValuationInputs)
    assert inputs.oper_margin[0] == 0.0
    assert inputs.oper_margin[4:] == pytest.approx((0.25,) * 6)
    assert inputs.failure_probability == 0.3250  # a year and a half of cash
    assert any(note.startswith("The company has no sales") for note in found.notes)


@pytest.mark.parametrize(("equity", "stable"), [(16000.0, 0.08), (1600 / 0.17, 0.125), (4000.0, 0.13)])
def test_a_lender_that_earns_fees_keeps_half_of_its_advantage(equity: float, stable: float) -> None:
    """Returns of 10, 17 and 40 %, a cost of 8 %: from 16 % on half of the advantage remains, at most 5 points."""
    facts = company_facts(make_prices("ACMQ"), income(), balance(total_debt=100.0, cash=40.0), [], PROFILE)
    assert facts.equity is not None
    assert facts.net_income is not None
    facts = replace(
        facts,
        equity=replace(facts.equity, value=equity),
        net_income=replace(facts.net_income, value=1600.0),
        income_to_common=None,
    )
    rates = MarketRates(Sourced(0.04, "test"), Sourced(0.04, "test"), 1.0, "SPY")
    bank = build_for_model("excess_returns", facts, rates, {"beta": 1.0}, as_of=DAY, kind="bank").inputs
    insurer = build_for_model("excess_returns", facts, rates, {"beta": 1.0}, as_of=DAY, kind="insurer").inputs
    assert isinstance(bank, ExcessReturnInputs)
    assert isinstance(insurer, ExcessReturnInputs)
    assert bank.stable_return_on_equity == pytest.approx(stable)
    assert insurer.stable_return_on_equity == pytest.approx(0.08)


def test_the_share_count_of_a_receipt_of_unknown_ratio_is_not_trusted() -> None:
    statements = [replace(one, currency="EUR") for one in income()]
    sheets = [replace(one, currency="EUR") for one in balance(total_debt=100.0, cash=40.0)]
    facts = company_facts(make_prices("ACMQ"), statements, sheets, [], PROFILE, exchange_rate=1.1)
    rates = MarketRates(Sourced(0.04, "test"), Sourced(0.045, "test"), 1.1, "SPY")
    with pytest.raises(NoData, match=r"shares_out of ACMQ is not known.*its statements are in EUR.*Give shares_out=…"):
        build_for_model("fcff", facts, rates, {}, as_of=DAY)
    given = build_for_model("fcff", facts, rates, {"shares_out": 25.0}, as_of=DAY).inputs
    assert isinstance(given, ValuationInputs)
    assert (given.revenue_t0, given.debt, given.shares_out) == pytest.approx((440.0, 110.0, 25.0))
