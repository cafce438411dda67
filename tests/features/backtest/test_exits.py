"""Stops and targets as resting orders, by hand-made bars: gaps, both levels, splits, halts, shorts, the entry day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.features.backtest.market import NO_COSTS, days_of, made_prices, table_of
from tradingagents.agents.schemas import Decision
from tradingagents.dataflows.models import ListingEnd, Prices, Split
from tradingagents.errors import UsageError
from tradingagents.features.backtest.advance import AccountRules, advance
from tradingagents.features.backtest.broker import TradingCosts
from tradingagents.features.backtest.exits import ExitPoint, check_exits, exit_counts, exit_point, planned_levels
from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.limits import RiskLimits, ShortRules
from tradingagents.features.backtest.pages.trades import trade_rows
from tradingagents.features.backtest.paper.journal import paper_orders
from tradingagents.features.backtest.postings import (
    Delisting,
    ExitFill,
    ExitLevels,
    LateSplit,
    OrderFill,
    OrderRest,
    Posting,
    ShortSale,
    posting_of,
)
from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.features.backtest.strategies import decision_targets
from tradingagents.features.backtest.traded_prices import SessionBar

LIMITS = RiskLimits(max_positions=99, max_position=0.5, max_sector=1.0, min_cash=0.0)
SHORTS = ShortRules(max_short=0.5, borrow_bp=0.0)
Bar = tuple[float, float, float, float]
"""Open, high, low, close as traded."""


def bars(days: Sequence[date], rows: Sequence[Bar], **more: object) -> Prices:
    """Return prices of symbol A from bars as traded."""
    opened, high, low, close = zip(*rows, strict=True)
    made = made_prices("A", days, close, opens=opened, **more)  # type: ignore[arg-type]
    after = np.array([np.prod([one.ratio for one in made.splits if one.day > day]) for day in days], dtype=float)
    there = np.isin(np.array(days, dtype="datetime64[D]"), made.days)
    return replace(made, high=(np.array(high) / after)[there], low=(np.array(low) / after)[there])


def decision(
    action: str, stop: float | None = None, target: float | None = None, means: str | None = "short"
) -> Decision:
    given_ = {"action": action, "confidence": 1.0, "rationale": "made", "stop": stop, "target": target}
    return Decision.model_validate({**given_, "sell_means": means if action == "SELL" else None})


def run(
    prices: Prices,
    days: Sequence[date],
    decisions: Mapping[date, Decision],
    *,
    shorts: ShortRules | None = None,
    costs: TradingCosts = NO_COSTS,
    notes: Mapping[date, Sequence[Posting]] | None = None,
) -> BookLedger:
    """Take an account that follows decisions on A, and their levels, through the sessions."""
    table, made = table_of(prices, days=days), {day: {"A": one} for day, one in decisions.items()}
    levels = planned_levels(made, shorts=shorts is not None)
    rules = AccountRules(10_000.0, costs, LIMITS, least_trade=0.0, shorts=shorts, levels=levels)
    ledger = BookLedger()
    for day in days:
        targets = decision_targets(made, "confidence", LIMITS, table, shorts)
        advance(ledger, table, day, rules, targets, notes=(notes or {}).get(day, ()))
    return ledger


def postings(ledger: BookLedger, *kinds: type) -> list[tuple[date, Posting]]:
    return [(line.mark.day, one) for line in ledger.lines for one in line.postings if isinstance(one, kinds)]


def exits(ledger: BookLedger) -> list[tuple[date, int, float, str, bool]]:
    found = [(day, one) for day, one in postings(ledger, ExitFill) if isinstance(one, ExitFill)]
    return [(day, one.shares, one.price, one.reason, one.gap) for day, one in found]


CALM: Bar = (100, 101, 99, 100)
LONG = decision("BUY", 95.0, 110.0)


@pytest.mark.parametrize(
    ("bar", "price", "reason", "gap"),
    [
        ((100, 101, 95, 96), 95.0, "stop", False),  # touched to the cent
        ((100, 111, 99, 105), 110.0, "target", False),
        ((94, 97, 93, 96), 94.0, "stop", True),  # worse than the stop
        ((95, 97, 94, 96), 95.0, "stop", True),  # at it
        ((112, 113, 111, 112), 112.0, "target", True),  # a limit order gets the better open
        ((100, 111, 94, 100), 95.0, "both", False),  # nobody knows which came first: the worse
        ((112, 113, 90, 91), 112.0, "target", True),  # the open comes before the low
        ((94, 120, 93, 119), 94.0, "stop", True),
    ],
)
def test_a_long_position_is_closed_where_a_bar_reaches_its_levels(bar, price, reason, gap):
    days = days_of(5)
    ledger = run(bars(days, [CALM, CALM, CALM, bar, CALM]), days, {days[0]: LONG})
    assert exits(ledger) == [(days[3], -50, price, reason, gap)]
    assert ledger.lines[-1].mark.equity == 1_000_000 + round((price - 100) * 50 * 100)
    assert ledger.book.shares == {}


@pytest.mark.parametrize(
    ("bar", "price", "reason", "gap"),
    [
        ((100, 105, 99, 104), 105.0, "stop", False),
        ((100, 101, 90, 95), 90.0, "target", False),
        ((107, 108, 106, 107), 107.0, "stop", True),
        ((88, 89, 87, 88), 88.0, "target", True),
        ((100, 106, 89, 100), 105.0, "both", False),
    ],
)
def test_a_short_position_is_mirrored(bar, price, reason, gap):
    days = days_of(5)
    made = {days[0]: decision("SELL", 105.0, 90.0)}
    ledger = run(bars(days, [CALM, CALM, CALM, bar, CALM]), days, made, shorts=SHORTS)
    assert [one.shares for _, one in postings(ledger, ShortSale) if isinstance(one, ShortSale)] == [-50]
    assert exits(ledger) == [(days[3], 50, price, reason, gap)]
    assert ledger.lines[-1].mark.equity == 1_000_000 + round((100 - price) * 50 * 100)


def test_nothing_happens_before_a_level_is_reached_and_nothing_without_levels():
    days = days_of(5)
    rows = [CALM, CALM, (100, 109.99, 95.01, 100), CALM, CALM]
    assert exits(run(bars(days, rows), days, {days[0]: LONG})) == []
    wild = [CALM, CALM, (100, 200, 10, 100), CALM, CALM]
    without = run(bars(days, wild), days, {days[0]: decision("BUY")})
    assert exits(without) == []
    assert postings(without, ExitLevels) == []


def test_the_bar_of_the_entry_day_counts_after_the_entry_at_its_open():
    days = days_of(3)
    ledger = run(bars(days, [CALM, (100, 101, 94, 96), CALM]), days, {days[0]: LONG})
    assert exits(ledger) == [(days[1], -50, 95.0, "stop", False)]
    bought = next(one for _, one in postings(ledger, OrderFill))
    assert isinstance(bought, OrderFill)
    assert (bought.shares, bought.price) == (50, 100.0)


def test_the_bar_of_the_decision_itself_does_not_count():
    days = days_of(3)
    assert exits(run(bars(days, [(100, 120, 80, 100), CALM, CALM]), days, {days[0]: LONG})) == []


@pytest.mark.parametrize(("opened", "why"), [(94.0, "beyond_stop"), (95.0, "beyond_stop"), (111.0, "beyond_target")])
def test_a_plan_that_is_void_at_the_open_is_not_opened(opened, why):
    days = days_of(3)
    rows = [CALM, (opened, 115, 90, 100), CALM]
    ledger = run(bars(days, rows), days, {days[0]: LONG})
    assert postings(ledger, OrderRest) == [(days[1], OrderRest("A", 50, why))]
    assert postings(ledger, OrderFill) == []
    assert ledger.lines[-1].mark.equity == 1_000_000
    counts = exit_counts([one for _, one in postings(ledger, Posting)])
    assert counts == {"stop": 0, "target": 0, "both": 0, "gap": 0, "not_opened": 1}


def test_a_void_plan_closes_at_the_open_what_is_held_and_adds_nothing():
    days = days_of(6)
    rows = [CALM, CALM, CALM, (94, 97, 93, 96), CALM, CALM]
    small = decision("BUY", 90.0)
    ledger = run(bars(days, rows), days, {days[0]: small.model_copy(update={"confidence": 0.5}), days[2]: LONG})
    assert postings(ledger, OrderRest) == [(days[3], OrderRest("A", 25, "beyond_stop"))]
    assert exits(ledger) == [(days[3], -25, 94.0, "stop", True)]


def test_a_void_short_plan_is_not_opened():
    days = days_of(3)
    ledger = run(bars(days, [CALM, (106, 107, 100, 104), CALM]), days, {days[0]: decision("SELL", 105.0, 90.0)},
                 shorts=SHORTS)  # fmt: skip
    assert postings(ledger, OrderRest) == [(days[1], OrderRest("A", -50, "beyond_stop"))]
    assert postings(ledger, OrderFill) == []


def test_a_halt_fills_nothing_and_its_end_is_a_gap():
    days = days_of(6)
    rows = [CALM, CALM, CALM, (80, 80, 80, 80), (90, 92, 89, 91), CALM]
    ledger = run(bars(days, rows, missing=[days[3]]), days, {days[0]: LONG})
    assert exits(ledger) == [(days[4], -50, 90.0, "stop", True)]


def test_a_split_restates_the_levels_of_what_is_held_and_of_what_is_ordered():
    days = days_of(6)
    halves = [(50, 50.5, 49.5, 50)] * 2
    rows = [CALM, CALM, CALM, *halves, (50, 51, 47.5, 48)]
    held = run(bars(days, rows, splits=[Split(days[3], 2.0)]), days, {days[0]: LONG})
    assert exits(held) == [(days[5], -100, 47.5, "stop", False)]
    restated = [one for day, one in postings(held, ExitLevels) if day == days[3]]
    assert restated == [ExitLevels("A", 1, 47.5, 55.0, days[3].isoformat())]

    rows = [CALM, (50, 51, 49, 50), (50, 56, 49, 55), *[(50, 51, 49, 50)] * 3]
    ordered = run(bars(days, rows, splits=[Split(days[1], 2.0)]), days, {days[0]: LONG})
    assert exits(ordered) == [(days[2], -100, 55.0, "target", False)]


def test_a_split_that_is_known_late_restates_older_levels_only():
    days = days_of(5)
    rows = [CALM, CALM, *[(50, 50.5, 49.5, 50)] * 2, (50, 51, 47, 48)]
    prices = replace(bars(days, rows, splits=[Split(days[2], 2.0)]), splits=())
    as_seen = replace(prices, **{name: getattr(prices, name) * np.array([2, 2, 1, 1, 1]) for name in
                                 ("open", "high", "low", "close", "adj_close")})  # fmt: skip
    late = {days[3]: (LateSplit("A", 2, 1, 100, 0, days[2].isoformat()),)}
    no_stop = decision("BUY", 40.0, 130.0)
    ledger = run(as_seen, days, {days[0]: no_stop}, notes=late)
    assert ledger.book.levels["A"] == ExitLevels("A", 1, 20.0, 65.0, days[3].isoformat())


def test_dividends_do_not_move_levels():
    days = days_of(4)
    rows = [CALM, CALM, (96, 97, 94.5, 96), CALM]
    ledger = run(bars(days, rows, dividends=[(days[2], 4.0)]), days, {days[0]: LONG})
    assert exits(ledger) == [(days[2], -50, 95.0, "stop", False)]


def test_hold_leaves_the_levels_and_a_new_decision_replaces_them_for_the_whole_position():
    days = days_of(8)
    rows = [CALM] * 6 + [(100, 101, 91.9, 93), CALM]
    first, second = decision("BUY", 90.0, 120.0).model_copy(update={"confidence": 0.4}), decision("BUY", 92.0, 130.0)
    ledger = run(bars(days, rows), days, {days[0]: first, days[2]: decision("HOLD"), days[4]: second})
    bought = [one.shares for _, one in postings(ledger, OrderFill) if type(one) is OrderFill]
    assert bought == [20, 30]  # two lots
    assert exits(ledger) == [(days[6], -50, 92.0, "stop", False)]

    kept = run(bars(days, rows), days, {days[0]: decision("BUY", 92.0), days[2]: decision("HOLD")})
    assert exits(kept) == [(days[6], -50, 92.0, "stop", False)]
    freed = run(bars(days, rows), days, {days[0]: decision("BUY", 92.0), days[2]: decision("BUY")})
    assert exits(freed) == []
    assert freed.book.levels == {}


def test_a_sale_that_a_halt_stops_leaves_the_position_with_its_levels():
    days = days_of(6)
    rows = [CALM, CALM, CALM, CALM, (100, 101, 94, 95), CALM]
    ledger = run(bars(days, rows, missing=[days[3]]), days, {days[0]: LONG, days[2]: decision("SELL", None, None)})
    assert (days[3], OrderRest("A", -50, "halted")) in postings(ledger, OrderRest)
    assert exits(ledger) == [(days[4], -50, 95.0, "stop", False)]


def test_levels_of_a_turned_position_close_the_new_side_only():
    days = days_of(6)
    rows = [CALM, CALM, CALM, CALM, (100, 106, 99, 105), CALM]
    made = {days[0]: LONG, days[2]: decision("SELL", 105.0, 90.0)}
    ledger = run(bars(days, rows), days, made, shorts=SHORTS)
    assert exits(ledger) == [(days[4], 50, 105.0, "stop", False)]


def test_what_the_volume_does_not_allow_waits_with_its_levels():
    days = days_of(6)
    rows = [CALM, CALM, (100, 101, 94, 96), (93, 97, 92, 96), CALM, CALM]
    prices = bars(days, rows)
    prices = replace(prices, volume=np.array([1e9, 1e9, 30, 1e9, 1e9, 1e9]))
    ledger = run(prices, days, {days[0]: LONG})
    assert exits(ledger) == [(days[2], -30, 95.0, "stop", False), (days[3], -20, 93.0, "stop", True)]
    assert postings(ledger, OrderRest) == [(days[2], OrderRest("A", -20, "volume"))]


def test_a_sale_at_the_open_and_an_exit_share_the_volume_of_the_session():
    days = days_of(6)
    rows = [CALM, CALM, CALM, (100, 101, 94, 96), CALM, CALM]
    prices = replace(bars(days, rows), volume=np.array([1e9, 1e9, 1e9, 40, 1e9, 1e9]))
    ledger = run(prices, days, {days[0]: LONG, days[2]: decision("SELL")})
    sold = [one.shares for day, one in postings(ledger, OrderFill) if day == days[3] and isinstance(one, OrderFill)]
    assert sold == [-40]  # nothing of the volume is left for the stop


def test_an_exit_pays_spread_impact_and_commission_like_any_fill():
    days = days_of(4)
    costs = TradingCosts(0.01, 2.0, 0.001, 0.0, 1.0)
    ledger = run(bars(days, [CALM, CALM, (100, 101, 94, 96), CALM]), days, {days[0]: LONG}, costs=costs)
    ((_, closed),) = postings(ledger, ExitFill)
    assert isinstance(closed, ExitFill)
    assert (closed.shares, closed.level, closed.commission) == (-50, 95.0, 200)
    assert closed.price == pytest.approx(94.905)
    assert closed.value == 474_525
    assert closed.slippage == 475  # 50 * 0.095


def test_a_delisted_position_ends_at_its_last_close_not_at_its_stop():
    days = days_of(20)
    prices = bars(days, [CALM] * 5 + [(50, 50, 50, 50)] * 15, missing=days[5:])
    gone = replace(prices, ended=ListingEnd(days[5], "delisted"))
    ledger = run(gone, days, {days[0]: LONG})
    assert exits(ledger) == []
    assert len(postings(ledger, Delisting)) == 1


def test_a_later_bar_changes_nothing_before_it():
    days = days_of(6)
    rows = [CALM, CALM, (100, 108, 96, 100), CALM, CALM, CALM]
    wide = run(bars(days, rows), days, {days[0]: LONG})
    other = run(bars(days, [*rows[:4], (50, 200, 20, 50), (50, 200, 20, 50)]), days, {days[0]: LONG})
    assert [line.hash for line in wide.lines[:4]] == [line.hash for line in other.lines[:4]]


def test_tables_say_why_a_position_was_closed():
    days = days_of(6)
    rows = [CALM, (100, 111, 94, 96), CALM, CALM, (94, 95, 93, 94), CALM]
    ledger = run(bars(days, rows), days, {days[0]: LONG, days[2]: LONG})
    assert [(one.side, one.reason, one.decided) for one in trade_rows(ledger, {})] == [
        ("buy", "weights", days[0]),
        ("sell", "both: stop taken", None),
        ("buy", "weights", days[2]),
        ("sell", "stop, at the open", None),
    ]
    orders = paper_orders(ledger)
    assert [(one.decided, one.filled, one.traded) for one in orders] == [
        (days[0], 50, days[1]),
        (days[1], -50, days[1]),
        (days[2], 48, days[3]),
        (days[4], -48, days[4]),
    ]
    assert orders[1].reason == "both: stop taken"


def test_the_ledger_reads_its_exits_back():
    days = days_of(4)
    ledger = run(bars(days, [CALM, CALM, (100, 101, 94, 96), CALM]), days, {days[0]: LONG})
    for line in ledger.lines:
        assert [posting_of(one.to_json()) for one in line.postings] == list(line.postings)


def test_an_unknown_high_or_low_is_no_touch_but_open_and_close_are_known():
    levels = ExitLevels("A", 1, 95.0, 110.0, "2024-01-02")
    nan = float("nan")
    assert exit_point(levels, SessionBar(100, nan, nan, 100, 1e6)) is None
    assert exit_point(levels, SessionBar(100, nan, nan, 94, 1e6)) == ExitPoint("stop", 95.0, gap=False)


def test_a_request_without_exits_has_the_hash_of_earlier_versions():
    asked = BacktestRequest(tickers=("A",), start=date(2024, 1, 2), end=date(2024, 6, 3))
    assert "exits" not in asked.to_json()
    assert replace(asked, exits="plan").to_json()["exits"] == "plan"


def test_levels_in_another_basis_are_refused():
    prices = {"A": made_prices("A", days_of(3), [100, 100, 100])}
    check_exits("plan", prices, (), "close")
    check_exits("none", {"A": replace(prices["A"], basis="fully_adjusted")}, ("A",), "10:00")
    with pytest.raises(UsageError, match="adjusted for dividends"):
        check_exits("plan", {"A": replace(prices["A"], basis="fully_adjusted")}, (), "close")
    with pytest.raises(UsageError, match="another currency"):
        check_exits("plan", prices, ("A",), "close")
    with pytest.raises(UsageError, match="10:00"):
        check_exits("plan", prices, (), "10:00")
    with pytest.raises(UsageError, match="no rule"):
        check_exits("trailing", prices, (), "close")  # type: ignore[arg-type]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(-0.03, 0.03), min_size=6, max_size=25),
    st.floats(0.01, 0.1),
    st.booleans(),
    st.floats(0.0, 0.002),
)
def test_without_gaps_a_position_never_loses_more_than_its_stop_and_costs(changes, distance, short, half_spread):
    """Every session opens at the close before, so no stop is jumped over."""
    side, days = (-1 if short else 1), days_of(len(changes) + 2)
    closes = list(100 * np.cumprod([1.0, 1.0, *(1 + one for one in changes)]))
    opens = [100.0, *closes[:-1]]
    rows = [(o, max(o, c) * 1.004, min(o, c) * 0.996, c) for o, c in zip(opens, closes, strict=True)]
    rows[0] = rows[1] = (100.0, 100.0, 100.0, 100.0)
    stop = 100 * (1 - side * distance)
    costs = TradingCosts(0.005, 1.0, half_spread, 0.0, 1.0)
    made = {days[0]: decision("SELL" if short else "BUY", stop)}
    ledger = run(bars(days, rows), days, made, shorts=SHORTS if short else None, costs=costs)
    shares, level = 50, max(100.0, stop)
    paid = shares * 2 * half_spread * level + 2 * 1.0 + 0.05
    assert ledger.lines[-1].mark.equity / 100 >= 10_000 - shares * abs(100 - stop) - paid
