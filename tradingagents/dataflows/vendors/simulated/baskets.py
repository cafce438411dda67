"""Bars of indices and funds of companies: exactly the weighted returns of their members."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from tradingagents.dataflows.models import Floats
from tradingagents.dataflows.vendors.simulated.companies import Company
from tradingagents.dataflows.vendors.simulated.funds import Basket
from tradingagents.dataflows.vendors.simulated.series import Series, make_series, noise_of
from tradingagents.dataflows.vendors.simulated.shares import Share
from tradingagents.dataflows.vendors.simulated.timeline import Timeline

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


def simulate_basket(seed: int, basket: Basket, shares: Mapping[str, Share], timeline: Timeline) -> Series:
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


def with_traded_volume(series: Series, basket: Basket, shares: Mapping[str, Share]) -> Series:
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


def _cash(series: Series, timeline: Timeline) -> Floats:
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
