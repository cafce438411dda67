"""One-offs: quarters whose margin or tax rate stands apart from the company's own quarters, found and shown.

`find_one_offs` compares each of the last four quarters with the earlier ones, by a rule that single outliers do not
move. `without` gives the rate of twelve months with the usual rate in place of each one found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median

from tradingagents.analytics.company.statements import QUARTERS

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
