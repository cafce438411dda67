"""Prices for an audit: each session as it was traded, with splits, dividends and halts, computed with pandas.

A second implementation of what `features.backtest.traded_prices` gives; it shares no code with it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

import pandas as pd

from tradingagents.dataflows.models import Dividend, ListingEnd, Prices

SILENT_SESSIONS = 10
"""Sessions without a bar after which a symbol is gone for a paper account, which has no other word of it."""


@dataclass(frozen=True)
class SymbolHistory:
    """One symbol over the sessions of its exchange."""

    bars: pd.DataFrame
    """Index: sessions. Columns open, high, low, close, volume as traded that day, NaN in a halt; `adjusted` for splits
    and dividends; `last`: the last close in shares of the session."""
    columns: Mapping[str, Mapping[date, float]]
    """The same by column and session."""
    splits: Mapping[date, Fraction]
    """By the session on which it takes effect."""
    dividends: Mapping[date, float]
    """Per share of the day, by the session on which it is paid."""
    gone_from: date | None
    """The first session on which the symbol is listed no longer, as its source states; None while it is."""
    currency: str
    end: ListingEnd | None = None
    """What holders got; None where no end is stated."""

    def traded(self, day: date) -> bool:
        """Tell whether there was a bar."""
        return not math.isnan(self.columns["close"].get(day, math.nan))

    def at(self, day: date, column: str) -> float:
        """Return a column of a session; NaN in a halt."""
        return self.columns[column].get(day, math.nan)

    def last_close(self, day: date) -> float:
        """Return the last close on or before a session in shares of that session; NaN before the first."""
        return self.columns["last"].get(day, math.nan)


def history_of(prices: Prices, sessions: Sequence[date]) -> SymbolHistory:
    """Arrange the prices of a symbol by session, as traded.

    Args:
        prices: Split-adjusted, as vendors give them.
        sessions: Of its exchange, up to the end of the recorded data.
    """
    index = pd.Index(list(sessions), name="session")
    frame = pd.DataFrame(
        {name: getattr(prices, name) for name in ("open", "high", "low", "close", "volume")}
        | {"adjusted": prices.adj_close},
        index=pd.Index([day.item() for day in prices.days], name="session"),
    )
    frame = frame[~frame.index.duplicated(keep="last")]
    for split in prices.splits:
        before = frame.index < split.day
        frame.loc[before, ["open", "high", "low", "close"]] *= split.ratio
        frame.loc[before, "volume"] /= split.ratio
    frame = frame.reindex(index)
    sound = (frame[["open", "close", "volume"]] > 0).all(axis=1) & frame[["open", "close", "volume"]].notna().all(
        axis=1
    )
    frame.loc[~sound, ["open", "high", "low", "close", "volume"]] = math.nan
    splits = _splits(prices, sessions)
    shares = pd.Series(1.0, index=index)
    for on, ratio in splits.items():
        shares.loc[on:] *= float(ratio)
    frame["last"] = (frame["close"] * shares).ffill() / shares
    columns = {str(name): dict(zip(sessions, frame[name].tolist(), strict=True)) for name in frame}
    gone = _gone_from(prices.ended, columns["close"], sessions)
    return SymbolHistory(frame, columns, splits, _dividends(prices, sessions), gone, prices.currency, prices.ended)


def with_dividends_of_ratio(prices: Prices) -> Prices:
    """Return prices with the dividends in their adjusted closes that no list has, each on the day the ratio steps up.

    Worked out before prices are converted: what is paid is in the currency of the close.
    """
    if prices.basis != "split_adjusted" or len(prices) < 2:
        return prices
    frame = pd.DataFrame({"close": prices.close, "adjusted": prices.adj_close})
    ratio = frame["adjusted"] / frame["close"]
    step = 1 - ratio.shift() / ratio
    smallest = [_smallest(frame["adjusted"]) / frame["adjusted"]]
    if prices.splits:
        restated = prices.days < max(pd.Timestamp(split.day).to_datetime64() for split in prices.splits)
        smallest.append((_smallest(frame["close"]) / frame["close"]).where(restated, 0.0))
    slack = sum(smallest, pd.Series(1e-6, index=frame.index))
    listed = [
        int(prices.days.searchsorted(pd.Timestamp(dividend.day).to_datetime64())) for dividend in prices.dividends
    ]
    near = {at + by for at in listed for by in range(-5, 6)}
    found = [
        Dividend(prices.days[at].item(), float(frame["close"][at - 1] * step[at]))
        for at in frame.index[step > slack + slack.shift()]
        if at not in near or (at not in listed and ratio[at] / ratio[at - 1] >= 1.05)
    ]
    return replace(prices, dividends=(*prices.dividends, *found))


def _smallest(values: pd.Series) -> float:
    """Return half the unit in which prices are given, from a hundredth down; 0 for finer ones."""
    for unit in (0.01, 0.001, 0.0001, 0.00001):
        if ((values / unit).round() - values / unit).abs().max() < 1e-4:
            return unit / 2
    return 0.0


def _effective(day: date, sessions: Sequence[date]) -> date | None:
    """Return the first session on or after a day."""
    return next((session for session in sessions if session >= day), None)


def _splits(prices: Prices, sessions: Sequence[date]) -> dict[date, Fraction]:
    found: dict[date, Fraction] = {}
    for split in prices.splits:
        if sessions[0] <= split.day and (on := _effective(split.day, sessions)) is not None:
            found[on] = found.get(on, Fraction(1)) * Fraction(split.ratio).limit_denominator(10_000)
    return found


def _dividends(prices: Prices, sessions: Sequence[date]) -> dict[date, float]:
    found: dict[date, float] = {}
    if prices.basis == "fully_adjusted":
        return found
    for paid in prices.dividends:
        if sessions[0] <= paid.day and (on := _effective(paid.day, sessions)) is not None:
            later = math.prod(split.ratio for split in prices.splits if split.day > paid.day)
            found[on] = found.get(on, 0.0) + paid.amount * later
    return found


def _gone_from(ended: ListingEnd | None, closes: Mapping[date, float], sessions: Sequence[date]) -> date | None:
    if ended is None:
        return None
    last = max((day for day, close in closes.items() if not math.isnan(close)), default=date.min)
    return next((day for day in sessions if day >= ended.day and day > last), None)
