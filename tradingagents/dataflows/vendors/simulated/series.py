"""One symbol's bars over the whole calendar, and how opens, highs, lows and volume are put around its closes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np

from tradingagents.dataflows.models import Dividend, Floats, Split
from tradingagents.dataflows.vendors.simulated.streams import frozen, stream


@dataclass(frozen=True, slots=True)
class Series:
    """The bars of one symbol, one value a session of the timeline; read-only arrays."""

    open: Floats
    high: Floats
    low: Floats
    close: Floats
    """Adjusted for splits."""
    adj_close: Floats
    """Total return, equal to `close` on the first session: anchored there, so a longer calendar changes nothing."""
    volume: Floats
    splits: tuple[Split, ...] = ()
    dividends: tuple[Dividend, ...] = ()
    first: int = 0
    """Position of the first session traded."""


@dataclass(frozen=True, slots=True)
class Noise:
    """What bars need beside closes; standard normal unless said otherwise."""

    gap: Floats
    above: Floats
    """How far the high reaches beyond open and close: absolute values."""
    below: Floats
    volume: Floats


def noise_of(seed: int, symbol: str, count: int) -> Noise:
    """Draw the noise of one symbol's bars."""
    drawn = stream(seed, symbol, "bars").standard_normal((count, 4)).T
    return Noise(gap=drawn[0], above=np.abs(drawn[1]), below=np.abs(drawn[2]), volume=drawn[3])


def overnight(close: Floats, jump: Floats, volatility: Floats, noise: Floats) -> Floats:
    """Return opens: a third of the day's log return, the whole of an overnight jump, and some noise.

    Args:
        jump: Log return that came overnight.
        volatility: Of a day's log return.
        noise: Standard normal.
    """
    before = np.concatenate([close[:1], close[:-1]])
    through_the_day = np.log(close / before) - jump
    opens: Floats = before * np.exp(jump + 0.35 * through_the_day + 0.25 * volatility * noise)
    return opens


def total_return(close: Floats, dividends: Floats) -> Floats:
    """Return closes with dividends reinvested on their ex-dates, equal to `close` on the first session."""
    growth = np.ones_like(close)
    growth[1:] = (close[1:] + dividends[1:]) / close[:-1]
    level: Floats = close[0] * np.cumprod(growth)
    return level


def returns(close: Floats) -> Floats:
    """Return simple daily returns, 0 on the first session."""
    change = np.zeros_like(close)
    change[1:] = close[1:] / close[:-1] - 1.0
    return change


def make_series(
    *,
    opens: Floats,
    close: Floats,
    volatility: Floats,
    noise: Noise,
    usual_volume: float,
    dividends: Floats,
    days: tuple[date, ...],
) -> Series:
    """Put highs, lows, volume and total returns around opens and closes.

    Args:
        close: Closes, adjusted for splits.
        volatility: Of a day's log return; sets how far highs and lows reach, and what counts as a large move.
        noise: The symbol's noise.
        usual_volume: Shares of an uneventful session; 0 for what is not traded.
        dividends: Cash per share on each session.
        days: The sessions.
    """
    surprise = np.minimum(np.abs(returns(close)) / volatility, 8.0)
    volume = np.round(usual_volume * (0.75 + 0.35 * surprise) * np.exp(0.2 * noise.volume))
    return Series(
        open=frozen(opens),
        high=frozen(np.maximum(opens, close) * np.exp(0.35 * volatility * noise.above)),
        low=frozen(np.minimum(opens, close) * np.exp(-0.35 * volatility * noise.below)),
        close=frozen(close),
        adj_close=frozen(total_return(close, dividends)),
        volume=frozen(volume),
        dividends=tuple(Dividend(days[i], float(dividends[i])) for i in np.flatnonzero(dividends).tolist()),
    )
