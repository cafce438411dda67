"""One period given to two ends: merged sources of which one dates fiscal quarters by the calendar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
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
HABIT = 0.8
"""Share of the other ends that fall on one weekday, or on the end of a month, where that is the company's habit."""


def repeated_periods(known: Sequence[Statement]) -> list[tuple[Statement, Fault]]:
    """Return the rows of periods that stand there to another end too, with their faults.

    Of two ends the one on the weekday, or the end of a month, of the other ends stays; else the one that fits their
    rhythm, and where both fit alike, the later.

    Args:
        known: Every version of every period of one company, kind and label, known by the cut-off.
    """
    by_end: dict[date, list[Statement]] = {}
    for row in sorted(known, key=lambda one: one.known_at):
        by_end.setdefault(row.period_end, []).append(row)
    ends = sorted(by_end)
    found: list[tuple[Statement, Fault]] = []
    for earlier, later in pairwise(ends):
        if (later - earlier).days > NEAR or not _is_same(_items(by_end[earlier]), _items(by_end[later])):
            continue
        odd, other = _odd_first((earlier, later), ends)
        found += [(row, _fault(row, other)) for row in by_end[odd]]
    return found


def _odd_first(pair: tuple[date, date], ends: Sequence[date]) -> tuple[date, date]:
    """Return two ends of one period, the one that is not the company's first."""
    others = [one for one in ends if one not in pair]
    for habit in (date.weekday, _is_month_end):
        usual, count = Counter(habit(one) for one in others).most_common(1)[0] if others else (None, 0)
        fits = [end for end in pair if habit(end) == usual]
        if usual is not False and len(fits) == 1 and count >= HABIT * len(others):
            return (pair[1] if fits[0] == pair[0] else pair[0]), fits[0]
    odd, other = sorted(pair, key=lambda end: (-_off(end, ends, pair), end))
    return odd, other


def _is_month_end(day: date) -> bool:
    return (day + timedelta(days=1)).day == 1


def _items(versions: Sequence[Statement]) -> dict[str, float]:
    """Return the items of a period by all its versions: a later filing may repeat a few of them only."""
    return {name: value for row in versions for name, value in row.items.items()}


def _off(end: date, ends: Sequence[date], pair: tuple[date, date]) -> float:
    """Return how far an end lies from the rhythm of those around it, in days."""
    around = [*[one for one in ends if one < pair[0]][-AROUND:], *[one for one in ends if one > pair[1]][:AROUND]]
    distances = [abs((end - one).days) for one in around]
    return sum(abs(days - round(days / QUARTER) * QUARTER) for days in distances)


def _is_same(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    if one and one == other:  # a source may have a few items only of an end
        return True
    names = one.keys() & other.keys()
    same = sum(isclose(one[name], other[name], rel_tol=SAME_VALUE) for name in names)
    return len(names) >= LEAST_ITEMS and same >= SAME_ITEMS * len(names)


def _fault(row: Statement, other: date) -> Fault:
    what = f"the same items stand there as of {other}"
    return Fault(row.symbol, row.period_end, what, "the row is left out", row, "period-length")
