"""What happens to an account, as the ledger records it: money in cents, shares as whole numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, Self

from tradingagents.features.backtest.traded_prices import SessionBar
from tradingagents.schemas.decision import sureness_words

CENTS = 100
BAR_FIGURES = ("open", "high", "low", "close", "volume")
ExitReason = Literal["stop", "target", "both"]
"""Which level closed a position; `both`: a bar reached both, and the stop was taken."""


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
        return {"kind": self.kind, **{field.name: getattr(self, field.name) for field in fields(self)}}

    @classmethod
    def from_json(cls, known: Mapping[str, Any]) -> Self:
        """Return it from its JSON. Raises KeyError or TypeError for fields that are not its own."""
        return cls(**{name: value for name, value in known.items() if name != "kind"})


@dataclass(frozen=True, slots=True)
class Deposit(Posting):
    """Money paid in, at the beginning."""

    kind: ClassVar[str] = "deposit"
    amount: int


@dataclass(frozen=True, slots=True)
class SharesForCash(Posting):
    """Base of what exchanges shares for cash."""

    symbol: str
    shares: int
    price: float
    """Per share."""
    value: int
    """Shares times price."""


@dataclass(frozen=True, slots=True)
class OrderFill(SharesForCash):
    """Shares bought or sold at a session's open: `shares` is negative for a sale, `value` is positive.

    The price contains spread and impact, the value no commission.
    """

    kind: ClassVar[str] = "fill"
    commission: int
    slippage: int
    """What spread and impact cost against the open; part of `value`."""


@dataclass(frozen=True, slots=True)
class ShortSale(OrderFill):
    """Borrowed shares sold at a session's open; `shares` is negative."""

    kind: ClassVar[str] = "short_sale"


@dataclass(frozen=True, slots=True)
class ShortCover(OrderFill):
    """Shares bought at a session's open to give back borrowed ones."""

    kind: ClassVar[str] = "short_cover"


@dataclass(frozen=True, slots=True)
class ExitFill(OrderFill):
    """Shares of a position closed within a session by its stop or target."""

    kind: ClassVar[str] = "exit"
    reason: ExitReason
    level: float
    """What spread and impact count from: the stop or target, or the open where that lies beyond it."""
    gap: bool
    """Whether the session opened beyond the stop or target."""

    @property
    def words(self) -> str:
        """Why and where it was closed, as tables say it."""
        reason = "both: stop taken" if self.reason == "both" else self.reason
        return f"{reason}, at the open" if self.gap else reason


@dataclass(frozen=True, slots=True)
class OrderRest(Posting):
    """Shares of an order that were not traded; the order has ended."""

    kind: ClassVar[str] = "unfilled"
    symbol: str
    shares: int
    """Negative for a sale."""
    reason: str
    """`halted`, `volume`, `cash`, `margin`, `delisted`, or `closed` for what a split left no share to trade of;
    `beyond_stop` or `beyond_target` for a position that was not opened because the open lay beyond its own levels."""


@dataclass(frozen=True, slots=True)
class SplitPosting(Posting):
    """A split of a position before the open."""

    kind: ClassVar[str] = "split"
    symbol: str
    numerator: int
    denominator: int
    """One share becomes numerator / denominator shares."""
    shares: int
    """Whole shares held after it; negative for a short position."""
    cash: int
    """Received for the fraction of a share that is left over; a short position pays it, which is negative."""


@dataclass(frozen=True, slots=True)
class DividendPosting(Posting):
    """A cash dividend on the shares held before the ex-date. A short position pays it: both are negative."""

    kind: ClassVar[str] = "dividend"
    symbol: str
    shares: int
    per_share: float
    value: int


@dataclass(frozen=True, slots=True)
class Delisting(SharesForCash):
    """The end of a position whose symbol is listed no longer, at the cash its holders got, or at its last close.

    A short one is bought in: shares and value are negative.
    """

    kind: ClassVar[str] = "delisting"


@dataclass(frozen=True, slots=True)
class Merger(Posting):
    """The end of a position whose company went into another: for its shares, and cash where the terms give some.

    All amounts of a short position are negative: it owes the shares and pays the cash.
    """

    kind: ClassVar[str] = "merger"
    symbol: str
    shares: int
    """Held before."""
    into: str
    received: int
    """Whole shares of `into`."""
    value: int
    """What they are worth at the session's open; the cost of the new lot."""
    cash: int
    """The cash of the terms, and that for the fraction of a share that is left over."""


@dataclass(frozen=True, slots=True)
class Charge(Posting):
    """A cost that is no commission, such as that of the models."""

    kind: ClassVar[str] = "charge"
    what: str
    value: int


@dataclass(frozen=True, slots=True)
class BorrowFee(Posting):
    """What borrowed shares cost from one session to the next."""

    kind: ClassVar[str] = "borrow_fee"
    symbol: str
    shares: int
    """Negative, as held."""
    days: int
    """Calendar days."""
    value: int


@dataclass(frozen=True, slots=True)
class Interest(Posting):
    """What cash earns from one session to the next, at the bill rate known at the close before."""

    kind: ClassVar[str] = "interest"
    cash: int
    """That earns it: what the account had at the close before, less what its short positions were worth; negative for a
    debt."""
    days: int
    """Calendar days."""
    rate: float
    """As a fraction a year."""
    value: int
    """Negative for a debt, or at a negative rate."""


@dataclass(frozen=True, slots=True)
class MarginCall(Posting):
    """Cash that no longer covers the short positions; the orders after it are forced."""

    kind: ClassVar[str] = "margin_call"
    cash: int
    required: int
    """Cash that the short positions needed at the close."""


@dataclass(frozen=True, slots=True)
class Clamp(Posting):
    """A target weight that a risk limit reduced."""

    kind: ClassVar[str] = "clamp"
    rule: str
    """`long_only`, `max_positions`, `max_position`, `max_sector` or `min_cash`; with short positions also `max_short`,
    `max_gross`, `max_net`, `min_net` or `margin`."""
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


@dataclass(frozen=True, slots=True)
class ExitLevels(Posting):
    """Stop and target of a symbol, which replace earlier ones: by a decision, or restated by a split."""

    kind: ClassVar[str] = "levels"
    symbol: str
    side: int
    """1 for a long position, -1 for a short one; they close no position of the other side."""
    stop: float | None
    """Per share of `day`; None for none."""
    target: float | None
    day: str
    """The session, YYYY-MM-DD, in whose shares they are."""

    @property
    def given(self) -> bool:
        """Whether there is any level."""
        return self.stop is not None or self.target is not None


@dataclass(frozen=True, slots=True)
class BarPosting(Posting):
    """Base of what says how a symbol traded; in the ledger, the figures of the bar stand among the other fields."""

    symbol: str
    bar: SessionBar | None
    """As traded; None for a halt."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON with its kind; the figures of a halt are None."""
        written = Posting.to_json(self)
        del written["bar"]
        return written | {name: None if self.bar is None else getattr(self.bar, name) for name in BAR_FIGURES}

    @classmethod
    def from_json(cls, known: Mapping[str, Any]) -> Self:
        """Return it from its JSON. Raises KeyError or TypeError for fields that are not its own."""
        figures = {name: known[name] for name in BAR_FIGURES}
        values = {name: value for name, value in known.items() if name not in {"kind", *BAR_FIGURES}}
        return cls(**values, bar=None if None in figures.values() else SessionBar(**figures))


@dataclass(frozen=True, slots=True)
class BarSeen(BarPosting):
    """What was known of a session of a symbol when an account went through it."""

    kind: ClassVar[str] = "bar"
    numerator: int = 1
    denominator: int = 1
    """One share became numerator / denominator shares since the session before."""
    dividend: float = 0.0
    """Per share of this session."""
    benchmark: bool = False
    """Whether the account is compared with it."""
    foreign: bool = False
    """Whether its prices were converted from another currency; the ledger says only that they were."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON with its kind."""
        written = BarPosting.to_json(self)
        return written if self.foreign else {name: value for name, value in written.items() if name != "foreign"}


@dataclass(frozen=True, slots=True)
class BarCorrection(BarPosting):
    """A bar of an earlier session that came late or was revised. What was traded and marked on it stays."""

    kind: ClassVar[str] = "correction"
    day: str
    """The session, YYYY-MM-DD."""
    close_before: float | None
    """The close that was known before; None for a halt."""


@dataclass(frozen=True, slots=True)
class LateDividend(DividendPosting):
    """A dividend of an earlier session that was not known, or was known to be another.

    `shares` were held at the close before the ex-date; `per_share` is what it is more than was known, negative where it
    is less.
    """

    kind: ClassVar[str] = "late_dividend"
    day: str
    """Its ex-date, YYYY-MM-DD."""


@dataclass(frozen=True, slots=True)
class LateSplit(SplitPosting):
    """A split of an earlier session that was not known; only shares that were held before it are split."""

    kind: ClassVar[str] = "late_split"
    day: str
    """The earlier session, YYYY-MM-DD."""


@dataclass(frozen=True, slots=True)
class DecisionTaken(Posting):
    """A decision after the close of a session."""

    kind: ClassVar[str] = "decision"
    ticker: str
    action: str
    """`FAILED` where a run ended without any decision."""
    confidence: float
    key: str
    """Of the decision store; empty where it failed."""
    llm_calls: int
    cost_usd: float | None
    """None where the price of a model is not known."""
    reason: str = ""
    """Why it failed."""
    strength: float | None = None
    """How strongly fixed rules speak, 0 to 1; None for a language model, and in ledgers of before it was noted."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON with its kind, as before the strength was noted where there is none."""
        known = Posting.to_json(self)
        return {name: value for name, value in known.items() if (name, value) != ("strength", None)}

    @property
    def sureness(self) -> str:
        """How sure it is, in words."""
        return sureness_words(self.confidence, self.strength)


_KINDS: Mapping[str, type[Posting]] = {
    posting.kind: posting
    for posting in (
        *(Deposit, OrderFill, ShortSale, ShortCover, OrderRest, SplitPosting, DividendPosting, Delisting, Merger),
        *(Charge, BorrowFee, Interest, MarginCall, Clamp, Order, ExitFill, ExitLevels),
        *(BarSeen, BarCorrection, LateDividend, LateSplit, DecisionTaken),
    )
}


def posting_of(known: Mapping[str, Any]) -> Posting:
    """Return a posting from its JSON.

    Raises:
        KeyError, TypeError: It is none.
    """
    return _KINDS[known["kind"]].from_json(known)
