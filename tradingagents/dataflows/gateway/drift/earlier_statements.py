"""Statements against those of the same periods in the vendor's earlier answer (`earlier_answers`).

A period's items change with a newer filing, which has a later date or brings a newer period. Without one, an item that
differs, is gone, or stands at another period is withheld. All amounts by one factor are another unit or currency, also
of the periods that are new. Share counts and figures per share follow splits, so only a change of their unit counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from statistics import median

from tradingagents.dataflows.gateway.checks.statement_units import POWERS, TINY
from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES

SAME_ITEM = 0.01
"""Relative difference up to which an item is the same: sources round."""
SAME_FACTOR = 0.02
"""How far the ratios of a row's amounts may lie apart to be one factor."""
OTHER_FACTOR = 0.02
"""From which difference from 1 on that factor is another unit or currency."""
ALIKE = 0.8
LEAST_ITEMS = 3
RESTATED = 2.0
"""Factor up to which an item may change with a filing of a newer period."""
NEAR_POWER = 0.05
"""How near, in powers of ten, a change of share counts lies to a hundred, a thousand or a million."""
_Rows = Mapping[date, Statement]


def compare_statements(
    answer: tuple[Statement, ...], earlier: Sequence[Statement]
) -> tuple[tuple[Statement, ...], tuple[str, ...]]:
    """Return statements without what disagrees with the earlier ones, and what that is."""
    now, before = _newest_versions(answer), _newest_versions(earlier)
    if not now or not before:
        return answer, ()
    held: dict[date, dict[str, str]] = {}
    told: list[str] = []
    shared = sorted(now.keys() & before.keys())
    odd = _of_other_periods(shared, now, before, held, told) or _in_other_unit(shared, now, before, held, told)
    if not odd:
        newer = max(now) > max(before)
        for end in shared:
            _single_items(now[end], before[end], newer=newer, held=held, told=told)
    gone = [end for end in before if end not in now and end > min(now)]
    if min(before) < min(now) and max(now) <= max(before):
        told.append(f"periods before {min(now)} are missing, which went back to {min(before)}")
    if gone:
        told.append(f"periods {_ends(gone)} are missing and withheld")
    rows = tuple(_without(row, held.get(row.period_end, {})) for row in answer)
    found = (*rows, *(_absent(before[end]) for end in gone))
    return tuple(sorted(found, key=lambda row: row.period_end, reverse=True)) if gone else found, tuple(told)


def _newest_versions(rows: Sequence[Statement]) -> dict[date, Statement]:
    return {row.period_end: row for row in sorted(rows, key=lambda row: row.known_at)}


def _of_other_periods(
    shared: Sequence[date], now: _Rows, before: _Rows, held: dict[date, dict[str, str]], told: list[str]
) -> bool:
    """Withhold rows that have the items of another period."""
    moved: dict[date, date] = {}
    for end in shared:
        if not _is_same(now[end], before[end]):
            other = next((other for other in before if other != end and _is_same(now[end], before[other])), None)
            if other is not None:
                moved[end] = other
    for end, other in moved.items():
        _hold(held, now[end], now[end].items, f"its items are those that stood at {other} before")
    if moved:
        told.append(f"items of {_ends(moved)} are those of other periods and are withheld")
    return bool(moved)


def _is_same(one: Statement, other: Statement) -> bool:
    names = [name for name in one.items if name in other.items and abs(one.items[name]) > TINY]
    same = sum(math.isclose(one.items[name], other.items[name], rel_tol=SAME_ITEM) for name in names)
    return len(names) >= LEAST_ITEMS and same >= ALIKE * len(names)


def _in_other_unit(
    shared: Sequence[date], now: _Rows, before: _Rows, held: dict[date, dict[str, str]], told: list[str]
) -> bool:
    """Withhold the amounts of rows in another unit or currency; of all rows where those are most."""
    factors = {end: factor for end in shared if (factor := _factor(now[end], before[end])) is not None}
    for end, factor in factors.items():
        what = f"all amounts are {factor:.4g} times those given before, in another unit or currency"
        _hold(held, now[end], _amounts_of(now[end], before[end]), what)
    if not factors:
        return False
    size = median(factors.values())
    told.append(f"all amounts of {_ends(factors)} are {size:.4g} times what they were and are withheld")
    if 2 * len(factors) > len(shared):
        what = "amounts of the other periods are in another unit or currency than before"
        for end in now.keys() - factors.keys():
            _hold(held, now[end], now[end].items.keys() - SHARES - PER_SHARE, what)
    return True


def _amounts_of(row: Statement, former: Statement) -> set[str]:
    """Return the amounts, and those per share where they have changed too, as they do with the currency."""
    per_share = {
        name
        for name in PER_SHARE & row.items.keys() & former.items.keys()
        if math.isclose(row.items[name], former.items[name], rel_tol=SAME_ITEM)
    }
    return row.items.keys() - SHARES - per_share


def _factor(row: Statement, former: Statement) -> float | None:
    """Return by what all amounts of a row are multiplied; None where they are the same, or by no one factor."""
    names = [name for name in row.items if name in former.items and name not in SHARES | PER_SHARE]
    ratios = [row.items[name] / former.items[name] for name in names if abs(former.items[name]) > TINY]
    if len(ratios) < LEAST_ITEMS or row.currency != former.currency or _is_refiled(row, former):
        return None
    factor = median(ratios)
    alike = sum(abs(ratio - factor) <= SAME_FACTOR * abs(factor) for ratio in ratios)
    return factor if factor > 0 and abs(factor - 1) > OTHER_FACTOR and alike >= ALIKE * len(ratios) else None


def _is_refiled(row: Statement, former: Statement) -> bool:
    return row.known_by == "accepted" and row.known_at > former.known_at


def _single_items(
    row: Statement, former: Statement, *, newer: bool, held: dict[date, dict[str, str]], told: list[str]
) -> None:
    """Withhold the items of a period that differ or are gone without a newer filing."""
    if _is_refiled(row, former):
        return
    if row.currency != former.currency:
        told.append(f"the currency of {row.period_end} is {row.currency} and was {former.currency}")
        return
    for name, value in former.items.items():
        new = row.items.get(name)
        if new is None:
            if name in row.withheld:
                continue
            what = f"{name} is no longer given, and was {value:.6g}"
            held.setdefault(row.period_end, {})[name] = _reason(row, what)
            told.append(f"{name} of {row.period_end} is no longer given")
        elif _differs(name, new, value, newer=newer):
            what = f"{name} is {new:.6g} and was {value:.6g} in the answer before"
            _hold(held, row, [name], what)
            told.append(f"{name} of {row.period_end} is {new:.6g} and was {value:.6g}, and is withheld")


def _differs(name: str, new: float, value: float, *, newer: bool) -> bool:
    if math.isclose(new, value, rel_tol=SAME_ITEM, abs_tol=TINY):
        return False
    if name in SHARES | PER_SHARE:
        if not new or not value or new * value < 0:
            return name in SHARES
        power = abs(math.log10(new / value))
        return any(abs(power - unit) <= NEAR_POWER for unit in POWERS)
    if not newer:
        return True
    return new * value < 0 or not 1 / RESTATED <= abs(new / value if value else math.inf) <= RESTATED


def _hold(held: dict[date, dict[str, str]], row: Statement, names: Iterable[str], what: str) -> None:
    reason = _reason(row, what)
    reasons = held.setdefault(row.period_end, {})
    for name in names:
        reasons.setdefault(name, reason)


def _reason(row: Statement, what: str) -> str:
    return Fault(row.symbol, row.period_end, what, "it is withheld", kind="earlier-answer", withholds=True).reason


def _without(row: Statement, reasons: Mapping[str, str]) -> Statement:
    if not reasons:
        return row
    items = {name: value for name, value in row.items.items() if name not in reasons}
    return replace(row, items=items, withheld={**reasons, **row.withheld})


def _absent(former: Statement) -> Statement:
    """Return a period that is missing, with every item withheld, so that no other stands in its place."""
    reason = _reason(former, "its statement is no longer given")
    return replace(former, items={}, withheld=dict.fromkeys((*former.items, *former.withheld), reason), gate_notes=())


def _ends(ends: Sequence[date] | Mapping[date, object]) -> str:
    listed = sorted(ends, reverse=True)
    named = ", ".join(map(str, listed[:3]))
    return named if len(listed) <= 3 else f"{named} and {len(listed) - 3} more"
