"""Intervals of means: Student's tables, statsmodels and SciPy, by hand, and laws."""

from __future__ import annotations

import math
from datetime import date, timedelta

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tradingagents.analytics.performance.intervals import (
    disjoint_windows,
    fixed_b_quantile,
    mean_by_day,
    mean_interval,
    newey_west_error,
    usual_lags,
)

DAY = date(2025, 1, 6)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=40))
def test_with_all_waves_it_is_student_s_interval(values: list[float]):
    mean, spread = float(np.mean(values)), float(np.std(values, ddof=1))
    found = mean_interval(mean, np.array(values) - mean, len(values) - 1)
    assert found.error == pytest.approx(spread / math.sqrt(len(values)), abs=1e-12)
    if spread > 1e-9:
        low, high = stats.t.interval(0.95, len(values) - 1, mean, found.error)
        assert (found.low, found.high) == pytest.approx((low, high), abs=1e-9)
        assert found.p_value == pytest.approx(
            float(stats.ttest_1samp(values, 0, alternative="greater").pvalue), abs=1e-7
        )


def test_few_waves_are_what_a_regression_on_them_explains():
    """The variance is the mean square that statsmodels explains by the waves."""
    values = np.random.default_rng(4).normal(size=60)
    steps = (np.arange(60) + 0.5) / 60
    waves = np.column_stack([np.cos(math.pi * number * steps) for number in range(1, 8)])
    fit = sm.OLS(values, sm.add_constant(waves)).fit()
    found = mean_interval(float(values.mean()), values - values.mean(), 7)
    assert found.error == pytest.approx(math.sqrt(fit.ess / 7 / 60))


@pytest.mark.parametrize("lags", [0, 3, 10])
def test_newey_and_west_s_error_is_that_of_statsmodels(lags: int):
    values = np.random.default_rng(5).normal(size=150).cumsum() * 0.1
    fit = sm.OLS(values, np.ones(150)).fit(cov_type="HAC", cov_kwds={"maxlags": lags, "use_correction": False})
    assert newey_west_error(values - values.mean(), lags) == pytest.approx(fit.bse[0])


def test_small_figures_by_hand():
    # 1, -1: no dependence counted 2 / 4, with one lag of weight 1 / 2: (2 + 2 * 0.5 * -1) / 4
    assert newey_west_error(np.array([1.0, -1.0]), 0) == pytest.approx(math.sqrt(2) / 2)
    assert newey_west_error(np.array([1.0, -1.0]), 1) == pytest.approx(0.5)
    assert [usual_lags(count) for count in (60, 100, 252, 1260)] == [3, 4, 4, 7]
    assert fixed_b_quantile(0.0) == 1.96
    assert fixed_b_quantile(0.1) == pytest.approx(1.96 + 0.29694 + 0.00416 - 0.0005324)


def test_values_of_a_day_are_one_piece_of_evidence():
    days = [DAY + timedelta(days=number) for number in range(6)]
    values = np.array([0.1, -0.2, 0.3, 0.0, 0.4, -0.1])
    once, often = mean_by_day(days, values), mean_by_day(days * 10, np.tile(values, 10))
    assert (often.low, often.high) == pytest.approx((once.low, once.high))
    assert mean_by_day(days[::-1], values[::-1]).low == pytest.approx(once.low)  # in any order


def test_days_of_unlike_size_are_those_of_clustered_least_squares():
    random = np.random.default_rng(6)
    days = [DAY + timedelta(days=int(number)) for number in random.integers(0, 12, 80)]
    values = random.normal(size=80)
    groups = [one.toordinal() for one in days]
    fit = sm.OLS(values, np.ones(80)).fit(cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False})
    count = len(set(days))
    assert mean_by_day(days, values).error == pytest.approx(fit.bse[0] * math.sqrt(count / (count - 1)))


def test_windows_that_share_an_endpoint_are_apart():
    windows = [(DAY + timedelta(days=start), DAY + timedelta(days=start + 4)) for start in (0, 1, 2, 4, 7, 8)]
    assert disjoint_windows(windows) == 3  # from 0, 4 and 8
    assert disjoint_windows(windows * 2) == 3
    assert disjoint_windows([]) == 0
