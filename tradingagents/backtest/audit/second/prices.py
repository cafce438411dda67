"""Prices for an audit: each session as it was traded, with splits, dividends and halts, computed with pandas.

A second implementation of what `backtest.traded_prices` gives; it shares no code with it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

import pandas as pd

from tradingagents.dataflows.models import Prices

SILENT_SESSIONS = 10
"""Sessions without a bar up to the end of the data after which a symbol is gone."""


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
    """The first session after the last bar, where the symbol is gone; None while it trades."""
    currency: str

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
    gone = _gone_from(columns["close"], sessions)
    return SymbolHistory(frame, columns, splits, _dividends(prices, sessions), gone, prices.currency)


def _effective(day: date, sessions: Sequence[date]) -> date | None:
    """Return the first session on or after a day."""
    return next((one for one in sessions if one >= day), None)


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


def _gone_from(closes: Mapping[date, float], sessions: Sequence[date]) -> date | None:
    last = max((day for day, close in closes.items() if not math.isnan(close)), default=None)
    if last is None:
        return sessions[0]
    silent = [day for day in sessions if day > last]
    return silent[0] if len(silent) >= SILENT_SESSIONS else None
