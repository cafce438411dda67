"""Student's t distribution: its tail and its quantiles, for whole degrees of freedom.

SciPy has both, and is 140 MB to install; nothing else of it was used. For whole degrees of freedom the distribution is
a finite sum (Abramowitz and Stegun, 26.7.3 and 26.7.4). Absolute errors are below 1e-12, so that a tail smaller
than that may come out as 0. The tests compare both functions with SciPy's.
"""

from __future__ import annotations

import math
from functools import lru_cache


@lru_cache(maxsize=1024)  # intervals of many series ask for the same few
def student_t(probability: float, freedom: int) -> float:
    """Return the quantile of Student's t distribution for a probability, by bisection.

    Args:
        probability: Between 0 and 1, both excluded.
        freedom: Degrees of freedom, 1 or more.

    Raises:
        ValueError: A probability of 0 or 1 or beyond, or no degree of freedom.
    """
    if not 0 < probability < 1:
        raise ValueError(f"{probability} is no probability between 0 and 1; name one.")
    if probability < 0.5:
        return -student_t(1 - probability, freedom)
    low, high = 0.0, 1.0
    while student_tail(high, freedom) > 1 - probability:
        low, high = high, 2 * high
    while (middle := (low + high) / 2) not in (low, high):
        if student_tail(middle, freedom) > 1 - probability:
            low = middle
        else:
            high = middle
    return high if probability > 0.5 else 0.0


def student_tail(t: float, freedom: int) -> float:
    """Return the probability that Student's t exceeds a value; NaN for NaN.

    Raises:
        ValueError: There is no degree of freedom.
    """
    if freedom < 1:
        raise ValueError(f"Student's t needs 1 degree of freedom or more, and got {freedom}.")
    angle = math.atan(float(t) / math.sqrt(freedom))
    cosine = math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    for step in range(2 + odd, freedom + 1, 2):
        total += term
        term *= cosine * cosine * (step - 1) / step
    inside = math.sin(angle) * total
    if odd:
        inside = (angle + inside) * 2 / math.pi
    return min(max((1 - inside) / 2, 0.0), 1.0)
