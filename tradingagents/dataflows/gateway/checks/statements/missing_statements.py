"""The newest period of which one statement is missing: another statement of it is known, so it was filed.

An older period must not stand in the place of the newest. So the period gets a statement from which every item is
withheld: tables show the period, and figures over it are absent with the reason. Sources that never fill one of the
three statements of some quarters are left as they are: there the older one is the newest there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import Statement, StatementKind
from tradingagents.dataflows.reference.period_lengths import length_of

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
    return None if found is None else _fault(*found)


def _missing(given: Sequence[Statement], others: Iterable[Statement]) -> tuple[Statement, Statement] | None:
    """Return the newest statement of a kind and that of the other kind which shows that a newer one is missing."""
    shown = tuple(others)
    own = max(given, key=_age, default=None)
    other = max((one for one in shown if own is not None and _is_comparable(one, own)), key=_age, default=None)
    if own is None or other is None or (other.period_end - own.period_end).days <= SAME_END:
        return None
    if not _is_regular(given, [one.period_end for one in shown if one.kind == other.kind], other.period_end):
        return None
    return own, other


def all_with_missing(
    income: Sequence[Statement], balance: Sequence[Statement], cashflow: Sequence[Statement]
) -> tuple[Sequence[Statement], Sequence[Statement], Sequence[Statement]]:
    """Return the statements of each kind, both labels mixed, with a withheld one where the newest is missing."""
    given: tuple[Sequence[Statement], ...] = (income, balance, cashflow)
    every = [*income, *balance, *cashflow]
    for label in ("quarterly", "annual"):
        labelled = [one for one in every if one.frequency == label]
        given = tuple(
            (*_added([one for one in rows if one.frequency == label], labelled), *rows) if rows else rows
            for rows in given
        )
    return given[0], given[1], given[2]


def _added(own: Sequence[Statement], every: Sequence[Statement]) -> tuple[Statement, ...]:
    if not own:
        return ()
    found = with_missing(own, [one for one in every if one.kind != own[0].kind])
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
    ends = {one.period_end for one in given}
    former = sorted({end for end in others if (newest - end).days > SAME_END}, reverse=True)[:LOOKED_BACK]
    filled = sum(any(abs((end - one).days) <= SAME_END for one in ends) for end in former)
    return filled >= FILLED * len(former)


def _fault(own: Statement, other: Statement) -> Fault:
    what = f"its {other.frequency} {NAMES[other.kind]} is known and its {NAMES[own.kind]} is missing"
    done = f"the items of that {NAMES[own.kind]} are withheld, and none before it stands for them"
    return Fault(own.symbol, other.period_end, what, done, other, "statement-missing", withholds=True)


def _withheld(own: Statement, other: Statement) -> Statement:
    """Return the statement that is missing, with every item of the one before withheld."""
    reason = _fault(own, other).reason
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
