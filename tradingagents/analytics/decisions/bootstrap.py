"""Intervals of a mean whose observations overlap in time: a circular block bootstrap over weeks.

Decisions of neighbouring weeks share most of their window, and those of one week share all of it, so that each tells
little that the others did not. Whole stretches of weeks are drawn instead of single decisions (Politis and Romano,
1992), as long as the windows are, and the mean is taken over whatever decisions they hold.
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
"""Blocks that the weeks must make up; with fewer there is no interval."""


def block_weeks(windows: Sequence[tuple[date, date]]) -> int:
    """Return the length of a block in weeks: the median window's, rounded up, at least 1."""
    lengths = sorted((end - start).days for start, end in windows)
    return max(1, math.ceil(lengths[len(lengths) // 2] / WEEK))


def block_interval(
    values: Sequence[float], starts: Sequence[date], block: int, *, draws: int = DRAWS, seed: int = SEED
) -> tuple[float, float] | None:
    """Return where the true mean lies with 95 % confidence; None where the weeks make up fewer than four blocks.

    Args:
        values: One for each observation.
        starts: The day on which each observation's window begins; weeks without an observation count as weeks.
        block: Weeks drawn together, see `block_weeks`.
        draws: Samples drawn.
        seed: Of the random numbers: the same values give the same interval.
    """
    first = min(day.toordinal() for day in starts) // WEEK
    weeks = np.array([day.toordinal() // WEEK - first for day in starts])
    count = int(weeks.max()) + 1
    if count < LEAST_BLOCKS * block:
        return None
    sums = np.bincount(weeks, weights=np.asarray(values, float), minlength=count)
    held = np.bincount(weeks, minlength=count).astype(float)
    # Sums over each block of consecutive weeks, the last ones going on with the first.
    around = (np.arange(count)[:, None] + np.arange(block)[None, :]) % count
    block_sums, block_held = sums[around].sum(axis=1), held[around].sum(axis=1)
    drawn = np.random.default_rng(seed).integers(0, count, (draws, math.ceil(count / block)))
    total = block_held[drawn].sum(axis=1)
    known = total > 0
    means = block_sums[drawn].sum(axis=1)[known] / total[known]
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)
