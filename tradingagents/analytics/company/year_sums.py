"""Whether cash flows of quarters without first days add up to the fiscal year that they make.

Values alone do not always tell year-to-date cash flows from those of quarters (`flow_pattern`): they are too
uneven. Four rows that make a fiscal year and do not add up to it are no quarters. Nor can be told what those are whose
income the gateway found to be year to date.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from tradingagents.analytics.company.statements import QUARTERS, as_labelled, consecutive
from tradingagents.dataflows.gateway.checks.flow_pattern import NOT_ADDITIVE
from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.data_faults import reference
from tradingagents.dataflows.reference.metrics import Figure

FAR_OFF = 0.15
"""Smallest difference of a sum from the year's item, in that item, that no rounding or small restatement explains."""
MOST_ITEMS = 2 / 3
"""Share of the items that have to be far off: a single one may be defined otherwise in quarters and years."""
SAME_END = timedelta(days=6)


def doubted_cash_flows(
    income: Sequence[Statement], cashflow: Sequence[Statement]
) -> tuple[list[Statement], str | None]:
    """Return cash-flow rows without first days that are in no sum, and why in one sentence; [] and None for none.

    Args:
        income: Income statements of one company, of both labels, as the gateway returned them.
        cashflow: Cash-flow statements, likewise.
    """
    dateless = [one for one in cashflow if one.frequency == "quarterly" and one.period_start is None]
    contradiction = years_contradict(cashflow)
    if contradiction is not None:
        return dateless, contradiction
    to_date = {one.period_end for one in income if any(reference("year-to-date") in note for note in one.gate_notes)}
    doubted = [one for one in dateless if one.period_end in to_date]
    if not doubted:
        return [], None
    return doubted, (
        f"The income rows of {doubted[0].symbol} are year to date, and its cash-flow rows have no first days: whether "
        f"they are year to date too cannot be told, and they are in no sum ({reference('period-length')})."
    )


def years_contradict(statements: Sequence[Statement]) -> str | None:
    """Return in one sentence why rows without first days are no quarters; None where no year says so.

    Args:
        statements: Cash-flow statements of one company, of both labels.
    """
    interims = [one for one in statements if one.frequency == "quarterly"]
    quarters = [one for one in as_labelled(interims) if one.period_start is None]
    for year in as_labelled(one for one in statements if one.frequency == "annual"):
        newest = next((one for one in quarters if abs(one.period_end - year.period_end) <= SAME_END), None)
        if newest is None:
            continue
        parts = consecutive(quarters[quarters.index(newest) :])[:QUARTERS]
        found = _is_the_year(newest, year) if len(parts) < QUARTERS else _far_off(parts, year)
        if found is not None:
            return found
    return None


def _names(year: Statement, parts: Sequence[Statement]) -> list[str]:
    return [
        name
        for name, value in year.items.items()
        if value and name not in NOT_ADDITIVE and all(name in part.items for part in parts)
    ]


def _far_off(parts: Sequence[Statement], year: Statement) -> str | None:
    names = _names(year, parts)
    sums = {name: sum(part.items[name] for part in parts) for name in names}
    off = [name for name in names if abs(sums[name] - year.items[name]) > FAR_OFF * abs(year.items[name])]
    if not names or len(off) < MOST_ITEMS * len(names):
        return None
    summed, whole = (Figure("", value, year.currency).text for value in (sums[off[0]], year.items[off[0]]))
    return _reason(year, f"add up to {off[0]} of {summed}, and it has {whole}")


def _is_the_year(quarter: Statement, year: Statement) -> str | None:
    names = _names(year, (quarter,))
    if not names or any(abs(quarter.items[name] - year.items[name]) > abs(year.items[name]) / 1000 for name in names):
        return None
    return _reason(year, f"end with a row that equals it in each of {len(names)} items")


def _reason(year: Statement, what: str) -> str:
    return (
        f"The cash-flow rows of {year.symbol} labelled quarters {what} (fiscal year to {year.period_end}): they may "
        f"be year to date and are in no sum ({reference('period-length')})."
    )
