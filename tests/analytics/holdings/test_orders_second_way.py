"""Random books and decisions: the list of orders agrees with a plain loop that follows the rules as written."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from tests.support.tiers import examples
from tradingagents.analytics.holdings.holder_actions import HolderRules, HolderTarget, View, holder_target
from tradingagents.analytics.holdings.order_list import HeldInstrument, OrderRules, order_list

BOOKS = examples(10_000, fast=400)
VIEWS: tuple[View, ...] = ("BUY", "SELL", "HOLD", "NO_DECISION")
Question = tuple[dict[str, HeldInstrument], dict[str, HolderTarget], float, OrderRules]


def question(seed: int) -> Question:
    """Return a book, what decisions ask of it, its cash and its limits."""
    draw = random.Random(seed)  # noqa: S311 - reproducible
    shorting = draw.random() < 0.5
    held = {
        f"S{number}": HeldInstrument(
            draw.choice([0, 0, draw.randint(1, 300), draw.randint(1, 300) / 8, -draw.randint(1, 60) * shorting]),
            round(draw.uniform(0.5, 900), 2),
            draw.choice(["Energy", "Health", "Tech", None]),
        )
        for number in range(draw.randint(1, 9))
    }
    cash = round(draw.uniform(-5_000, 60_000), 2)
    rate, least = draw.choice([0.0, 0.005, 0.01]), draw.choice([0.0, 1.0, 9.0])
    rules = OrderRules(
        max_positions=draw.randint(1, 9),
        max_position=draw.uniform(0.02, 0.6),
        max_sector=draw.uniform(0.05, 1),
        min_cash=draw.uniform(0, 0.3),
        max_turnover=draw.choice([draw.uniform(0.02, 0.5), 2.0]),
        whole_shares=draw.random() < 0.7,
        commission=lambda shares, price: max(least, rate * shares) if shares else 0.0,
    )
    equity = cash + sum(part.quantity * part.price for part in held.values())
    table = HolderRules(rules.max_position, shorting=shorting)
    targets = {
        symbol: holder_target(
            draw.choice(VIEWS),
            draw.random(),
            part.quantity * part.price / equity if equity > 0 else 0.0,
            draw.uniform(0, 0.6),
            table,
        )
        for symbol, part in held.items()
        if draw.random() < 0.8
    }
    return held, targets, cash, rules


class SecondWay:
    """The rules once more: sales, covers, limits, purchases, one after the other."""

    def __init__(
        self, held: dict[str, HeldInstrument], targets: dict[str, HolderTarget], cash: float, rules: OrderRules
    ):
        self.held, self.targets, self.cash, self.rules = held, targets, cash, rules
        self.equity = cash + sum(part.quantity * part.price for part in held.values())
        self.step = 1.0 if rules.whole_shares else 1 / 8192
        self.cuts: dict[str, set[str]] = {symbol: set() for symbol in targets}
        self.traded: dict[str, float] = {}
        size = {symbol: abs(part.quantity) * part.price / self.equity for symbol, part in held.items()}
        self.size = size
        self.change = {
            symbol: 0.0 if target.action == "hold" else abs(target.weight) - size[symbol]
            for symbol, target in targets.items()
        }

    def down(self, shares: float) -> float:
        return math.floor(shares / self.step + 1e-9) * self.step

    def scale(self, symbols: list[str], most: float, limit: str) -> None:
        symbols = [symbol for symbol in symbols if self.change[symbol] != 0]
        total = sum(abs(self.change[symbol]) for symbol in symbols)
        if total > most:
            for symbol in symbols:
                self.change[symbol] *= max(0.0, most) / total
                self.cuts[symbol].add(limit)

    def smaller(self, symbol: str, pending: list[str]) -> float:
        owned, price = abs(self.held[symbol].quantity), self.held[symbol].price
        if -self.change[symbol] >= self.size[symbol] * (1 - 1e-12):
            return owned
        exact = -self.change[symbol] * self.equity / price
        shares = min(owned, self.down(exact))
        at_limit = abs(self.targets[symbol].weight) >= self.rules.max_position * (1 - 1e-12)
        if at_limit and not self.cuts[symbol] and exact - shares > 1e-9:
            more = min(owned, shares + self.step)
            others = sum(-self.change[name] for name in pending if name != symbol) * self.equity
            if more * price <= self.turnover_left() - others:
                return more
        return shares

    def turnover_left(self) -> float:
        done = sum(abs(shares) * self.held[symbol].price for symbol, shares in self.traded.items())
        return self.rules.max_turnover * self.equity - done

    def buy(self, wanted: dict[str, float], free: float) -> None:
        wanted = {symbol: shares for symbol, shares in wanted.items() if shares}
        needs = {}
        for symbol, shares in wanted.items():
            sells = self.change[symbol] > 0 and self.targets[symbol].weight < 0
            bound = shares * self.held[symbol].price * (self.rules.margin if sells else 1)
            needs[symbol] = bound + self.rules.commission(shares, self.held[symbol].price)
        free = max(0.0, free)
        short_of_cash = sum(needs.values()) > free
        part = free / sum(needs.values()) if short_of_cash else 1.0
        for symbol, asked in wanted.items():
            shares = asked
            if short_of_cash:
                self.cuts[symbol].add("min_cash")
                fixed = self.rules.commission(asked, self.held[symbol].price)
                shares = self.down(max(0.0, part * needs[symbol] - fixed) / (needs[symbol] - fixed) * asked)
            if shares:
                sells = self.change[symbol] > 0 and self.targets[symbol].weight < 0
                self.trade(symbol, -shares if sells else shares)

    def trade(self, symbol: str, shares: float) -> None:
        price = self.held[symbol].price
        self.traded[symbol] = shares
        self.cash -= shares * price + self.rules.commission(abs(shares), price)

    def after(self, symbol: str) -> float:
        return self.held[symbol].quantity + self.traded.get(symbol, 0.0)

    def orders(self) -> dict[str, float]:
        rules, names = self.rules, sorted(self.targets)
        falling = [symbol for symbol in names if self.change[symbol] < 0]
        self.scale(falling, rules.max_turnover, "max_turnover")
        pending = list(falling)
        for symbol in falling:
            if self.held[symbol].quantity > 0:
                shares = self.smaller(symbol, pending)
                price = self.held[symbol].price
                if shares and shares * price <= rules.commission(shares, price):
                    self.cuts[symbol].add("least_order")
                    continue
                self.trade(symbol, -shares) if shares else self.traded.update({symbol: 0.0})
                pending.remove(symbol)
        covers = [symbol for symbol in falling if self.held[symbol].quantity < 0]
        self.buy({symbol: self.smaller(symbol, pending) for symbol in covers}, self.cash)
        self.limit([symbol for symbol in names if self.change[symbol] > 0])
        bound = sum(max(0.0, -self.after(symbol)) * self.held[symbol].price for symbol in self.held) * (
            1 + rules.margin
        )
        rising = [symbol for symbol in names if self.change[symbol] > 0 and symbol not in self.traded]
        wanted = {symbol: self.down(self.change[symbol] * self.equity / self.held[symbol].price) for symbol in rising}
        self.buy(wanted, self.cash - bound - rules.min_cash * self.equity)
        return {symbol: self.traded.get(symbol, 0.0) for symbol in names}

    def limit(self, rising: list[str]) -> None:
        rules = self.rules
        left = {symbol: abs(self.after(symbol)) * part.price / self.equity for symbol, part in self.held.items()}
        new = sorted((s for s in rising if self.size[s] == 0), key=lambda symbol: (-self.change[symbol], symbol))
        for symbol in new[max(0, rules.max_positions - sum(size > 0 for size in left.values())) :]:
            self.scale([symbol], 0.0, "max_positions")
        for symbol in rising:
            self.scale([symbol], rules.max_position - self.size[symbol], "max_position")
        for sector in sorted({self.held[symbol].sector or "unknown" for symbol in rising}):
            held = sum(size for symbol, size in left.items() if (self.held[symbol].sector or "unknown") == sector)
            members = [symbol for symbol in rising if (self.held[symbol].sector or "unknown") == sector]
            self.scale(members, rules.max_sector - held, "max_sector")
        self.scale(rising, self.turnover_left() / self.equity, "max_turnover")


def test_a_plain_loop_gives_the_same_orders_limits_and_cash():
    compared = traded = cut = 0
    for seed in range(BOOKS):
        held, targets, cash, rules = question(seed)
        found = order_list(held, targets, cash, rules)
        if cash + sum(part.quantity * part.price for part in held.values()) <= 0:
            assert found is None
            continue
        assert found is not None
        second = SecondWay(held, targets, cash, rules)
        expected = second.orders()
        assert {line.symbol: line.shares for line in found.lines} == _close_to(expected), seed
        assert abs(found.cash - second.cash) < 1e-6 * found.equity, seed
        limits = {line.symbol: set(line.cut_by) - {"whole_shares"} for line in found.lines}
        assert limits == second.cuts, seed
        compared, traded = compared + 1, traded + len(found.orders)
        cut += sum(bool(line.cut_by) for line in found.lines)
    assert compared > 0.8 * BOOKS
    assert traded > BOOKS
    assert cut > BOOKS / 4


def test_every_decision_that_was_cut_says_by_which_limit_and_every_list_is_feasible():
    for seed in range(BOOKS):
        held, targets, cash, rules = question(seed)
        found = order_list(held, targets, cash, rules)
        if found is None:
            continue
        tiny = 1e-6 * found.equity
        assert found.cash >= min(0.0, cash) - tiny, seed
        assert found.turnover <= rules.max_turnover + 1e-6, seed
        for line in found.lines:
            before, target = held[line.symbol].quantity, targets[line.symbol]
            after = before + line.shares
            asked = target.weight * found.equity / line.price - before
            assert after >= 0 or before < 0 or target.weight < 0, seed
            step = 1.0 if rules.whole_shares else 1 / 8192
            if abs(line.shares) < abs(asked) - step - 1e-6:
                assert line.cut_by, (seed, line)
            if abs(after) > abs(before):
                assert abs(after) * line.price <= rules.max_position * found.equity + tiny, seed


def _close_to(shares: dict[str, float]) -> Any:
    return pytest.approx(shares, abs=1e-6)
