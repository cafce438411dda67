"""Whether flows without first days are year to date, told by their values.

A year-to-date series rises through each fiscal year and falls back at the start of the next; its differences are as
even as true quarters are. So both readings are laid over the rows, each fiscal year's start tried, and the steps from
row to row of one reading are weighed against those of the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Literal

from tradingagents.dataflows.gateway.flow_difference import NOT_ADDITIVE
from tradingagents.dataflows.models import Statement, StatementKind
from tradingagents.dataflows.reference.period_lengths import HALF_YEAR_GAP

Reading = Literal["as labelled", "year to date", "unclear"]
YEAR_DAYS = 365.25
LEAST_ROWS = 4
LIMITS: Mapping[StatementKind, tuple[tuple[int, float, float], ...]] = {
    "income": ((20, 0.2, 0.4), (8, 0.3, 0.5), (LEAST_ROWS, 0.6, 0.8)),
    "cashflow": ((20, 0.05, 0.15), (12, 0.25, 0.35), (8, 0.4, 0.5), (5, 0.8, 0.95), (LEAST_ROWS, 1.0, 1.2)),
}
"""From so many rows on, the weight above which nothing can be told, and that above which rows are year to date. Set
above the weights of 39,000 windows of true quarters (20 companies, 2009 to 2025): at most 0.42 and below 0 from eight
rows for income, 0.67, 0.33, 0.15 and -0.02 for cash flows."""
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
LEAST_ITEMS = 3
ALIKE = (0.5, 2.0)
"""Bounds of a quarter's item in those of the quarters before it."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """How a series of flows reads."""

    reading: Reading
    per_year: int = 4
    """How many rows a fiscal year has: 4, or 2 of a company that reports half-yearly."""
    first: int = 0
    """Number of a row that opens a fiscal year, counted from the oldest, gaps included."""


def numbered(rows: Sequence[Statement], per_year: int) -> dict[int, Statement]:
    """Return the rows by their number from the oldest, gaps included; of one period the version known last."""
    ordered = sorted(rows, key=lambda row: row.known_at)
    oldest = min(row.period_end for row in rows)
    return {round((row.period_end - oldest).days * per_year / YEAR_DAYS): row for row in ordered}


def pattern_of(rows: Sequence[Statement]) -> Pattern:
    """Return how flows of one kind without first days read: as labelled, year to date, or neither for certain."""
    ends = sorted({row.period_end for row in rows})
    gaps = [(later - earlier).days for earlier, later in zip(ends, ends[1:], strict=False)]
    per_year = 2 if gaps and min(gaps) >= HALF_YEAR_GAP[0] else 4
    by_number = numbered(rows, per_year)
    limits = next(((unclear, sure) for least, unclear, sure in LIMITS[rows[0].kind] if len(by_number) >= least), None)
    if limits is None:
        return Pattern("as labelled", per_year)
    weight, first = max((_weight(by_number, first, per_year), -first) for first in range(per_year))
    reading: Reading = "year to date" if weight > limits[1] else "unclear" if weight > limits[0] else "as labelled"
    return Pattern(reading, per_year, -first)


def _weight(rows: Mapping[int, Statement], first: int, per_year: int) -> float:
    """Return by how much the steps of the rows outweigh those of their differences, a mean logarithm over the items."""
    names = {name for row in rows.values() for name in row.items} - NOT_ADDITIVE - {"net_change_in_cash"}
    weights = [
        weight
        for name in sorted(names)
        if (
            weight := _item_weight(
                {at: row.items[name] for at, row in rows.items() if name in row.items}, first, per_year
            )
        )
        is not None
    ]
    return fmean(weights) if weights else -LARGEST_WEIGHT


def _item_weight(values: Mapping[int, float], first: int, per_year: int) -> float | None:
    parts = {
        at: value if (at - first) % per_year == 0 else value - values[at - 1]
        for at, value in values.items()
        if (at - first) % per_year == 0 or at - 1 in values
    }
    pairs = [at for at in parts if at - 1 in parts]
    if len(pairs) < 2:
        return None
    as_labelled = sum(abs(values[at] - values[at - 1]) for at in pairs)
    as_differences = sum(abs(parts[at] - parts[at - 1]) for at in pairs)
    if as_labelled == as_differences:
        return 0.0
    if not as_labelled or not as_differences:
        return LARGEST_WEIGHT if as_labelled else -LARGEST_WEIGHT
    return max(-LARGEST_WEIGHT, min(LARGEST_WEIGHT, math.log(as_labelled / as_differences)))


def single_year_to_date(rows: Sequence[Statement]) -> dict[int, tuple[int, Reading]]:
    """Find single year-to-date rows among the quarters of an income statement.

    Such a row is, in every steady item, the quarters before it and one more like them; the next is a quarter again.

    Returns:
        By number of the row (`numbered`): how many quarters it covers, and whether that is certain.
    """
    by_number = numbered(rows, 4)
    found: dict[int, tuple[int, Reading]] = {}
    for at in sorted(by_number):
        for count in (4, 3, 2):
            before = [
                by_number[at - back] for back in range(1, count) if at - back in by_number and at - back not in found
            ]
            if len(before) == count - 1 and (reading := _single(by_number, at, before)) is not None:
                found[at] = (count, reading)
                break
    return found


def _single(rows: Mapping[int, Statement], at: int, before: Sequence[Statement]) -> Reading | None:
    row, names = rows[at], _comparable((rows[at], *before))
    if not names or not all(_is_one_more(row, before, name) for name in names):
        return None
    after = rows.get(at + 1)
    falls_back = after is not None and _falls_back(after, before, names)
    if after is not None and not falls_back:
        return None
    if len(names) < LEAST_ITEMS:  # a season alone may do that to one or two items
        return "unclear" if len(before) > 1 and falls_back and not _as_last_year(rows, at, before, names) else None
    return "year to date" if len(before) > 1 or falls_back else "unclear"


def _comparable(rows: Iterable[Statement]) -> list[str]:
    given = tuple(rows)
    return [name for name in STEADY if all(row.items.get(name) for row in given)]


def _is_one_more(row: Statement, before: Sequence[Statement], name: str) -> bool:
    """Return whether an item is the sum of the quarters before and of one more like them."""
    mean = fmean(one.items[name] for one in before)
    more = (row.items[name] - sum(one.items[name] for one in before)) / mean if mean else 0.0
    return ALIKE[0] <= more <= ALIKE[1]


def _falls_back(after: Statement, before: Sequence[Statement], names: Sequence[str]) -> bool:
    shares = [after.items[name] / fmean(one.items[name] for one in before) for name in names if name in after.items]
    return bool(shares) and ALIKE[0] <= median(shares) <= (ALIKE[1] + 1) / 2


def _as_last_year(rows: Mapping[int, Statement], at: int, before: Sequence[Statement], names: Sequence[str]) -> bool:
    """Return whether the same row stood out the year before, as that of a season does."""
    then = rows.get(at - 4)
    earlier = [rows[at - 4 - back] for back in range(1, len(before) + 1) if at - 4 - back in rows]
    if (
        then is None
        or len(earlier) < len(before)
        or not all(name in one.items for name in names for one in (then, *earlier))
    ):
        return False
    return all(_is_one_more(then, earlier, name) for name in names)
