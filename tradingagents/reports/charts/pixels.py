"""Pixels as text: one decimal, as in every path of a chart."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from tradingagents.dataflows.models import Floats

_MOST = 1000
"""Pixels of the table: charts are up to 960 wide and 700 high."""
_SURE = 0.5 - 1e-6
"""Distance in tenths within which the nearest tenth is certain; ties are left to the exact formatting."""


def tenths(values: Floats) -> list[str]:
    """Return each finite value as `f"{value:.1f}"` writes it.

    Formatting is the largest part of the time of a chart; a table of texts takes a tenth of it.
    """
    scaled = values * 10
    nearest = np.rint(scaled)
    sure = (np.abs(scaled - nearest) < _SURE) & (scaled > 0) & (nearest < 10 * _MOST)
    table = _table()
    if sure.all():
        return [table[number] for number in nearest.astype(int).tolist()]
    places = np.where(sure, nearest, -1).astype(int).tolist()
    return [
        table[place] if place >= 0 else f"{value:.1f}" for place, value in zip(places, values.tolist(), strict=True)
    ]


def rows_of_tenths(*columns: Floats) -> Iterator[tuple[str, ...]]:
    """Yield the texts of values that belong together; all columns are of the same length."""
    texts, rows = tenths(np.concatenate(columns)), len(columns[0])
    return zip(*(texts[rows * at : rows * (at + 1)] for at in range(len(columns))), strict=True)


@lru_cache(maxsize=1)
def _table() -> list[str]:
    return [f"{number // 10}.{number % 10}" for number in range(10 * _MOST)]
