"""Statements judged by the other statements of the same filing.

Sources fill the three statements of a period from one filing, so what the gate finds of one of them is true of the
others: amounts in another currency or unit of all three, and an income statement that is year to date of the cash
flows. Some rows do not show it by themselves: cash flows pass through zero, and a bank's income statement has hardly an
item that is steady.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.data_faults import reference
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES


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
