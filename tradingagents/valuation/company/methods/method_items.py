"""What single methods need of the statements: total assets, and what a trust's funds from operations are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tradingagents.analytics.company.trailing import Period, Trailing, total
from tradingagents.dataflows.reference.line_items import OWN_TERMS
from tradingagents.valuation.company.claims import Sourced


@dataclass(frozen=True, slots=True)
class MethodItems:
    """Items of twelve months, in the currency of the price."""

    depreciation: Sourced | None
    """And amortisation: of buildings, for nearly all of a trust's are; None where it is not known."""
    gains: Sourced
    """On sales of property, in the net income; 0 where none is given, and the source says whether that is known."""
    impairment: Sourced
    """Write-downs of property, in the net income; likewise."""
    capital_expenditure: Sourced | None
    """All of it, what keeps the buildings and what adds to them; None where it is not known."""
    total_assets: float | None = None
    """Of the newest balance sheet; None where it is not known."""


UNKNOWN = MethodItems(
    None, Sourced(0.0, "default: 0, not known", True), Sourced(0.0, "default: 0, not known", True), None
)


def method_items(books: Trailing, rate: float, when: str) -> MethodItems:
    """Read the items from the twelve months.

    Args:
        books: The statements.
        rate: Units of the price's currency for one of the statements'.
        when: The months in words.
    """
    worn = total([period.income.items.get("depreciation_and_amortization") for period in books.periods])
    operating, free = books.flows["operating_cash_flow"], books.flows["free_cash_flow"]
    assets = None if books.balance is None else books.balance.items.get("total_assets")
    spent = None if operating is None or free is None else (operating - free) * rate
    return MethodItems(
        None if worn is None else Sourced(worn * rate, f"get_income_statement: depreciation_and_amortization, {when}"),
        _now_and_then(books.periods, "gain_on_property_sales", rate, when),
        _now_and_then(books.periods, "property_impairment", rate, when),
        None if spent is None else Sourced(spent, f"get_cashflow: capital_expenditure, {when}"),
        None if assets is None else assets * rate,
    )


def _now_and_then(periods: Sequence[Period], name: str, rate: float, when: str) -> Sourced:
    """Add up an item that a period without one leaves out; say whether the source would give it."""
    found = [period.income.items[name] for period in periods if name in period.income.items]
    if found:
        return Sourced(sum(found) * rate, f"get_income_statement: {name}, {when}")
    sources = {period.income.source for period in periods}
    if all(name in OWN_TERMS.get(source, frozenset()) for source in sources):
        return Sourced(0.0, f"get_income_statement: no {name}, {when}")
    return Sourced(0.0, f"default: 0, not known: {', '.join(sorted(sources))} gives no such item", assumed=True)
