"""Adjusted funds from operations of a real-estate trust, and its properties at a capitalisation rate."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tradingagents.valuation import (
    FundsInputs,
    InadmissibleInput,
    implied_funds_growth,
    net_asset_value,
    value_by_funds,
    value_equity,
    why_no_value,
)

TRUST = FundsInputs(
    funds_t0=100.0,
    shares_out=10.0,
    funds_growth=(0.04, 0.04, 0.03, 0.03, 0.02),
    payout=(0.8, 0.8, 0.9, 0.9, 1.0),
    cost_of_equity=(0.08, 0.08, 0.08, 0.07, 0.07),
    stable_growth=0.02,
    stable_cost_of_equity=0.07,
    operating_income=180.0,
    cap_rate=0.06,
    claims=1000.0,
)


def test_a_trust_by_hand() -> None:
    value = value_by_funds(TRUST)
    first, second = value.years[:2]
    assert (first.funds, first.dividend, first.pv) == pytest.approx((104.0, 83.2, 83.2 / 1.08))
    assert second.dividend == pytest.approx(104 * 1.04 * 0.8)
    last = 100 * 1.04 * 1.04 * 1.03 * 1.03 * 1.02
    factor = 1 / (1.08**3 * 1.07**2)
    assert value.pv_terminal == pytest.approx(last * 1.02 / 0.05 * factor)
    assert value.value_per_share == pytest.approx((value.pv_explicit + value.pv_terminal) / 10)
    assert value_equity(TRUST) == value
    assert why_no_value(TRUST, value) is None


def test_the_growth_that_a_price_implies_gives_the_price() -> None:
    rate = implied_funds_growth(TRUST, 150.0)
    assert rate is not None
    assert value_by_funds(replace(TRUST, funds_growth=(rate,) * 5)).value_per_share == pytest.approx(150.0)
    assert implied_funds_growth(TRUST, 1e9) is None


def test_one_more_of_claims_takes_one_from_the_properties_and_nothing_from_the_funds() -> None:
    assert net_asset_value(TRUST) == pytest.approx((180 / 0.06 - 1000) / 10)
    more = replace(TRUST, claims=1010.0)
    assert net_asset_value(more) == pytest.approx(200.0 - 1.0)
    assert value_by_funds(more) == value_by_funds(TRUST)
    assert net_asset_value(replace(TRUST, operating_income=None, cap_rate=None)) is None


def test_no_payout_leaves_no_value_and_says_what_to_set() -> None:
    nothing = replace(TRUST, payout=(0.0,) * 5)
    told = why_no_value(nothing, value_by_funds(nothing))
    assert told is not None
    assert told.endswith("Give payout=… or funds_t0=….")


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("funds_t0", {"funds_t0": 0.0}),
        ("shares_out", {"shares_out": 0.0}),
        ("payout", {"payout": (1.0,) * 4}),
        ("funds_growth", {"funds_growth": (-1.5,) * 5}),
        ("stable_growth", {"stable_growth": 0.069}),
        ("cap_rate", {"cap_rate": 0.0}),
        ("cap_rate", {"cap_rate": None}),
        ("claims", {"claims": float("nan")}),
    ],
)
def test_wrong_inputs_of_a_trust_are_refused_by_name(name: str, changes: dict[str, Any]) -> None:
    with pytest.raises(InadmissibleInput) as refused:
        replace(TRUST, **changes)
    assert refused.value.name.split("[")[0] == name
