"""Prices of other currencies in an account's own once more, with pandas: at the rates known at each open and close."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import pandas as pd

from tradingagents.dataflows.models import Dividend, ListingEnd, Prices
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
