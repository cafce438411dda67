"""What a paper account has seen of the market. What turns out otherwise later becomes a correction, no new past."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from tradingagents.features.backtest.book import Book
from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.postings import (
    BAR_FIGURES,
    BarCorrection,
    BarSeen,
    LateDividend,
    LateSplit,
    OrderRest,
    Posting,
    cents,
)
from tradingagents.features.backtest.traded_prices import SessionBar, TradedPrices

TOLERANCE = 1e-6
"""Relative difference below which two figures are the same: vendors store some in single precision."""


@dataclass(frozen=True, slots=True)
class ObservedBar:
    """A session of a symbol as an account knows it now, its corrections included."""

    bar: SessionBar | None
    """None for a halt."""
    ratio: Fraction = Fraction(1)
    """What a share became since the session before."""
    dividend: float = 0.0
    """Per share of this session."""


Observed = dict[str, dict[date, ObservedBar]]
"""By symbol and session, in order."""


def observed_bars(ledger: BookLedger) -> Observed:
    """Return what an account knows of the sessions it went through."""
    found: Observed = {}
    for line in ledger.lines:
        for posting in line.postings:
            if isinstance(posting, BarSeen):
                split = Fraction(posting.numerator, posting.denominator)
                known = ObservedBar(posting.bar, split, posting.dividend)
                found.setdefault(posting.symbol, {})[line.mark.day] = known
            elif isinstance(posting, BarCorrection | LateDividend | LateSplit):
                days = found[posting.symbol]
                day = date.fromisoformat(posting.day)
                days[day] = _corrected(days[day], posting)
    return found


def session_notes(
    ledger: BookLedger, table: TradedPrices, day: date, benchmark: str, foreign: Collection[str] = ()
) -> list[Posting]:
    """Return what the ledger shall say before a session is traded: corrections of earlier ones, and today's bars.

    Args:
        ledger: The account, up to the session before.
        table: Prices as they are known after the close of the session.
        benchmark: Symbol that the account is compared with.
        foreign: Symbols whose prices were converted from another currency.
    """
    seen = _seen(table, ledger.last_day, day, benchmark)
    return [*_corrections(ledger, table), *(replace(bar, foreign=bar.symbol in foreign) for bar in seen)]


def _seen(table: TradedPrices, before: date | None, day: date, benchmark: str) -> Iterator[BarSeen]:
    for symbol in sorted(table.symbols):
        split, paid = table.split(symbol, before, day) or Fraction(1), table.dividend(symbol, before, day)
        actions = (split.numerator, split.denominator, paid.per_share if paid is not None else 0.0)
        yield BarSeen(symbol, table.bar(symbol, day), *actions, benchmark=symbol == benchmark)


def _corrections(ledger: BookLedger, table: TradedPrices) -> Iterator[Posting]:
    seen, lines = observed_bars(ledger), [line.mark.day for line in ledger.lines]
    previous = dict(zip(lines[1:], lines, strict=False))
    for symbol in sorted(set(table.symbols) & set(seen)):
        for session, known in seen[symbol].items():
            if session < table.days[0]:
                continue
            now = table.bar(symbol, session)
            if not _same(now, known.bar):
                before = None if known.bar is None else known.bar.close
                yield BarCorrection(symbol, now, session.isoformat(), before)
            ratio = table.split(symbol, previous.get(session), session) or Fraction(1)
            if ratio != known.ratio:
                yield from _late_split(ledger, table, symbol, session, ratio / known.ratio)
            paid = table.dividend(symbol, previous.get(session), session)
            more = (paid.per_share if paid is not None else 0.0) - known.dividend
            if abs(more) > TOLERANCE + (paid.rounding if paid is not None else 0.0):
                shares = _held_before(ledger, symbol, session)
                yield LateDividend(symbol, shares, more, cents(shares * more), session.isoformat())


def _late_split(
    ledger: BookLedger, table: TradedPrices, symbol: str, session: date, ratio: Fraction
) -> Sequence[Posting]:
    """Return a split that was not known, of the shares held before it; an order counted the old shares and ends."""
    lots = ledger.book.lots.get(symbol, ())
    old = sum(lot.shares for lot in lots if lot.day < session)
    new = sum(lot.shares for lot in lots if lot.day >= session)
    whole = math.trunc(old * ratio)
    last = table.close(symbol, ledger.lines[-1].mark.day) or 0.0
    cash = cents(float(old * ratio - whole) * last)
    order = ledger.book.orders.get(symbol)
    ended = [OrderRest(symbol, order, "corrected")] if order is not None and old else []
    return [LateSplit(symbol, ratio.numerator, ratio.denominator, whole + new, cash, session.isoformat()), *ended]


def _held_before(ledger: BookLedger, symbol: str, session: date) -> int:
    """Return the shares held at the last close before a session."""
    book = Book()
    for line in ledger.lines:
        if line.mark.day >= session:
            break
        book.apply_all(line.mark.day, line.postings)
    return book.held(symbol)


def _corrected(known: ObservedBar, posting: BarCorrection | LateDividend | LateSplit) -> ObservedBar:
    if isinstance(posting, BarCorrection):
        return replace(known, bar=posting.bar)
    if isinstance(posting, LateDividend):
        return replace(known, dividend=known.dividend + posting.per_share)
    return replace(known, ratio=known.ratio * Fraction(posting.numerator, posting.denominator))


def _same(now: SessionBar | None, known: SessionBar | None) -> bool:
    if now is None or known is None:
        return now is known
    return all(math.isclose(getattr(now, name), getattr(known, name), rel_tol=TOLERANCE) for name in BAR_FIGURES)
