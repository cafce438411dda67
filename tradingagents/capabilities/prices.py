"""Questions about prices: bars, indicators, the macro regime, and a company against its peers and its sector."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated

from pydantic import Field

from tradingagents.analytics.company.peers import PeerComparison, peer_comparison
from tradingagents.analytics.market.macro_regime import MacroRegime, macro_regime
from tradingagents.analytics.market.sectors import SectorRelative, sector_relative
from tradingagents.analytics.price.indicators import Indicators, indicators
from tradingagents.analytics.price.stock_data import StockData, stock_data
from tradingagents.capabilities.capability import capability
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.sectors import MACRO_SYMBOLS, SECTOR_ETF
from tradingagents.errors import BadSymbol, DataError, NoData


def fetch_prices(
    market: MarketData, symbols: Sequence[str], *, method: str = "get_stock_data", days: int | None = None
) -> dict[str, Prices]:
    """Return the prices of the symbols that have any; the analytics say what a missing one means.

    Args:
        market: The market.
        symbols: Whose.
        method: The tool method whose vendor is asked.
        days: Calendar days back from the cut-off; None: `price_history_days`.
    """

    def one(symbol: str) -> Prices | None:
        try:
            return market.prices(symbol, method=method, days=days)
        except (BadSymbol, DataError):
            return None

    found = market.of_each(symbols, one, method)
    return {symbol: prices for symbol, prices in found.items() if prices is not None}


PEER_COUNT = 8


@capability(returns=StockData, requires={"get_stock_data"})
def get_stock_data(data: MarketData, symbol: str, start_date: date, end_date: date) -> StockData:
    """Get daily open, high, low, close and volume of a symbol, as traded, with returns, range and volatility.

    Args:
        symbol: Ticker, for example AAPL.
        start_date: First day, YYYY-MM-DD.
        end_date: Last day, YYYY-MM-DD.
    """
    market = data.as_of_date(end_date)
    prices = market.prices(symbol)
    known_at = market.known_at_of(prices.symbol, prices.days[-1].item())
    return stock_data(prices, as_of=market.as_of, start=start_date, end=end_date, known_at=known_at)


@capability(
    returns=Indicators,
    requires={"get_indicators"},
    example={"indicator": "close_50_sma,rsi"},
)
def get_indicators(
    data: MarketData,
    symbol: str,
    indicator: str,
    curr_date: date,
    look_back_days: Annotated[int, Field(le=3650)] = 30,
) -> Indicators:
    """Get technical indicators of a symbol; one or more as a comma list, at most eight that complement each other.

    Args:
        symbol: Ticker, for example AAPL.
        indicator: One or more of close_50_sma, close_200_sma, close_10_ema, macd, macds, macdh, rsi, boll, boll_ub,
            boll_lb, atr, vwma, mfi, obv, separated by commas.
        curr_date: Day to look back from, YYYY-MM-DD.
        look_back_days: Calendar days of values to show.
    """
    market = data.as_of_date(curr_date)
    prices = market.prices(symbol, method="get_indicators")
    names = [name.strip().lower() for name in indicator.split(",") if name.strip()]
    known_at = market.known_at_of(prices.symbol, prices.days[-1].item())
    return indicators(prices, names, as_of=market.as_of, look_back_days=look_back_days, known_at=known_at)


@capability(title="Market regime", returns=MacroRegime, requires={"get_stock_data"}, aliases=("market_regime",))
def get_macro_regime(data: MarketData, curr_date: date | None = None) -> MacroRegime:
    """Classify the market as risk-on, risk-off or in transition from volatility, credit, yields, breadth and rotation.

    Args:
        curr_date: Day to classify, YYYY-MM-DD; none: the day of this study.
    """
    market = data.as_of_date(curr_date)
    series = fetch_prices(market, MACRO_SYMBOLS)
    if not series:
        raise NoData("No series of the macro regime is available for this date; continue without it.")
    return macro_regime(series, as_of=market.as_of, known_at=market.cutoff.instant)


@capability(title="Peer comparison", returns=PeerComparison, requires={"get_stock_data", "get_profile", "get_peers"})
def get_peer_comparison(data: MarketData, ticker: str, curr_date: date | None = None) -> PeerComparison:
    """Rank a company among large companies of its sector by return over a week to six months, and against its fund.

    Args:
        ticker: Ticker, for example AAPL.
        curr_date: Day to compare at, YYYY-MM-DD; none: the day of this study.
    """
    market = data.as_of_date(curr_date)
    sector = _sector(market, ticker)
    stock = market.prices(ticker)
    peers = fetch_prices(market, market.peers(stock.symbol, sector)[:PEER_COUNT])
    etf = fetch_prices(market, (SECTOR_ETF[sector],)).get(SECTOR_ETF[sector])
    known_at = market.known_at_of(stock.symbol, stock.days[-1].item())
    return peer_comparison(stock, peers, etf, as_of=market.as_of, sector=sector, known_at=known_at)


@capability(title="Strength against the sector", returns=SectorRelative, requires={"get_stock_data", "get_profile"})
def get_sector_relative(data: MarketData, ticker: str, curr_date: date | None = None) -> SectorRelative:
    """Compare a company's returns with those of the fund that tracks its sector, over a week to the year so far.

    Args:
        ticker: Ticker, for example AAPL.
        curr_date: Day to compare at, YYYY-MM-DD; none: the day of this study.
    """
    market = data.as_of_date(curr_date)
    sector = _sector(market, ticker)
    stock, etf = market.prices(ticker), market.prices(SECTOR_ETF[sector])
    known_at = market.known_at_of(stock.symbol, stock.days[-1].item())
    return sector_relative(stock, etf, as_of=market.as_of, sector=sector, known_at=known_at)


def _sector(market: MarketData, ticker: str) -> str:
    sector = market.profile(ticker).sector
    if sector is None:
        raise NoData(f"The sector of {ticker} is not known; compare it with a broad index instead.")
    return sector
