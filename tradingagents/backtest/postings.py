"""What happens to an account, as the ledger records it: money in cents, shares as whole numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

CENTS = 100


def cents(amount: float) -> int:
    """Return an amount in cents, rounded to the nearest, halves to even."""
    return round(amount * CENTS)


@dataclass(frozen=True, slots=True)
class Posting:
    """Base of what happens to an account."""

    kind: ClassVar[str]
    """Its name in the ledger."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON with its kind."""
        return {"kind": self.kind, **{one.name: getattr(self, one.name) for one in fields(self)}}


@dataclass(frozen=True, slots=True)
class Deposit(Posting):
    """Money paid in, at the beginning."""

    kind: ClassVar[str] = "deposit"
    amount: int


@dataclass(frozen=True, slots=True)
class OrderFill(Posting):
    """Shares bought or sold at a session's open."""

    kind: ClassVar[str] = "fill"
    symbol: str
    shares: int
    """Negative for a sale."""
    price: float
    """Per share, with spread and impact."""
    value: int
    """Shares times price, without commission; positive."""
    commission: int
    slippage: int
    """What spread and impact cost against the open; part of `value`."""


@dataclass(frozen=True, slots=True)
class OrderRest(Posting):
    """Shares of an order that were not traded; the order has ended."""

    kind: ClassVar[str] = "unfilled"
    symbol: str
    shares: int
    """Negative for a sale."""
    reason: str
    """`halted`, `volume`, `cash`, `delisted`, or `closed` for a sale of what a split left no share of."""


@dataclass(frozen=True, slots=True)
class SplitPosting(Posting):
    """A split of a position before the open."""

    kind: ClassVar[str] = "split"
    symbol: str
    numerator: int
    denominator: int
    """One share becomes numerator / denominator shares."""
    shares: int
    """Whole shares held after it."""
    cash: int
    """Paid for the fraction of a share that is left over."""


@dataclass(frozen=True, slots=True)
class DividendPosting(Posting):
    """A cash dividend on the shares held before the ex-date."""

    kind: ClassVar[str] = "dividend"
    symbol: str
    shares: int
    per_share: float
    value: int


@dataclass(frozen=True, slots=True)
class Delisting(Posting):
    """The end of a position whose symbol trades no longer."""

    kind: ClassVar[str] = "delisting"
    symbol: str
    shares: int
    price: float
    value: int


@dataclass(frozen=True, slots=True)
class Charge(Posting):
    """A cost that is no commission, such as that of the models."""

    kind: ClassVar[str] = "charge"
    what: str
    value: int


@dataclass(frozen=True, slots=True)
class Clamp(Posting):
    """A target weight that a risk limit reduced."""

    kind: ClassVar[str] = "clamp"
    rule: str
    """`long_only`, `max_positions`, `max_position`, `max_sector` or `min_cash`."""
    subject: str
    """The symbol or sector; empty for the whole book."""
    wanted: float
    allowed: float


@dataclass(frozen=True, slots=True)
class Order(Posting):
    """Shares to buy or sell at the next open, decided after a close."""

    kind: ClassVar[str] = "order"
    symbol: str
    shares: int
    """Negative for a sale."""


_KINDS = {
    one.kind: one
    for one in (*(Deposit, OrderFill, OrderRest, SplitPosting, DividendPosting, Delisting, Charge, Clamp, Order),)
}


def posting_of(known: Mapping[str, Any]) -> Posting:
    """Return a posting from its JSON.

    Raises:
        KeyError, TypeError: It is none.
    """
    values = {name: value for name, value in known.items() if name != "kind"}
    made: Posting = _KINDS[known["kind"]](**values)
    return made
