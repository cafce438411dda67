"""The account closes to the cent every day: random order flows with every corporate action, and cases by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.features.backtest.market import NO_COSTS, days_of, made_prices, table_of
from tests.features.backtest.market_truth import MarketTruth, count_again
from tradingagents.dataflows.models import ListingEnd, Split
from tradingagents.features.backtest.advance import AccountRules, Targets, advance
from tradingagents.features.backtest.book import Book, BookMismatch, Lot
from tradingagents.features.backtest.broker import TradingCosts, execute
from tradingagents.features.backtest.financing.margin import YEAR
from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.limits import RiskLimits, ShortRules
from tradingagents.features.backtest.postings import (
    BorrowFee,
    Charge,
    Clamp,
    Delisting,
    Deposit,
    DividendPosting,
    MarginCall,
    Order,
    OrderFill,
    OrderRest,
    ShortCover,
    ShortSale,
    SplitPosting,
    cents,
)
from tradingagents.features.backtest.traded_prices import GONE_AFTER, SessionBar, TradedPrices
from tradingagents.files.atomic import UnreadableFile

OPEN_LIMITS = RiskLimits(max_positions=99, max_position=1.0, max_sector=1.0, min_cash=0.0)
FREE = AccountRules(deposit=10_000.0, costs=NO_COSTS, limits=OPEN_LIMITS, least_trade=0.0)


def always(weights: Mapping[str, float]) -> Targets:
    return lambda _day, _held: weights


def once(on: date, weights: Mapping[str, float]) -> Targets:
    return lambda day, _held: weights if day == on else None


def run(ledger: BookLedger, table: TradedPrices, days: tuple[date, ...], rules: AccountRules, targets: Targets) -> None:
    for day in days:
        advance(ledger, table, day, rules, targets)


def postings(ledger: BookLedger, kind: type) -> list[tuple[date, object]]:
    return [(line.mark.day, one) for line in ledger.lines for one in line.postings if isinstance(one, kind)]


def test_an_order_is_decided_after_a_close_and_filled_at_the_next_open():
    days = days_of(3)
    table = table_of(made_prices("A", days, [100, 110, 120], opens=[99, 105, 111]), days=days)
    ledger = BookLedger()
    run(ledger, table, days, FREE, once(days[0], {"A": 1.0}))

    ((day, fill),) = postings(ledger, OrderFill)
    assert (day, fill) == (days[1], OrderFill("A", 95, 105.0, 997_500, 0, 0))  # 100 were ordered; 95 could be paid
    assert [(day, one) for day, one in postings(ledger, OrderRest)] == [(days[1], OrderRest("A", 5, "cash"))]
    assert [line.mark.equity for line in ledger.lines] == [1_000_000, 2_500 + 95 * 11_000, 2_500 + 95 * 12_000]


def test_a_position_that_is_to_stay_loses_no_share_by_rounding():
    days = days_of(40)
    closes = [7.3331 + 0.0137 * number for number in range(40)]
    table = table_of(made_prices("A", days, closes), made_prices("B", days, [3.0] * 40), days=days)
    ledger = BookLedger()

    def stay(day: date, held: Mapping[str, float]) -> Mapping[str, float]:
        return {"A": 0.4} if day == days[0] else held

    run(ledger, table, days, replace(FREE, deposit=100.0), stay)
    assert len(postings(ledger, OrderFill)) == 1


def test_splits_dividends_halts_and_delistings_by_hand():
    days = days_of(8 + GONE_AFTER)
    prices = made_prices(
        "A",
        days,
        [10, 10, 30, 4, 4, 4, 8, 8, *[8] * GONE_AFTER],
        splits=[Split(days[3], 7.5)],
        dividends=[(days[3], 0.25), (days[2], 1.0)],
        missing=[days[5], *days[7:]],
        ended=ListingEnd(days[7], "delisted"),
    )
    table = table_of(prices, made_prices("B", days, [50] * len(days)), days=days)
    ledger = BookLedger()
    run(ledger, table, days[:8], FREE, once(days[0], {"A": 0.331}))

    assert [one for _, one in postings(ledger, OrderFill)] == [OrderFill("A", 331, 10.0, 331_000, 0, 0)]
    assert postings(ledger, DividendPosting) == [
        (days[2], DividendPosting("A", 331, 1.0, 33_100)),
        (days[3], DividendPosting("A", 2482, 0.25, 62_050)),  # after the split of the same day
    ]
    assert postings(ledger, SplitPosting) == [(days[3], SplitPosting("A", 15, 2, 2482, 200))]  # half a share at 4
    assert postings(ledger, Delisting) == [(days[7], Delisting("A", 2482, 8.0, 2482 * 800))]
    cash = 1_000_000 - 331_000 + 33_100 + 200 + 62_050
    marks = [line.mark.equity for line in ledger.lines]
    assert marks[4:] == [cash + 2482 * 400, cash + 2482 * 400, cash + 2482 * 800, cash + 2482 * 800]
    assert ledger.book.lots == {}
    assert ledger.book.realised == 200 + 2482 * 800 - 331_000


def test_a_short_position_pays_dividends_fees_and_splits_and_is_bought_in_by_hand():
    days = days_of(6 + GONE_AFTER)  # 2024-01-02 is a Tuesday: the fourth night is a weekend
    prices = made_prices(
        "A",
        days,
        [10, 10, 11, 4, 4, *[4] * (1 + GONE_AFTER)],
        splits=[Split(days[3], 2.5)],
        dividends=[(days[2], 1.0)],
        missing=days[5:],
        ended=ListingEnd(days[5], "delisted"),
    )
    table = table_of(prices, made_prices("B", days, [50] * len(days)), days=days)
    rules = replace(FREE, shorts=ShortRules(max_short=0.5, borrow_bp=3_600.0))
    ledger = BookLedger()
    run(ledger, table, days[:6], rules, once(days[0], {"A": -0.331}))

    assert [one for _, one in postings(ledger, OrderFill)] == [ShortSale("A", -331, 10.0, 331_000, 0, 0)]
    assert postings(ledger, DividendPosting) == [(days[2], DividendPosting("A", -331, 1.0, -33_100))]
    assert postings(ledger, SplitPosting) == [(days[3], SplitPosting("A", 5, 2, -827, -200))]  # half a share at 4
    assert [(day, one) for day, one in postings(ledger, BorrowFee)] == [
        (days[2], BorrowFee("A", -331, 1, 331)),  # a thousandth of 3,310.00 a day
        (days[3], BorrowFee("A", -331, 1, 364)),
        (days[4], BorrowFee("A", -827, 3, 992)),  # over the weekend
        (days[5], BorrowFee("A", -827, 1, 331)),
    ]
    assert postings(ledger, Delisting) == [(days[5], Delisting("A", -827, 4.0, -827 * 400))]
    assert ledger.book.lots == {}
    assert ledger.book.realised == 331_000 - 200 - 827 * 400
    assert ledger.book.cash == 1_000_000 + 331_000 - 33_100 - 200 - 331 - 364 - 992 - 331 - 827 * 400
    assert BookLedger().book.to_json().keys() == ledger.book.to_json().keys()


def test_a_broken_margin_is_called_and_closed_at_the_next_open_that_trades():
    days = days_of(7)
    table = table_of(
        made_prices("A", days, [10, 10, 30, 30, 30, 30, 30], missing=[days[3]]),
        made_prices("B", days, [10] * 7),
        days=days,
    )
    rules = replace(FREE, shorts=ShortRules(max_short=0.6, borrow_bp=0.0), sectors={"A": "energy"})
    ledger = BookLedger()
    run(ledger, table, days, rules, once(days[0], {"A": -0.5, "B": 0.6}))

    assert [(day, one) for day, one in postings(ledger, OrderFill)] == [
        (days[1], ShortSale("A", -500, 10.0, 500_000, 0, 0)),
        (days[1], OrderFill("B", 600, 10.0, 600_000, 0, 0)),
        (days[3], OrderFill("B", -600, 10.0, 600_000, 0, 0)),  # long positions pay for the purchase
        (days[4], ShortCover("A", 500, 30.0, 1_500_000, 0, 0)),  # one session later: the stock was halted
    ]
    assert postings(ledger, MarginCall) == [
        (days[2], MarginCall(900_000, 1_950_000)),
        (days[3], MarginCall(1_500_000, 1_950_000)),
    ]
    assert postings(ledger, OrderRest) == [(days[3], OrderRest("A", 500, "halted"))]
    assert postings(ledger, Order)[-1] == (days[3], Order("A", 500))
    assert ledger.book.cash == ledger.lines[-1].mark.equity == 0


def test_an_order_that_turns_a_position_is_two_trades_and_margin_limits_the_second():
    days = days_of(4)
    table = table_of(
        made_prices("A", days, [10] * 4, volume=700),
        made_prices("B", days, [10] * 4, opens=[10, 10, 10, 11]),
        days=days,
    )
    limits = replace(OPEN_LIMITS, max_sector=9.0)
    rules = replace(FREE, limits=limits, shorts=ShortRules(max_short=5.0, max_gross=9.0, min_net=-9.0, borrow_bp=0.0))
    wanted = {days[0]: {"A": 0.2}, days[1]: {"A": -0.6}, days[2]: {"A": -0.6, "B": -4.0}}
    ledger = BookLedger()
    run(ledger, table, days, rules, lambda day, _held: wanted.get(day))
    assert [(day, one) for day, one in postings(ledger, OrderFill)] == [
        (days[1], OrderFill("A", 200, 10.0, 200_000, 0, 0)),
        (days[2], OrderFill("A", -200, 10.0, 200_000, 0, 0)),
        (days[2], ShortSale("A", -500, 10.0, 500_000, 0, 0)),  # what the volume of the session leaves
        (days[3], ShortCover("A", 240, 10.0, 240_000, 0, 0)),
        (days[3], ShortSale("B", -1581, 11.0, 1_739_100, 0, 0)),  # 5.50 of margin a share from 8,700.00 of free cash
    ]
    assert [one for _, one in postings(ledger, Clamp)] == [Clamp("margin", "", pytest.approx(2.3), 1.0)]
    assert [one for _, one in postings(ledger, OrderRest)] == [
        OrderRest("A", -100, "volume"),
        OrderRest("B", -158, "margin"),
    ]


def test_the_end_of_the_recorded_data_is_no_delisting_and_a_halted_order_ends():
    days = days_of(20)
    silent = days[20 - GONE_AFTER + 1 :]
    table = table_of(
        made_prices("A", days, [10] * 20, missing=silent),
        made_prices("B", days, [5] * 20, missing=[days[1]]),
        days=days,
    )
    ledger = BookLedger()
    run(ledger, table, days, FREE, once(days[0], {"A": 0.5, "B": 0.5}))
    assert postings(ledger, Delisting) == []
    assert ledger.book.shares == {"A": 500}
    assert postings(ledger, OrderRest) == [(days[1], OrderRest("B", 1000, "halted"))]
    assert {line.mark.equity for line in ledger.lines} == {1_000_000}


def test_the_broker_charges_what_it_says_and_never_more_than_there_is():
    costs = TradingCosts(0.005, 1.0, 0.001, 0.04, 0.25)
    bar = SessionBar(10.0, 11.0, 9.0, 10.5, 40_000.0)
    (bought,) = execute("A", 400, bar, costs, 10**9)
    price = 10 * (1 + 0.001 + 0.04 * math.sqrt(0.01))
    assert bought == OrderFill("A", 400, price, 402_000, 200, 2_000)
    (sold,) = execute("A", -100, bar, costs, 0)
    assert isinstance(sold, OrderFill)
    assert (sold.commission, sold.slippage) == (100, 100_000 - sold.value)
    filled, rest = execute("A", 20_000, bar, costs, 10**12)
    assert isinstance(filled, OrderFill)
    assert (filled.shares, rest) == (10_000, OrderRest("A", 10_000, "volume"))
    filled, rest = execute("A", 100, bar, costs, 50_000)
    assert isinstance(filled, OrderFill)
    assert filled.value + filled.commission <= 50_000 < filled.value + filled.commission + 1_002
    assert rest == OrderRest("A", 100 - filled.shares, "cash")
    assert execute("A", 5, None, costs, 10**9) == [OrderRest("A", 5, "halted")]
    assert execute("A", -1, SessionBar(0.02, 0.02, 0.02, 0.02, 1e6), costs, 0) == [OrderRest("A", -1, "cash")]


def test_impossible_postings_are_refused():
    book = Book(cash=100, lots={"A": (Lot(days_of(1)[0], 3, 300),)})
    day = days_of(1)[0]
    for wrong in (
        OrderFill("A", 1, 2.0, 200, 0, 0),
        OrderFill("A", -4, 1.0, 400, 0, 0),
        SplitPosting("A", 2, 1, 5, 0),
        DividendPosting("A", 4, 1.0, 400),
        Delisting("A", 2, 1.0, 200),
        Charge("models", 101),
    ):
        with pytest.raises(BookMismatch):
            replace(book, lots=dict(book.lots)).apply(day, wrong)


def test_a_dividend_that_is_in_the_prices_is_not_paid_again():
    days = days_of(4)
    prices = made_prices("A", days, [10, 10, 9, 9], dividends=[(days[2], 1.0)])
    inside = replace(prices, basis="fully_adjusted", open=prices.adj_close, close=prices.adj_close)
    paid, contained = BookLedger(), BookLedger()
    run(paid, table_of(prices, days=days), days, FREE, once(days[0], {"A": 1.0}))
    run(contained, table_of(inside, days=days), days, FREE, once(days[0], {"A": 1.0}))
    assert paid.book.dividends == 100_000
    assert contained.book.dividends == 0
    assert [line.mark.equity for line in paid.lines] == [1_000_000] * 4
    assert [line.mark.equity for line in contained.lines] == pytest.approx([1_000_000] * 4, abs=100)


WEIGHT = st.floats(-0.9, 1.4, allow_nan=False)
BOLD = ShortRules(
    max_short=2.0,
    max_gross=4.0,
    max_net=2.0,
    min_net=-3.0,
    initial_margin=0.2,
    maintenance_margin=0.15,
    borrow_bp=4_000.0,
)


class Flow(NamedTuple):
    """A random market, and random orders."""

    truths: dict[str, MarketTruth]
    table: TradedPrices
    days: tuple[date, ...]
    wanted: list[dict[str, float] | None]
    rules: AccountRules


@st.composite
def flows(draw: st.DrawFn) -> Flow:
    """Return a random market with every corporate action, and random orders."""
    count = draw(st.integers(3, 16))
    days = days_of(count + GONE_AFTER + 2)
    made = dict[str, MarketTruth]()
    for symbol in ("A", "B", "C"):
        seed = np.random.default_rng(draw(st.integers(0, 2**32)))
        steps = np.exp(seed.normal(0, 0.05, len(days)).cumsum())
        steps[draw(st.integers(1, count - 1)) :] *= draw(st.sampled_from([1.0, 1.0, 0.3, 6.0]))
        ratio = draw(st.sampled_from([1.0, 2.0, 1.5, 7.0, 0.1, 0.04]))
        place = draw(st.integers(1, count - 1))
        traded = draw(st.floats(0.5, 900)) * steps * np.where(np.arange(len(days)) >= place, 1 / ratio, 1)
        gone = draw(st.integers(1, count)) if draw(st.booleans()) else len(days)
        halted = [n for n in range(1, count) if draw(st.integers(0, 5)) == 0]
        made[symbol] = MarketTruth(
            symbol,
            days,
            np.maximum(traded, 0.02).tolist(),
            np.maximum(traded * np.exp(seed.normal(0, 0.02, len(days))), 0.02).tolist(),
            draw(st.sampled_from([50.0, 3_000.0, 1e8])),
            {place: Fraction(ratio).limit_denominator(10_000)} if ratio != 1 else {},
            {draw(st.integers(1, count - 1)): draw(st.floats(0.001, 0.2))},
            frozenset([*halted, *range(gone, len(days))]),
        )
    wanted = draw(
        st.lists(
            st.one_of(st.none(), st.fixed_dictionaries({"A": WEIGHT, "B": WEIGHT, "C": WEIGHT})),
            min_size=count,
            max_size=count,
        )
    )
    limits = draw(st.sampled_from([RiskLimits(), OPEN_LIMITS, RiskLimits(2, 0.5, 0.8, 0.1)]))
    rules = AccountRules(
        deposit=draw(st.sampled_from([1_000.0, 54_321.98])),
        costs=draw(st.sampled_from([TradingCosts(), NO_COSTS, TradingCosts(0.02, 5.0, 0.01, 0.3, 0.5)])),
        limits=limits,
        sectors={"A": "energy", "B": "energy", "C": None},
        charges={days[1]: draw(st.floats(0, 3))},
        shorts=draw(st.sampled_from([None, ShortRules(), BOLD])),
    )
    return Flow(made, table_of(*(one.prices() for one in made.values()), days=days), days[:count], wanted, rules)


def opened(table: TradedPrices, symbol: str, day: date) -> float:
    """Return the open of a session; of a halt the last close."""
    bar = table.bar(symbol, day)
    return bar.open if bar is not None else table.close(symbol, day) or 0.0


@settings(max_examples=60, deadline=None)
@given(flows())
def test_the_books_close_to_the_cent_every_day(flow: Flow):
    truths, table, days, wanted, rules = flow
    ledger = BookLedger()
    orders = dict(zip(days, wanted, strict=True))
    run(ledger, table, days, rules, lambda day, _held: orders[day])
    count_again(truths, ledger, rules.costs)

    cash, shares, equity = 0, dict[str, int](), 0
    for line in ledger.lines:
        day, earned, roundings = line.mark.day, 0.0, 2
        last = {symbol: table.close(symbol, days[days.index(day) - 1]) for symbol in shares} if equity else {}
        opening, volume = dict(shares), dict[tuple[str, bool], int]()
        for posting in line.postings:  # counted again, without the book
            roundings += 1
            before_it = cash
            if isinstance(posting, Deposit):
                cash += posting.amount
                equity += posting.amount
            elif isinstance(posting, OrderFill):
                shares[posting.symbol] = shares.get(posting.symbol, 0) + posting.shares
                cash -= math.copysign(1, posting.shares) * posting.value + posting.commission  # type: ignore[assignment]
                bar = table.bar(posting.symbol, day)
                assert bar is not None
                side = (posting.symbol, posting.shares > 0)
                volume[side] = volume.get(side, 0) + abs(posting.shares)
                assert volume[side] <= bar.volume * rules.costs.max_participation + 1e-6
                if isinstance(posting, ShortSale):
                    assert rules.shorts is not None
                    assert posting.shares < 0
                    assert shares[posting.symbol] < 0
                elif isinstance(posting, ShortCover):
                    assert 0 <= -shares[posting.symbol] < -shares[posting.symbol] + posting.shares
                else:
                    assert shares[posting.symbol] >= 0
                if rules.shorts is not None and shares[posting.symbol] * posting.shares > 0:  # it enlarges a position
                    lent = sum(-count * opened(table, name, day) for name, count in shares.items() if count < 0)
                    assert cash / 100 >= (1 + rules.shorts.initial_margin) * lent - 0.02
                assert (posting.price - bar.open) * posting.shares >= -1e-9 or posting.price <= 0.01
                earned += posting.shares * (bar.close - posting.price) - posting.commission / 100
            elif isinstance(posting, SplitPosting):
                before = shares[posting.symbol]
                price = last.pop(posting.symbol) or 0.0
                assert posting.shares == math.trunc(Fraction(before * posting.numerator, posting.denominator))
                last[posting.symbol] = price * posting.denominator / posting.numerator
                fraction = before * posting.numerator / posting.denominator - posting.shares
                earned += posting.cash / 100 - fraction * last[posting.symbol]  # type: ignore[operator]
                shares[posting.symbol] = opening[posting.symbol] = posting.shares
                cash += posting.cash
            elif isinstance(posting, DividendPosting):
                paid = table.dividend(posting.symbol, days[days.index(day) - 1], day)
                assert paid is not None
                assert (posting.shares, posting.value) == (
                    shares[posting.symbol],
                    cents(posting.shares * paid.per_share),
                )
                cash += posting.value
                earned += posting.value / 100
            elif isinstance(posting, Delisting):
                cash += posting.value
                assert shares.pop(posting.symbol) == posting.shares
            elif isinstance(posting, Charge):
                cash -= posting.value
                earned -= posting.value / 100
            elif isinstance(posting, BorrowFee):
                assert rules.shorts is not None
                nights = (day - days[days.index(day) - 1]).days
                owed = -opening[posting.symbol] * last[posting.symbol] * rules.shorts.borrow_bp / 1e4 * nights / YEAR  # type: ignore[operator]
                assert (posting.shares, posting.days) == (opening[posting.symbol], nights)
                assert posting.value == pytest.approx(100 * owed, abs=0.51)
                cash -= posting.value
                earned -= posting.value / 100
            if cash < 0:  # only what a short position owes may leave a debt
                assert cash >= before_it or isinstance(posting, BorrowFee | DividendPosting | SplitPosting | Delisting)
                assert rules.shorts is not None
        shares = {symbol: count for symbol, count in shares.items() if count}
        assert cash == line.mark.cash
        if rules.shorts is not None:
            lent = sum(-count * line.mark.prices[s] for s, count in shares.items() if count < 0)
            called = any(isinstance(one, MarginCall) for one in line.postings)
            covered = cash / 100 - (1 + rules.shorts.maintenance_margin) * lent
            assert covered <= 0.03 if called else covered >= -0.03 or not shares
        assert line.mark.equity == cash + sum(cents(count * line.mark.prices[s]) for s, count in shares.items())
        for symbol, count in opening.items():  # what was held overnight earned the change of its price
            if count and last.get(symbol) is not None and not table.is_gone(symbol, day):
                earned += count * ((table.close(symbol, day) or 0.0) - last[symbol])  # type: ignore[operator]
        assert abs(line.mark.equity - equity - 100 * earned) <= roundings + len(shares) + len(opening)
        equity = line.mark.equity
        if rules.shorts is None:
            weight = {symbol: cents(count * line.mark.prices[symbol]) / equity for symbol, count in shares.items()}
            assert all(0 <= one <= 1 for one in weight.values())
    assert ledger.book.shares == shares


@pytest.mark.parametrize("cut", [4, 9, 14])
def test_no_line_of_a_ledger_depends_on_later_prices(cut: int):
    days = days_of(30)
    draw = np.random.default_rng(cut)
    walks = {symbol: 50 * np.exp(draw.normal(0, 0.03, 30).cumsum()) for symbol in "AB"}
    paid = [(days[3], 0.2), (days[8], 0.3), (days[12], 0.1)]

    def ledger(later: float) -> BookLedger:
        made = []
        for symbol, walk in walks.items():
            changed = np.where(np.arange(30) >= cut, walk * later, walk).tolist()
            dividends = [(day, amount * (later if day >= days[cut] else 1)) for day, amount in paid]
            splits = [Split(days[6], 2.0)] + ([Split(days[20], 4.0)] if later != 1 else [])
            made.append(made_prices(symbol, days, changed, opens=changed, splits=splits, dividends=dividends))
        table, found = table_of(*made, days=days), BookLedger()

        def targets(day: date, _held: Mapping[str, float]) -> Mapping[str, float]:
            seen = table.returns(("A", "B"), day, 10)
            return {"A": 0.5, "B": 0.4} if not len(seen) or seen[-1, 0] > seen[-1, 1] else {"A": 0.1, "B": 0.8}

        run(found, table, days[:16], AccountRules(limits=OPEN_LIMITS), targets)
        return found

    lines = cut  # sessions before the change
    plain, tampered = (ledger(later).content.splitlines() for later in (1.0, 8.0))  # powers of two leave no rounding
    assert plain[:lines] == tampered[:lines]
    assert plain[lines:] != tampered[lines:]


@settings(max_examples=12, deadline=None)
@given(flows(), st.floats(0, 1))
def test_a_killed_account_continues_with_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory,
    flow: Flow,
    cut: float,
):
    _, table, days, wanted, rules = flow
    orders = dict(zip(days, wanted, strict=True))
    path = tmp_path_factory.mktemp("ledger") / "ledger.jsonl"
    first = BookLedger(path)
    run(first, table, days, rules, lambda day, _held: orders[day])
    whole = path.read_bytes()

    path.write_bytes(whole[: int(len(whole) * cut)])  # wherever the process was killed
    again = BookLedger(path)
    left = tuple(day for day in days if again.last_day is None or day > again.last_day)
    run(again, table, left, rules, lambda day, _held: orders[day])
    assert path.read_bytes() == whole
    assert BookLedger(path).book == first.book == again.book
    assert BookLedger(path).head == first.head


def test_a_changed_or_missing_line_stops_everything(tmp_path: Path):
    days = days_of(6)
    table = table_of(made_prices("A", days, [10, 11, 12, 11, 10, 9]), days=days)
    path = tmp_path / "ledger.jsonl"
    run(BookLedger(path), table, days, FREE, once(days[0], {"A": 0.5}))
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    for wrong in (
        whole.replace(b'"shares":500', b'"shares":501', 1),
        whole.replace(b'"equity":1000000', b'"equity":1000001', 1),
        b"".join(lines[:2] + lines[3:]),
        b"".join([*lines[:2], lines[3], lines[2], *lines[4:]]),
        b"{}\n" + whole,
    ):
        assert wrong != whole
        path.write_bytes(wrong)
        with pytest.raises(UnreadableFile):
            BookLedger(path)
    path.write_bytes(whole)
    with pytest.raises(BookMismatch, match="cannot follow"):
        advance(BookLedger(path), table, days[-1], FREE, always({}))
    assert path.read_bytes() == whole


def test_a_clamp_is_recorded_with_what_was_wanted():
    days = days_of(2)
    table = table_of(made_prices("A", days, [10, 10]), days=days)
    ledger = BookLedger()
    run(ledger, table, days[:1], AccountRules(), always({"A": 0.4}))
    assert [one for _, one in postings(ledger, Clamp)] == [Clamp("max_position", "A", 0.4, 0.15)]
