"""The market of a backtest: prices of the tickers and of funds to compare with, and the days to decide on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.calendar import Sessions, exchange_of, sessions
from tradingagents.dataflows.reference.exchanges import benchmark_of
from tradingagents.dataflows.reference.sectors import SECTOR_ETF
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import DataError, NoData, UsageError, VendorNotConfigured
from tradingagents.features.backtest.financing.bills import BillRates, no_bills, read_bills
from tradingagents.features.backtest.financing.currencies import ExchangeRate, cost_in, in_home_currency, models_rate
from tradingagents.features.backtest.financing.listing_ends import (
    end_warning,
    funds_to_the_end,
    merged_into,
    refuse_ended_data,
)
from tradingagents.features.backtest.financing.vendor_prices import UntradablePrices, read_prices
from tradingagents.features.backtest.traded_prices import TradedPrices
from tradingagents.runtime.services import Services

if TYPE_CHECKING:
    from tradingagents.features.backtest.request import BacktestRequest


AFTER_END = timedelta(days=30)
"""Prices are read so far beyond the end, to tell a halt from the end of data; no account and no decision sees them."""
BONDS = ("AGG", "BND", "IEF", "TLT")
"""Bond funds of the 60/40 baseline, the first with prices counts."""
PAYING_FUNDS = frozenset(
    (*BONDS, *SECTOR_ETF.values(), "SPY", "VOO", "IVV", "VTI", "QQQ", "IWM", "DIA", "RSP", "MDY", "SHY")
) | {"TIP", "LQD", "HYG", "VNQ", "SCHD", "VIG", "VYM"}
"""Funds that have paid every quarter or month for a year at least: prices without a dividend lack it.

Bills are not among them: at rates of zero, BIL paid nothing for more than a year."""
MOST_DECISIONS = 100_000
LEAST_SESSIONS = 3
"""Sessions of a backtest: one to decide after, one to trade at, one to be measured."""


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
    foreign: frozenset[str] = frozenset()
    """Tickers whose prices were converted from another currency."""
    models_rate: ExchangeRate | None = None
    """By which the cost of the models is charged; None for accounts in USD, or where it is not known."""
    bills: BillRates | None = None
    """What cash earns; None where no rate of the accounts' currency is known."""

    def charge(self, usd: float, day: date) -> float:
        """Return what models that decide after a day's close cost in the accounts' currency.

        Raises:
            NoData: They cost something, and no rate was known then.
        """
        calendar = joint_sessions(map(exchange_of, self.tickers))
        return cost_in(self.currency, usd, self.models_rate, calendar.close_of(day))

    @property
    def currency(self) -> str:
        """The currency of all prices and accounts."""
        return next(iter(self.prices.values())).currency

    @property
    def benchmark(self) -> str | None:
        """The benchmark fund; None where there are no prices of it, or it is one of the tickers."""
        others = {*BONDS, *SECTOR_ETF.values()}
        return next((fund for fund in self.funds if fund not in others), None)

    @property
    def tickers(self) -> tuple[str, ...]:
        """The tickers, in the order of the request."""
        return tuple(self.prices)


def read_market(services: Services, request: BacktestRequest) -> BacktestMarket:
    """Check a request and read the prices it needs, up to 30 days beyond its end.

    Args:
        request: What to test.

    Raises:
        UsageError: The tickers, days or numbers cannot be tested.
        NoData: A ticker has no prices in the period.
    """
    tickers, calendar = _checked(request)
    first = request.start - timedelta(days=services.settings.price_history_days)
    last = min(calendar.last_closed(utc_now()), request.end + AFTER_END)
    prices = {ticker: read_prices(services, ticker, first, last) for ticker in tickers}
    days = calendar.between(request.start, request.end)
    warnings = _beginnings(prices, request, days[0])
    home = request.currency or _only_currency(prices)
    foreign = {ticker for ticker in tickers if prices[ticker].currency != home}
    prices = in_home_currency(services, prices, home, request.costs.conversion, (first, last))
    sectors = read_sectors(services, request.end, tickers)
    funds, unpaid = _funds(services, request, sectors, (home, first, last))
    others = merged_into(services, request, prices, (home, first, last))
    ends = max((history.days[-1].item() for history in prices.values() if history.ended is None), default=days[-1])
    if ends < days[-1]:
        warnings.append(f"The recorded prices end on {ends}; the backtest ends there too.")
        days = tuple(day for day in days if day <= ends)
        if len(days) < LEAST_SESSIONS:
            raise UsageError(f"The recorded prices end on {ends}; name a period that ends there, or before.")
    known = max(history.days[-1].item() for history in (*prices.values(), *funds.values()))
    table = TradedPrices({**others, **funds, **prices}, calendar.between(first, max(known, days[-1])))
    refuse_ended_data(table, {**others, **prices}, days[-1])
    funds, left_out = funds_to_the_end(table, funds, days[-1])
    warnings += [*unpaid, *left_out]
    every = (*prices.values(), *funds.values())
    warnings += [*_of_basis(every, foreign, home), *_of_dividends(every, days)]
    warnings += [text for ticker in tickers if (text := end_warning(table, ticker, days[-1])) is not None]
    on = days[:-1][:: request.every]  # a decision after the last close could not be traded
    rate = models_rate(services, home, (first, last))
    bills: BillRates | None = None
    try:
        bills = read_bills(services, home, calendar, days)
    except NoData as error:
        warnings.append(no_bills(home, error))
    return BacktestMarket(table, prices, funds, sectors, days, on, tuple(warnings), frozenset(foreign), rate, bills)


def _beginnings(prices: Mapping[str, Prices], request: BacktestRequest, first: date) -> list[str]:
    """Return which tickers begin after the start.

    Raises:
        UntradablePrices: A fund that pays has no dividends.
        NoData: A ticker has no prices in the period.
    """
    if unpaying := [ticker for ticker, known in prices.items() if pays_nothing(known)]:
        raise UntradablePrices(
            f"No dividend of {', '.join(unpaying)} is listed or in the adjusted closes, and each pays at least each "
            "quarter: an account would lose them. List them, name another vendor, or leave the fund out."
        )
    late = list[str]()
    for ticker, every in prices.items():
        known = every.since(request.start).upto(request.end)
        if not len(known):
            raise NoData(f"There are no prices of {ticker} from {request.start} to {request.end}; leave it out.")
        if known.days[0].item() > first:
            late.append(f"The prices of {ticker} begin on {known.days[0].item()}, after the start.")
    return late


def _of_basis(every: Collection[Prices], foreign: Collection[str], home: str) -> list[str]:
    """Return which prices were converted, and which are adjusted for dividends."""
    warnings = list[str]()
    if foreign:
        warnings.append(
            f"The prices of {', '.join(sorted(foreign))} were converted to {home} at the rates known at each open and "
            "close."
        )
    if adjusted := [history.symbol for history in every if history.basis == "fully_adjusted"]:
        warnings.append(
            f"The prices of {', '.join(adjusted)} are adjusted for dividends: returns are right, numbers of shares and "
            "commissions are not."
        )
    return warnings


def _of_dividends(every: Collection[Prices], days: Sequence[date]) -> list[str]:
    """Return which dividends are derived, and which prices lack those of the companies in them."""
    derived = [
        history.symbol
        for history in every
        if any(paid.rounding and days[0] < paid.day <= days[-1] for paid in history.dividends)
    ]
    indices = [history.symbol for history in every if history.basis == "index"]
    warnings = []
    if derived:
        warnings.append(
            f"Dividends of {', '.join(derived)} are not listed; they are derived from the adjusted closes, and paid on "
            "their ex-days."
        )
    if indices:
        warnings.append(
            f"{', '.join(indices)}: an index of prices; the dividends of its companies are not in it, nor in what is "
            "compared with it."
        )
    return warnings


def _checked(request: BacktestRequest) -> tuple[tuple[str, ...], Sessions]:
    tickers = tuple(dict.fromkeys(normalise(ticker) for ticker in request.tickers))
    exchanges = {exchange_of(ticker) for ticker in tickers}
    if not exchanges or (len(exchanges) > 1 and request.currency is None):
        raise UsageError(
            "A backtest needs one ticker at least, and all on exchanges with the same sessions unless the account's "
            "currency is named."
        )
    calendar = joint_sessions(exchanges)
    if request.end > calendar.last_closed(utc_now()):
        raise UsageError(f"{request.end} has not closed; a backtest ends on {calendar.last_closed(utc_now())} at most.")
    days = calendar.between(request.start, request.end)
    if request.end < request.start:
        raise UsageError(f"The end comes after the start; {request.end} does not come after {request.start}.")
    if request.every < 1:
        raise UsageError("A backtest decides every session or more seldom; every is 1 at least.")
    if len(days) < LEAST_SESSIONS:
        raise UsageError(
            f"From {request.start} to {request.end} there are {len(days)} sessions, and a backtest needs "
            f"{LEAST_SESSIONS} at least; name a longer period, from {calendar.days[0]} on."
        )
    if len(days) // request.every * len(tickers) > MOST_DECISIONS:
        raise UsageError(f"These are more than {MOST_DECISIONS} decisions; name fewer tickers or days.")
    if not request.deposit > 0:
        raise UsageError("The deposit must be positive.")
    return tickers, calendar


def _only_currency(prices: Mapping[str, Prices]) -> str:
    currencies = {history.currency for history in prices.values()}
    if len(currencies) > 1:
        raise UsageError(
            f"The prices are in {', '.join(sorted(currencies))}; name the account's currency, and they are converted."
        )
    return currencies.pop()


def _funds(
    services: Services, request: BacktestRequest, sectors: Mapping[str, str | None], where: tuple[str, date, date]
) -> tuple[dict[str, Prices], list[str]]:
    """Return the prices of the benchmark, bond funds and sector funds that the vendor has, in one currency.

    What follows is why others are left out that it has, one sentence each.
    """
    home, span = where[0], where[1:]
    first = next(iter(sectors))
    benchmark = services.settings.benchmark_ticker or benchmark_of(first, exchange_of(first))
    of_sectors = {SECTOR_ETF[sector] for sector in sectors.values() if sector in SECTOR_ETF}
    found, left_out = {}, list[str]()
    for symbol in dict.fromkeys([*filter(None, [benchmark]), *BONDS, *sorted(of_sectors)]):
        if symbol in sectors:
            continue
        try:
            found_prices = read_prices(services, symbol, *span)
            if pays_nothing(found_prices):
                raise UntradablePrices(
                    f"{found_prices.vendor} has no dividends of it, neither listed nor adjusted for."
                )
            prices = in_home_currency(services, {symbol: found_prices}, home, request.costs.conversion, span)[symbol]
        except UntradablePrices as error:
            left_out.append(f"{symbol} is left out of the baselines: {error}")
            continue
        except (DataError, VendorNotConfigured):
            continue
        if len(prices.since(request.start).upto(request.end)):
            found[symbol] = prices
    return found, left_out


def pays_nothing(prices: Prices) -> bool:
    """Tell whether prices of a fund that pays at least each quarter have no dividend in a year or more."""
    long = len(prices) > 0 and prices.days[-1] - prices.days[0] >= np.timedelta64(365, "D")
    known = prices.symbol in PAYING_FUNDS and prices.basis == "split_adjusted"
    return bool(known and long and not prices.dividends)


def read_sectors(services: Services, day: date, tickers: tuple[str, ...]) -> dict[str, str | None]:
    """Return the sectors of tickers as vendors know them; None where they do not. They keep no history of sectors."""
    data = MarketData(services.settings, day, vendors=services.vendors, cache=services.cache, memo=services.memo)
    profiles = {ticker: data.known_profile(ticker) for ticker in tickers}
    return {ticker: profile.sector if profile is not None else None for ticker, profile in profiles.items()}


def joint_sessions(exchanges: Iterable[str]) -> Sessions:
    """Return the days on which any of the exchanges trades, from the first open to the last close of each.

    A decision is made after the last close of a day and filled at the next open, so every close of a day must come
    before every open of the next one.

    Args:
        exchanges: MICs.

    Raises:
        UsageError: One exchange opens before another has closed the day before.
    """
    found = [sessions(exchange) for exchange in sorted(set(exchanges))]
    if len(found) == 1:
        return found[0]
    first = max(calendar.days[0] for calendar in found)
    opens, closes = dict[date, datetime](), dict[date, datetime]()
    for calendar in found:
        for day, opened, closed in zip(calendar.days, calendar.opens, calendar.closes, strict=True):
            if day >= first:
                opens[day] = min(opens.get(day, opened), opened)
                closes[day] = max(closes.get(day, closed), closed)
    days = sorted(opens)
    name = "+".join(calendar.exchange for calendar in found)
    if any(opens[after] < closes[before] for before, after in pairwise(days)):
        raise UsageError(
            f"The exchanges {name} cannot share an account: one opens before another has closed the day before, so a "
            "decision would come too late. Use an account for each."
        )
    return Sessions(name, tuple(days), tuple(map(opens.__getitem__, days)), tuple(map(closes.__getitem__, days)))
