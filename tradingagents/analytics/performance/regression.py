"""What an account earned beyond its benchmark: alpha, beta and information ratio by least squares.

Standard errors are those of Newey and West (1987), so that returns that depend on those of the sessions before, and
volatility that comes in clusters, do not make them too small. They are those of statsmodels' `OLS(...).fit("HAC")`, to
which the tests hold them; they are computed here because its intervals take normal quantiles, which are too narrow for
few sessions (see `fixed_b_quantile`), and the estimator is one sum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tradingagents.analytics.performance.intervals import fixed_b_quantile, newey_west_error, usual_lags
from tradingagents.analytics.price.returns import SESSIONS_PER_YEAR
from tradingagents.dataflows.models import Floats

LEAST_REGRESSED = 60
"""Sessions below which there is no regression: its intervals would not cover, see `benchmarks.interval_coverage`."""
_COEFFICIENTS = 2
_QUIET = 1e-12
"""Share of the account's variance below which residuals are rounding errors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkRegression:
    """An account's excess returns as alpha + beta times those of its benchmark; None where `reason` says why.

    Limits are those of 95 % intervals.
    """

    sessions: int
    alpha: float | None = None
    """Yearly: the daily intercept times 252, a fraction."""
    alpha_low: float | None = None
    alpha_high: float | None = None
    alpha_t: float | None = None
    """Alpha in its standard errors."""
    beta: float | None = None
    """Change of the account's return for each unit of the benchmark's."""
    beta_low: float | None = None
    beta_high: float | None = None
    information_ratio: float | None = None
    """Yearly alpha over the yearly deviation of the residuals (Grinold and Kahn)."""
    information_low: float | None = None
    information_high: float | None = None
    lags: int | None = None
    """Sessions back to which dependence counts (Newey and West's truncation)."""
    reason: str = ""
    """Why there are no figures; empty where there are."""


def benchmark_regression(returns: Floats, benchmark: Floats, *, lags: int | None = None) -> BenchmarkRegression:
    """Regress an account's returns on those of its benchmark.

    Args:
        returns: Daily returns of the account beyond the bill rate, as fractions, shape (sessions,).
        benchmark: Daily returns of the benchmark beyond the bill rate on the same sessions.
        lags: Sessions back to which dependence counts; None: 4 (sessions / 100) ** (2 / 9), the usual choice.

    Returns:
        The figures; with a reason instead where there are fewer than 60 sessions, the benchmark did not move, or it
        explains the account altogether.

    Raises:
        ValueError: The shapes differ.
    """
    own, market = np.asarray(returns, float), np.asarray(benchmark, float)
    if own.shape != market.shape:
        raise ValueError("An account and its benchmark must have the same sessions.")
    count = len(own)
    if count < LEAST_REGRESSED:
        return BenchmarkRegression(
            sessions=count,
            reason=f"no regression: {count} sessions are fewer than the {LEAST_REGRESSED} that its intervals need",
        )
    if float(market.std()) == 0:
        return BenchmarkRegression(sessions=count, reason="no regression: the benchmark's return never changed")
    design = np.column_stack([np.ones(count), market])
    inverse = np.linalg.inv(design.T @ design)
    alpha, beta = inverse @ design.T @ own
    residuals = own - design @ [alpha, beta]
    if float(residuals @ residuals) <= _QUIET * float(own @ own):
        return BenchmarkRegression(
            sessions=count,
            reason="no regression: the benchmark explains the account altogether, nothing is left to test",
        )
    return _figures(count, float(alpha), float(beta), residuals, design @ inverse * count, lags)


def _figures(
    count: int, alpha: float, beta: float, residuals: Floats, weights: Floats, lags: int | None
) -> BenchmarkRegression:
    """Return the figures of a fit.

    Args:
        count: Number of sessions.
        alpha: Daily intercept.
        beta: Slope.
        residuals: Shape (sessions,).
        weights: What a residual adds to each coefficient, times the sessions; shape (sessions, 2).
        lags: See `benchmark_regression`.
    """
    truncation = usual_lags(count) if lags is None else lags
    deviation = math.sqrt(float(residuals @ residuals) / (count - _COEFFICIENTS))
    of_alpha, of_beta = (weights * residuals[:, None]).T
    # The ratio moves with alpha and, against it, with the deviation of the residuals.
    of_ratio = of_alpha / deviation - alpha / (2 * deviation**3) * (residuals**2 - deviation**2)
    scale = math.sqrt(count / (count - _COEFFICIENTS))
    errors = [scale * newey_west_error(each, truncation) for each in (of_alpha, of_beta, of_ratio)]
    reach = fixed_b_quantile((truncation + 1) / count)
    yearly, root = SESSIONS_PER_YEAR, math.sqrt(SESSIONS_PER_YEAR)
    ratio = alpha / deviation
    return BenchmarkRegression(
        sessions=count,
        alpha=alpha * yearly,
        alpha_low=(alpha - reach * errors[0]) * yearly,
        alpha_high=(alpha + reach * errors[0]) * yearly,
        alpha_t=alpha / errors[0],
        beta=beta,
        beta_low=beta - reach * errors[1],
        beta_high=beta + reach * errors[1],
        information_ratio=ratio * root,
        information_low=(ratio - reach * errors[2]) * root,
        information_high=(ratio + reach * errors[2]) * root,
        lags=truncation,
    )
