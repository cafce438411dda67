"""The candidates of a scan: every stock that stood in what its tools gave, with its figures, and how it scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tradingagents.dataflows.reference.metrics import MISSING
from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.offline.brief import Brief, Pickable
from tradingagents.offline.headlines import quote
from tradingagents.offline.readings import Shown
from tradingagents.offline.scan.reading import DAY, MONTH, WEEK, SectorMove
from tradingagents.offline.scan.sectors import CYCLICAL, DEFENSIVE, PERIODS
from tradingagents.offline.scores import ramp

MOMENTUM, UNUSUAL, SECTOR, REGIME = 0.40, 0.25, 0.20, 0.15
JUMP, REASON = 0.20, 0.20
"""What the parts count in a score; the last two are for a large move of the day, and for a reason that was read."""
BIG_DAY, FULL_DAY = 5.0, 15.0
"""Moves of one day, in per cent, from which the jump counts, and from which it counts fully."""
FULL = {WEEK: 10.0, MONTH: 20.0}
"""Moves in per cent that count fully, and below what the month and the week count in the momentum."""
SHARES = {MONTH: 0.6, WEEK: 0.4}
FALL = 0.5
"""What a fall counts against a rise of the same size, its sector included; more where the market leans down."""
SEEN = {
    "get_market_movers:day_gainers": 0.6,
    "get_market_movers:day_losers": 0.6,
    "get_market_movers:most_actives": 0.4,
    "get_earnings_calendar": 0.2,
}
"""How unusual it is to stand in a tool's answer; together at most 1."""
SMALL_MOVES = frozenset({"get_market_movers:day_gainers", "get_market_movers:day_losers"})
"""Lists that on a quiet day hold small moves too: below `BIG_DAY` they count in proportion."""
_BY = {(WEEK, MONTH): "by week and month", (WEEK,): "by the week", (MONTH,): "by the month", (): ""}
LONGEST_NAME, NAME_LENGTH = 80, 60
FIGURES = {DAY: "change_1d", WEEK: "return_1w", MONTH: "return_1m"}
"""What the scan's state calls the moves."""


@dataclass(frozen=True)
class Candidate:
    """One stock of the table."""

    stock: Pickable
    name: str
    """As the table shows it."""
    moves: Mapping[str, Shown]
    """Moves in per cent by period; those known."""

    @property
    def ticker(self) -> str:
        """Its ticker."""
        return self.stock.ticker

    @property
    def sector(self) -> str | None:
        """Key of its sector; None where unknown."""
        return self.stock.sector

    @property
    def seen_in(self) -> tuple[str, ...]:
        """Tools in whose answers it stood, such as `get_market_movers:day_gainers`; never empty."""
        return self.stock.tools

    @property
    def sector_name(self) -> str:
        """Display name of its sector; n/a where unknown."""
        return DISPLAY.get(self.sector or "", MISSING)

    @property
    def momentum(self) -> float | None:
        """Month and week together, -1 to 1; over the one that is known, and None where neither is."""
        known = [period for period in SHARES if period in self.moves]
        if not known:
            return None
        weighed = sum(SHARES[period] * ramp(self.moves[period].value, 0, FULL[period]) for period in known)
        return weighed / sum(SHARES[period] for period in known)

    @property
    def side(self) -> int:
        """Which way it goes: 1 up, -1 down, by its momentum, else by its day; 0 where it does not move."""
        day = self.moves.get(DAY)
        moved = self.momentum if self.momentum is not None else day.value if day else 0.0
        return (moved > 0) - (moved < 0)

    @property
    def direction(self) -> str:
        """The side in words, with the periods it rests on: `rising by week and month`, `falling by the month`."""
        if not self.moves:
            return "of unknown direction"
        word = {1: "rising", -1: "falling", 0: "unmoved"}[self.side]
        if self.momentum is None:
            return f"{word} on the day"
        moved = {period: self.value(period) or 0.0 for period in (WEEK, MONTH) if self.value(period)}
        if any(value * self.side <= 0 for value in moved.values()):
            return f"{word} on balance of week and month"
        return f"{word} {_BY[tuple(moved)]}".rstrip()

    @property
    def figures(self) -> str:
        """Its moves as the table shows them."""
        return ", ".join(f"{PERIODS[period]} {self.shown(period)}" for period in (DAY, WEEK, MONTH))

    def value(self, period: str) -> float | None:
        """Return a move in per cent; None where unknown."""
        shown = self.moves.get(period)
        return shown.value if shown else None

    def shown(self, period: str) -> str:
        """Return a move as the table shows it; n/a where unknown."""
        shown = self.moves.get(period)
        return shown.text if shown else "n/a"


def candidates(brief: Brief) -> tuple[Candidate, ...]:
    """Return the stocks that can be picked, by ticker."""
    return tuple(_candidate(stock) for stock in sorted(brief.candidates, key=lambda stock: stock.ticker) if stock.tools)


def _candidate(stock: Pickable) -> Candidate:
    known = {period: stock.moves[name] for period, name in FIGURES.items() if name in stock.moves}
    moves = {period: Shown(round(value, 2), f"{value:+.2f}%", "%") for period, value in known.items()}
    name = quote(quote(stock.name, LONGEST_NAME), NAME_LENGTH) or MISSING
    return Candidate(stock, name, moves)


def score(candidate: Candidate, sectors: Mapping[str, SectorMove], tone: float, *, explained: bool = False) -> float:
    """Return how much a candidate is worth a look, -0.15 to 1.

    Args:
        candidate: The candidate.
        sectors: Sectors' moves, by key; the part of one that is missing is 0.
        tone: The market's tone, -1 to 1.
        explained: Whether an event was read that goes its way.
    """
    moved = MOMENTUM * abs(candidate.momentum or 0.0) + SECTOR * with_sector(candidate, sectors)
    whole = (
        (moved if candidate.side >= 0 else max(FALL, FALL - FALL * tone) * moved)
        + UNUSUAL * unusual(candidate)
        + REGIME * tone * lean(candidate.sector)
        + JUMP * jump(candidate)
        + REASON * explained
    )
    return round(min(1.0, whole), 6)


def jump(candidate: Candidate) -> float:
    """Return how large a candidate's move of the day is, up or down: 0 below `BIG_DAY`, 1 from `FULL_DAY`."""
    day = abs(candidate.value(DAY) or 0.0)
    return max(0.0, min(1.0, (day - BIG_DAY) / (FULL_DAY - BIG_DAY)))


def unusual(candidate: Candidate) -> float:
    """Return how unusual a candidate's day is by where it was seen, 0 to 1."""
    day = candidate.value(DAY)
    moved = 1.0 if day is None else min(1.0, abs(day) / BIG_DAY)
    return min(1.0, sum(SEEN.get(tool, 0.0) * (moved if tool in SMALL_MOVES else 1.0) for tool in candidate.seen_in))


def with_sector(candidate: Candidate, sectors: Mapping[str, SectorMove]) -> float:
    """Return how far the sector's month goes the candidate's way, 0 to 1; 0 where it goes the other way."""
    move = sectors.get(candidate.sector or "")
    return max(0.0, candidate.side * move.score) if move else 0.0


def lean(sector: str | None) -> int:
    """Return what a good market is to a sector: 1 to a cyclical one, -1 to a defensive one, 0 to the others."""
    return (sector in CYCLICAL) - (sector in DEFENSIVE)
