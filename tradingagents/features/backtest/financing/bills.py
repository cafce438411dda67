"""What cash earns: the rate of three-month bills that was known at each close, and the interest on an account's cash.

Rates are those of `SHORT_RATES`, by the account's currency: of dollars the three-month Treasury yield, else the OECD's
three-month money market rate of the month. Where no vendor has one, cash earns nothing and no return is beyond bills.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise

import numpy as np

from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Floats
from tradingagents.dataflows.reference.calendar import Sessions, exchange_of, sessions
from tradingagents.errors import DataError, NoData, VendorNotConfigured
from tradingagents.features.backtest.book import Book
from tradingagents.features.backtest.financing.margin import short_value
from tradingagents.features.backtest.financing.vendor_prices import read_prices
from tradingagents.features.backtest.postings import Interest
from tradingagents.runtime.services import Services


@dataclass(frozen=True, slots=True)
class ShortRate:
    """A three-month rate of a currency."""

    series: str
    """Of the macro vendor."""
    year: int
    """Days of a year by which its interest accrues."""
    oldest: timedelta
    """A value of an earlier day is no rate any more."""


_DAILY, _MONTHLY = timedelta(days=30), timedelta(days=120)
SHORT_RATES: Mapping[str, ShortRate] = {
    "USD": ShortRate("DGS3MO", 365, _DAILY),
    **{
        currency: ShortRate(f"IR3TIB01{country}M156N", year, _MONTHLY)
        for currency, country, year in (
            *(("EUR", "EZ", 360), ("GBP", "GB", 365), ("JPY", "JP", 365), ("CHF", "CH", 360), ("CAD", "CA", 365)),
            *(("AUD", "AU", 365), ("NZD", "NZ", 365), ("SEK", "SE", 360), ("NOK", "NO", 360), ("DKK", "DK", 360)),
            *(("KRW", "KR", 365), ("MXN", "MX", 360), ("ILS", "IL", 365), ("ZAR", "ZA", 365)),
        )
    },
}
"""By currency. The Treasury's three-month yield is a bond-equivalent one: simple interest on the actual days of a year
of 365 (31 CFR part 356, appendix B; US Treasury, "Treasury yield curve methodology"). Interbank rates count the days of
their own market: 360 in most of Europe, 365 in sterling and the Commonwealth's (OpenGamma, "Interest rate instruments
and market conventions guide", 2013)."""
BILL_INDEX, BILL_DAYS = "^IRX", 91
"""The 13-week bill's discount rate in percent, as a price: of dollars, where no vendor has the series."""


@dataclass(frozen=True, slots=True)
class BillRates:
    """The bill rate known at each close of an account."""

    rates: Mapping[date, float]
    """By session, as a fraction a year: the last value published by its close. It counts until the next session."""
    source: str
    """The series and its vendor, in words."""
    year: int = 365
    """Days of a year by which the interest accrues."""

    def accrual(self, before: date, day: date) -> float | None:
        """Return what bills earn from a close to that of a later session, as a fraction; None where no rate is known.

        Simple interest on the calendar days, at the rate known at the first of the closes.
        """
        rate = self.rates.get(before)
        return None if rate is None else rate * (day - before).days / self.year

    def accruals(self, days: Sequence[date]) -> Floats | None:
        """Return what bills earn from each close to the next, one fewer than sessions; None where a rate is missing."""
        found = [self.accrual(before, day) for before, day in pairwise(days)]
        known = [rate for rate in found if rate is not None]
        return np.array(known) if len(known) == len(found) else None


@dataclass(frozen=True, slots=True)
class BillRecord:
    """Which bill rate a backtest counted with, as `result.json` holds it."""

    mean_rate: float
    """Of the period, as a fraction a year: each session's weighs as many days as it counts."""
    total_return: float
    """What bills made over the period, with interest on interest, as a fraction."""
    source: str
    year: int
    """Days of a year by which the interest accrues."""


def bill_record(bills: BillRates | None, days: Sequence[date]) -> BillRecord | None:
    """Return what bills were over the sessions of a backtest; None where no rate is known."""
    earned = None if bills is None or len(days) < 2 else bills.accruals(days)
    if bills is None or earned is None:
        return None
    mean_rate = float(earned.sum()) * bills.year / (days[-1] - days[0]).days
    return BillRecord(mean_rate, float(np.prod(1 + earned)) - 1, bills.source, bills.year)


def interest(book: Book, closes: Mapping[str, float], before: date, day: date, bills: BillRates) -> list[Interest]:
    """Return the interest on the cash of the close before; empty where there is none, or less than half a cent.

    Cash that short positions are worth is the lenders' security and earns nothing; a debt pays the same rate.

    Args:
        book: Before the session.
        closes: Of the borrowed shares, at the close before; empty where there are none.
        before: The session before.
        day: The session.
        bills: The rates.
    """
    earned = bills.accrual(before, day)
    cash = book.cash
    if closes and cash > 0:
        cash = max(0, cash - short_value(book, closes))
    value = 0 if earned is None else round(cash * earned)
    return [Interest(cash, (day - before).days, bills.rates[before], value)] if value else []


def read_bills(services: Services, currency: str, calendar: Sessions, days: Sequence[date]) -> BillRates:
    """Return the bill rate known at each session but the last, after which nothing is earned any more.

    Args:
        services: Settings and vendors.
        currency: Of the account.
        calendar: Its sessions.
        days: The sessions, in order, two at least.

    Raises:
        NoData: No rate of the currency is known, or not of all sessions; cash then earns nothing.
    """
    about = SHORT_RATES.get(currency)
    if about is None:
        raise NoData(f"no series of short rates in {currency} is known")
    try:
        known, source = _of_series(services, about, days)
    except (DataError, VendorNotConfigured) as error:
        if currency != "USD":
            raise NoData(f"{about.series}: {error}") from error
        known, source = _of_index(services, about, days, error)
    rates = _known_at(known, [(day, calendar.close_of(day)) for day in days[:-1]], about.oldest)
    lacking = [day for day in days[:-1] if day not in rates]
    if lacking:
        raise NoData(f"{source} has no value known at the close of {lacking[0]}, and of {len(lacking)} sessions in all")
    return BillRates(rates, source, about.year)


def no_bills(currency: str, why: NoData) -> str:
    """Say to a reader that cash earns nothing, and why."""
    return (
        f"No bill rate of {currency} is known ({str(why).rstrip('.')}): cash earns nothing, and Sharpe, Sortino and "
        "the ratios made of them are of plain returns, not of those beyond bills."
    )


Known = list[tuple[datetime, date, float]]
"""When a rate was known, the day it is of, and the rate as a fraction a year."""


def _of_series(services: Services, about: ShortRate, days: Sequence[date]) -> tuple[Known, str]:
    data = MarketData(services.settings, days[-1], vendors=services.vendors, cache=services.cache, memo=services.memo)
    found = data.macro_series(about.series, days[0] - about.oldest)
    vendor = next(row.vendor for row in data.sheet.rows if row.method == "get_macro_indicators")
    rows = [(observation.known_at, observation.day, observation.value / 100) for observation in found.observations]
    return rows, f"{found.name} ({about.series}, {vendor})"


def _of_index(services: Services, about: ShortRate, days: Sequence[date], why: Exception) -> tuple[Known, str]:
    """Return the yields of the 13-week bill from its discount rates: 365 d / (360 - 91 d)."""
    try:
        prices = read_prices(services, BILL_INDEX, days[0] - about.oldest, days[-1])
    except (DataError, VendorNotConfigured) as error:
        raise NoData(f"{about.series}: {why} {BILL_INDEX}: {error}") from error
    calendar = sessions(exchange_of(BILL_INDEX))
    rows = [
        (calendar.known_after(day.item()), day.item(), about.year * rate / (360 - BILL_DAYS * rate))
        for day, rate in zip(prices.days, (prices.close / 100).tolist(), strict=True)
    ]
    return rows, f"yield of the 13-week Treasury bill ({BILL_INDEX}, {prices.vendor})"


def _known_at(known: Known, closes: Sequence[tuple[date, datetime]], oldest: timedelta) -> dict[date, float]:
    """Return the rate of the latest day known at each close; none where it is too old."""
    rows, place, last = sorted(known), 0, None
    found: dict[date, float] = {}
    for day, close in closes:
        while place < len(rows) and rows[place][0] <= close:
            if last is None or rows[place][1] >= last[1]:
                last = rows[place]
            place += 1
        if last is not None and day - last[1] <= oldest:
            found[day] = last[2]
    return found
