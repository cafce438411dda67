"""What is normal for a company, from its own past: one-offs of the last year, its cycle, and its usual tax and return.

`norms_of` collects them from statements filed by the day. `operations.py` and `equity_inputs.py` choose with them; which
estimator predicts best is measured by `benchmarks.valuation_norms`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median

from tradingagents.analytics.company.statements import QUARTERS, consecutive
from tradingagents.analytics.company.trailing import Period, Trailing, total
from tradingagents.dataflows.models import Profile
from tradingagents.dataflows.reference.period_lengths import length_of
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.cycles import CYCLE_YEARS, CycleKind, cycle_of, stand_in_range
from tradingagents.valuation.company.history import LONGEST, CapitalYear, yearly_growth, yearly_margins
from tradingagents.valuation.company.one_offs import (
    MARGIN_QUARTERS,
    TAX_QUARTERS,
    OneOff,
    QuarterRate,
    find_one_offs,
    without,
)

USUAL_TAX = (0.05, 0.40)
"""A tax rate of a company outside these is no usual one."""
LEAST_TAXED = 2
"""Profitable quarters with a tax from which on the tax rate of twelve months is known."""


@dataclass(frozen=True, slots=True)
class Norms:
    """What is normal for a company on a day."""

    cycle: CycleKind | None = None
    margins: tuple[float, ...] = ()
    """Operating margin of twelve months at up to ten yearly ends, newest first."""
    growth_years: int = 0
    """Yearly growth rates that are known."""
    margin: Sourced | None = None
    """Operating margin of the last twelve months without one-offs; None where there are none: as reported then."""
    tax: Sourced | None = None
    """Tax rate of the last twelve months without one-offs."""
    return_on_equity: Sourced | None = None
    """Median over up to five years; None where fewer than two are known."""
    notes: tuple[str, ...] = ()


def norms_of(
    books: Trailing,
    profile: Profile,
    ends: Sequence[tuple[date, float, float | None]],
    years: Sequence[CapitalYear],
    when: str,
) -> Norms:
    """Collect what is normal for a company.

    Args:
        books: Its statements filed by the day.
        profile: For its trade.
        ends: Revenue and operating income at yearly ends, newest first.
        years: The years looked back on.
        when: The last twelve months in words.
    """
    cycle, margins = cycle_of(profile), yearly_margins(ends[:LONGEST])
    margin, odd_margins = _margin(books, when) if cycle is None else (None, ())
    tax, odd_taxes = _tax(books, when)
    notes = [one.in_words("operating margin") for one in odd_margins] + [one.in_words("tax rate") for one in odd_taxes]
    return Norms(
        cycle=cycle,
        margins=margins,
        growth_years=len(yearly_growth(ends)),
        margin=margin,
        tax=tax,
        return_on_equity=_return_on_equity(years),
        notes=(*(f"One-off: {one}." for one in notes), *_cycle_note(cycle, margins)),
    )


def _cycle_note(cycle: CycleKind | None, margins: Sequence[float]) -> tuple[str, ...]:
    """Say where the base year of a cyclical company stands, and whether a cycle is known."""
    if cycle is None or not margins:
        return ()
    stand = stand_in_range(margins).in_words("operating margin")
    few = "" if len(margins) >= CYCLE_YEARS else f"; {len(margins)} years are no cycle, so that none is known"
    return (f"{stand[0].upper()}{stand[1:]}{few}.",)


def _margin(books: Trailing, when: str) -> tuple[Sourced | None, tuple[OneOff, ...]]:
    rates = [
        QuarterRate(quarter.end, income / revenue, revenue)
        for quarter in _run(books)
        if (income := quarter.flows["operating_income"]) is not None and (revenue := quarter.flows["revenue"] or 0) > 0
    ]
    found = find_one_offs(rates, most=MARGIN_QUARTERS, seasonal=True)
    if not found:
        return None, ()
    return Sourced(
        without(rates[:QUARTERS], found), f"{_quarterly('operating_income/revenue', when)}{_told(found)}"
    ), found


def _tax(books: Trailing, when: str) -> tuple[Sourced | None, tuple[OneOff, ...]]:
    """Return the tax rate of twelve months, without one-offs; of a source with years alone that of a usual year."""
    quarters = _run(books)
    rates = [rate for quarter in quarters if (rate := _tax_of(quarter)) is not None]
    found = find_one_offs(rates, most=TAX_QUARTERS, seasonal=False)
    last = {period.end for period in books.periods}
    taxed = [rate for rate in rates if rate.end in last]
    source = _quarterly("income_tax over pretax_income", when)
    if found:
        return Sourced(without(taxed, found), f"{source}{_told(found)}"), found
    tax, before = (total([period.income.items.get(name) for period in books.periods]) for name in _TAX_ITEMS)
    if tax is not None and before is not None and before > 0 and _is_usual(tax / before):
        return Sourced(tax / before, source), ()
    if LEAST_TAXED <= len(taxed) < len(books.periods):
        rate = without(taxed, ())
        return (Sourced(rate, f"{source}, {len(taxed)} profitable quarters"), ()) if _is_usual(rate) else (None, ())
    return _tax_of_years(books), ()


_TAX_ITEMS = ("income_tax", "pretax_income")


def _tax_of_years(books: Trailing) -> Sourced | None:
    """Return the median tax rate of the fiscal years in which it was a usual one."""
    usual = [
        (year.end, rate.rate) for year in books.years if (rate := _tax_of(year)) is not None and _is_usual(rate.rate)
    ]
    usual = usual[:CYCLE_YEARS]
    if not usual:
        return None
    source = f"get_income_statement: income_tax over pretax_income, median of the usual fiscal years to {usual[0][0]}"
    return Sourced(
        median(rate for _, rate in usual), f"{source} ({len(usual)}), as that of {books.periods[0].end} is none"
    )


def _is_usual(rate: float) -> bool:
    return USUAL_TAX[0] <= rate <= USUAL_TAX[1]


def _tax_of(period: Period) -> QuarterRate | None:
    """Return the tax rate of a profitable period; None where it made no profit or gives no tax."""
    tax, before = (period.income.items.get(name) for name in _TAX_ITEMS)
    return None if tax is None or before is None or before <= 0 else QuarterRate(period.end, tax / before, before)


def _run(books: Trailing) -> tuple[Period, ...]:
    """Return the newest consecutive quarters where they make the last twelve months, else ()."""
    incomes = [period.income for period in books.quarters]
    if books.basis != "ttm" or len(books.periods) != QUARTERS or books.periods != books.quarters[:QUARTERS]:
        return ()
    return () if length_of(incomes[0]) == "half-year" else books.quarters[: len(consecutive(incomes))]


def _quarterly(what: str, when: str) -> str:
    return f"get_income_statement: {what}, {when}"


def _told(found: Sequence[OneOff]) -> str:
    return "".join(f"; quarter to {one.end} at its usual {one.usual:.1%}, not {one.rate:.1%}" for one in found)


def _return_on_equity(years: Sequence[CapitalYear]) -> Sourced | None:
    """Return the median return on equity; each year on the equity at its end, as the model applies it."""
    known = [year for year in years if year.return_on_equity is not None]
    if len(known) < 2:
        return None
    rate = median(year.return_on_equity or 0.0 for year in known)
    span = f"{known[-1].end} to {known[0].end}"
    return Sourced(
        rate,
        f"get_income_statement: net income over book equity of common shares, median of {len(known)} years, {span}",
    )
