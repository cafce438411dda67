"""What a company's own years show, figure by figure: growth of revenue, operating margin and return on equity.

`own_record` reads them from statements; `YearlyFigures.quartiles` gives the lower and the upper quartile, from which
`cases` takes its low and its high case.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from statistics import median, quantiles

from tradingagents.analytics.company.trailing import Period, Trailing, total
from tradingagents.dataflows.models import Statement

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


def own_record(books: Trailing, ends: YearEnds, balance: Sequence[Statement]) -> OwnRecord:
    """Read a company's own years from its statements.

    Args:
        books: Periods of the company.
        ends: Its yearly ends.
        balance: Balance sheets, quarterly and annual.
    """
    revenues = [revenue for _, revenue, _ in ends]
    pairs = list(pairwise(revenues))
    known = next((number for number, pair in enumerate(pairs) if min(pair) <= 0), len(pairs))
    growth = [now / before - 1 for now, before in pairs[:known]]
    margins = [income / revenue for _, revenue, income in ends if income is not None and revenue > 0]
    returns = _returns(books, ends, balance)
    last = ends[0][0] if ends else None
    return OwnRecord(
        growth=YearlyFigures(tuple(growth), len(growth) + 1 if growth else 0, last),
        margin=YearlyFigures(tuple(margins), len(margins), last),
        return_on_equity=YearlyFigures(tuple(returns), len(returns), last),
    )


def _returns(books: Trailing, ends: YearEnds, balance: Sequence[Statement]) -> list[float]:
    """Return income to common shares over their equity, as far as both are known at yearly ends."""
    sheets = {sheet.period_end: sheet.items for sheet in balance}
    found = []
    for end, _, _ in ends:
        items, income = sheets.get(end), _income_to_common(_twelve_months(books, end))
        if items is None or "equity" not in items or income is None:
            continue
        equity = items["equity"] - items.get("preferred_equity", 0.0)
        if equity > 0:
            found.append(income / equity)
    return found


def _twelve_months(books: Trailing, end: date) -> Sequence[Period]:
    """Return the periods of the twelve months to a yearly end, in pieces as long as those of the newest."""
    periods, count = (books.quarters, len(books.periods)) if books.basis == "ttm" else (books.years, 1)
    first = next((number for number, period in enumerate(periods) if period.end == end), None)
    return () if first is None else periods[first : first + count]


def _income_to_common(periods: Sequence[Period]) -> float | None:
    items = [period.income.items for period in periods]
    common = total([one.get("net_income_to_common") for one in items]) if items else None
    return common if common is not None or not items else total([one.get("net_income") for one in items])
