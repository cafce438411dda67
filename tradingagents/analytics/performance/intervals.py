"""Standard errors and 95 % intervals of means of dependent values; and shares, which have none.

Whatever is estimated (a mean, a ratio of sums, a hit rate beyond chance, a difference of Sharpe ratios, a regression's
alpha) is the mean of one value a period, its influence: how far the period alone moves the estimate. The influences'
standard error is that of the estimate. Two are here, both consistent where periods depend on each other (HAC):

- `mean_interval`: the equal-weighted cosine estimator (Müller 2004; Lazarus, Lewis, Stock and Watson 2018). The mean of
  a few slow cosine waves in the influences is the variance, and the t is Student's with as many degrees of freedom as
  there are waves. Where the waves are slower than the dependence, the interval covers in small samples too, in which
  block bootstraps and normal quantiles do not (docs/concepts/backtest-statistics.md has the table). With one wave less
  than there are periods it is Student's interval for independent values.
- `newey_west_error` with `fixed_b_quantile`, for regressions. statsmodels has the same error, which the tests compare,
  but no quantiles of fixed-b, without which intervals of few periods are too narrow.

Shares of cases have no interval: cases share days and companies, so that their number says too much (Wilson's interval,
as any for independent cases, would be too narrow). What is claimed of a share has a test of its own where it is
claimed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

import numpy as np

from tradingagents.analytics.performance.student_t import student_t, student_tail
from tradingagents.dataflows.models import Floats

LEVEL = 0.05
"""Of a one-sided test; intervals cover 95 %."""
_FIXED_B_975 = (1.9600, 2.9694, 0.4160, -0.5324)
"""Cubic in b of the 97.5 % quantile under the Bartlett kernel: Kiefer and Vogelsang (2005), table 1."""


@dataclass(frozen=True, slots=True)
class MeanInterval:
    """An estimate with its 95 % interval, and the test of 0."""

    estimate: float
    error: float
    """Standard error."""
    freedom: int
    """Degrees of freedom of its Student's t."""

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return self.estimate - student_t(1 - LEVEL / 2, self.freedom) * self.error

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return self.estimate + student_t(1 - LEVEL / 2, self.freedom) * self.error

    @property
    def p_value(self) -> float:
        """One-sided: how often chance gives at least this estimate where the truth is 0."""
        return student_tail(self.estimate / self.error, self.freedom) if self.error else float(self.estimate <= 0)


def mean_interval(estimate: float, influences: Floats, freedom: int) -> MeanInterval:
    """Return an estimate with its interval.

    Args:
        estimate: What the influences belong to.
        influences: One value a period, in order, with mean 0; shape (periods,).
        freedom: Number of cosine waves, 1 to periods - 1. Periods - 1 where periods are independent; where they depend
            on each other, half as many as there are stretches that do not.
    """
    count = len(influences)
    waves = _cosines(count, freedom) @ influences
    return MeanInterval(estimate, math.sqrt(float(waves @ waves) / freedom / count), freedom)


@lru_cache(maxsize=4)
def _cosines(count: int, freedom: int) -> Floats:
    """Return orthonormal cosine waves, slowest first, shape (freedom, count)."""
    middle = (np.arange(count) + 0.5) / count
    found: Floats = math.sqrt(2 / count) * np.cos(math.pi * np.outer(np.arange(1, freedom + 1), middle))
    found.setflags(write=False)
    return found


def disjoint_windows(windows: Iterable[tuple[date, date]]) -> int:
    """Return the most windows that can be chosen so that no two overlap; a shared endpoint is no overlap."""
    found, until = 0, date.min
    for start, end in sorted(set(windows), key=lambda window: window[1]):
        if start >= until:
            found, until = found + 1, end
    return found


def day_sums(days: Sequence[date], values: Floats) -> Floats:
    """Return the sum of values by distinct day, in the order of the days.

    Args:
        days: Of each value.
        values: Shape (values,) or (values, columns).
    """
    _, place = np.unique(np.array(days, dtype="datetime64[D]"), return_inverse=True)
    found: Floats = np.zeros((int(place.max()) + 1, *values.shape[1:]))
    np.add.at(found, place, values)
    return found


def mean_by_day(days: Sequence[date], values: Floats, freedom: int | None = None) -> MeanInterval:
    """Return the mean over values with the interval of days: values of one day are one piece of evidence.

    Args:
        days: Of each value; two distinct ones at least.
        values: Shape (values,).
        freedom: See `mean_interval`; None: the days are independent of each other.
    """
    mean = float(np.mean(values))
    influences = day_sums(days, np.asarray(values, float) - mean)
    influences *= len(influences) / len(values)
    return mean_interval(mean, influences, len(influences) - 1 if freedom is None else freedom)


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


@dataclass(frozen=True, slots=True)
class ObservedShare:
    """A share of cases."""

    count: int
    """Cases that were so."""
    of: int
    """All cases."""

    @property
    def value(self) -> float | None:
        """The share; None without cases."""
        return self.count / self.of if self.of else None

    def to_json(self) -> dict[str, float | int | None]:
        """Return it as JSON."""
        return {"count": self.count, "of": self.of, "share": self.value}
