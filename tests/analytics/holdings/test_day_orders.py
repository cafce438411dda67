"""All decisions of a day become one list: weights by the backtest's schemes, whatever the order and what was paid."""

from __future__ import annotations

import random
from datetime import date, timedelta

import numpy as np
import pytest

from tests.support.tiers import examples
from tradingagents.analytics.holdings.book_risk import DailyReturns
from tradingagents.analytics.holdings.day_orders import DayDecision, day_orders
from tradingagents.analytics.holdings.holder_actions import View
from tradingagents.analytics.holdings.order_list import HeldInstrument, OrderRules
from tradingagents.analytics.holdings.reader_book import ReaderBook
from tradingagents.analytics.holdings.weights import SCHEMES, Scheme, bought_weights
from tradingagents.dataflows.valued_book import ValuedBook, ValuedPosition
from tradingagents.schemas.portfolio import OrderListRecord, Portfolio, Position

DAY = date(2025, 3, 14)
RULES = OrderRules(max_position=0.2, max_sector=1.0, min_cash=0.0)
VIEWS: tuple[View, ...] = ("BUY", "SELL", "HOLD", "NO_DECISION")
BOOKS = examples(2_000, fast=100)


def reader(
    held: dict[str, float],
    prices: dict[str, float],
    cash: float,
    *,
    paid: float | None = None,
    returns: np.ndarray | None = None,
    sectors: dict[str, str] | None = None,
) -> ReaderBook:
    """Return a book at prices in one currency."""
    own = {symbol: quantity for symbol, quantity in held.items() if quantity}
    positions = tuple(Position(symbol=name, quantity=quantity, average_price=paid) for name, quantity in own.items())
    valued = tuple(
        ValuedPosition(
            symbol=position.symbol,
            account="",
            quantity=position.quantity,
            average_price=paid,
            paid_in="USD",
            price=prices[position.symbol],
            previous=None,
            currency="USD",
            rate=1.0,
        )
        for position in positions
    )
    found = np.empty((0, 0)) if returns is None else returns
    return ReaderBook(
        book=Portfolio(positions=positions, cash={"USD": cash}, day=DAY),
        valued=ValuedBook(day=DAY, currency="USD", positions=valued, cash=cash, unconverted={}),
        instruments={
            symbol: HeldInstrument(held.get(symbol, 0.0), price, (sectors or {}).get(symbol))
            for symbol, price in prices.items()
        },
        returns=DailyReturns(
            symbols=tuple(prices) if returns is not None else (),
            returns=found,
            days=tuple(DAY + timedelta(days=number) for number in range(len(found))),
            benchmark=None,
        ),
    )


def lines(found: OrderListRecord) -> list[tuple[object, ...]]:
    return [(line.symbol, line.action, line.shares, line.cut_by) for line in found.lines]


def test_purchases_share_what_sales_and_positions_leave():
    """A book of 10,000: 20 BBB at 100 are sold; AAA and CCC get 20 % of confidence each: 14 and 10 % of it."""
    asked = {
        "AAA": DayDecision("BUY", 0.7),
        "BBB": DayDecision("SELL", 0.9),
        "CCC": DayDecision("BUY", 0.5),
        "DDD": DayDecision("HOLD", 0.5),
    }
    book = reader({"BBB": 20, "DDD": 10}, dict.fromkeys(asked, 100.0), 7000.0)
    found = day_orders(book, asked, "confidence", RULES, shorting=False)
    assert lines(found) == [
        ("BBB", "close", -20, ()),
        ("AAA", "open", 14, ()),
        ("CCC", "open", 10, ()),
        ("DDD", "hold", 0, ()),
    ]
    assert (found.equity, found.cash.before, found.cash.after, found.turnover) == (10_000, 7000, 6600, 0.44)
    assert [line.money for line in found.lines] == [-2000, 1400, 1000, 0]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_weights_are_those_of_the_backtest_s_schemes(scheme: Scheme):
    moves = np.random.default_rng(7).normal(0, [0.01, 0.02, 0.04], (90, 3))
    asked = {symbol: DayDecision("BUY", confidence) for symbol, confidence in (("A", 0.6), ("B", 0.7), ("C", 0.8))}
    rules = OrderRules(max_position=1.0, max_sector=1.0, min_cash=0.1, whole_shares=False)
    book = reader({}, dict.fromkeys(asked, 1.0), 10_000.0, returns=moves)
    found = day_orders(book, asked, scheme, rules, shorting=False)
    wanted = bought_weights(scheme, {symbol: made.conviction for symbol, made in asked.items()}, moves, {}, rules)
    assert {line.symbol: line.shares / 10_000 for line in found.lines} == pytest.approx(wanted, abs=1e-6)
    assert sum(wanted.values()) <= 0.9 + 1e-12


def test_what_has_no_price_gets_no_order_and_is_named():
    found = day_orders(reader({}, {"A": 10.0}, 100.0), {"A": DayDecision("HOLD", 0.5), "X": DayDecision("BUY", 0.9)},
                       "equal", RULES, shorting=False)  # fmt: skip
    assert lines(found) == [("A", "hold", 0, ())]
    assert found.notes[-1] == "No order for X: price, exchange rate or number of units is not known."


def test_a_book_that_is_worth_nothing_orders_nothing_and_says_so():
    found = day_orders(
        reader({"A": 1}, {"A": 10.0}, -50.0), {"A": DayDecision("SELL", 0.9)}, "equal", RULES, shorting=False
    )
    assert (found.lines, found.notes[-1][:27]) == ([], "The book is worth nothing, ")


def test_neither_the_order_of_tickers_nor_what_was_paid_changes_an_order():
    traded = 0
    for seed in range(BOOKS):
        draw = random.Random(seed)  # noqa: S311 - reproducible
        symbols = [f"S{number}" for number in range(draw.randint(1, 8))]
        held = {symbol: draw.choice([0, 0, draw.randint(1, 90), -draw.randint(1, 30)]) for symbol in symbols}
        prices = {symbol: round(draw.uniform(1, 500), 2) for symbol in symbols}
        cash, shorting, scheme = draw.uniform(0, 40_000), draw.random() < 0.5, draw.choice(SCHEMES)
        asked = {symbol: DayDecision(draw.choice(VIEWS), draw.random()) for symbol in symbols}
        sectors = {symbol: draw.choice(["energy", "health"]) for symbol in symbols}
        turned = dict(draw.sample(sorted(asked.items()), len(asked)))
        other = {symbol: prices[symbol] for symbol in draw.sample(symbols, len(symbols))}
        first = day_orders(reader(held, prices, cash, sectors=sectors), asked, scheme, OrderRules(), shorting=shorting)
        again = day_orders(
            reader(held, other, cash, paid=draw.uniform(1, 900), sectors=sectors),
            turned,
            scheme,
            OrderRules(),
            shorting=shorting,
        )
        assert again.model_copy(update={"hash": first.hash}) == first, seed
        for line in first.lines:
            assert held[line.symbol] + line.shares >= 0 or held[line.symbol] < 0 or shorting, seed
        assert first.cash.after >= min(0.0, cash) - 1e-6, seed
        traded += sum(bool(line.shares) for line in first.lines)
    assert traded > BOOKS
