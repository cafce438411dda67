"""Checks stops and targets of a ledger: levels against decisions and splits, exits and void orders against bars.

`SecondLevels` and `due_exit` are a second implementation of `features.backtest.exits`; they share no code with it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol

from tradingagents.features.backtest.audit.result_folder import RecordedBacktest, RecordedSession
from tradingagents.features.backtest.audit.second.book import SecondBook, StatedCosts, from_cents, money
from tradingagents.features.backtest.audit.second.prices import SymbolHistory

VOID = {"beyond_stop": "stop", "beyond_target": "target"}
"""Reasons of a withdrawn order, with the level that the open lies beyond."""
NEAR = 5e-7
"""Relative difference of two prices that are the same."""


@dataclass(frozen=True)
class SecondLevels:
    """Stop and target of a position; NaN for none, which no price reaches."""

    long: bool
    stop: float
    target: float

    @classmethod
    def of(cls, plan: Mapping[str, Any], *, long: bool) -> SecondLevels:
        """Read them from a decision or a posting."""
        stop, target = (math.nan if plan.get(name) is None else float(plan[name]) for name in ("stop", "target"))
        return cls(long, stop, target)

    @property
    def empty(self) -> bool:
        """Whether there is neither."""
        return math.isnan(self.stop) and math.isnan(self.target)

    def after(self, ratio: Fraction) -> SecondLevels:
        """Return them in shares after a split."""
        return SecondLevels(self.long, self.stop / float(ratio), self.target / float(ratio))

    def same(self, other: SecondLevels) -> bool:
        """Tell whether two are equal."""
        pairs = ((self.stop, other.stop), (self.target, other.target))
        near = (math.isclose(a, b, rel_tol=1e-9) or (math.isnan(a) and math.isnan(b)) for a, b in pairs)
        return self.long == other.long and all(near)

    def __str__(self) -> str:
        side = "long" if self.long else "short"
        return f"{side}, stop {self.stop:.6g}, target {self.target:.6g}"


@dataclass(frozen=True)
class DueExit:
    """What a bar does to a position."""

    why: str
    """`stop`, `target` or `both`."""
    at: float
    gap: bool


def decided_levels(decision: Mapping[str, Any], *, shorts: bool) -> SecondLevels | None:
    """Return the levels that a decision's JSON gives; None where it leaves earlier ones."""
    if decision["action"] == "BUY":
        return SecondLevels.of(decision, long=True)
    if decision["action"] == "SELL" and shorts and decision.get("sell_means") != "close":
        return SecondLevels.of(decision, long=False)
    return None


def due_exit(levels: SecondLevels, bar: Mapping[str, float]) -> DueExit | None:
    """Return the exit that a bar forces; None for none.

    Args:
        levels: Of the position.
        bar: Its open, high, low and close as traded; NaN for what is not known.
    """
    if (gap := void_at(levels, bar["open"])) is not None:
        return DueExit(gap, bar["open"], gap=True)
    seen = [price for price in bar.values() if not math.isnan(price)]
    lowest, highest = min(seen), max(seen)
    if levels.long:
        stopped, paid = lowest <= levels.stop, highest >= levels.target
    else:
        stopped, paid = highest >= levels.stop, lowest <= levels.target
    if stopped:
        return DueExit("both" if paid else "stop", levels.stop, gap=False)
    return DueExit("target", levels.target, gap=False) if paid else None


def void_at(levels: SecondLevels, opened: float) -> str | None:
    """Return which level an open lies at or beyond; None for neither."""
    if opened <= levels.stop if levels.long else opened >= levels.stop:
        return "stop"
    if opened >= levels.target if levels.long else opened <= levels.target:
        return "target"
    return None


class Note(Protocol):
    """Takes down a finding on the session that is checked."""

    def __call__(self, kind: str, expected: object, found: object, symbol: str = "") -> None:
        """Take it down."""


class ExitCheck:
    """Follows the levels of a ledger session by session; `LedgerCheck` calls it as it walks."""

    def __init__(
        self, recorded: RecordedBacktest, histories: Mapping[str, SymbolHistory], costs: StatedCosts, note: Note
    ) -> None:
        """Prepare; nothing is checked where the request follows no levels."""
        self.followed = recorded.request.get("exits", "none") == "plan"
        self._recorded, self._histories, self._costs, self._note = recorded, histories, costs, note
        self._levels: dict[str, SecondLevels] = {}
        self._since: dict[str, str] = {}
        """The session in whose shares levels are."""
        self._posted: dict[str, list[Mapping[str, Any]]] = {}
        """What the session posts of levels, by symbol, in its order."""
        self._moved: dict[tuple[str, bool], Decimal] = {}
        """Shares that the session has traded, by symbol and whether they were bought."""
        self._closed: set[str] = set()
        self._short_of_cash: set[str] = set()

    def begin(self, session: RecordedSession, waiting: Collection[str]) -> None:
        """Restate levels for the session's splits.

        Args:
            session: That begins.
            waiting: Symbols that are held or ordered.
        """
        if not self.followed:
            return
        self._posted, self._moved, self._closed = {}, {}, set()
        for posting in session.postings:
            if posting.get("kind") == "levels":
                self._posted.setdefault(posting["symbol"], []).append(posting)
        rests = (posting for posting in session.postings if posting.get("kind") == "unfilled")
        self._short_of_cash = {rest["symbol"] for rest in rests if rest.get("reason") == "cash"}
        for posting in session.postings:
            if posting.get("kind") == "late_split" and self._since.get(posting["symbol"], "9") < posting["day"]:
                self._restate(posting["symbol"], Fraction(posting["numerator"], posting["denominator"]), session.day)
        for symbol in sorted({*waiting} & {*self._levels} & {*self._histories}):
            if (ratio := self._histories[symbol].splits.get(session.day)) is not None:
                self._restate(symbol, ratio, session.day)

    def _restate(self, symbol: str, ratio: Fraction, day: date) -> None:
        self._take(symbol, self._levels[symbol].after(ratio), str(day), "restated by a split")

    def _take(self, symbol: str, due: SecondLevels, day: str, why: str) -> None:
        """Compare the next levels that are posted of a symbol, and follow the auditor's own."""
        posted = self._posted.get(symbol, [])
        stated = SecondLevels.of(posted[0], long=posted[0]["side"] > 0) if posted else None
        if stated is None or not stated.same(due):
            self._note("levels_wrong", f"{due} ({why})", stated or "none", symbol)
        if posted:
            del posted[0]
        if due.empty:
            self._levels.pop(symbol, None)
            self._since.pop(symbol, None)
        else:
            self._levels[symbol], self._since[symbol] = due, day

    def traded(self, posting: Mapping[str, Any], held: Decimal, day: date) -> None:
        """Note a fill at the open: one that opens a position beyond its own levels is a fault.

        Args:
            posting: The fill.
            held: Before it.
            day: The session.
        """
        symbol, shares = posting["symbol"], Decimal(str(posting["shares"]))
        place = (symbol, shares > 0)
        self._moved[place] = self._moved.get(place, Decimal(0)) + abs(shares)
        levels, history = self._levels.get(symbol), self._histories.get(symbol)
        opens = posting["kind"] == "short_sale" or (posting["kind"] == "fill" and shares > 0)
        if levels is None or history is None or not opens or held * shares < 0 or levels.long != (shares > 0):
            return
        if (void := void_at(levels, history.at(day, "open"))) is not None:
            self._note("void_plan_traded", f"no order at an open beyond the {void}", f"{shares} shares", symbol)

    def withdrawn(self, posting: Mapping[str, Any], day: date) -> None:
        """Check that an order was withdrawn for a reason."""
        wanted, symbol = VOID.get(posting["reason"]), posting["symbol"]
        if wanted is None:
            return
        levels, history = self._levels.get(symbol), self._histories.get(symbol)
        found = None if levels is None or history is None else void_at(levels, history.at(day, "open"))
        if found != wanted:
            self._note(
                "order_lost", "a fill: the open lies within the levels", f"withdrawn: {posting['reason']}", symbol
            )

    def closed(self, posting: Mapping[str, Any], held: Decimal, day: date, *, foreign: bool) -> None:
        """Work an exit out again: whether it is due, its reason, shares, price and costs.

        Args:
            posting: The exit.
            held: Before it.
            day: The session.
            foreign: Whether the symbol is in another currency.
        """
        symbol, shares = posting["symbol"], Decimal(str(posting["shares"]))
        self._closed.add(symbol)
        due = self._due(symbol, held, day)
        if due is None:
            self._note("exit_wrong", "no exit: the bar reaches no level", f"{shares} at {posting['price']}", symbol)
            return
        stated = (posting["reason"], bool(posting["gap"]))
        if stated != (due.why, due.gap) or not math.isclose(posting["level"], due.at, rel_tol=NEAR):
            expected = f"{due.why} at {due.at:.6g}{', a gap' if due.gap else ''}"
            self._note("exit_wrong", expected, f"{stated[0]} at {posting['level']}, gap {stated[1]}", symbol)
            return
        count = self._count(symbol, held, day)
        enough = abs(shares) <= count if symbol in self._short_of_cash else abs(shares) == count
        if shares * held >= 0 or not enough:
            self._note("exit_wrong", f"{count} of {held} shares", f"{shares}", symbol)
        self._costs_of(posting, due, self._costs.of_foreign() if foreign else self._costs, day)

    def _costs_of(self, posting: Mapping[str, Any], due: DueExit, costs: StatedCosts, day: date) -> None:
        symbol, shares = posting["symbol"], float(posting["shares"])
        before = float(self._moved.get((symbol, shares > 0), Decimal(0)))
        volume = self._histories[symbol].at(day, "volume")
        wanted = costs.price(math.copysign(abs(shares) + before, shares), due.at, volume)
        if not math.isclose(posting["price"], wanted, rel_tol=NEAR):
            self._note("exit_wrong", f"{wanted:.6g} after spread and impact", f"{posting['price']:.6g}", symbol)
            return
        slippage = (money(abs(shares) * wanted) - money(abs(shares) * due.at)) * (1 if shares > 0 else -1)
        if abs(slippage - from_cents(posting["slippage"])) > Decimal("0.02"):
            self._note("costs_left_out", f"slippage of {slippage}", from_cents(posting["slippage"]), symbol)

    def end(self, session: RecordedSession, book: SecondBook) -> None:
        """Find exits that were missed, and follow the levels of the session's decisions."""
        if not self.followed:
            return
        for symbol in sorted({*self._levels} - self._closed - self._short_of_cash):
            held = book.held(symbol)
            due = self._due(symbol, held, session.day)
            if due is not None and self._count(symbol, held, session.day) > 0:
                found = f"{held} shares held on"
                self._note("exit_missed", f"an exit: {due.why} at {due.at:.6g}", found, symbol)
        if self._recorded.decisions is None:
            self._believe(session)
            return
        shorts = bool(self._recorded.request.get("shorts"))
        for symbol, decision in sorted(self._recorded.by_day.get(session.day, {}).items()):
            made = decision.whole["decision"]
            levels = None if not made else decided_levels(made, shorts=shorts)
            if levels is not None and (symbol in self._levels or not levels.empty):
                self._take(symbol, levels, str(session.day), "of the decision")
        for symbol, left in self._posted.items():
            for posting in left:
                stated = SecondLevels.of(posting, long=posting["side"] > 0)
                self._note("levels_wrong", "no levels: no decision gives them", stated, symbol)

    def _believe(self, session: RecordedSession) -> None:
        """Take over levels where decisions are not known: a paper account's are in its home folder."""
        decided = {posting["ticker"] for posting in session.postings if posting.get("kind") == "decision"}
        for symbol, left in list(self._posted.items()):
            for posting in list(left):
                due = SecondLevels.of(posting, long=posting["side"] > 0)
                if decided and symbol not in decided:
                    self._note("levels_wrong", "no levels: nothing was decided", due, symbol)
                self._take(symbol, due, str(session.day), "as posted")

    def _due(self, symbol: str, held: Decimal, day: date) -> DueExit | None:
        levels, history = self._levels.get(symbol), self._histories.get(symbol)
        if levels is None or history is None or not history.traded(day) or not held or (held > 0) != levels.long:
            return None
        return due_exit(levels, {name: history.at(day, name) for name in ("open", "high", "low", "close")})

    def _count(self, symbol: str, held: Decimal, day: date) -> Decimal:
        """Return the shares that the session's volume leaves for an exit."""
        most = math.floor(self._histories[symbol].at(day, "volume") * self._costs.participation)
        return max(Decimal(0), min(abs(held), most - self._moved.get((symbol, held < 0), Decimal(0))))
