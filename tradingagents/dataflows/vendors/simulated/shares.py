"""Prices of the companies: market, sector, growth, earnings and their own shocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from tradingagents.dataflows.models import Floats
from tradingagents.dataflows.vendors.simulated.companies import COMPANIES, Company
from tradingagents.dataflows.vendors.simulated.dividends import dividends_by_session
from tradingagents.dataflows.vendors.simulated.earnings import Quarter, quarters_of
from tradingagents.dataflows.vendors.simulated.market import SESSIONS_A_YEAR, Market
from tradingagents.dataflows.vendors.simulated.series import Series, make_series, noise_of, overnight
from tradingagents.dataflows.vendors.simulated.streams import decaying_sum, fat_tailed, frozen, stream
from tradingagents.dataflows.vendors.simulated.timeline import Timeline
from tradingagents.dataflows.vendors.simulated.traits import MARKET_GROWTH, Traits, traits_of

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
    series: Series


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
) -> Series:
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
