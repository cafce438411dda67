"""One-offs: quarters whose margin or tax rate stands apart from the company's own quarters, found and shown.

`find_one_offs` compares each of the last four quarters with the earlier ones, a margin with the same quarter of earlier
years, by a rule that single outliers do not move. `without` gives the rate of twelve months with the usual rate in place of each one found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median

from tradingagents.analytics.company.statements import QUARTERS

APART = 3.5
"""Times the usual deviation (median absolute deviation, scaled to a standard deviation) from which a quarter is apart."""
TO_STANDARD_DEVIATION = 1.4826
FLOOR = 0.03
"""A quarter nearer than this to the usual one is no one-off, however even the others are."""
LEAST_QUARTERS = 2 * QUARTERS
MARGIN_QUARTERS, TAX_QUARTERS = 5 * QUARTERS, 3 * QUARTERS
"""Quarters that a margin and a tax rate are compared with: tax laws change more often (benchmarks.valuation_norms)."""
SEASONS = 3
"""Quarters of one season from which on a margin is compared with them alone."""


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

    def in_words(self, what: str) -> str:
        """Say which quarter stands apart, by how much, and what is done.

        >>> OneOff(date(2024, 9, 28), 0.502, 0.150, 29.6e9).in_words("tax rate")
        'the tax rate of the quarter to 2024-09-28 was 50.2%, usually 15.0% (a difference of 10.4bn): the usual rate stands for it'
        """
        return (
            f"the {what} of the quarter to {self.end} was {self.rate:.1%}, usually {self.usual:.1%} "
            f"(a difference of {_money(self.amount)}): the usual rate stands for it"
        )


def find_one_offs(rates: Sequence[QuarterRate], *, most: int, seasonal: bool) -> tuple[OneOff, ...]:
    """Return which of the newest four quarters stand apart from the company's own.

    A change that persists is none: where the quarter before or after stands apart on the same side too.

    Args:
        rates: Consecutive quarters, newest first.
        most: Quarters that are compared.
        seasonal: Whether a quarter is compared with the same one of other years, as trade has seasons.
    """
    known = rates[:most]
    if len(known) < LEAST_QUARTERS:
        return ()
    usual = [_usual(known, number if seasonal else None) for number in range(len(known))]
    away = [quarter.rate - middle for quarter, middle in zip(known, usual, strict=True)]
    limit = max(APART * TO_STANDARD_DEVIATION * median(abs(one) for one in away), FLOOR)

    def is_apart(number: int, sign: float) -> bool:
        return 0 <= number < len(away) and away[number] * sign > limit

    found = []
    for number, (quarter, middle) in enumerate(zip(known[:QUARTERS], usual, strict=False)):
        sign = 1.0 if away[number] > 0 else -1.0
        if is_apart(number, sign) and not (is_apart(number - 1, sign) or is_apart(number + 1, sign)):
            found.append(OneOff(quarter.end, quarter.rate, middle, quarter.base))
    return tuple(found)


def without(rates: Sequence[QuarterRate], found: Sequence[OneOff]) -> float:
    """Return the rate over quarters, the usual rate of a one-off's quarter in place of its own.

    >>> rates = [QuarterRate(date(2024, 12, 31), 0.5, 100.0), QuarterRate(date(2024, 9, 30), 0.2, 300.0)]
    >>> without(rates, [OneOff(date(2024, 12, 31), 0.5, 0.2, 100.0)])
    0.2
    """
    usual = {one.end: one.usual for one in found}
    amount = sum(usual.get(quarter.end, quarter.rate) * quarter.base for quarter in rates)
    return amount / sum(quarter.base for quarter in rates)


def _usual(rates: Sequence[QuarterRate], number: int | None) -> float:
    """Return the median of the same quarter over the years; of all quarters for None, or where too few are known."""
    season = [] if number is None else [quarter.rate for quarter in rates[number % QUARTERS :: QUARTERS]]
    return median(season if len(season) >= SEASONS else [quarter.rate for quarter in rates])


def _money(amount: float) -> str:
    size = abs(amount)
    return f"{size / 1e9:,.1f}bn" if size >= 1e9 else f"{size / 1e6:,.0f}m" if size >= 1e6 else f"{size:,.0f}"
