"""Questions about one stock's prices beyond its bars: a snapshot, bubbles, risk, beta, a watch list, charts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from tradingagents.analytics.price.beta_estimate import BetaEstimate
from tradingagents.analytics.price.beta_estimate import beta_estimate as estimated_beta
from tradingagents.analytics.price.chart_data import (
    EVENTS,
    ChartData,
    ChartEvent,
    chart_data,
    chart_events,
    chart_indicators,
    earnings_events,
    own_notes,
    price_events,
)
from tradingagents.analytics.price.lppl import LPPLAnalysis
from tradingagents.analytics.price.lppl import lppl_analysis as fitted_bubbles
from tradingagents.analytics.price.market_snapshot import MarketSnapshot
from tradingagents.analytics.price.market_snapshot import market_snapshot as snapshot_of
from tradingagents.analytics.price.risk_profile import RiskProfile
from tradingagents.analytics.price.risk_profile import risk_profile as measured_risk
from tradingagents.analytics.price.watch_overview import WatchedData, WatchOverview, watch_overview
from tradingagents.capabilities.capability import capability
from tradingagents.capabilities.prices import fetch_prices
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import EarningsEvent, Prices
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import DataError, NoData, UsageError, VendorNotConfigured

MOST_WATCHED = 300
RESULTS_BEFORE, RESULTS_AHEAD = timedelta(days=100), timedelta(days=60)
"""How far a watch list's calendar of results reaches: the last quarter's, and the next ones announced."""
MOST_CHARTED = 6
CHART_WINDOW, LONGEST_CHART = timedelta(days=190), timedelta(days=5 * 366)
BEFORE_CHART = timedelta(days=310)
"""Calendar days of prices before a chart, which hold the 200 sessions of its longest average."""
BETA_DAYS = 5 * 366 + 14
"""Calendar days of prices that hold five years of weekly returns."""


@capability(returns=MarketSnapshot, requires={"get_stock_data"}, uses={"get_profile"})
def market_snapshot(data: MarketData, ticker: str) -> MarketSnapshot:
    """Show where a symbol stands: price, changes, 52-week range, averages, RSI, volatility, volume.

    Args:
        ticker: Ticker or index, for example AAPL or ^GSPC.
    """
    prices = data.prices(ticker)
    known_at = data.known_at_of(prices.symbol, prices.days[-1].item())
    return snapshot_of(prices, data.known_profile(ticker), as_of=data.as_of, known_at=known_at)


@capability(title="Bubble test (LPPL)", returns=LPPLAnalysis, requires={"get_stock_data"})
def lppl_analysis(data: MarketData, ticker: str) -> LPPLAnalysis:
    """Test a price for a bubble: log-periodic power law fits over many windows, with confidence and critical days.

    Args:
        ticker: Ticker or index, for example AAPL or ^GSPC.
    """
    prices = data.prices(ticker)
    known_at = data.known_at_of(prices.symbol, prices.days[-1].item())
    return fitted_bubbles(prices, as_of=data.as_of, known_at=known_at)


@capability(returns=RiskProfile, requires={"get_stock_data"}, uses={"get_profile"})
def risk_profile(data: MarketData, ticker: str) -> RiskProfile:
    """Measure a stock's risk: volatility, beta, drawdowns, historical VaR and expected shortfall, liquidity.

    Args:
        ticker: Ticker, for example AAPL.
    """
    prices = data.prices(ticker)
    benchmark = data.instrument(ticker).benchmark
    market = fetch_prices(data, (benchmark,)).get(benchmark) if benchmark else None
    known_at = data.known_at_of(prices.symbol, prices.days[-1].item())
    return measured_risk(prices, as_of=data.as_of, benchmark=market, known_at=known_at)


@capability(title="Beta", returns=BetaEstimate, requires={"get_stock_data"}, uses={"get_profile"})
def beta_estimate(data: MarketData, ticker: str, benchmark: str = "") -> BetaEstimate:
    """Estimate a stock's beta: daily over two years, weekly over five, with standard errors, raw and adjusted.

    Args:
        ticker: Ticker, for example AAPL.
        benchmark: Symbol of the market to compare with, for example SPY; empty: the benchmark of its exchange.
    """
    prices = data.prices(ticker, days=BETA_DAYS)
    chosen = benchmark.strip() or data.instrument(ticker).benchmark
    if chosen is None:
        raise NoData(f"{prices.symbol} is the benchmark of its exchange; name another one as benchmark.")
    known_at = data.known_at_of(prices.symbol, prices.days[-1].item())
    return estimated_beta(prices, data.prices(chosen, days=BETA_DAYS), as_of=data.as_of, known_at=known_at)


@capability(
    title="Watch list",
    returns=WatchOverview,
    requires={"get_stock_data"},
    uses={"get_profile", "get_earnings_calendar"},
)
def watchlist(data: MarketData, symbols: str = "") -> WatchOverview:
    """Show the symbols of a watch list: price, changes, distance from the high, last and next results.

    Args:
        symbols: Tickers, comma-separated, for example AAPL,MSFT. `ask` and the command line read the stored watch list
            where none is given, and add the last decision of the stored runs.
    """
    wanted = symbols_of(symbols, MOST_WATCHED)
    if not wanted:
        raise UsageError(
            "The watch list is empty; add tickers with: tradingagents watch add AAPL, or name them: symbols=AAPL,MSFT"
        )
    prices = fetch_prices(data, wanted)
    found = {}
    for symbol, bars in prices.items():
        profile = data.known_profile(symbol)
        known_at = data.known_at_of(symbol, bars.days[-1].item())
        found[symbol] = WatchedData(bars, profile.name if profile else symbol, known_at)
    events, notes = _results_around(data)
    return watch_overview(wanted, found, events, as_of=data.as_of, notes=notes)


@capability(
    title="Price chart", returns=ChartData, requires={"get_stock_data"}, uses={"get_earnings_calendar"}, writes=True
)
def open_chart(
    data: MarketData,
    symbols: str,
    start_date: date | None = None,
    end_date: date | None = None,
    indicators: str = "close_50_sma,close_200_sma,boll,volume,rsi",
    annotations: str = "earnings,dividends,splits",
    notes: str = "",
) -> ChartData:
    """Make a chart: candles of a symbol with indicators and events, and other symbols from the same start.

    Args:
        symbols: Tickers, comma-separated, at most six, for example AAPL,MSFT,SPY: the first is drawn as candles, all
            are compared from 100 at the start. `ask` and the command line also draw the chart as HTML and PNG files.
        start_date: First day, YYYY-MM-DD; none: about six months before the last. At most five years are shown.
        end_date: Last day, YYYY-MM-DD; none: the day of this study.
        indicators: Any of close_10_ema, close_50_sma, close_200_sma, boll, rsi, macd, volume, comma-separated.
        annotations: Events to mark: any of earnings, dividends, splits, comma-separated; empty for none.
        notes: Marks of your own, written 2025-01-27: text; 2025-02-20: text
    """
    wanted, drawn, marked, own = (
        symbols_of(symbols, MOST_CHARTED),
        chart_indicators(indicators),
        chart_events(annotations),
        own_notes(notes),
    )
    if not wanted:
        raise UsageError("Name at least one symbol to chart, for example symbols=AAPL or symbols=AAPL,MSFT,SPY")
    market = data.as_of_date(end_date)
    start = max(start_date or market.as_of - CHART_WINDOW, market.as_of - LONGEST_CHART)
    days = (market.as_of - start + BEFORE_CHART).days
    longer = days if days > data.settings.price_history_days else None
    prices = market.prices(wanted[0], days=longer)
    others = fetch_prices(market, wanted[1:], days=longer) if wanted[1:] else {}
    events, gaps = _chart_events(market, prices, start, marked)
    missing = [one for one in wanted[1:] if one not in others]
    return chart_data(
        prices,
        others,
        as_of=market.as_of,
        start=start,
        indicators=drawn,
        events=[*events, *own],
        known_at=market.cutoff.instant,
        notes=(*((f"No prices of {', '.join(missing)}.",) if missing else ()), *gaps),
    )


def _chart_events(
    market: MarketData, prices: Prices, start: date, marked: Sequence[str]
) -> tuple[list[ChartEvent], tuple[str, ...]]:
    """Return the events to mark from `start` on, and a note where the calendar of results cannot be read."""
    kinds = {EVENTS[one] for one in marked}
    found = [event for event in price_events(prices) if event.kind in kinds]
    if "earnings" not in kinds:
        return found, ()
    first = start if market.is_local("get_earnings_calendar") else max(start, market.as_of - RESULTS_BEFORE)
    try:
        results = market.earnings_calendar(first, market.as_of, prices.symbol)
    except (DataError, VendorNotConfigured):
        return found, ("No calendar of results is available for this day, so none are marked.",)
    return [*found, *earnings_events(results, prices.symbol)], ()


def symbols_of(text: str, most: int) -> tuple[str, ...]:
    """Return the symbols of a comma-separated list, each once.

    Raises:
        BadSymbol: One is no symbol.
        UsageError: There are more than `most`.
    """
    found = tuple(dict.fromkeys(normalise(one) for one in text.split(",") if one.strip()))
    if len(found) > most:
        raise UsageError(f"{len(found)} symbols are too many; name at most {most}.")
    return found


def _results_around(data: MarketData) -> tuple[Sequence[EarningsEvent], tuple[str, ...]]:
    """Return results published and announced around the day; none, with a note, where the calendar cannot be read."""
    try:
        return data.earnings_calendar(data.as_of - RESULTS_BEFORE, data.as_of + RESULTS_AHEAD), ()
    except (DataError, VendorNotConfigured):
        return (), ("No calendar of results is available for this day.",)
