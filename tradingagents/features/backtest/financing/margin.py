"""Short positions of an account: what they must be covered by, what borrowing costs, and when they are closed by force.

Long positions are no collateral: cash must cover buying all borrowed shares back, and a margin on top.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date

from tradingagents.features.backtest.book import Book
from tradingagents.features.backtest.limits import ShortRules
from tradingagents.features.backtest.postings import CENTS, BorrowFee, MarginCall, Order, Posting, cents

YEAR = 360
"""Days of a year in stock loans, whose fees accrue by calendar days."""


def short_value(book: Book, prices: Mapping[str, float]) -> int:
    """Return what the borrowed shares are worth, in cents; 0 for none."""
    return sum(cents(-count * prices[symbol]) for symbol, count in book.shares.items() if count < 0)


def free_cash(book: Book, prices: Mapping[str, float], margin: float) -> int:
    """Return the cents that short positions and their margin leave for purchases; negative where they lack."""
    return book.cash - math.ceil((1 + margin) * short_value(book, prices))


def most_short(free: int, price: float, opened: float, margin: float) -> int:
    """Return the shares that may be sold short with free cash in cents.

    Args:
        free: What `free_cash` leaves, less the commission.
        price: What a share brings.
        opened: What buying it back costs at the open.
        margin: Cash that is needed beyond it, as a fraction.
    """
    lacking = (1 + margin) * opened - price
    return max(0, math.floor(free / CENTS / lacking)) if lacking > 0 else 0


def borrow_fees(book: Book, closes: Mapping[str, float], before: date, day: date, rules: ShortRules) -> list[BorrowFee]:
    """Return the fees for the shares that were borrowed over the night, or over a weekend, at the closes before."""
    days = (day - before).days
    rate = rules.borrow_bp / 10_000 * days / YEAR
    shares = sorted((symbol, count) for symbol, count in book.shares.items() if count < 0)
    fees = [BorrowFee(symbol, count, days, cents(-count * closes[symbol] * rate)) for symbol, count in shares]
    return [fee for fee in fees if fee.value]


def forced_orders(book: Book, closes: Mapping[str, float], rules: ShortRules) -> list[Posting]:
    """Return a margin call with the orders that end it; empty while the cash covers the maintenance margin.

    Whole short positions are bought back, the largest first, until the initial margin holds again. Where cash does not
    pay for that, whole long positions are sold, the largest first. The orders are filled at the next open, sales first.
    """
    short = short_value(book, closes)
    required = math.ceil((1 + rules.maintenance_margin) * short)
    if book.cash >= required:
        return []
    values = {symbol: cents(count * closes[symbol]) for symbol, count in book.shares.items()}
    lacking, spent, orders = (1 + rules.initial_margin) * short - book.cash, 0, list[Order]()
    largest_first = sorted(values, key=lambda symbol: (-abs(values[symbol]), symbol))
    for symbol in (symbol for symbol in largest_first if values[symbol] < 0):
        if lacking > 0:
            orders.append(Order(symbol, -book.held(symbol)))
            lacking, spent = lacking + rules.initial_margin * values[symbol], spent - values[symbol]
    for symbol in (symbol for symbol in largest_first if values[symbol] > 0):
        if spent > book.cash:
            orders.append(Order(symbol, -book.held(symbol)))
            spent -= values[symbol]
    return [MarginCall(book.cash, required), *orders] if orders else []
