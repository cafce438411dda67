"""The book of an account: cash, lots and pending orders, folded from the postings of its ledger and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from tradingagents.errors import TradingAgentsError
from tradingagents.features.backtest.postings import (
    CENTS,
    BorrowFee,
    Charge,
    Delisting,
    Deposit,
    DividendPosting,
    ExitFill,
    ExitLevels,
    Interest,
    LateDividend,
    LateSplit,
    Merger,
    Order,
    OrderFill,
    OrderRest,
    Posting,
    ShortCover,
    ShortSale,
    SplitPosting,
)


class BookMismatch(TradingAgentsError):
    """A book does not agree with its ledger, or a posting cannot be true; nothing is traded on it."""


@dataclass(frozen=True, slots=True)
class Lot:
    """Shares bought, or sold short, together."""

    day: date
    shares: int
    """Negative for borrowed shares that were sold."""
    cost: int
    """In cents, without commission; negative for what a short sale brought."""


@dataclass
class Book:
    """An account on one day. Amounts are in cents."""

    cash: int = 0
    lots: dict[str, tuple[Lot, ...]] = field(default_factory=dict)
    """By symbol, the oldest first; symbols without shares are left out."""
    orders: dict[str, int] = field(default_factory=dict)
    """Shares to trade at the next open, by symbol."""
    levels: dict[str, ExitLevels] = field(default_factory=dict)
    """Stop and target by symbol, of the newest decision that gave any; they matter while a position is held."""
    deposits: int = 0
    realised: int = 0
    """Profit on shares sold, bought back, delisted or paid out at a split, before costs."""
    commissions: int = 0
    dividends: int = 0
    """Received, less those that short positions paid."""
    interest: int = 0
    """On cash, less what debts paid."""
    charges: int = 0
    borrow_fees: int = 0
    slippage: int = 0
    """What spread and impact cost; it is part of the prices paid, so of no sum here."""
    traded: int = 0
    """Value of all fills."""

    _counts: dict[str, int] = field(init=False, repr=False, compare=False)
    """Shares by symbol, the sums of `lots`: they are asked for at every close."""

    def __post_init__(self) -> None:
        self._counts = {symbol: _count(lots) for symbol, lots in self.lots.items()}

    def copy(self) -> Book:
        """Return a book that may be changed without changing this one."""
        made = copy(self)
        made.lots, made.orders, made._counts = dict(self.lots), dict(self.orders), dict(self._counts)
        made.levels = dict(self.levels)
        return made

    @property
    def shares(self) -> dict[str, int]:
        """Shares held, by symbol."""
        return dict(self._counts)

    def held(self, symbol: str) -> int:
        """Return the shares held of one symbol; 0 for none."""
        return self._counts.get(symbol, 0)

    def value(self, prices: Mapping[str, float]) -> int:
        """Return cash and positions at given prices.

        Raises:
            KeyError: A position has no price.
        """
        return self.cash + sum([round(count * prices[symbol] * CENTS) for symbol, count in self._counts.items()])

    @property
    def cost(self) -> int:
        """What the shares held cost, without commissions."""
        return sum([lot.cost for lots in self.lots.values() for lot in lots])

    def unrealised(self, prices: Mapping[str, float]) -> int:
        """Return the profit on shares that are held, at given prices."""
        return self.value(prices) - self.cash - self.cost

    def explained_at(self, value: int) -> int:
        """Return the value that deposits, profits, dividends and costs add up to; it must be the given one."""
        earned = self.realised + (value - self.cash - self.cost) + self.dividends + self.interest
        return self.deposits + earned - self.commissions - self.charges - self.borrow_fees

    def apply(self, day: date, posting: Posting) -> None:
        """Change the book by a posting.

        Raises:
            BookMismatch: It cannot be true of this book: cash or shares would be negative, or counts differ.
        """
        change, before = _CHANGES.get(type(posting)), self.cash
        if change is not None:
            change(self, day, posting)
        if self.cash < min(0, before) and not _is_owed(posting):
            raise BookMismatch(f"{day}: {posting.kind} leaves {self.cash / 100:.2f} in cash; the ledger is wrong.")

    def apply_all(self, day: date, postings: Iterable[Posting]) -> None:
        """Change the book by the postings of a session, in their order. Raises as `apply` does."""
        for posting in postings:
            self.apply(day, posting)

    def to_json(self) -> dict[str, Any]:
        """Return the sums and the shares as JSON."""
        return {**{name: getattr(self, name) for name in _SUMS}, "shares": dict(sorted(self.shares.items()))}

    def _deposit(self, _day: date, posting: Deposit) -> None:
        self.cash += posting.amount
        self.deposits += posting.amount

    def _order(self, _day: date, posting: Order) -> None:
        self.orders[posting.symbol] = posting.shares

    def _rest(self, _day: date, posting: OrderRest) -> None:
        self.orders.pop(posting.symbol, None)

    def _fill(self, day: date, posting: OrderFill) -> None:
        if posting.shares > 0:
            self._add(day, posting, posting.value)
        else:
            self._remove(day, posting.symbol, -posting.shares, posting.value)
        self._traded(posting)

    def _short_sale(self, day: date, posting: ShortSale) -> None:
        self._add(day, posting, -posting.value)
        self._traded(posting)

    def _short_cover(self, day: date, posting: ShortCover) -> None:
        self._remove(day, posting.symbol, -posting.shares, -posting.value)
        self._traded(posting)

    def _exit(self, day: date, posting: ExitFill) -> None:
        proceeds = posting.value if posting.shares < 0 else -posting.value
        self._remove(day, posting.symbol, -posting.shares, proceeds)
        self._traded(posting)

    def _set_levels(self, _day: date, posting: ExitLevels) -> None:
        if posting.given:
            self.levels[posting.symbol] = posting
        else:
            self.levels.pop(posting.symbol, None)

    def _add(self, day: date, posting: OrderFill, cost: int) -> None:
        """Add a lot. A position is long or short as a whole."""
        held = self.held(posting.symbol)
        if posting.shares * cost < 0 or held * posting.shares < 0:
            raise BookMismatch(f"{day}: {posting.kind} of {posting.shares} {posting.symbol}, of which {held} are held.")
        self._set(posting.symbol, (*self.lots.get(posting.symbol, ()), Lot(day, posting.shares, cost)))
        self.cash -= cost

    def _traded(self, posting: OrderFill) -> None:
        self.orders.pop(posting.symbol, None)
        self.cash -= posting.commission
        self.commissions += posting.commission
        self.slippage += posting.slippage
        self.traded += posting.value

    def _split(self, day: date, posting: SplitPosting) -> None:
        lots, before, after = list[Lot](), 0, 0
        lost, since = 0, []
        for lot in self.lots.get(posting.symbol, ()):
            if isinstance(posting, LateSplit) and lot.day.isoformat() >= posting.day:
                since.append(lot)
                continue
            side = 1 if lot.shares > 0 else -1
            before += lot.shares
            whole = side * (abs(before) * posting.numerator // posting.denominator) - after
            after += whole
            if whole:
                lots.append(Lot(lot.day, whole, lot.cost))
            else:
                lost += lot.cost
        lots += since
        after += _count(since)
        if after != posting.shares:
            raise BookMismatch(f"{day}: the split of {posting.symbol} gives {after} shares, not {posting.shares}.")
        self._set(posting.symbol, lots)
        self.cash += posting.cash
        self.realised += posting.cash - lost

    def _dividend(self, day: date, posting: DividendPosting) -> None:
        held = self.held(posting.symbol)
        if held != posting.shares:
            raise BookMismatch(f"{day}: a dividend of {posting.symbol} on {posting.shares} shares; held are {held}.")
        self._late_dividend(day, posting)

    def _late_dividend(self, _day: date, posting: DividendPosting) -> None:
        self.cash += posting.value
        self.dividends += posting.value

    def _delisting(self, day: date, posting: Delisting) -> None:
        self._remove(day, posting.symbol, posting.shares, posting.value)
        if posting.symbol in self.lots:
            raise BookMismatch(f"{day}: {posting.symbol} is delisted, but shares of it are left.")

    def _merger(self, day: date, posting: Merger) -> None:
        """Exchange a position: what it made is realised, and the new lot costs what it is worth."""
        self._remove(day, posting.symbol, posting.shares, posting.value + posting.cash)
        held = self.held(posting.into)
        if posting.symbol in self.lots or held * posting.received < 0 or posting.shares * posting.received < 0:
            raise BookMismatch(f"{day}: {posting.symbol} merged, and its {posting.shares} shares are not exchanged.")
        if posting.received:
            lot = Lot(day, posting.received, posting.value)
            self._set(posting.into, (*self.lots.get(posting.into, ()), lot))
        self.cash -= posting.value

    def _charge(self, _day: date, posting: Charge) -> None:
        self.cash -= posting.value
        self.charges += posting.value

    def _borrow_fee(self, _day: date, posting: BorrowFee) -> None:
        self.cash -= posting.value
        self.borrow_fees += posting.value

    def _interest(self, _day: date, posting: Interest) -> None:
        self.cash += posting.value
        self.interest += posting.value

    def _remove(self, day: date, symbol: str, shares: int, proceeds: int) -> None:
        """Take shares out of the oldest lots: sold ones, or borrowed ones that are given back (both negative)."""
        side = 1 if shares > 0 else -1
        left, cost, rest = abs(shares), 0, list[Lot]()
        for lot in self.lots.get(symbol, ()):
            sold = min(left, max(side * lot.shares, 0))
            share = lot.cost * side * sold // lot.shares if sold else 0
            left, cost = left - sold, cost + share
            if side * lot.shares != sold:
                rest.append(Lot(lot.day, lot.shares - side * sold, lot.cost - share))
        if left:
            raise BookMismatch(f"{day}: {shares} shares of {symbol} are closed, {self.held(symbol)} are held.")
        self._set(symbol, rest)
        self.cash += proceeds
        self.realised += proceeds - cost

    def _set(self, symbol: str, lots: Sequence[Lot]) -> None:
        if lots:
            self.lots[symbol], self._counts[symbol] = tuple(lots), _count(lots)
        else:
            self.lots.pop(symbol, None)
            self._counts.pop(symbol, None)


def _count(lots: Iterable[Lot]) -> int:
    return sum([lot.shares for lot in lots])


_CHANGES: Mapping[type[Posting], Callable[[Book, date, Any], None]] = {
    Deposit: Book._deposit,
    Order: Book._order,
    OrderFill: Book._fill,
    ShortSale: Book._short_sale,
    ShortCover: Book._short_cover,
    ExitFill: Book._exit,
    ExitLevels: Book._set_levels,
    BorrowFee: Book._borrow_fee,
    Interest: Book._interest,
    OrderRest: Book._rest,
    SplitPosting: Book._split,
    LateSplit: Book._split,
    DividendPosting: Book._dividend,
    LateDividend: Book._late_dividend,
    Delisting: Book._delisting,
    Merger: Book._merger,
    Charge: Book._charge,
}
"""Postings that change a book; a clamp does not."""
_SUMS = (
    *("cash", "deposits", "realised", "commissions", "dividends", "interest", "charges", "borrow_fees"),
    *("slippage", "traded"),
)


def _is_owed(posting: Posting) -> bool:
    """Tell whether an account must pay, whatever its cash is: short positions and corrections may leave a debt."""
    if isinstance(posting, SplitPosting | Merger):
        return posting.cash < 0
    owing = DividendPosting | Delisting | Interest
    return isinstance(posting, BorrowFee) or (isinstance(posting, owing) and posting.value < 0)
