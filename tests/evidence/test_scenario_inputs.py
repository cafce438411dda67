"""The bull and the bear case take the company's own past: by hand, within limits, and never added to the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evidence.test_adjustments import moving
from tests.valuation.cases import FULL, SMALL
from tradingagents.evidence import CAPS, adjust, past_ranges, scenario_inputs
from tradingagents.schemas.thesis import FiscalYearRecord
from tradingagents.valuation import value_company


def years(revenues: Sequence[float | None], margins: Sequence[float | None]) -> list[FiscalYearRecord]:
    return [
        FiscalYearRecord(
            end=f"{2016 + at}-12-31",
            revenue=revenue,
            currency="USD",
            gross_margin=None,
            operating_margin=margin,
            net_margin=None,
        )
        for at, (revenue, margin) in enumerate(zip(revenues, margins, strict=True))
    ]


def test_levels_are_those_of_three_years_in_a_row():
    past = years([100, 110, 121, 133.1, 159.72, 191.664], [0.30, 0.27, 0.24, 0.21, 0.24, 0.27])
    growth, margin = past_ranges(past, SMALL)
    assert (growth["base"], growth["low"], growth["low_years"]) == pytest.approx(
        (0.10, 0.10, "2016-12-31 to 2019-12-31")
    )
    # 121 to 191.664 in three years, which is 1.1 * 1.2 * 1.2
    assert growth["high"] == pytest.approx(1.584 ** (1 / 3) - 1)
    assert growth["high_years"] == "2018-12-31 to 2021-12-31"
    assert (growth["bull_change"], growth["bear_change"]) == (CAPS["growth"].total, 0.0)
    assert (margin["base"], margin["low"], margin["high"]) == pytest.approx((0.25, 0.23, 0.27))
    assert margin["low_years"] == "twelve months to 2018-12-31 … 2020-12-31"
    assert (margin["bull_change"], margin["bear_change"]) == pytest.approx((0.02, -0.02))


def test_few_years_count_one_by_one_and_a_gap_ends_the_past():
    few = years([80, None, 100, 104, 130], [0.5, 0.5, 0.20, 0.26, 0.22])
    growth, margin = past_ranges(few, SMALL)
    assert (growth["low"], growth["high"]) == pytest.approx((0.04, 0.25))
    assert (margin["low"], margin["low_years"]) == (0.20, "twelve months to 2018-12-31")
    assert past_ranges(few[-1:], SMALL) == []
    assert past_ranges([], SMALL) == []


def test_a_case_has_the_farther_of_past_and_evidence_and_not_their_sum():
    past = past_ranges(years([100, 104, 130], [0.22, 0.20, 0.28]), SMALL)
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
    past = past_ranges(years([100, 104, 130], [None, None, None]), FULL)
    (growth,) = past
    bull = scenario_inputs(FULL, [], {}, past, "bull")
    moved = [one - before for one, before in zip(bull.sales_growth, FULL.sales_growth, strict=True)]
    change = growth["bull_change"] or growth["bear_change"]
    assert moved[:5] == pytest.approx([change] * 5)
    assert moved[-1] == pytest.approx(0.0)
    assert bull.stable_growth == FULL.stable_growth


@given(
    revenues=st.lists(st.floats(1.0, 1e6), min_size=2, max_size=8),
    margins=st.lists(st.floats(-0.5, 0.9), min_size=8, max_size=8),
)
def test_the_bull_case_is_worth_no_less_and_the_bear_case_no_more_than_the_base(
    revenues: list[float], margins: list[float]
):
    past = past_ranges(years(revenues, margins[: len(revenues)]), SMALL)
    base = value_company(SMALL).value_per_share
    cases: tuple[tuple[Literal["bull", "bear"], int], ...] = (("bull", 1), ("bear", -1))
    for one in past:
        for case, sign in cases:
            worth = value_company(scenario_inputs(SMALL, [], {}, [one], case)).value_per_share
            assert sign * (worth - base) >= -1e-9
            change = one["bull_change"] if case == "bull" else one["bear_change"]
            assert abs(change) <= CAPS[one["driver"]].total + 1e-9
