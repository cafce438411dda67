"""Twelve-month periods of a company, each with its flows and the balance sheet at its end, for year-on-year screens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from tradingagents.analytics.company.statements import QUARTERS, as_labelled, consecutive, newest_first
from tradingagents.analytics.company.trailing import YEAR_APART, total
from tradingagents.dataflows.models import Frequency, Statement
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES

YEARS = 3
"""Years looked for: a change of a ratio over the assets at the start of the year needs three balance sheets."""


@dataclass(frozen=True, slots=True)
class FiscalYear:
    """Twelve months: sums of the flows, and the balance sheet at their end."""

    end: date
    items: Mapping[str, float]
    """Flows and balance-sheet items; an item that a part lacks is missing. Share counts are those of the last part."""
    withheld: frozenset[str] = frozenset()
    """Items that the data gate withholds from a part, or of a statement that a part lacks; nothing stands for them."""
    reasons: tuple[str, ...] = ()
    """Which statement a part lacks that the others have, in one sentence."""

    def get(self, *names: str) -> float | None:
        """Return the first of the items that there is; None where it is withheld."""
        found = next((name for name in names if name in self.items or name in self.withheld), None)
        return None if found is None or found in self.withheld else self.items[found]


@dataclass(frozen=True, slots=True)
class FiscalYears:
    """The newest years, newest first; () where there is no year with a balance sheet."""

    basis: Literal["ttm", "annual"]
    """`ttm`: each is the sum of four quarters; `annual`: each is a fiscal year as filed."""
    years: tuple[FiscalYear, ...]


def fiscal_years(
    income: Sequence[Statement], balance: Sequence[Statement], cashflow: Sequence[Statement]
) -> FiscalYears:
    """Return up to three years that lie one year apart: sums of quarters where they reach back two years, else years.

    Args:
        income: Income statements of both frequencies, in any order, filed by the day and on one share basis.
        balance: Balance sheets, likewise.
        cashflow: Cash-flow statements, likewise.
    """
    quarterly = _of_quarters(income, balance, cashflow)
    annual = _of_years(income, balance, cashflow)
    if len(quarterly) > 1 and (len(annual) < 2 or quarterly[0].end >= annual[0].end):
        return FiscalYears("ttm", quarterly)
    return FiscalYears("annual", annual)


def _of_quarters(
    income: Sequence[Statement], balance: Sequence[Statement], cashflow: Sequence[Statement]
) -> tuple[FiscalYear, ...]:
    run = consecutive(as_labelled(_only(income, "quarterly")))
    sheets = {statement.period_end: statement for statement in newest_first(balance)}
    flows = {statement.period_end: statement for statement in as_labelled(_only(cashflow, "quarterly"))}
    found: list[FiscalYear] = []
    for number in range(YEARS):
        at = number * QUARTERS
        parts = run[at : at + QUARTERS]
        if len(parts) == QUARTERS and parts[0].period_end in sheets:
            cash = [flows[part.period_end] for part in parts if part.period_end in flows]
            summed = {**_sums(parts), **(_sums(cash) if len(cash) == QUARTERS else {})}
            sheet = sheets[parts[0].period_end]
            gone = _withheld(sheet, *parts, *cash)
            reasons: tuple[str, ...] = ()
            if 0 < len(cash) < QUARTERS:
                gone |= {name for one in cash for name in one.items} - summed.keys()
                ends = ", ".join(part.period_end.isoformat() for part in parts if part.period_end not in flows)
                reasons = (f"Cash flows of the year to {sheet.period_end} are n/a: those to {ends} are not known.",)
            found.append(FiscalYear(sheet.period_end, {**sheet.items, **summed}, gone, reasons))
        elif found and at < len(run) and run[at].period_end in sheets:
            # A year before that: its balance sheet opens the year after it, though its flows are not known.
            sheet = sheets[run[at].period_end]
            found.append(FiscalYear(sheet.period_end, sheet.items, _withheld(sheet)))
            break
        else:
            break
    return tuple(found)


def _of_years(
    income: Sequence[Statement], balance: Sequence[Statement], cashflow: Sequence[Statement]
) -> tuple[FiscalYear, ...]:
    flows = {statement.period_end: statement for statement in as_labelled(_only(cashflow, "annual"))}
    sheets = {statement.period_end: statement for statement in newest_first(balance)}
    found: list[FiscalYear] = []
    low, high = (timedelta(days=days) for days in YEAR_APART)
    for statement in as_labelled(_only(income, "annual")):
        sheet = sheets.get(statement.period_end)
        if sheet is None or (found and not low <= found[-1].end - statement.period_end <= high):
            if found:
                break
            continue
        cash = [flows[statement.period_end]] if statement.period_end in flows else []
        items = {**sheet.items, **(cash[0].items if cash else {}), **statement.items}
        found.append(FiscalYear(statement.period_end, items, _withheld(sheet, statement, *cash)))
    return tuple(found[:YEARS])


def _withheld(*statements: Statement) -> frozenset[str]:
    return frozenset(name for statement in statements for name in statement.withheld)


def _only(statements: Sequence[Statement], frequency: Frequency) -> list[Statement]:
    return [statement for statement in statements if statement.frequency == frequency]


def _sums(parts: Sequence[Statement]) -> dict[str, float]:
    """Return the sum of each item that all parts have; share counts are those of the newest part."""
    names = dict.fromkeys(name for part in parts for name in part.items)
    found: dict[str, float] = {}
    for name in names:
        if name in SHARES:
            counted = next((part.items[name] for part in parts if part.items.get(name, 0) > 0), None)
            value = counted
        elif name in PER_SHARE:
            continue
        else:
            value = total([part.items.get(name) for part in parts])
        if value is not None:
            found[name] = value
    return found
