"""The list of orders: cases by hand, and the laws that hold for all holdings, decisions and limits."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.tiers import examples
from tradingagents.analytics.holdings.holder_actions import HolderRules, HolderTarget, holder_target
from tradingagents.analytics.holdings.order_list import UNKNOWN, HeldInstrument, OrderList, OrderRules, order_list

OPEN = OrderRules(max_position=1, max_sector=1, max_turnover=2, min_cash=0)
"""Rules that limit nothing."""


def listed(*given_: Any) -> list[tuple[Any, ...]]:
    found = order_list(*given_)
    assert found is not None
    return [(line.symbol, line.action, line.shares, line.cut_by) for line in found.lines]


def test_sales_come_before_purchases_and_pay_for_them():
    held = {"AAA": HeldInstrument(100, 50.0), "BBB": HeldInstrument(0, 100.0)}
    targets = {"BBB": HolderTarget("open", 0.5, "x"), "AAA": HolderTarget("close", 0.0, "x")}
    assert listed(held, targets, 0.0, OPEN) == [("AAA", "close", -100, ()), ("BBB", "open", 25, ())]


def test_cash_is_shared_in_proportion_and_never_below_its_least():
    held = {
        "AAA": HeldInstrument(0, 10.0, "Energy"),
        "BBB": HeldInstrument(0, 10.0, "Health"),
        "CCC": HeldInstrument(80, 100.0),
    }
    targets = {symbol: HolderTarget("open", 0.3, "x") for symbol in ("AAA", "BBB")}
    found = order_list(held, targets, 2_000.0, replace(OPEN, min_cash=0.05))
    assert found is not None
    assert [(line.symbol, line.shares, line.cut_by) for line in found.lines] == [
        ("AAA", 75, ("min_cash",)),
        ("BBB", 75, ("min_cash",)),
    ]
    assert found.cash == 500


def test_a_sector_is_filled_and_no_further():
    held = {
        "AAA": HeldInstrument(30, 10.0, "Energy"),
        "BBB": HeldInstrument(0, 10.0, "Energy"),
        "CCC": HeldInstrument(0, 10.0, "Health"),
    }
    targets = {symbol: HolderTarget("open", 0.2, "x") for symbol in ("BBB", "CCC")}
    assert listed(held, targets, 700.0, replace(OPEN, max_sector=0.35)) == [
        ("BBB", "open", 5, ("max_sector",)),
        ("CCC", "open", 20, ()),
    ]


def test_the_number_of_positions_is_limited_and_the_largest_stay():
    held = {symbol: HeldInstrument(0, 1.0) for symbol in "ABC"}
    targets = {symbol: HolderTarget("open", weight, "x") for symbol, weight in zip("ABC", (0.1, 0.3, 0.2), strict=True)}
    assert listed(held, targets, 100.0, replace(OPEN, max_positions=2)) == [
        ("B", "open", 30, ()),
        ("C", "open", 20, ()),
        ("A", "hold", 0, ("max_positions",)),
    ]


def test_turnover_cuts_purchases_first():
    held = {"AAA": HeldInstrument(40, 10.0), "BBB": HeldInstrument(0, 10.0)}
    targets = {"AAA": HolderTarget("close", 0.0, "x"), "BBB": HolderTarget("open", 0.4, "x")}
    assert listed(held, targets, 600.0, replace(OPEN, max_turnover=0.5)) == [
        ("AAA", "close", -40, ()),
        ("BBB", "open", 10, ("max_turnover",)),
    ]


def test_a_position_above_its_limit_is_trimmed_below_it_in_whole_shares():
    held = {"AAA": HeldInstrument(10, 70.0)}
    target = holder_target("HOLD", 0.5, 0.7, 0.1, HolderRules(max_position=0.15))
    found = order_list(held, {"AAA": target}, 300.0, replace(OPEN, max_position=0.15))
    assert found is not None
    assert [(line.action, line.shares) for line in found.lines] == [("trim", -8)]


def test_a_share_that_costs_more_than_the_order_is_not_bought():
    assert listed({"AAA": HeldInstrument(0, 900.0)}, {"AAA": HolderTarget("open", 0.1, "x")}, 1_000.0, OPEN) == [
        ("AAA", "hold", 0, ("whole_shares",))
    ]
    fractions = replace(OPEN, whole_shares=False)
    assert listed({"AAA": HeldInstrument(0, 900.0)}, {"AAA": HolderTarget("open", 0.1, "x")}, 1_000.0, fractions) == [
        ("AAA", "open", 910 / 8192, ())
    ]


def test_a_sale_that_costs_more_than_it_brings_is_left_out():
    rules = replace(OPEN, commission=lambda _shares, _price: 5.0)
    assert listed({"AAA": HeldInstrument(1, 4.0)}, {"AAA": HolderTarget("close", 0.0, "x")}, 100.0, rules) == [
        ("AAA", "hold", 0, ("least_order",))
    ]


def test_what_is_worth_nothing_has_no_weights():
    assert order_list({"AAA": HeldInstrument(1, 10.0)}, {}, -10.0, OPEN) is None


def test_covering_takes_the_cash_there_is():
    held = {"AAA": HeldInstrument(-100, 10.0)}
    target = {"AAA": HolderTarget("cover", 0.0, "x")}
    assert listed(held, target, 2_000.0, OPEN) == [("AAA", "cover", 100, ())]


@st.composite
def questions(draw: st.DrawFn) -> tuple[dict[str, HeldInstrument], dict[str, HolderTarget], float, OrderRules]:
    """Holdings, decisions, cash and limits at random."""
    shorting = draw(st.booleans())
    symbols = [f"S{number}" for number in range(draw(st.integers(1, 6)))]
    quantities = st.one_of(st.just(0), st.integers(1, 200), st.integers(-50, -1) if shorting else st.integers(1, 200))
    held = {
        symbol: HeldInstrument(
            draw(quantities), draw(st.floats(0.5, 800)), draw(st.sampled_from(["Energy", "Health", None]))
        )
        for symbol in symbols
    }
    cash = draw(st.floats(-5_000, 50_000))
    rate = draw(st.sampled_from([0.0, 0.001, 0.01]))
    least = draw(st.sampled_from([0.0, 1.0]))
    rules = OrderRules(
        max_positions=draw(st.integers(1, 6)),
        max_position=draw(st.floats(0.02, 0.5)),
        max_sector=draw(st.floats(0.05, 0.9)),
        max_turnover=draw(st.floats(0.05, 2)),
        min_cash=draw(st.floats(0, 0.3)),
        whole_shares=draw(st.booleans()),
        commission=lambda shares, price: max(least, rate * shares * price),
    )
    equity = math.fsum([cash, *(part.quantity * part.price for part in held.values())])
    decided = draw(st.lists(st.sampled_from(symbols), unique=True))
    targets = {
        symbol: holder_target(
            draw(st.sampled_from(["BUY", "SELL", "HOLD", "NO_DECISION"])),
            draw(st.floats(0, 1)),
            held[symbol].quantity * held[symbol].price / equity if equity > 0 else 0.0,
            draw(st.floats(0, 0.5)),
            HolderRules(rules.max_position, shorting=shorting),
        )
        for symbol in decided
    }
    return held, targets, cash, rules


def after(held: dict[str, HeldInstrument], found: OrderList) -> dict[str, float]:
    """Return the quantities after all orders."""
    traded = {line.symbol: line.shares for line in found.lines}
    return {symbol: part.quantity + traded.get(symbol, 0.0) for symbol, part in held.items()}


@pytest.mark.parametrize("_", range(examples(20, fast=4)))
@given(questions())
def test_every_list_is_feasible(
    _: int, question: tuple[dict[str, HeldInstrument], dict[str, HolderTarget], float, OrderRules]
):
    held, targets, cash, rules = question
    found = order_list(held, targets, cash, rules)
    if found is None:
        return
    left, equity, tiny = after(held, found), found.equity, 1e-6 * found.equity
    for line in found.lines:
        before, now = held[line.symbol].quantity, left[line.symbol]
        assert before * now >= 0, "no order turns a position round"
        if line.action not in ("short", "add"):
            assert not (before >= 0 > now), "nothing is sold that is not held"
        if abs(now) > abs(before):
            assert abs(now) * line.price <= rules.max_position * equity + tiny
        assert (line.action == "hold") == (line.shares == 0)
        if rules.whole_shares and line.action not in ("close", "cover"):
            assert line.shares == int(line.shares)
    spent = math.fsum(line.value + line.commission for line in found.lines)
    assert found.cash == pytest.approx(cash - spent, abs=tiny)
    assert found.cash >= min(0.0, cash) - tiny, "cash is never below zero, nor a debt larger"
    assert found.turnover <= rules.max_turnover + 1e-6
    bought = [line for line in found.orders if abs(left[line.symbol]) > abs(held[line.symbol].quantity)]
    if bought:
        assert found.cash >= rules.min_cash * equity - tiny
        for sector in {held[line.symbol].sector or UNKNOWN for line in bought}:
            members = [symbol for symbol in held if (held[symbol].sector or UNKNOWN) == sector]
            assert sum(abs(left[symbol]) * held[symbol].price for symbol in members) <= rules.max_sector * equity + tiny
    opened = [line for line in bought if not held[line.symbol].quantity]
    if opened:
        assert sum(quantity != 0 for quantity in left.values()) <= rules.max_positions


@given(questions(), st.randoms())
def test_the_order_of_tickers_does_not_matter(
    question: tuple[dict[str, HeldInstrument], dict[str, HolderTarget], float, OrderRules], chance: Any
):
    held, targets, cash, rules = question
    names, decided = list(held), list(targets)
    chance.shuffle(names)
    chance.shuffle(decided)
    turned = order_list({n: held[n] for n in names}, {n: targets[n] for n in decided}, cash, rules)
    assert turned == order_list(held, targets, cash, rules)
