"""The worked cases, to the printed digits."""

from __future__ import annotations

import pytest

from tests.valuation.cases import FULL, LOSSES, SMALL
from tradingagents.valuation import Valuation, ValuationInputs, grid, project, solve_driver, tornado, value_company


def printed(value: float, like: str) -> str:
    """Write a number with as many decimals as a printed one."""
    return f"{value:.{len(like.partition('.')[2])}f}"


def assert_printed(found: list[float], expected: str) -> None:
    texts = expected.split()
    assert [printed(value, text) for value, text in zip(found, texts, strict=True)] == texts


def test_small_case_year_by_year() -> None:
    years = project(SMALL).years
    assert_printed([year.revenue for year in years], "1100.00 1210.00 1306.80 1411.34 1481.91")
    assert_printed([year.ebit for year in years], "220.000 266.200 300.564 338.723 370.478")
    assert_printed([year.nopat for year in years], "165.000 199.650 225.423 254.042 277.858")
    assert_printed([year.reinvestment for year in years], "50.0000 55.0000 48.4000 52.2720 35.2836")
    assert_printed([year.fcff for year in years], "115.000 144.650 177.023 201.770 242.575")
    assert_printed([year.discount_factor for year in years], "0.909091 0.826446 0.751315 0.683013 0.620921")
    assert_printed([year.pv for year in years], "104.545 119.545 133.000 137.812 150.620")


def test_small_case_terminal_and_value() -> None:
    projection, value = project(SMALL), value_company(SMALL)
    after = projection.terminal
    assert_printed([after.revenue, after.nopat, after.reinvestment, after.fcff], "1511.55 283.416 14.8191 268.596")
    assert_printed(
        [value.terminal_value, value.pv_explicit, value.pv_terminal, value.pv_operating, value.value_per_share],
        "3357.46 645.522 2084.72 2730.24 27.3024",
    )


def test_small_case_variants() -> None:
    midyear = value_company(SMALL.with_values(discounting="midyear"))
    assert_printed(
        [midyear.pv_explicit, midyear.pv_terminal, midyear.pv_operating, midyear.value_per_share],
        "677.030 2186.47 2863.50 28.6350",
    )
    by_roic = SMALL.with_values(stable_roic=0.15, stable_sales_to_capital=None)
    after, value = project(by_roic).terminal, value_company(by_roic)
    assert_printed(
        [after.reinvestment, after.fcff, value.terminal_value, value.value_per_share],
        "37.7887 245.627 3070.33 25.5196",
    )
    indebted = value_company(SMALL.with_values(debt=300, cash=50))
    assert_printed([indebted.equity_value, indebted.value_per_share], "2480.24 24.8024")
    together = value_company(SMALL.with_values(net_debt=250))
    assert together.equity_value == indebted.equity_value


def test_small_case_growth_that_a_price_implies() -> None:
    implied = solve_driver(SMALL, "sales_growth", 35.0)
    assert implied.shift is not None
    assert_printed([implied.shift], "0.0719514")
    assert implied.value_per_share == pytest.approx(35.0, abs=1e-9)
    assert implied.solutions == 1


def test_small_case_grid() -> None:
    found = grid(SMALL, "wacc", "stable_growth", (-0.01, 0, 0.01), (-0.01, 0, 0.01))
    assert_printed(
        found.values.ravel().tolist(),
        "28.8428 31.5839 35.2387 25.3055 27.3024 29.8698 22.4878 23.9841 25.8544",
    )


def test_full_case_year_by_year() -> None:
    projection = project(FULL)
    years = projection.years
    assert_printed(
        [year.nopat for year in years],
        "129.920 135.026 164.264 203.865 250.605 273.370 293.302 309.428 320.894 327.032",
    )
    assert_printed(
        [year.reinvestment for year in years],
        "60.0000 67.2000 75.2640 84.2957 94.4112 119.839 108.758 92.6304 71.8138 47.0381",
    )
    assert_printed(
        [year.fcff for year in years],
        "69.9200 67.8256 89.0002 119.569 156.194 153.531 184.544 216.797 249.080 279.994",
    )
    assert_printed([years[-1].discount_factor], "0.434239")
    after = projection.terminal
    assert_printed([after.revenue, after.nopat, after.reinvestment, after.fcff], "2495.13 336.843 84.2108 252.632")


def sums(value: Valuation) -> list[float]:
    return [
        value.pv_explicit,
        value.pv_terminal,
        value.pv_operating,
        value.pv_after_failure,
        value.equity_value,
        value.value_per_share,
    ]


def test_full_case_value() -> None:
    value = value_company(FULL)
    assert_printed(sums(value), "917.811 2194.05 3111.87 3034.07 2904.07 28.7907")
    assert_printed([value.terminal_value, value.terminal_share or 0], "5052.65 0.705061")
    midyear = value_company(FULL.with_values(discounting="midyear"))
    assert_printed(sums(midyear), "956.592 2280.13 3236.72 3155.80 3025.80 30.0080")
    lagged = value_company(FULL.with_values(reinvestment_lag=1))
    assert_printed([lagged.pv_explicit, lagged.pv_operating, lagged.value_per_share], "930.284 3124.34 28.9123")


def test_full_case_grid() -> None:
    found = grid(FULL, "wacc", "stable_growth")
    assert_printed(
        found.values.ravel().tolist(),
        "33.7412 35.3091 37.2531 39.7345 43.0219 "
        "30.0641 31.1873 32.5466 34.2306 36.3785 "
        "27.0138 27.8267 28.7907 29.9561 31.3984 "
        "24.4450 25.0367 25.7259 26.5419 27.5271 "
        "22.2542 22.6852 23.1792 23.7535 24.4321",
    )


@pytest.mark.parametrize(
    ("driver", "expected"),
    [
        ("sales_growth", "26.9389 30.7846"),
        ("oper_margin", "26.7631 30.8183"),
        ("wacc", "37.2531 23.1792"),
        ("sales_to_capital", "28.2238 29.2545"),
        ("stable_roic", "27.3646 29.8094"),
    ],
)
def test_full_case_tornado(driver: str, expected: str) -> None:
    bar = next(bar for bar in tornado(FULL).bars if bar.driver == driver)
    assert bar.low is not None
    assert bar.high is not None
    assert_printed([bar.low, bar.high], expected)


def test_loss_maker() -> None:
    projection, value = project(LOSSES), value_company(LOSSES)
    assert_printed([year.nopat for year in projection.years], "-30.0000 -10.5000 13.6500 36.1965 40.5405")
    assert_printed([year.fcff for year in projection.years], "-50.0000 -34.5000 -11.5500 14.3565 27.4365")
    assert_printed(
        [
            value.pv_explicit,
            projection.terminal.fcff,
            value.terminal_value,
            value.pv_operating,
            value.value_per_share,
        ],
        "-54.6335 31.3175 521.959 258.016 25.8016",
    )


def test_paths_give_the_full_case() -> None:
    assert_printed(list(FULL.sales_growth[5:]), "0.102 0.084 0.066 0.048 0.030")
    assert_printed(list(FULL.oper_margin[:6]), "0.116 0.132 0.148 0.164 0.180 0.180")
    assert_printed(list(FULL.wacc[5:]), "0.088 0.086 0.084 0.082 0.080")
    assert isinstance(FULL, ValuationInputs)
