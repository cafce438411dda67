"""Return and risk: by hand, against `empyrical`, and their laws."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.analytics.performance import (
    exposure_matched_alpha,
    max_drawdown,
    performance,
    rank_ic,
    sharpe_ratio,
)

RETURNS = st.lists(st.floats(-0.5, 0.5), min_size=2, max_size=60).map(np.array)


def test_four_sessions_by_hand():
    found = performance(np.array([0.10, -0.20, 0.05, 0.0]))
    assert found.total_return == pytest.approx(1.1 * 0.8 * 1.05 - 1)  # -7.6 %
    assert found.annual_return == pytest.approx(0.924**63 - 1)
    assert found.max_drawdown == pytest.approx(-0.2)  # from 1.10 to 0.88
    deviation = math.sqrt((0.1125**2 + 0.1875**2 + 0.0625**2 + 0.0125**2) / 3)
    assert found.annual_volatility == pytest.approx(deviation * math.sqrt(252))
    assert found.sharpe == pytest.approx(-0.0125 / deviation * math.sqrt(252))
    assert found.sortino == pytest.approx(-0.0125 / math.sqrt(0.04 / 4) * math.sqrt(252))
    assert found.under_a_year


def test_the_first_capital_is_a_peak():
    assert max_drawdown(np.array([-0.1, 0.05])) == pytest.approx(-0.1)


def test_what_cannot_be_computed_is_none():
    still = performance(np.zeros(10))
    assert (still.sharpe, still.sortino, still.calmar) == (None, None, None)
    assert (still.total_return, still.max_drawdown) == (0.0, 0.0)
    assert performance(np.array([])).annual_return is None
    assert sharpe_ratio(np.array([0.01])) is None
    assert sharpe_ratio(np.full(50, 0.1)) is None  # equal returns differ by rounding only


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -1.5])
def test_impossible_returns_are_refused(wrong: float):
    with pytest.raises(ValueError, match="finite fractions"):
        performance(np.array([0.01, wrong]))


def test_ratios_are_beyond_the_bill_of_each_session():
    returns, bills = np.array([0.010, -0.020, 0.015, 0.0]), np.array([0.001, 0.002, 0.003, 0.002])
    found = performance(returns, risk_free=bills)
    excess = np.array([0.009, -0.022, 0.012, -0.002])  # their mean is -0.00075
    spread = math.sqrt(sum((one + 0.00075) ** 2 for one in excess) / 3)
    assert found.sharpe == pytest.approx(-0.00075 / spread * math.sqrt(252))
    assert found.sortino == pytest.approx(-0.00075 / math.sqrt((0.022**2 + 0.002**2) / 4) * math.sqrt(252))
    assert sharpe_ratio(returns, risk_free=bills, annual=False) == pytest.approx(-0.00075 / spread)
    plain = performance(returns)
    same = ("total_return", "annual_return", "annual_volatility", "max_drawdown", "calmar", "value_at_risk")
    assert [getattr(found, one) for one in same] == [getattr(plain, one) for one in same]


def test_bills_of_each_session_turn_a_ranking_that_a_constant_does_not():
    early, late = np.array([0.02, 0.01, 0.0, 0.001]), np.array([0.0, 0.001, 0.02, 0.01])
    rising = np.array([0.0, 0.0, 0.01, 0.01])
    assert sharpe_ratio(early) == sharpe_ratio(late)
    assert sharpe_ratio(early, risk_free=0.005) == pytest.approx(sharpe_ratio(late, risk_free=0.005))
    assert (sharpe_ratio(early, risk_free=rising) or 0) < (sharpe_ratio(late, risk_free=rising) or 0)


def test_bills_without_variation_beyond_them_give_no_ratio():
    bills = np.array([0.001, 0.003, 0.002])
    assert sharpe_ratio(bills, risk_free=bills) is None
    assert performance(bills, risk_free=bills).sortino is None


@pytest.mark.parametrize("wrong", [np.zeros(3), np.zeros((4, 1))])
def test_there_is_one_bill_return_a_session(wrong: np.ndarray):
    with pytest.raises(ValueError, match="one risk-free return"):
        performance(np.zeros(4), risk_free=wrong)


@given(st.integers(0, 2**32 - 1), st.integers(30, 600))
def test_figures_equal_empyrical(seed: int, sessions: int):
    np.NINF = -np.inf  # NumPy 2 has removed the name, empyrical still reads it
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import empyrical
    returns = np.random.default_rng(seed).standard_t(4, sessions) * 0.01
    found = performance(returns)
    assert found.total_return == pytest.approx(empyrical.cum_returns_final(returns), rel=1e-9)
    assert found.annual_return == pytest.approx(empyrical.annual_return(returns), rel=1e-9)
    assert found.annual_volatility == pytest.approx(empyrical.annual_volatility(returns), rel=1e-9)
    assert found.sharpe == pytest.approx(empyrical.sharpe_ratio(returns), rel=1e-9)
    assert found.sortino == pytest.approx(empyrical.sortino_ratio(returns), rel=1e-9)
    assert found.max_drawdown == pytest.approx(empyrical.max_drawdown(returns), rel=1e-9)
    assert found.calmar == pytest.approx(empyrical.calmar_ratio(returns), rel=1e-9)
    assert found.value_at_risk == pytest.approx(empyrical.value_at_risk(returns), rel=1e-9)
    bills = np.random.default_rng((seed, 1)).uniform(-0.0001, 0.0006, sessions)
    beyond = performance(returns, risk_free=bills)
    assert beyond.sharpe == pytest.approx(empyrical.sharpe_ratio(returns, risk_free=bills), rel=1e-9)
    assert beyond.sortino == pytest.approx(empyrical.sortino_ratio(returns, required_return=bills), rel=1e-9)
    assert beyond.total_return == found.total_return


@given(RETURNS)
def test_a_drawdown_is_at_least_the_worst_session_and_never_above_the_whole(returns):
    found = max_drawdown(returns)
    assert -1 <= found <= min(0.0, float(returns.min())) + 1e-12


@given(RETURNS, st.floats(0.1, 3))
def test_the_sharpe_ratio_does_not_depend_on_leverage(returns, leverage: float):
    plain, levered = sharpe_ratio(returns), sharpe_ratio(returns * leverage)
    if plain is not None and levered is not None:
        assert levered == pytest.approx(plain, rel=1e-6, abs=1e-6)


def test_half_the_market_has_no_alpha_of_its_own():
    market = np.random.default_rng(3).normal(0.0004, 0.01, 100)
    half = np.full(100, 0.5)
    assert exposure_matched_alpha(half * market, market, half) == pytest.approx(0)
    assert exposure_matched_alpha(half * market + 0.001, market, half) == pytest.approx(0.252)


def test_rank_correlation_of_one_date():
    assert rank_ic(np.array([0.9, 0.1, 0.5]), np.array([0.02, -0.01, 0.01])) == pytest.approx(1)
    assert rank_ic(np.array([1.0, 2, 3, 4]), np.array([4.0, 3, 2, 1])) == pytest.approx(-1)
    # ranks 1.5, 1.5, 3, 4 against 1, 2, 3, 4: by hand 4.5 / sqrt(4.5 * 5)
    assert rank_ic(np.array([0.0, 0, 1, 2]), np.array([0.1, 0.2, 0.3, 0.4])) == pytest.approx(4.5 / math.sqrt(22.5))
    assert rank_ic(np.array([1.0, 1, 1]), np.array([1.0, 2, 3])) is None
    assert rank_ic(np.array([1.0, 2]), np.array([1.0, 2])) is None
