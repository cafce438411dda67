"""Bars of what is made of rates, gold and fear: bond funds, the gold fund, the volatility index."""

from __future__ import annotations

import numpy as np

from tradingagents.dataflows.models import Floats
from tradingagents.dataflows.vendors.simulated.funds import GOLD, VOLATILITY, Bond
from tradingagents.dataflows.vendors.simulated.market import SESSIONS_A_YEAR, Market
from tradingagents.dataflows.vendors.simulated.series import Series, make_series, noise_of, overnight, returns
from tradingagents.dataflows.vendors.simulated.streams import decaying_sum, fat_tailed, stream
from tradingagents.dataflows.vendors.simulated.timeline import Timeline

_GOLD_LEVEL, _GOLD_GROWTH, _GOLD_VOLATILITY, _GOLD_BETA = 125.0, 0.05, 0.13, -0.10
_FEAR = np.array([12.5, 18.0, 28.0])
"""What the volatility index settles at in each regime, in index points, before realised volatility has its say."""
_FEAR_KEEP = 0.85
_VARIANCE_KEEP = 0.94  # the usual weight of yesterday in an exponentially weighted variance
_SHOCK_KEEP = 0.88
_SHOCK_TO_INDEX = -4.5  # log points of the volatility index per log return of the market


def simulate_bond(seed: int, bond: Bond, market: Market, timeline: Timeline) -> Series:
    """Return the bars of a bond fund, which pays its yield on the first session of each month."""
    rate = market.long_rate if bond.rate == "long" else market.short_rate
    spread = {"none": np.zeros_like(rate), "grade": market.grade_spread, "high_yield": market.high_yield_spread}
    rate = rate + spread[bond.spread]
    close = bond.level * np.exp(-bond.duration * (rate - rate[0]))
    paid = np.zeros(len(timeline))
    for position in timeline.first_sessions_of_months():
        paid[position] = round(float(rate[position - 1] / 12.0 * close[position - 1]), 4)
    return _bars(seed, bond.symbol, close, 0.0004 * bond.duration, bond.volume, paid, timeline)


def simulate_gold(seed: int, market: Market, timeline: Timeline) -> Series:
    """Return the bars of the gold fund, which leans a little against the market."""
    shocks = fat_tailed(stream(seed, GOLD, "shock"), len(timeline)) * _GOLD_VOLATILITY / np.sqrt(SESSIONS_A_YEAR)
    moves = _GOLD_GROWTH / SESSIONS_A_YEAR + shocks + _GOLD_BETA * market.factor
    moves[0] = 0.0
    return _bars(seed, GOLD, _GOLD_LEVEL * np.exp(np.cumsum(moves)), 0.008, 8e6, np.zeros(len(timeline)), timeline)


def simulate_volatility(seed: int, market: Market, index_close: Floats, timeline: Timeline) -> Series:
    """Return the bars of the volatility index: the regime, realised volatility, and today's move against the market."""
    moves = returns(index_close)
    start = (_FEAR[market.regime[0]] / 100.0) ** 2 / SESSIONS_A_YEAR
    noise = 0.03 * stream(seed, VOLATILITY, "shock").standard_normal(len(timeline))
    shocks = np.column_stack(
        [
            (1.0 - _FEAR_KEEP) * (_FEAR[market.regime] - _FEAR[0]),
            (1.0 - _VARIANCE_KEEP) * (moves**2 - start),
            _SHOCK_TO_INDEX * moves + noise,
        ]
    )
    settled = decaying_sum(shocks, np.array([_FEAR_KEEP, _VARIANCE_KEEP, _SHOCK_KEEP]))
    fear = _FEAR[0] + settled[:, 0]
    realised = 100.0 * np.sqrt((start + settled[:, 1]) * SESSIONS_A_YEAR)
    close = np.round((0.5 * fear + 0.5 * (realised + 1.5)) * np.exp(settled[:, 2]), 2)
    return _bars(seed, VOLATILITY, close, 0.05, 0.0, np.zeros(len(timeline)), timeline)


def _bars(
    seed: int, symbol: str, close: Floats, volatility: float, volume: float, dividends: Floats, timeline: Timeline
) -> Series:
    noise = noise_of(seed, symbol, len(timeline))
    spread = np.full(len(timeline), volatility)
    return make_series(
        opens=overnight(close, np.zeros_like(close), spread, noise.gap),
        close=close,
        volatility=spread,
        noise=noise,
        usual_volume=volume,
        dividends=dividends,
        days=timeline.days,
    )
