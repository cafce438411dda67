"""Grids, tornado, reverse valuation, scenarios and Monte Carlo."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from tests.valuation.cases import FULL, LOSSES, SMALL
from tradingagents.errors import UsageError
from tradingagents.valuation import (
    DRIVERS,
    DriverDistribution,
    EmployeeOptions,
    InadmissibleInput,
    Scenario,
    apply_overrides,
    default_distributions,
    grid,
    read_override,
    shift_inputs,
    simulate,
    solve_driver,
    tornado,
    value_company,
    value_scenarios,
)


def test_an_inadmissible_cell_is_empty_with_a_reason() -> None:
    found = grid(SMALL, "wacc", "stable_growth", (-0.2, -0.08, 0), (0, 0.01))
    assert math.isnan(found.values[0, 0])
    assert found.reason(0, 0) == "wacc must be greater than 0"
    assert found.reason(1, 1) == "stable_growth must stay at least 0.005 below stable_wacc"
    assert found.reason(2, 0) is None
    written = json.loads(found.to_json())
    assert written["values"][0] == [None, None]
    assert written["without_value"][0] == {"row": 0, "column": 0, "reason": "wacc must be greater than 0"}


@pytest.mark.parametrize("options", [None, EmployeeOptions(8, 20, 4, 0.35, 0.04)])
def test_a_large_grid_equals_single_valuations(options: EmployeeOptions | None) -> None:
    inputs = FULL.with_values(options=options, option_value=0)
    rows, columns = np.linspace(-0.02, 0.02, 301), np.linspace(-0.03, 0.03, 301)
    found = grid(inputs, "wacc", "oper_margin", rows.tolist(), columns.tolist())
    assert found.values[150, 150] == value_company(inputs).value_per_share
    for row, column in ((0, 0), (7, 290), (299, 3), (213, 150)):
        moved = shift_inputs(shift_inputs(inputs, "wacc", rows[row]), "oper_margin", columns[column])
        assert found.values[row, column] == value_company(moved).value_per_share


@pytest.mark.parametrize("arguments", [("wacc", "wacc"), ("wacc", "beta"), ("stable_roic", "wacc")])
def test_a_grid_refuses_wrong_drivers(arguments: tuple[str, str]) -> None:
    with pytest.raises(UsageError):
        grid(SMALL, *arguments)


@pytest.mark.parametrize("shifts", [(), (math.nan,), (math.inf, 1.0)])
def test_a_grid_refuses_wrong_shifts(shifts: tuple[float, ...]) -> None:
    with pytest.raises(UsageError, match="finite numbers"):
        grid(SMALL, "wacc", "stable_growth", shifts)


def test_the_tornado_puts_the_widest_bar_first() -> None:
    found = tornado(FULL)
    swings = [bar.swing for bar in found.bars]
    assert swings == sorted(swings, reverse=True)
    assert found.base_value == value_company(FULL).value_per_share
    assert "stable_roic" not in {bar.driver for bar in tornado(SMALL).bars}


def test_the_tornado_says_why_a_bar_is_missing() -> None:
    bar = tornado(SMALL, {"wacc": (-0.5, 0.01)}).bars[0]
    assert (bar.low, bar.reason) == (None, "wacc must be greater than 0")
    assert bar.high is not None


@pytest.mark.parametrize("driver", DRIVERS)
def test_every_driver_is_solved(driver: str) -> None:
    target = value_company(FULL).value_per_share * 1.1
    found = solve_driver(FULL, driver, target)
    assert found.value_per_share == pytest.approx(target, rel=1e-9)
    assert found.shift is not None
    moved = shift_inputs(FULL, found.driver, found.shift)
    assert value_company(moved).value_per_share == pytest.approx(target, rel=1e-9)


def test_a_price_that_no_growth_explains_has_no_solution() -> None:
    # Each sale costs more than it brings: no growth lifts the value to the price.
    found = solve_driver(SMALL.with_values(sales_to_capital=(0.1,) * 5), "sales_growth", 1000.0)
    assert found.shift is None
    assert found.solutions == 0
    assert found.highest_value < 1000


def test_the_nearest_of_several_solutions_is_returned() -> None:
    # More growth means larger losses first and larger profits later, so that several rates may give one value.
    found = solve_driver(LOSSES, "sales_growth", value_company(LOSSES).value_per_share)
    assert found.shift == pytest.approx(0.0, abs=1e-9)
    assert found.solutions >= 1


def test_scenarios_are_weighted() -> None:
    found = value_scenarios(
        [
            Scenario("bull", 0.25, apply_overrides(FULL, {"growth": 0.16})),
            Scenario("base", 0.5, FULL),
            Scenario("bear", 0.25, apply_overrides(FULL, {"margin": 0.12})),
        ]
    )
    values = [one.valuation.value_per_share for one in found.scenarios]
    assert values[0] > values[1] > values[2]
    assert found.expected_value == pytest.approx(0.25 * values[0] + 0.5 * values[1] + 0.25 * values[2], rel=1e-15)


@pytest.mark.parametrize("chances", [(0.5, 0.4), (0.5, 0.5 + 1e-6), (1.5, -0.5), (math.nan, 1.0), ()])
def test_probabilities_must_add_up(chances: tuple[float, ...]) -> None:
    with pytest.raises(InadmissibleInput, match=r"^probability: "):
        value_scenarios([Scenario(f"case {number}", chance, FULL) for number, chance in enumerate(chances)])


def test_monte_carlo_is_the_same_twice_and_follows_the_seed() -> None:
    shapes = {
        "wacc": DriverDistribution("normal", (0, 0.005)),
        "sales_growth": DriverDistribution("uniform", (-0.02, 0.02)),
    }
    first = simulate(FULL, shapes, draws=5000, seed=7, price=30)
    assert first.to_json() == simulate(FULL, dict(reversed(shapes.items())), draws=5000, seed=7, price=30).to_json()
    assert first.to_json() != simulate(FULL, shapes, draws=5000, seed=8, price=30).to_json()
    values = dict(first.quantiles)
    assert first.lowest <= values[0.05] <= values[0.5] <= values[0.95] <= first.highest
    assert values[0.5] == pytest.approx(28.79, rel=0.02)
    assert first.above_price is not None
    assert 0.2 < first.above_price < 0.5


def test_monte_carlo_of_a_fixed_driver_is_the_value() -> None:
    found = simulate(FULL, {"wacc": DriverDistribution("normal", (0, 0))}, draws=10, seed=1)
    assert found.lowest == found.highest == value_company(FULL).value_per_share


def test_the_default_distributions_are_the_shifts_of_the_tornado() -> None:
    drivers = default_distributions(FULL)
    assert drivers["wacc"] == DriverDistribution("normal", (0.0, 0.01))
    assert drivers["sales_to_capital"] == DriverDistribution("normal", (1.0, 0.1))
    assert set(drivers) == {bar.driver for bar in tornado(FULL).bars}
    without = FULL.with_values(stable_roic=None, stable_sales_to_capital=2.0)
    assert "stable_roic" not in default_distributions(without)
    found = simulate(FULL, drivers, draws=5_000, seed=4)
    assert dict(found.drivers) == drivers
    assert dict(found.quantiles)[0.5] == pytest.approx(value_company(FULL).value_per_share, rel=0.05)


def test_monte_carlo_counts_draws_without_a_value() -> None:
    found = simulate(SMALL, {"wacc": DriverDistribution("uniform", (-0.09, 0.01))}, draws=1000, seed=3)
    # The terminal growth of 2 % needs a cost of capital above 2.5 %, which 15 of 100 draws do not have.
    assert found.without_value == pytest.approx(150, abs=45)


@pytest.mark.parametrize(
    ("shape", "parameters"),
    [("normal", (0,)), ("normal", (0, -1)), ("uniform", (1, 0)), ("triangular", (0, 2, 1)), ("cauchy", (0, 1))],
)
def test_wrong_distributions_are_refused(shape: str, parameters: tuple[float, ...]) -> None:
    with pytest.raises(UsageError):
        DriverDistribution(shape, parameters)  # type: ignore[arg-type]


def test_overrides() -> None:
    changed = apply_overrides(FULL, {"wacc": 0.095, "growth": 0.10, "margin": 0.2, "tax": 0.3})
    assert changed.wacc == (0.095,) * 10
    assert changed.stable_wacc == 0.095
    assert changed.sales_growth[:5] == (0.10,) * 5
    assert changed.sales_growth[-1] == 0.03
    assert changed.oper_margin[0] == FULL.oper_margin[0]
    assert changed.oper_margin[4:] == (0.2,) * 6
    assert changed.stable_margin == 0.2
    assert changed.stable_tax == 0.3
    assert apply_overrides(FULL, {"stable_sales_to_capital": 2}).stable_roic is None
    assert apply_overrides(SMALL, {"wacc": [0.1, 0.1, 0.09, 0.09, 0.09]}).stable_wacc == 0.10


@pytest.mark.parametrize(
    "changes", [{"wac": 0.1}, {"wacc": "ten"}, {"growth": 0.1, "sales_growth": 0.2}, {"wacc": True}]
)
def test_wrong_overrides_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(InadmissibleInput):
        apply_overrides(FULL, changes)


def test_overrides_are_read() -> None:
    assert read_override("wacc=9%") == ("wacc", 0.09)
    assert read_override("discounting=midyear") == ("discounting", "midyear")
    for text in ("wacc", "=1", "wacc=", "growth=a,b"):
        with pytest.raises(InadmissibleInput):
            read_override(text)
