"""What past years show of a company's operations: revenue, margins, capital and growth at yearly ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from tradingagents.analytics.company.statements import HALVES, QUARTERS, consecutive, half_years
from tradingagents.analytics.company.trailing import Period, Trailing, total
from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.period_lengths import length_of
from tradingagents.valuation.company.claims import Sourced, debt_of, operating_capital

MOST_YEARS = 5
"""Years of history that are looked back on."""


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


def year_ends(books: Trailing) -> list[tuple[date, float, float | None]]:
    """Return revenue and operating income over twelve months, at yearly ends, newest first."""
    incomes = [period.income for period in books.quarters]
    is_halves = bool(incomes) and length_of(incomes[0]) == "half-year"
    count = HALVES if is_halves else QUARTERS
    if books.basis == "ttm" and len(books.periods) == count:
        run = len(half_years(incomes) if is_halves else consecutive(incomes))
        spans: list[Sequence[Period]] = [
            books.quarters[first : first + count]
            for first in range(0, count * (MOST_YEARS + 1), count)
            if first + count <= run
        ]
    else:
        spans = [(year,) for year in books.years[: MOST_YEARS + 1]]
    ends = []
    for span in spans:
        revenue = total([period.flows["revenue"] for period in span])
        if revenue is None:
            break
        ends.append((span[0].end, revenue, total([period.flows["operating_income"] for period in span])))
    return ends


def past_growth(ends: Sequence[tuple[date, float, float | None]]) -> Sourced | None:
    """Return yearly growth of revenue over up to three years; None where it is not known."""
    years = min(3, len(ends) - 1)
    if years < 1 or ends[0][1] <= 0 or ends[years][1] <= 0:
        return None
    rate = (ends[0][1] / ends[years][1]) ** (1 / years) - 1
    return Sourced(rate, f"get_income_statement: revenue, yearly growth from {ends[years][0]} to {ends[0][0]}")


def median_margin(ends: Sequence[tuple[date, float, float | None]]) -> Sourced | None:
    """Return the median of the operating margin at yearly ends; None where none is known."""
    margins = sorted(income / revenue for _, revenue, income in ends if income is not None and revenue > 0)
    if not margins:
        return None
    middle = len(margins) // 2
    median = margins[middle] if len(margins) % 2 else (margins[middle - 1] + margins[middle]) / 2
    return Sourced(median, f"get_income_statement: operating_income over revenue, median of {len(margins)} years")


def capital_years(
    balance: Sequence[Statement], ends: Sequence[tuple[date, float, float | None]], rate: float
) -> tuple[CapitalYear, ...]:
    """Return the years looked back on, newest first; `rate` turns money into the currency of the price."""
    sheets = {sheet.period_end: sheet for sheet in balance}
    capital = [_invested(sheets[end], rate) if end in sheets else None for end, _, _ in ends]
    rows = []
    for number, (end, revenue, income) in enumerate(ends):
        now, before = capital[number], capital[number + 1] if number + 1 < len(ends) else None
        spent = now - before if now is not None and before is not None else None
        rows.append(CapitalYear(end, revenue * rate, None if income is None else income * rate, now, spent))
    return tuple(rows[:MOST_YEARS])


def _invested(sheet: Statement, rate: float) -> float | None:
    debt = debt_of(sheet)
    if debt is None or "equity" not in sheet.items:
        return None
    return operating_capital(sheet.items, debt.value) * rate
