"""Checks the corporate actions of a ledger against the prices: splits, dividends, mergers, and ends of listings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from tradingagents.features.backtest.audit.exit_check import Note
from tradingagents.features.backtest.audit.result_folder import RecordedBacktest, RecordedSession
from tradingagents.features.backtest.audit.second.book import from_cents, money
from tradingagents.features.backtest.audit.second.prices import SymbolHistory

ACTIONS = ("split", "dividend", "delisting", "merger")
AROUND = 5
"""Sessions before and after its own in which a corporate action counts as posted on the wrong day."""


class ActionCheck:
    """Compares the corporate actions of each session; `LedgerCheck` calls it as it walks."""

    def __init__(
        self, recorded: RecordedBacktest, histories: Mapping[str, SymbolHistory], place: Mapping[date, int], note: Note
    ) -> None:
        """Prepare.

        Args:
            recorded: The folder.
            histories: Prices by symbol.
            place: The number of each session of the exchange.
            note: Takes down a finding on the session that is checked.
        """
        self._recorded, self._histories, self._place, self._note = recorded, histories, place, note

    def check(self, session: RecordedSession, held: Mapping[str, Decimal], waiting: dict[str, Decimal]) -> None:
        """Compare splits, dividends and delistings with the prices' own, in the order in which they apply.

        Args:
            session: The session.
            held: Shares at the close before, by symbol.
            waiting: Orders given then; a split restates them.
        """
        own = [posting for posting in session.postings if posting.get("kind") in ACTIONS]
        for symbol in sorted({*held, *waiting, *(posting.get("symbol", "") for posting in own)}):
            history = self._histories.get(symbol)
            mine = [posting for posting in own if posting.get("symbol") == symbol]
            if history is None:
                for posting in mine:
                    self._note("unexpected_posting", "a symbol with prices", f"{posting['kind']}", symbol)
                continue
            count = self._split(symbol, history, held.get(symbol, Decimal(0)), mine, session, waiting)
            self._dividend(symbol, history, count, mine, session.day)
            self._delisting(symbol, history, count, mine, session.day)

    def _split(
        self, symbol: str, history: SymbolHistory, held: Decimal, own: Sequence[Mapping[str, Any]],
        session: RecordedSession, waiting: dict[str, Decimal],
    ) -> Decimal:  # fmt: skip
        """Check a split, and return the shares after it."""
        ratio = history.splits.get(session.day)
        posted = [posting for posting in own if posting["kind"] == "split"]
        if ratio is not None and symbol in waiting:
            waiting[symbol] = Decimal(math.trunc(int(waiting[symbol]) * ratio))
        if ratio is None or not held:
            for split in posted:
                near = self._near(history.splits, session.day)
                kind = "split_wrong_day" if near else "split_wrong"
                self._note(kind, near or "no split", f"split {split['numerator']}:{split['denominator']}", symbol)
            return Decimal(str(posted[-1]["shares"])) if posted else held
        exact = int(held) * ratio
        whole = Decimal(math.trunc(exact))
        if not posted:
            self._note(self._missed("split", symbol, session.day, "split_wrong"), f"split {ratio}", "none", symbol)
            return held
        split = posted[0]
        stated = (split["numerator"], split["denominator"])
        if len(posted) > 1 or stated != (ratio.numerator, ratio.denominator) or Decimal(str(split["shares"])) != whole:
            self._note(
                "split_wrong", f"{ratio}, {whole} shares", f"{stated[0]}/{stated[1]}, {split['shares']} shares", symbol
            )
        else:
            at = history.at(session.day, "open") if history.traded(session.day) else history.last_close(session.day)
            rest = money(float(exact - int(whole)) * at)
            if abs(rest - from_cents(split["cash"])) > Decimal("0.01"):
                self._note("split_wrong", f"{rest} for the fraction", f"{from_cents(split['cash'])}", symbol)
        return Decimal(str(split["shares"]))

    def _dividend(
        self, symbol: str, history: SymbolHistory, held: Decimal, own: Sequence[Mapping[str, Any]], day: date
    ) -> None:
        each = history.dividends.get(day)
        posted = [posting for posting in own if posting["kind"] == "dividend"]
        if each is None or not held:
            for dividend in posted:
                near = self._near(history.dividends, day)
                repeated = near and self._posted_near("dividend", symbol, day)
                kind = "dividend_twice" if repeated else "dividend_wrong"
                self._note(kind, near or "no dividend", f"{dividend['per_share']} on {dividend['shares']}", symbol)
            return
        if not posted:
            self._note("dividend_wrong", f"{each:.6g} on {held} shares", "none", symbol)
        for place, dividend in enumerate(posted):
            value = money(float(held) * each)
            stated = (Decimal(str(dividend["shares"])), from_cents(dividend["value"]))
            if place:
                self._note(
                    "dividend_twice", "one dividend", f"{dividend['per_share']} on {dividend['shares']} again", symbol
                )
            elif stated[0] != held or abs(stated[1] - value) > Decimal("0.01"):
                self._note("dividend_wrong", f"{value} on {held} shares", f"{stated[1]} on {stated[0]}", symbol)

    def _delisting(
        self, symbol: str, history: SymbolHistory, held: Decimal, own: Sequence[Mapping[str, Any]], day: date
    ) -> None:  # fmt: skip
        gone = history.gone_from is not None and day >= history.gone_from
        posted = [posting for posting in own if posting["kind"] in ("delisting", "merger")]
        if gone and held and not posted:
            self._note("delisting_wrong", f"the end of {held} shares, gone since {history.gone_from}", "none", symbol)
        if posted and not gone:
            kind, expected = self._no_end(history, day)
            for end in posted:
                self._note(kind, expected, f"{end['shares']} shares delisted", symbol)
        elif posted and held:
            if posted[0]["kind"] == "merger":
                self._merger(symbol, history, held, posted[0], day)
                return
            value = money(float(held) * self._paid(history, day))
            if Decimal(str(posted[0]["shares"])) != held or abs(from_cents(posted[0]["value"]) - value) > Decimal(
                "0.01"
            ):
                stated = f"{from_cents(posted[0]['value'])} for {posted[0]['shares']}"
                self._note("delisting_wrong", f"{value} for {held}", stated, symbol)

    def _no_end(self, history: SymbolHistory, day: date) -> tuple[str, str]:
        """Return the kind of a delisting that is none, and what there is in its place."""
        last = _last_bar(history)
        if last is not None and last < day:
            return "end_of_data_as_delisting", f"the end of the recording, whose last bar is of {last}"
        end = day == self._recorded.sessions[-1].day
        return "window_end_as_delisting" if end else "delisting_wrong", "a position that trades on"

    def _paid(self, history: SymbolHistory, day: date) -> float:
        """Return what a share of a company that ended is closed at."""
        end = history.end
        if end is None or (end.cash is None and end.into is None):
            return history.last_close(day)
        return (end.cash or 0.0) + (end.shares or 0.0) * (self._opened(end.into, day) if end.into else 0.0)

    def _opened(self, symbol: str, day: date) -> float:
        history = self._histories[symbol]
        return history.at(day, "open") if history.traded(day) else history.last_close(day)

    def _merger(
        self, symbol: str, history: SymbolHistory, held: Decimal, posted: Mapping[str, Any], day: date
    ) -> None:  # fmt: skip
        """Check the exchange of a position for shares of another company."""
        end = history.end
        if end is None or end.into is None or end.into not in self._histories:
            self._note("delisting_wrong", "no merger for shares", f"shares of {posted['into']}", symbol)
            return
        exact = float(held) * (end.shares or 0.0)
        whole, opened = math.trunc(round(exact, 6)), self._opened(end.into, day)
        wanted = (
            end.into,
            whole,
            money(whole * opened),
            money(float(held) * (end.cash or 0.0) + (exact - whole) * opened),
        )
        stated = (posted["into"], posted["received"], from_cents(posted["value"]), from_cents(posted["cash"]))
        off = max(abs(due - paid) for due, paid in zip(wanted[2:], stated[2:], strict=True))
        if Decimal(str(posted["shares"])) != held or wanted[:2] != stated[:2] or off > Decimal("0.01"):
            self._note("delisting_wrong", " ".join(map(str, wanted)), " ".join(map(str, stated)), symbol)

    def _near(self, actions: Mapping[date, Any], day: date) -> str:
        """Say where an action of a symbol near a day is; empty for none."""
        here = self._place[day]
        near = [on for on in actions if 0 < abs(self._place[on] - here) <= AROUND]
        return f"on {near[0]}" if near else ""

    def _posted_near(self, kind: str, symbol: str, day: date) -> bool:
        return any(
            posting.get("kind") == kind and posting.get("symbol") == symbol
            for session in self._recorded.sessions
            if session.day in self._place and 0 < abs(self._place[session.day] - self._place[day]) <= AROUND
            for posting in session.postings
        )

    def _missed(self, kind: str, symbol: str, day: date, otherwise: str) -> str:
        return f"{kind}_wrong_day" if self._posted_near(kind, symbol, day) else otherwise


def _last_bar(history: SymbolHistory) -> date | None:
    """Return the last session with a bar, up to the end of what was read."""
    return max((day for day, close in history.columns["close"].items() if not math.isnan(close)), default=None)
