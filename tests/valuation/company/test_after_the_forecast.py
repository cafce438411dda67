"""What lasts after the forecast and when cash arrives: tax, advantage in returns, discounting, each by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.valuation.company.test_capabilities import BANK, FIRM, by_name, market
from tradingagents.capabilities.valuation import build_valuation_inputs, valuation
from tradingagents.capabilities.valuation_case import facts_of
from tradingagents.valuation import ValuationInputs, project, value_company
from tradingagents.valuation.company.answer_parts import CapitalYear, ValuationAssumption
from tradingagents.valuation.company.assumptions import AssumptionBook
from tradingagents.valuation.company.capital_cost import stable_return, stable_tax_of
from tradingagents.valuation.company.facts import CompanyFacts
from tradingagents.valuation.company.results import CompanyValuationInputs


def facts() -> CompanyFacts:
    return facts_of(market(), FIRM)[0]


def built(assumptions: str = "") -> tuple[ValuationInputs, dict[str, ValuationAssumption], CompanyValuationInputs]:
    found = build_valuation_inputs.ask(market(), ticker=FIRM, assumptions=assumptions)
    assert isinstance(found.kernel_inputs, ValuationInputs)
    return found.kernel_inputs, by_name(found.assumptions), found


def test_the_own_usual_tax_rate_goes_on() -> None:
    inputs, rows, _ = built()
    assert rows["effective_tax"].kind == "data"
    assert rows["marginal_tax"].value == rows["effective_tax"].value == inputs.stable_tax
    assert rows["marginal_tax"].source == "default: effective_tax, the company continues to pay what it pays"
    assert set(inputs.tax_rate) == {rows["effective_tax"].value}


def test_without_a_usual_rate_the_convention_stands() -> None:
    unknown = replace(facts(), norms=replace(facts().norms, tax=None))
    book = AssumptionBook({})
    assert stable_tax_of(book, unknown, 0.25) == 0.25
    assert book.rows[-1].source == "default: federal and state taxes of the United States"


def test_given_rates_stand() -> None:
    inputs, rows, _ = built("marginal_tax=0.3")
    assert (inputs.stable_tax, rows["marginal_tax"].kind) == (0.3, "given")
    assert inputs.tax_rate[0] == rows["effective_tax"].value < inputs.tax_rate[9] == pytest.approx(0.3)
    inputs, rows, _ = built("effective_tax=0.18")
    assert inputs.stable_tax == rows["marginal_tax"].value == 0.18
    inputs, rows, _ = built("tax=0.21")
    assert (inputs.stable_tax, set(inputs.tax_rate)) == (0.21, {0.21})
    assert "marginal_tax" not in rows


def test_beta_and_both_costs_of_capital_are_after_the_same_tax() -> None:
    inputs, rows, found = built("risk_free=0.04; equity_premium=0.05; unlevered_beta=1")
    assert found.capital is not None
    tax, debt = rows["effective_tax"].value, found.capital.market_debt
    equity = found.price * inputs.shares_out
    assert found.capital.levered_beta == pytest.approx(1 + (1 - tax) * debt / equity)
    share = rows["target_debt_share"].value
    assert inputs.stable_wacc == pytest.approx((1 - share) * 0.09 + share * 0.055 * (1 - tax))


@pytest.mark.parametrize(("today", "kept"), [(0.20, 0.05), (0.30, 0.10), (0.40, 0.15), (0.90, 0.15)])
def test_half_of_the_advantage_lasts_within_fifteen_points(today: float, kept: float) -> None:
    """Three years that earn 30 x (1 - 0.2) = 24 on 100 lie above a cost of 10 %."""
    years = tuple(
        CapitalYear(end=one.end, revenue=100.0, operating_income=30.0, invested_capital=100.0, reinvestment=None)
        for one in facts().years[:3]
    )
    book = AssumptionBook({})
    assert stable_return(book, replace(facts(), years=years), 0.10, today, 0.2) == pytest.approx(0.10 + kept)
    assert "at most 15%" in book.rows[-1].source


def test_an_advantage_of_two_years_or_not_in_each_does_not_last() -> None:
    years = tuple(
        CapitalYear(end=one.end, revenue=100.0, operating_income=earned, invested_capital=100.0, reinvestment=None)
        for one, earned in zip(facts().years[:3], (30.0, 30.0, 11.0), strict=True)  # 8.8 % in the last
    )
    for known in (years, years[:2]):
        assert stable_return(AssumptionBook({}), replace(facts(), years=known), 0.10, 0.3, 0.2) == 0.10


def test_cash_arrives_over_the_year() -> None:
    inputs, rows, _ = built()
    assert (inputs.discounting, rows["discounting"].value) == ("midyear", 0.5)
    ended, marked, _ = built("discounting=end")
    assert ended.discounting == "end"
    assert "discounting" not in marked
    later = value_company(ended)
    flows = zip(project_flows(ended), ended.wacc, strict=True)
    by_hand, factor, applied = 0.0, 1.0, 1.0
    for flow, rate in flows:
        factor /= 1 + rate
        applied = factor * (1 + rate) ** 0.5
        by_hand += flow * applied
    by_hand += later.terminal_value * applied
    assert value_company(inputs).pv_operating == pytest.approx(by_hand)
    assert value_company(inputs).pv_operating > later.pv_operating


def project_flows(inputs: ValuationInputs) -> list[float]:
    return [year.fcff for year in project(inputs).years]


def test_models_of_the_equity_have_no_part_of_the_year() -> None:
    assert "discounting" not in by_name(valuation.ask(market(), ticker=BANK).assumptions)
