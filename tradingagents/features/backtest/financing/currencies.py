"""Converts prices in other currencies into that of the account, at rates known when the price was, or not at all."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import lru_cache

import numpy as np

from tradingagents.dataflows.models import Floats, ListingEnd, Prices
from tradingagents.dataflows.reference.calendar import Sessions, exchange_of, sessions
from tradingagents.dataflows.reference.currencies import major_unit
from tradingagents.errors import BadSymbol, DataError, NoData, VendorNotConfigured
from tradingagents.features.backtest.financing.vendor_prices import read_prices
from tradingagents.runtime.services import Services

MODELS_CURRENCY = "USD"
"""In which the prices of models are."""
STALE_AFTER = timedelta(days=10)
"""A rate older than this is no rate; prices of such days count as a halt."""


@dataclass(frozen=True, slots=True)
class ExchangeRate:
    """Closes of a currency pair: units of the account's currency for one unit of another."""

    pair: str
    """The symbol whose prices they are, such as EURUSD=X."""
    known: tuple[datetime, ...]
    """When each close was known; empty for a rate that never changes."""
    rates: Floats

    def at(self, instants: Sequence[datetime]) -> Floats:
        """Return the last rate known at each instant; NaN where there is none of the ten days before."""
        if not self.known:
            return np.full(len(instants), self.rates[0])
        known = np.array([instant.timestamp() for instant in self.known])
        wanted = np.array([instant.timestamp() for instant in instants])
        places = np.searchsorted(known, wanted, side="right") - 1
        found: Floats = np.where(places >= 0, self.rates[np.maximum(places, 0)], np.nan)
        fresh = wanted - known[np.maximum(places, 0)] <= STALE_AFTER.total_seconds()
        return np.where(fresh, found, np.nan)


def read_rate(services: Services, currency: str, home: str, span: tuple[date, date]) -> ExchangeRate:
    """Return the rates of a currency: from its pair with the account's, or the inverse of the other pair.

    Args:
        currency: Of a ticker; hundredths (GBp) are converted.
        home: The account's.
        span: First and last day.

    Raises:
        NoData: No vendor has either pair.
    """
    major, unit = major_unit(currency)
    if major == home:
        return ExchangeRate(major, (), np.array([unit]))
    for symbol, inverse in ((f"{major}{home}=X", False), (f"{home}{major}=X", True)):
        try:
            prices = read_prices(services, symbol, *span)
        except (DataError, VendorNotConfigured, BadSymbol):
            continue
        if len(prices):
            calendar = sessions(exchange_of(symbol))
            known = tuple(calendar.known_after(day.item()) for day in prices.days)
            rates = 1 / prices.close if inverse else prices.close
            return ExchangeRate(symbol, known, rates * unit)
    raise NoData(
        f"No exchange rate from {major} to {home} is known ({major}{home}=X); leave the tickers in {currency} out, or "
        "choose a vendor or a recorded folder that has it."
    )


def cost_in(home: str, usd: float, rate: ExchangeRate | None, instant: datetime) -> float:
    """Return what models cost in an account's currency, at the rate known then.

    Args:
        home: The account's currency.
        usd: What they cost.
        rate: From USD; None where no vendor has one.
        instant: When they were paid.

    Raises:
        NoData: They cost something, and no rate was known.
    """
    if home == MODELS_CURRENCY or not usd:
        return usd
    found = float(rate.at([instant])[0]) if rate is not None else math.nan
    if not math.isfinite(found):
        raise NoData(
            f"The decisions of {instant.date()} cost {usd:.4f} USD, and no exchange rate from USD to {home} was known "
            f"then (USD{home}=X), so the account in {home} cannot be charged. They are stored: choose a vendor or a "
            "recorded folder that has the rate, or an account in USD."
        )
    return usd * found


def models_rate(services: Services, home: str, span: tuple[date, date]) -> ExchangeRate | None:
    """Return the rates by which models are charged; None for an account in USD, or where no vendor has them."""
    if home == MODELS_CURRENCY:
        return None
    try:
        return read_rate(services, MODELS_CURRENCY, home, span)
    except NoData:
        return None


def in_home_currency(
    services: Services, prices: Mapping[str, Prices], home: str, cost: float, span: tuple[date, date]
) -> dict[str, Prices]:
    """Return prices in the account's currency, those of other currencies converted by `in_currency`.

    Args:
        prices: By symbol.
        home: The account's currency.
        cost: What a conversion costs, as a fraction.
        span: First and last day of the rates.

    Raises:
        NoData: A rate is not known.
    """
    others = sorted({history.currency for history in prices.values()} - {home})
    rates = {currency: read_rate(services, currency, home, span) for currency in others}
    return {
        symbol: history if history.currency == home else in_currency(history, rates[history.currency], home, cost)
        for symbol, history in prices.items()
    }


def in_currency(prices: Prices, rate: ExchangeRate, home: str, cost: float) -> Prices:
    """Return prices in the account's currency.

    An open is worth the rate known at it, a close the rate known at it; a session without a rate is left out, which
    counts as a halt. Dividends lose the cost of a conversion.

    Args:
        prices: In another currency.
        rate: Its rates.
        home: The account's currency.
        cost: What a conversion costs, as a fraction.
    """
    times = _session_times(sessions(exchange_of(prices.symbol)))
    there = np.array([day.item() in times for day in prices.days], dtype=bool)
    at_open, at_close = np.full(len(there), np.nan), np.full(len(there), np.nan)
    spans = [times[day.item()] for day in prices.days[there]]
    at_open[there], at_close[there] = rate.at([opened for opened, _ in spans]), rate.at([closed for _, closed in spans])
    known = np.isfinite(at_open) & np.isfinite(at_close)
    at_open, at_close, days = at_open[known], at_close[known], prices.days[known]
    opened = prices.open[known] * at_open
    worth = dict(zip((day.item() for day in days), at_open.tolist(), strict=True))
    paid = [dividend for dividend in prices.dividends if dividend.day in worth]
    return replace(
        prices,
        days=days,
        open=opened,
        high=np.maximum(prices.high[known] * at_close, opened),
        low=np.minimum(prices.low[known] * at_close, opened),
        close=prices.close[known] * at_close,
        adj_close=prices.adj_close[known] * at_close,
        volume=prices.volume[known],
        dividends=tuple(dividend.scaled(worth[dividend.day] * (1 - cost)) for dividend in paid),
        ended=_end_in(prices.ended, at_close, cost),
        currency=home,
    )


def _end_in(ended: ListingEnd | None, at_close: Floats, cost: float) -> ListingEnd | None:
    """Return what holders get in the account's currency, at the last rate known while it traded."""
    if ended is None or ended.cash is None or not len(at_close):
        return ended
    return replace(ended, cash=ended.cash * float(at_close[-1]) * (1 - cost))


@lru_cache(maxsize=8)
def _session_times(calendar: Sessions) -> dict[date, tuple[datetime, datetime]]:
    """Return open and close of each session."""
    spans = zip(calendar.opens, calendar.closes, strict=True)
    return dict(zip(calendar.days, spans, strict=True))
