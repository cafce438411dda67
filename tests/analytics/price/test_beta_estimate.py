"""Regressions against a second implementation, and betas of series that were made with one."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from tests.support.fakes import make_prices
from tradingagents.analytics.price.beta_estimate import beta_estimate, daily_regression, linear_fit, newey_west_lags
from tradingagents.analytics.price.returns import beta
from tradingagents.dataflows.models import Prices
from tradingagents.errors import NoData

AS_OF = date(2025, 3, 14)
KNOWN = make_prices().fetched_at


def grown(returns: np.ndarray) -> Prices:
    bars = make_prices(last=AS_OF)
    closes = 100 * np.cumprod(np.concatenate(([1.0], 1 + returns[: len(bars) - 1])))
    return replace(bars, close=closes, adj_close=closes)


def plain_newey_west(y: np.ndarray, x: np.ndarray, lags: int) -> np.ndarray:
    """The covariance written as sums over observations."""
    rows = [np.array([1.0, value]) for value in x]
    inverse = np.linalg.inv(sum(np.outer(row, row) for row in rows))
    slope = inverse @ sum(row * value for row, value in zip(rows, y, strict=True))
    errors = [value - row @ slope for row, value in zip(rows, y, strict=True)]
    middle = sum(errors[t] ** 2 * np.outer(rows[t], rows[t]) for t in range(len(y)))
    for lag in range(1, lags + 1):
        for t in range(lag, len(y)):
            one = errors[t] * errors[t - lag] * np.outer(rows[t], rows[t - lag])
            middle = middle + (1 - lag / (lags + 1)) * (one + one.T)
    return np.sqrt(np.diag(inverse @ middle @ inverse * len(y) / (len(y) - 2)))


def test_errors_agree_with_the_sums_they_are_defined_by():
    rng = np.random.default_rng(3)
    x = rng.normal(size=90)
    y = 0.3 + 0.7 * x + np.convolve(rng.normal(size=92), [1, 0.5, 0.25], "valid") * (1 + np.abs(x))
    fit = linear_fit(y, x)
    assert fit.lags == newey_west_lags(90) == 3
    assert fit.errors == pytest.approx(plain_newey_west(y, x, 3))
    assert fit.coefficients == pytest.approx(np.polyfit(x, y, 1)[::-1])


def test_too_few_observations_and_collinear_columns_are_refused():
    with pytest.raises(ValueError, match="too few"):
        linear_fit(np.ones(2), np.arange(2.0))
    with pytest.raises(ValueError, match="collinear"):
        linear_fit(np.arange(9.0), np.column_stack((np.arange(9.0), 2 * np.arange(9.0))))


def test_beta_of_a_stock_that_moves_twice_as_much():
    market = np.random.default_rng(5).normal(0.0005, 0.01, 700)
    result = beta_estimate(grown(2 * market), replace(grown(market), symbol="SPY"), as_of=AS_OF, known_at=KNOWN)
    daily, weekly = result.regressions
    assert daily.beta == pytest.approx(2.0)
    assert (daily.returns, daily.r_squared) == (504, pytest.approx(1.0))
    assert weekly.beta == pytest.approx(2.0, abs=0.05)
    assert result.adjusted == pytest.approx(2 / 3 * 2 + 1 / 3)


def test_noise_widens_the_error_and_a_short_history_is_refused():
    rng = np.random.default_rng(8)
    market = rng.normal(0, 0.01, 700)
    noisy = beta_estimate(grown(market + rng.normal(0, 0.02, 700)), grown(market), as_of=AS_OF, known_at=KNOWN)
    daily = noisy.regressions[0]
    assert abs(daily.beta - 1) < 3 * daily.standard_error
    assert 0.05 < daily.standard_error < 0.2
    with pytest.raises(NoData, match="common daily returns"):
        beta_estimate(grown(market)._slice(0, 30), grown(market), as_of=AS_OF, known_at=KNOWN)


def test_the_daily_regression_has_the_slope_of_beta_and_is_refused_with_it() -> None:
    random = np.random.default_rng(3)
    index = random.normal(0, 0.01, 1000)
    stock, market = grown(1.4 * index + random.normal(0, 0.005, 1000)), grown(index)
    found, slope = daily_regression(stock, market), beta(stock, market)
    assert found is not None
    assert found.beta == pytest.approx(slope)
    assert found.beta == pytest.approx(1.4, abs=3 * found.standard_error)
    assert found.returns == 504
    short = make_prices(first=date(2024, 12, 20), last=AS_OF)
    assert beta(short, market) is None
    assert daily_regression(short, market) is None
