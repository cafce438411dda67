"""The simulated broker: what an order of whole shares gets at a session's open, and what it costs."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tradingagents.analytics.holdings.limits import commission
from tradingagents.features.backtest.postings import CENTS, OrderFill, OrderRest, cents
from tradingagents.features.backtest.traded_prices import SessionBar


@dataclass(frozen=True, slots=True)
class TradingCosts:
    """What trading costs, and how much of a session's volume an order may take."""

    commission_per_share: float = 0.005
    """In the account's currency."""
    min_commission: float = 1.0
    """Per order that is filled at least in part."""
    half_spread: float = 0.0002
    """Fraction of the price."""
    impact: float = 0.02
    """Fraction of the price that an order of a whole session's volume would move it; smaller ones by the square root of
    their share of it (Almgren and others, 2005, round the exponent of 0.6 to it)."""
    max_participation: float = 0.1
    """Largest share of the session's volume."""
    conversion: float = 0.001
    """Fraction of the price, each way, and of dividends, of a symbol in another currency than the account's."""

    def commission(self, shares: int) -> int:
        """Return the commission on shares in cents; 0 for none."""
        return cents(commission(shares, self.commission_per_share, self.min_commission))


def execute(
    symbol: str, shares: int, bar: SessionBar | None, costs: TradingCosts, cash: int, *, used: int = 0
) -> list[OrderFill | OrderRest]:
    """Return the fill of a market order at the open, and what is left of it.

    Args:
        shares: Whole shares; negative to sell.
        bar: The session; None for a halt.
        costs: Commission, spread, impact and the limit of volume.
        cash: Cents that a purchase and its commission may take.
        used: Shares of the session that the account has traded before in the same direction.
    """
    if bar is None:
        return [OrderRest(symbol, shares, "halted")]
    side, wanted = (1 if shares > 0 else -1), abs(shares)
    count = max(0, min(wanted, math.floor(bar.volume * costs.max_participation) - used))
    parts: list[OrderFill | OrderRest] = []
    if count < wanted:
        parts.append(OrderRest(symbol, side * (wanted - count), "volume"))
    if side > 0 and count:
        affordable = _affordable(count, bar, costs, cash, used)
        if affordable < count:
            parts.append(OrderRest(symbol, count - affordable, "cash"))
        count = affordable
    elif count and cash + cents(count * trade_price(-1, count + used, bar, costs)) < costs.commission(count):
        parts, count = [OrderRest(symbol, shares, "cash")], 0  # a sale that would not pay its commission
    if count:
        parts.insert(0, _fill(symbol, side, count, bar, costs, used))
    return parts


def trade_price(side: int, count: int, bar: SessionBar, costs: TradingCosts) -> float:
    """Return the price per share with spread and impact; a sale gets a cent at least.

    Args:
        side: 1 to buy, -1 to sell.
        count: Shares of the session that the account trades in this direction.
        costs: Spread and impact.
    """
    participation = count / bar.volume if bar.volume else 0.0
    return max(bar.open * (1 + side * (costs.half_spread + costs.impact * math.sqrt(participation))), 1 / CENTS)


def _affordable(count: int, bar: SessionBar, costs: TradingCosts, cash: int, used: int) -> int:
    """Return the most shares up to `count` whose price and commission the cash covers."""

    def cost(shares: int) -> int:
        return cents(shares * trade_price(1, shares + used, bar, costs)) + costs.commission(shares)

    low, high = 0, count
    while low < high:  # the cost grows with the number of shares
        middle = (low + high + 1) // 2
        low, high = (middle, high) if cost(middle) <= cash else (low, middle - 1)
    return low


def _fill(symbol: str, side: int, count: int, bar: SessionBar, costs: TradingCosts, used: int) -> OrderFill:
    price = trade_price(side, count + used, bar, costs)
    value = cents(count * price)
    slippage = side * (value - cents(count * bar.open))
    return OrderFill(symbol, side * count, price, value, costs.commission(count), slippage)
