"""A share is worth nothing at the least: floors, how often they hold, and reasons where figures give no value.

`level` earns 10 a year for ever at a cost of 10 %: its operations are worth 100, ten for each point of margin.
"""

from __future__ import annotations

from typing import Any

import pytest

from tradingagents.errors import UsageError
from tradingagents.valuation import (
    DriverDistribution,
    ExcessReturnInputs,
    Scenario,
    ValuationInputs,
    grid,
    simulate,
    solve_driver,
    tornado,
    value_by_excess_returns,
    value_company,
    value_scenarios,
    why_no_value,
    worth_nothing,
)


def level(**changes: Any) -> ValuationInputs:
    made = ValuationInputs(
        revenue_t0=100,
        shares_out=10,
        sales_growth=(0.0,) * 5,
        oper_margin=(0.1,) * 5,
        tax_rate=(0.0,) * 5,
        sales_to_capital=(1.0,) * 5,
        wacc=(0.1,) * 5,
        stable_growth=0.0,
        stable_roic=0.1,
        debt=60,
    )
    return made.with_values(**changes)


def reason(inputs: ValuationInputs) -> str:
    found = why_no_value(inputs, value_company(inputs))
    assert found is not None
    return found


def test_a_share_with_a_value_has_no_reason() -> None:
    assert value_company(level()).value_per_share == pytest.approx(4.0)
    assert why_no_value(level(), value_company(level())) is None


def test_claims_above_the_operations_give_no_value_and_the_kernel_its_arithmetic() -> None:
    owing = level(debt=120)
    assert value_company(owing).value_per_share == pytest.approx(-2.0)
    assert "1.20 times the operations and other assets" in reason(owing)
    assert "target_margin=" in reason(owing)
    assert "debt=" in reason(owing)


def test_claims_that_equal_the_operations_give_no_value() -> None:
    assert "1.00 times" in reason(level(debt=value_company(level(debt=0)).equity_value))


def test_a_loss_for_ever_gives_no_value_even_with_cash() -> None:
    rich = level(stable_margin=-0.01, debt=0, cash=1000)
    assert value_company(rich).value_per_share > 0
    assert "an operating margin of -1.0% for ever is no normal one" in reason(rich)


def test_capital_that_earns_less_than_it_costs_for_ever_gives_no_value_where_it_takes_all() -> None:
    poor = level(stable_growth=0.03, stable_roic=0.02, debt=0)
    # 10 a year for five years: 37.91; then 10.3 * (1 - 3/2) / 7 % = -73.57, today -45.68.
    assert value_company(poor).pv_operating == pytest.approx(37.9079 - 45.6821, abs=1e-3)
    assert "earns 2.0% for ever and costs 10.0%; stable_roic=" in reason(poor)


def test_a_bank_that_destroys_its_equity_has_no_value() -> None:
    bank = ExcessReturnInputs(
        book_equity=100,
        shares_out=10,
        return_on_equity=(-0.5,) * 5,
        cost_of_equity=(0.1,) * 5,
        payout=(0.0,) * 5,
        stable_growth=0.0,
        stable_return_on_equity=-0.1,
        stable_cost_of_equity=0.1,
    )
    value = value_by_excess_returns(bank)
    assert value.value_per_share < 0
    assert "return_on_equity=" in str(why_no_value(bank, value))


def test_grid_and_tornado_show_nothing_at_the_least() -> None:
    found = grid(level(), "oper_margin", "wacc", (-0.05, 0.0), (0.0,))
    assert found.values[:, 0] == pytest.approx([0.0, 4.0])  # operations of 50 against a debt of 60
    assert grid(level(debt=120), "oper_margin", "wacc", (0.0,), (0.0,)).base_value == 0.0
    bar = tornado(level(), {"oper_margin": (-0.05, 0.05)}).bars[0]
    assert bar.low == 0.0
    assert bar.high == pytest.approx(9.0)


def test_scenarios_count_a_worthless_share_as_nothing_and_say_how_likely_it_is() -> None:
    found = value_scenarios([Scenario("as it is", 0.69, level()), Scenario("owing", 0.31, level(debt=120))])
    assert [one.value_per_share for one in found.scenarios] == [pytest.approx(4.0), 0.0]
    assert found.scenarios[1].valuation.value_per_share == pytest.approx(-2.0)
    assert found.expected_value == pytest.approx(2.76)  # not 2.14, as with -2
    assert found.worth_nothing == pytest.approx(0.31)
    assert worth_nothing(found.worth_nothing, "the scenarios").startswith("31.0% of the scenarios are worth nothing")


def test_draws_below_zero_count_as_nothing_and_are_counted() -> None:
    # The margin lies evenly between 0 and 20 %, the share is worth 100 times it less 6: nothing below 6 %, 30 of 100.
    found = simulate(level(), {"oper_margin": DriverDistribution("uniform", (-0.1, 0.1))}, draws=40_000, seed=3)
    assert found.worth_nothing == pytest.approx(0.30, abs=0.01)
    assert found.mean == pytest.approx(4.9, abs=0.1)  # (50 m^2 - 6 m) / 0.2 from 6 % to 20 %
    assert found.lowest == 0.0
    assert dict(found.quantiles)[0.25] == 0.0
    sure = simulate(level(), {"oper_margin": DriverDistribution("normal", (-0.05, 0.0))}, draws=10)
    assert (sure.worth_nothing, sure.highest) == (1.0, 0.0)


def test_a_price_is_explained_as_before_and_one_of_nothing_is_refused() -> None:
    found = solve_driver(level(debt=120), "oper_margin", 3.0)
    assert found.level == pytest.approx(0.15)  # operations of 150 less 120, for ten shares
    assert found.lowest_value == 0.0
    assert found.base_value == 0.0
    with pytest.raises(UsageError, match="above 0"):
        solve_driver(level(), "oper_margin", 0.0)
