"""The simulated market in one piece: everything that is made at first use and then only read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tradingagents.dataflows.reference.calendar import Sessions
from tradingagents.dataflows.vendors.simulated.baskets import index_shares, simulate_basket, with_traded_volume
from tradingagents.dataflows.vendors.simulated.funds import BASKETS, BONDS, GOLD, VOLATILITY
from tradingagents.dataflows.vendors.simulated.market import Market, simulate_market
from tradingagents.dataflows.vendors.simulated.rates import simulate_bond, simulate_gold, simulate_volatility
from tradingagents.dataflows.vendors.simulated.series import Series
from tradingagents.dataflows.vendors.simulated.shares import Share, simulate_shares
from tradingagents.dataflows.vendors.simulated.timeline import Timeline


@dataclass(frozen=True, slots=True)
class World:
    """One seed's market over one calendar."""

    seed: int
    timeline: Timeline
    market: Market
    shares: Mapping[str, Share]
    """Companies by symbol."""
    series: Mapping[str, Series]
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
