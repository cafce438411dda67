"""Corrections for choosing the best of many: deflated Sharpe ratio, probability of overfitting, Holm's procedure.

The returns that they take are excess returns, those beyond bills, where bills are known: see `metrics`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from statistics import NormalDist

import numpy as np

from tradingagents.analytics.performance.metrics import sharpe_ratio
from tradingagents.dataflows.models import Floats

SPLITS = 16
"""Parts of the sessions in the test of overfitting: 12,870 ways to choose half of them."""
_EULER = 0.5772156649015329
_NORMAL = NormalDist()


def probabilistic_sharpe(returns: Floats, threshold: float = 0.0) -> float | None:
    """Return the probability that the true Sharpe ratio exceeds a threshold; None without variation.

    Source: Bailey and López de Prado (2012), "The Sharpe ratio efficient frontier", equation 9: skewed and fat-tailed
    returns make the same ratio less certain.

    Args:
        returns: Daily excess returns as fractions, shape (sessions,).
        threshold: Sharpe ratio a session, not a year.
    """
    values = np.asarray(returns, float)
    ratio = sharpe_ratio(values, annual=False)
    if ratio is None:
        return None
    return _NORMAL.cdf((ratio - threshold) * math.sqrt(len(values) - 1) / _ratio_error(values, ratio))


def deflated_sharpe(returns: Floats, trials: Sequence[float]) -> float | None:
    """Return the probability that a chosen strategy has any skill, given all that were tried.

    The threshold is the best Sharpe ratio that so many trials without skill would show. Source: Bailey and López de
    Prado (2014), "The deflated Sharpe ratio", equations 1 and 2.

    Args:
        returns: Daily excess returns of the chosen strategy, shape (sessions,).
        trials: Sharpe ratios a session of every variant that was tried, the chosen one too.

    Returns:
        From 0 to 1; None without variation. With one trial it is `probabilistic_sharpe` against 0.
    """
    return probabilistic_sharpe(returns, best_of_chance(trials))


def best_of_chance(trials: Sequence[float]) -> float:
    """Return the Sharpe ratio a session that the best of so many trials without skill is expected to show."""
    count = len(trials)
    return 0.0 if count < 2 else expected_best(float(np.std(np.asarray(trials, float), ddof=1)), count)


def expected_best(spread: float, count: int) -> float:
    """Return the expected best of ratios without skill.

    Args:
        spread: Standard deviation of the ratios.
        count: How many there are; one is expected to show 0.
    """
    if count < 2:
        return 0.0
    return spread * ((1 - _EULER) * _NORMAL.inv_cdf(1 - 1 / count) + _EULER * _NORMAL.inv_cdf(1 - 1 / (count * math.e)))


def track_record_needed(returns: Floats, *, threshold: float = 0.0, confidence: float = 0.95) -> int | None:
    """Return how many sessions make a Sharpe ratio credible; None where it does not exceed the threshold.

    Source: Bailey and López de Prado (2012), equation 11.

    Args:
        returns: Daily excess returns as fractions, shape (sessions,).
        threshold: Sharpe ratio a session to exceed.
        confidence: Probability that it does.
    """
    values = np.asarray(returns, float)
    ratio = sharpe_ratio(values, annual=False)
    if ratio is None or ratio <= threshold:
        return None
    return math.ceil(1 + (_ratio_error(values, ratio) * _NORMAL.inv_cdf(confidence) / (ratio - threshold)) ** 2)


def overfitting_probability(returns: Floats, *, splits: int = SPLITS) -> float | None:
    """Return how often the variant that is best in one half of the sessions is below the median in the other half.

    Combinatorially symmetric cross-validation; source: Bailey, Borwein, López de Prado and Zhu (2017), "The
    probability of backtest overfitting". Variants are compared by Sharpe ratio; the oldest sessions that don't fill a
    part are left out.

    Args:
        returns: Daily excess returns, shape (sessions, variants).
        splits: Number of parts, even.

    Returns:
        From 0 to 1, about one half for variants without skill; None with fewer than two variants, fewer than two
        sessions a part, or where a variant never varies.

    Raises:
        ValueError: The number of parts is odd or below 2.
    """
    if splits < 2 or splits % 2:
        raise ValueError("The sessions must be split into an even number of parts.")
    values = np.asarray(returns, float)
    sessions, variants = values.shape
    size = sessions // splits
    if variants < 2 or size < 2:
        return None
    parts = values[sessions - size * splits :].reshape(splits, size, variants)
    sums, squares = parts.sum(axis=1), (parts**2).sum(axis=1)
    halves = np.array(list(combinations(range(splits), splits // 2)))
    chosen = np.zeros((len(halves), splits))
    np.put_along_axis(chosen, halves, 1, axis=1)
    count = size * splits // 2
    inside = _ratios(chosen @ sums, chosen @ squares, count)
    outside = _ratios((1 - chosen) @ sums, (1 - chosen) @ squares, count)
    if not (np.isfinite(inside).all() and np.isfinite(outside).all()):
        return None
    best = inside.argmax(axis=1)
    own = np.take_along_axis(outside, best[:, None], axis=1)
    ranks = (outside < own).sum(axis=1) + ((outside == own).sum(axis=1) + 1) / 2  # equal values share their ranks
    return float(np.mean(ranks / (variants + 1) <= 0.5))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for the number of tests (Holm, 1979), in the given order.

    A test whose adjusted value is at most 5 % holds while the chance of any false one stays below 5 %.
    """
    count, worst = len(p_values), 0.0
    adjusted = [0.0] * count
    for place, number in enumerate(sorted(range(count), key=p_values.__getitem__)):
        worst = max(worst, min(1.0, (count - place) * p_values[number]))
        adjusted[number] = worst
    return adjusted


def _ratio_error(values: Floats, ratio: float) -> float:
    """Return the standard error of a Sharpe ratio times the root of the sessions less one (Mertens, 2002)."""
    scaled = (values - values.mean()) / values.std()
    skew, kurtosis = float((scaled**3).mean()), float((scaled**4).mean())
    return math.sqrt(max(1 - skew * ratio + (kurtosis - 1) / 4 * ratio**2, 1e-12))


def _ratios(sums: Floats, squares: Floats, count: int) -> Floats:
    """Return Sharpe ratios from sums and sums of squares; NaN where nothing varies."""
    means = sums / count
    variances = (squares / count - means**2) * count / (count - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = np.where(variances > 1e-18, means / np.sqrt(np.maximum(variances, 0)), np.nan)
    return found
