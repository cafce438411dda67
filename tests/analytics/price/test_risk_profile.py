"""Risk of a stock, worked out by hand on short series."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from tests.support.fakes import make_prices
from tradingagents.analytics.price.risk_profile import (
    current_drawdown,
    drawdowns,
    expected_shortfall,
    risk_profile,
    value_at_risk,
)
from tradingagents.dataflows.models import Prices
from tradingagents.errors import NoData

AS_OF = date(2025, 3, 14)
KNOWN = make_prices().fetched_at


def priced(closes) -> Prices:
    bars = make_prices()._slice(0, len(closes))
    column = np.array(closes, dtype=float)
    return replace(bars, close=column, adj_close=column.copy(), open=column, high=column, low=column)


def test_tail_losses_are_quantiles_of_the_history():
    returns = np.concatenate((np.full(95, 0.01), [-0.02, -0.03, -0.04, -0.05, -0.06]))
    # 5% of 100 returns: the quantile of rank 4.95 from below, read low, is the fifth, -0.02
    assert value_at_risk(returns, 95) == pytest.approx(0.02)
    assert expected_shortfall(returns, 95) == pytest.approx(0.04)
    assert value_at_risk(returns, 99) is None, "too few returns for a loss of one day in a hundred"
    assert value_at_risk(np.full(300, 0.01), 99) == 0


def test_a_drawdown_lasts_from_its_high_until_the_high_is_regained():
    bars = priced([100, 90, 80, 100, 110, 99, 104])
    deep, shallow = drawdowns(bars)
    days = [day.item() for day in bars.days]
    assert (deep.depth_pct, deep.peak, deep.trough, deep.recovered) == (pytest.approx(-20), days[0], days[2], days[3])
    assert (shallow.depth_pct, shallow.trough, shallow.recovered) == (pytest.approx(-10), days[5], None)
    assert drawdowns(priced([1, 2, 3])) == ()


@pytest.mark.parametrize(
    ("gone", "is_sure"), [(slice(118, 124), False), (slice(30, 31), True)], ids=["at the low", "far"]
)
def test_drawdowns_that_a_session_without_a_bar_could_have_changed_are_absent(gone: slice, is_sure: bool):
    corners = ((0, 100), (99, 200), (120, 150), (160, 260), (170, 208), (180, 300), (190, 246), (199, 310))
    closes = np.interp(np.arange(200), *zip(*corners, strict=True))  # falls of 25, 20 and 18 percent
    whole = priced(closes)
    columns = ("days", "open", "high", "low", "close", "adj_close", "volume")
    left = {name: np.delete(getattr(whole, name), gone) for name in columns}
    bars = replace(whole, **left, untraded=tuple(whole.days[gone].tolist()))
    found = risk_profile(bars, as_of=AS_OF, benchmark=None, known_at=KNOWN)
    said = f"Drawdowns are n/a: sessions without a bar, the last on {bars.untraded[-1]}, could have changed them."
    assert (said in found.notes) is not is_sure
    assert [one.depth_pct for one in found.drawdowns] == (
        [pytest.approx(one) for one in (-25, -20, -18)] if is_sure else []
    )


def test_the_profile_of_a_steady_rise_has_no_losses():
    prices = make_prices()
    found = risk_profile(prices, as_of=AS_OF, benchmark=prices, known_at=KNOWN)
    measures = found.measures
    assert measures["beta"] == pytest.approx(1.0)
    assert measures["var_95_1d"] == 0
    assert measures["downside_deviation_252d"] == 0
    assert measures["current_drawdown"] == 0
    assert found.drawdowns == ()
    assert found.end == AS_OF


def test_liquidity_is_return_over_money_traded():
    closes = np.tile([100.0, 101.0], 127)
    found = risk_profile(priced(closes), as_of=AS_OF, benchmark=None, known_at=KNOWN).measures
    up, down = 0.01 / (101 * 1e6), (1 / 101) / (100 * 1e6)
    mean = (126 * up + 126 * down) / 252
    assert found["amihud_illiquidity"] == pytest.approx(100 * mean * 1e9)
    assert found["beta"] is None


def test_nothing_after_the_day_is_read_and_a_short_history_is_refused():
    prices = make_prices()
    assert risk_profile(prices, as_of=AS_OF, benchmark=None, known_at=KNOWN) == risk_profile(
        prices.upto(AS_OF), as_of=AS_OF, benchmark=None, known_at=KNOWN
    )
    with pytest.raises(NoData, match="has 19 usable daily returns"):
        risk_profile(priced(np.arange(1, 21)), as_of=AS_OF, benchmark=None, known_at=KNOWN)


def test_withheld_returns_and_volumes_leave_no_measure_over_them():
    sound = make_prices(last=AS_OF)
    count = len(sound)
    adjusted = np.where(np.arange(count) < count - 40, np.nan, sound.adj_close)
    with pytest.raises(NoData, match="has 39 usable daily returns"):
        risk_profile(replace(sound, adj_close=adjusted), as_of=AS_OF, benchmark=None, known_at=sound.fetched_at)
    volume = np.where(np.arange(count) < count - 40, np.nan, sound.volume)
    half = risk_profile(replace(sound, volume=volume), as_of=AS_OF, benchmark=None, known_at=sound.fetched_at)
    assert half.measures["amihud_illiquidity"] is None
    assert half.measures["mean_dollar_volume_20d"] is not None


@pytest.mark.parametrize(("gone", "is_known"), [(slice(150, 156), False), (slice(30, 31), True)], ids=["top", "far"])
def test_the_current_drawdown_is_absent_where_a_session_without_a_bar_may_have_closed_higher(
    gone: slice, is_known: bool
):
    whole = priced(np.interp(np.arange(200), *zip((0, 100), (153, 200), (199, 180), strict=True)))
    columns = ("days", "open", "high", "low", "close", "adj_close", "volume")
    left = {name: np.delete(getattr(whole, name), gone) for name in columns}
    bars = replace(whole, **left, untraded=tuple(whole.days[gone].tolist()))
    assert current_drawdown(whole) == pytest.approx(-10.0)
    assert current_drawdown(bars) == (pytest.approx(-10.0) if is_known else None)
    found = risk_profile(bars, as_of=AS_OF, benchmark=None, known_at=KNOWN)
    shown = {figure.name: figure.value for figure in found.figures()}
    assert shown["current_drawdown"] == current_drawdown(bars)
    assert is_known or any("rawdown" in note and "n/a" in note for note in found.notes)
