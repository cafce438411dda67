"""`advance`: takes an account through one session: corporate actions, fills at the open, the mark, and new orders.

Orders are decided after the close of a session and filled at the next open. The same function serves past sessions and
the present one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction

from tradingagents.features.backtest.book import Book
from tradingagents.features.backtest.broker import TradingCosts, execute, trade_price
from tradingagents.features.backtest.exits import PlannedLevels, beyond_levels, changed_levels, restated, session_exits
from tradingagents.features.backtest.financing.bills import BillRates, interest
from tradingagents.features.backtest.financing.margin import borrow_fees, forced_orders, free_cash, most_short
from tradingagents.features.backtest.ledger import BookLedger, SessionMark
from tradingagents.features.backtest.limits import RiskLimits, ShortRules
from tradingagents.features.backtest.postings import (
    Charge,
    Delisting,
    Deposit,
    DividendPosting,
    LateSplit,
    Merger,
    Order,
    OrderFill,
    OrderRest,
    Posting,
    ShortCover,
    ShortSale,
    SplitPosting,
    cents,
)
from tradingagents.features.backtest.traded_prices import LARGEST_DENOMINATOR, TradedPrices

Targets = Callable[[date, Mapping[str, float]], Mapping[str, float] | None]
"""Gives target weights after the close of a session, from the weights held; None leaves the account alone."""


@dataclass(frozen=True, slots=True)
class AccountRules:
    """What an account starts with and obeys."""

    deposit: float = 100_000.0
    costs: TradingCosts = field(default_factory=TradingCosts)
    limits: RiskLimits = field(default_factory=RiskLimits)
    sectors: Mapping[str, str | None] = field(default_factory=dict)
    least_trade: float = 0.0025
    """Changes of a position smaller than this fraction of the account are not traded, unless it is closed."""
    charges: Mapping[date, float] = field(default_factory=dict)
    """Cost of the models by the day they decided, in the account's currency."""
    shorts: ShortRules | None = None
    """How borrowed shares may be sold; None: not at all."""
    foreign: frozenset[str] = frozenset()
    """Symbols whose prices were converted from another currency, and whose trades pay `costs.conversion` more."""
    bills: BillRates | None = None
    """What cash earns; None: nothing."""
    levels: PlannedLevels | None = None
    """Stops and targets of decisions by their day; None: positions are closed by orders only."""

    def costs_of(self, symbol: str) -> TradingCosts:
        """Return what trading a symbol costs."""
        if symbol not in self.foreign:
            return self.costs
        return replace(self.costs, half_spread=self.costs.half_spread + self.costs.conversion)


def advance(
    ledger: BookLedger,
    table: TradedPrices,
    day: date,
    rules: AccountRules,
    targets: Targets,
    *,
    notes: Sequence[Posting] = (),
) -> SessionMark:
    """Take an account through one session and write it to the ledger.

    Args:
        ledger: The account.
        table: Prices; of sessions after `day` nothing is read.
        day: The session, after the ledger's last.
        rules: Costs and limits.
        targets: Decides after the close.
        notes: What else the ledger shall say of the session; it comes first.

    Raises:
        BookMismatch: The books do not close.
        OSError: The disk is full; the ledger is as before.
    """
    before, draft, postings = ledger.last_day, _Draft(ledger.book, day), list[Posting]()
    if before is None:
        postings += draft.post(Deposit(cents(rules.deposit)))
    postings += draft.post(*notes)
    postings += _late_levels(draft, notes, day)
    if before is not None and (rules.shorts is not None or rules.bills is not None):
        postings += _financing(draft, table, before, day, rules)
    for symbol in table.with_actions({*draft.book.lots, *draft.book.orders}, before, day):
        postings += _corporate_actions(draft, table, symbol, before, day)
    for symbol in sorted({*draft.book.lots, *draft.book.orders}):
        if table.is_gone(symbol, day):
            postings += _ended(draft, table, symbol, day)
    postings += _fills(draft, table, day, rules)
    if draft.book.levels:
        postings += draft.post(*session_exits(draft.book, table, day, rules.costs_of, postings))
    if charge := min(cents(rules.charges.get(day, 0.0)), max(0, draft.book.cash)):
        postings += draft.post(Charge("models", charge))
    held = draft.book.shares
    closes = {symbol: _close(table, symbol, day) for symbol in held}
    values = {symbol: cents(held[symbol] * close) for symbol, close in closes.items()}
    equity = draft.book.cash + sum(values.values())
    postings += draft.post(*changed_levels(draft.book, (rules.levels or {}).get(day, {})))
    wanted = targets(day, {symbol: value / equity for symbol, value in values.items()} if equity > 0 else {})
    forced = forced_orders(draft.book, closes, rules.shorts) if rules.shorts is not None else []
    if forced:
        postings += draft.post(*forced)
    elif wanted is not None and equity > 0:
        postings += _orders(draft, table, day, rules, wanted, equity)
    return ledger.append(day, postings, closes)


class _Draft:
    """The book of a session in progress."""

    def __init__(self, book: Book, day: date) -> None:
        self.book = book.copy()
        self._day = day

    def post(self, *postings: Posting) -> Sequence[Posting]:
        self.book.apply_all(self._day, postings)
        return postings


def _financing(draft: _Draft, table: TradedPrices, before: date, day: date, rules: AccountRules) -> Sequence[Posting]:
    """Return the fees for borrowed shares and the interest on cash since the close before."""
    lent = {symbol: _close(table, symbol, before) for symbol, count in draft.book.shares.items() if count < 0}
    done: list[Posting] = []
    if rules.bills is not None:
        done += interest(draft.book, lent, before, day, rules.bills)
    if rules.shorts is not None:
        done += borrow_fees(draft.book, lent, before, day, rules.shorts)
    return draft.post(*done)


def _corporate_actions(
    draft: _Draft, table: TradedPrices, symbol: str, before: date | None, day: date
) -> Sequence[Posting]:
    """Return split and dividend of a symbol, applied in this order."""
    done: list[Posting] = []
    held = draft.book.held(symbol)
    ratio = table.split(symbol, before, day)
    if ratio is not None and symbol in draft.book.orders:  # an order counts shares of the day it was given
        done += draft.post(Order(symbol, math.trunc(draft.book.orders[symbol] * ratio)))
    if ratio is not None and (levels := draft.book.levels.get(symbol)) is not None:
        done += draft.post(restated(levels, ratio.numerator, ratio.denominator, day))
    if ratio is not None and held:
        whole = math.trunc(held * ratio)
        rest = float(held * ratio - whole)
        price = _open(table, symbol, day)
        done += draft.post(SplitPosting(symbol, ratio.numerator, ratio.denominator, whole, cents(rest * price)))
        held = whole
    if held and (paid := table.dividend(symbol, before, day)) is not None:
        done += draft.post(DividendPosting(symbol, held, paid.per_share, cents(held * paid.per_share)))
    return done


def _ended(draft: _Draft, table: TradedPrices, symbol: str, day: date) -> Sequence[Posting]:
    """Return the end of a symbol's order and position: what holders get, or its last close where that is not known.

    It comes after all dividends of the session: shares of another company that are received on its ex-day get none.
    """
    done, held, end = list[Posting](), draft.book.held(symbol), table.end_of(symbol)
    if symbol in draft.book.orders:
        done += draft.post(OrderRest(symbol, draft.book.orders[symbol], "delisted"))
    if not held:
        return done
    if end is None or end.into is None or end.shares is None:
        price = _close(table, symbol, day) if end is None or end.cash is None else end.cash
        return [*done, *draft.post(Delisting(symbol, held, price, cents(held * price)))]
    opened, cash = _open(table, end.into, day), end.cash or 0.0
    exact = held * Fraction(end.shares).limit_denominator(LARGEST_DENOMINATOR)
    if draft.book.held(end.into) * held < 0:  # a position is long or short as a whole: its worth is paid
        price = cash + end.shares * opened
        return [*done, *draft.post(Delisting(symbol, held, price, cents(held * price)))]
    whole = math.trunc(exact)
    paid = cents(held * cash + float(exact - whole) * opened)
    return [*done, *draft.post(Merger(symbol, held, end.into, whole, cents(whole * opened), paid))]


def _fills(draft: _Draft, table: TradedPrices, day: date, rules: AccountRules) -> Sequence[Posting]:
    """Return the fills of all pending orders, each kind in alphabetical order.

    Sales of what is held come first, then borrowed shares are bought back, borrowed shares are sold, and shares bought.
    An order that turns a long position short, or the reverse, is two trades of one session.
    """
    closing, opening = dict[str, int](), dict[str, int]()
    for symbol, shares in draft.book.orders.items():
        held = draft.book.held(symbol)
        closing[symbol] = max(shares, min(0, -held)) if shares < 0 else min(shares, max(0, -held))
        opening[symbol] = shares - closing[symbol]
        if opening[symbol] < 0 and rules.shorts is None:
            opening[symbol] = 0  # never more than is held
    done: list[Posting] = []
    for symbol in sorted(draft.book.orders):
        if not closing[symbol] and not opening[symbol]:
            done += draft.post(OrderRest(symbol, 0, "closed"))
    traded = dict[str, int]()
    for symbol, shares in sorted(closing.items(), key=lambda order: (order[1] > 0, order[0])):
        if shares:
            found = execute(symbol, shares, table.bar(symbol, day), rules.costs_of(symbol), draft.book.cash)
            kind = ShortCover if shares > 0 else OrderFill
            done += draft.post(*(_as(kind, part) if isinstance(part, OrderFill) else part for part in found))
            traded[symbol] = sum(abs(part.shares) for part in found if isinstance(part, OrderFill))
    for symbol, shares in sorted(opening.items(), key=lambda order: (order[1] > 0, order[0])):
        if shares and closing[symbol] and draft.book.held(symbol):  # the position that it turns is not closed
            done += draft.post(OrderRest(symbol, shares, "volume"))
        elif shares and (void := _void(draft.book, table, symbol, shares, day)) is not None:
            done += draft.post(OrderRest(symbol, shares, void))
        elif shares:
            done += draft.post(*_opened(draft.book, table, (symbol, shares, traded.get(symbol, 0)), day, rules))
    return done


def _void(book: Book, table: TradedPrices, symbol: str, shares: int, day: date) -> str | None:
    """Return why an order that would open or enlarge a position is withdrawn at the open; None where it is not."""
    levels = book.levels.get(symbol)
    return None if levels is None else beyond_levels(levels, 1 if shares > 0 else -1, table.bar(symbol, day))


def _late_levels(draft: _Draft, notes: Sequence[Posting], day: date) -> Sequence[Posting]:
    """Return levels restated for splits that came to be known late, where they are older than the split."""
    done: list[Posting] = []
    for late in (posting for posting in notes if isinstance(posting, LateSplit)):
        levels = draft.book.levels.get(late.symbol)
        if levels is not None and levels.day < late.day:
            done += draft.post(restated(levels, late.numerator, late.denominator, day))
    return done


def _opened(
    book: Book, table: TradedPrices, order: tuple[str, int, int], day: date, rules: AccountRules
) -> Sequence[Posting]:
    """Return the trade that opens or enlarges a position: a purchase, or a short sale within the margin."""
    (symbol, shares, used), bar, shorts = order, table.bar(order[0], day), rules.shorts
    costs = rules.costs_of(symbol)
    if shorts is None:
        return execute(symbol, shares, bar, costs, book.cash, used=used)
    opens = {short: _open(table, short, day) for short, count in book.shares.items() if count < 0}
    free = free_cash(book, opens, shorts.initial_margin)
    if shares > 0 or bar is None:
        return execute(symbol, shares, bar, costs, free, used=used)
    worst = trade_price(-1, -shares + used, bar, costs)
    count = most_short(free - costs.commission(-shares), worst, bar.open, shorts.initial_margin)
    allowed = max(shares, -count)
    found: list[Posting] = [OrderRest(symbol, shares - allowed, "margin")] if allowed != shares else []
    done = execute(symbol, allowed, bar, costs, book.cash, used=used) if allowed else []
    return [*(_as(ShortSale, part) if isinstance(part, OrderFill) else part for part in done), *found]


def _as(kind: type[OrderFill], fill: OrderFill) -> OrderFill:
    return kind(fill.symbol, fill.shares, fill.price, fill.value, fill.commission, fill.slippage)


def _orders(
    draft: _Draft, table: TradedPrices, day: date, rules: AccountRules, wanted: Mapping[str, float], equity: int
) -> Sequence[Posting]:
    """Return the orders that lead to the target weights within the limits, and the clamps."""
    allowed, clamps = rules.limits.apply(wanted, rules.sectors, rules.shorts)
    done, held = list(draft.post(*clamps)), draft.book.shares
    for symbol in sorted({*held, *allowed}):
        price = table.close(symbol, day)
        if price is None or table.is_gone(symbol, day):
            continue
        worth = allowed.get(symbol, 0.0) * equity
        # Weights come from values in whole cents: half a cent more, or a position that stays would lose a share.
        goal = math.trunc((worth + math.copysign(0.5, worth)) / 100 / price)
        change = goal - held.get(symbol, 0)
        small = abs(cents(change * price)) < rules.least_trade * equity
        if change and not (small and goal):
            done += draft.post(Order(symbol, change))
    return done


def _open(table: TradedPrices, symbol: str, day: date) -> float:
    """Return the open of a session; of a halt the last close."""
    bar = table.bar(symbol, day)
    return bar.open if bar is not None else _close(table, symbol, day)


def _close(table: TradedPrices, symbol: str, day: date) -> float:
    """Return the last close of a symbol that is held, so that there is one."""
    found = table.close(symbol, day)
    if found is None:
        raise KeyError(symbol)
    return found
