"""The largest companies at hand by market value on a day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import ClassVar

import numpy as np
from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.company.quoted_shares import market_value
from tradingagents.analytics.company.statements import newest_first
from tradingagents.analytics.market.scanned import short_name
from tradingagents.analytics.market.universe import TODAY_S_MEMBERS, CompanyBooks, Universe
from tradingagents.analytics.text import table_of
from tradingagents.dataflows.gateway.checks.share_jumps import usable_shares
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData


class CompanyRow(BaseModel):
    """One company."""

    model_config = ConfigDict(frozen=True)

    symbol: str
    name: str
    sector: str
    """Sector key."""
    market_cap: float
    """Last close times diluted shares of the newest statement with a count, in `currency`."""
    price: float
    change_pct: float | None
    """Percent since the session before."""
    currency: str


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
    wanted = [column for column, one in enumerate(stocks.sectors) if sector in (None, one)]
    rows = [row for column in wanted if (row := _row(stocks, books, column)) is not None]
    money = max({row.currency for row in rows}, key=lambda one: sum(row.currency == one for row in rows), default="USD")
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
    shares = next((count for one in newest_first(known.income) if (count := usable_shares(one)) is not None), None)
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
