"""The day in brief: the market, what is held and what is watched, with their moves, and what lies ahead."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import ClassVar

from tradingagents.analytics.holdings.book_answers import BookHolding, BookOverview
from tradingagents.analytics.market.economic_calendar import CalendarEvents
from tradingagents.analytics.market.market_movers import MarketIndices, MarketMovers
from tradingagents.analytics.price.watch_overview import RecordedDecision, WatchOverview
from tradingagents.analytics.text import one_line
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData

SHOWN_MOVERS = 3
SHOWN_HOLDINGS = 8
SHOWN_EVENTS = 8


@dataclass(frozen=True, slots=True)
class Move:
    """The move of a session, for a picture."""

    group: str
    """Market, Book or Watch list."""
    name: str
    percent: float


@dataclass(frozen=True, slots=True)
class BriefParts:
    """The answers that a brief is made of; None where there is none, of which a note says why."""

    indices: MarketIndices | None = None
    gainers: MarketMovers | None = None
    losers: MarketMovers | None = None
    book: BookOverview | None = None
    watched: WatchOverview | None = None
    events: CalendarEvents | None = None

    def __iter__(self) -> Iterator[Result]:
        """Yield those that there are."""
        for field in fields(self):
            if (part := getattr(self, field.name)) is not None:
                yield part


class DailyBrief(Result):
    """The market of a day, the book and the watch list at its closes, and the events ahead."""

    tabulated: ClassVar[bool] = True

    session: date
    """The last session that the figures are of."""
    parts: BriefParts

    @property
    def title(self) -> str:
        """Heading."""
        return f"Brief of {self.session}"

    def figures(self) -> tuple[Figure, ...]:
        """Return the figures of every part, each name once."""
        found = {figure.name: figure for part in self.parts for figure in part.figures()}
        return tuple(found.values())

    def lead(self) -> str:
        """Return the brief in sentences."""
        return "\n".join(f"- {line}" for line in self.lines(amounts=True))

    def body(self) -> str:
        """Return the tables of book and watch list."""
        tables = [part for part in (self.parts.book, self.parts.watched) if part is not None]
        return "\n\n".join(f"### {part.title}\n\n{part.body()}" for part in tables)

    def with_decisions(self, decisions: Mapping[str, RecordedDecision]) -> DailyBrief:
        """Return the brief with the decisions of stored runs, by symbol."""
        book, watched = self.parts.book, self.parts.watched
        changed = BriefParts(
            self.parts.indices,
            self.parts.gainers,
            self.parts.losers,
            book and book.with_decisions(decisions),
            watched and watched.with_decisions(decisions),
            self.parts.events,
        )
        return self.model_copy(update={"parts": changed})

    @property
    def symbols(self) -> tuple[str, ...]:
        """What is held and watched."""
        held = [holding.symbol for holding in self.parts.book.holdings] if self.parts.book else []
        watched = [row.symbol for row in self.parts.watched.symbols] if self.parts.watched else []
        return tuple(dict.fromkeys((*held, *watched)))

    def lines(self, *, amounts: bool) -> tuple[str, ...]:
        """Return the brief as lines of plain text.

        Args:
            amounts: Whether what the book is worth is said; False for what leaves this machine: moves and weights only.
        """
        parts = self.parts
        lines = [
            _indices(parts.indices),
            *(_movers(found) for found in (parts.gainers, parts.losers)),
            *_book(parts.book, amounts=amounts),
            *_watched(parts.watched),
            _ahead(parts.events, self.symbols, self.as_of),
        ]
        return tuple(one_line(line) for line in lines if line)

    def moves(self) -> tuple[Move, ...]:
        """Return the moves of the session: indices, holdings, watched symbols that are not held."""
        found: dict[str, Move] = {}
        if self.parts.indices:
            found |= {row.symbol: Move("Market", row.name, row.change_pct) for row in self.parts.indices.indices}
        if self.parts.book:
            for holding in _moved(self.parts.book):
                found.setdefault(holding.symbol, Move("Book", holding.symbol, holding.change_pct or 0.0))
        if self.parts.watched:
            for row in self.parts.watched.symbols:
                if (change := row.changes["change_1d"]) is not None and row.day == self.session:
                    found.setdefault(row.symbol, Move("Watch list", row.symbol, change))
        return tuple(found.values())


def brief_of(
    parts: BriefParts, *, as_of: date, session: date, fetched_at: datetime, notes: Sequence[str]
) -> DailyBrief:
    """Put the parts of a brief together.

    Args:
        parts: What could be answered.
        as_of: The day asked about.
        session: The last session by then.
        fetched_at: When it was asked.
        notes: Why a part is missing.

    Raises:
        NoData: There is neither a market nor a book nor a watch list.
    """
    answers = list(parts)
    if not answers:
        raise NoData(f"Nothing is known of {as_of}: {' '.join(notes)}")
    known = [answer.known_at for answer in answers if answer.known_at is not None]
    return DailyBrief(
        as_of=as_of,
        session=session,
        source="+".join(dict.fromkeys(source for answer in answers for source in answer.source.split("+"))),
        known_at=max(known, default=None),
        fetched_at=fetched_at,
        rows=sum(answer.rows for answer in answers),
        inputs=tuple(dict.fromkeys(symbol for answer in answers for symbol in answer.inputs)),
        notes=tuple(dict.fromkeys((*notes, *(note for answer in answers for note in answer.notes)))),
        parts=parts,
    )


def _indices(found: MarketIndices | None) -> str:
    if found is None:
        return ""
    rows = (f"{row.name} {row.last:,.2f} ({row.change_pct:+.2f} %)" for row in found.indices)
    return f"Market: {', '.join(rows)}."


def _movers(found: MarketMovers | None) -> str:
    if found is None or not found.movers:
        return ""
    rows = (f"{row.symbol} {row.change_pct:+.2f} %" for row in found.movers[:SHOWN_MOVERS])
    return f"{'Rose' if found.category == 'day_gainers' else 'Fell'} most: {', '.join(rows)}."


def _moved(book: BookOverview) -> list[BookHolding]:
    """Return the holdings whose move is known, the largest first."""
    return [holding for holding in book.holdings if holding.change_pct is not None]


def _book(book: BookOverview | None, *, amounts: bool) -> Iterator[str]:
    """Yield the move of the book, and of its largest holdings."""
    if book is None:
        return
    changes = [holding.change for holding in book.holdings if holding.change is not None]
    if book.equity is not None and changes:
        change = math.fsum(changes)
        before = book.equity - change
        moved = f"{change / before:+.2%}".replace("%", " %") if before > 0 else ""
        worth = f"worth {book.equity:,.2f} {book.currency}, {change:+,.2f} {book.currency}" if amounts else ""
        yield f"Book: {', '.join(said for said in (worth, f'{moved} on the day' if moved else '') if said)}."
    holdings = sorted(_moved(book), key=lambda holding: -abs((holding.weight or 0.0) * (holding.change_pct or 0.0)))
    if holdings:
        rows = (
            f"{holding.symbol} {holding.change_pct:+.2f} %"
            + (f" (weight {100 * holding.weight:.0f} %)" if holding.weight is not None else "")
            for holding in holdings[:SHOWN_HOLDINGS]
        )
        yield f"Moved the book most: {', '.join(rows)}."
    if unknown := [holding.symbol for holding in book.holdings if holding.change_pct is None]:
        yield f"Without a move of the day: {', '.join(unknown[:SHOWN_HOLDINGS])}."


def _watched(watched: WatchOverview | None) -> Iterator[str]:
    """Yield a line for each watched symbol."""
    for row in watched.symbols if watched else ():
        changes = ", ".join(
            f"{row.changes[name]:+.2f} % {words}"
            for name, words in (("change_1d", "on the day"), ("change_1w", "in a week"), ("change_1m", "in a month"))
            if row.changes[name] is not None
        )
        decided = f"; last decision {row.decision.said}" if row.decision else ""
        yield f"{row.symbol}: {row.price:,.2f} {row.unit} on {row.day}, {changes or 'no earlier close'}{decided}."


def _ahead(events: CalendarEvents | None, symbols: Sequence[str], as_of: date) -> str:
    """Return releases ahead, and results of what is held or watched."""
    if events is None:
        return ""
    results = [
        (
            event.day,
            f"results of {event.symbol}" + (" (expected by last year's day)" if event.status == "expected" else ""),
        )
        for event in events.earnings.events
        if event.symbol in symbols
    ]
    releases = [(event.day, f"{event.name} ({event.region})") for event in events.economic.events]
    ahead = sorted(event for event in (*results, *releases) if event[0] > as_of)[:SHOWN_EVENTS]
    return f"Ahead: {'; '.join(f'{day} {what}' for day, what in ahead)}." if ahead else ""
