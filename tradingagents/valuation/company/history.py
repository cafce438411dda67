"""What past years show of a company's operations: revenue, margins, capital, growth, their range, and one-offs.

`own_record` reads them from statements; `YearlyFigures.quartiles` gives the lower and the upper quartile, from which
`cases` takes its low and its high case.

`find_one_offs` compares each of the last four quarters with the earlier ones, by a rule that single outliers do not
move. `without` gives the rate of twelve months with the usual rate in place of each one found.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from statistics import median, quantiles

from tradingagents.analytics.company.statements import HALVES, QUARTERS, consecutive, half_years
from tradingagents.analytics.company.trailing import Period, Trailing, total
from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.fiscal_periods import length_of
from tradingagents.valuation.company.answer_parts import CapitalYear
from tradingagents.valuation.company.claims import Sourced, acquired_intangibles, debt_of, operating_capital

MOST_YEARS = 5
"""Years of history that are looked back on."""
LONGEST = 10
"""Years that growth and the range of a cycle are read from, where so many are known."""


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


LEAST_YEARS = 5
"""Yearly ends that quartiles need."""
YearEnds = Sequence[tuple[date, float, float | None]]
"""Revenue and operating income over twelve months at yearly ends, newest first (`history.year_ends`)."""


@dataclass(frozen=True, slots=True)
class YearlyFigures:
    """One figure of a company's own years, as fractions."""

    values: tuple[float, ...] = ()
    """Newest first."""
    years: int = 0
    """Yearly ends that they are read from: growth over five ends has four values."""
    last: date | None = None
    """Newest end; None where there is none."""

    @property
    def median(self) -> float | None:
        """Middle of the values; None where there are too few years."""
        return median(self.values) if self.years >= LEAST_YEARS else None

    @property
    def quartiles(self) -> tuple[float, float] | None:
        """Lower and upper quartile; None where there are too few years.

        >>> YearlyFigures((0.10, 0.02, 0.06, 0.04), years=5).quartiles
        (0.035, 0.07)
        """
        if self.years < LEAST_YEARS:
            return None
        lower, _, upper = quantiles(self.values, n=4, method="inclusive")
        return lower, upper


_NONE = YearlyFigures()


@dataclass(frozen=True, slots=True)
class OwnRecord:
    """Figures of a company's own years."""

    growth: YearlyFigures = _NONE
    """Revenue of twelve months over that of the twelve before, less 1."""
    margin: YearlyFigures = _NONE
    """Operating income over revenue."""
    return_on_equity: YearlyFigures = _NONE
    """Income of twelve months to common shares over their equity at the end of the twelve."""

    @property
    def managed(self) -> float | None:
        """Compound growth of revenue a year over the years of `growth`; None where it is not known."""
        factors = [1 + rate for rate in self.growth.values]
        return math.prod(factors) ** (1 / len(factors)) - 1 if factors else None


def own_record(books: Trailing, ends: YearEnds, balance: Sequence[Statement], *, after_preferred: bool) -> OwnRecord:
    """Read a company's own years from its statements.

    Args:
        books: Periods of the company.
        ends: Its yearly ends.
        balance: Balance sheets, quarterly and annual.
        after_preferred: Whether returns are after preferred dividends (`history.returns_on_equity`).
    """
    growth, margins = yearly_growth(ends), yearly_margins(ends)
    returns = tuple(rate for _, rate in returns_on_equity(books, balance, ends, after_preferred=after_preferred))
    last = ends[0][0] if ends else None
    return OwnRecord(
        growth=YearlyFigures(growth, len(growth) + 1 if growth else 0, last),
        margin=YearlyFigures(margins, len(margins), last),
        return_on_equity=YearlyFigures(returns, len(returns), last),
    )


APART = 3.5
"""Times the usual deviation (median absolute deviation, as a standard deviation) from which on a quarter is apart."""
TO_STANDARD_DEVIATION = 1.4826
PERSISTS = 0.25
"""Part of a quarter's distance from the usual one that, at the quarter next to it, shows a change that persists."""
LEAST_QUARTERS = 2 * QUARTERS
SEASONS = 3
"""Quarters of one season from which on they are compared with each other alone."""


@dataclass(frozen=True, slots=True)
class OneOffRule:
    """How quarters of one kind are compared; measured by `benchmarks.valuation_norms`."""

    what: str
    """The rate in words."""
    quarters: int
    """Quarters that are compared, the newest ones."""
    floor: float
    """A quarter nearer than this to the usual one is no one-off, however even the others are."""
    seasonal: bool
    """Whether a quarter is compared with the same one of other years."""


MARGIN = OneOffRule("operating margin", quarters=5 * QUARTERS, floor=0.03, seasonal=True)
TAX = OneOffRule("tax rate", quarters=3 * QUARTERS, floor=0.05, seasonal=False)
"""Compared with fewer quarters, for tax laws change."""


@dataclass(frozen=True, slots=True)
class QuarterRate:
    """A rate of one quarter: operating margin or tax rate."""

    end: date
    rate: float
    base: float
    """What the rate is of, above 0: revenue or income before tax."""


@dataclass(frozen=True, slots=True)
class OneOff:
    """A quarter of the last twelve months that stands apart."""

    end: date
    rate: float
    usual: float
    base: float

    @property
    def amount(self) -> float:
        """What the quarter has above the usual rate, in money of the base; below 0: under it."""
        return (self.rate - self.usual) * self.base

    def in_words(self, rule: OneOffRule) -> str:
        """Say which quarter stands apart, by how much, and what is done.

        >>> OneOff(date(2024, 9, 28), 0.502, 0.150, 29.6e9).in_words(TAX)
        'One-off: the tax rate of the quarter to 2024-09-28 was 50.2%, usually 15.0%, a difference of 10.4bn. The usual rate stands for it.'
        """  # noqa: E501
        size = f"a difference of {_money(self.amount)}"
        was = f"{self.rate:.1%}" if abs(self.rate) <= 1 else "more than all of what it is of"
        return (
            f"One-off: the {rule.what} of the quarter to {self.end} was {was}, usually {self.usual:.1%}, {size}. "
            f"The usual rate stands for it."
        )


def find_one_offs(rates: Sequence[QuarterRate], rule: OneOffRule) -> tuple[OneOff, ...]:
    """Return which of the newest four quarters stand apart from the company's own.

    A change that persists is none: where the quarter before or after lies on the same side too.

    Args:
        rates: Consecutive quarters, newest first.
        rule: How they are compared.
    """
    known = rates[: rule.quarters]
    if len(known) < LEAST_QUARTERS:
        return ()
    usual = [_usual(known, number if rule.seasonal else None) for number in range(len(known))]
    away = [quarter.rate - middle for quarter, middle in zip(known, usual, strict=True)]
    limit = max(APART * TO_STANDARD_DEVIATION * median(abs(distance) for distance in away), rule.floor)
    found = []
    for number, (quarter, middle) in enumerate(zip(known[:QUARTERS], usual, strict=False)):
        sign = 1.0 if away[number] > 0 else -1.0
        nearby = away[max(number - 1, 0) : number] + away[number + 1 : number + 2]
        if away[number] * sign > limit and all(distance * sign <= PERSISTS * abs(away[number]) for distance in nearby):
            found.append(OneOff(quarter.end, quarter.rate, middle, quarter.base))
    return tuple(found)


def without(rates: Sequence[QuarterRate], found: Sequence[OneOff]) -> float:
    """Return the rate over quarters, the usual rate of a one-off's quarter in place of its own.

    >>> rates = [QuarterRate(date(2024, 12, 31), 0.5, 100.0), QuarterRate(date(2024, 9, 30), 0.2, 300.0)]
    >>> without(rates, [OneOff(date(2024, 12, 31), 0.5, 0.2, 100.0)])
    0.2
    """
    usual = {quarter.end: quarter.usual for quarter in found}
    amount = sum(usual.get(quarter.end, quarter.rate) * quarter.base for quarter in rates)
    return amount / sum(quarter.base for quarter in rates)


def _usual(rates: Sequence[QuarterRate], number: int | None) -> float:
    """Return the median of the same quarter over the years; of all quarters for None, or where too few are known."""
    season = [] if number is None else [quarter.rate for quarter in rates[number % QUARTERS :: QUARTERS]]
    return median(season if len(season) >= SEASONS else [quarter.rate for quarter in rates])


def _money(amount: float) -> str:
    size = abs(amount)
    return f"{size / 1e9:,.1f}bn" if size >= 1e9 else f"{size / 1e6:,.0f}m" if size >= 1e6 else f"{size:,.0f}"
