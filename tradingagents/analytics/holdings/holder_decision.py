"""What a decision on one instrument means for the book of its reader: action, shares, money, and what they change."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tradingagents.analytics.holdings.book_risk import BookSwing
from tradingagents.analytics.holdings.holder_actions import HolderRules, HolderTarget, View, holder_target
from tradingagents.analytics.holdings.order_list import OrderLine, OrderRules, order_list
from tradingagents.analytics.holdings.reader_book import ReaderBook
from tradingagents.schemas.portfolio import BeforeAfter, HolderRecord


def holder_decision(
    reader: ReaderBook,
    symbol: str,
    decided: tuple[View, float, float | None],
    levels: tuple[float | None, float | None],
    orders: OrderRules,
    *,
    shorting: bool,
) -> HolderRecord:
    """Return what a decision means for a book, without the instrument's price, which the run knows.

    Args:
        reader: The book on the day of the decision.
        symbol: The instrument.
        decided: Action of the decision, its conviction from 0 to 1, and the weight that it asks for; None for the
            last: the largest, times the conviction.
        levels: Its stop and target.
        orders: Limits and costs.
        shorting: Whether a SELL may sell short what is not held.
    """
    (view, conviction, wanted), quantity = decided, reader.quantity(symbol)
    rules = HolderRules(max_position=orders.max_position, shorting=shorting)
    size = orders.max_position * conviction if wanted is None else wanted
    record = HolderRecord(
        hash=reader.book.digest,
        day=str(reader.book.day or reader.valued.day),
        currency=reader.valued.currency,
        equity=reader.equity,
        action="hold",
        why="",
        quantity=quantity,
        notes=reader.notes(),
        **_paid(reader, symbol),
    )
    if not reader.is_counted(symbol):
        return record.model_copy(update={"why": "how many units are held is not sure"})
    if symbol not in reader.instruments or reader.equity <= 0:
        return _without_weights(record, holder_target(view, conviction, _as_much(quantity, rules), size, rules), levels)
    target = holder_target(view, conviction, reader.weight(symbol), size, rules)
    listed = order_list(reader.instruments, {symbol: target}, reader.cash, orders)
    line = listed.lines[0] if listed else None
    if line is None or listed is None:
        return _without_weights(record, target, levels)
    stop, goal = levels if quantity + line.shares else (None, None)
    ordered = {"action": line.action, "why": target.why, "shares": line.shares, "cut_by": line.cut_by}
    money = {"money": line.value + line.commission, "stop": stop, "target": goal}
    return record.model_copy(update={**ordered, **money, **_changes(reader, line, listed.cash)})


def _changes(reader: ReaderBook, line: OrderLine, cash: float) -> dict[str, Any]:
    """Return what an order changes in a book.

    Args:
        reader: The book before.
        line: The order.
        cash: After it.
    """
    before, after = reader.valued.weights(), _weights_after(reader, line)
    sector = reader.instruments[line.symbol].sector
    return {
        "weight": _both(before.get(line.symbol, 0.0), after.get(line.symbol, 0.0)),
        "sector": sector,
        "sector_weight": _both(reader.sector_weight(sector, before), reader.sector_weight(sector, after)),
        "cash": _both(reader.cash / reader.equity, cash / reader.equity),
        **_risk_change(reader.returns.swing(before), reader.returns.swing(after)),
    }


def _as_much(quantity: float, rules: HolderRules) -> float:
    """Return the weight that stands for a position whose own is not known: the largest one."""
    return math.copysign(rules.max_position, quantity) if quantity else 0.0


def _without_weights(
    record: HolderRecord, target: HolderTarget, levels: tuple[float | None, float | None]
) -> HolderRecord:
    """Return what a decision means where no weight can be said: only what makes a position smaller has a size."""
    part = {"close": 1.0, "cover": 1.0, "trim": 0.5}.get(target.action, 0.0)
    shares = (
        -part * record.quantity
        if part == 1
        else -math.copysign(math.floor(part * abs(record.quantity)), record.quantity)
    )
    left = record.quantity + shares
    unknown = "Its weight in the book is not known, so that nothing is bought."
    return record.model_copy(
        update={
            "action": target.action if shares else "hold",
            "why": target.why if shares or target.action == "hold" else "its weight in the book is not known",
            "shares": shares,
            "stop": levels[0] if left else None,
            "target": levels[1] if left else None,
            "notes": (*record.notes, unknown),
        }
    )


def _paid(reader: ReaderBook, symbol: str) -> dict[str, float]:
    """Return the average price over all accounts in units of the day, and the gain on it; nothing where not known."""
    held = [position for position in reader.valued.positions if position.symbol == symbol]
    splits = reader.quantity(symbol) / reader.book.quantity(symbol) if reader.book.quantity(symbol) else 1.0
    paid = reader.book.average_price(symbol)
    if paid is None:
        return {}
    price = paid[0] / splits
    gains = [position.gain for position in held if position.gain is not None]
    close = next((position.price for position in held if position.price is not None), None)
    if len(gains) < len(held) or close is None or not price:
        return {"average_price": price}
    return {"average_price": price, "gain": math.copysign(1.0, held[0].quantity) * (close / price - 1)}


def _weights_after(reader: ReaderBook, line: OrderLine) -> Mapping[str, float]:
    """Return the weights after an order; its cost lowers what all are worth."""
    equity = reader.equity - line.commission
    prices = {symbol: part.price for symbol, part in reader.instruments.items()}
    sizes = {symbol: part.quantity * part.price for symbol, part in reader.instruments.items() if part.quantity}
    sizes[line.symbol] = sizes.get(line.symbol, 0.0) + line.shares * prices[line.symbol]
    return {symbol: size / equity for symbol, size in sizes.items() if size}


def _both(before: float, after: float) -> BeforeAfter:
    return BeforeAfter(before=round(before, 6), after=round(after, 6))


def _risk_change(before: BookSwing | None, after: BookSwing | None) -> dict[str, BeforeAfter]:
    """Return beta and volatility before and after; a book without positions has none of either."""
    if before is None and after is None:
        return {}
    found = {"volatility": _both(before.volatility if before else 0.0, after.volatility if after else 0.0)}
    betas = [risk.beta if risk else 0.0 for risk in (before, after)]
    first, last = betas
    return found if first is None or last is None else {"beta": _both(first, last), **found}
