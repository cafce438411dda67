"""Prices of the companies: market, sector, growth, earnings and their own shocks.

`SimulatedBars` is one symbol's bars over the whole calendar: opens, highs, lows and volume are put around its closes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from tradingagents.dataflows.models import Dividend, Floats, Split
from tradingagents.dataflows.vendors.simulated.companies import COMPANIES, MARKET_GROWTH, Company, Traits, traits_of
from tradingagents.dataflows.vendors.simulated.market import (
    SESSIONS_A_YEAR,
    Market,
    Timeline,
    decaying_sum,
    fat_tailed,
    frozen,
    stream,
)
from tradingagents.dataflows.vendors.simulated.operations import Quarter, dividends_by_session, quarters_of


@dataclass(frozen=True, slots=True)
class SimulatedBars:
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
) -> SimulatedBars:
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
    return SimulatedBars(
        open=frozen(opens),
        high=frozen(np.maximum(opens, close) * np.exp(0.35 * volatility * noise.above)),
        low=frozen(np.minimum(opens, close) * np.exp(-0.35 * volatility * noise.below)),
        close=frozen(close),
        adj_close=frozen(total_return(close, dividends)),
        volume=frozen(volume),
        dividends=tuple(Dividend(days[i], float(dividends[i])) for i in np.flatnonzero(dividends).tolist()),
    )


JUMP = 0.03
"""Log return at the first open after a filing, per standard deviation of earnings surprise."""
DRIFT = 0.03
"""Log return that follows over `DRIFT_SESSIONS`, per standard deviation: the post-earnings drift."""
DRIFT_SESSIONS = 40
LASTING = 0.5
"""Share of the jump that stays; the rest fades like every other move of a company's own."""
_OWN_KEEP = 0.997  # half-life of eleven months
_TURNOVER = 0.004  # of the shares outstanding, on an uneventful session


@dataclass(frozen=True, slots=True)
class Share:
    """One company with all that is hidden about it, and its bars."""

    company: Company
    traits: Traits
    quarters: tuple[Quarter, ...]
    own_shock: Floats
    """The company's own fat-tailed shock of each session, in standard deviations, without earnings."""
    jump: Floats
    """Log return at each session's open that came from a filing."""
    series: SimulatedBars


def simulate_shares(seed: int, market: Market, timeline: Timeline) -> Mapping[str, Share]:
    """Simulate every company of the roster, by symbol."""
    count = len(timeline)
    drawn = []
    for company in COMPANIES.values():
        traits = traits_of(company, seed)
        quarters = quarters_of(company, traits, seed, timeline)
        shock = fat_tailed(stream(seed, company.symbol, "shock"), count)
        drawn.append((company, traits, quarters, shock, _jumps(quarters, timeline)))
    moves = [
        traits.volatility / np.sqrt(SESSIONS_A_YEAR) * market.stress * shock + (1.0 - LASTING) * jump + _drift(jump)
        for _, traits, _, shock, jump in drawn
    ]
    own = decaying_sum(np.column_stack(moves), _OWN_KEEP)
    shares = {}
    for column, (company, traits, quarters, shock, jump) in enumerate(drawn):
        log_price = (
            np.cumsum(traits.beta * market.factor + market.sectors[company.sector] + LASTING * jump)
            + (traits.growth + traits.margin_trend - MARKET_GROWTH) * timeline.years
            + own[:, column]
        )
        series = _series(company, traits, log_price - log_price[0], jump, market, timeline, seed)
        shares[company.symbol] = Share(company, traits, quarters, frozen(shock), frozen(jump), series)
    return shares


def _jumps(quarters: tuple[Quarter, ...], timeline: Timeline) -> Floats:
    """Return the log return that filings cause at the open of each session."""
    jumps = np.zeros(len(timeline))
    for quarter in quarters:
        position = timeline.first_open_after(quarter.filed_at)
        if 0 < position < len(timeline):
            jumps[position] = JUMP * quarter.surprise
    return jumps


def _drift(jump: Floats) -> Floats:
    """Return the daily log return that follows each jump, from the session after it on."""
    drift = np.zeros_like(jump)
    for position in np.flatnonzero(jump).tolist():
        drift[position + 1 : position + 1 + DRIFT_SESSIONS] += jump[position] / JUMP * DRIFT / DRIFT_SESSIONS
    return drift


def _series(
    company: Company,
    traits: Traits,
    log_price: Floats,
    jump: Floats,
    market: Market,
    timeline: Timeline,
    seed: int,
) -> SimulatedBars:
    """Turn log prices into bars in whole cents as traded, then adjust them for the company's split."""
    units = before_split(company, timeline)
    split_ratio = company.split.ratio if company.split else 1.0
    close = np.round(company.price / split_ratio * np.exp(log_price) * units, 2) / units
    noise = noise_of(seed, company.symbol, len(timeline))
    volatility = np.sqrt((traits.volatility**2 + 0.1**2) / SESSIONS_A_YEAR) * market.stress
    exact = make_series(
        opens=overnight(close, jump, volatility, noise.gap),
        close=close,
        volatility=volatility,
        noise=noise,
        usual_volume=company.cap * 1e9 / company.price * split_ratio * _TURNOVER,
        dividends=dividends_by_session(company, traits, timeline),
        days=timeline.days,
    )
    return replace(
        exact,
        open=_cents(exact.open, units),
        high=_cents(exact.high, units),
        low=_cents(exact.low, units),
        splits=(company.split,) if company.split else (),
        first=timeline.position(company.listed) if company.listed else 0,
    )


def before_split(company: Company, timeline: Timeline) -> Floats:
    """Return the units of old shares: what a split-adjusted price is multiplied by to read as it was traded."""
    factor = np.ones(len(timeline))
    if company.split:
        factor[: timeline.position(company.split.day)] = company.split.ratio
    return factor


def _cents(price: Floats, units: Floats) -> Floats:
    """Round to whole cents as traded."""
    return frozen(np.round(price * units, 2) / units)
