"""Returns and risk, worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.builders import AS_OF, bars, session_days, wander
from tradingagents.analytics.price import returns


def test_a_return_counts_sessions_back_from_the_last_bar():
    prices = bars([100, 110, 99, 120])
    assert returns.simple_return(prices, 1) == pytest.approx(120 / 99 - 1)
    assert returns.simple_return(prices, 3) == pytest.approx(0.20)


def test_a_return_needs_one_bar_more_than_its_sessions():
    assert returns.simple_return(bars([100, 110]), 2) is None
    assert returns.simple_return(bars([]), 1) is None


def test_dividends_count_because_returns_follow_the_adjusted_close():
    prices = bars([100, 100], adj_close=np.array([98.0, 100.0]))
    assert returns.simple_return(prices, 1) == pytest.approx(100 / 98 - 1)


def test_a_price_that_is_none_gives_no_return():
    assert returns.simple_return(bars([0, 10]), 1) is None
    assert returns.simple_return(bars([math.nan, 10]), 1) is None


def test_the_year_so_far_starts_from_the_last_close_of_the_year_before():
    # 2024-01-03 is the second session of the year: bars on 12-28, 12-29, 01-02, 01-03
    assert returns.year_to_date(bars([90, 100, 101, 110], last=date(2024, 1, 3))) == pytest.approx(0.10)


def test_the_year_so_far_needs_a_bar_of_the_year_before():
    assert returns.year_to_date(bars([100, 110], last=date(2024, 1, 3))) is None


def test_volatility_is_the_sample_deviation_of_log_returns_over_252_sessions():
    up, down = math.log(1.1), math.log(0.9)
    mean = (up + down) / 2
    by_hand = math.sqrt((up - mean) ** 2 + (down - mean) ** 2) * math.sqrt(252)  # n - 1 = 1
    assert returns.annualised_volatility(bars([100, 110, 99]), 2) == pytest.approx(by_hand)
    assert returns.annualised_volatility(bars([100, 110]), 2) is None


def test_drawdown_is_the_deepest_fall_from_a_running_high():
    assert returns.max_drawdown(bars([100, 120, 90, 130, 117]), 5) == pytest.approx(90 / 120 - 1)
    assert returns.max_drawdown(bars([1, 2, 3]), 3) == 0
    assert returns.max_drawdown(bars([1]), 1) is None


def test_drawdown_looks_back_only_as_far_as_told():
    assert returns.max_drawdown(bars([200, 100, 110, 99]), 3) == pytest.approx(99 / 110 - 1)


def test_a_stock_that_moves_twice_as_much_has_a_beta_of_two():
    market = wander(100)
    moves = np.diff(market.adj_close) / market.adj_close[:-1]
    stock = bars(50 * np.cumprod(np.concatenate([[1.0], 1 + 2 * moves + 0.001])))
    assert returns.beta(stock, market) == pytest.approx(2.0)


def test_beta_takes_only_days_both_traded():
    market = wander(120)
    moves = np.diff(market.adj_close[::2]) / market.adj_close[::2][:-1]
    stock = bars(np.cumprod(np.concatenate([[1.0], 1 + 0.5 * moves])), days=market.days[::2])
    assert returns.beta(stock, market, minimum=50) == pytest.approx(0.5)


def test_beta_needs_sixty_returns_and_a_market_that_moves():
    assert returns.beta(wander(60), wander(60, seed=2)) is None
    assert returns.beta(wander(61), wander(61, seed=2)) is not None
    assert returns.beta(wander(100), bars([5.0] * 100)) is None


def test_another_series_is_measured_over_the_stocks_own_days():
    stock = bars(range(100, 110))
    # the other trades one session less: its close of the day before stands in for the missing base
    days = session_days(10)
    other = bars([10, 11, 12, 13, 15, 16, 17, 18, 20], days=np.delete(days, 4))
    assert returns.returns_alongside(other, stock)["1w"] == pytest.approx(20 / 13 - 1)
    assert returns.returns_alongside(other, stock)["1m"] is None


def test_a_close_too_old_stands_in_for_nothing():
    stock = bars(range(100, 130))
    other = bars([10, 20], days=np.array([np.datetime64("2024-05-01"), np.datetime64(AS_OF)]))
    assert returns.returns_alongside(other, stock)["1w"] is None


def test_alongside_itself_a_stock_has_its_own_returns():
    prices = wander(300)
    assert returns.returns_alongside(prices, prices) == pytest.approx(returns.horizon_returns(prices))


@given(st.floats(0.001, 1000), st.integers(0, 50))
def test_scaling_prices_leaves_returns_and_risk_alone(scale: float, seed: int):
    prices = wander(130, seed)
    scaled = bars(prices.close * scale)
    assert returns.horizon_returns(scaled) == pytest.approx(returns.horizon_returns(prices), rel=1e-9, abs=1e-12)
    assert returns.max_drawdown(scaled) == pytest.approx(returns.max_drawdown(prices), abs=1e-12)
    assert returns.annualised_volatility(scaled) == pytest.approx(returns.annualised_volatility(prices))
    assert returns.beta(scaled, prices) == pytest.approx(1.0)


@given(st.integers(0, 200), st.integers(1, 30))
def test_consecutive_returns_compound(seed: int, sessions: int):
    prices = wander(61, seed)
    first = returns.simple_return(prices.upto(prices.days[-1 - sessions].astype(date)), 30)
    second = returns.simple_return(prices, sessions)
    both = returns.simple_return(prices, 30 + sessions)
    assert first is not None
    assert second is not None
    assert both == pytest.approx((1 + first) * (1 + second) - 1)


def test_the_returns_of_a_scan_count_one_five_and_twenty_one_sessions():
    prices = bars([*np.arange(100, 121), 132.0])  # 22 sessions up to 2024-06-28
    assert returns.scan_returns(prices) == {
        "1d": pytest.approx(132 / 120 - 1),
        "1w": pytest.approx(132 / 116 - 1),
        "1m": pytest.approx(0.32),
        "ytd": None,
    }


def test_the_largest_daily_change_is_absolute_and_within_the_sessions():
    prices = bars([100, 10, 11, 8.8, 8.8])
    assert returns.largest_daily_change(prices) == 0
    assert returns.largest_daily_change(prices, 2) == pytest.approx(0.2)
    assert returns.largest_daily_change(prices, 9) == pytest.approx(0.9)
    assert returns.largest_daily_change(bars([100])) is None
    assert returns.largest_daily_change(bars([math.nan, 100])) is None


def test_dollar_volume_is_the_mean_of_price_times_shares():
    prices = bars([10, 20, 30], volume=np.array([1e9, 2.0, 4.0]))
    assert returns.mean_dollar_volume(prices, 2) == (20 * 2 + 30 * 4) / 2
    assert returns.mean_dollar_volume(bars([])) is None
    assert returns.mean_dollar_volume(bars([10, 10], volume=np.array([1.0, math.nan]))) is None


def test_returns_that_the_gate_withholds_give_no_figure_across_them():
    """The gate empties adjusted closes before the newest day on which they contradict the dividends."""
    sound = wander()
    prices = replace(sound, adj_close=np.where(np.arange(300) < 200, math.nan, sound.close))
    assert returns.simple_return(prices, 99) is not None
    assert returns.simple_return(prices, 100) is None
    assert returns.largest_daily_change(prices, 99) is not None
    assert returns.largest_daily_change(prices, 150) is None
    assert returns.annualised_volatility(prices) is not None
    assert returns.annualised_volatility(prices, 120) is None
    assert returns.max_drawdown(prices) is None
    assert returns.beta(prices, prices) is None
    assert returns.horizon_returns(prices)["6m"] is None
