"""Questions about all stocks at hand: breadth, mood, factors, the largest companies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from tradingagents.analytics.market.factors import (
    FactorRegression,
    FactorReturns,
    FactorSeries,
    factor_regression,
    factor_returns,
    factor_series,
)
from tradingagents.analytics.market.fear_greed import SYMBOLS, FearGreed
from tradingagents.analytics.market.fear_greed import fear_greed as scored_mood
from tradingagents.analytics.market.market_breadth import MarketBreadth
from tradingagents.analytics.market.market_breadth import market_breadth as measured_breadth
from tradingagents.analytics.market.universe import CompanyBooks, TopCompanies, Universe, universe
from tradingagents.analytics.market.universe import top_companies as ranked_companies
from tradingagents.capabilities.capability import capability
from tradingagents.capabilities.prices import fetch_prices
from tradingagents.capabilities.scanner import SectorKey
from tradingagents.dataflows.gateway.financial_sources import STATEMENT_METHOD
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices, SectorMember, Statement, StatementKind
from tradingagents.dataflows.reference.sectors import SECTORS
from tradingagents.dataflows.reference.share_classes import first_classes
from tradingagents.errors import BadSymbol, DataError, NoData

MOST_REMOTE = 10
"""Companies of each sector that a remote vendor is asked about, the heaviest first."""
BENCHMARK = "SPY"
STOCKS_AT_HAND = frozenset({"get_industry_performance", "get_stock_data"})
BOOKS = frozenset(STATEMENT_METHOD.values())
"""Income statements and balance sheets are used; the gate judges them by the cash flows of the same filing."""


@dataclass(frozen=True, slots=True)
class StocksAtHand:
    """The stocks at hand with the companies' statements."""

    stocks: Universe
    books: dict[str, CompanyBooks]


@capability(title="Market breadth", returns=MarketBreadth, requires=STOCKS_AT_HAND)
def market_breadth(data: MarketData) -> MarketBreadth:
    """Measure how widely the market's move is shared: advancing stocks, shares above averages, new highs and lows."""
    stocks = _stocks(data)
    return measured_breadth(stocks, as_of=data.as_of, session=data.cutoff.session, known_at=data.cutoff.instant)


@capability(title="Fear and greed", returns=FearGreed, requires={"get_stock_data"})
def fear_greed(data: MarketData) -> FearGreed:
    """Score the market's mood from 0 (fear) to 100 (greed) from momentum, VIX, credit, safe haven and breadth."""
    return scored_mood(fetch_prices(data, SYMBOLS), as_of=data.as_of, known_at=data.cutoff.instant)


@capability(
    title="Largest companies",
    returns=TopCompanies,
    requires={*STOCKS_AT_HAND, "get_income_statement"},
    uses=BOOKS - {"get_income_statement"},
)
def top_companies(
    data: MarketData, sector: SectorKey | None = None, limit: Annotated[int, Field(ge=1, le=100)] = 20
) -> TopCompanies:
    """List the largest companies at hand by market value on the day.

    Args:
        sector: Key of a sector, for example technology; none: all sectors.
        limit: Most companies to list.
    """
    found = _with_books(data)
    return ranked_companies(
        found.stocks, found.books, as_of=data.as_of, sector=sector, limit=limit, known_at=data.cutoff.instant
    )


@capability(title="Factor scores", returns=FactorReturns, requires=STOCKS_AT_HAND, uses=BOOKS)
def calculate_factors(data: MarketData) -> FactorReturns:
    """Compute factor returns from the stocks at hand: market, size, value, momentum, quality, low volatility.

    Stocks are sorted each month by what was known then; each factor is long the highest 30% and short the lowest 30%.
    """
    series, stocks, market = _factors(data)
    return factor_returns(
        series,
        stocks,
        as_of=data.as_of,
        benchmark=market.symbol if market is not None else None,
        known_at=data.cutoff.instant,
    )


@capability(title="Factor regression", returns=FactorRegression, requires=STOCKS_AT_HAND, uses=BOOKS)
def run_factor_regression(data: MarketData, ticker: str) -> FactorRegression:
    """Regress a stock's daily returns of a year on the six factors: alpha, loadings with Newey-West errors, R².

    Args:
        ticker: Ticker, for example AAPL.
    """
    series, stocks, _ = _factors(data)
    prices = data.prices(ticker)
    return factor_regression(prices, series, stocks, as_of=data.as_of, known_at=data.cutoff.instant)


def _factors(data: MarketData) -> tuple[FactorSeries, Universe, Prices | None]:
    found = _with_books(data)
    market = fetch_prices(data, (BENCHMARK,)).get(BENCHMARK)
    return factor_series(found.stocks, found.books, market), found.stocks, market


def _stocks(data: MarketData) -> Universe:
    """Return the members of all sectors with their prices; worked out once where other runs share final answers.

    Raises:
        NotForPastDate: The vendor knows today's members only.
        NoData: It has no members, or no prices of them.
    """
    memo = data.memo if data.memo is not None and data.is_final(STOCKS_AT_HAND) else None
    key = ("stocks at hand", data.cutoff)
    found: Universe | None = memo.get(key) if memo is not None else None
    if found is None:
        found = _read_stocks(data)
        if memo is not None:
            memo.put(key, found)
    return found


def _read_stocks(data: MarketData) -> Universe:
    members: dict[str, Sequence[SectorMember]] = {}
    for sector in SECTORS:
        try:
            some = data.sector_members(sector)
        except NoData:
            continue
        if not data.is_local("get_industry_performance"):
            some = tuple(sorted(some, key=lambda one: -(one.weight or 0.0)))[:MOST_REMOTE]
        members[sector] = some
    symbols = [one.symbol for some in members.values() for one in some]
    view = data.with_new_sheet()  # one row for each of the companies would fill the data sheet
    found = universe(members, fetch_prices(view, symbols)) if symbols else None
    for row in view.sheet.rows:
        if row.instead_of or row.warnings:
            data.sheet.add(row)
    if found is None:
        raise NoData(
            "The source has no stocks with prices of the last session; choose another vendor, or continue without it."
        )
    return found


def _with_books(data: MarketData) -> StocksAtHand:
    """Return the stocks at hand with the statements that the vendor has of them."""
    methods = STOCKS_AT_HAND | BOOKS
    memo = data.memo if data.memo is not None and data.is_final(methods) else None
    key = ("books at hand", data.cutoff)
    found: StocksAtHand | None = memo.get(key) if memo is not None else None
    if found is None:
        stocks, view = _stocks(data), data.with_new_sheet()
        books = {symbol: _books(view, symbol) for symbol in first_classes(stocks.symbols)}
        found = StocksAtHand(stocks, {symbol: one for symbol, one in books.items() if one.income})
        if memo is not None:
            memo.put(key, found)
    return found


def _books(data: MarketData, symbol: str) -> CompanyBooks:
    income = _statements(data, symbol, "income")
    return CompanyBooks(income, _statements(data, symbol, "balance") if income else ())


def _statements(data: MarketData, symbol: str, kind: StatementKind) -> tuple[Statement, ...]:
    found: list[Statement] = []
    for freq in ("quarterly", "annual"):
        try:
            found.extend(data.statements(symbol, kind, freq))
        except (BadSymbol, DataError):
            continue
    return tuple(found)
