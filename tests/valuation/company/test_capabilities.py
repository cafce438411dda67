"""The questions about a company's value, on the simulated market: figures by hand, overrides, refusals and Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache

import pytest

from tests.support.golden_files import assert_golden
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.company import get_ttm_analysis
from tradingagents.capabilities.valuation import (
    build_valuation_inputs,
    relative_valuation,
    reverse_valuation,
    sensitivity,
    sp500_dcf,
    valuation,
)
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import NoData, UsageError
from tradingagents.settings import Settings, load_settings
from tradingagents.valuation import (
    DividendInputs,
    ExcessReturnInputs,
    InadmissibleInput,
    Valuation,
    ValuationInputs,
    value_company,
)
from tradingagents.valuation.company.answer_parts import ValuationAssumption

DAY = date(2025, 3, 14)
FIRM, BANK, LOSS_MAKER, PAYER = "VELQ", "LEDQ", "CURZ", "WATZ"
ACCEPTED = "base_period=2024-09-30"
"""By this a person values `LOSS_MAKER`, whose report for the year is overdue on the day, on its figures as they are."""


@cache
def opened() -> tuple[Settings, Vendors]:
    settings = load_settings({"data_vendor": "simulated"}, environ={})
    return settings, Vendors(settings)


def market(day: date = DAY) -> MarketData:
    settings, vendors = opened()
    return MarketData(settings, day, vendors=vendors)


def by_name(rows: tuple[ValuationAssumption, ...]) -> Mapping[str, ValuationAssumption]:
    return {row.name: row for row in rows}


QUESTIONS: Mapping[str, tuple[Capability, dict[str, str]]] = {
    "build_valuation_inputs": (build_valuation_inputs, {"ticker": FIRM}),
    "build_valuation_inputs_bank": (build_valuation_inputs, {"ticker": BANK}),
    "valuation": (valuation, {"ticker": FIRM}),
    "valuation_bank": (valuation, {"ticker": BANK}),
    "valuation_loss_maker": (valuation, {"ticker": LOSS_MAKER, "assumptions": f"target_margin=0.2; {ACCEPTED}"}),
    "sensitivity": (sensitivity, {"ticker": FIRM}),
    "reverse_valuation": (reverse_valuation, {"ticker": FIRM}),
    "reverse_valuation_bank": (reverse_valuation, {"ticker": BANK}),
    "relative_valuation": (relative_valuation, {"ticker": FIRM}),
    "sp500_dcf": (sp500_dcf, {}),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_answers_read_as_in_the_golden_files(name: str) -> None:
    capability, arguments = QUESTIONS[name]
    assert_golden(f"valuation/{name}.md", capability.ask(market(), **arguments).to_markdown() + "\n")


def test_the_base_is_the_last_twelve_months_as_filed() -> None:
    built = build_valuation_inputs.ask(market(), ticker=FIRM)
    books = get_ttm_analysis.ask(market(), ticker=FIRM)
    inputs, rows = built.kernel_inputs, by_name(built.assumptions)
    assert isinstance(inputs, ValuationInputs)
    assert books.ttm_revenue is not None
    assert books.ttm_operating_income is not None
    assert inputs.revenue_t0 == books.ttm_revenue
    assert inputs.debt == books.total_debt
    assert rows["margin_t0"].value == pytest.approx(books.ttm_operating_income / books.ttm_revenue)
    assert rows["revenue_t0"].source == f"get_income_statement: revenue, four quarters to {books.periods[0]}"
    assert rows["risk_free"].source.startswith("get_macro_indicators: DGS10")
    assert rows["stable_growth"].value == rows["risk_free"].value - 0.005
    assert {row.kind for row in built.assumptions} == {"data", "default"}
    assert built.beta.regression is not None
    assert built.beta.peers_mean is not None


def test_the_cost_of_capital_follows_from_its_parts() -> None:
    built = build_valuation_inputs.ask(market(), ticker=FIRM)
    rows, capital, inputs = by_name(built.assumptions), built.capital, built.kernel_inputs
    assert capital is not None
    assert isinstance(inputs, ValuationInputs)
    risk_free, premium = rows["risk_free"].value, rows["equity_premium"].value
    assert capital.cost_of_equity == pytest.approx(risk_free + capital.levered_beta * premium)
    assert inputs.wacc[:5] == (capital.wacc,) * 5
    share = rows["target_debt_share"].value
    mature = (1 - share) * (risk_free + premium) + share * (risk_free + 0.015) * (1 - rows["effective_tax"].value)
    assert inputs.wacc[-1] == inputs.stable_wacc == pytest.approx(mature)
    assert inputs.sales_growth[-1] == inputs.stable_growth == pytest.approx(risk_free - 0.005)


def test_the_beta_lies_between_the_own_one_and_the_peers_by_their_precision() -> None:
    built = build_valuation_inputs.ask(market(), ticker=FIRM)
    rows, beta, capital = by_name(built.assumptions), built.beta, built.capital
    assert beta.regression is not None
    assert beta.standard_error is not None
    assert beta.weight is not None
    assert beta.peers_mean is not None
    assert capital is not None
    betas = [peer.regression for peer in beta.peers]
    assert len(betas) >= 5
    assert beta.returns == 504
    known = [peer.unlevered for peer in beta.peers if peer.unlevered is not None]
    ratio = 1.0
    if len(known) >= 5:  # as the company's own beta, without debt
        debt_to_equity = capital.market_debt / (built.price * rows["shares_out"].value)
        betas, ratio = known, 1 / (1 + (1 - rows["effective_tax"].value) * debt_to_equity)
    mean = sum(betas) / len(betas)
    variance = sum((one - mean) ** 2 for one in betas) / (len(betas) - 1)
    weight = variance / (variance + (beta.standard_error * ratio) ** 2)
    assert beta.peers_mean == pytest.approx(mean)
    assert beta.weight == pytest.approx(weight)
    assert beta.used == pytest.approx((weight * beta.regression * ratio + (1 - weight) * mean) / ratio)
    assert f"own {beta.regression:.2f} ± {beta.standard_error:.2f} (504 daily returns on SPY)" in built.to_markdown()


def test_the_value_is_the_kernels() -> None:
    found = valuation.ask(market(), ticker=FIRM)
    assert isinstance(found.kernel_inputs, ValuationInputs)
    assert isinstance(found.valuation, Valuation)
    assert found.valuation == value_company(found.kernel_inputs)
    assert found.value_per_share == found.valuation.value_per_share
    assert found.upside == pytest.approx(found.value_per_share / found.price - 1)
    steps = dict(found.bridge())
    parts = ("pv_operating", "failure", "debt", "minority_interest", "cash", "non_operating_assets")
    assert sum(steps[name] for name in parts) == pytest.approx(steps["equity_value"])
    assert (steps["equity_value"] + steps["options"]) / steps["shares_out"] == pytest.approx(found.value_per_share)


def test_what_the_price_implies_gives_the_price() -> None:
    found = valuation.ask(market(), ticker=FIRM)
    reverse = reverse_valuation.ask(market(), ticker=FIRM)
    for one in reverse.drivers:
        if one.value_per_share is not None:
            assert one.value_per_share == pytest.approx(found.price, rel=1e-9)
    assert next(one.level for one in reverse.drivers if one.driver == "sales_growth") == found.implied


def test_the_base_cell_of_the_grid_is_the_value() -> None:
    found, value = sensitivity.ask(market(), ticker=FIRM), valuation.ask(market(), ticker=FIRM)
    assert found.values[2][2] == found.base_value == value.value_per_share


def test_assumptions_are_replaced_and_marked() -> None:
    found = valuation.ask(market(), ticker=FIRM, assumptions="wacc=9%; margin=0.4; debt=0")
    rows, inputs = by_name(found.assumptions), found.kernel_inputs
    assert isinstance(inputs, ValuationInputs)
    assert inputs.wacc == (0.09,) * 10
    assert inputs.stable_wacc == 0.09
    assert inputs.stable_roic is not None
    assert 0.09 < inputs.stable_roic <= 0.24
    assert inputs.stable_margin == 0.4
    assert inputs.debt == 0
    assert {rows[name].kind for name in ("wacc", "oper_margin", "debt")} == {"given"}
    assert "margin_t0" not in rows


def test_parts_of_the_cost_of_capital_are_replaced() -> None:
    found = build_valuation_inputs.ask(
        market(), ticker=FIRM, assumptions="risk_free=0.04; equity_premium=0.05; beta=1.2"
    )
    assert found.capital is not None
    assert found.capital.cost_of_equity == pytest.approx(0.10)
    assert isinstance(found.kernel_inputs, ValuationInputs)
    share, tax = (by_name(found.assumptions)[name].value for name in ("target_debt_share", "effective_tax"))
    assert found.kernel_inputs.stable_wacc == pytest.approx((1 - share) * 0.09 + share * 0.055 * (1 - tax))
    bare = build_valuation_inputs.ask(
        market(), ticker=FIRM, assumptions="risk_free=0.04; equity_premium=0.05; target_debt_share=0"
    )
    assert isinstance(bare.kernel_inputs, ValuationInputs)
    assert bare.kernel_inputs.stable_wacc == pytest.approx(0.09)


def test_the_parts_of_a_beta_are_replaced() -> None:
    given = "beta_regression=1.5; beta_peers=1.0; beta_weight=0.5; debt=0; risk_free=0.04; equity_premium=0.05"
    found = build_valuation_inputs.ask(market(), ticker=FIRM, assumptions=given)
    assert found.capital is not None
    assert found.capital.levered_beta == pytest.approx(1.25)
    assert found.capital.wacc == pytest.approx(0.1025)
    bank = build_valuation_inputs.ask(market(), ticker=BANK, assumptions="beta=1.1")
    assert by_name(bank.assumptions)["beta"].kind == "given"
    assert "beta_peers" not in by_name(bank.assumptions)


@pytest.mark.parametrize("assumptions", ["wac=0.1", "wacc=ten", "wacc", "risk_free=high", "shares_out=-1", "debt=-5"])
def test_wrong_assumptions_are_refused_by_name(assumptions: str) -> None:
    with pytest.raises(InadmissibleInput) as refused:
        valuation.ask(market(), ticker=FIRM, assumptions=assumptions)
    assert refused.value.exit_code == 2
    assert refused.value.name.split("[")[0] in assumptions


def test_a_bank_goes_to_its_own_model() -> None:
    found = valuation.ask(market(), ticker=BANK)
    assert found.model == "excess_returns"
    assert isinstance(found.kernel_inputs, ExcessReturnInputs)
    with pytest.raises(UsageError, match=r"bank or insurer.*Use model=excess_returns"):
        valuation.ask(market(), ticker=BANK, model="fcff")
    with pytest.raises(UsageError, match=r"Use model=excess_returns"):
        sensitivity.ask(market(), ticker=BANK)
    with pytest.raises(UsageError, match=r"no bank or insurer; use model=fcff"):
        valuation.ask(market(), ticker=FIRM, model="excess_returns")
    with pytest.raises(InadmissibleInput, match=r"^oper_margin: the model excess_returns has no such input"):
        valuation.ask(market(), ticker=BANK, assumptions="margin=0.3")


def test_a_steady_payer_can_be_valued_by_its_dividends() -> None:
    found = valuation.ask(market(), ticker=PAYER, model="dividend_discount")
    assert isinstance(found.kernel_inputs, DividendInputs)
    assert found.value_per_share > 0
    with pytest.raises(UsageError, match=r"steady dividends.*use model=fcff"):
        valuation.ask(market(), ticker=LOSS_MAKER, model="dividend_discount")


def test_a_fund_is_no_company() -> None:
    with pytest.raises(UsageError, match="SPY is an exchange-traded fund, not a company; value a stock instead"):
        valuation.ask(market(), ticker="SPY")


def test_a_company_without_statements_is_refused_in_words() -> None:
    with pytest.raises(NoData, match="PLYZ: There are no twelve months of statements filed by the day"):
        valuation.ask(market(), ticker="PLYZ")


def test_the_index_return_earns_its_level() -> None:
    found = sp500_dcf.ask(market(), assumptions="payout_yield=0.03; growth=0.06; risk_free=0.04")
    assert found.implied_premium == pytest.approx(found.implied_return - 0.04)
    worth, paid = 0.0, 0.03
    for year in range(1, 11):
        growth = 0.06 if year <= 5 else 0.06 - 0.02 * (year - 5) / 5
        paid *= 1 + growth
        worth += paid / (1 + found.implied_return) ** year
    worth += paid * 1.04 / (found.implied_return - 0.04) / (1 + found.implied_return) ** 10
    assert worth == pytest.approx(1)
    with pytest.raises(InadmissibleInput, match=r"^wacc: there is no such assumption"):
        sp500_dcf.ask(market(), assumptions="wacc=0.1")


def test_relative_prices_are_those_of_the_peers() -> None:
    found = relative_valuation.ask(market(), ticker=FIRM)
    earnings = next(one for one in found.ranges if one.multiple == "pe")
    assert earnings.quartiles is not None
    assert earnings.prices is not None
    assert earnings.own is not None
    assert earnings.prices[1] / found.price == pytest.approx(earnings.quartiles[1] / earnings.own)


LOSSES = "CURZ lost 3.6% of its revenue .* of .*5 years; years of losses are no usual margin.*target_margin="


@pytest.mark.parametrize("question", [build_valuation_inputs, valuation, sensitivity, reverse_valuation])
def test_years_of_losses_are_no_usual_margin(question: Capability) -> None:
    with pytest.raises(NoData, match=LOSSES):
        question.ask(market(), ticker=LOSS_MAKER)


@pytest.mark.parametrize("assumptions", ["target_margin=-0.02", "margin=-0.02", "target_margin=0.2; debt=1e15"])
def test_a_given_loss_and_claims_above_all_give_no_value_but_the_price_is_explained(assumptions: str) -> None:
    assumptions = f"{assumptions}; {ACCEPTED}"
    for question in (valuation, sensitivity):
        with pytest.raises(NoData, match=r"No value from these figures: (?!they are of the)"):
            question.ask(market(), ticker=LOSS_MAKER, assumptions=assumptions)
    found = reverse_valuation.ask(market(), ticker=LOSS_MAKER, assumptions=assumptions)
    assert found.base_value is None
    assert found.notes[-1].startswith("No value from these figures")
    assert "| value_per_share | n/a |" in found.to_markdown()


def test_results_are_json_without_a_hole() -> None:
    for capability, arguments in QUESTIONS.values():
        assert "NaN" not in capability.ask(market(), **arguments).model_dump_json()
