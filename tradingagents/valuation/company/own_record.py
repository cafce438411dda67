"""What a company's own years show, figure by figure: growth of revenue, operating margin and return on equity.

`own_record` reads them from statements; `YearlyFigures.quartiles` gives the lower and the upper quartile, from which
`cases` takes its low and its high case.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median, quantiles

from tradingagents.analytics.company.trailing import Trailing
from tradingagents.dataflows.models import Statement
from tradingagents.valuation.company.history import returns_on_equity, yearly_growth, yearly_margins

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
