"""Return and risk of a series of daily returns.

Conventions, which `empyrical` shares: returns are fractions a session (0.01 for 1 %); a year has 252 sessions, so that
annual figures come from counted sessions and not from calendar days; the volatility is the sample standard deviation
(one degree of freedom less); drawdowns start from the capital before the first return; value at risk is the historical
5 % quantile of daily returns, negative for a loss. Return, volatility, drawdown and value at risk are of the returns
themselves; Sharpe and Sortino ratio are of excess returns: each session's return less what bills earned over it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tradingagents.analytics.price.returns import SESSIONS_PER_YEAR
from tradingagents.dataflows.models import Floats

TAIL = 0.05


@dataclass(frozen=True, slots=True)
class Performance:
    """Return and risk of one strategy. None: too few sessions, or a division by nothing."""

    sessions: int
    total_return: float
    """Compounded return of the whole series, as a fraction."""
    annual_return: float | None
    """Compounded return a year of 252 sessions."""
    annual_volatility: float | None
    sharpe: float | None
    """Mean over standard deviation of the excess returns, a year."""
    sortino: float | None
    """Mean of the excess returns over the root mean square of the negative ones, a year."""
    max_drawdown: float
    """Largest loss from an earlier peak, negative or 0."""
    calmar: float | None
    """Annual return over the size of the largest drawdown."""
    value_at_risk: float | None
    under_a_year: bool
    """Annual figures are extrapolated from less than 252 sessions: say so wherever they are shown."""


def performance(returns: Floats, *, risk_free: Floats | float = 0.0) -> Performance:
    """Compute return and risk.

    Args:
        returns: Daily returns as fractions, shape (sessions,), all finite and not below -1.
        risk_free: What bills earned over each session, as fractions, shape (sessions,), or one for all; subtracted in
            the ratios.

    Raises:
        ValueError: A return is not finite or below -1, or there is not one risk-free return a session.
    """
    values = np.asarray(returns, float)
    if not np.isfinite(values).all() or (values < -1).any():
        raise ValueError("Returns must be finite fractions not below -1.")
    sessions, wealth = len(values), np.cumprod(1 + values)
    total = float(wealth[-1] - 1) if sessions else 0.0
    annual = (1 + total) ** (SESSIONS_PER_YEAR / sessions) - 1 if sessions else None
    excess, drawdown = excess_returns(values, risk_free), max_drawdown(values)
    downside = math.sqrt(float(np.mean(np.minimum(excess, 0) ** 2))) if sessions else 0.0
    return Performance(
        sessions=sessions,
        total_return=total,
        annual_return=annual,
        annual_volatility=_deviation(values) * math.sqrt(SESSIONS_PER_YEAR) if sessions > 1 else None,
        sharpe=sharpe_ratio(values, risk_free=risk_free),
        sortino=float(excess.mean()) / downside * math.sqrt(SESSIONS_PER_YEAR) if downside > 0 else None,
        max_drawdown=drawdown,
        calmar=annual / -drawdown if annual is not None and drawdown < 0 else None,
        value_at_risk=float(np.quantile(values, TAIL)) if sessions else None,
        under_a_year=sessions < SESSIONS_PER_YEAR,
    )


def excess_returns(returns: Floats, risk_free: Floats | float) -> Floats:
    """Return the returns beyond bills.

    Args:
        returns: Daily returns as fractions, shape (sessions,).
        risk_free: What bills earned over each session, the same shape, or one for all.

    Raises:
        ValueError: There is not one risk-free return a session.
    """
    values, bills = np.asarray(returns, float), np.asarray(risk_free, float)
    if bills.ndim and bills.shape != values.shape:
        raise ValueError("There must be one risk-free return for each session, or one for all.")
    found: Floats = values - bills
    return found


def sharpe_ratio(returns: Floats, *, risk_free: Floats | float = 0.0, annual: bool = True) -> float | None:
    """Return the Sharpe ratio; None with fewer than two returns or without any variation beyond bills.

    Args:
        returns: Daily returns as fractions, shape (sessions,).
        risk_free: What bills earned over each session, the same shape, or one for all.
        annual: Scale to a year of 252 sessions; False: a session, as `deflated_sharpe` wants it.

    Raises:
        ValueError: There is not one risk-free return a session.
    """
    values = excess_returns(returns, risk_free)
    if len(values) < 2:
        return None
    deviation = _deviation(values)
    if deviation <= 1e-14 * max(1.0, float(np.abs(values).max())):  # equal returns leave only rounding
        return None
    return float(values.mean()) / deviation * (math.sqrt(SESSIONS_PER_YEAR) if annual else 1.0)


def max_drawdown(returns: Floats) -> float:
    """Return the largest loss from an earlier peak, negative or 0; the first capital is a peak too."""
    wealth = np.concatenate(([1.0], np.cumprod(1 + np.asarray(returns, float))))
    return float((wealth / np.maximum.accumulate(wealth) - 1).min())


def exposure_matched_alpha(returns: Floats, benchmark: Floats, exposure: Floats) -> float | None:
    """Return the yearly return beyond a benchmark held at the strategy's own exposure; None without sessions.

    A strategy that holds half its capital in cash is compared with half a benchmark. Arithmetic: the mean difference
    of a session times 252.

    Args:
        returns: Daily returns of the strategy, shape (sessions,); beyond bills where its cash earns them.
        benchmark: Daily returns of the benchmark, the same shape, on the same basis.
        exposure: Invested share of the capital at the start of each session, the same shape.

    Raises:
        ValueError: The shapes differ.
    """
    held, market, share = (np.asarray(values, float) for values in (returns, benchmark, exposure))
    if not held.shape == market.shape == share.shape:
        raise ValueError("Returns, benchmark and exposure must have one value a session each.")
    return float((held - share * market).mean()) * SESSIONS_PER_YEAR if len(held) else None


def rank_ic(signals: Floats, outcomes: Floats) -> float | None:
    """Return the rank information coefficient of one date: Spearman's correlation of signals and later returns.

    Args:
        signals: One value for each company, for example the signed confidence of its decision.
        outcomes: Return of each company over the horizon, the same shape.

    Returns:
        From -1 to 1; None with fewer than three companies, or where all signals or all outcomes are equal.
    """
    first, second = midranks(signals), midranks(outcomes)
    if len(first) != len(second):
        raise ValueError("There must be one outcome for each signal.")
    if len(first) < 3 or not first.std() or not second.std():
        return None
    return float(np.corrcoef(first, second)[0, 1])


def midranks(values: Floats) -> Floats:
    """Return the ranks from 1; equal values share the mean of their ranks."""
    _, places, counts = np.unique(np.asarray(values, float), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Floats = (last - (counts - 1) / 2)[places]
    return ranks


def _deviation(values: Floats) -> float:
    return float(values.std(ddof=1))
