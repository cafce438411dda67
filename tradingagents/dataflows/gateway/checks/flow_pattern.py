"""Whether flows without first days are year to date, told by their values; and a flow less its part.

A year-to-date series rises through each fiscal year and falls back at the start of the next; its differences are as
even as true quarters are. So the readings are laid over the rows, with each possible start of the fiscal year, and the
steps from row to row of one reading are weighed against those of the other. `difference` works out the second quarter
from a half-year and the first quarter, and the fourth from a year.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from statistics import fmean, median
from typing import Literal

from tradingagents.dataflows.models import Statement, StatementKind
from tradingagents.dataflows.reference.fiscal_periods import HALF_YEAR_GAP
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES

NOT_ADDITIVE = PER_SHARE | SHARES
"""Items of which the figure of a period is not the sum of those of its parts: averages over the period."""
DAY = timedelta(days=1)


def difference(
    whole: Statement, parts: Sequence[Statement], start: date, end: date, *, reason: str, note: str
) -> Statement:
    """Return the rest of a period: each item less that of all parts. An item that a part lacks is not there.

    Share counts and figures per share are withheld: they are averages of the whole period, and no difference of two is
    one of the rest.

    Args:
        whole: The longer period.
        parts: Periods inside it that do not overlap, in its currency.
        start: First day of the rest.
        end: Last day of the rest.
        reason: Why the averages are withheld, in one sentence.
        note: How the rest was worked out, in one sentence.
    """
    items = {
        name: value - sum(part.items[name] for part in parts)
        for name, value in whole.items.items()
        if name not in NOT_ADDITIVE and all(name in part.items for part in parts)
    }
    known = max((whole, *parts), key=lambda one: one.known_at)
    dated = "assumed" if any(one.known_by == "assumed" for one in (whole, *parts)) else known.known_by
    return replace(
        whole,
        items=items,
        period_start=start,
        period_end=end,
        known_at=known.known_at,
        known_by=dated,
        withheld={**whole.withheld, **{name: reason for name in whole.items if name in NOT_ADDITIVE}},
        gate_notes=tuple(dict.fromkeys((*whole.gate_notes, note))),
    )


Reading = Literal["as labelled", "year to date", "unclear"]
YEAR_DAYS = 365.25
LEAST_ROWS = 4
LIMITS: Mapping[StatementKind, tuple[tuple[int, float, float], ...]] = {
    "income": ((8, 0.0, 0.2), (5, 0.5, 0.65), (LEAST_ROWS, 0.75, 0.9)),
    "cashflow": ((20, 0.36, 0.46), (12, 0.5, 0.6), (8, 0.62, 0.75), (LEAST_ROWS, 1.55, 1.75)),
}
"""From so many rows on, the weight above which nothing can be told, and that above which rows are year to date. Set
above the highest weights of windows of true quarters (20 companies, 2009 to 2025): -0.3, 0.42 and 0.66 for income
statements; 0.35, 0.49, 0.6 and 1.5 for cash flows, of which the source gave three items. Fewer rows of a cash flow
without first days may therefore pass for quarters."""
LARGEST_WEIGHT = 3.0
STEADY = (
    "revenue",
    "cost_of_revenue",
    "gross_profit",
    "research_and_development",
    "selling_general_administrative",
    "operating_expenses",
    "depreciation_and_amortization",
    "interest_expense",
)
"""Items that hardly change from quarter to quarter, unlike profits."""
READINGS: Mapping[int, tuple[frozenset[int], ...]] = {
    4: tuple(map(frozenset, ({2, 3, 4}, {2, 3}, {4}, {3}, {2}, {3, 4}, {2, 4}))),
    2: (frozenset({2}),),
}
"""By rows a year, which of them may run from its start."""
LEAST_STEP = 0.25
"""Mean step from row to row, in the mean of an item, below which no row of a year runs longer: one alone has 0.4."""
AHEAD = 0.1
"""By how much a reading has to outweigh the others."""
LEAST_ITEMS = 3
ALIKE = (0.5, 2.0)
"""Bounds of a quarter's item in those of the quarters before it."""
MUCH_ALIKE = (0.75, 4 / 3)
"""The same, where few items are given."""
HIGHEST_AFTER = 1.5
"""Largest item of the row after, in those of the quarters before: a company that doubled stays at the new level."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """How a series of flows reads."""

    reading: Reading
    per_year: int = 4
    """How many rows a fiscal year has: 4, or 2 of a company that reports half-yearly."""
    first: int = 0
    """Number of a row that opens a fiscal year, counted from the oldest, gaps included."""
    longer: frozenset[int] = frozenset()
    """Which rows of a fiscal year run from its start, counted from 1."""

    def position(self, number: int) -> int:
        """Return the place of a row in its fiscal year, from 1."""
        return (number - self.first) % self.per_year + 1


def numbered(rows: Sequence[Statement], per_year: int) -> dict[int, Statement]:
    """Return the rows by their number from the oldest, gaps included; of one period the version known last."""
    ordered = sorted(rows, key=lambda row: row.known_at)
    oldest = min(row.period_end for row in rows)
    return {round((row.period_end - oldest).days * per_year / YEAR_DAYS): row for row in ordered}


def pattern_of(rows: Sequence[Statement]) -> Pattern:
    """Return how flows of one kind without first days read: as labelled, year to date, or neither for certain."""
    ends = sorted({row.period_end for row in rows})
    gaps = [(later - earlier).days for earlier, later in pairwise(ends)]
    per_year = 2 if gaps and min(gaps) >= HALF_YEAR_GAP[0] else 4
    by_number = numbered(rows, per_year)
    limits = next(((unclear, sure) for least, unclear, sure in LIMITS[rows[0].kind] if len(by_number) >= least), None)
    if limits is None or _is_even(by_number):
        return Pattern("as labelled", per_year)
    tried = [
        Pattern("year to date", per_year, first, longer) for longer in READINGS[per_year] for first in range(per_year)
    ]
    weighed = sorted(((_weight(by_number, one), -at) for at, one in enumerate(tried)), reverse=True)
    best, weight = tried[-weighed[0][1]], weighed[0][0]
    others = (other for other, at in weighed[1:] if _differ(by_number, best, tried[-at]))
    if weight > limits[1] and weight - next(others, -LARGEST_WEIGHT) > AHEAD:
        return best
    return Pattern("unclear" if weight > limits[0] else "as labelled", per_year)


def _is_even(rows: Mapping[int, Statement]) -> bool:
    """Return whether the steady items of an income statement move too little for any row to run longer."""
    shares = []
    for name in STEADY:
        values = {at: row.items[name] for at, row in rows.items() if name in row.items}
        steps = [abs(value - values[at - 1]) for at, value in values.items() if at - 1 in values]
        if steps and any(values.values()):
            shares.append(fmean(steps) / fmean(map(abs, values.values())))
    return bool(shares) and median(shares) < LEAST_STEP


def _differ(rows: Mapping[int, Statement], one: Pattern, other: Pattern) -> bool:
    """Return whether two patterns say different things of the rows."""
    return any(_covers(one, at) != _covers(other, at) for at in rows)


def _covers(pattern: Pattern, at: int) -> int:
    place = pattern.position(at)
    return place if place in pattern.longer else 1


def _weight(rows: Mapping[int, Statement], pattern: Pattern) -> float:
    """Return by how much the steps of the rows outweigh those of their differences, a mean logarithm over the items."""
    names = {name for row in rows.values() for name in row.items} - NOT_ADDITIVE - {"net_change_in_cash"}
    weights = [
        weight
        for name in sorted(names)
        if (weight := _item_weight({at: row.items[name] for at, row in rows.items() if name in row.items}, pattern))
        is not None
    ]
    return fmean(weights) if weights else -LARGEST_WEIGHT


def _item_weight(values: Mapping[int, float], pattern: Pattern) -> float | None:
    parts = _parts_of(values, pattern)
    pairs = [at for at in parts if at - 1 in parts]
    if len(pairs) < 2 or not any(pattern.position(at) in pattern.longer for at in parts):
        return None
    as_labelled = sum(abs(values[at] - values[at - 1]) for at in pairs)
    as_differences = sum(abs(parts[at] - parts[at - 1]) for at in pairs)
    if as_labelled == as_differences:
        return 0.0
    if not as_labelled or not as_differences:
        return LARGEST_WEIGHT if as_labelled else -LARGEST_WEIGHT
    return max(-LARGEST_WEIGHT, min(LARGEST_WEIGHT, math.log(as_labelled / as_differences)))


def _parts_of(values: Mapping[int, float], pattern: Pattern) -> dict[int, float]:
    """Return what each row adds under a pattern; a row that runs from the year's start needs those before it."""
    parts: dict[int, float] = {}
    for at in sorted(values):
        place = pattern.position(at)
        if place not in pattern.longer:
            parts[at] = values[at]
        elif place - 1 in pattern.longer and at - 1 in values:
            parts[at] = values[at] - values[at - 1]
        elif all(at - back in parts for back in range(1, place)):
            parts[at] = values[at] - sum(parts[at - back] for back in range(1, place))
    return parts


def single_year_to_date(rows: Sequence[Statement]) -> dict[int, tuple[int, Reading]]:
    """Find year-to-date rows among the quarters of an income statement.

    Such a row is, in every steady item, the quarters before it and one more like them; the next is a quarter again, or
    is year to date too.

    Returns:
        By number of the row (`numbered`): how many quarters it covers, and whether that is certain.
    """
    by_number = numbered(rows, 4)
    found: dict[int, tuple[int, Reading]] = {}
    for at in sorted(by_number):
        for count in (4, 3, 2):
            before = _filled(by_number, found, at, count)
            reading = _single(by_number, at, before, count) if before else None
            if reading is not None:
                found[at] = (count, reading)
                break
    return found


def _filled(
    rows: Mapping[int, Statement], found: Mapping[int, tuple[int, Reading]], at: int, count: int
) -> list[Statement]:
    """Return the rows that fill the quarters before a row that covers so many; [] where one is missing or unclear."""
    before: list[Statement] = []
    number, first = at - 1, at - count
    while number > first:
        covered, reading = found.get(number, (1, "as labelled"))
        if number not in rows or reading == "unclear" or number - covered < first:
            return []
        before.append(rows[number])
        number -= covered
    return before


def _single(rows: Mapping[int, Statement], at: int, before: Sequence[Statement], count: int) -> Reading | None:
    row, after = rows[at], rows.get(at + 1)
    quarter: dict[str, float] = {}
    for name in STEADY:
        if not all(part.items.get(name) for part in (row, *before)):
            continue
        quarter[name] = sum(part.items[name] for part in before) / (count - 1)
        if not quarter[name] or not ALIKE[0] <= row.items[name] / quarter[name] - (count - 1) <= ALIKE[1]:
            return None
    names = list(quarter)
    if not names:
        return None
    shares = [after.items[name] / quarter[name] for name in names if name in after.items] if after else []
    falls_back = bool(shares) and ALIKE[0] <= median(shares) <= HIGHEST_AFTER
    goes_on = bool(shares) and count < 4 and ALIKE[0] <= median(shares) - count <= ALIKE[1]
    if shares and not falls_back and not goes_on:
        return None
    if len(names) < LEAST_ITEMS:  # a season alone may do that to one or two items
        more = median(row.items[name] / quarter[name] for name in names) - (count - 1)
        stands_out = MUCH_ALIKE[0] <= more <= MUCH_ALIKE[1] and not goes_on
        return "unclear" if stands_out and at - 4 in rows and not _as_last_year(rows, at, names, count) else None
    return "year to date" if count > 2 or shares else "unclear"


def _as_last_year(rows: Mapping[int, Statement], at: int, names: Sequence[str], count: int) -> bool:
    """Return whether the same row stood out the year before, as that of a season does."""
    then, plain = rows.get(at - 4), [rows[at - 4 - back] for back in range(1, count) if at - 4 - back in rows]
    if then is None or not plain:
        return False
    return all(
        then.items.get(name, 0.0) >= (count - ALIKE[0]) * fmean(one.items.get(name, 0.0) for one in plain)
        for name in names
    )
