"""Evidence moves the base case within stated limits, and the report can say by how much each item did."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.features.deep_report.evidence.items import item
from tests.valuation.cases import FULL, SMALL
from tradingagents.features.deep_report.evidence import CAPS, adjust, adjusted_inputs
from tradingagents.schemas.evidence import DriverEffect, EvidenceItem, ValueDriver
from tradingagents.valuation import InadmissibleInput, value_company


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
    assert [step.item_id for step in found.steps] == [same[1].id]
    assert found.steps[0].weighted == pytest.approx(0.009)


def test_the_effect_of_an_item_is_the_value_with_it_less_the_value_without_it():
    margin, cost = moving("margin", 0.01), moving("cost_of_capital", -0.005)
    found = adjust(FULL, [margin, cost])
    without = adjust(FULL, [cost])
    by_id = {step.item_id: step for step in found.steps}
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
