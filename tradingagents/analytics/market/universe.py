"""The stocks at hand as one table: their closes on common days, names and sectors, and what their books say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import numpy as np

from tradingagents.analytics.company.quoted_shares import usual_volume
from tradingagents.dataflows.models import Days, Floats, Prices, SectorMember, Statement

TODAY_S_MEMBERS = (
    "The stocks are today's members of their sectors: those delisted since are missing (survivorship bias)."
)


@dataclass(frozen=True, slots=True)
class Universe:
    """Stocks with prices up to one session. Rows of the arrays are sessions, columns are stocks."""

    symbols: tuple[str, ...]
    names: tuple[str, ...]
    sectors: tuple[str, ...]
    """Sector keys."""
    days: Days
    closes: Floats
    """Adjusted for splits and dividends; NaN where a stock did not trade."""
    traded_closes: Floats
    """As traded on the last session, adjusted for splits up to it only."""
    currencies: tuple[str, ...]
    sources: tuple[str, ...]
    """Vendors of the prices."""
    fetched_at: datetime
    usual_volumes: tuple[float, ...] = ()
    """Shares traded on a usual day up to the newest; 0 where that is not known, empty where it is of none."""

    @property
    def last_day(self) -> date:
        """The newest session."""
        return self.days[-1].item()  # type: ignore[no-any-return]

    @property
    def returns(self) -> Floats:
        """Daily returns as fractions, one row less than `closes`; NaN where either close is missing."""
        return np.asarray(self.closes[1:] / self.closes[:-1] - 1)


def universe(members: Mapping[str, Sequence[SectorMember]], series: Mapping[str, Prices]) -> Universe | None:
    """Put the prices of the members on common days; None where no member has prices of the newest session.

    Args:
        members: Companies by sector key.
        series: Their bars, as traded on the last session; those without a bar on the newest one are left out.
    """
    newest = max((prices.days[-1] for prices in series.values() if len(prices)), default=None)
    found = {
        member.symbol: (member, sector)
        for sector, some in members.items()
        for member in some
        if member.symbol in series and len(series[member.symbol]) and series[member.symbol].days[-1] == newest
    }
    if not found:
        return None
    bars = [series[symbol] for symbol in found]
    days = np.unique(np.concatenate([prices.days for prices in bars]))
    closes = np.full((len(days), len(bars)), np.nan)
    traded = closes.copy()
    for column, prices in enumerate(bars):
        rows = np.searchsorted(days, prices.days)
        closes[rows, column] = np.where(prices.adj_close > 0, prices.adj_close, np.nan)
        traded[rows, column] = np.where(prices.close > 0, prices.close, np.nan)
    return Universe(
        symbols=tuple(found),
        names=tuple(member.name for member, _ in found.values()),
        sectors=tuple(sector for _, sector in found.values()),
        days=days,
        closes=closes,
        traded_closes=traded,
        currencies=tuple(prices.currency for prices in bars),
        sources=tuple(sorted({prices.vendor for prices in bars})),
        fetched_at=max(prices.fetched_at for prices in bars),
        usual_volumes=tuple(map(usual_volume, bars)),
    )


@dataclass(frozen=True, slots=True)
class CompanyBooks:
    """Income statements and balance sheets of one company, filed by the day."""

    income: tuple[Statement, ...]
    balance: tuple[Statement, ...]
