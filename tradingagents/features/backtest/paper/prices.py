"""The market of a paper account: prices of its tickers and benchmark, as known after each session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

import numpy as np

from tradingagents.dataflows.models import Dividend, Prices, Split
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.reference.exchanges import benchmark_of as exchange_benchmark
from tradingagents.errors import DataError, NoData, VendorNotConfigured
from tradingagents.features.backtest.financing.bills import BillRates, read_bills
from tradingagents.features.backtest.financing.currencies import ExchangeRate, cost_in, in_home_currency, models_rate
from tradingagents.features.backtest.financing.vendor_prices import read_prices
from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.market import joint_sessions
from tradingagents.features.backtest.paper.observations import ObservedBar, observed_bars
from tradingagents.features.backtest.paper.plan import PaperPlan
from tradingagents.features.backtest.traded_prices import GONE_AFTER, TradedPrices
from tradingagents.runtime.services import Services


class PaperMarket:
    """Prices in the account's currency. Of sessions after the one asked for nothing is shown."""

    def __init__(self, services: Services, plan: PaperPlan, ledger: BookLedger, tickers: Sequence[str]) -> None:
        """Find the calendar and the benchmark; no vendor is asked yet.

        Raises:
            UsageError: The exchanges of the tickers cannot share an account.
        """
        self._services, self._plan, self._ledger, self._tickers = services, plan, ledger, tuple(tickers)
        self.calendar = joint_sessions(exchange_of(ticker) for ticker in self._tickers)
        self.benchmark = benchmark_of(services, plan, self._tickers)
        self.foreign: frozenset[str] = frozenset()
        """Symbols whose prices were converted."""
        self.bills: BillRates | None = None
        """What cash earns; None: nothing, since no rate of the account's currency is known."""
        self._prices: dict[str, Prices] = {}
        self._models_rate: ExchangeRate | None = None
        self._first = date.max

    @property
    def prices(self) -> Mapping[str, Prices]:
        """Prices of the tickers, and of the benchmark, as they were read."""
        return self._prices

    def read(self, wanted: Sequence[date]) -> None:
        """Read the prices of some sessions and of the history before them.

        Raises:
            NoData: A ticker, or its currency's rate, is not known.
            DataError: No vendor answers.
        """
        if not wanted:
            return
        self._first = wanted[0] - timedelta(days=self._services.settings.price_history_days)
        span = (self._first, wanted[-1])
        seen = observed_bars(self._ledger)
        found = {ticker: self._of_ticker(ticker, span, seen) for ticker in self._tickers}
        home, cost = self._plan.currency, self._plan.costs.conversion
        self.foreign = frozenset(symbol for symbol, history in found.items() if history.currency != home)
        self._prices = in_home_currency(self._services, found, home, cost, span)
        if self.benchmark not in found:
            try:
                other = {self.benchmark: read_prices(self._services, self.benchmark, *span)}
                self._prices |= in_home_currency(self._services, other, home, cost, span)
            except (DataError, VendorNotConfigured):
                pass
        self._models_rate = models_rate(self._services, home, span)
        if self._ledger.last_day is not None:
            with suppress(NoData):
                self.bills = read_bills(self._services, home, self.calendar, (self._ledger.last_day, *wanted))

    def check(self, session: date) -> None:
        """Refuse a session that vendors do not have yet.

        Raises:
            NoData: Nothing is known of it, or of a later one.
        """
        last = max((history.days[-1].item() for history in self._prices.values() if len(history)), default=date.min)
        if last < session and len(self.calendar.between(last, session)) <= GONE_AFTER:
            raise NoData(
                f"No vendor has a price of {session} yet, the last are of {last}; run the account again later, or "
                "name an earlier day."
            )

    def traded(self, symbol: str, session: date) -> bool:
        """Tell whether there is a bar of a session."""
        prices = self._prices.get(symbol)
        return prices is not None and np.datetime64(session, "D") in prices.days

    def table(self, session: date) -> TradedPrices:
        """Return sessions and bars as known after a session.

        A listing ends by ten silent sessions alone, which the ledger shows: a stated end would be known to no auditor.
        """
        known = {symbol: replace(history.upto(session), ended=None) for symbol, history in self._prices.items()}
        return TradedPrices(known, self.calendar.between(self._first, session), silence_ends=True)

    def cost(self, usd: float, session: date) -> float:
        """Return what models cost in the account's currency.

        Raises:
            NoData: The rate is not known.
        """
        return cost_in(self._plan.currency, usd, self._models_rate, self.calendar.close_of(session))

    def _of_ticker(
        self, symbol: str, span: tuple[date, date], seen: Mapping[str, Mapping[date, ObservedBar]]
    ) -> Prices:
        """Return a ticker's prices; of one that vendors no longer know what the account has seen."""
        try:
            found = read_prices(self._services, symbol, *span)
            if len(found) or symbol not in seen:
                return found
        except NoData as error:
            if symbol not in seen:
                raise NoData(f"{error} The plan stays as it is: make another account without {symbol}.") from error
        return _remembered(symbol, self._plan.currency, seen[symbol])


def benchmark_of(services: Services, plan: PaperPlan, tickers: Sequence[str]) -> str:
    """Return what an account is compared with."""
    return plan.benchmark or services.settings.benchmark_ticker or _market_of(tickers[0])


def _market_of(ticker: str) -> str:
    """Return the index of a ticker's exchange; a currency pair has none and is compared with US stocks."""
    return exchange_benchmark(ticker, exchange_of(ticker)) or "SPY"


def _remembered(symbol: str, currency: str, seen: Mapping[date, ObservedBar]) -> Prices:
    """Return the bars that an account has seen, adjusted for the splits that it has seen."""
    later, rows, splits, dividends = Fraction(1), list[tuple[date, Sequence[float]]](), list[Split](), list[Dividend]()
    for day, known in sorted(seen.items(), reverse=True):
        if (bar := known.bar) is not None:
            factor = float(later)
            figures = [price / factor for price in (bar.open, bar.high, bar.low, bar.close)]
            rows.append((day, [*figures, bar.volume * factor]))
        if known.dividend:
            dividends.append(Dividend(day, known.dividend / float(later)))
        if known.ratio != 1:
            splits.append(Split(day, float(known.ratio)))
            later *= known.ratio
    rows.reverse()
    columns = np.array([values for _, values in rows], dtype=float).reshape(len(rows), 5).T
    return Prices(
        symbol=symbol,
        days=np.array([day for day, _ in rows], dtype="datetime64[D]"),
        open=columns[0],
        high=columns[1],
        low=columns[2],
        close=columns[3],
        adj_close=columns[3],
        volume=columns[4],
        currency=currency,
        vendor="ledger",
        fetched_at=datetime.min.replace(tzinfo=UTC),
        splits=tuple(reversed(splits)),
        dividends=tuple(reversed(dividends)),
    )
