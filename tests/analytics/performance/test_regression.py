"""Alpha, beta and information ratio: by hand, against statsmodels, and how often the intervals hold the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
import statsmodels.api as sm

from tradingagents.analytics.performance.regression import BenchmarkRegression, benchmark_regression
from tradingagents.dataflows.models import Floats


def returns(seed: int, sessions: int = 252, alpha: float = 0.0004, beta: float = 0.8) -> tuple[Floats, Floats]:
    random = np.random.default_rng(seed)
    market = random.normal(0.0003, 0.01, sessions)
    return alpha + beta * market + random.normal(0, 0.006, sessions), market


def test_by_hand():
    """Residuals of +1 and -1 % in turn, uncorrelated with a market of +2, +2, -2, -2 %: the fit is what was planted."""
    market = np.tile([0.02, 0.02, -0.02, -0.02], 25)
    noise = np.tile([0.01, -0.01], 50)
    found = benchmark_regression(0.001 + 0.5 * market + noise, market, lags=0)
    assert found.beta == pytest.approx(0.5)
    assert found.alpha == pytest.approx(0.252)
    # Error of the mean: 1 % / 10, times sqrt(100 / 98) for the two coefficients; 1.96 + 2.9694 * 0.01 + ... of them.
    error = 0.001 * math.sqrt(100 / 98)
    assert found.alpha_t == pytest.approx(0.001 / error)
    assert found.alpha_high == pytest.approx(0.252 + 252 * 1.989735 * error, rel=1e-6)
    assert found.information_ratio == pytest.approx(0.001 / (0.01 * math.sqrt(100 / 98)) * math.sqrt(252))


@pytest.mark.parametrize("lags", [0, 4, 9])
def test_it_is_that_of_statsmodels(lags: int):
    own, market = returns(3)
    found = benchmark_regression(own, market, lags=lags)
    fit = sm.OLS(own, sm.add_constant(market)).fit(cov_type="HAC", cov_kwds={"maxlags": lags, "use_correction": True})
    assert found.alpha == pytest.approx(fit.params[0] * 252)
    assert found.beta == pytest.approx(fit.params[1])
    assert found.alpha_t == pytest.approx(fit.tvalues[0])
    assert found.beta_low is not None
    assert found.beta_high is not None
    assert found.beta_high - found.beta_low == pytest.approx(
        2 * fit.bse[1] * (1.96 + 2.9694 * (b := (lags + 1) / 252) + 0.416 * b**2 - 0.5324 * b**3)
    )


def test_nineteen_of_twenty_intervals_hold_the_truth():
    truth = {"alpha": 0.0004 * 252, "beta": 0.8, "information": 0.0004 / 0.006 * math.sqrt(252)}
    made = [benchmark_regression(*returns(seed)) for seed in range(400)]
    for name, true in truth.items():
        held = np.mean([getattr(one, f"{name}_low") <= true <= getattr(one, f"{name}_high") for one in made])
        assert held == pytest.approx(0.95, abs=0.033), name


def test_where_there_is_nothing_to_tell_it_says_why():
    own, market = returns(1)
    assert benchmark_regression(own[:59], market[:59]) == BenchmarkRegression(
        sessions=59, reason="no regression: 59 sessions are fewer than the 60 that its intervals need"
    )
    assert "never changed" in benchmark_regression(own, np.zeros(252)).reason
    assert "altogether" in benchmark_regression(market * 0.3, market).reason
    assert benchmark_regression(own[:60], market[:60]).reason == ""
    with pytest.raises(ValueError, match="same sessions"):
        benchmark_regression(own, market[1:])
