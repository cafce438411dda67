"""Questions about what one holds: its value and next results, its risk. Holdings are stated, or those of the home."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field

from tradingagents.analytics.holdings.book_answers import (
    BookMarket,
    BookOverview,
    BookRiskProfile,
    book_overview,
    book_risk_profile,
    stamp_of,
    stated_overview,
)
from tradingagents.analytics.holdings.holdings_text import read_holdings
from tradingagents.analytics.holdings.rebalancing import RebalancePlan, rebalance_plan
from tradingagents.analytics.market.earnings_calendar import EarningsRow, earnings_calendar
from tradingagents.capabilities.capability import capability
from tradingagents.capabilities.prices import fetch_prices
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.portfolio_store import needed_book
from tradingagents.dataflows.valued_book import ValuedBook, valued_book
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import DataError, UsageError, VendorNotConfigured
from tradingagents.schemas.portfolio import Portfolio

MOST_DAYS_AHEAD = 60
EXAMPLE = {"holdings": "10 {symbol}"}
MOST_HOLDINGS = 200
RebalanceScheme = Literal["equal", "inverse_volatility", "hrp"]
"""The weightings of a backtest that need no confidence."""


@capability(
    title="Book",
    returns=BookOverview,
    requires={"get_stock_data"},
    uses={"get_earnings_calendar"},
    example=EXAMPLE,
    reads_home=True,
)
def book(
    data: MarketData, holdings: str = "", days_ahead: Annotated[int, Field(ge=1, le=MOST_DAYS_AHEAD)] = 7
) -> BookOverview:
    """Show what the user holds at the last closes: value, weight, gain, and which holdings report results soon.

    Args:
        holdings: What is held, as the user says it, such as 100 AAPL at 150, 20 MSFT or 60% AAPL, 40% MSFT; empty: the
            book that the user has stored.
        days_ahead: Calendar days within which the results of holdings are looked for, 7 for this week.
    """
    portfolio, weights = _held(data, holdings)
    events, notes = _results(data, tuple(weights) if portfolio is None else portfolio.symbols, days_ahead)
    if portfolio is None:
        prices = list(fetch_prices(data, tuple(weights)).values())
        return stated_overview(weights, events, days_ahead, _stamp(data, prices), notes)
    valued = valued_book(portfolio, data)
    prices = list(fetch_prices(data, portfolio.symbols).values())
    found = book_overview(valued, events, days_ahead, _stamp(data, prices), notes)
    return found if holdings.strip() else found.model_copy(update={"book_day": portfolio.day})


@capability(
    title="Risk of the book",
    returns=BookRiskProfile,
    requires={"get_stock_data"},
    uses={"get_profile"},
    example=EXAMPLE,
    reads_home=True,
)
def book_risk(data: MarketData, holdings: str = "") -> BookRiskProfile:
    """Measure the risk of what the user holds: volatility, beta, drawdown, concentration, worst months, and each part.

    Args:
        holdings: What is held, as the user says it, such as 60% AAPL, 40% MSFT or 100 AAPL, 20 MSFT; empty: the book
            that the user has stored.
    """
    portfolio, weights = _held(data, holdings)
    valued = None if portfolio is None else valued_book(portfolio, data)
    if valued is not None:
        valued.check_answered()
        weights = valued.weights()
    prices = fetch_prices(data, tuple(weights))
    profiles = data.of_each(tuple(weights), data.known_profile, Vendor.get_profile)
    sectors = {symbol: None if profile is None else profile.sector for symbol, profile in profiles.items()}
    market = BookMarket(prices, sectors, _benchmark(data, weights), _currency(valued, prices))
    notes = [] if valued is None else [f"{symbol} has no value and is left out." for symbol in valued.without_value]
    return book_risk_profile(weights, market, _stamp(data, list(prices.values())), notes)


@capability(
    title="Rebalancing of the book",
    returns=RebalancePlan,
    requires={"get_stock_data"},
    example=EXAMPLE,
    reads_home=True,
)
def rebalance(data: MarketData, holdings: str = "", scheme: RebalanceScheme = "equal") -> RebalancePlan:
    """List the orders that bring what the user holds to other weights: equal ones, or weights by risk. Sends nothing.

    Args:
        holdings: What is held, in shares, such as 100 AAPL, 20 MSFT; empty: the book that the user has stored.
        scheme: equal, inverse_volatility (by one over the volatility) or hrp (hierarchical risk parity).
    """
    portfolio, _ = _held(data, holdings)
    if portfolio is None:
        raise UsageError("Orders need quantities; state shares such as 100 AAPL, 20 MSFT, not weights.")
    valued = valued_book(portfolio, data)
    valued.check_answered()
    prices = fetch_prices(data, portfolio.symbols)
    return rebalance_plan(valued, prices, scheme, _stamp(data, list(prices.values())))


def _held(data: MarketData, holdings: str) -> tuple[Portfolio | None, Mapping[str, float]]:
    """Return what is held as a portfolio, or as weights.

    Raises:
        UsageError: It cannot be read, nothing is stored, or it is too much for an answer.
    """
    if holdings.strip():
        stated = read_holdings(holdings)
        portfolio, weights, count = stated.portfolio, stated.weights, len(stated.symbols)
    else:
        portfolio, weights = needed_book(data.settings.home_dir, data.as_of), {}
        count = len(portfolio.symbols)
    if count > MOST_HOLDINGS:
        raise UsageError(f"More than {MOST_HOLDINGS} instruments are held, which is too much for one answer.")
    return portfolio, weights


def _benchmark(data: MarketData, weights: Mapping[str, float]) -> Prices | None:
    """Return the prices of the benchmark of the largest holding; None where it has none."""
    largest = max(weights, key=lambda symbol: (abs(weights[symbol]), symbol), default=None)
    symbol = data.instrument(largest).benchmark if largest is not None else None
    return fetch_prices(data, (symbol,)).get(symbol) if symbol else None


def _currency(valued: ValuedBook | None, prices: Mapping[str, Prices]) -> str:
    if valued is not None:
        return valued.currency
    return next((bars.currency for bars in prices.values()), "USD")


def _results(
    data: MarketData, symbols: Sequence[str], days_ahead: int
) -> tuple[Sequence[EarningsRow], tuple[str, ...]]:
    """Return the results that holdings have announced or are expected to publish within the days ahead.

    Returns:
        The results; none, with a note, where the calendar cannot be read.
    """
    end = data.as_of + timedelta(days=days_ahead)
    try:
        events = [event for event in data.earnings_calendar(data.as_of, end) if event.symbol in symbols]
    except (DataError, VendorNotConfigured):
        return [], ("No calendar of results is available for this day.",)
    window = {"as_of": data.as_of, "start": data.as_of, "end": end}
    found = earnings_calendar(events, sectors={}, fetched_at=data.asked_at, source="calendar", **window)
    return [event for event in found.events if event.status != "reported"], ()


def _stamp(data: MarketData, prices: Sequence[Prices]) -> dict[str, object]:
    known = [data.known_at_of(bars.symbol, bars.days[-1].item()) for bars in prices]
    return stamp_of(prices, data.as_of, max(known, default=None), datetime.now(UTC))
