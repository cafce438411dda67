"""Statements judged by others of the company: of another kind, of the same filing, of another end of the period.

Missing: another statement of the newest period is known, so one that is not was filed too, and an older period must not
stand in the place of the newest. So the period gets a statement from which every item is withheld: tables show the
period, and figures over it are absent with the reason. Sources that never fill one of the three statements of some
quarters are left as they are: there the older one is the newest there is.

Same filing: sources fill the three statements of a period from one filing, so what the gate finds of one of them is
true of the others: amounts in another currency or unit of all three, and an income statement that is year to date of
the cash flows. Some rows do not show it by themselves: cash flows pass through zero, and a bank's income statement has
hardly an item that is steady.

Repeated: one period given to two ends, in merged sources of which one dates fiscal quarters by the calendar.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from math import isclose

from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import Statement, StatementKind
from tradingagents.dataflows.reference.data_faults import reference
from tradingagents.dataflows.reference.fiscal_periods import length_of
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES

NAMES: Mapping[StatementKind, str] = {
    "income": "income statement",
    "balance": "balance sheet",
    "cashflow": "cash-flow statement",
}
SHOWN_BY: Mapping[StatementKind, StatementKind] = {"income": "balance", "balance": "income", "cashflow": "income"}
"""Of which other kind a statement shows that one is missing, where only two kinds are read."""
SAME_END = 15
"""Days within which the ends that sources give to one period lie."""
LOOKED_BACK = 8
"""Earlier periods that tell whether the source fills a statement of every period."""
FILLED = 0.75
"""Part of them that must be filled; of a company with balance sheets of half-years only, half of the quarters are."""


def with_missing(given: Sequence[Statement], others: Iterable[Statement]) -> tuple[Statement, ...]:
    """Return statements, newest period first, with a withheld one where that of the newest period is missing.

    Args:
        given: Of one company, kind and label, known by the cut-off.
        others: Those of other kinds under the same label, known by then.
    """
    found = _missing(given, others)
    return tuple(given) if found is None else (_withheld(*found), *given)


def missing_statement(given: Sequence[Statement], others: Iterable[Statement]) -> Fault | None:
    """Return the fault of the newest period where its statement is missing; arguments as for `with_missing`."""
    found = _missing(given, others)
    return None if found is None else _absence(*found)


def _missing(given: Sequence[Statement], others: Iterable[Statement]) -> tuple[Statement, Statement] | None:
    """Return the newest statement of a kind and that of the other kind which shows that a newer one is missing."""
    shown = tuple(others)
    own = max(given, key=_age, default=None)
    other = max(
        (statement for statement in shown if own is not None and _is_comparable(statement, own)), key=_age, default=None
    )
    if own is None or other is None or (other.period_end - own.period_end).days <= SAME_END:
        return None
    if not _is_regular(
        given, [statement.period_end for statement in shown if statement.kind == other.kind], other.period_end
    ):
        return None
    return own, other


def all_with_missing(
    income: Sequence[Statement], balance: Sequence[Statement], cashflow: Sequence[Statement]
) -> tuple[Sequence[Statement], Sequence[Statement], Sequence[Statement]]:
    """Return the statements of each kind, both labels mixed, with a withheld one where the newest is missing."""
    given: tuple[Sequence[Statement], ...] = (income, balance, cashflow)
    every = [*income, *balance, *cashflow]
    for label in ("quarterly", "annual"):
        labelled = [statement for statement in every if statement.frequency == label]
        given = tuple(
            (*_added([row for row in rows if row.frequency == label], labelled), *rows) if rows else rows
            for rows in given
        )
    return given[0], given[1], given[2]


def _added(own: Sequence[Statement], every: Sequence[Statement]) -> tuple[Statement, ...]:
    if not own:
        return ()
    found = with_missing(own, [statement for statement in every if statement.kind != own[0].kind])
    return found[:1] if len(found) > len(own) else ()


def _age(statement: Statement) -> tuple[date, bool]:
    return statement.period_end, statement.kind != "balance"


def _is_comparable(other: Statement, own: Statement) -> bool:
    """Return whether a statement is of a period as long as those of another kind: no year under a quarter's label."""
    if other.kind == "balance" or own.kind == "balance":
        return True
    return length_of(other) == length_of(own)


def _is_regular(given: Sequence[Statement], others: Iterable[date], newest: date) -> bool:
    """Return whether the source fills this kind of statement for the periods before."""
    ends = {statement.period_end for statement in given}
    former = sorted({end for end in others if (newest - end).days > SAME_END}, reverse=True)[:LOOKED_BACK]
    filled = sum(any(abs((end - one).days) <= SAME_END for one in ends) for end in former)
    return filled >= FILLED * len(former)


def _absence(own: Statement, other: Statement) -> Fault:
    what = f"its {other.frequency} {NAMES[other.kind]} is known and its {NAMES[own.kind]} is missing"
    done = f"the items of that {NAMES[own.kind]} are withheld, and none before it stands for them"
    return Fault(own.symbol, other.period_end, what, done, other, "statement-missing", withholds=True)


def _withheld(own: Statement, other: Statement) -> Statement:
    """Return the statement that is missing, with every item of the one before withheld."""
    reason = _absence(own, other).reason
    start = None if own.period_start is None else other.period_end - (own.period_end - own.period_start)
    return replace(
        own,
        fiscal_year=other.fiscal_year,
        fiscal_period=other.fiscal_period,
        period_start=start,
        period_end=other.period_end,
        known_at=other.known_at,
        known_by=other.known_by,
        items={},
        withheld=dict.fromkeys((*own.items, *own.withheld), reason),
        gate_notes=(),
    )


def judged_by_filing(given: Sequence[Statement], others: Iterable[Statement]) -> tuple[Statement, ...]:
    """Return statements without the amounts that the other statements of their periods put in doubt.

    Args:
        given: Of one company, kind and label, as the gate returned them.
        others: Those of the other kinds under the same label, likewise.
    """
    reasons: dict[date, tuple[str, frozenset[str]]] = {}
    lengths: dict[date, str] = {}
    for row in others:
        why = next((why for why in row.withheld.values() if _is_of_all_amounts(why)), None)
        if why is not None:
            untouched = SHARES if reference("currency-unknown") in why else SHARES | PER_SHARE
            reasons.setdefault(row.period_end, (why, untouched))
        elif row.kind == "income" and any(reference("year-to-date") in note for note in row.gate_notes):
            lengths[row.period_end] = _length_unknown(row)
    return tuple(_without(row, reasons, lengths) for row in given) if reasons or lengths else tuple(given)


def _length_unknown(row: Statement) -> str:
    what = "the income row is year to date, and whether the cash-flow row without a first day is cannot be told"
    return Fault(row.symbol, row.period_end, what, "its items are withheld", kind="period-length").reason


def _is_of_all_amounts(why: str) -> bool:
    """Return whether a reason is that all amounts of a statement are in another currency or unit."""
    return reference("currency-unknown") in why or (reference("unit-jump") in why and ": amounts of" in why)


def _without(
    row: Statement, reasons: Mapping[date, tuple[str, frozenset[str]]], lengths: Mapping[date, str]
) -> Statement:
    why, untouched = reasons.get(row.period_end, ("", frozenset()))
    if not why and row.kind == "cashflow" and row.period_start is None:
        why = lengths.get(row.period_end, "")
    gone = row.items.keys() - untouched
    if not why or not gone:
        return row
    items = {name: value for name, value in row.items.items() if name in untouched}
    withheld = {name: why for name in row.items if name in gone}
    return replace(row, items=items, withheld={**withheld, **row.withheld})


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
    for row in sorted(known, key=lambda version: version.known_at):
        by_end.setdefault(row.period_end, []).append(row)
    ends = sorted(by_end)
    found: list[tuple[Statement, Fault]] = []
    for earlier, later in pairwise(ends):
        if (later - earlier).days > NEAR or not _is_same(_items(by_end[earlier]), _items(by_end[later])):
            continue
        odd, other = _odd_first((earlier, later), ends)
        found += [(row, _repetition(row, other)) for row in by_end[odd]]
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
    distances = [abs((end - near).days) for near in around]
    return sum(abs(days - round(days / QUARTER) * QUARTER) for days in distances)


def _is_same(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    if one and one == other:  # a source may have a few items only of an end
        return True
    names = one.keys() & other.keys()
    same = sum(isclose(one[name], other[name], rel_tol=SAME_VALUE) for name in names)
    return len(names) >= LEAST_ITEMS and same >= SAME_ITEMS * len(names)


def _repetition(row: Statement, other: date) -> Fault:
    what = f"the same items stand there as of {other}"
    return Fault(row.symbol, row.period_end, what, "the row is left out", row, "period-length")
