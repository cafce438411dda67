"""What the offline scanners found: a report with the headlines it quotes and the sectors it ranks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Self

from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.offline.readings import Reading, Shown
from tradingagents.offline.scan.mentions import Mention
from tradingagents.offline.scores import ramp

DAY, WEEK, MONTH, YTD = "1d", "1w", "1m", "ytd"
FULL_MONTH = 8.0
"""A sector's move over a month, in per cent, that counts fully."""
WEEKS = 21 / 5
"""Weeks in a month of sessions."""
STEADY = 0.5
"""Points within which the last week keeps the month's pace."""


@dataclass(frozen=True)
class SectorMove:
    """One sector's returns as its tool shows them."""

    key: str
    moves: Mapping[str, Shown]
    """By period; those known."""

    @property
    def week(self) -> Shown | None:
        """The return of a week."""
        return self.moves.get(WEEK)

    @property
    def month(self) -> Shown | None:
        """The return of a month."""
        return self.moves.get(MONTH)

    @property
    def name(self) -> str:
        """Display name."""
        return DISPLAY[self.key]

    @property
    def score(self) -> float:
        """The month's move, -1 to 1; 0 where it is not known."""
        return ramp(self.month.value, 0, FULL_MONTH) if self.month else 0.0

    @property
    def rotation(self) -> str:
        """How the last week compares with the month's weekly pace; `unknown` where either is missing."""
        if self.week is None or self.month is None:
            return "unknown"
        ahead = self.week.value - self.month.value / WEEKS
        if abs(ahead) <= STEADY:
            return "steady"
        if self.month.value >= 0:
            return "accelerating" if ahead > 0 else "fading"
        if ahead < 0:
            return "falling faster"
        return "recovering" if self.week.value > 0 else "falling slower"


@dataclass(frozen=True, eq=False)
class ScanReading(Reading):
    """What one scanner found."""

    mentions: tuple[Mention, ...] = ()
    """Headlines that it quotes."""
    moves: tuple[SectorMove, ...] = ()
    """Sectors that it ranks."""

    @classmethod
    def of(cls, reading: Reading, *, mentions: tuple[Mention, ...] = (), moves: tuple[SectorMove, ...] = ()) -> Self:
        """Return a reading with headlines or sectors."""
        own = {one.name: getattr(reading, one.name) for one in fields(Reading)}
        return cls(**own, mentions=mentions, moves=moves)
