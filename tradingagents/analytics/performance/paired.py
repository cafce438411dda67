"""Comparison of a strategy with a benchmark on the same sessions, by the stationary block bootstrap.

Blocks of random length keep the dependence between neighbouring sessions (Politis and Romano, 1994), and both series
are drawn with the same blocks, so that what they share cancels. The mean length of a block is estimated from the
autocorrelation of the difference (Politis and White, 2004, corrected by Patton, Politis and White, 2009).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from tradingagents.analytics.performance.metrics import sharpe_ratio
from tradingagents.analytics.price.returns import SESSIONS_PER_YEAR
from tradingagents.dataflows.models import Floats

DRAWS = 1000
SEED = 20260101
LEVEL = 0.05
"""Significance level of the one-sided test; intervals cover 95 %."""
POWER = 0.8
LEAST_SESSIONS = 20
QUIET_LAGS = 5
"""Small autocorrelations in a row from which on none counts."""
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class PairedTest:
    """What the sessions say of a strategy's return beyond its benchmark. Differences are yearly, as fractions."""

    sessions: int
    difference: float
    """Mean daily difference times 252."""
    low: float
    high: float
    """95 % interval of the difference."""
    p_value: float
    """One-sided: how often a strategy without any edge shows at least this difference."""
    sharpe_difference: float | None
    sharpe_low: float | None
    sharpe_high: float | None
    smallest_edge: float
    """The smallest true yearly difference that this test would have seen with 80 % probability."""
    block: float
    """Mean length of a block in sessions."""
    draws: int

    @property
    def beats(self) -> bool:
        """Whether the strategy beats its benchmark at the 5 % level."""
        return self.p_value <= LEVEL


def paired_test(
    returns: Floats, benchmark: Floats, *, draws: int = DRAWS, seed: int = SEED, block: float | None = None
) -> PairedTest | None:
    """Test a strategy against a benchmark; None with fewer than 20 sessions, or where both never differ.

    Args:
        returns: Daily returns of the strategy as fractions, shape (sessions,).
        benchmark: Daily returns of the benchmark on the same sessions.
        draws: Number of bootstrap samples.
        seed: Random seed; the same series and seed give the same result.
        block: Mean length of a block in sessions; None: estimated, and rounded up to the next half octave.

    Raises:
        ValueError: The shapes differ.
    """
    held, market = np.asarray(returns, float), np.asarray(benchmark, float)
    if held.shape != market.shape:
        raise ValueError("A strategy and its benchmark must have the same sessions.")
    gap = held - market
    if len(gap) < LEAST_SESSIONS or float(gap.std()) == 0:
        return None
    length = _on_grid(block_length(gap)) if block is None else block
    counts = _draw_counts(len(gap), length, draws, seed)
    sums: Floats = counts @ np.column_stack([gap, held, market, held**2, market**2])
    means, mean = sums[:, 0] / len(gap), float(gap.mean())
    sharpe_low, sharpe_high = _interval(
        _sharpes(sums[:, 1], sums[:, 3], len(gap)) - _sharpes(sums[:, 2], sums[:, 4], len(gap))
    )
    own, other = sharpe_ratio(held), sharpe_ratio(market)
    low, high = np.quantile(means, (LEVEL / 2, 1 - LEVEL / 2)) * SESSIONS_PER_YEAR
    return PairedTest(
        sessions=len(gap),
        difference=mean * SESSIONS_PER_YEAR,
        low=float(low),
        high=float(high),
        p_value=float(1 + np.count_nonzero(means - mean >= mean)) / (1 + draws),
        sharpe_difference=None if own is None or other is None else own - other,
        sharpe_low=sharpe_low,
        sharpe_high=sharpe_high,
        smallest_edge=smallest_edge(float(means.std(ddof=1))),
        block=length,
        draws=draws,
    )


def smallest_edge(standard_error: float, *, power: float = POWER) -> float:
    """Return the smallest true yearly difference that the one-sided test at 5 % sees with a given probability.

    Args:
        standard_error: Standard error of the mean daily difference.
        power: Probability to see it.
    """
    return smallest_seen(standard_error, power=power) * SESSIONS_PER_YEAR


def smallest_seen(standard_error: float, *, power: float = POWER) -> float:
    """Return the smallest true value that a one-sided test of 0 at 5 % sees with a given probability.

    Args:
        standard_error: Of the estimated value, in its unit.
        power: Probability to see it.
    """
    return (_NORMAL.inv_cdf(1 - LEVEL) + _NORMAL.inv_cdf(power)) * standard_error


def sessions_needed(edge: float, volatility: float, *, power: float = POWER) -> int:
    """Return how many independent sessions are needed to see an edge; the plan before a test is paid for.

    Args:
        edge: True yearly difference as a fraction, above 0.
        volatility: Yearly volatility of the difference between strategy and benchmark (tracking error). Several
            strategies of equal volatility that are independent of each other share the sessions between them.
        power: Probability to see it, above 5 %.

    Raises:
        ValueError: The edge or the volatility is not positive.
    """
    if not (edge > 0 and volatility > 0):
        raise ValueError("An edge and a volatility must be positive.")
    scale = (_NORMAL.inv_cdf(1 - LEVEL) + _NORMAL.inv_cdf(power)) * volatility / edge
    return math.ceil(scale**2 * SESSIONS_PER_YEAR)


def power_of(edge: float, volatility: float, sessions: int) -> float:
    """Return the probability that the one-sided test at 5 % sees a true yearly edge in a number of sessions."""
    error = volatility / math.sqrt(SESSIONS_PER_YEAR * sessions)  # of the mean daily difference
    return _NORMAL.cdf(edge / SESSIONS_PER_YEAR / error - _NORMAL.inv_cdf(1 - LEVEL))


def stationary_indices(length: int, block: float, draws: int, seed: int) -> NDArray[np.int64]:
    """Return the positions of bootstrap samples, shape (draws, length); blocks wrap around the end.

    Args:
        length: Number of sessions.
        block: Mean length of a block, at least 1.
        draws: Number of samples.
        seed: Random seed.
    """
    random, steps = np.random.default_rng(seed), np.arange(length)
    begins = random.random((draws, length)) < 1 / block
    begins[:, 0] = True
    begun = np.maximum.accumulate(np.where(begins, steps, 0), axis=1)
    places = np.take_along_axis(random.integers(0, length, (draws, length)), begun, axis=1)
    found: NDArray[np.int64] = (places + steps - begun) % length
    return found


def block_length(values: Floats) -> float:
    """Return the best mean length of a block for the stationary bootstrap of a mean, at least 1.

    Source: Politis and White (2004), section 3.2, with the constant of Patton, Politis and White (2009); the lags that
    count end at the first small one, as in the package `arch`.
    """
    series = np.asarray(values, float) - float(np.mean(values))
    count = len(series)
    most = min(math.ceil(math.sqrt(count)) + QUIET_LAGS, count - 1)
    covariances = np.array([float(series[lag:] @ series[: count - lag]) / count for lag in range(most + 1)])
    if covariances[0] <= 0:
        return 1.0
    small = np.abs(covariances / covariances[0]) < 2 * math.sqrt(math.log10(count) / count)
    starts = range(1, len(small) - QUIET_LAGS + 1)
    quiet = next((lag for lag in starts if small[lag : lag + QUIET_LAGS].all()), most)
    window = min(2 * quiet, most)
    lags = np.arange(1, window + 1)
    kernel = np.clip(2 * (1 - lags / window), 0, 1)  # the flat-top kernel
    weighted = 2 * float(np.sum(kernel * lags * covariances[1 : window + 1]))
    spectrum = covariances[0] + 2 * float(np.sum(kernel * covariances[1 : window + 1]))
    if spectrum == 0:
        return 1.0
    best = float((weighted**2 / spectrum**2) ** (1 / 3) * count ** (1 / 3))
    return max(1.0, min(best, math.ceil(min(3 * math.sqrt(count), count / 3))))


def _on_grid(block: float) -> float:
    """Return the next length of block on a grid of half octaves, so that series share their samples."""
    return float(2 ** (math.ceil(2 * math.log2(block) - 1e-9) / 2))


@lru_cache(maxsize=4)
def _draw_counts(length: int, block: float, draws: int, seed: int) -> Floats:
    """Return how often each session is in each bootstrap sample, shape (draws, length).

    Sums over a sample are then one product of matrices for all series of a test, and strategies that are tested on the
    same sessions share the samples.
    """
    drawn = stationary_indices(length, block, draws, seed)
    flat = (drawn + length * np.arange(draws)[:, None]).ravel()
    found: Floats = np.bincount(flat, minlength=draws * length).reshape(draws, length).astype(float)
    found.setflags(write=False)
    return found


def _sharpes(sums: Floats, squares: Floats, count: int) -> Floats:
    means = sums / count
    variances = np.maximum(squares / count - means**2, 0) * count / (count - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = np.where(variances > 1e-18, means / np.sqrt(variances) * math.sqrt(SESSIONS_PER_YEAR), np.nan)
    return found


def _interval(values: Floats) -> tuple[float | None, float | None]:
    finite = values[np.isfinite(values)]
    if len(finite) < len(values):
        return None, None
    low, high = np.quantile(finite, (LEVEL / 2, 1 - LEVEL / 2))
    return float(low), float(high)
