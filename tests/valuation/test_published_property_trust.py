"""A real-estate trust by its net asset value: a teaching example, by its figures.

Office Equity REIT Inc.: CFA curriculum, publicly traded real estate securities, net asset value per share, in thousands
of dollars; as reprinted by IFT, essential concept 84. Awaits the model of real-estate trusts.
"""

from __future__ import annotations

import pytest

from tradingagents.valuation.equity_models import FundsInputs, net_asset_value


def test_office_equity_reit_by_a_capitalisation_rate() -> None:
    income = (270_432 - 7_667 + 4_534) * 1.015
    others = 65_554 + 34_566 + 45_667 + 23_456
    inputs = FundsInputs(
        funds_t0=1.0,
        shares_out=55_689,
        funds_growth=(0.0,) * 5,
        payout=(1.0,) * 5,
        cost_of_equity=(0.10,) * 5,
        stable_growth=0.0,
        stable_cost_of_equity=0.10,
        operating_income=income,
        cap_rate=0.07,
        claims=1_010_988 + 119_886 - others,
    )
    assert round(income) == 271_308
    assert income / 0.07 == pytest.approx(3_875_829, rel=1e-5)
    assert net_asset_value(inputs) == pytest.approx(52.33, abs=0.005)
