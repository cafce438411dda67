"""Cash flows judged by the income statement of the same period.

Cash flows pass through zero and vary too much to show their length or currency by themselves. Sources fill the three
statements of a quarter from one filing, so what the gate finds of its income statement is true of its cash flows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.data_faults import reference


def judged_by_income(cashflow: Sequence[Statement], income: Sequence[Statement]) -> tuple[Statement, ...]:
    """Return cash-flow statements without the amounts that the income statements of their periods put in doubt.

    Args:
        cashflow: Of one company and label, as the gate returned them.
        income: Likewise.
    """
    reasons = _reasons(income)
    return tuple(_without(row, reasons) for row in cashflow)


def _reasons(income: Sequence[Statement]) -> Mapping[date, tuple[str, bool]]:
    """Return by period end why cash flows are in doubt, and whether only those without a first day are."""
    found: dict[date, tuple[str, bool]] = {}
    for row in income:
        other_unit = next((why for why in row.withheld.values() if _is_of_all_amounts(why)), None)
        if other_unit is not None:
            found[row.period_end] = (other_unit, False)
        elif any(reference("year-to-date") in note for note in row.gate_notes):
            what = "the income row is year to date, and whether the cash-flow row without a first day is cannot be told"
            fault = Fault(row.symbol, row.period_end, what, "its items are withheld", kind="period-length")
            found[row.period_end] = (fault.reason, True)
    return found


def _is_of_all_amounts(why: str) -> bool:
    """Return whether a reason is that all amounts of a statement are in another currency or unit."""
    return reference("currency-unknown") in why or (reference("unit-jump") in why and ": amounts of" in why)


def _without(row: Statement, reasons: Mapping[date, tuple[str, bool]]) -> Statement:
    reason, only_dateless = reasons.get(row.period_end, ("", False))
    if not reason or (only_dateless and row.period_start is not None):
        return row
    return replace(row, items={}, withheld={**dict.fromkeys(row.items, reason), **row.withheld})
