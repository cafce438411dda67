"""Target weights from decisions: confidence-scaled, equal, inverse volatility, hierarchical risk parity."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from tradingagents.analytics.holdings.limits import PositionLimits
from tradingagents.errors import UsageError

Scheme = Literal["confidence", "equal", "inverse_volatility", "hrp"]
SCHEMES: tuple[Scheme, ...] = get_args(Scheme)
LEAST_RETURNS = 20
"""Fewest daily returns for a volatility or correlation; with fewer, positions weigh the same."""
Matrix = NDArray[np.float64]


def checked_scheme(name: str) -> Scheme:
    """Return a scheme by its name.

    Raises:
        UsageError: There is none of that name.
    """
    for scheme in SCHEMES:
        if scheme == name:
            return scheme
    raise UsageError(f"There is no weighting {name[:30]!r}; there are {', '.join(SCHEMES)}.")


def scheme_weights(
    scheme: Scheme, confidence: Mapping[str, float], returns: Matrix, largest: float
) -> dict[str, float]:
    """Return weights of the symbols that are to be held, with a sum of 1 or less.

    Args:
        scheme: `confidence`: `largest` times the confidence of each, scaled down where the sum exceeds 1. `equal`: one
            over their number. `inverse_volatility`: by one over the standard deviation of daily returns. `hrp`:
            hierarchical risk parity (López de Prado, 2016).
        confidence: Confidence by symbol, 0 to 1; the symbols in the order of the columns of `returns`.
        returns: Daily returns, one column a symbol, known by the day of the decision.
        largest: Weight of full confidence.
    """
    symbols = list(confidence)
    if not symbols:
        return {}
    if scheme == "confidence":
        found = np.array([largest * confidence[symbol] for symbol in symbols])
        found = found / max(1.0, found.sum())
    elif scheme == "equal" or not _enough(returns, len(symbols)):
        found = np.full(len(symbols), 1 / len(symbols))
    elif scheme == "inverse_volatility":
        found = inverse_volatility(returns)
    else:
        found = hierarchical_risk_parity(returns)
    return dict(zip(symbols, found.tolist(), strict=True))


def bought_weights(
    scheme: Scheme,
    confidence: Mapping[str, float],
    returns: Matrix,
    stay: Mapping[str, float],
    limits: PositionLimits,
) -> dict[str, float]:
    """Return weights of what is to be bought, which share what those that stay and the least cash leave.

    Args:
        scheme: See `scheme_weights`.
        confidence: Confidence by symbol, 0 to 1; the symbols in the order of the columns of `returns`.
        returns: Daily returns, one column a symbol, known by the day of the decision.
        stay: Weights of what is neither bought nor sold.
        limits: Whose `max_position` is the weight of full confidence, and whose `min_cash` stays free.
    """
    left = max(0.0, 1 - limits.min_cash - sum(max(0.0, weight) for weight in stay.values()))
    found = scheme_weights(scheme, confidence, returns, limits.max_position)
    factor = min(1.0, left / sum(found.values())) if scheme == "confidence" and found else left
    return {symbol: weight * factor for symbol, weight in found.items()}


def inverse_volatility(returns: Matrix) -> Matrix:
    """Return weights by one over the sample standard deviation of each column, with the sum 1.

    A column that does not move tells no risk, and counts with the largest deviation of the others.
    """
    deviations = returns.std(axis=0, ddof=1)
    moving = deviations[deviations > 0]
    if not len(moving):
        return np.full(returns.shape[1], 1 / returns.shape[1])
    inverse = 1 / np.where(deviations > 0, deviations, moving.max())
    weights: Matrix = inverse / inverse.sum()
    return weights


def hierarchical_risk_parity(returns: Matrix) -> Matrix:
    """Return the weights of hierarchical risk parity, with the sum 1.

    López de Prado, Building Diversified Portfolios that Outperform Out of Sample (2016): single-linkage clusters of the
    distance sqrt((1 - correlation) / 2) between the columns of the distance matrix, then bisection by variance.
    """
    count = returns.shape[1]
    covariance = np.atleast_2d(np.cov(returns, rowvar=False))
    deviations = np.sqrt(np.diag(covariance))
    if count == 1 or (deviations == 0).any():
        return inverse_volatility(returns)
    correlation = np.clip(covariance / np.outer(deviations, deviations), -1, 1)
    distance = np.sqrt((1 - correlation) / 2)
    far = np.sqrt(((distance[:, :, None] - distance[:, None, :]) ** 2).sum(axis=0))
    weights = np.ones(count)
    waiting = [_clustered(far)]
    while waiting:
        group = waiting.pop()
        if len(group) < 2:
            continue
        left, right = group[: len(group) // 2], group[len(group) // 2 :]
        risk, other = _variance(covariance, left), _variance(covariance, right)
        share = 1 - risk / (risk + other)
        weights[left] *= share
        weights[right] *= 1 - share
        waiting += [left, right]
    return weights


def _enough(returns: Matrix, count: int) -> bool:
    return returns.ndim == 2 and returns.shape[1] == count and len(returns) >= LEAST_RETURNS


def _clustered(distance: Matrix) -> list[int]:
    """Return the columns in the order of single-linkage clusters: the closest two are joined until one is left."""
    groups: list[list[int]] = [[column] for column in range(len(distance))]
    between = distance.copy()
    np.fill_diagonal(between, math.inf)
    alive = list(range(len(groups)))
    while len(alive) > 1:
        part = between[np.ix_(alive, alive)]
        first, other = sorted((alive[int(part.argmin()) // len(alive)], alive[int(part.argmin()) % len(alive)]))
        groups[first] = [*groups[first], *groups[other]]
        between[first] = np.minimum(between[first], between[other])
        between[:, first] = between[first]
        between[first, first] = math.inf
        alive.remove(other)
    return groups[alive[0]]


def _variance(covariance: Matrix, group: Sequence[int]) -> float:
    """Return the variance of a group weighted by inverse variance."""
    part = covariance[np.ix_(group, group)]
    inverse = 1 / np.diag(part)
    weights = inverse / inverse.sum()
    return float(weights @ part @ weights)
