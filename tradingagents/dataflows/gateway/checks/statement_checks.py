"""Validity of financial statements as a series: periods, currency, units, and items against each other.

Rows known after an instant are neither checked nor used to check others, so the answer for a day is that of the rows
known by then. Items that cannot be true are removed, with the reason in `Statement.withheld`; nothing is rescaled.

    statement_units    amounts, share counts or single items in hundreds, thousands or millions
    statement_sums     items of a row against each other
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from tradingagents.dataflows.gateway.checks.amount_jumps import amount_jumps
from tradingagents.dataflows.gateway.checks.flow_periods import check_flow_periods
from tradingagents.dataflows.gateway.checks.neighbouring_statements import repeated_periods
from tradingagents.dataflows.gateway.checks.statement_sums import item_doubts
from tradingagents.dataflows.gateway.checks.statement_units import UnitJump, unit_jumps
from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import Statement, StatementKind
from tradingagents.dataflows.reference.data_faults import FaultKind
from tradingagents.dataflows.reference.line_items import SHARES

JUDGED = 8
"""Newest periods whose items are held against each other: those that tables show and sums of two years read."""
RESTATED = 1.5
"""Factor between two versions of an item from which on a restatement is noted."""
SHOWN = 8
"""Maximum number of periods named in a reason."""
_NAMES: Mapping[StatementKind, str] = {
    "income": "income statement",
    "balance": "balance sheet",
    "cashflow": "cash-flow statement",
}
_RESTATED_ITEMS = ("revenue", "net_income", "total_assets", "equity", "operating_cash_flow")
_DERIVED: Mapping[str, tuple[str, str]] = {
    "gross_profit": ("revenue", "cost_of_revenue"),
    "ebitda": ("operating_income", "depreciation_and_amortization"),
    "free_cash_flow": ("operating_cash_flow", "capital_expenditure"),
    "total_debt": ("long_term_debt", "short_term_debt"),
}
"""Items that sources of statements work out from others (`vendors.snapshot.items`)."""


class _Judgement:
    """What is withheld from, and noted on, the rows of one answer."""

    def __init__(self, rows: Sequence[Statement]) -> None:
        self.rows = rows
        self.withheld: dict[int, dict[str, str]] = {}
        self.notes: dict[int, list[str]] = {}
        self.faults: list[Fault] = []
        self.currencies: dict[int, str] = {}
        """The currency of the others, for rows without any amount of their own: an answer states one."""

    def tell(
        self, numbers: Sequence[int], items: Iterable[str], what: str, kind: FaultKind, *, withholds: bool = True
    ) -> None:
        """Record one fault of the items of some rows."""
        wanted = frozenset(items)
        held = {number: [name for name in self.rows[number].items if name in wanted] for number in numbers}
        newest = self.rows[max(numbers)]
        done = (
            f"{'these items are' if len(wanted) != 1 else 'the item is'} withheld" if withholds else "it is used as is"
        )
        fault = Fault(newest.symbol, newest.period_end, what, done, newest, kind, withholds)
        self.faults.append(fault)
        for number, names in held.items():
            if not withholds:
                self.notes.setdefault(number, []).append(fault.reason)
                continue
            reasons = self.withheld.setdefault(number, {})
            for name in (*names, *bound_to(names, self.rows[number].items)):
                reasons.setdefault(name, fault.reason)

    def sound(self, number: int) -> Statement:
        """Return a row without what is withheld."""
        row, reasons = self.rows[number], self.withheld.get(number)
        notes = self.notes.get(number)
        if not reasons and not notes:
            return row
        items = {name: value for name, value in row.items.items() if name not in (reasons or ())}
        withheld = {**(reasons or {}), **row.withheld}
        currency = self.currencies.get(number, row.currency)
        noted = (*row.gate_notes, *(notes or ()))
        return replace(row, currency=currency, items=items, withheld=withheld, gate_notes=noted)


def check_statements(rows: tuple[Statement, ...], instant: datetime) -> tuple[tuple[Statement, ...], tuple[Fault, ...]]:
    """Return the statements of one company, kind and frequency with what cannot be true withheld, and the faults.

    Args:
        rows: Every version of every period, in any order.
        instant: The cut-off.

    Returns:
        `rows` itself where nothing is withheld, noted or worked out.
    """
    if not any(row.known_at <= instant for row in rows):
        return rows, ()
    rows, repeated = _without_repeated(rows, instant)
    rows, faults = check_flow_periods(rows, instant)  # the length of a flow first: sizes are compared of equal ones
    rows, more = _without_false_items(rows, instant)
    return rows, (*repeated, *faults, *more)


def _without_repeated(
    rows: tuple[Statement, ...], instant: datetime
) -> tuple[tuple[Statement, ...], tuple[Fault, ...]]:
    repeated = repeated_periods([row for row in rows if row.known_at <= instant])
    if not repeated:
        return rows, ()
    gone = {id(row) for row, _ in repeated}
    return tuple(row for row in rows if id(row) not in gone), tuple(fault for _, fault in repeated)


def _without_false_items(
    rows: tuple[Statement, ...], instant: datetime
) -> tuple[tuple[Statement, ...], tuple[Fault, ...]]:
    known = sorted((row for row in rows if row.known_at <= instant), key=lambda row: (row.period_end, row.known_at))
    judged = _judged(known)
    if not judged.faults:
        return rows, ()
    sound = {id(row): judged.sound(number) for number, row in enumerate(known)}
    return tuple(sound.get(id(row), row) for row in rows), tuple(judged.faults)


def _judged(known: Sequence[Statement]) -> _Judgement:
    judged = _Judgement(known)
    usual = _usual_currency(known)
    numbers = list(range(len(known)))
    if usual is not None:
        numbers = [number for number in numbers if known[number].currency == usual]
        _tell_currencies(judged, usual)
    _tell_amounts(judged, numbers)
    for jump in unit_jumps([judged.sound(number) for number in numbers]):
        _tell_jump(judged, jump, [numbers[row] for row in jump.rows])
    _tell_doubts(judged, _newest(known, numbers))
    _tell_restated(judged, _newest(known, numbers))
    return judged


def _newest(known: Sequence[Statement], numbers: Sequence[int]) -> list[int]:
    """Return the numbers of the rows of the newest periods."""
    ends = sorted({known[number].period_end for number in numbers[-3 * JUDGED :]})[-JUDGED:]
    return [number for number in numbers[-3 * JUDGED :] if known[number].period_end >= ends[0]]


def _usual_currency(known: Sequence[Statement]) -> str | None:
    """Return the currency of most rows, the newest's among equals; None where all have the same."""
    first = known[0].currency
    if all(row.currency == first for row in known):
        return None
    counted = Counter(row.currency for row in reversed(known))
    return counted.most_common(1)[0][0]


def _tell_currencies(judged: _Judgement, usual: str) -> None:
    odd = [number for number, row in enumerate(judged.rows) if row.currency != usual]
    items = {name for number in odd for name in judged.rows[number].items} - SHARES
    found = ", ".join(sorted({judged.rows[number].currency for number in odd}))
    what = f"{_statements(judged, odd)} are in {found}, the others in {usual}, and no sum holds over both"
    judged.tell(odd, items, what, "currency-unknown")
    judged.currencies = dict.fromkeys(odd, usual)


def _tell_jump(judged: _Judgement, jump: UnitJump, numbers: Sequence[int]) -> None:
    size = f"{10 ** abs(jump.power):,} times {'smaller' if jump.power < 0 else 'greater'}"
    if jump.why:
        than = "in the others" if len(numbers) < len(judged.rows) else "their unit says"
        what = f"{jump.about} of {_statements(judged, numbers)} are about {size} than {than}; {jump.why}"
    elif len(numbers) == 1:
        what = (
            f"{jump.about} of {_statements(judged, numbers)} are in another unit: net income is about {size} than "
            f"earnings per share times shares, and which of them is wrong cannot be told"
        )
    else:
        what = (
            f"{jump.about} of some among {_statements(judged, numbers)} are about {10 ** abs(jump.power):,} times "
            f"those of the others, and which are right cannot be told"
        )
    judged.tell(numbers, jump.items, what, "unit-jump")


def _tell_amounts(judged: _Judgement, numbers: Sequence[int]) -> None:
    """Record statements whose amounts are all in another currency than their label says."""
    for jump in amount_jumps([judged.sound(number) for number in numbers]):
        odd = [numbers[row] for row in jump.rows]
        items = {name for number in odd for name in judged.rows[number].items} - SHARES
        factor = jump.factor if jump.factor > 1 else 1 / jump.factor
        size = f"about {factor:.2g} times {'greater' if jump.factor > 1 else 'smaller'}"
        what = f"all amounts of {_statements(judged, odd)} are {size} than before and after, as in another currency"
        judged.tell(odd, items, what, "currency-unknown")


def _tell_doubts(judged: _Judgement, numbers: Sequence[int]) -> None:
    """Record items that disagree within a row; rows with the same fault share a sentence."""
    found: dict[tuple[str, tuple[str, ...], FaultKind], list[int]] = {}
    sound = {number: judged.sound(number) for number in numbers}
    for number in numbers:
        others = [sound[other] for other in numbers if other != number]
        for doubt in item_doubts(sound[number], others):
            found.setdefault((doubt.what, doubt.items, doubt.kind), []).append(number)
    for (what, items, kind), same in found.items():
        said = f"{what} in {_statements(judged, same)}"
        judged.tell(same, items, said, kind, withholds=bool(items))


def _tell_restated(judged: _Judgement, numbers: Sequence[int]) -> None:
    """Note the items whose last version differs much from the one before."""
    for older, newer in pairwise(numbers):
        if judged.rows[older].period_end != judged.rows[newer].period_end:
            continue
        before, after = judged.sound(older).items, judged.sound(newer).items
        names = [name for name in _RESTATED_ITEMS if name in before and name in after]
        changed = [name for name in names if _differ(before[name], after[name])]
        if changed:
            known = judged.rows[newer].known_at.date()
            what = f"{', '.join(changed)} of {_statements(judged, [newer])} were restated by more than half on {known}"
            judged.tell([newer], changed, what, "restated", withholds=False)


def _differ(before: float, after: float) -> bool:
    return (before * after <= 0 and before != after) or max(abs(before), abs(after)) > RESTATED * min(
        abs(before), abs(after)
    )


def bound_to(names: Iterable[str], items: Mapping[str, float]) -> list[str]:
    """Return the items of a row worked out from some of the named ones, and those that named ones are worked out from.

    A sum that cannot be true has a part that cannot be.
    """
    gone = frozenset(names)
    found: list[str] = []
    for name, parts in _DERIVED.items():
        if name not in items or gone.isdisjoint((name, *parts)) or not items.keys() >= set(parts):
            continue
        sum_of_parts = items[parts[0]] + (-1 if name == "gross_profit" else 1) * items[parts[1]]
        if abs(sum_of_parts - items[name]) <= 1e-6 * abs(items[name]):
            found += parts if name in gone else [name]
    return found


def _statements(judged: _Judgement, numbers: Sequence[int]) -> str:
    """Return the rows in words, such as `yfinance's quarterly income statements of 2025-03-29, 2024-12-28`."""
    rows = [judged.rows[number] for number in numbers]
    ends = sorted({row.period_end.isoformat() for row in rows}, reverse=True)
    whose = f"{rows[0].source}'s" if rows[0].source else "the"
    name = f"{whose} {rows[0].frequency} {_NAMES[rows[0].kind]}{'s' if len(ends) > 1 else ''}"
    if len(ends) > SHOWN:
        return f"{name} of {len(ends)} periods from {ends[-1]} to {ends[0]}"
    return f"{name} of {', '.join(ends)}"
