"""Convertible debt that the diluted share count holds too: it counts once, as what its holders would take.

The diluted count holds the shares of a convertible bond whatever the price (US GAAP), and the bond stands in the debt.
Where a source gives both by name, `convertible` tells which of them the price makes worth more; the other is left out.
Where it gives the debt alone, the two cannot be told apart: a note of `claims` says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tradingagents.analytics.company.multiples import Valued
from tradingagents.analytics.company.share_counts import CountedShares
from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.valuation.company.claims import Sourced

ITEM = "convertible_debt"


@dataclass(frozen=True, slots=True)
class Convertible:
    """Convertible debt with the shares that the diluted count holds for it."""

    debt: float
    """In the currency of the price."""
    shares: float
    """Of what is quoted."""
    price: float

    @property
    def is_shares(self) -> bool:
        """Whether its holders would take the shares: these are worth as much as the debt, or more."""
        return self.shares * self.price >= self.debt

    @property
    def note(self) -> str:
        """Say as what it counts."""
        debt, worth, shares = (Figure("size", one).text for one in (self.debt, self.shares * self.price, self.shares))
        counts = "as shares, not as debt" if self.is_shares else "as debt, not as shares"
        return (
            f"Convertible debt of {debt} is worth {worth} in the {shares} shares that the diluted count holds for it: "
            f"it counts {counts}."
        )


def convertible(valued: Valued, sheet: Statement | None, price: float, rate: float) -> Convertible | None:
    """Return the convertible debt that is in the diluted count too; None where the source does not give both.

    Args:
        valued: The share count, with the statement it is of.
        sheet: The newest balance sheet; None where there is none.
        price: Of a share.
        rate: Units of the price's currency for one unit of the sheet's.
    """
    counted, shares = valued.counted, valued.multiples.shares
    if counted is None or shares is None or sheet is None:
        return None
    debt = sheet.items.get(ITEM, 0.0)
    held = counted.period.income.items.get("convertible_shares", 0.0)
    if debt <= 0 or not 0 < held < counted.value:
        return None
    return Convertible(debt * rate, held * shares / counted.value, price)


def shares_of(counted: CountedShares, shares: float, lent: Convertible | None) -> Sourced:
    """Return the shares to divide by, without those of debt that counts as debt.

    Args:
        counted: The statements' count.
        shares: The same in what is quoted.
        lent: Convertible debt that the count holds too; None for none.
    """
    if lent is None or lent.is_shares:
        return Sourced(shares, counted.source)
    return Sourced(shares - lent.shares, f"{counted.source}, less convertible_shares")


def without_convertible(debt: Sourced | None, lent: Convertible | None) -> Sourced | None:
    """Return the debt without that which counts as shares."""
    if debt is None or lent is None or not lent.is_shares:
        return debt
    return replace(debt, value=max(debt.value - lent.debt, 0.0), source=f"{debt.source} less {ITEM}")


def counted_once(notes: Iterable[str]) -> tuple[str, ...]:
    """Return notes on the claims without the one that convertible debt may count twice."""
    return tuple(one for one in notes if ITEM not in one)
