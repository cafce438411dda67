"""Student's t distribution: its tail and its quantiles, for whole degrees of freedom.

SciPy has both, and is 140 MB to install; nothing else of it was used. The tail is a regularised incomplete beta
function (Abramowitz and Stegun, 26.5.2 and 26.5.27), evaluated by its continued fraction (26.5.8, by Lentz's method);
the tests compare it with SciPy's over the whole range.
"""

from __future__ import annotations

import math
from functools import lru_cache

_TINY = 1e-300
_MOST_STEPS = 10_000
"""Of the continued fraction, which takes a few dozen; a bound, so that it ends on any input."""


@lru_cache(maxsize=1024)  # intervals of many series ask for the same few
def student_t(probability: float, freedom: int) -> float:
    """Return the quantile of Student's t distribution for a probability.

    Args:
        probability: Between 0 and 1, both excluded.
        freedom: Degrees of freedom, 1 or more.

    Raises:
        ValueError: A probability of 0 or 1 or beyond, or no degree of freedom.
    """
    if not 0 < probability < 1:
        raise ValueError(f"{probability} is no probability between 0 and 1; name one.")
    if probability < 0.5:
        return -_quantile_of_tail(probability, freedom)
    return _quantile_of_tail(1 - probability, freedom)


def student_tail(t: float, freedom: int) -> float:
    """Return the probability that Student's t exceeds a value; NaN for NaN.

    Raises:
        ValueError: There is no degree of freedom.
    """
    if freedom < 1:
        raise ValueError(f"Student's t needs 1 degree of freedom or more, and got {freedom}.")
    if math.isnan(t):
        return math.nan
    half = _half_beta(abs(float(t)), freedom)
    return half if t >= 0 else 1 - half


def _quantile_of_tail(tail: float, freedom: int) -> float:
    """Return the value of 0 or more that is exceeded with a probability of at most a half, by bisection."""
    if tail >= 0.5:
        return 0.0
    low, high = 0.0, 1.0
    while student_tail(high, freedom) > tail:
        low, high = high, 2 * high
    while (middle := (low + high) / 2) not in (low, high):
        if student_tail(middle, freedom) > tail:
            low = middle
        else:
            high = middle
    return high


def _half_beta(t: float, freedom: int) -> float:
    """Return half of the regularised incomplete beta function, the upper tail of a value of 0 or more."""
    a, ratio = freedom / 2, t * t / freedom
    if ratio == 0 or math.isinf(ratio):
        return 0.0 if ratio else 0.5
    log_front = 0.5 * math.log(ratio) - (a + 0.5) * math.log1p(ratio) + _log_gamma_ratio(a)
    front = math.exp(log_front) / math.sqrt(math.pi)
    x, rest = 1 / (1 + ratio), ratio / (1 + ratio)
    if x < (a + 1) / (a + 2.5):  # where the fraction converges quickly; elsewhere that of the other tail does
        return 0.5 * front * _fraction(x, a, 0.5) / a
    return 0.5 - front * _fraction(rest, 0.5, a)


def _log_gamma_ratio(a: float) -> float:
    """Return log(Γ(a + 1/2) / Γ(a)), by a series where the difference of two logarithms would lose digits."""
    if a < 30:
        return math.lgamma(a + 0.5) - math.lgamma(a)
    return 0.5 * math.log(a) - 1 / (8 * a) + 1 / (192 * a**3) - 1 / (640 * a**5) + 17 / (14336 * a**7)


def _fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the incomplete beta function."""
    c, d = 1.0, 1 / _apart(1 - (a + b) * x / (a + 1))
    value = d
    for step in range(1, _MOST_STEPS):
        even = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step))
        odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1))
        before = value
        for term in (even, odd):
            d = 1 / _apart(1 + term * d)
            c = _apart(1 + term / c)
            value *= c * d
        if abs(value - before) <= 1e-16 * abs(value):
            break
    return value


def _apart(value: float) -> float:
    """Return a divisor that is not 0."""
    return value if abs(value) > _TINY else _TINY
