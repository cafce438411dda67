"""Earnings per share over several periods, where a period gives none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.builders import QUARTER_ENDS, statement
from tradingagents.analytics.company.share_counts import earnings_per_share, no_shares_because
from tradingagents.analytics.company.trailing import Period

BANK = (
    {"net_income": 2058.0, "net_income_to_common": 1882.0, "eps_diluted": 5.47, "shares_diluted": 343.9},
    {"net_income": 1216.0, "net_income_to_common": 1071.0, "eps_diluted": 3.08, "shares_diluted": 347.2},
    {"net_income": 3234.0, "net_income_to_common": 3087.0, "eps_diluted": 8.79, "shares_diluted": 351.3},
    {"net_income": 1326.0, "net_income_to_common": 1185.0},
)
"""Goldman Sachs, the four quarters to 2023-09-30 in millions; the oldest was worked out from its year, without EPS."""


def periods(*items: dict[str, float]) -> list[Period]:
    return [
        Period(end, statement(end, found), {"net_income": found["net_income"]})
        for end, found in zip(QUARTER_ENDS, items, strict=False)
    ]


def test_a_quarter_without_earnings_per_share_gives_its_income_for_common_shareholders_over_the_counts_next_to_it():
    # 5.47 + 3.08 + 8.79 + 1185 / ((351.3 + 347.2) / 2); the filed year gives 3.35 for the last
    assert earnings_per_share(periods(*BANK)) == pytest.approx(20.733, abs=0.001)


def test_preferred_dividends_that_it_lacks_too_are_those_of_the_others():
    last = {"net_income": 1326.0}
    # 1326 - (176 + 145 + 147) / 3 = 1170 over 349.25
    assert earnings_per_share(periods(*BANK[:3], last)) == pytest.approx(20.69, abs=0.001)


def test_without_any_earnings_per_share_net_income_over_the_newest_count_is_taken():
    bare = [{"net_income": 50.0, "shares_diluted": 100.0}, *({"net_income": 50.0} for _ in range(3))]
    assert earnings_per_share(periods(*bare)) == 2.0


def test_the_reason_of_a_newest_count_that_is_withheld_is_given():
    newest, before = periods({"net_income": 50.0}, {"net_income": 50.0, "shares_diluted": -1.0})
    held = replace(newest, income=replace(newest.income, withheld={"shares_diluted": "MADE: in thousands."}))
    assert no_shares_because([before, held]) == f"that of the period to {held.end} is withheld, for MADE: in thousands"
    assert no_shares_because([before]) == f"that of the period to {before.end} is -1"
    assert "gives none, nor does an earlier one" in no_shares_because([newest])
    assert no_shares_because([]) == "no income statement is known"
