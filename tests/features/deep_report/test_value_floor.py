"""The valuation of a report where evidence or a case leaves nothing for the shares."""

from __future__ import annotations

from datetime import date

import pytest

from tradingagents.capabilities.valuation import valuation
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.features.deep_report.graph.value import rating_of, value_of
from tradingagents.features.deep_report.schemas.thesis import ThesisValuation
from tradingagents.settings import load_settings
from tradingagents.valuation import ValuationInputs
from tradingagents.valuation.company.results import CompanyValuation


@pytest.fixture(scope="module")
def company() -> CompanyValuation:
    settings = load_settings({"data_vendor": "simulated"}, environ={})
    data = MarketData(settings, date(2025, 3, 14), vendors=Vendors(settings))
    return valuation.ask(data, ticker="VELQ")


def owing(company: CompanyValuation, times: float) -> CompanyValuation:
    """Return the company with so many times the debt that its operations bear."""
    inputs = company.kernel_inputs
    assert isinstance(inputs, ValuationInputs)
    worth = company.valuation.equity_value + inputs.debt
    return company.model_copy(update={"kernel_inputs": inputs.with_values(debt=times * worth)})


def test_claims_above_the_operations_are_told_instead_of_a_value(company: CompanyValuation) -> None:
    made = value_of(owing(company, 2.0), [], [])
    assert isinstance(made, str)
    assert made.startswith("With the evidence: No value from these figures: the claims before the shares are ")


def test_the_record_opens_as_the_answer_does(company: CompanyValuation) -> None:
    made = value_of(company, [], [])
    assert isinstance(made, ThesisValuation)
    assert tuple(made.opening) == company.opening


def test_no_case_is_worth_less_than_nothing(company: CompanyValuation) -> None:
    made = value_of(owing(company, 0.999), [], [])
    assert isinstance(made, ThesisValuation)
    assert min(scenario.value_per_share for scenario in made.scenarios) >= 0
    assert made.expected_value >= 0
    assert min(bar[end] for bar in made.sensitivity for end in ("low", "high")) == 0.0
    assert rating_of(made) in ("", "SELL")
