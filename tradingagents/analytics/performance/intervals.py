"""Standard errors and 95 % intervals of means of dependent values.

Whatever is estimated (a mean, a ratio of sums, a difference of Sharpe ratios, a regression's alpha) is written as the
mean of one value a period, its influence: how far that period alone moves the estimate. Three questions are left.

- Periods are independent: Student's t (`student_t`).
- They overlap or depend on their neighbours: `cosine_error`, the equal-weighted cosine estimator, whose t is Student's.
- Regressions: `newey_west_error` with `fixed_b_quantile`, as statsmodels has it.
"""

from __future__ import annotations

import math

from tradingagents.dataflows.models import Floats

_FIXED_B_975 = (1.9600, 2.9694, 0.4160, -0.5324)
"""Cubic in b of the 97.5 % quantile under the Bartlett kernel: Kiefer and Vogelsang (2005), table 1."""


def usual_lags(count: int) -> int:
    """Return the usual truncation of Newey and West's estimator: 4 (count / 100) ** (2 / 9), rounded down."""
    return int(4 * (count / 100) ** (2 / 9))


def newey_west_error(influences: Floats, lags: int) -> float:
    """Return the standard error of a mean of dependent values (Newey and West, 1987).

    Args:
        influences: One value a period, in order, with mean 0; shape (periods,).
        lags: Periods back to which dependence counts, with linearly falling weight.
    """
    count = len(influences)
    total = float(influences @ influences)
    for lag in range(1, lags + 1):
        total += 2 * (1 - lag / (lags + 1)) * float(influences[lag:] @ influences[:-lag])
    return math.sqrt(max(total, 0.0)) / count


def fixed_b_quantile(b: float) -> float:
    """Return what a Newey-West t exceeds by chance in 2.5 of 100 cases, where the lags are the share b of the periods.

    With b towards 0 it is the normal 1.96; it grows because few periods tell little of their own dependence (Kiefer and
    Vogelsang, 2005).
    """
    return sum(factor * b**power for power, factor in enumerate(_FIXED_B_975))
