"""The bull and the bear case take the cases of the company's own record, and never add them to the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.features.deep_report.evidence.test_adjustments import moving
from tests.valuation.cases import FULL, SMALL
from tradingagents.features.deep_report.evidence import adjust, past_ranges, scenario_inputs
from tradingagents.features.deep_report.schemas.thesis import PastRangeRecord
from tradingagents.valuation import ValuationInputs, value_company
from tradingagents.valuation.company.cases import cases_of
from tradingagents.valuation.company.history import OwnRecord, YearlyFigures


def past_of(base: ValuationInputs, growth: Sequence[float], margins: Sequence[float]) -> list[PastRangeRecord]:
    """Return what the cases take of yearly figures; five ends of years are known."""
    last = date(2024, 12, 31)
    return past_ranges(
        cases_of(base, OwnRecord(YearlyFigures(tuple(growth), 5, last), YearlyFigures(tuple(margins), 5, last)))
    )


def test_levels_are_those_of_the_low_and_the_high_case():
    # SMALL: growth of 10 % and a margin of 25 % in the end. Quartiles: 4 % and 16 %, 20 % and 28 %.
    growth, margin = past_of(SMALL, (0.04, 0.16, 0.04, 0.16), (0.20, 0.28, 0.24, 0.20, 0.28))
    assert (growth["base"], growth["low"], growth["high"]) == pytest.approx((0.10, 0.04, 0.16))
    assert (growth["bull_change"], growth["bear_change"]) == pytest.approx((0.06, -0.06))
    assert (growth["low_years"], growth["high_years"]) == ("low case", "high case")
    assert (margin["base"], margin["low"], margin["high"]) == pytest.approx((0.25, 0.20, 0.28))
    assert (margin["bull_change"], margin["bear_change"]) == pytest.approx((0.03, -0.05))


def test_a_driver_that_no_case_moves_is_left_out():
    assert [one["driver"] for one in past_of(SMALL, (0.10,) * 4, (0.20, 0.28, 0.24, 0.20, 0.28))] == ["margin"]


def test_without_evidence_the_cases_are_those_of_the_valuation():
    record = OwnRecord(YearlyFigures((0.04, 0.16, 0.04, 0.16), 5), YearlyFigures((0.20, 0.28, 0.24, 0.20, 0.28), 5))
    for base in (SMALL, FULL):
        cases = cases_of(base, record)
        past = past_ranges(cases)
        bull, bear = (value_company(scenario_inputs(base, [], {}, past, case)).value_per_share for case in CASES)
        assert (bull, bear) == pytest.approx((cases.high.value_per_share, cases.low.value_per_share))


CASES: tuple[Literal["bull", "bear"], Literal["bull", "bear"]] = ("bull", "bear")


def test_a_case_has_the_farther_of_past_and_evidence_and_not_their_sum():
    past = past_of(SMALL, (0.04, 0.16, 0.04, 0.16), (0.20, 0.28, 0.24, 0.20, 0.28))
    # SMALL: growth 10, 10, 8, 8, 5 %, margin 20 to 25 %; the past gives +6 and -6 points of growth, +3 and -5 of margin
    items = [moving("growth", 0.03, last=2), moving("margin", -0.02)]
    effects = {step.item_id: step.value_effect for step in adjust(SMALL, items).steps}
    bull = scenario_inputs(SMALL, items, effects, past, "bull")
    assert bull.sales_growth == pytest.approx([one + 0.06 for one in SMALL.sales_growth])
    bear = scenario_inputs(SMALL, items, effects, past, "bear")
    reached = [-0.01, -0.02, -0.03, -0.04, -0.05]
    expected = [one + min(-0.02, change) for one, change in zip(SMALL.oper_margin, reached, strict=True)]
    assert bear.oper_margin == pytest.approx(expected)
    assert bear.stable_margin == pytest.approx(SMALL.stable_margin - 0.05)
    assert scenario_inputs(SMALL, items, effects, (), "bear").oper_margin == pytest.approx(
        [one - 0.02 for one in SMALL.oper_margin]
    )


def test_growth_holds_for_five_years_and_fades_by_the_last():
    past = [one for one in past_of(FULL, (0.30, 0.31, 0.32, 0.33), (0.2,) * 5) if one["driver"] == "growth"]
    bull = scenario_inputs(FULL, [], {}, past, "bull")
    moved = [one - before for one, before in zip(bull.sales_growth, FULL.sales_growth, strict=True)]
    assert moved[:5] == pytest.approx([past[0]["bull_change"]] * 5)
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
