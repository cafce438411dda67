"""Unit jumps in statements: amounts, share counts or one item in hundreds, thousands or millions of the others' unit.

Each row gets a level: the power of ten by which its amounts lie above or below those before it, 0 for the same unit.
A level is given only where most amounts move alike: a company that grows from nothing moves single items, and each by
another factor. Earnings per share times shares against net income, and the sums within a row, say which side is wrong;
else the unit of three rows in five is taken; else both sides are.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from tradingagents.dataflows.gateway.checks.share_jumps import SMALLEST_TESTABLE_EPS
from tradingagents.dataflows.models import Statement, StatementKind
from tradingagents.dataflows.reference.line_items import CASHFLOW, PER_SHARE, SHARES

POWERS = (2, 3, 6)
"""Powers of ten between units: hundreds, thousands, millions."""
USUAL_POWERS, NEAR_USUAL = (3, 6), 0.6
"""Thousands and millions, and how near to them a move of all amounts is taken for one of them; others are the nearest
power: ten thousands, lakh and crore exist."""
LEAST_MOVE = 1.6
"""Power of ten from which on a move of all amounts is a jump. In 3,300 recorded statements no move in which most
amounts agreed exceeds 1.3."""
ALIKE = 0.8
"""Part of the amounts that must move alike."""
SPREAD, WIDE_SPREAD = 0.5, 1.3
"""How far in powers of ten amounts that move alike lie from their median: the latter for those that pass through zero,
which are profits and all cash flows."""
PROFITS = frozenset({"operating_income", "pretax_income", "income_tax", "net_income", "ebitda", "equity"})
NEAR_POWER = 0.35
"""The same for one item, which is compared with a power of ten."""
MAJORITY = 0.6
PER_SHARE_SPREAD = 0.6
"""How far earnings per share, which vary, may fall short of a move of all amounts that they share."""
TINY = 1e-6
"""Smaller values are no amounts and no counts in any unit."""
REMEMBERED = 4
"""Earlier values of an item with which the next is compared, by their median."""
STEADY: Mapping[StatementKind, tuple[str, ...]] = {
    "income": (
        "revenue",
        "cost_of_revenue",
        "gross_profit",
        "operating_expenses",
        "selling_general_administrative",
        "research_and_development",
    ),
    "balance": (
        "total_assets",
        "current_assets",
        "total_liabilities",
        "current_liabilities",
        "equity",
        "cash",
        "receivables",
        "inventory",
        "accounts_payable",
        "fixed_assets",
        "total_debt",
        "long_term_debt",
        "shares_outstanding",
    ),
    "cashflow": (),
}
"""Items that are judged alone: they do not pass through zero by themselves."""
NEAR_UNIT = 0.3
"""How near to a power of ten the newest values of any other item must fall, to be withheld too."""
LEADING = frozenset({"revenue", "total_assets", "current_assets", "current_liabilities"})
"""Items withheld too where they fall to a hundredth or less in the newest rows and no sum of the row explains it."""
SUMS: Mapping[StatementKind, tuple[Mapping[str, int], ...]] = {
    "income": (
        {"gross_profit": -1, "revenue": 1, "cost_of_revenue": -1},
        {"operating_income": -1, "gross_profit": 1, "operating_expenses": -1},
        {"operating_income": -1, "revenue": 1, "operating_expenses": -1},
        {"net_income": -1, "pretax_income": 1, "income_tax": -1},
    ),
    "balance": ({"total_assets": -1, "total_liabilities": 1, "equity": 1},),
    "cashflow": (
        {"free_cash_flow": -1, "operating_cash_flow": 1, "capital_expenditure": 1},
        {
            "net_change_in_cash": -1,
            "operating_cash_flow": 1,
            "investing_cash_flow": 1,
            "financing_cash_flow": 1,
        },
    ),
}
"""Sums within a row, each as the items with their signs; they add up to zero."""
SUM_TOLERANCE = 0.03
"""Of the largest part."""
MOST_PROFIT = 3.0
"""Times revenue: a larger profit, or loss, is that of a company that hardly sells anything."""
MOVED = 10.0
"""Times: net income that changes less does not follow a change of revenue to another unit."""
_GAINS = ("net_income", "operating_income", "gross_profit")
_OF_SHARES = SHARES | PER_SHARE
_VARYING = PROFITS | frozenset(CASHFLOW)
_NOTEWORTHY = 10**LEAST_MOVE
_NOTEWORTHY_FALL = 1 / _NOTEWORTHY

Levels = list[int | None]
"""The power of ten of each row; None where it has no comparable figure or moves that are not alike."""


@dataclass(frozen=True, slots=True)
class UnitJump:
    """Figures of some rows in another unit than those of the others."""

    rows: tuple[int, ...]
    """Numbers of the rows whose figures are withheld, in the order of the rows."""
    items: frozenset[str]
    """Names of the items concerned."""
    about: str
    """The figures in words: `amounts`, `share counts`, `revenue`."""
    power: int
    """How many powers of ten the figures lie above (below: negative) those of the other rows."""
    why: str
    """What shows which side is wrong, as a clause; empty where nothing does and both sides are withheld."""


def unit_jumps(rows: Sequence[Statement]) -> tuple[UnitJump, ...]:
    """Return the jumps of unit among the statements of one company, kind and frequency.

    Args:
        rows: Every version of every period known, the oldest first.
    """
    if not rows:
        return ()
    kind = rows[0].kind
    misfits: Levels = [_misfit(row.items) for row in rows] if kind == "income" else [None] * len(rows)
    all_move, moved = _moves(rows)
    if not all_move and not moved and not any(misfits):
        return ()
    levels: Levels = [0] * len(rows)
    if all_move:
        levels = _levels([_amounts(row) for row in rows], _common_power)
    found = _amount_jumps(rows, levels, misfits)
    if kind == "income":
        found += [also for jump in found if (also := _per_share_jump(rows, jump, misfits)) is not None]
    wrong = {number for one in found for number in one.rows}
    if kind == "income" and (all_move or any(misfits) or not SHARES.isdisjoint(moved)):
        found += _share_jumps(rows, wrong, misfits)
    found += [jump for item in STEADY[kind] if item in moved for jump in _item_jumps(rows, item, wrong)]
    return tuple(found)


def _moves(rows: Sequence[Statement]) -> tuple[bool, set[str]]:
    """Return whether half of a row's amounts move far, and the steady items that do: a quick look at neighbours.

    An item that some rows lack is compared with the last row that has it.
    """
    steady = frozenset(STEADY[rows[0].kind]) | SHARES
    all_move, moved = False, set()
    before: dict[str, float] = {}
    for older, newer in pairwise(rows):
        before |= older.items
        far, common = 0, 0
        for name, value in newer.items.items():
            former = before.get(name)
            if not former or not value or name in PER_SHARE:
                continue
            common += 1
            if not _NOTEWORTHY_FALL < abs(value / former) < _NOTEWORTHY:
                far += 1
                if name in steady:
                    moved.add(name)
        all_move = all_move or 2 * far >= common > 0
    return all_move, moved


def _amounts(row: Statement) -> dict[str, float]:
    return {name: size for name, value in row.items.items() if (size := abs(value)) > TINY and name not in _OF_SHARES}


def _sizes(row: Statement, names: frozenset[str]) -> dict[str, float]:
    return {name: size for name in names if (size := abs(row.items.get(name, 0.0))) > TINY}


def _levels(rows: Sequence[Mapping[str, float]], power_of: Callable[[Mapping[str, float]], int | None]) -> Levels:
    """Return the power of ten of each row against the median of up to four rows before it.

    0 is the unit of most of the first rows.

    Args:
        rows: Of each row the sizes to compare, by item.
        power_of: Turns the logarithms of a row's sizes over those before into a power; None where it cannot be told.
    """
    before = {name: deque([size], maxlen=REMEMBERED) for name, size in _medians(rows[: REMEMBERED + 1]).items()}
    found: Levels = []
    last, unclear = 0, False
    for sizes in rows:
        logs = {name: math.log10(size / median(before[name])) for name, size in sizes.items() if name in before}
        level = power_of(logs) if logs else None
        found.append(level)
        if level is None and logs and unclear:  # twice: a true change of the company, and a new start
            before.clear()
        unclear = level is None and bool(logs)
        if level is not None or not logs:
            last = last if level is None else level
            for name, size in sizes.items():
                before.setdefault(name, deque(maxlen=REMEMBERED)).append(size / 10.0**last)
    return found


def _medians(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = dict.fromkeys(name for sizes in rows for name in sizes)
    return {name: median([sizes[name] for sizes in rows if name in sizes]) for name in names}


def _common_power(logs: Mapping[str, float]) -> int | None:
    """Return the power of ten by which amounts moved alike; 0 for no jump, None where they moved apart."""
    middle = median(logs.values())
    if abs(middle) < LEAST_MOVE:
        return 0
    alike = sum(abs(log - middle) <= (WIDE_SPREAD if name in _VARYING else SPREAD) for name, log in logs.items())
    return _nearest_power(middle) if len(logs) > 1 and alike >= ALIKE * len(logs) else None


def _nearest_power(log: float) -> int:
    size = next((power for power in USUAL_POWERS if abs(abs(log) - power) <= NEAR_USUAL), max(2, round(abs(log))))
    return size if log > 0 else -size


def _power(log: float) -> int:
    """Return the power of ten between units that is next to a move."""
    size = min(POWERS, key=lambda power: abs(abs(log) - power))
    return size if log > 0 else -size


def _near_power(log: float, near: float = NEAR_POWER) -> int | None:
    """Return the power of ten that a move is near to; 0 for a small one, None for one between."""
    if abs(log) < LEAST_MOVE:
        return 0
    power = _power(log)
    return power if abs(log - power) <= near else None


def _misfit(items: Mapping[str, float]) -> int | None:
    """Return by which power of ten net income exceeds earnings per share times shares.

    0 where they agree within a factor of two; None where it cannot be told.
    """
    income = items.get("net_income")
    if income is None or abs(income) <= TINY:
        return None
    for count, per_share in (("shares_diluted", "eps_diluted"), ("shares_basic", "eps_basic")):
        shares, earned = items.get(count), items.get(per_share)
        if (
            not shares
            or abs(shares) <= TINY
            or not earned
            or abs(earned) < SMALLEST_TESTABLE_EPS
            or earned * income * shares < 0
        ):
            continue
        ratio = income / (earned * shares)
        if 0.5 < ratio < 2:
            return 0
        power = _near_power(math.log10(ratio), 0.15)
        return power or None
    return None


def _amount_jumps(rows: Sequence[Statement], levels: Levels, misfits: Sequence[int | None]) -> list[UnitJump]:
    """Return the rows whose amounts are in another unit."""
    items = frozenset(name for row in rows for name in row.items if name not in _OF_SHARES)
    if len({level for level in levels if level is not None}) > 1:
        sound, why = _sound_level(levels, misfits)
        return _jumps(levels, sound, items, "amounts", why)
    told = [misfit for misfit in misfits if misfit is not None]
    if told and all(one <= -3 for one in told):  # no unit is smaller than one: what is too small is in thousands
        # Rows that state no share count have the unit of those whose amounts they continue.
        units = {levels[number] for number, one in enumerate(misfits) if one is not None}
        numbers = tuple(number for number, level in enumerate(levels) if misfits[number] is not None or level in units)
        return [UnitJump(numbers, items, "amounts", told[0], "earnings per share times shares is as much larger")]
    return []


def _per_share_jump(rows: Sequence[Statement], jump: UnitJump, misfits: Sequence[int | None]) -> UnitJump | None:
    """Return the rows whose figures per share moved with the amounts; None where none did.

    A unit leaves them as they are, another currency does not. Net income that is still earnings per share times shares
    shows it, and so do the others' figures per share next to a row. Where the side that is wrong is not known, a fit of
    some rows is what is expected.
    """
    others = [number for number in range(len(rows)) if number not in jump.rows] or list(range(len(rows)))
    moved = [
        number
        for number in jump.rows
        if (jump.why and misfits[number] == 0 and _shares_stay(rows, number, others))
        or _is_per_share_moved(rows, number, others, jump.power)
    ]
    if not moved:
        return None
    why = f"they moved with the amounts{f', and {jump.why}' if jump.why else ''}"
    return UnitJump(tuple(moved), PER_SHARE, "per-share figures", jump.power, why)


def _shares_stay(rows: Sequence[Statement], number: int, others: Sequence[int]) -> bool:
    """Return whether the share counts of a row are in the unit of those next to it."""
    for name, own in _sizes(rows[number], SHARES).items():
        near = sorted(
            (other for other in others if name in _sizes(rows[other], SHARES)), key=lambda other: abs(other - number)
        )
        if near and abs(math.log10(own / _sizes(rows[near[0]], SHARES)[name])) >= LEAST_MOVE:
            return False
    return True


def _is_per_share_moved(rows: Sequence[Statement], number: int, others: Sequence[int], power: int) -> bool:
    near = sorted((other for other in others if other != number), key=lambda other: abs(other - number))
    for name in PER_SHARE & rows[number].items.keys():
        sizes = [size for place in near if (size := abs(rows[place].items.get(name, 0.0))) > TINY][: 2 * REMEMBERED]
        own = abs(rows[number].items[name])
        if own > TINY and sizes:
            log = math.log10(own / median(sizes))
            if log * power > 0 and abs(log) >= max(1.0, abs(power) - PER_SHARE_SPREAD):
                return True
    return False


def _sound_level(levels: Levels, misfits: Sequence[int | None]) -> tuple[int | None, str]:
    """Return the level of the rows that are right, and what shows it; None where nothing does."""
    fits: dict[int, list[int]] = {level: [] for level in levels if level is not None}
    for level, misfit in zip(levels, misfits, strict=True):
        if level is not None and misfit is not None:
            fits[level].append(misfit)
    right = [level for level, found in fits.items() if found and not any(found)]
    if len(right) == 1 and all(all(found) and found for level, found in fits.items() if level != right[0]):
        return right[0], "net income fits earnings per share in the others only"
    return _usual_level(levels)


def _usual_level(levels: Levels) -> tuple[int | None, str]:
    counted = Counter(level for level in levels if level is not None)
    level, count = counted.most_common(1)[0]
    if count > 1 and count >= MAJORITY * counted.total():
        return level, f"{count} of {counted.total()} statements agree"
    return None, ""


def _jumps(levels: Levels, sound: int | None, items: frozenset[str], about: str, why: str) -> list[UnitJump]:
    """Return one jump for each unit that is not the sound one; a single one with all rows where none is known to be."""
    if sound is None:
        known = {level for level in levels if level is not None}
        rows = tuple(number for number, level in enumerate(levels) if level is not None)
        return [UnitJump(rows, items, about, min(known) - max(known), "")]
    wrong = sorted({level for level in levels if level not in (None, sound)}, key=lambda level: level or 0)
    return [
        UnitJump(tuple(n for n, one in enumerate(levels) if one == level), items, about, (level or 0) - sound, why)
        for level in wrong
    ]


def _share_jumps(rows: Sequence[Statement], wrong: set[int], misfits: Sequence[int | None]) -> list[UnitJump]:
    """Return the rows whose share counts or per-share figures are in another unit.

    Args:
        rows: The oldest first.
        wrong: Numbers of those whose amounts are in another unit.
        misfits: See `_misfit`.
    """
    levels = _share_levels(rows, wrong, misfits)
    sound_amounts = [None if number in wrong else one for number, one in enumerate(misfits)]
    if len({level for level in levels if level is not None}) > 1:
        sound, why = _sound_level(levels, sound_amounts)
        return _jumps(levels, sound, SHARES, "share counts", why)
    told = [amount for amount in sound_amounts if amount is not None]
    if told and all(one >= 3 for one in told):  # no unit is smaller than one: what is too small is in thousands
        numbers = tuple(number for number, row in enumerate(rows) if not SHARES.isdisjoint(row.items))
        why = "net income over earnings per share is as much larger"
        return [UnitJump(numbers, SHARES, "share counts", -told[0], why)]
    odd = [(number, one) for number, one in enumerate(sound_amounts) if one]
    if not odd or told.count(0) < 2 or told.count(0) < MAJORITY * len(told):
        return []
    return [_odd_row(rows[number], number, power) for number, power in odd]


def _share_levels(rows: Sequence[Statement], wrong: set[int], misfits: Sequence[int | None]) -> Levels:
    """Return the powers of ten of the share counts; the same one where a split or a merger explains a move."""
    levels = _levels([_sizes(row, SHARES) for row in rows], lambda logs: _near_power(median(logs.values())))
    fitting = Counter(level for level, misfit in zip(levels, misfits, strict=True) if misfit == 0 and level is not None)
    if wrong or not fitting:
        return levels
    usual = fitting.most_common(1)[0][0]
    return [
        usual if misfit == 0 or (misfit is None and level is not None and abs(level - usual) == 2) else level
        for level, misfit in zip(levels, misfits, strict=True)
    ]


def _odd_row(row: Statement, number: int, power: int) -> UnitJump:
    """Return the figures that may be in another unit where net income alone does not fit the other rows."""
    if power == -2:  # pence or cents
        why = "amounts and share counts are as in the other statements"
        return UnitJump((number,), PER_SHARE, "per-share figures", 2, why)
    return UnitJump((number,), frozenset(row.items), "amounts, share counts or per-share figures", power, "")


def _item_jumps(rows: Sequence[Statement], item: str, wrong: set[int]) -> list[UnitJump]:
    """Return the rows in which one item alone is in another unit."""
    numbers = [
        number for number, row in enumerate(rows) if number not in wrong and abs(row.items.get(item, 0.0)) > TINY
    ]
    held = [rows[number] for number in numbers]
    levels = _levels([_sizes(row, frozenset({item})) for row in held], lambda logs: _near_power(logs[item]))
    if len({level for level in levels if level is not None}) < 2:
        return []
    verdict = _verdict(held, item, levels)
    if verdict is None:
        return []
    return [
        UnitJump(tuple(numbers[one] for one in jump.rows), jump.items, jump.about, jump.power, jump.why)
        for jump in _jumps(levels, verdict[0], frozenset({item}), item, verdict[1])
    ]


def _verdict(rows: Sequence[Statement], item: str, levels: Levels) -> tuple[int | None, str] | None:
    """Return the sound level of an item and what shows it; None where its move may be true."""
    usual, why = _usual_level(levels)
    proofs = _proofs(rows, item, levels)
    false = [level for level, found in proofs.items() if False in found]
    if false:
        right = [level for level in proofs if level not in false]
        return (right[0] if len(right) == 1 else None), "the sums within the row hold with it in the other unit"
    if all(True in found for found in proofs.values()):
        return None
    low, high = min(proofs), max(proofs)
    if item == "revenue" and (shown := _by_profit(rows, levels, low, high)) is not None:
        return shown
    known = [level for level in levels if level is not None]
    if usual is not None and known[0] == known[-1] == usual:
        return usual, why
    if usual is not None and known[-1] == low != usual == known[0]:
        sizes = [abs(row.items[item]) for row, level in zip(rows, levels, strict=True) if level == usual]
        newest = next(row for row, level in zip(rows[::-1], levels[::-1], strict=True) if level == low)
        fall = math.log10(abs(newest.items[item]) / median(sizes[-REMEMBERED:]))
        if item in LEADING or (low - usual <= -3 and abs(fall - (low - usual)) <= NEAR_UNIT):
            return usual, why
    return None


def _proofs(rows: Sequence[Statement], item: str, levels: Levels) -> dict[int, list[bool | None]]:
    """Return by level what the sums within its rows say of an item."""
    known = [level for level in levels if level is not None]
    found: dict[int, list[bool | None]] = {level: [] for level in known}
    for row, level in zip(rows, levels, strict=True):
        if level is not None:
            found[level].append(_proof(row, item, known, level))
    return found


def _by_profit(rows: Sequence[Statement], levels: Levels, low: int, high: int) -> tuple[int, str] | None:
    """Return the sound level of revenue where profits tell: they exceed the low one, or do not follow to the high one.

    A company that starts to sell has losses of many times its first revenue, so that either may be true of it.
    """
    below = [row.items for row, level in zip(rows, levels, strict=True) if level == low]
    above = [row.items for row, level in zip(rows, levels, strict=True) if level == high]
    if any(items.get(name, 0.0) > MOST_PROFIT * items["revenue"] for items in below for name in _GAINS):
        return high, "profits exceed it several times"
    before, after = ([abs(items["net_income"]) for items in side if "net_income" in items] for side in (below, above))
    sane = all(abs(items.get("net_income", 0.0)) <= MOST_PROFIT * items["revenue"] for items in below)
    if before and after and sane and median(after) < MOVED * median(before):
        return low, "net income did not move with it"
    return None


def _proof(row: Statement, item: str, levels: Sequence[int], own: int) -> bool | None:
    """Return True where a sum within the row holds with the item, False where it does in another unit; else None."""
    sums = [one for one in SUMS[row.kind] if item in one and one.keys() <= row.items.keys()]
    unit = 10.0 ** (max(levels) - own)
    sums = [one for one in sums if abs(row.items[item]) * unit > _noise(row.items, one, item)]
    if any(sum_holds(row.items, one) for one in sums):
        return True
    for level in set(levels) - {own}:
        other = {**row.items, item: row.items[item] * 10.0 ** (level - own)}
        if any(sum_holds(other, one) for one in sums):
            return False
    return None


def _noise(items: Mapping[str, float], signs: Mapping[str, int], item: str) -> float:
    """Return up to which size an item does not show in a sum: it holds within its tolerance with any unit of it."""
    return SUM_TOLERANCE * max(abs(items[name]) for name in signs if name != item)


def sum_holds(items: Mapping[str, float], signs: Mapping[str, int], tolerance: float = SUM_TOLERANCE) -> bool:
    """Return whether items add up to zero within a tolerance of the largest."""
    parts = [sign * items[name] for name, sign in signs.items()]
    return abs(sum(parts)) <= tolerance * max(map(abs, parts))
