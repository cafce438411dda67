"""Beta, cost of equity and debt, and their average, worked out by hand."""

from __future__ import annotations

import pytest

from tradingagents.valuation import (
    CapitalStructure,
    InadmissibleInput,
    cost_of_capital,
    lever_beta,
    market_value_of_debt,
    unlever_beta,
)


def test_by_hand() -> None:
    # k_d 6 %: 60 a year on 1000 is worth 1000; D/E = 0.5; beta 1.0 x (1 + 0.75 x 0.5) = 1.375; k_e = 4 % + 1.375 x 5 %
    found = cost_of_capital(
        CapitalStructure(
            risk_free=0.04,
            equity_premium=0.05,
            unlevered_beta=1.0,
            tax_rate=0.25,
            equity=2000,
            debt=1000,
            interest=60,
            debt_spread=0.02,
            debt_years=7,
        )
    )
    assert found.market_debt == pytest.approx(1000)
    assert found.levered_beta == pytest.approx(1.375)
    assert found.cost_of_equity == pytest.approx(0.10875)
    assert found.cost_of_debt == pytest.approx(0.06)
    assert found.wacc == pytest.approx(2 / 3 * 0.10875 + 1 / 3 * 0.06 * 0.75)


def test_without_debt_the_average_is_the_cost_of_equity() -> None:
    given = CapitalStructure(risk_free=0.04, equity_premium=0.05, unlevered_beta=1.2, tax_rate=0.25, equity=100)
    assert cost_of_capital(given).wacc == pytest.approx(0.10)


def test_unlevering_undoes_levering() -> None:
    assert unlever_beta(lever_beta(0.9, 0.21, 0.6), 0.21, 0.6) == pytest.approx(0.9)


def test_debt_below_its_coupon_is_worth_less_than_its_book() -> None:
    assert market_value_of_debt(30, 1000, 0.05, 10) == pytest.approx(845.5653, abs=1e-4)
    assert market_value_of_debt(30, 1000, 0.0, 10) == 1300


@pytest.mark.parametrize("changes", [{"equity": 0.0}, {"tax_rate": 1.5}, {"debt": -1.0}, {"risk_free": float("nan")}])
def test_wrong_numbers_are_refused_by_name(changes: dict[str, float]) -> None:
    good = {"risk_free": 0.04, "equity_premium": 0.05, "unlevered_beta": 1.0, "tax_rate": 0.25, "equity": 100.0}
    with pytest.raises(InadmissibleInput) as refused:
        CapitalStructure(**{**good, **changes})
    assert refused.value.name == next(iter(changes))
