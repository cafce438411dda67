"""The value of an index: what its level implies, from what its companies pay out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Literal

import numpy as np

from tradingagents.capabilities.valuation_case import (
    given_values,
    known_prices,
    risk_free_of,
    sources_of,
)
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.errors import NoData
from tradingagents.valuation.company.answer_parts import ValuationAssumption
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.market_rates import (
    IndexPayout,
    equity_premium,
    implied_return,
)
from tradingagents.valuation.company.results import (
    IndexValuation,
)
from tradingagents.valuation.inputs import InadmissibleInput

LEAST_YIELD = 2e-4
"""Of a dividend that an adjusted close shows; less is rounding."""
YEAR, WEEK = timedelta(days=365), timedelta(days=7)
INDEX, INDEX_FUND = "^GSPC", "SPY"
BUYBACKS = 1.5
"""Buybacks of the index's companies over their dividends, the usual ratio of the last ten years."""
INDEX_GROWTH_BOUNDS = (0.0, 0.10)


def value_of_index(market: MarketData, assumptions: str) -> IndexValuation:
    """Return what the level of the S&P 500 implies. Raises InadmissibleInput for an assumption that there is not."""
    given = given_values(assumptions)
    known = ("payout_yield", "growth", "risk_free")
    for name in given:
        if name not in known:
            raise InadmissibleInput(name, f"there is no such assumption; known are {', '.join(known)}.")
    level, fund, rows = market.prices(INDEX), _fund(market), []

    def take(name: str, find: Callable[[], Sourced]) -> float:
        if name in given:
            rows.append(ValuationAssumption(name, float(given[name]), "given", "given"))
        else:
            found = find()
            kind: Literal["data", "default"] = "default" if found.assumed else "data"
            rows.append(ValuationAssumption(name, found.value, kind, found.source))
        return rows[-1].value

    risk_free = take("risk_free", lambda: risk_free_of(market, "USD"))
    payout = take("payout_yield", lambda: _payout_yield(fund)) * float(level.close[-1])
    growth = take("growth", lambda: _payout_growth(fund))
    worth = IndexPayout(level=float(level.close[-1]), payout=payout, growth=growth, risk_free=risk_free)
    found = implied_return(worth)
    return IndexValuation(
        symbol=INDEX,
        as_of=market.as_of,
        source=sources_of(market),
        known_at=market.cutoff.instant,
        fetched_at=level.fetched_at,
        end=level.days[-1].item(),
        rows=len(level),
        inputs=(INDEX_FUND,) if fund is not None else (),
        level=worth.level,
        payout=payout,
        implied_return=found,
        risk_free=risk_free,
        implied_premium=found - risk_free,
        published_premium=_published(market.as_of),
        assumptions=tuple(rows),
    )


def _published(day: date) -> float | None:
    try:
        return equity_premium(day).value
    except NoData:
        return None


def _fund(market: MarketData) -> Prices | None:
    return known_prices(market, INDEX_FUND)


def _year_paid(fund: Prices, years_ago: int) -> float | None:
    """Return what a fund paid for each share in a year; from its adjusted close where its dividends are not listed.

    None where the prices do not reach back so far, or are adjusted for dividends themselves.
    """
    end = fund.days[-1].item() - YEAR * years_ago
    start = end - YEAR
    if fund.days[0].item() > start + WEEK:
        return None
    if not np.isfinite(fund.adj_close[fund.days > np.datetime64(start, "D")]).all():
        return None  # its dividends and its adjusted closes contradict each other
    if fund.dividends:
        return sum(dividend.amount for dividend in fund.dividends if start < dividend.day <= end)
    if fund.basis != "split_adjusted":
        return None
    year = (fund.days > np.datetime64(start, "D")) & (fund.days <= np.datetime64(end, "D"))
    kept = (fund.adj_close[1:] / fund.adj_close[:-1]) / (fund.close[1:] / fund.close[:-1]) - 1
    paid = np.where(kept > LEAST_YIELD, kept * fund.close[:-1], 0.0)
    return float(paid[year[1:]].sum())


def _payout_yield(fund: Prices | None) -> Sourced:
    paid = _year_paid(fund, 0) if fund is not None else None
    if fund is None or not paid or paid <= 0:
        raise NoData(f"The dividends of {INDEX_FUND} are not known; give payout_yield=….")
    share = paid / float(fund.close[-1]) * (1 + BUYBACKS)
    return Sourced(share, f"get_stock_data: dividends of {INDEX_FUND}, with buybacks of {BUYBACKS:g} times as much")


def _payout_growth(fund: Prices | None) -> Sourced:
    paid = (_year_paid(fund, 0), _year_paid(fund, 1)) if fund is not None else (None, None)
    if not paid[0] or not paid[1] or paid[1] <= 0:
        return Sourced(0.05, "default: 5 %, earlier dividends are not known", assumed=True)
    low, high = INDEX_GROWTH_BOUNDS
    grown = paid[0] / paid[1] - 1
    return Sourced(min(max(grown, low), high), f"get_stock_data: dividends of {INDEX_FUND} over a year ({grown:.1%})")
