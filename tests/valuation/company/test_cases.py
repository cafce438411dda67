"""The cases of a value: levels at the quartiles of the company's own years, and values by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from tests.valuation.company.test_opening import bank, record
from tests.valuation.test_limited_liability import level
from tradingagents.valuation import value_company
from tradingagents.valuation.company.cases import cases_of, earnings_moved, span_of
from tradingagents.valuation.company.history import OwnRecord, YearlyFigures
from tradingagents.valuation.scenarios import growth_moved, margin_moved

LAST = date(2024, 12, 31)


def test_quartiles_are_those_of_the_own_years() -> None:
    # 6, 8, 10, 12, 14 %: the quartiles are the second and the fourth.
    assert record().margin.quartiles == pytest.approx((0.08, 0.12))
    span = span_of(0.10, record().margin)
    assert (span.low, span.base, span.high) == pytest.approx((0.08, 0.10, 0.12))
    assert span.basis == "the quartiles of its own 5 years to 2024-12-31, or the base where it lies outside"


def test_a_base_outside_the_quartiles_is_its_own_end() -> None:
    assert span_of(0.20, record().margin).high == 0.20
    assert span_of(0.01, record().margin).low == 0.01


def test_fewer_than_five_years_are_said_and_moved_by_the_step_of_the_tornado() -> None:
    span = span_of(0.10, YearlyFigures((0.1, 0.2, 0.3, 0.4), 4, LAST))
    assert (span.low, span.high) == pytest.approx((0.09, 0.11))
    assert span.basis == "1 point either way, for only 4 of its own years are known: no measure of the risk"
    assert "only 1 of its own years is known" in span_of(0.1, YearlyFigures((0.1,), 1, LAST)).basis
    assert "for no own year is known" in span_of(0.1, YearlyFigures()).basis


def test_quartiles_beyond_the_bounds_are_cut_and_said() -> None:
    wild = YearlyFigures((0.9, 0.8, -0.6, -0.5), 5, LAST)
    span = span_of(0.02, wild, (-0.05, 0.25))
    assert (span.low, span.high) == (-0.05, 0.25)
    assert "taken within -5% and 25%" in span.basis


def test_values_of_a_firm_by_hand() -> None:
    # No growth in the record: a margin of 8 % and 12 % from year 5 on, on a straight line from the 10 % of today.
    flat = OwnRecord(growth=YearlyFigures((0.0,) * 4, 5, LAST), margin=record().margin)
    found = cases_of(level(), flat)
    path = [100 * (0.10 + step * 0.02 * year / 5) for step in (-1, 1) for year in range(1, 6)]
    by_hand = [
        (sum(flow / 1.1**year for year, flow in enumerate(path[first : first + 5], 1)) + last / 0.1 / 1.1**5 - 60) / 10
        for first, last in ((0, 8.0), (5, 12.0))
    ]
    assert found.base.value_per_share == pytest.approx(4.0)
    assert (found.low.value_per_share, found.high.value_per_share) == pytest.approx(by_hand)
    assert dict(found.low.levels) == pytest.approx({"growth": 0.0, "operating margin": 0.08})
    assert found.basis == (
        "Growth and operating margin: the quartiles of its own 5 years to 2024-12-31, "
        "or the base where it lies outside."
    )


def test_growth_that_takes_value_belongs_to_the_low_case() -> None:
    # New capital earns 5 % and costs 10 %: more growth is worth less, so that the low case grows more.
    found = cases_of(level(sales_to_capital=0.5), record())
    assert dict(found.low.levels)["growth"] > dict(found.high.levels)["growth"]
    assert found.low.value_per_share <= found.base.value_per_share <= found.high.value_per_share


@pytest.mark.parametrize("debt", [0, 60, 90, 99, 140])
@pytest.mark.parametrize("turnover", [0.3, 1.0, 4.0])
def test_the_cases_are_in_order_and_never_below_nothing(debt: float, turnover: float) -> None:
    found = cases_of(level(debt=debt, sales_to_capital=turnover), record())
    assert 0 <= found.low.value_per_share <= found.base.value_per_share <= found.high.value_per_share


def test_values_of_a_bank_by_hand() -> None:
    # Returns of 10 % and 12 % in the record (its quartiles); the base has 12 %. Cost of equity of 11 % and 9 %.
    found = cases_of(bank(), record())
    assert dict(found.low.levels) == pytest.approx({"return on equity": 0.10, "cost of equity": 0.11})
    assert dict(found.high.levels) == pytest.approx({"return on equity": 0.12, "cost of equity": 0.09})
    assert found.high.value_per_share == pytest.approx((100 + 3 / 0.09) / 10)
    # Five years lose 1 of 100, then 12 % on 100 at 11 % for ever gains 1.
    low = 100 - sum(1 / 1.11**year for year in range(1, 6)) + 1 / 0.11 / 1.11**5
    assert found.low.value_per_share == pytest.approx(low / 10)
    assert found.basis.endswith("Cost of equity: 1 point above and below the base.")


def test_a_return_that_fades_to_its_cost_still_does() -> None:
    fading = replace(bank(), return_on_equity=(0.12, 0.12, 0.12, 0.12, 0.10), stable_return_on_equity=0.10)
    found = cases_of(fading, OwnRecord(return_on_equity=YearlyFigures((0.12,) * 5, 5)))
    # At a cost of 11 % four years earn 1 on 100 above it; the fifth and all after it earn 11 %, and nothing above.
    low = 100 + sum(1 / 1.11**year for year in range(1, 5))
    assert found.low.value_per_share == pytest.approx(low / 10)


def test_a_change_of_growth_is_gone_in_the_last_year() -> None:
    ten = level(
        sales_growth=(0.03,) * 10, oper_margin=(0.1,) * 10, tax_rate=(0.0,) * 10, sales_to_capital=(1.0,) * 10,
        wacc=(0.1,) * 10,
    )  # fmt: skip
    moved = growth_moved(ten, 0.05)
    assert moved.sales_growth == pytest.approx((0.08,) * 5 + (0.07, 0.06, 0.05, 0.04, 0.03))
    assert margin_moved(ten, 0.05).oper_margin == pytest.approx((0.11, 0.12, 0.13, 0.14) + (0.15,) * 6)
    assert margin_moved(ten, 0.05).stable_margin == pytest.approx(0.15)


def test_no_change_leaves_the_bits() -> None:
    found = cases_of(level(), OwnRecord(growth=YearlyFigures((0.0,) * 4, 5), margin=YearlyFigures((0.1,) * 5, 5)))
    assert [one.value_per_share for one in found.all] == [value_company(level()).value_per_share] * 3
    assert earnings_moved(bank(), 0.0) == bank()
