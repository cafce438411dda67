"""The books once more: cash and shares of a ledger in exact decimals, by none of the code that keeps them.

Besides folding the postings, it can trade target weights from prices by itself, which is how baselines are checked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from typing import Any

from tradingagents.features.backtest.audit.second.prices import SymbolHistory
from tradingagents.features.backtest.audit.second.rates import SecondBills

CENT = Decimal("0.01")
TRADES = ("fill", "short_sale", "short_cover")
"""Kinds of postings that trade shares."""
KNOWN = frozenset(
    (
        *TRADES,
        "deposit",
        "split",
        "dividend",
        "delisting",
        "merger",
        "interest",
        "charge",
        "borrow_fee",
        "margin_call",
        "clamp",
        "order",
    )
) | {"unfilled"}
"""Kinds of postings that an account has."""
EXITS = ("levels", "exit")
"""Kinds of postings of an account that follows stops and targets."""
LATE = ("late_dividend", "late_split")
ON_PAPER = frozenset(("bar", "correction", "decision", *LATE))
"""Kinds of postings that only a paper account has."""


def money(amount: float | Decimal) -> Decimal:
    """Return an amount rounded to the cent, halves to even."""
    return Decimal(str(amount) if isinstance(amount, float) else amount).quantize(CENT, ROUND_HALF_EVEN)


def from_cents(value: Any) -> Decimal:
    """Return cents of a ledger as an amount."""
    return Decimal(str(value)) / 100


@dataclass
class SecondBook:
    """Cash, shares and sums of an account, folded from the JSON of its postings."""

    cash: Decimal = Decimal(0)
    shares: dict[str, Decimal] = field(default_factory=dict)
    sums: dict[str, Decimal] = field(default_factory=dict)
    """By posting kind and amount, such as commissions; what a result states."""
    counts: dict[str, int] = field(default_factory=dict)

    def held(self, symbol: str) -> Decimal:
        """Return the shares of a symbol; 0 for none."""
        return self.shares.get(symbol, Decimal(0))

    def apply(self, posting: Mapping[str, Any]) -> None:
        """Fold a posting. Kinds that are not known change nothing."""
        kind, symbol = posting["kind"], posting.get("symbol", "")
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if kind == "deposit":
            self._pay("deposits", from_cents(posting["amount"]))
        elif kind in (*TRADES, "exit"):
            shares, value = Decimal(str(posting["shares"])), from_cents(posting["value"])
            self._move(symbol, shares)
            self.cash += value if shares < 0 else -value
            self.cash -= from_cents(posting["commission"])
            self._sum("commissions", from_cents(posting["commission"]))
            self._sum("slippage", from_cents(posting["slippage"]))
            self._sum("traded", value)
        elif kind in ("split", "late_split"):
            self._set(symbol, Decimal(str(posting["shares"])))
            self._pay("fractions", from_cents(posting["cash"]))
        elif kind in ("dividend", "late_dividend"):
            self._pay("dividends", from_cents(posting["value"]))
        elif kind == "delisting":
            self._move(symbol, -Decimal(str(posting["shares"])))
            self._pay("delisted", from_cents(posting["value"]))
        elif kind == "merger":
            self._move(symbol, -Decimal(str(posting["shares"])))
            self._move(posting["into"], Decimal(str(posting["received"])))
            self._pay("merged", from_cents(posting["cash"]))
        elif kind == "charge":
            self._pay("charges", -from_cents(posting["value"]))
        elif kind == "borrow_fee":
            self._pay("borrow_fees", -from_cents(posting["value"]))
        elif kind == "interest":  # a debt pays it
            self.cash += from_cents(posting["value"])
            self._sum("interest", from_cents(posting["value"]))

    def value(self, prices: Mapping[str, float]) -> Decimal:
        """Return cash and positions at prices, each position rounded to the cent. KeyError: a price is missing."""
        return self.cash + sum(
            (money(float(count) * prices[symbol]) for symbol, count in self.shares.items()), Decimal(0)
        )

    def _pay(self, name: str, amount: Decimal) -> None:
        self.cash += amount
        self._sum(name, abs(amount))

    def _sum(self, name: str, amount: Decimal) -> None:
        self.sums[name] = self.sums.get(name, Decimal(0)) + amount

    def _move(self, symbol: str, shares: Decimal) -> None:
        self._set(symbol, self.held(symbol) + shares)

    def _set(self, symbol: str, shares: Decimal) -> None:
        if shares:
            self.shares[symbol] = shares
        else:
            self.shares.pop(symbol, None)


@dataclass(frozen=True)
class StatedCosts:
    """The costs that a request states."""

    per_share: float
    least: float
    half_spread: float
    impact: float
    participation: float
    conversion: float = 0.0
    """Of symbols in another currency."""

    @classmethod
    def of(cls, request: Mapping[str, Any]) -> StatedCosts:
        """Read them from a request."""
        costs = request["costs"]
        return cls(
            costs["commission_per_share"], costs["min_commission"], costs["half_spread"], costs["impact"],
            costs["max_participation"], costs.get("conversion", 0.0),
        )  # fmt: skip

    def of_foreign(self) -> StatedCosts:
        """Return the costs of a symbol in another currency: each trade exchanges money."""
        return replace(self, half_spread=self.half_spread + self.conversion)

    def commission(self, shares: float) -> Decimal:
        """Return the commission on shares."""
        return max(_in_cents(abs(shares) * self.per_share), _in_cents(self.least)) if shares else Decimal(0)

    def price(self, shares: float, opened: float, volume: float) -> float:
        """Return the price of a fill at an open: half the spread and the impact go against the order."""
        against = self.half_spread + self.impact * math.sqrt(abs(shares) / volume)
        return max(opened * (1 + math.copysign(against, shares)), 0.01)


class SecondTrader:
    """Trades target weights at the next open, as the documentation says; for baselines without limits."""

    def __init__(
        self,
        histories: Mapping[str, SymbolHistory],
        costs: StatedCosts,
        deposit: float,
        foreign: frozenset[str] = frozenset(),
        bills: SecondBills | None = None,
    ) -> None:
        """Begin with a deposit; trades of foreign symbols exchange money, and cash earns what bills do."""
        self._histories, self._costs, self._foreign, self._bills = histories, costs, foreign, bills
        self._cash, self._shares, self._orders = _in_cents(deposit), dict[str, int](), dict[str, int]()

    def equity(
        self, sessions: Sequence[date], targets: Mapping[date, Mapping[str, float]], least_trade: float = 0.0025
    ) -> dict[date, float]:
        """Return the equity at each close.

        Args:
            sessions: In order.
            targets: Weights by the session after whose close they are wanted.
            least_trade: Smaller changes of a position, as a share of the account, are not traded unless it is closed.
        """
        found: dict[date, float] = {}
        for before, day in zip((None, *sessions), sessions, strict=False):
            if before is not None and self._bills is not None:
                self._cash += self._bills.paid(self._cash, before, day)
            self._act(day)
            self._fill(day)
            closes = {
                symbol: self._histories[symbol].last_close(day) for symbol in {*self._shares, *targets.get(day, {})}
            }
            worth = self._cash + sum(
                (_in_cents(count * closes[symbol]) for symbol, count in self._shares.items()), Decimal(0)
            )
            found[day] = float(worth)
            if day in targets:
                self._order(day, targets[day], closes, float(worth), least_trade)
        return found

    def _act(self, day: date) -> None:
        ended: list[tuple[str, int]] = []
        for symbol in sorted({*self._shares, *self._orders}):
            history, held = self._histories[symbol], self._shares.get(symbol, 0)
            if (ratio := history.splits.get(day)) is not None:
                if symbol in self._orders:
                    self._orders[symbol] = math.trunc(self._orders[symbol] * ratio)
                whole = math.floor(held * ratio)
                at = history.at(day, "open") if history.traded(day) else history.last_close(day)
                self._cash += _in_cents(float(held * ratio - whole) * at) if held else Decimal(0)
                held = whole
            if held and day in history.dividends:
                self._cash += _in_cents(held * history.dividends[day])
            if history.gone_from is not None and day >= history.gone_from:
                self._orders.pop(symbol, None)
                ended.append((symbol, held))
            self._keep(symbol, held)
        for symbol, held in ended:
            self._keep(symbol, 0)
            self._end(symbol, held, day)

    def _end(self, symbol: str, held: int, day: date) -> None:
        """Pay what holders of a company got: its last close, cash, or shares of another and cash."""
        end = self._histories[symbol].end
        if not held:
            return
        if end is None or end.into is None:
            known = end.cash if end is not None else None
            self._cash += _in_cents(held * (self._histories[symbol].last_close(day) if known is None else known))
            return
        other, shares = self._histories[end.into], end.shares or 0.0
        opened = other.at(day, "open") if other.traded(day) else other.last_close(day)
        exact = held * Fraction(shares).limit_denominator(10_000)
        whole = math.floor(exact)
        self._cash += _in_cents(held * (end.cash or 0.0) + float(exact - whole) * opened)
        self._keep(end.into, self._shares.get(end.into, 0) + whole)

    def _fill(self, day: date) -> None:
        for symbol, wanted in sorted(self._orders.items(), key=lambda order: (order[1] > 0, order[0])):
            history = self._histories[symbol]
            if wanted < 0:
                wanted = max(wanted, -self._shares.get(symbol, 0))  # noqa: PLW2901 - never more than is held
            if wanted and history.traded(day):
                self._trade(symbol, wanted, history.at(day, "open"), history.at(day, "volume"))
        self._orders.clear()

    def _trade(self, symbol: str, wanted: int, opened: float, volume: float) -> None:
        side, costs = (1 if wanted > 0 else -1), self._costs.of_foreign() if symbol in self._foreign else self._costs
        count = min(abs(wanted), math.floor(volume * costs.participation))

        def after(shares: int) -> Decimal:
            paid = _in_cents(shares * costs.price(side * shares, opened, volume)) if shares else Decimal(0)
            return self._cash - side * paid - costs.commission(shares)

        if side > 0:
            count = _most(count, lambda shares: after(shares) >= 0)
        elif after(count) < 0:
            count = 0  # a sale that would not pay its commission
        self._cash = after(count)
        self._keep(symbol, self._shares.get(symbol, 0) + side * count)

    def _order(
        self, day: date, weights: Mapping[str, float], closes: Mapping[str, float], worth: float, least_trade: float
    ) -> None:
        for symbol in sorted({*self._shares, *weights}):
            history, price = self._histories[symbol], closes[symbol]
            if math.isnan(price) or (history.gone_from is not None and day >= history.gone_from):
                continue
            goal = math.floor((weights.get(symbol, 0.0) * worth + 0.005) / price)
            change = goal - self._shares.get(symbol, 0)
            if change and not (goal and abs(change * price) < least_trade * worth):
                self._orders[symbol] = change

    def _keep(self, symbol: str, shares: int) -> None:
        if shares:
            self._shares[symbol] = shares
        else:
            self._shares.pop(symbol, None)


def _in_cents(amount: float) -> Decimal:
    """Return an amount rounded to the cent as the ledger's whole cents are.

    `money` rounds what the figure shows. Of 1234.565 both see a half, but a hundred times the float may lie just below
    it; over many trades such a cent becomes a share more or less. A day without a price has no amount.
    """
    return Decimal("NaN") if math.isnan(amount) else Decimal(round(amount * 100)) / 100


def _most(count: int, fits: Any) -> int:
    """Return the largest number up to `count` that fits, where each smaller one fits too."""
    low, high = 0, count
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low
