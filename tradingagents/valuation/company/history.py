"""What past years show of a company's operations: revenue, margins, capital and growth at yearly ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from statistics import median

from tradingagents.analytics.company.statements import HALVES, QUARTERS, consecutive, half_years
from tradingagents.analytics.company.trailing import Period, Trailing, total
from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.fiscal_periods import length_of
from tradingagents.valuation.company.claims import Sourced, acquired_intangibles, debt_of, operating_capital

MOST_YEARS = 5
"""Years of history that are looked back on."""
LONGEST = 10
"""Years that growth and the range of a cycle are read from, where so many are known."""


@dataclass(frozen=True, slots=True)
class CapitalYear:
    """One year of the company's past: what it sold, earned and reinvested. Money in the currency of the price."""

    end: date
    revenue: float
    operating_income: float | None
    invested_capital: float | None
    """What owners and lenders have in the operations at the end of the year (`claims.operating_capital`)."""
    reinvestment: float | None
    """Increase of the invested capital over the year."""
    organic_capital: float | None = None
    """The invested capital without goodwill and acquired intangibles; None where the source does not give these."""


def year_ends(books: Trailing) -> list[tuple[date, float, float | None]]:
    """Return revenue and operating income over twelve months, at yearly ends, newest first."""
    incomes = [period.income for period in books.quarters]
    is_halves = bool(incomes) and length_of(incomes[0]) == "half-year"
    count = HALVES if is_halves else QUARTERS
    if books.basis == "ttm" and len(books.periods) == count:
        run = len(half_years(incomes) if is_halves else consecutive(incomes))
        spans: list[Sequence[Period]] = [
            books.quarters[first : first + count]
            for first in range(0, count * (LONGEST + 1), count)
            if first + count <= run
        ]
    else:
        spans = [(year,) for year in books.years[: LONGEST + 1]]
    ends = []
    for span in spans:
        revenue = total([period.flows["revenue"] for period in span])
        if revenue is None:
            break
        ends.append((span[0].end, revenue, total([period.flows["operating_income"] for period in span])))
    return ends


def yearly_growth(ends: Sequence[tuple[date, float, float | None]]) -> tuple[float, ...]:
    """Return the growth of revenue of each year, newest first, up to the first whose revenue is not above zero."""
    found = []
    for (_, now, _), (_, before, _) in pairwise(ends):
        if now <= 0 or before <= 0:
            break
        found.append(now / before - 1)
    return tuple(found)


def past_growth(ends: Sequence[tuple[date, float, float | None]]) -> Sourced | None:
    """Return the median of the yearly growth of revenue over up to ten years; None where it is not known.

    No two ends decide it, so that neither a boom at one of them nor a year that a source states wrongly does.
    """
    rates = yearly_growth(ends)
    if not rates:
        return None
    years = f"median of {len(rates)} yearly growth rates, " if len(rates) > 1 else "growth "
    return Sourced(median(rates), f"get_income_statement: revenue, {years}from {ends[len(rates)][0]} to {ends[0][0]}")


def yearly_margins(ends: Sequence[tuple[date, float, float | None]]) -> tuple[float, ...]:
    """Return the operating margin of twelve months at yearly ends, newest first; years without one are left out."""
    return tuple(income / revenue for _, revenue, income in ends if income is not None and revenue > 0)


def median_margin(ends: Sequence[tuple[date, float, float | None]]) -> Sourced | None:
    """Return the median of the operating margin at up to five yearly ends; None where none is known."""
    margins = yearly_margins(ends[:MOST_YEARS])
    if not margins:
        return None
    return Sourced(
        median(margins), f"get_income_statement: operating_income over revenue, median of {len(margins)} years"
    )


def capital_years(
    balance: Sequence[Statement], ends: Sequence[tuple[date, float, float | None]], rate: float
) -> tuple[CapitalYear, ...]:
    """Return the years looked back on, newest first; `rate` turns money into the currency of the price."""
    sheets = {sheet.period_end: sheet for sheet in balance}
    capital = [_invested(sheets[end], rate) if end in sheets else None for end, _, _ in ends]
    rows = []
    for number, (end, revenue, income) in enumerate(ends[:MOST_YEARS]):
        now, before = capital[number], capital[number + 1] if number + 1 < len(ends) else None
        rows.append(
            CapitalYear(
                end=end,
                revenue=revenue * rate,
                operating_income=None if income is None else income * rate,
                invested_capital=now,
                reinvestment=now - before if now is not None and before is not None else None,
                organic_capital=_organic(sheets[end], now, rate) if now is not None else None,
            )
        )
    return tuple(rows)


def _invested(sheet: Statement, rate: float) -> float | None:
    debt = debt_of(sheet)
    if debt is None or "equity" not in sheet.items:
        return None
    return operating_capital(sheet.items, debt.value) * rate


def _organic(sheet: Statement, capital: float, rate: float) -> float | None:
    """Return the invested capital without what was paid for other companies; None where it is not known."""
    acquired = acquired_intangibles(sheet)
    return None if acquired is None else capital - acquired * rate


def returns_on_equity(
    books: Trailing,
    balance: Sequence[Statement],
    ends: Sequence[tuple[date, float, float | None]],
    *,
    after_preferred: bool,
) -> tuple[tuple[date, float], ...]:
    """Return what common shares earned on their book equity at up to ten yearly ends, newest first.

    Income of a year is held against the equity at its end, as the model applies the return. Years for which one of the
    two is not known, or without an equity, are left out.

    Args:
        after_preferred: Whether preferred dividends are taken off: only where the sheets show the preferred stock too.
    """
    sheets = {sheet.period_end: sheet.items for sheet in balance if "equity" in sheet.items}
    found = []
    for end, _, _ in ends[:LONGEST]:
        earned = total([_earned(period, after_preferred=after_preferred) for period in _year_to(books, end)])
        equity = sheets[end]["equity"] - sheets[end].get("preferred_equity", 0.0) if end in sheets else 0.0
        if earned is not None and equity > 0:
            found.append((end, earned / equity))
    return tuple(found)


def _year_to(books: Trailing, end: date) -> Sequence[Period]:
    """Return the periods of the twelve months to a yearly end, as `year_ends` makes them."""
    count = len(books.periods)
    if books.basis != "ttm" or count not in (QUARTERS, HALVES):
        return [year for year in books.years if year.end == end]
    first = next((number for number, quarter in enumerate(books.quarters) if quarter.end == end), len(books.quarters))
    return books.quarters[first : first + count]


def _earned(period: Period, *, after_preferred: bool) -> float | None:
    items = period.income.items
    return items.get("net_income_to_common", items.get("net_income")) if after_preferred else items.get("net_income")
