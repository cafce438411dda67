"""Laws that hold for all admissible inputs, and the second implementation in plain loops."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.support.tiers import examples
from tests.valuation.cases import FULL, SMALL
from tests.valuation.plain_loops import value_in_loops
from tests.valuation.random_inputs import OPTIONS, admissible, number
from tradingagents.valuation import (
    DRIVERS,
    EmployeeOptions,
    InadmissibleInput,
    ValuationInputs,
    grid,
    project,
    shift_inputs,
    value_company,
)

CASES = settings(max_examples=examples(60), deadline=None)


def close(one: float, other: float, *parts: float) -> bool:
    """Compare two sums to 1e-10 of the largest of their parts."""
    return abs(one - other) <= 1e-10 * max(1.0, abs(one), abs(other), *map(abs, parts))


@CASES
@given(admissible())
def test_plain_loops_agree(inputs: ValuationInputs) -> None:
    value, expected = value_company(inputs), value_in_loops(inputs)
    parts = (expected["pv_explicit"], expected["pv_terminal"], inputs.debt, inputs.cash)
    for name, number_expected in expected.items():
        assert close(getattr(value, name), number_expected, *parts), name


@CASES
@given(OPTIONS, number(10, 5000))
def test_options_at_their_fixed_point_equal_the_iteration(options: EmployeeOptions, revenue: float) -> None:
    inputs = SMALL.with_values(options=options, revenue_t0=revenue)
    found, expected = value_company(inputs).value_per_share, value_in_loops(inputs)["value_per_share"]
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


@CASES
@given(admissible())
def test_sums_add_up(inputs: ValuationInputs) -> None:
    value, projection = value_company(inputs), project(inputs)
    assert value.pv_explicit + value.pv_terminal == value.pv_operating
    assert close(math.fsum(year.pv for year in projection.years), value.pv_explicit, value.pv_terminal)
    assert close(projection.terminal.pv, value.pv_terminal)


@CASES
@given(admissible(), number(0.01, 100))
def test_scaling_money_scales_equity(inputs: ValuationInputs, factor: float) -> None:
    money = ("revenue_t0", "nol_t0", "debt", "minority_interest", "cash", "non_operating_assets", "option_value")
    scaled = inputs.with_values(
        **{name: getattr(inputs, name) * factor for name in money}, book_capital=(inputs.book_capital or 0) * factor
    )
    before, after = value_company(inputs), value_company(scaled)
    assert close(after.equity_value, before.equity_value * factor, after.pv_explicit, after.pv_terminal, scaled.debt)


def going_concern(inputs: ValuationInputs) -> ValuationInputs:
    return inputs.with_values(failure_probability=0.0)


@CASES
@given(admissible(), number(0.0001, 0.1))
def test_value_rises_with_the_margin(inputs: ValuationInputs, more: float) -> None:
    base = going_concern(inputs)
    assume(base.revenue_t0 > 1)
    assume(base.stable_roic is None or base.stable_growth < base.stable_roic)
    assume(base.stable_tax < 1)
    better = shift_inputs(base, "oper_margin", more)
    assert value_company(better).pv_operating > value_company(base).pv_operating


@CASES
@given(admissible(), number(0.0001, 0.05))
def test_value_falls_with_the_cost_of_capital(inputs: ValuationInputs, more: float) -> None:
    # A business whose cash flows are positive in every year: margins are high, and growth needs little capital.
    base = going_concern(inputs).with_values(
        revenue_t0=1 + inputs.revenue_t0,
        sales_growth=tuple(abs(rate) / 4 for rate in inputs.sales_growth),
        oper_margin=tuple(0.2 + abs(rate) / 2 for rate in inputs.oper_margin),
        sales_to_capital=tuple(3 + ratio for ratio in inputs.sales_to_capital),
        stable_margin=0.2,
        stable_roic=0.3,
        stable_sales_to_capital=None,
        reinvestment_lag=0,
    )
    flows = project(base)
    assert all(year.fcff > 0 for year in flows.years)
    assert flows.terminal.fcff > 0
    assert value_company(shift_inputs(base, "wacc", more)).pv_operating < value_company(base).pv_operating


@CASES
@given(admissible())
def test_growth_adds_nothing_where_new_capital_earns_its_cost(inputs: ValuationInputs) -> None:
    assume(inputs.stable_growth > 0)
    even = inputs.with_values(stable_roic=inputs.stable_wacc, stable_sales_to_capital=None)
    value, after = value_company(even), project(even).terminal
    assert value.terminal_value * even.stable_wacc == pytest.approx(after.nopat, rel=1e-9, abs=1e-6)


@CASES
@given(admissible())
def test_certain_failure_leaves_the_proceeds(inputs: ValuationInputs) -> None:
    failed = value_company(inputs.with_values(failure_probability=1.0))
    basis = failed.pv_operating if inputs.distress_basis == "value" else inputs.book_capital
    assert basis is not None
    assert failed.pv_after_failure == pytest.approx(inputs.distress_proceeds * basis, rel=1e-12, abs=1e-9)


@CASES
@given(admissible(), number(0.03, 0.3))
def test_mid_year_at_a_flat_rate_is_half_a_year_of_it(inputs: ValuationInputs, rate: float) -> None:
    assume(inputs.stable_growth < rate - 0.006)
    flat = inputs.with_values(wacc=(rate,) * inputs.years, stable_wacc=rate)
    end = value_company(flat.with_values(discounting="end"))
    middle = value_company(flat.with_values(discounting="midyear"))
    assert close(middle.pv_operating, end.pv_operating * math.sqrt(1 + rate), end.pv_explicit, end.pv_terminal)


@settings(max_examples=examples(25), deadline=None)
@given(admissible(), st.permutations(DRIVERS))
def test_the_base_cell_of_every_grid_is_the_value(inputs: ValuationInputs, drivers: list[str]) -> None:
    names = [name for name in drivers if name != "stable_roic" or inputs.stable_roic is not None]
    found = grid(inputs, names[0], names[1])
    assert found.base_cell == (2, 2)
    assert found.values[2, 2] == found.base_value == max(value_company(inputs).value_per_share, 0.0)


@settings(max_examples=examples(25), deadline=None)
@given(admissible(), st.permutations(DRIVERS))
def test_every_cell_of_a_grid_is_the_value_of_its_inputs(inputs: ValuationInputs, drivers: list[str]) -> None:
    names = [name for name in drivers if name != "stable_roic" or inputs.stable_roic is not None]
    found = grid(inputs, names[0], names[1])
    for row, down in enumerate(found.row_shifts):
        for column, right in enumerate(found.column_shifts):
            try:
                # A pair of shifts may pass where one of them alone does not, so both are made before the check.
                moved = shift_inputs(shift_inputs(inputs, found.rows, down), found.columns, right)
            except InadmissibleInput:
                continue
            assert found.reason(row, column) is None
            assert found.values[row, column] == max(value_company(moved).value_per_share, 0.0)


@CASES
@given(admissible())
def test_json_is_the_same_bytes_twice_and_reads_back(inputs: ValuationInputs) -> None:
    first = value_company(inputs).to_json()
    assert first == value_company(ValuationInputs.from_dict(inputs.to_dict())).to_json()
    assert "NaN" not in first
    assert '"kernel_version":"1.1.0"' in first
    assert ValuationInputs.from_dict(inputs.to_dict()) == inputs


def test_growth_too_near_the_cost_of_capital_is_refused() -> None:
    with pytest.raises(InadmissibleInput, match=r"stable_growth: 0\.075 must stay at least 0\.005 below"):
        FULL.with_values(stable_growth=0.075)
    assert value_company(FULL.with_values(stable_growth=0.0749)).value_per_share > 0
