"""Bill rates once more, with pandas: what was published by each close, and what cash earned until the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from itertools import pairwise

import pandas as pd

from tradingagents.dataflows.models import MacroSeries, Prices
from tradingagents.dataflows.reference.calendar import exchange_of, sessions

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
    asked = pd.DataFrame(
        {"session": pd.to_datetime(list(closes)), "known": pd.to_datetime(list(closes.values()), utc=True)}
    )
    asked["known"] = asked["known"].astype("datetime64[us, UTC]")
    known = pd.merge_asof(asked.sort_values("known"), frame, on="known")
    fresh = known["session"] - known["day"] <= pd.Timedelta(days=30 if currency == "USD" else 120)
    if not fresh.all():
        return None
    return SecondBills(
        {at.date(): rate for at, rate in zip(known["session"], known["rate"].tolist(), strict=True)}, year_of(currency)
    )
