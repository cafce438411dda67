"""Confidence interval of a mean over observations that overlap in time: a circular block bootstrap over weeks.

Decisions of neighbouring weeks share most of their evaluation window, so they are not independent. Blocks of
consecutive weeks, about as long as the windows, are therefore drawn instead of single decisions (Politis and Romano,
1992), and the mean is taken over the decisions in them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date

import numpy as np

DRAWS = 2000
SEED = 20260101
WEEK = 7
LEAST_BLOCKS = 4
"""Minimum number of blocks in the observed weeks; with fewer there is no interval."""


def block_weeks(windows: Sequence[tuple[date, date]]) -> int:
    """Return the length of a block in weeks: the length of the median window, rounded up, at least 1."""
    lengths = sorted((end - start).days for start, end in windows)
    return max(1, math.ceil(lengths[len(lengths) // 2] / WEEK))


def block_interval(
    values: Sequence[float], starts: Sequence[date], block: int, *, draws: int = DRAWS, seed: int = SEED
) -> tuple[float, float] | None:
    """Return the 95 % confidence interval of the mean; None when the weeks make up fewer than four blocks.

    Args:
        values: One value for each observation.
        starts: First day of each observation's window; weeks without observations count too.
        block: Length of a block in weeks, see `block_weeks`.
        draws: Number of samples.
        seed: Random seed; the same values and seed give the same interval.
    """
    first = min(day.toordinal() for day in starts) // WEEK
    weeks = np.array([day.toordinal() // WEEK - first for day in starts])
    count = int(weeks.max()) + 1
    if count < LEAST_BLOCKS * block:
        return None
    sums = np.bincount(weeks, weights=np.asarray(values, float), minlength=count)
    held = np.bincount(weeks, minlength=count).astype(float)
    # Sums over each block of consecutive weeks; the last blocks wrap around to the first weeks.
    around = (np.arange(count)[:, None] + np.arange(block)[None, :]) % count
    block_sums, block_held = sums[around].sum(axis=1), held[around].sum(axis=1)
    drawn = np.random.default_rng(seed).integers(0, count, (draws, math.ceil(count / block)))
    total = block_held[drawn].sum(axis=1)
    known = total > 0
    means = block_sums[drawn].sum(axis=1)[known] / total[known]
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)
