"""The simulated market in one piece: everything that is made at first use and then only read.

Indices and funds of companies are exactly the weighted returns of their members. Bond funds, the gold fund and the
volatility index are made of rates, gold and fear.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

import numpy as np

from tradingagents.dataflows.models import Floats, InstrumentKind
from tradingagents.dataflows.reference.calendar import Sessions
from tradingagents.dataflows.reference.sectors import DISPLAY, SECTOR_ETF
from tradingagents.dataflows.vendors.simulated.companies import COMPANIES, Company
from tradingagents.dataflows.vendors.simulated.market import (
    SESSIONS_A_YEAR,
    Market,
    Timeline,
    decaying_sum,
    fat_tailed,
    simulate_market,
    stream,
)
from tradingagents.dataflows.vendors.simulated.shares import (
    Share,
    SimulatedBars,
    make_series,
    noise_of,
    overnight,
    returns,
    simulate_shares,
)

_MEMBERS = tuple(company for company in COMPANIES.values() if company.listed is None)
_BY_SIZE = tuple(sorted(_MEMBERS, key=lambda company: company.cap, reverse=True))
_GROWTH = ("technology", "communication-services", "consumer-discretionary")

Weighting = Literal["cap", "price", "equal"]


@dataclass(frozen=True, slots=True)
class Basket:
    """An index of companies, or a fund that holds it."""

    symbol: str
    name: str
    level: float
    """Close of the first session."""
    members: tuple[Company, ...]
    weighting: Weighting = "cap"
    """`cap`: what shares each had outstanding on the first session; `price`: one share of each; `equal`: daily."""
    sector: str | None = None
    volume: float = 0.0
    """Shares of an uneventful session; 0 for an index."""

    @property
    def kind(self) -> InstrumentKind:
        """Indices begin with a caret."""
        return "index" if self.symbol.startswith("^") else "etf"


@dataclass(frozen=True, slots=True)
class Bond:
    """A fund of bonds: its price answers a yield by its duration, and it pays the yield out monthly."""

    symbol: str
    name: str
    level: float
    duration: float
    """Years."""
    rate: Literal["long", "short"]
    spread: Literal["none", "grade", "high_yield"]
    volume: float


def _of(*sectors: str) -> tuple[Company, ...]:
    return tuple(company for company in _MEMBERS if company.sector in sectors)


_SPDR_LEVELS = {
    "technology": 65.0,
    "healthcare": 83.0,
    "financials": 28.0,
    "energy": 73.0,
    "consumer-discretionary": 99.0,
    "consumer-staples": 57.0,
    "industrials": 76.0,
    "materials": 61.0,
    "real-estate": 33.0,
    "utilities": 52.0,
    "communication-services": 50.0,
}

BASKETS: Mapping[str, Basket] = MappingProxyType(
    {
        basket.symbol: basket
        for basket in (
            Basket("^GSPC", "Broad market index (simulated)", 2700.0, _MEMBERS),
            Basket("^DJI", "Twenty largest companies, price-weighted (simulated)", 24800.0, _BY_SIZE[:20], "price"),
            Basket("^IXIC", "Growth sectors and health care index (simulated)", 7000.0, _of(*_GROWTH, "healthcare")),
            Basket("^NDX", "Growth sectors index (simulated)", 6500.0, _of(*_GROWTH)),
            Basket("^RUT", "Twenty smallest companies index (simulated)", 1550.0, _BY_SIZE[-20:]),
            Basket("SPY", "Broad market fund (simulated)", 270.0, _MEMBERS, volume=8e7),
            Basket("DIA", "Twenty largest companies fund (simulated)", 248.0, _BY_SIZE[:20], "price", volume=4e6),
            Basket("QQQ", "Growth sectors fund (simulated)", 158.0, _of(*_GROWTH), volume=4e7),
            Basket("IWM", "Twenty smallest companies fund (simulated)", 154.0, _BY_SIZE[-20:], volume=2e7),
            Basket("RSP", "Equal-weight fund (simulated)", 101.0, _MEMBERS, "equal", volume=3e6),
            *(
                Basket(
                    etf,
                    f"{DISPLAY[sector]} sector fund (simulated)",
                    _SPDR_LEVELS[sector],
                    _of(sector),
                    sector=sector,
                    volume=1e7,
                )
                for sector, etf in SECTOR_ETF.items()
            ),
        )
    }
)

BONDS: Mapping[str, Bond] = MappingProxyType(
    {
        bond.symbol: bond
        for bond in (
            Bond("HYG", "High-yield bond fund (simulated)", 87.0, 3.8, "long", "high_yield", 3e7),
            Bond("LQD", "Investment-grade bond fund (simulated)", 121.0, 8.4, "long", "grade", 1.5e7),
            Bond("TLT", "Long government bond fund (simulated)", 126.0, 16.5, "long", "none", 2e7),
            Bond("IEF", "Ten-year government bond fund (simulated)", 105.0, 7.5, "long", "none", 6e6),
            Bond("SHY", "Two-year government bond fund (simulated)", 84.0, 1.9, "short", "none", 4e6),
        )
    }
)

GOLD = "GLD"
VOLATILITY = "^VIX"
OTHERS: Mapping[str, str] = MappingProxyType(
    {GOLD: "Gold fund (simulated)", VOLATILITY: "Expected volatility of the broad market (simulated)"}
)
"""Symbols that are neither companies, nor made of them, nor bonds, with their names."""


_VOLATILITY = 0.011  # of a day, for the reach of highs and lows
_DISTRIBUTION_MONTHS = (3, 6, 9, 12)


@dataclass(frozen=True, slots=True)
class _Holding:
    """A basket's value a session."""

    open: Floats
    close: Floats
    cash: Floats
    """Dividends that came in, by session."""

    def scaled(self, factor: float) -> _Holding:
        return _Holding(self.open * factor, self.close * factor, self.cash * factor)


def simulate_basket(seed: int, basket: Basket, shares: Mapping[str, Share], timeline: Timeline) -> SimulatedBars:
    """Return the bars of an index or fund; a fund hands its members' dividends on, each quarter."""
    hold = _rebalanced if basket.weighting == "equal" else _kept
    held = hold(basket, shares, timeline)
    held = held.scaled(basket.level / float(held.close[0]))
    dividends = _distributions(held.cash, timeline) if basket.kind == "etf" else np.zeros(len(timeline))
    return make_series(
        opens=held.open,
        close=held.close,
        volatility=np.full(len(timeline), _VOLATILITY),
        noise=noise_of(seed, basket.symbol, len(timeline)),
        usual_volume=basket.volume,
        dividends=dividends,
        days=timeline.days,
    )


def with_traded_volume(series: SimulatedBars, basket: Basket, shares: Mapping[str, Share]) -> SimulatedBars:
    """Give an index the volume of its members together."""
    volume = np.sum([shares[member.symbol].series.volume for member in basket.members], axis=0)
    volume.flags.writeable = False
    return replace(series, volume=volume)


def index_shares(company: Company) -> float:
    """Return the shares an index holds of a company: those outstanding on the first session, in today's split units."""
    return company.cap * 1e9 / company.price * (company.split.ratio if company.split else 1.0)


def _kept(basket: Basket, shares: Mapping[str, Share], timeline: Timeline) -> _Holding:
    """Return the value of a fixed number of shares of each member.

    Members are added one after another, so that a session's sum does not depend on how many sessions there are.
    """
    count = len(timeline)
    total = _Holding(np.zeros(count), np.zeros(count), np.zeros(count))
    for member in basket.members:
        series, number = shares[member.symbol].series, 1.0 if basket.weighting == "price" else index_shares(member)
        total = _Holding(
            total.open + number * series.open,
            total.close + number * series.close,
            total.cash + number * _cash(series, timeline),
        )
    return total


def _rebalanced(basket: Basket, shares: Mapping[str, Share], timeline: Timeline) -> _Holding:
    """Return the value of equal amounts of each member, set anew at every close."""
    count = len(timeline)
    opened, closed, paid = np.zeros(count), np.zeros(count), np.zeros(count)
    for member in basket.members:
        series = shares[member.symbol].series
        before = np.concatenate([series.close[:1], series.close[:-1]])
        opened += series.open / before
        closed += series.close / before
        paid += _cash(series, timeline) / before
    growth: Floats = closed / len(basket.members)
    close: Floats = np.multiply.accumulate(growth)
    before = np.concatenate([np.ones(1), close[:-1]])
    return _Holding(before * opened / len(basket.members), close, before * paid / len(basket.members))


def _cash(series: SimulatedBars, timeline: Timeline) -> Floats:
    """Return the dividends of a share by session."""
    cash = np.zeros(len(timeline))
    for paid in series.dividends:
        cash[timeline.position(paid.day)] = paid.amount
    return cash


def _distributions(cash: Floats, timeline: Timeline) -> Floats:
    """Return what a fund pays out: on the first session of a quarter's last month, the cash that came in since."""
    paid, since = np.zeros_like(cash), 0
    for position in timeline.first_sessions_of_months():
        if timeline.days[position].month in _DISTRIBUTION_MONTHS:
            paid[position] = round(float(np.sum(cash[since:position])), 4)
            since = position
    return paid


_GOLD_LEVEL, _GOLD_GROWTH, _GOLD_VOLATILITY, _GOLD_BETA = 125.0, 0.05, 0.13, -0.10
_FEAR = np.array([12.5, 18.0, 28.0])
"""What the volatility index settles at in each regime, in index points, before realised volatility has its say."""
_FEAR_KEEP = 0.85
_VARIANCE_KEEP = 0.94  # the usual weight of yesterday in an exponentially weighted variance
_SHOCK_KEEP = 0.88
_SHOCK_TO_INDEX = -4.5  # log points of the volatility index per log return of the market


def simulate_bond(seed: int, bond: Bond, market: Market, timeline: Timeline) -> SimulatedBars:
    """Return the bars of a bond fund, which pays its yield on the first session of each month."""
    rate = market.long_rate if bond.rate == "long" else market.short_rate
    spread = {"none": np.zeros_like(rate), "grade": market.grade_spread, "high_yield": market.high_yield_spread}
    rate = rate + spread[bond.spread]
    close = bond.level * np.exp(-bond.duration * (rate - rate[0]))
    paid = np.zeros(len(timeline))
    for position in timeline.first_sessions_of_months():
        paid[position] = round(float(rate[position - 1] / 12.0 * close[position - 1]), 4)
    return _bars(seed, bond.symbol, close, 0.0004 * bond.duration, bond.volume, paid, timeline)


def simulate_gold(seed: int, market: Market, timeline: Timeline) -> SimulatedBars:
    """Return the bars of the gold fund, which leans a little against the market."""
    shocks = fat_tailed(stream(seed, GOLD, "shock"), len(timeline)) * _GOLD_VOLATILITY / np.sqrt(SESSIONS_A_YEAR)
    moves = _GOLD_GROWTH / SESSIONS_A_YEAR + shocks + _GOLD_BETA * market.factor
    moves[0] = 0.0
    return _bars(seed, GOLD, _GOLD_LEVEL * np.exp(np.cumsum(moves)), 0.008, 8e6, np.zeros(len(timeline)), timeline)


def simulate_volatility(seed: int, market: Market, index_close: Floats, timeline: Timeline) -> SimulatedBars:
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
) -> SimulatedBars:
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


@dataclass(frozen=True, slots=True)
class World:
    """One seed's market over one calendar."""

    seed: int
    timeline: Timeline
    market: Market
    shares: Mapping[str, Share]
    """Companies by symbol."""
    series: Mapping[str, SimulatedBars]
    """Bars by symbol: companies, indices and funds."""

    def market_value(self, symbol: str, position: int) -> float:
        """Return a company's market value at a session's close, USD, with the shares that indices count."""
        return index_shares(self.shares[symbol].company) * float(self.series[symbol].close[position])


def make_world(seed: int, calendar: Sessions) -> World:
    """Simulate the whole market of a seed."""
    timeline = Timeline(calendar)
    market = simulate_market(seed, len(timeline))
    shares = simulate_shares(seed, market, timeline)
    series = {symbol: share.series for symbol, share in shares.items()}
    for symbol, basket in BASKETS.items():
        bars = simulate_basket(seed, basket, shares, timeline)
        series[symbol] = with_traded_volume(bars, basket, shares) if basket.kind == "index" else bars
    for symbol, bond in BONDS.items():
        series[symbol] = simulate_bond(seed, bond, market, timeline)
    series[GOLD] = simulate_gold(seed, market, timeline)
    series[VOLATILITY] = simulate_volatility(seed, market, series["^GSPC"].close, timeline)
    return World(seed, timeline, market, shares, series)
