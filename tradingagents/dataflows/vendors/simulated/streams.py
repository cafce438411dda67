"""Randomness that depends on the seed and a label only, and the one recursion every process here is made of."""

from __future__ import annotations

import hashlib

import numpy as np

from tradingagents.dataflows.models import Floats


def stream(seed: int, *labels: str) -> np.random.Generator:
    """Return the random stream of a label, for example (`"VELQ"`, `"news"`).

    Draw whole sessions at once, as an array whose **first** axis is time: a longer calendar then draws the same values
    first, and further ones after them.
    """
    digest = hashlib.sha256("/".join((str(seed), *labels)).encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "big")))


def decaying_sum(shocks: Floats, keep: float | Floats) -> Floats:
    """Return x with x[t] = keep * x[t-1] + shocks[t] along the first axis, x before the first being 0."""
    total = np.empty_like(shocks)
    level = np.zeros(shocks.shape[1:])
    for index, shock in enumerate(shocks):
        level = keep * level + shock
        total[index] = level
    return total


def fat_tailed(random: np.random.Generator, count: int) -> Floats:
    """Draw `count` shocks of unit variance from Student's t with 5 degrees of freedom, cut at 6 standard deviations."""
    shocks: Floats = np.clip(random.standard_t(5, count) / np.sqrt(5 / 3), -6.0, 6.0)
    return shocks


def frozen(array: Floats) -> Floats:
    """Return the array made read-only: it is handed out to many threads."""
    array.flags.writeable = False
    return array
