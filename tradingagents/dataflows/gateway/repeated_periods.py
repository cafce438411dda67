"""One period given to two ends: merged sources of which one dates fiscal quarters by the calendar."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from math import isclose

from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import Statement

NEAR = 50
"""Days within which no two quarters end."""
QUARTER = 365.25 / 4
"""Days from one end to the next; those of years are multiples."""
AROUND = 2
"""Ends on either side whose rhythm counts."""
SAME_VALUE = 0.005
"""Relative difference of two sources' values of an item of one period: they round."""
SAME_ITEMS = 0.8
"""Share of the items, of three at least, that have to be the same."""
LEAST_ITEMS = 3


def repeated_periods(known: Sequence[Statement]) -> list[tuple[Statement, Fault]]:
    """Return the rows of periods that stand there to another end too, with their faults.

    Of two ends the one that fits the rhythm of the other ends stays; where both fit alike, the later.

    Args:
        known: Every version of every period of one company, kind and label, known by the cut-off.
    """
    by_end: dict[date, list[Statement]] = {}
    for row in sorted(known, key=lambda one: one.known_at):
        by_end.setdefault(row.period_end, []).append(row)
    ends = sorted(by_end)
    found: list[tuple[Statement, Fault]] = []
    for earlier, later in pairwise(ends):
        if (later - earlier).days > NEAR or not _is_same(by_end[earlier][-1], by_end[later][-1]):
            continue
        odd, other = sorted((earlier, later), key=lambda end: (-_off(end, ends, (earlier, later)), end))
        found += [(row, _fault(row, other)) for row in by_end[odd]]
    return found


def _off(end: date, ends: Sequence[date], pair: tuple[date, date]) -> float:
    """Return how far an end lies from the rhythm of those around it, in days."""
    around = [*[one for one in ends if one < pair[0]][-AROUND:], *[one for one in ends if one > pair[1]][:AROUND]]
    distances = [abs((end - one).days) for one in around]
    return sum(abs(days - round(days / QUARTER) * QUARTER) for days in distances)


def _is_same(one: Statement, other: Statement) -> bool:
    names = one.items.keys() & other.items.keys()
    same = sum(isclose(one.items[name], other.items[name], rel_tol=SAME_VALUE) for name in names)
    return len(names) >= LEAST_ITEMS and same >= SAME_ITEMS * len(names)


def _fault(row: Statement, other: date) -> Fault:
    what = f"the same items stand there as of {other}"
    return Fault(row.symbol, row.period_end, what, "the row is left out", row, "period-length")
