"""Amounts of single statements in another currency under the same label: all move alike, and most move back.

Units are powers of ten (`statement_units`); exchange rates are any number. So no single item tells, but all of them do:
nothing else multiplies revenue, costs, assets and debts of one quarter by the same factor. What one statement of a
filing shows is true of the others (`neighbouring_statements`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from tradingagents.dataflows.models import Statement, StatementKind
from tradingagents.dataflows.reference.line_items import BALANCE, PER_SHARE, SHARES

LEAST_MOVE = math.log10(3.5)
"""From which on a move of all amounts there and back is another currency; a season or a loss moves some of them."""
LEAST_NEW = math.log10(4.0)
"""The same for the newest rows, which nothing follows."""
SPREAD = 0.15
"""How far amounts that move alike lie from their median, in powers of ten."""
ALIKE = 0.8
"""Part of the amounts that moves alike; of four items one may be left out, as interest that doubled."""
LEAST_ITEMS = 3
BEFORE = 4
"""Periods before a row with which it is compared, by their median."""
LONGEST = 3
"""Rows in a row that may be in another currency; a longer stretch is a new level of the company."""
COMPARED: dict[StatementKind, frozenset[str]] = {
    "income": frozenset(
        {
            "revenue",
            "cost_of_revenue",
            "gross_profit",
            "operating_expenses",
            "selling_general_administrative",
            "research_and_development",
            "depreciation_and_amortization",
            "interest_expense",
        }
    ),
    "balance": frozenset(BALANCE) - SHARES,
    "cashflow": frozenset(),
}
"""Items that do not pass through zero by themselves; cash flows all do (`neighbouring_statements`)."""
LEAST_UNIT, NEAR_UNIT = 2, 0.1
"""Smallest power of ten of a unit, and how near to such a power a move is left to `statement_units`."""
PER_SHARE_SPREAD = 0.6
"""How far earnings per share, which vary, lie from a move of all amounts that they share: a unit leaves them."""
TINY = 1e-6
"""Smaller values are no amounts."""
_NEAR_ONE = (1 / 3.4, 3.4)
"""Ratios of amounts that did not move far: a little closer than `LEAST_MOVE`, for rounding."""


@dataclass(frozen=True, slots=True)
class AmountJump:
    """Statements whose amounts are about so many times those of the others."""

    rows: tuple[int, ...]
    factor: float


def amount_jumps(rows: Sequence[Statement]) -> tuple[AmountJump, ...]:
    """Return the statements whose amounts are all the same multiple of those around them.

    Args:
        rows: Of one company, kind and frequency, the oldest first, without what is withheld.
    """
    compared = COMPARED[rows[0].kind] if rows else frozenset()
    if not compared:
        return ()
    sizes = [
        {name: size for name in compared & row.items.keys() if (size := abs(row.items[name])) > TINY} for row in rows
    ]
    found: list[AmountJump] = []
    number = 1
    while number < len(rows):
        jump = _jump(rows, sizes, number)
        if jump is not None:
            found.append(jump)
        number = jump.rows[-1] + 1 if jump is not None else number + 1
    return tuple(found)


def _jump(rows: Sequence[Statement], sizes: Sequence[dict[str, float]], first: int) -> AmountJump | None:
    """Return the jump that begins with a row, if one does."""
    last = {**(sizes[first - 2] if first > 1 else {}), **sizes[first - 1]}  # a row may state a few items only
    if not _half_moved(last, sizes[first]):
        return None
    before = sizes[max(0, first - BEFORE) : first]
    move = _common_move(before, sizes[first])
    if move is None or _common_move([last], sizes[first]) is None:
        return None
    if _is_unit(move) and not _per_share_moves(rows[first - 1], rows[first], move):
        return None
    stretch = [first]
    for number in range(first + 1, len(rows)):
        later = _common_move(before, sizes[number])
        if later is None or abs(later - move) > SPREAD:
            break
        stretch.append(number)
    periods = {rows[number].period_end for number in stretch}
    is_newest = stretch[-1] == len(rows) - 1
    if len(periods) > LONGEST or (is_newest and (abs(move) < LEAST_NEW or len(before) < 2)):
        return None
    if not is_newest and not _is_back(before, sizes[stretch[-1] + 1]):
        return None
    return AmountJump(tuple(stretch), 10**move)


def _is_unit(move: float) -> bool:
    power = round(abs(move))
    return power >= LEAST_UNIT and abs(abs(move) - power) <= NEAR_UNIT


def _per_share_moves(before: Statement, row: Statement, move: float) -> bool:
    """Return whether figures per share moved with the amounts, as they do with the currency."""
    sizes = [
        (abs(row.items[name]), abs(before.items[name]))
        for name in PER_SHARE & row.items.keys() & before.items.keys()
        if abs(row.items[name]) > TINY and abs(before.items[name]) > TINY
    ]
    return bool(sizes) and all(abs(math.log10(size / former) - move) <= PER_SHARE_SPREAD for size, former in sizes)


def _half_moved(before: dict[str, float], row: dict[str, float]) -> bool:
    """Return whether half of the amounts moved far from the row before, as a common move takes: a quick look."""
    ratios = [size / before[name] for name, size in row.items() if name in before]
    return 2 * sum(not _NEAR_ONE[0] < ratio < _NEAR_ONE[1] for ratio in ratios) >= len(ratios) > 0


def _common_move(before: Sequence[dict[str, float]], row: dict[str, float]) -> float | None:
    """Return the power of ten by which all amounts moved alike; None where they did not, or hardly."""
    logs = _logs(before, row)
    if len(logs) < LEAST_ITEMS:
        return None
    middle = median(logs)
    alike = sum(abs(log - middle) <= SPREAD for log in logs)
    least = len(logs) - 1 if len(logs) > LEAST_ITEMS else LEAST_ITEMS
    return middle if abs(middle) >= LEAST_MOVE and alike >= min(ALIKE * len(logs), least) else None


def _is_back(before: Sequence[dict[str, float]], after: dict[str, float]) -> bool:
    logs = _logs(before, after)
    return bool(logs) and abs(median(logs)) < LEAST_MOVE / 2


def _logs(before: Sequence[dict[str, float]], row: dict[str, float]) -> list[float]:
    known = {name: [earlier[name] for earlier in before if name in earlier] for name in row}
    return [math.log10(size / median(known[name])) for name, size in row.items() if known[name]]
