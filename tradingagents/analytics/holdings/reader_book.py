"""A book as decisions of a day see it: its worth, sectors and risk, and the orders that views come to."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from tradingagents.analytics.holdings.book_risk import LEAST_DAYS, DailyReturns, daily_returns
from tradingagents.analytics.holdings.order_list import HeldInstrument
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.valued_book import AGAIN, UNANSWERED, ValuedBook, ValueGap, exchange_rate, valued_book
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import AllVendorsFailed, DataError, VendorNotConfigured
from tradingagents.schemas.portfolio import Portfolio

RISK_SESSIONS = 252
"""Daily returns from which risk is told, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderBook:
    """The book of who asks for decisions, on the day of the study."""

    book: Portfolio
    valued: ValuedBook
    instruments: Mapping[str, HeldInstrument]
    """What is held or asked about and can be valued, by symbol, in the book's currency."""
    returns: DailyReturns
    quotes: Mapping[str, tuple[float, str]] = field(default_factory=dict)
    """Last close of the instruments as it is quoted, with its currency."""

    @property
    def cash(self) -> float:
        """Return the cash in the book's currency."""
        return self.valued.cash

    @property
    def equity(self) -> float:
        """Return the worth of everything that has a value."""
        return self.valued.equity

    def quantity(self, symbol: str) -> float:
        """Return the units of an instrument that are held over all accounts, in units of the day."""
        return math.fsum(position.quantity for position in self.valued.positions if position.symbol == symbol)

    def is_counted(self, symbol: str) -> bool:
        """Return whether the units of an instrument are sure: no split can be missing."""
        return all(position.is_counted for position in self.valued.positions if position.symbol == symbol)

    def weight(self, symbol: str) -> float:
        """Return the signed weight of an instrument; 0 for one that is not held or cannot be valued."""
        return self.valued.weights().get(symbol, 0.0)

    def sector_weight(self, sector: str | None, weights: Mapping[str, float]) -> float:
        """Return the sum of the sizes of positions of a sector."""
        return math.fsum(abs(weight) for symbol, weight in weights.items() if self.instruments[symbol].sector == sector)

    def notes(self) -> tuple[str, ...]:
        """Return what is not known of the book, one sentence each."""
        unconverted = ", ".join(f"{amount:,.2f} {code}" for code, amount in self.valued.unconverted.items())
        left_out = ", ".join(self.valued.without_value)
        short = ", ".join(sorted(symbol for symbol in self.instruments if symbol not in self.returns.symbols))
        return (
            *([f"Weights leave out {left_out}, whose value is not known."] if left_out else []),
            *([f"Cash of {unconverted} is not counted: no exchange rate is known."] if unconverted else []),
            *([f"Risk leaves out {short}: fewer than {LEAST_DAYS} daily returns are known."] if short else []),
        )


def read_book(book: Portfolio, data: MarketData, asked: Sequence[str], benchmark: str | None = None) -> ReaderBook:
    """Return a book with what decisions on some instruments need; what is read stands in no data sheet.

    Args:
        book: Of the day of the study or earlier.
        data: The market as known at the cut-off.
        asked: The instruments that are decided on, whether or not they are held.
        benchmark: That of the risk; None for none.

    Raises:
        AllVendorsFailed: Some of the book, or what is asked, has no value because a vendor did not answer.
    """
    data = data.with_new_sheet()
    valued = valued_book(book, data)
    valued.check_answered()
    symbols = tuple(dict.fromkeys((*asked, *book.symbols)))
    known = data.of_each(symbols, partial(_prices, data), Vendor.get_stock_data)
    profiles = data.of_each(symbols, data.known_profile, Vendor.get_profile)
    prices = {symbol: bars for symbol, bars in known.items() if bars is not None}
    instruments: dict[str, HeldInstrument] = {}
    for symbol, bars in prices.items():
        rate = exchange_rate(data, bars.currency, valued.currency)
        if isinstance(rate, ValueGap) and rate.may_pass:
            raise AllVendorsFailed(f"Orders for {symbol} cannot be worked out now: {rate.why}. {AGAIN}")
        if isinstance(rate, ValueGap) or symbol in valued.without_value:
            continue
        quantity = math.fsum(position.quantity for position in valued.positions if position.symbol == symbol)
        profile = profiles[symbol]
        instruments[symbol] = HeldInstrument(
            quantity, float(bars.close[-1]) * rate, profile.sector if profile is not None else None
        )
    index = _known_prices(data, benchmark) if benchmark else None
    returns = daily_returns({symbol: prices[symbol] for symbol in instruments}, index, sessions=RISK_SESSIONS)
    quotes = {symbol: (float(prices[symbol].close[-1]), prices[symbol].currency) for symbol in instruments}
    return ReaderBook(book=book, valued=valued, instruments=instruments, returns=returns, quotes=quotes)


def _prices(data: MarketData, symbol: str) -> Prices | None:
    """Return the bars of an instrument; None where there are none. Raises where its vendor did not answer."""
    try:
        return data.prices(symbol)
    except UNANSWERED as error:
        raise AllVendorsFailed(f"The price of {symbol} could not be asked for now: {error} {AGAIN}") from error
    except (DataError, VendorNotConfigured):
        return None


def _known_prices(data: MarketData, symbol: str) -> Prices | None:
    try:
        return _prices(data, symbol)
    except AllVendorsFailed:
        return None
