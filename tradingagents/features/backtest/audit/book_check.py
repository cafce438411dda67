"""Checks a ledger line by line against prices: sessions, fills, costs, marks and the book itself."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from tradingagents.features.backtest.audit.action_check import ActionCheck
from tradingagents.features.backtest.audit.exit_check import ExitCheck
from tradingagents.features.backtest.audit.findings import AuditFinding, Severity
from tradingagents.features.backtest.audit.result_folder import LEDGER, RecordedBacktest, RecordedSession
from tradingagents.features.backtest.audit.second.book import (
    EXITS,
    KNOWN,
    LATE,
    ON_PAPER,
    TRADES,
    SecondBook,
    StatedCosts,
    from_cents,
    money,
)
from tradingagents.features.backtest.audit.second.prices import SymbolHistory
from tradingagents.features.backtest.audit.second.rates import SecondBills, year_of

NEAR = 5e-7
"""Relative difference of two prices that are the same."""
FEE_YEAR = 360
"""Days of a year by which stock loans are charged."""


@dataclass
class LedgerState:
    """An account between two sessions, as the auditor's book has it."""

    book: SecondBook = field(default_factory=SecondBook)
    orders: dict[str, Decimal] = field(default_factory=dict)
    """Given at the last close."""


class LedgerCheck:
    """Walks through the sessions of a ledger and notes what cannot be true."""

    def __init__(
        self,
        recorded: RecordedBacktest,
        histories: Mapping[str, SymbolHistory],
        sessions: Sequence[date],
        *,
        foreign: frozenset[str] = frozenset(),
        bills: SecondBills | None = None,
        paper: bool = False,
    ) -> None:
        """Prepare.

        Args:
            recorded: The folder.
            histories: Prices by symbol.
            sessions: The exchange's sessions, from before the period to the end of the data.
            foreign: Symbols in another currency than the account's.
            bills: What cash earns; None where that is not known a second time: interest is then worked out from the
                rates that it states.
            paper: Whether it is a paper account, whose ledger also has what it saw, decided and corrected.
        """
        self._foreign, self._known = foreign, KNOWN | ON_PAPER if paper else KNOWN
        self._bills, self._paper = bills, paper
        self._corrected = False
        """Whether a late dividend or split has changed the cash, which may have left a debt."""
        self._recorded, self._histories, self._sessions = recorded, histories, tuple(sessions)
        self._place = {day: number for number, day in enumerate(self._sessions)}
        self._costs = StatedCosts.of(recorded.request)
        self._short = bool(recorded.request.get("shorts"))
        self._actions = ActionCheck(recorded, histories, self._place, self._note)
        self._exits = ExitCheck(recorded, histories, self._costs, self._note)
        self._known |= frozenset(EXITS) if self._exits.followed else frozenset()
        self.state = LedgerState()
        self.opening: dict[date, LedgerState] = {}
        """The state before each session's orders are given, by session."""
        self.found: list[AuditFinding] = []
        self._given: dict[str, Decimal] = {}
        """The orders of the session, in its shares."""
        self._traded: dict[str, Decimal] = {}
        """Shares that the session has traded; an order that turns a position is two trades with one impact."""
        self._where, self._day = LEDGER, ""

    def run(self) -> tuple[AuditFinding, ...]:
        """Check every session and return what was found."""
        self._days()
        before: date | None = None
        for session in self._recorded.sessions:
            if session.day not in self._place:
                continue  # reported with the sessions
            self._session(session, before)
            before = session.day
        return tuple(self.found)

    def _note(self, kind: str, expected: object, found: object, symbol: str = "", severity: Severity = "error") -> None:
        self.found.append(AuditFinding(kind, self._where, str(expected), str(found), severity, symbol, self._day))

    def _days(self) -> None:
        """Compare the ledger's days with the sessions of the period."""
        days = [session.day for session in self._recorded.sessions]
        first = date.fromisoformat(self._recorded.request["start"])
        last = date.fromisoformat(self._recorded.request["end"])
        wanted = [day for day in self._sessions if first <= day <= last]
        early = [day for day in days if day < first]
        if early:
            self._note("warm_up_counted", f"{first} or the session after it", f"{len(early)} sessions from {early[0]}")
        inside = [day for day in days if day >= first]
        ends = date.fromisoformat(self._recorded.record["last_session"])
        expected = [day for day in wanted if day <= ends]
        if inside == expected and inside:
            return
        odd = sorted({*inside} - {*expected}) or sorted({*expected} - {*inside})
        kind = "halt_as_zero_return" if any(day not in self._place for day in inside) else "sessions_wrong"
        self._note(kind, f"{len(expected)} sessions in order", f"{len(inside)} lines; differing: {_some(odd)}")

    def _session(self, session: RecordedSession, before: date | None) -> None:
        self._where, self._day = f"{LEDGER} line {session.number}", str(session.day)
        book, waiting = self.state.book, dict(self.state.orders)
        ordered: dict[str, Decimal] = {}
        self._late(session)
        self._interest(session, before)
        self._fees(session, before)
        self._actions.check(session, dict(book.shares), waiting)
        self._exits.begin(session, {*book.shares, *waiting})
        self._given, self._traded = dict(waiting), {}
        for posting in session.postings:
            kind = posting.get("kind", "")
            try:
                if kind in LATE:  # done before anything else
                    continue
                if kind == "order":
                    if posting["symbol"] in waiting:  # an order restated by a split
                        continue
                    ordered[posting["symbol"]] = Decimal(str(posting["shares"]))
                else:
                    self._posting(kind, posting, session, before, waiting)
                    book.apply(posting)
            except (KeyError, TypeError, ArithmeticError) as error:
                self._note("ledger_unreadable", "a posting", f"{kind}: {type(error).__name__}")
            if book.cash < 0 and not self._corrected:
                self._note("negative_cash", "0 or more", f"{book.cash} after {kind} {posting.get('symbol', '')}")
        for symbol, shares in waiting.items():
            if shares:
                self._note("order_lost", f"{shares} filled or ended", "neither", symbol)
        self._exits.end(session, book)
        self.opening[session.day] = LedgerState(SecondBook(book.cash, dict(book.shares)), ordered)
        self._mark(session)
        self.state.orders = ordered

    def _posting(
        self, kind: str, posting: Mapping[str, Any], session: RecordedSession, before: date | None,
        waiting: dict[str, Decimal],
    ) -> None:  # fmt: skip
        symbol = posting.get("symbol", "")
        shares = posting.get("shares", 0)
        if isinstance(shares, float) and not shares.is_integer():
            self._note("fractional_shares", "whole shares", f"{kind} of {shares}", symbol)
        if kind not in self._known:
            self._note(
                "unexpected_posting", "a trade, an action, a deposit or a cost", f"{kind} {dict(posting)}", symbol
            )
        elif kind == "deposit":
            wanted = money(self._recorded.request["deposit"])
            if before is not None or from_cents(posting["amount"]) != wanted:
                self._note("unexpected_posting", f"{wanted} once", f"deposit of {from_cents(posting['amount'])}")
        elif kind in TRADES:
            self._fill(posting, session.day, before, waiting)
            self._exits.traded(posting, self.state.book.held(symbol), session.day)
        elif kind == "exit":
            self._exits.closed(posting, self.state.book.held(symbol), session.day, foreign=symbol in self._foreign)
            self._amounts(posting)
        elif kind == "unfilled":
            self._exits.withdrawn(posting, session.day)
            self._rest(posting, session.day, waiting)
            self._settle(symbol, Decimal(str(shares)), waiting, ended=True)

    def _late(self, session: RecordedSession) -> None:
        """Check and fold the corrections of earlier sessions, which a paper account posts first."""
        for posting in session.postings:
            if posting.get("kind") not in LATE or posting["kind"] not in self._known:
                continue
            self._corrected = True
            held = self.state.book.held(posting["symbol"])
            if posting["kind"] == "late_dividend":
                owed = money(posting["shares"] * posting["per_share"])
                if abs(owed - from_cents(posting["value"])) > Decimal("0.01"):
                    self._note("dividend_wrong", owed, from_cents(posting["value"]), posting["symbol"])
            else:
                ratio = max(posting["numerator"] / posting["denominator"], 1.0)
                if abs(Decimal(str(posting["shares"]))) > abs(held) * Decimal(str(ratio)):
                    self._note(
                        "split_wrong", f"{held} shares times {ratio:g} at most", posting["shares"], posting["symbol"]
                    )
            self.state.book.apply(posting)

    # Fills

    def _fill(self, posting: Mapping[str, Any], day: date, before: date | None, waiting: dict[str, Decimal]) -> None:
        symbol, shares = posting["symbol"], Decimal(str(posting["shares"]))
        history = self._histories.get(symbol)
        if history is None:
            self._note("fill_without_order", "a symbol with prices", f"{shares}", symbol)
            return
        self._settle(symbol, shares, waiting, ended=False)
        if shares < 0 and -shares > self.state.book.held(symbol) and posting["kind"] != "short_sale":
            self._note("sold_more_than_held", f"{self.state.book.held(symbol)} at most", f"{-shares}", symbol)
        if not history.traded(day):
            self._note("fill_in_halt", "no fill in a halt", f"{shares} at {posting['price']}", symbol)
            return
        most = math.floor(history.at(day, "volume") * self._costs.participation)
        whole = self._traded[symbol] = self._traded.get(symbol, Decimal(0)) + shares
        if abs(whole) > most:
            self._note("fill_beyond_volume", f"{most} shares at most", f"{abs(whole)}", symbol)
        self._price(posting, float(whole), history, day, before)
        self._amounts(posting)

    def _amounts(self, posting: Mapping[str, Any]) -> None:
        """Check the value and the commission of a fill."""
        symbol, shares = posting["symbol"], Decimal(str(posting["shares"]))
        value = money(abs(float(shares)) * posting["price"])
        if abs(value - from_cents(posting["value"])) > Decimal("0.011"):
            self._note("fill_value", value, from_cents(posting["value"]), symbol)
        commission = self._costs.commission(float(shares))
        if abs(commission - from_cents(posting["commission"])) > Decimal("0.01"):
            self._note("commission_left_out", commission, from_cents(posting["commission"]), symbol)

    def _settle(self, symbol: str, shares: Decimal, waiting: dict[str, Decimal], *, ended: bool) -> None:
        """Take traded or ended shares off an order."""
        order = waiting.get(symbol)
        if ended:
            waiting.pop(symbol, None)
            return
        if order is None or order * shares <= 0 or abs(shares) > abs(order):
            today = self._today(symbol)
            kind = "fill_before_next_open" if not order and today else "fill_without_order"
            self._note(kind, f"an order of {order or 0} from the close before", f"a fill of {shares}", symbol)
            return
        waiting[symbol] = order - shares
        if not waiting[symbol]:
            del waiting[symbol]

    def _rest(self, posting: Mapping[str, Any], day: date, waiting: Mapping[str, Decimal]) -> None:
        """Check the reason why an order ended."""
        symbol, reason = posting["symbol"], posting["reason"]
        history = self._histories.get(symbol)
        if history is None or not waiting.get(symbol):
            return
        traded = history.traded(day)
        order = self._given.get(symbol, Decimal(0))
        enough = traded and abs(order) <= math.floor(history.at(day, "volume") * self._costs.participation)
        if (reason == "halted" and traded) or (reason == "volume" and enough and not self._short):
            self._note("order_lost", "a fill", f"{posting['shares']} ended: {reason}", symbol)

    def _today(self, symbol: str) -> bool:
        """Tell whether the session itself gives an order for a symbol."""
        return any(
            posting.get("kind") == "order" and posting.get("symbol") == symbol
            for session in self._recorded.sessions
            if str(session.day) == self._day
            for posting in session.postings
        )

    def _price(
        self, posting: Mapping[str, Any], shares: float, history: SymbolHistory, day: date, before: date | None
    ) -> None:
        """Check a fill's price, and say what it is where it is not the open with spread and impact.

        Args:
            shares: What the session has traded of the symbol, the fill included.
            day: The session.
            before: The session before.
        """
        price, symbol = float(posting["price"]), posting["symbol"]
        opened, volume = history.at(day, "open"), history.at(day, "volume")
        wanted = self._costs_of(symbol).price(shares, opened, volume)
        if _same(price, wanted):
            count = abs(float(posting["shares"]))
            slippage = money(count * wanted) - money(count * opened)
            stated = from_cents(posting["slippage"])
            if abs(stated - (slippage if shares > 0 else -slippage)) > Decimal("0.02"):
                self._note("costs_left_out", f"slippage of {slippage}", stated, symbol)
            return
        against = abs(wanted / opened - 1)
        places = {
            "the close before": history.at(before, "close") if before is not None else math.nan,
            "the session's close": history.at(day, "close"),
            "the open before": history.at(before, "open") if before is not None else math.nan,
            "the session's low": history.at(day, "low"),
            "the session's high": history.at(day, "high"),
        }
        near = next(
            (name for name, at in places.items() if _same(price, at) or self._at(posting, shares, at, volume)), ""
        )
        if not _same(price, opened) and near in ("the close before", "the open before"):
            self._note("fill_at_close" if "close" in near else "fill_before_next_open", f"{wanted:.6g}", near, symbol)
        elif abs(price / opened - 1) <= against * (1 + 1e-6):
            self._note("costs_left_out", f"{wanted:.6g}, the open with spread and impact", f"{price:.6g}", symbol)
        elif near:
            self._note("fill_at_close", f"{wanted:.6g} from the open", f"{price:.6g}, {near}", symbol)
        else:
            self._note("fill_price", f"{wanted:.6g}", f"{price:.6g}", symbol)

    def _at(self, posting: Mapping[str, Any], shares: float, at: float, volume: float) -> bool:
        costs = self._costs_of(posting["symbol"])
        return not math.isnan(at) and _same(float(posting["price"]), costs.price(shares, at, volume))

    def _costs_of(self, symbol: str) -> StatedCosts:
        return self._costs.of_foreign() if symbol in self._foreign else self._costs

    def _fees(self, session: RecordedSession, before: date | None) -> None:
        """Compare the fees for borrowed shares with those that are due since the session before."""
        terms = self._recorded.request.get("shorts") or {}
        due = {
            symbol: money(-float(count) * self._lent_at(symbol, before) * terms["borrow_bp"] / 10_000
                          * (session.day - before).days / FEE_YEAR)
            for symbol, count in self.state.book.shares.items()
            if count < 0 and before is not None and terms and symbol in self._histories
        }  # fmt: skip
        paid: dict[str, Decimal] = {}
        for posting in session.postings:
            if posting.get("kind") == "borrow_fee":
                paid[posting["symbol"]] = paid.get(posting["symbol"], Decimal(0)) + from_cents(posting["value"])
        for symbol in sorted({*due, *paid}):
            wanted, found = due.get(symbol, Decimal(0)), paid.get(symbol, Decimal(0))
            if abs(wanted - found) > Decimal("0.01"):
                self._note("borrow_fee_wrong", wanted, found, symbol)

    def _interest(self, session: RecordedSession, before: date | None) -> None:
        """Compare the interest on cash with what is due since the session before."""
        posted = [posting for posting in session.postings if posting.get("kind") == "interest"]
        paid = sum((from_cents(posting["value"]) for posting in posted), Decimal(0))
        if before is None or (self._recorded.record.get("bills") is None and not self._paper):
            if posted:
                self._note("unexpected_posting", "no interest: the result knows no bill rate", f"interest of {paid}")
            return
        bills = self._bills or self._stated(posted, before)
        wanted = Decimal(0) if bills is None else bills.paid(self._earning(before), before, session.day)
        if len(posted) > 1 or abs(wanted - paid) > Decimal("0.011"):
            self._note("interest_wrong", f"{wanted} on {self._earning(before)}", f"{paid}")

    def _stated(self, posted: Sequence[Mapping[str, Any]], before: date) -> SecondBills | None:
        """Return the rate that a posting states, where the rates are not known a second time."""
        rates = [float(posting["rate"]) for posting in posted if "rate" in posting]
        return SecondBills({before: rates[0]}, year_of(self._recorded.currency)) if rates else None

    def _earning(self, before: date) -> Decimal:
        """Return the cash that earns interest: without what borrowed shares are worth; a debt as a whole."""
        book = self.state.book
        lent = [
            money(-float(count) * self._lent_at(symbol, before))
            for symbol, count in book.shares.items()
            if count < 0 and symbol in self._histories
        ]
        return book.cash if book.cash < 0 else max(Decimal(0), book.cash - sum(lent, Decimal(0)))

    def _lent_at(self, symbol: str, day: date) -> float:
        """Return the close that borrowed shares are charged by: as it is known a session later."""
        columns = self._histories[symbol].columns
        return columns.get("later", columns["last"]).get(day, math.nan)

    # The mark

    def _mark(self, session: RecordedSession) -> None:
        """Check cash, prices and equity at the close."""
        book, mark = self.state.book, session.mark
        cash, equity, prices = from_cents(mark["cash"]), from_cents(mark["equity"]), mark["prices"]
        for symbol, price in prices.items():
            history = self._histories.get(symbol)
            close = history.last_close(session.day) if history is not None else math.nan
            if math.isnan(close) or not _same(float(price), close):
                self._note("mark_price", f"close {close:.6g}", f"{price}", symbol)
        if {*prices} != {*book.shares}:
            self._note("book_not_folded", f"positions {_some(sorted(book.shares))}", f"{_some(sorted(prices))}")
            return
        if abs(cash - book.cash) > Decimal("0.001"):
            self._note("book_not_folded", f"cash {book.cash}", f"{cash}")
            book.cash = cash  # report a difference once
        worth = book.value({symbol: float(price) for symbol, price in prices.items()})
        if abs(equity - worth) > Decimal("0.01") * max(1, len(prices)):
            self._note("book_not_folded", f"equity {worth}", f"{equity}")


def _same(price: float, other: float) -> bool:
    return not math.isnan(other) and abs(price - other) <= NEAR * max(abs(other), 1e-9)


def _some(values: Sequence[object]) -> str:
    return ", ".join(str(value) for value in values[:4]) + (" …" if len(values) > 4 else "")
