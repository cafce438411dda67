"""Rates once more, with pandas: of other currencies at each open and close, and of bills at each close."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pandas as pd

from tradingagents.dataflows.models import Dividend, ListingEnd, MacroSeries, Prices
from tradingagents.dataflows.reference.calendar import Sessions, exchange_of, sessions

HUNDREDTHS: Mapping[str, str] = {"GBp": "GBP", "GBX": "GBP", "ZAc": "ZAR", "ZAC": "ZAR", "ILA": "ILS"}
OLDEST = pd.Timedelta(days=10)
"""Older rates count as none."""


def second_rates(currency: str, home: str, read: Callable[[str], Prices | None]) -> pd.Series | None:
    """Return units of an account's currency for one of another by the instant each became known; None for no rate.

    Args:
        currency: Of a ticker.
        home: The account's.
        read: Gives the prices of a pair.
    """
    major = HUNDREDTHS.get(currency, currency)
    unit = 0.01 if currency in HUNDREDTHS else 1.0
    if major == home:
        return pd.Series([unit], index=pd.DatetimeIndex(["1900-01-01"], tz="UTC"))
    for pair, power in ((f"{major}{home}=X", 1), (f"{home}{major}=X", -1)):
        found = read(pair)
        if found is not None and len(found):
            calendar = sessions(exchange_of(pair))
            known = pd.DatetimeIndex([calendar.known_after(day.item()) for day in found.days]).tz_convert("UTC")
            return pd.Series(found.close**power * unit, index=known)
    return None


def in_account_currency(prices: Prices, rates: pd.Series, home: str, cost: float) -> Prices:
    """Return prices in an account's currency; sessions without a fresh rate are left out.

    Args:
        prices: In another currency.
        rates: From `second_rates`.
        home: The account's currency.
        cost: What the exchange of a dividend costs, as a fraction.
    """
    calendar = sessions(exchange_of(prices.symbol))
    days = pd.Series([day.item() for day in prices.days])
    opens, closes = (known_rates(rates, _instants(calendar, days, name)) for name in ("opens", "closes"))
    known = (opens.notna() & closes.notna()).to_numpy()
    at_open, at_close = opens.to_numpy()[known], closes.to_numpy()[known]
    worth: dict[date, float] = dict(zip(days[known], at_open.tolist(), strict=True))
    columns = {name: getattr(prices, name)[known] * at_close for name in ("high", "low", "close", "adj_close")}
    opened = prices.open[known] * at_open
    columns["high"], columns["low"] = columns["high"].clip(min=opened), columns["low"].clip(max=opened)
    paid = tuple(
        Dividend(dividend.day, dividend.amount * worth[dividend.day] * (1 - cost))
        for dividend in prices.dividends
        if dividend.day in worth
    )
    return replace(
        prices,
        days=prices.days[known],
        open=opened,
        volume=prices.volume[known],
        dividends=paid,
        ended=_end(prices.ended, at_close, cost),
        currency=home,
        **columns,
    )


def _end(ended: ListingEnd | None, at_close: Any, cost: float) -> ListingEnd | None:
    """Return the end of a listing with its cash at the last rate known while it traded."""
    if ended is None or ended.cash is None or not len(at_close):
        return ended
    return replace(ended, cash=ended.cash * float(at_close[-1]) * (1 - cost))


def _instants(calendar: Sessions, days: pd.Series, name: str) -> pd.Series:
    own = dict(zip(calendar.days, getattr(calendar, name), strict=True))
    return pd.to_datetime(days.map(own), utc=True)


def known_rates(rates: pd.Series, instants: pd.Series) -> pd.Series:
    """Return the last rate known at each instant; NaN for one that is too old, or for none."""
    right = pd.DataFrame({"known": rates.index, "rate": rates.to_numpy()}).sort_values("known")
    right["known"] = right["known"].astype("datetime64[us, UTC]")
    left = pd.DataFrame({"at": pd.to_datetime(instants, utc=True).astype("datetime64[us, UTC]")}).dropna().reset_index()
    tolerance = None if len(rates) == 1 and rates.index[0].year == 1900 else OLDEST
    found = pd.merge_asof(left.sort_values("at"), right, left_on="at", right_on="known", tolerance=tolerance)
    return found.set_index("index")["rate"].reindex(instants.index)


DOLLARS, DOLLAR_INDEX = "DGS3MO", "^IRX"
OECD = "IR3TIB01{}M156N"
COUNTRIES: Mapping[str, str] = dict(
    zip(
        ("EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "KRW", "MXN", "ILS", "ZAR"),
        ("EZ", "GB", "JP", "CH", "CA", "AU", "NZ", "SE", "NO", "DK", "KR", "MX", "IL", "ZA"),
        strict=True,
    )
)
OF_360 = frozenset(("EUR", "CHF", "SEK", "NOK", "DKK", "MXN"))
"""Currencies whose money market counts years of 360 days; the others count 365."""


@dataclass(frozen=True)
class SecondBills:
    """The bill rate known at each close."""

    rates: Mapping[date, float]
    """By session, as a fraction a year."""
    year: int

    def earned(self, before: date, day: date) -> float:
        """Return what bills earn from a close to a later one, as a fraction; 0 from a day that is no session."""
        return self.rates.get(before, 0.0) * ((day - before).days / self.year)

    def paid(self, cash: Decimal, before: date, day: date) -> Decimal:
        """Return the interest on cash from a close to a later one, in whole cents."""
        return Decimal(round(int(cash * 100) * self.earned(before, day))) / 100

    def series(self, days: Sequence[date]) -> pd.Series:
        """Return what bills earn over each return of an account."""
        return pd.Series({day: self.earned(before, day) for before, day in pairwise(days)}, dtype=float)


def year_of(currency: str) -> int:
    """Return the days of a year by which interest in a currency accrues."""
    return 360 if currency in OF_360 else 365


def second_bills(
    currency: str,
    closes: Mapping[date, datetime],
    series: Callable[[str], MacroSeries | None],
    prices: Callable[[str], Prices | None],
) -> SecondBills | None:
    """Return the rates known at some closes; None where no vendor has them, or not for all.

    Args:
        currency: Of the account.
        closes: The instant of each session's close but the last.
        series: Gives an economic series, uncut; None where there is none.
        prices: Gives the prices of an index.
    """
    name = DOLLARS if currency == "USD" else OECD.format(COUNTRIES.get(currency, "none"))
    found = series(name)
    rows = [
        (observation.known_at, observation.day, observation.value / 100)
        for observation in (found.observations if found else ())
    ]
    if not rows and currency == "USD" and (index := prices(DOLLAR_INDEX)) is not None:
        calendar = sessions(exchange_of(DOLLAR_INDEX))
        discounts = zip((day.item() for day in index.days), (index.close / 100).tolist(), strict=True)
        rows = [(calendar.known_after(day), day, 365 * rate / (360 - 91 * rate)) for day, rate in discounts]
    if not rows:
        return None
    frame = pd.DataFrame(rows, columns=["known", "day", "rate"]).sort_values(["known", "day"])
    frame["known"] = pd.to_datetime(frame["known"], utc=True).astype("datetime64[us, UTC]")
    frame["day"] = pd.to_datetime(frame["day"])
    frame = frame[frame["day"] == frame["day"].cummax()]
    instants = pd.DataFrame(
        {"session": pd.to_datetime(list(closes)), "known": pd.to_datetime(list(closes.values()), utc=True)}
    )
    instants["known"] = instants["known"].astype("datetime64[us, UTC]")
    known = pd.merge_asof(instants.sort_values("known"), frame, on="known")
    fresh = known["session"] - known["day"] <= pd.Timedelta(days=30 if currency == "USD" else 120)
    if not fresh.all():
        return None
    return SecondBills(
        {at.date(): rate for at, rate in zip(known["session"], known["rate"].tolist(), strict=True)}, year_of(currency)
    )
