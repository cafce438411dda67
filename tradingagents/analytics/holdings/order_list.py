"""One list of orders from all decisions of a day: feasible as a whole, sales before purchases.

Limits cut what makes a position larger; they never force a sale that no decision asks for. Amounts are in one currency,
weights are fractions of the value of all holdings and cash before the orders. The order of the instruments plays no
part: what is scarce is shared in proportion.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from tradingagents.analytics.holdings.holder_actions import HolderTarget
from tradingagents.analytics.holdings.limits import UNKNOWN, PositionLimits
from tradingagents.schemas.portfolio import HolderAction

Limit = Literal[
    "max_positions", "max_position", "max_sector", "max_turnover", "min_cash", "whole_shares", "least_order"
]
SMALLEST = 1 / 8192
"""Part of a share that orders are rounded to where fractions are traded; a power of two, so that sums are exact."""
EXACT = 1e-9
"""What two amounts may differ in by rounding of binary fractions, in shares."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRules(PositionLimits):
    """What a list of orders must keep to. Where there is less cash than the least already, nothing is bought."""

    max_turnover: float = 1.0
    """Largest sum of all orders."""
    margin: float = 0.5
    """Cash that a new short position binds, as a fraction of its size."""
    whole_shares: bool = True
    commission: Callable[[float, float], float] = lambda shares, price: 0.0  # noqa: ARG005 - free, whatever is traded
    """Cost of an order from its shares and price."""


@dataclass(frozen=True, slots=True)
class HeldInstrument:
    """An instrument that is held or decided on."""

    quantity: float
    """Signed; 0 where nothing is held."""
    price: float
    """Of one unit, above 0."""
    sector: str | None = None


@dataclass(frozen=True, slots=True)
class OrderLine:
    """What is done about one decision."""

    symbol: str
    action: HolderAction
    """That of the decision; hold where nothing is left of it."""
    shares: float
    """Positive to buy, negative to sell; 0 for a hold."""
    price: float
    commission: float
    cut_by: tuple[Limit, ...]
    """The limits that made the order smaller than the decision asks for."""

    @property
    def value(self) -> float:
        """Return the amount traded, positive for a purchase."""
        return self.shares * self.price


@dataclass(frozen=True, slots=True)
class OrderList:
    """All orders of a day: sales, then purchases, each by symbol; then what is held."""

    lines: tuple[OrderLine, ...]
    equity: float
    cash: float
    """After all orders."""

    @property
    def orders(self) -> tuple[OrderLine, ...]:
        """Return the lines that trade something."""
        return tuple(line for line in self.lines if line.shares)

    @property
    def turnover(self) -> float:
        """Return the sum of all orders as a fraction of the equity."""
        return math.fsum(abs(line.value) for line in self.lines) / self.equity


def order_list(
    held: Mapping[str, HeldInstrument], targets: Mapping[str, HolderTarget], cash: float, rules: OrderRules
) -> OrderList | None:
    """Return what to trade; None where holdings and cash are worth nothing, so that a weight means nothing.

    Args:
        held: Every instrument that is held or decided on, by symbol.
        targets: What each decision asks for; instruments without one stay as they are.
        cash: In the same currency as the prices; negative for a debt.
        rules: Limits and costs.
    """
    equity = math.fsum([cash, *(part.quantity * part.price for part in held.values())])
    if equity <= 0:
        return None
    plan = _Plan(held, targets, equity, rules)
    cash = plan.reduce(cash)
    plan.limit()
    cash = plan.enlarge(cash)
    return OrderList(plan.lines(), equity, cash)


class _Plan:
    """Changes of the sizes of positions, as fractions of the equity, what has cut them, and the shares they come to."""

    def __init__(
        self, held: Mapping[str, HeldInstrument], targets: Mapping[str, HolderTarget], equity: float, rules: OrderRules
    ) -> None:
        self._held, self._targets, self._equity, self._rules = held, targets, equity, rules
        self._sizes = {symbol: abs(held[symbol].quantity) * held[symbol].price / equity for symbol in sorted(held)}
        traded = [symbol for symbol in sorted(targets) if targets[symbol].action != "hold"]  # a hold has no cut
        changes = {symbol: abs(targets[symbol].weight) - self._sizes[symbol] for symbol in traded}
        self._down = {symbol: -change for symbol, change in changes.items() if change < 0}
        """How much smaller a position becomes."""
        self._up = {symbol: change for symbol, change in changes.items() if change > 0}
        self._cuts: dict[str, list[Limit]] = {}
        self._step = 1.0 if rules.whole_shares else SMALLEST
        self._shares: dict[str, float] = {}

    def reduce(self, cash: float) -> float:
        """Sell what is held, then buy back what was sold short as far as the cash lasts; return the cash."""
        self._cut(self._down, self._down, self._rules.max_turnover, "max_turnover")
        for symbol in self._down:
            if self._held[symbol].quantity > 0:
                shares = self._reduced(symbol)
                brings = shares * self._held[symbol].price - self._commission(symbol, shares)
                if shares and brings <= 0:
                    self._note(symbol, "least_order")
                    continue
                self._shares[symbol] = -shares
                cash += brings if shares else 0.0
        covers = [symbol for symbol in self._down if self._held[symbol].quantity < 0]
        return self._buy({symbol: self._reduced(symbol) for symbol in covers}, cash, cash)

    def limit(self) -> None:
        """Cut what makes positions larger to the limits of positions, sectors and turnover, as sales have left them."""
        rules = self._rules
        left = {
            symbol: abs(part.quantity + self._shares.get(symbol, 0.0)) * part.price / self._equity
            for symbol, part in sorted(self._held.items())
        }
        opened = [symbol for symbol in self._up if not self._sizes[symbol]]
        room = max(0, rules.max_positions - sum(size > 0 for size in left.values()))
        for symbol in sorted(opened, key=lambda symbol: (-self._up[symbol], symbol))[room:]:
            self._cut(self._up, [symbol], 0.0, "max_positions")
        for symbol in self._up:
            self._cut(self._up, [symbol], rules.max_position - self._sizes[symbol], "max_position")
        for sector in sorted({self._sector(symbol) for symbol in self._up}):
            members = [symbol for symbol in left if self._sector(symbol) == sector]
            self._cut(self._up, members, rules.max_sector - math.fsum(left[symbol] for symbol in members), "max_sector")
        self._cut(self._up, self._up, self._turnover_left() / self._equity, "max_turnover")

    def enlarge(self, cash: float) -> float:
        """Buy, and sell short, as far as the cash beyond its least lasts; return the cash."""
        bound = math.fsum(
            -quantity * part.price * (1 + self._rules.margin)
            for symbol, part in self._held.items()
            if (quantity := part.quantity + self._shares.get(symbol, 0.0)) < 0
        )
        wanted = {
            symbol: self._rounded(change * self._equity / self._held[symbol].price)
            for symbol, change in self._up.items()
        }
        return self._buy(wanted, cash, cash - bound - self._rules.min_cash * self._equity)

    def lines(self) -> tuple[OrderLine, ...]:
        """Return a line a decision: sales, purchases, holds."""
        lines = []
        for symbol, target in self._targets.items():
            shares = self._shares.get(symbol, 0.0)
            if not shares and target.action != "hold" and symbol not in self._cuts:
                self._note(symbol, "whole_shares")
            lines.append(
                OrderLine(
                    symbol=symbol,
                    action=target.action if shares else "hold",
                    shares=shares,
                    price=self._held[symbol].price,
                    commission=self._commission(symbol, abs(shares)) if shares else 0.0,
                    cut_by=tuple(self._cuts.get(symbol, ())),
                )
            )
        return tuple(sorted(lines, key=lambda line: ((line.shares > 0) + 2 * (line.shares == 0), line.symbol)))

    def _buy(self, wanted: Mapping[str, float], cash: float, free: float) -> float:
        """Trade shares that bind cash, all in the same proportion where there is not enough; return the cash."""
        needs = {symbol: self._binds(symbol, shares) for symbol, shares in wanted.items() if shares}
        whole = math.fsum(needs.values())
        part = max(0.0, free) / whole if whole > max(0.0, free) else 1.0
        for symbol, need in needs.items():
            shares = wanted[symbol]
            if part < 1:
                self._note(symbol, "min_cash")
                fixed = self._commission(symbol, shares)  # as much as fewer shares cost, or more
                shares = self._rounded(max(0.0, part * need - fixed) / (need - fixed) * shares)
            if shares:
                short = self._opens_short(symbol)
                self._shares[symbol] = -shares if short else shares
                cash += shares * self._held[symbol].price * (1 if short else -1) - self._commission(symbol, shares)
        return cash

    def _reduced(self, symbol: str) -> float:
        """Return by how many shares a position becomes smaller: all where it ends, more than enough for a limit."""
        part, change = self._held[symbol], self._down[symbol]
        owned = abs(part.quantity)
        if change >= self._sizes[symbol] * (1 - 1e-12):
            return owned
        shares = change * self._equity / part.price
        fewer = min(owned, self._rounded(shares))
        at_limit = abs(self._targets[symbol].weight) >= self._rules.max_position * (1 - 1e-12)
        if not at_limit or symbol in self._cuts or shares - fewer <= EXACT:
            return fewer
        others = math.fsum(down for other, down in self._down.items() if other not in {symbol, *self._shares})
        more = min(owned, fewer + self._step)
        return more if more * part.price <= self._turnover_left() - others * self._equity else fewer

    def _turnover_left(self) -> float:
        """Return the amount that may still be traded."""
        traded = math.fsum(abs(shares) * self._held[symbol].price for symbol, shares in self._shares.items())
        return self._rules.max_turnover * self._equity - traded

    def _binds(self, symbol: str, shares: float) -> float:
        """Return the cash that an order takes, or binds as the margin of a short position."""
        part = self._rules.margin if self._opens_short(symbol) else 1.0
        return shares * self._held[symbol].price * part + self._commission(symbol, shares)

    def _opens_short(self, symbol: str) -> bool:
        return symbol in self._up and self._targets[symbol].weight < 0

    def _commission(self, symbol: str, shares: float) -> float:
        return self._rules.commission(shares, self._held[symbol].price)

    def _rounded(self, shares: float) -> float:
        """Return shares rounded down to what can be traded."""
        return math.floor(shares / self._step + EXACT) * self._step

    def _sector(self, symbol: str) -> str:
        return self._held[symbol].sector or UNKNOWN

    def _cut(self, changes: dict[str, float], symbols: Iterable[str], most: float, limit: Limit) -> None:
        """Scale changes so that they sum to `most` at most."""
        changed = [symbol for symbol in symbols if changes.get(symbol)]
        total = math.fsum(changes[symbol] for symbol in changed)
        if total <= most:
            return
        for symbol in changed:
            changes[symbol] *= max(0.0, most) / total
            self._note(symbol, limit)

    def _note(self, symbol: str, limit: Limit) -> None:
        limits = self._cuts.setdefault(symbol, [])
        if limit not in limits:
            limits.append(limit)
