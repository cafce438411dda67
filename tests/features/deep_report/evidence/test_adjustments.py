"""Evidence moves the base case within stated limits, and the report can say by how much each item did.

The bull and the bear case take the cases of the company's own record, and never add them to the evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.features.deep_report.evidence.items import item
from tests.valuation.cases import FULL, SMALL
from tradingagents.features.deep_report.evidence import CAPS, adjust, adjusted_inputs, past_ranges, scenario_inputs
from tradingagents.features.deep_report.schemas.thesis import PastRangeRecord
from tradingagents.schemas.evidence import DriverEffect, EvidenceItem, ValueDriver
from tradingagents.valuation import InadmissibleInput, ValuationInputs, value_company
from tradingagents.valuation.company.cases import cases_of
from tradingagents.valuation.company.history import OwnRecord, YearlyFigures

CASES: tuple[Literal["bull", "bear"], Literal["bull", "bear"]] = ("bull", "bear")


def moving(
    driver: ValueDriver, change: float, *, first: int = 1, last: int = 10, confidence: float = 1.0, claim: str = ""
) -> EvidenceItem:
    effect = DriverEffect(driver=driver, change=change, first_year=first, last_year=last)
    return item(claim or f"{driver} moves by {change} from {first}", effect=effect, confidence=confidence)


def test_a_change_is_weighted_with_its_confidence_and_stays_in_its_years():
    found, limited = adjusted_inputs(SMALL, [moving("margin", 0.02, first=2, last=3, confidence=0.5)])
    assert found.oper_margin == pytest.approx((0.20, 0.23, 0.24, 0.24, 0.25))
    assert found.stable_margin == SMALL.stable_margin
    assert limited == ()


def test_a_change_that_lasts_moves_the_terminal_value_but_never_terminal_growth():
    items = [moving("margin", 0.01), moving("cost_of_capital", 0.004), moving("growth", 0.01)]
    found = adjust(SMALL, items)
    assert found.adjusted.oper_margin == pytest.approx((0.21, 0.23, 0.24, 0.25, 0.26))
    assert found.adjusted.stable_margin == pytest.approx(0.26)
    assert found.adjusted.wacc == pytest.approx((0.104,) * 5)
    assert found.adjusted.stable_wacc == pytest.approx(0.104)
    assert found.adjusted.sales_growth == pytest.approx((0.11, 0.11, 0.09, 0.09, 0.06))
    assert found.adjusted.stable_growth == SMALL.stable_growth
    assert found.base_value == pytest.approx(27.3024, abs=5e-5)
    assert found.value == value_company(found.adjusted).value_per_share


def test_capital_intensity_divides_sales_to_capital():
    found, _ = adjusted_inputs(SMALL, [moving("capital_intensity", 0.10, confidence=0.5)])
    assert found.sales_to_capital == pytest.approx((2 / 1.05,) * 5)


def test_an_item_and_the_sum_of_items_are_limited():
    greedy = moving("growth", 0.50)
    found, limited = adjusted_inputs(SMALL, [greedy])
    assert found.sales_growth[0] == pytest.approx(0.10 + CAPS["growth"].item)
    assert limited == ()
    many = [moving("growth", 0.03, claim=f"claim {number}") for number in range(5)]
    found, limited = adjusted_inputs(SMALL, many)
    assert found.sales_growth[0] == pytest.approx(0.10 + CAPS["growth"].total)
    assert limited == ("growth",)
    assert adjust(SMALL, [greedy]).steps[0].limited


def test_opposite_evidence_cancels():
    items = [moving("margin", 0.01, claim="better mix"), moving("margin", -0.01, claim="dearer wages")]
    found = adjust(SMALL, items)
    assert found.value == pytest.approx(found.base_value)
    assert sum(step.value_effect for step in found.steps) == pytest.approx(0, abs=0.02)


def test_without_effects_nothing_moves():
    found = adjust(SMALL, [item()])
    assert found.adjusted is SMALL
    assert (found.value, found.steps) == (found.base_value, ())


def test_a_claim_counts_once_however_many_sources_and_hypotheses_carry_it():
    effect = DriverEffect(driver="margin", change=0.01)
    same = [
        item(effect=effect, confidence=0.6),
        item(effect=effect, confidence=0.9, kind="call"),
        item(effect=effect, confidence=0.7, hypothesis="H2"),
    ]
    found = adjust(SMALL, same)
    assert [step.item for step in found.steps] == [same[1].id]
    assert found.steps[0].weighted == pytest.approx(0.009)


def test_the_effect_of_an_item_is_the_value_with_it_less_the_value_without_it():
    margin, cost = moving("margin", 0.01), moving("cost_of_capital", -0.005)
    found = adjust(FULL, [margin, cost])
    without = adjust(FULL, [cost])
    by_id = {step.item: step for step in found.steps}
    assert by_id[margin.id].value_effect == pytest.approx(found.value - without.value)
    parts = sum(step.value_effect for step in found.steps) + found.interaction
    assert parts == pytest.approx(found.value - found.base_value)


def test_inputs_that_cannot_be_valued_are_refused_in_words():
    near = SMALL.with_values(stable_growth=0.094)
    with pytest.raises(InadmissibleInput, match="after the evidence"):
        adjust(near, [moving("cost_of_capital", -0.005)])


@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(CAPS)), st.floats(-0.2, 0.2), st.floats(0, 1), st.integers(1, 5)), max_size=12
    )
)
def test_no_evidence_moves_a_driver_beyond_its_limit(given_items: list[tuple[ValueDriver, float, float, int]]):
    items = [
        moving(driver, change, first=first, confidence=confidence, claim=f"claim {number}")
        for number, (driver, change, confidence, first) in enumerate(given_items)
    ]
    found, _ = adjusted_inputs(SMALL, items)
    room = 1e-12
    for year in range(SMALL.years):
        assert abs(found.sales_growth[year] - SMALL.sales_growth[year]) <= CAPS["growth"].total + room
        assert abs(found.oper_margin[year] - SMALL.oper_margin[year]) <= CAPS["margin"].total + room
        assert abs(found.wacc[year] - SMALL.wacc[year]) <= CAPS["cost_of_capital"].total + room
        ratio = SMALL.sales_to_capital[year] / found.sales_to_capital[year]
        assert abs(ratio - 1) <= CAPS["capital_intensity"].total + room
    assert found.stable_growth == SMALL.stable_growth


def past_of(base: ValuationInputs, growth: Sequence[float], margins: Sequence[float]) -> list[PastRangeRecord]:
    """Return what the cases take of yearly figures; five ends of years are known."""
    last = date(2024, 12, 31)
    return past_ranges(
        cases_of(base, OwnRecord(YearlyFigures(tuple(growth), 5, last), YearlyFigures(tuple(margins), 5, last)))
    )


def test_levels_are_those_of_the_low_and_the_high_case():
    # SMALL: growth of 10 % and a margin of 25 % in the end. Quartiles: 4 % and 16 %, 20 % and 28 %.
    growth, margin = past_of(SMALL, (0.04, 0.16, 0.04, 0.16), (0.20, 0.28, 0.24, 0.20, 0.28))
    assert (growth.base, growth.low, growth.high) == pytest.approx((0.10, 0.04, 0.16))
    assert (growth.bull_change, growth.bear_change) == pytest.approx((0.06, -0.06))
    assert (growth.low_years, growth.high_years) == ("low case", "high case")
    assert (margin.base, margin.low, margin.high) == pytest.approx((0.25, 0.20, 0.28))
    assert (margin.bull_change, margin.bear_change) == pytest.approx((0.03, -0.05))


def test_a_driver_that_no_case_moves_is_left_out():
    assert [past.driver for past in past_of(SMALL, (0.10,) * 4, (0.20, 0.28, 0.24, 0.20, 0.28))] == ["margin"]


def test_without_evidence_the_cases_are_those_of_the_valuation():
    record = OwnRecord(YearlyFigures((0.04, 0.16, 0.04, 0.16), 5), YearlyFigures((0.20, 0.28, 0.24, 0.20, 0.28), 5))
    for base in (SMALL, FULL):
        cases = cases_of(base, record)
        past = past_ranges(cases)
        bull, bear = (value_company(scenario_inputs(base, [], {}, past, case)).value_per_share for case in CASES)
        assert (bull, bear) == pytest.approx((cases.high.value_per_share, cases.low.value_per_share))


def test_a_case_has_the_farther_of_past_and_evidence_and_not_their_sum():
    past = past_of(SMALL, (0.04, 0.16, 0.04, 0.16), (0.20, 0.28, 0.24, 0.20, 0.28))
    # SMALL: growth 10, 10, 8, 8, 5 %, margin 20 to 25 %; the past gives +6 and -6 points of growth, +3 and -5 of margin
    items = [moving("growth", 0.03, last=2), moving("margin", -0.02)]
    effects = {step.item: step.value_effect for step in adjust(SMALL, items).steps}
    bull = scenario_inputs(SMALL, items, effects, past, "bull")
    assert bull.sales_growth == pytest.approx([rate + 0.06 for rate in SMALL.sales_growth])
    bear = scenario_inputs(SMALL, items, effects, past, "bear")
    reached = [-0.01, -0.02, -0.03, -0.04, -0.05]
    expected = [rate + min(-0.02, change) for rate, change in zip(SMALL.oper_margin, reached, strict=True)]
    assert bear.oper_margin == pytest.approx(expected)
    assert bear.stable_margin == pytest.approx(SMALL.stable_margin - 0.05)
    assert scenario_inputs(SMALL, items, effects, (), "bear").oper_margin == pytest.approx(
        [rate - 0.02 for rate in SMALL.oper_margin]
    )


def test_growth_holds_for_five_years_and_fades_by_the_last():
    past = [each for each in past_of(FULL, (0.30, 0.31, 0.32, 0.33), (0.2,) * 5) if each.driver == "growth"]
    bull = scenario_inputs(FULL, [], {}, past, "bull")
    moved = [after - before for after, before in zip(bull.sales_growth, FULL.sales_growth, strict=True)]
    assert moved[:5] == pytest.approx([past[0].bull_change] * 5)
    assert moved[0]
    assert moved[-1] == pytest.approx(0.0)
    assert bull.stable_growth == FULL.stable_growth


@given(
    growth=st.lists(st.floats(-0.5, 1.0), min_size=4, max_size=4),
    margins=st.lists(st.floats(-0.5, 0.9), min_size=5, max_size=5),
)
def test_the_bull_case_is_worth_no_less_and_the_bear_case_no_more_than_the_base(
    growth: list[float], margins: list[float]
):
    past = past_of(SMALL, growth, margins)
    base = value_company(SMALL).value_per_share
    bull, bear = (value_company(scenario_inputs(SMALL, [], {}, past, case)).value_per_share for case in CASES)
    assert bear - 1e-9 <= base <= bull + 1e-9
