"""The stocks at hand as one table: closes, sectors, what their books say; and the largest by market value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import ClassVar

import numpy as np

from tradingagents.analytics.company.quoted_shares import market_value, usual_volume
from tradingagents.analytics.company.statements import newest_first
from tradingagents.analytics.market.scanned import StockQuote, short_name
from tradingagents.analytics.text import table_of
from tradingagents.dataflows.gateway.checks.share_jumps import usable_shares
from tradingagents.dataflows.models import Days, Floats, Prices, SectorMember, Statement
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData

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


class CompanyRow(StockQuote):
    """One company."""

    written_last: ClassVar[tuple[str, ...]] = ("price", "change_pct", "currency")

    sector: str
    """Sector key."""
    market_cap: float
    """Last close times diluted shares of the newest statement with a count, in `currency`."""
    change_pct: float | None
    """Percent since the session before."""


class TopCompanies(Result):
    """Companies by market value, the largest first."""

    tabulated: ClassVar[bool] = True

    sector: str | None
    """Sector key; None for all sectors."""
    companies: tuple[CompanyRow, ...]

    @property
    def title(self) -> str:
        """Heading."""
        return f"Largest companies{f': {DISPLAY[self.sector]}' if self.sector else ''}"

    @property
    def subject(self) -> str | None:
        """The sector."""
        return self.sector

    def figures(self) -> tuple[Figure, ...]:
        """Return market value, price and change of each company."""
        return tuple(figure for row in self.companies for figure in _figures(row))

    def body(self) -> str:
        """Return the companies as a table."""
        rows = (
            (str(rank), row.symbol, row.name, DISPLAY[row.sector], *(figure.text for figure in _figures(row)))
            for rank, row in enumerate(self.companies, 1)
        )
        return table_of(("#", "Symbol", "Company", "Sector", "Market value", "Price", "1 day"), rows)


def top_companies(
    stocks: Universe,
    books: Mapping[str, CompanyBooks],
    *,
    as_of: date,
    sector: str | None,
    limit: int,
    known_at: datetime,
) -> TopCompanies:
    """Rank the stocks at hand by market value; only those in the most common currency can be compared.

    Args:
        books: Their income statements filed by the day, on its share basis, by symbol.
        sector: Sector key; None: all.
        limit: Most companies returned.
        known_at: When the data became known.

    Raises:
        NoData: No company has a share count.
    """
    wanted = [column for column, key in enumerate(stocks.sectors) if sector in (None, key)]
    rows = [row for column in wanted if (row := _row(stocks, books, column)) is not None]
    money = max(
        {row.currency for row in rows}, key=lambda code: sum(row.currency == code for row in rows), default="USD"
    )
    compared = sorted((row for row in rows if row.currency == money), key=lambda row: (-row.market_cap, row.symbol))
    if not compared:
        raise NoData(
            f"No company{f' of {sector}' if sector else ''} has a share count filed by {as_of}; "
            f"choose a vendor with statements."
        )
    without = len(wanted) - len(compared)
    gap = f"{without} of {len(wanted)} companies have no usable share count (or another currency) and are left out."
    return TopCompanies(
        as_of=as_of,
        source="+".join(stocks.sources),
        currency=money,
        known_at=known_at,
        fetched_at=stocks.fetched_at,
        end=stocks.last_day,
        rows=len(compared),
        notes=(*((gap,) if without else ()), TODAY_S_MEMBERS),
        sector=sector,
        companies=tuple(compared[:limit]),
    )


def _row(stocks: Universe, books: Mapping[str, CompanyBooks], column: int) -> CompanyRow | None:
    symbol = stocks.symbols[column]
    known = books.get(symbol)
    if known is None or not known.income or known.income[0].currency != stocks.currencies[column]:
        return None
    shares = next(
        (count for statement in newest_first(known.income) if (count := usable_shares(statement)) is not None), None
    )
    price = float(stocks.traded_closes[-1, column])
    if shares is None or not np.isfinite(price):
        return None
    usual = stocks.usual_volumes[column] if stocks.usual_volumes else 0.0
    market_cap = market_value(symbol, stocks.last_day, price, shares, stocks.currencies[column], usual=usual)
    if market_cap is None:
        return None
    before = float(stocks.traded_closes[-2, column]) if len(stocks.days) > 1 else float("nan")
    return CompanyRow(
        symbol=symbol,
        name=short_name(stocks.names[column]),
        sector=stocks.sectors[column],
        market_cap=market_cap,
        price=price,
        change_pct=100 * (price / before - 1) if np.isfinite(before) else None,
        currency=stocks.currencies[column],
    )


def _figures(row: CompanyRow) -> tuple[Figure, ...]:
    return (
        Figure(f"{row.symbol}_market_cap", row.market_cap, row.currency),
        Figure(f"{row.symbol}_price", row.price, row.currency),
        Figure(f"{row.symbol}_change_pct", row.change_pct, "%"),
    )
