"""The market of a backtest: prices of the tickers and of funds to compare with, and the days to decide on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from tradingagents.backtest.traded_prices import TradedPrices
from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.gateway.router import ask_vendors
from tradingagents.dataflows.instrument import BENCHMARKS
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.calendar import Sessions, exchange_of, sessions
from tradingagents.dataflows.reference.sectors import SECTOR_ETF
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import DataError, NoData, UsageError, VendorNotConfigured
from tradingagents.runtime.services import Services

if TYPE_CHECKING:
    from tradingagents.backtest.run import BacktestRequest

AFTER_END = timedelta(days=30)
"""Prices are read so far beyond the end, to tell a delisting from the end; no account and no decision sees them."""
BONDS = ("AGG", "BND", "IEF", "TLT")
"""Bond funds of the 60/40 baseline, the first with prices counts."""
MOST_DECISIONS = 100_000


@dataclass(frozen=True, slots=True)
class BacktestMarket:
    """What a backtest trades: the same for every strategy."""

    table: TradedPrices
    prices: Mapping[str, Prices]
    """Of the tickers, from before the start on."""
    funds: Mapping[str, Prices]
    sectors: Mapping[str, str | None]
    """Of the tickers; None where it is not known."""
    days: tuple[date, ...]
    """Sessions of the backtest."""
    decision_days: tuple[date, ...]
    """Sessions after whose close decisions are made."""
    warnings: tuple[str, ...]

    @property
    def currency(self) -> str:
        """The currency of all prices and accounts."""
        return next(iter(self.prices.values())).currency

    @property
    def benchmark(self) -> str | None:
        """The benchmark fund; None where there are no prices of it, or it is one of the tickers."""
        others = {*BONDS, *SECTOR_ETF.values()}
        return next((one for one in self.funds if one not in others), None)

    @property
    def tickers(self) -> tuple[str, ...]:
        """The tickers, in the order of the request."""
        return tuple(self.prices)


def read_market(services: Services, request: BacktestRequest) -> BacktestMarket:
    """Check a request and read the prices it needs, up to 30 days beyond its end.

    Args:
        services: Settings and vendors.
        request: What to test.

    Raises:
        UsageError: The tickers, days or numbers cannot be tested.
        NoData: A ticker has no prices in the period.
    """
    tickers, calendar = _checked(request)
    first = request.start - timedelta(days=services.settings.price_history_days)
    last = min(calendar.last_closed(utc_now()), request.end + AFTER_END)
    prices = {one: read_prices(services, one, first, last) for one in tickers}
    days, warnings = calendar.between(request.start, request.end), list[str]()
    for ticker, one in prices.items():
        known = one.since(request.start).upto(request.end)
        if not len(known):
            raise NoData(f"There are no prices of {ticker} from {request.start} to {request.end}; leave it out.")
        if known.days[0].item() > days[0]:
            warnings.append(f"The prices of {ticker} begin on {known.days[0].item()}, after the start.")
    currencies = {one.currency for one in prices.values()}
    if len(currencies) > 1:
        raise UsageError(f"The prices are in {', '.join(sorted(currencies))}; test one currency at a time.")
    sectors = read_sectors(services, request.end, tickers)
    funds = _funds(services, request, sectors, (first, last))
    every = (*prices.values(), *funds.values())
    ends = max(one.days[-1].item() for one in every)
    if ends < days[-1]:
        warnings.append(f"The recorded prices end on {ends}; the backtest ends there too.")
        days = tuple(day for day in days if day <= ends)
    if adjusted := [one.symbol for one in every if one.basis == "fully_adjusted"]:
        warnings.append(
            f"The prices of {', '.join(adjusted)} are adjusted for dividends: returns are right, numbers of shares and "
            "commissions are not."
        )
    table = TradedPrices({**funds, **prices}, calendar.between(first, max(ends, days[-1])))
    on = days[:-1][:: request.every]  # a decision after the last close could not be traded
    return BacktestMarket(table, prices, funds, sectors, days, on, tuple(warnings))


def _checked(request: BacktestRequest) -> tuple[tuple[str, ...], Sessions]:
    tickers = tuple(dict.fromkeys(normalise(one) for one in request.tickers))
    exchanges = {exchange_of(one) for one in tickers}
    if len(exchanges) != 1:
        raise UsageError("A backtest needs one ticker at least, and all on exchanges with the same sessions.")
    calendar = sessions(exchanges.pop())
    if request.end > calendar.last_closed(utc_now()):
        raise UsageError(f"{request.end} has not closed; a backtest ends on {calendar.last_closed(utc_now())} at most.")
    days = calendar.between(request.start, request.end)
    if len(days) < 3 or request.every < 1:
        raise UsageError("A backtest needs three sessions at least, from start to end, and a decision every session.")
    if len(days) // request.every * len(tickers) > MOST_DECISIONS:
        raise UsageError(f"These are more than {MOST_DECISIONS} decisions; name fewer tickers or days.")
    if not request.deposit > 0:
        raise UsageError("The deposit must be positive.")
    return tickers, calendar


def read_prices(services: Services, symbol: str, first: date, last: date) -> Prices:
    """Return the bars of a symbol that may have ended: accounts need those of companies that are gone, too.

    Raises:
        DataError, VendorNotConfigured: No vendor has them.
    """
    vendors = services.vendors

    def ask(name: str) -> Prices:
        return vendors.ask(name, Vendor.get_stock_data, symbol, first, last)

    found, _ = ask_vendors(Vendor.get_stock_data, ask, settings=services.settings, vendors=vendors, past=last)
    return found.upto(last)


def _funds(
    services: Services, request: BacktestRequest, sectors: Mapping[str, str | None], span: tuple[date, date]
) -> dict[str, Prices]:
    """Return the prices of the benchmark, a bond fund and the sector funds that the vendor has."""
    benchmark = services.settings.benchmark_ticker or BENCHMARKS.get(exchange_of(next(iter(sectors))), "SPY")
    of_sectors = {SECTOR_ETF[one] for one in sectors.values() if one in SECTOR_ETF}
    found = {}
    for symbol in dict.fromkeys([benchmark, *BONDS, *sorted(of_sectors)]):
        try:
            prices = read_prices(services, symbol, *span)
        except (DataError, VendorNotConfigured):
            continue
        if symbol not in sectors and len(prices.since(request.start).upto(request.end)):
            found[symbol] = prices
    return found


def read_sectors(services: Services, day: date, tickers: tuple[str, ...]) -> dict[str, str | None]:
    """Return the sectors of tickers as vendors know them; None where they do not. They keep no history of sectors."""
    data = MarketData(services.settings, day, vendors=services.vendors, cache=services.cache, memo=services.memo)
    profiles = {ticker: data.known_profile(ticker) for ticker in tickers}
    return {ticker: one.sector if one is not None else None for ticker, one in profiles.items()}
