"""A book brought to other weights: what each holding would weigh by a scheme of the backtest, and the orders for it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.holdings.book_answers import BookSentence, share_text
from tradingagents.analytics.holdings.book_risk import daily_returns
from tradingagents.analytics.holdings.holder_actions import LEAST_CHANGE, HolderTarget
from tradingagents.analytics.holdings.order_list import HeldInstrument, OrderRules, order_list
from tradingagents.analytics.holdings.weights import Scheme, scheme_weights
from tradingagents.analytics.text import table_of
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.dataflows.valued_book import ValuedBook
from tradingagents.errors import NoData

SESSIONS = 120
"""Daily returns that weights are computed from, at most."""


class RebalancedHolding(BaseModel):
    """One holding before and after. Weights are fractions of everything."""

    model_config = ConfigDict(frozen=True)

    symbol: str
    weight: float
    wanted: float
    """By the scheme."""
    shares: float
    """Whole shares to buy, or negative to sell; 0 where the change is too small for an order."""
    money: float
    """What the order costs, or negative what it brings, in the currency of the book."""
    weight_after: float


class RebalancePlan(Result):
    """Orders that bring the holdings of a book to the weights of a scheme. Nothing is sent anywhere."""

    tabulated: ClassVar[bool] = True

    scheme: Scheme
    equity: float
    cash_before: float
    cash_after: float
    turnover: float
    """Sum of all orders, as a fraction of everything."""
    holdings: tuple[RebalancedHolding, ...]
    sentences: tuple[BookSentence, ...]

    @property
    def title(self) -> str:
        """Heading."""
        return "Rebalancing of your book"

    def figures(self) -> tuple[Figure, ...]:
        """Return turnover and cash, and the weight that each holding should have."""
        whole = (
            Figure("book_value", self.equity, self.currency or ""),
            Figure("rebalance_turnover", 100 * self.turnover, "%"),
            Figure("cash_after_orders", self.cash_after, self.currency or ""),
        )
        return (*whole, *(Figure(f"{row.symbol}_wanted_weight", 100 * row.wanted, "%") for row in self.holdings))

    def lead(self) -> str:
        """Return the sentences."""
        return "\n".join(f"- {sentence.said}" for sentence in self.sentences)

    def body(self) -> str:
        """Return the orders as a table."""
        rows = [
            [
                row.symbol,
                share_text(row.weight),
                share_text(row.wanted),
                f"{row.shares:+,.10g}" if row.shares else "-",
                f"{row.money:+,.2f}" if row.shares else "-",
                share_text(row.weight_after),
            ]
            for row in self.holdings
        ]
        return table_of(["Symbol", "Weight", "Wanted", "Shares", f"Money {self.currency or ''}", "Weight after"], rows)


def rebalance_plan(
    valued: ValuedBook, prices: Mapping[str, Prices], scheme: Scheme, stamp: Mapping[str, Any]
) -> RebalancePlan:
    """Return the orders that bring a book to the weights of a scheme, in whole shares.

    Short positions, and holdings without a value, stay as they are; what is left is shared by the scheme.

    Args:
        valued: The book at the last closes.
        prices: Of its instruments, by symbol.
        scheme: How the weights are computed.
        stamp: Source, day and times of the answer.

    Raises:
        NoData: Nothing is held long that has a value.
    """
    weights = valued.weights()
    held = _instruments(valued)
    long = sorted(symbol for symbol in held if held[symbol].quantity > 0 and symbol in prices)
    if not long or valued.equity <= 0:
        raise NoData("Nothing that is held long has a value on this day, so that nothing can be rebalanced.")
    wanted = _wanted(scheme, long, [prices[symbol] for symbol in long], weights)
    targets = {symbol: _target(weights[symbol], wanted[symbol]) for symbol in long}
    rules = OrderRules(max_positions=len(held), max_position=1.0, max_sector=1.0, max_turnover=2.0, min_cash=0.0)
    found = order_list(held, targets, valued.cash, rules)
    if found is None:
        raise NoData("The book is worth nothing on this day, so that nothing can be rebalanced.")
    rows = []
    for line in found.lines:
        size = (held[line.symbol].quantity + line.shares) * line.price / found.equity
        rows.append(
            RebalancedHolding(
                symbol=line.symbol,
                weight=weights[line.symbol],
                wanted=wanted[line.symbol],
                shares=line.shares,
                money=line.value,
                weight_after=size,
            )
        )
    rows.sort(key=lambda row: (row.shares > 0, row.shares == 0, row.symbol))
    return RebalancePlan(
        **stamp,
        currency=valued.currency,
        scheme=scheme,
        equity=found.equity,
        cash_before=valued.cash,
        cash_after=found.cash,
        turnover=found.turnover,
        holdings=tuple(rows),
        sentences=tuple(BookSentence(said=text) for text in _said(rows, scheme, found.turnover)),
        notes=tuple(f"{symbol} has no value and stays as it is." for symbol in valued.without_value),
    )


def _instruments(valued: ValuedBook) -> dict[str, HeldInstrument]:
    """Return what is held with a value, all accounts together, at prices in the currency of the book."""
    found: dict[str, HeldInstrument] = {}
    for position in valued.positions:
        if position.value is None or position.price is None or position.rate is None:
            continue
        earlier = found.get(position.symbol)
        quantity = position.quantity + (earlier.quantity if earlier else 0.0)
        found[position.symbol] = HeldInstrument(quantity, position.price * position.rate)
    return found


def _wanted(
    scheme: Scheme, symbols: Sequence[str], prices: Sequence[Prices], weights: Mapping[str, float]
) -> dict[str, float]:
    """Return the weights of a scheme, scaled to what the other holdings leave."""
    returns = daily_returns(dict(zip(symbols, prices, strict=True)), sessions=SESSIONS).columns(symbols)
    shares = scheme_weights(scheme, dict.fromkeys(symbols, 1.0), returns, 1.0 / len(symbols))
    left = min(1.0, max(0.0, 1 - math.fsum(weight for symbol, weight in weights.items() if symbol not in symbols)))
    whole = math.fsum(shares.values())
    return {symbol: share * left / whole for symbol, share in shares.items()}


def _target(weight: float, wanted: float) -> HolderTarget:
    if abs(wanted - weight) < LEAST_CHANGE:
        return HolderTarget("hold", weight, "the change would be too small for an order")
    return HolderTarget("add" if wanted > weight else "trim", wanted, "the scheme asks for another weight")


def _said(rows: Sequence[RebalancedHolding], scheme: Scheme, turnover: float) -> list[str]:
    orders = [row for row in rows if row.shares]
    named = scheme.replace("_", " ")
    if not orders:
        return [f"Nothing to do: the holdings weigh what the scheme ({named}) asks for, within whole shares."]
    sold, bought = sum(row.shares < 0 for row in orders), sum(row.shares > 0 for row in orders)
    counted = f"{sold} sale{'' if sold == 1 else 's'} and {bought} purchase{'' if bought == 1 else 's'}"
    traded = f"{share_text(turnover)} of everything is traded. Costs are not counted."
    return [f"{counted} bring the holdings to weights by the scheme {named}; {traded}"]
