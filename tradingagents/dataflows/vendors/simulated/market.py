"""The market as a whole: regimes, the market and sector factors, interest rates and credit spreads."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from tradingagents.dataflows.models import Floats
from tradingagents.dataflows.reference.sectors import SECTORS
from tradingagents.dataflows.vendors.simulated.streams import decaying_sum, fat_tailed, stream

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
