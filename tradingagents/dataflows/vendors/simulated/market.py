"""The market as a whole: its sessions, regimes, market and sector factors, interest rates and credit spreads.

Randomness depends on the seed and a label only; `decaying_sum` is the one recursion every process here is made of.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import IntEnum
from functools import cached_property
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from tradingagents.dataflows.models import Days, Floats
from tradingagents.dataflows.reference.calendar import Sessions
from tradingagents.dataflows.reference.sectors import SECTORS


def stream(seed: int, *labels: str) -> np.random.Generator:
    """Return the random stream of a label, for example (`"VELQ"`, `"news"`).

    Draw whole sessions at once, as an array whose **first** axis is time: a longer calendar then draws the same values
    first, and further ones after them.
    """
    digest = hashlib.sha256("/".join((str(seed), *labels)).encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "big")))


def decaying_sum(shocks: Floats, keep: float | Floats) -> Floats:
    """Return x with x[t] = keep * x[t-1] + shocks[t] along the first axis, x before the first being 0."""
    total = np.empty_like(shocks)
    level = np.zeros(shocks.shape[1:])
    for index, shock in enumerate(shocks):
        level = keep * level + shock
        total[index] = level
    return total


def fat_tailed(random: np.random.Generator, count: int) -> Floats:
    """Draw `count` shocks of unit variance from Student's t with 5 degrees of freedom, cut at 6 standard deviations."""
    shocks: Floats = np.clip(random.standard_t(5, count) / np.sqrt(5 / 3), -6.0, 6.0)
    return shocks


def frozen(array: Floats) -> Floats:
    """Return the array made read-only: it is handed out to many threads."""
    array.flags.writeable = False
    return array


FIRST_SESSION = date(2018, 1, 2)
Seconds = npt.NDArray[np.int64]
"""Instants, whole seconds since 1970 UTC."""


class _Dated(Protocol):
    @property
    def day(self) -> date: ...


_Row = TypeVar("_Row", bound=_Dated)


@dataclass(frozen=True)
class Timeline:
    """The sessions from `FIRST_SESSION` on, and the whole calendar they are part of."""

    calendar: Sessions

    @cached_property
    def days(self) -> tuple[date, ...]:
        """Session dates."""
        return self.calendar.between(FIRST_SESSION, self.calendar.days[-1])

    @cached_property
    def dates(self) -> Days:
        """Session dates, for searching."""
        dates = np.array(self.days, dtype="datetime64[D]")
        dates.flags.writeable = False
        return dates

    @cached_property
    def opens(self) -> Seconds:
        """When each session opens."""
        return _seconds(self.calendar.opens[-len(self.days) :])

    @cached_property
    def closes(self) -> Seconds:
        """When each session closes."""
        return _seconds(self.calendar.closes[-len(self.days) :])

    @cached_property
    def years(self) -> npt.NDArray[np.float64]:
        """Years since the first session."""
        days: npt.NDArray[np.float64] = (self.dates - self.dates[0]).astype(np.float64)
        return days / 365.25

    @cached_property
    def _skipped(self) -> int:
        """Sessions of the calendar before the first one."""
        return len(self.calendar.days) - len(self.days)

    def __len__(self) -> int:
        return len(self.days)

    def first_open_after(self, instant: datetime) -> int:
        """Return the position of the first session that opens after an instant; `len(self)` where none does."""
        return max(bisect_right(self.calendar.opens, instant) - self._skipped, 0)

    def position(self, day: date) -> int:
        """Return the position of the first session on or after `day`; `len(self)` where there is none."""
        return bisect_left(self.days, day)

    def first_sessions_of_months(self) -> Iterator[int]:
        """Yield the positions at which a new month begins, without the very first session."""
        months = self.dates.astype("datetime64[M]")
        yield from (np.flatnonzero(months[1:] != months[:-1]) + 1).tolist()


def instant(seconds: int) -> datetime:
    """Return seconds since 1970 as an aware datetime."""
    return datetime.fromtimestamp(seconds, UTC)


def of_days(rows: tuple[_Row, ...], start: date, end: date) -> tuple[_Row, ...]:
    """Return the rows of the days [start, end]; `rows` are sorted by day."""
    first = bisect_left(rows, start, key=lambda row: row.day)
    return rows[first : bisect_right(rows, end, key=lambda row: row.day)]


def _seconds(instants: tuple[datetime, ...]) -> Seconds:
    return np.array([int(moment.timestamp()) for moment in instants], dtype=np.int64)


SESSIONS_A_YEAR = 252


class Regime(IntEnum):
    """The mood a session trades in."""

    CALM = 0
    NERVOUS = 1
    BEAR = 2


_TRANSITIONS = ((0.9925, 0.0070, 0.0005), (0.0220, 0.9680, 0.0100), (0.0030, 0.0140, 0.9830))
"""Chance of tomorrow's regime (column) given today's (row): calm lasts about half a year, a bear market a quarter."""
_DRIFT = np.array([0.19, 0.04, -0.36])
_VOLATILITY = np.array([0.10, 0.17, 0.29])
"""Of the market factor's log return, a year."""
_GROWTH = 0.06  # of the market's level, a year
_MARKET_KEEP = 0.998  # half-life of 16 months
_STRESS = np.array([0.95, 1.05, 1.30])
_SECTOR_VOLATILITY = 0.085
_SECTOR_KEEP = 0.998  # sector trends fade with a half-life of about 16 months
_LEVELS = np.array(
    [  # ten-year yield, two-year yield, high-yield spread, investment-grade spread: fractions a year
        [0.034, 0.028, 0.034, 0.010],  # calm
        [0.029, 0.024, 0.047, 0.013],  # nervous
        [0.021, 0.013, 0.078, 0.021],  # bear
    ]
)
_LEVEL_KEEP = np.array([0.985, 0.988, 0.93, 0.93])
_LEVEL_TO_FACTOR = np.array([0.010, 0.004, -0.080, -0.008])
"""A day's change of each per log return of the market: money flees to safe bonds and out of credit."""
_LEVEL_NOISE = np.array([0.0004, 0.00025, 0.0003, 0.0001])


@dataclass(frozen=True, slots=True)
class Market:
    """What every share and bond has in common; one value a session."""

    regime: npt.NDArray[np.int64]
    """Values of `Regime`."""
    factor: Floats
    """Daily log return of the market factor."""
    sectors: dict[str, Floats]
    """Daily log return of each sector beyond the market, by sector key."""
    long_rate: Floats
    """Ten-year yield, a fraction a year."""
    short_rate: Floats
    """Two-year yield, a fraction a year."""
    high_yield_spread: Floats
    """Over the long rate, a fraction a year."""
    grade_spread: Floats
    """Of investment-grade bonds over the long rate, a fraction a year."""
    stress: Floats
    """Multiple of the usual volatility of a company's own moves."""


def simulate_market(seed: int, count: int) -> Market:
    """Simulate `count` sessions of the market; more sessions only add to fewer."""
    regime = _regimes(stream(seed, "regime").random(count))
    shock = fat_tailed(stream(seed, "market"), count)
    factor = _factor(_DRIFT[regime] / SESSIONS_A_YEAR + _VOLATILITY[regime] / np.sqrt(SESSIONS_A_YEAR) * shock)
    noise = _LEVEL_NOISE * stream(seed, "rates").standard_normal((count, 4))
    levels = _levels(_LEVELS[regime], noise + _LEVEL_TO_FACTOR * factor[:, np.newaxis])
    return Market(
        regime=regime,
        factor=factor,
        sectors=dict(zip(SECTORS, _sectors(seed, count).T, strict=True)),
        long_rate=levels[:, 0],
        short_rate=levels[:, 1],
        high_yield_spread=levels[:, 2],
        grade_spread=levels[:, 3],
        stress=_STRESS[regime],
    )


def _regimes(chances: Floats) -> npt.NDArray[np.int64]:
    """Walk the Markov chain from calm, one uniform draw a session."""
    steps = np.cumsum(_TRANSITIONS, axis=1).tolist()
    states, state = np.empty(len(chances), dtype=np.int64), int(Regime.CALM)
    for index, chance in enumerate(chances.tolist()):
        towards = steps[state]
        state = 0 if chance < towards[0] else 1 if chance < towards[1] else 2
        states[index] = state
    return states


def _factor(moves: Floats) -> Floats:
    """Return log returns of a level that grows steadily and comes back, over years, from where `moves` took it.

    A level free to wander would leave earnings behind within a few years.
    """
    wandering = decaying_sum((moves - _GROWTH / SESSIONS_A_YEAR)[:, np.newaxis], _MARKET_KEEP)[:, 0]
    return _GROWTH / SESSIONS_A_YEAR + np.diff(wandering, prepend=0.0)


def _sectors(seed: int, count: int) -> Floats:
    """Return the daily log returns of each sector's slowly fading trend, sessions by sectors."""
    shocks = np.column_stack([fat_tailed(stream(seed, "sector", sector), count) for sector in SECTORS])
    trends = decaying_sum(shocks * _SECTOR_VOLATILITY / np.sqrt(SESSIONS_A_YEAR), _SECTOR_KEEP)
    return np.diff(trends, axis=0, prepend=0.0)


def _levels(target: Floats, noise: Floats) -> Floats:
    """Return yields and spreads that move towards their regime's targets and are shaken by noise; never below 0.1 %."""
    gaps = decaying_sum((1.0 - _LEVEL_KEEP) * (target - target[0]) + noise, _LEVEL_KEEP)
    levels: Floats = np.maximum(target[0] + gaps, 0.001)
    return levels
