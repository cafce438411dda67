"""Recorded prices as an account meets them: each session as traded that day, with its splits and dividends."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tradingagents.backtest.broker import SessionBar
from tradingagents.dataflows.models import Prices

GONE_AFTER = 10
"""Sessions without a bar, up to the end of the recorded data, after which a symbol counts as delisted. A shorter
silence is a halt; the end of the backtest is neither, because the data are read to their own end."""
LARGEST_DENOMINATOR = 10_000


@dataclass(frozen=True, slots=True)
class CashDividend:
    """What a share gets on a day, in shares of that day."""

    per_share: float


class TradedPrices:
    """Sessions and bars of symbols. Nothing here knows decisions; who asks is answered about any session."""

    def __init__(self, prices: Mapping[str, Prices], days: Sequence[date]) -> None:
        """Arrange prices by session.

        Args:
            prices: By symbol, split-adjusted as vendors give them. Prices that are adjusted for dividends too contain
                them, so no dividend is paid on these: returns are right, levels and numbers of shares are not.
            days: The sessions of the exchange, in order, up to the end of the recorded data.
        """
        self.days = tuple(days)
        self._place = {day: number for number, day in enumerate(self.days)}
        self._bars = {symbol: _as_traded(one, self.days) for symbol, one in prices.items()}
        self._adjusted = {symbol: _adjusted(one, self.days) for symbol, one in prices.items()}
        self._actions = {symbol: _action_days(one) for symbol, one in prices.items()}
        self._splits = {symbol: _split_days(one) for symbol, one in prices.items()}
        self._dividends = {symbol: _dividend_days(one) for symbol, one in prices.items()}
        self._last = {
            symbol: max((n for n, bar in enumerate(bars) if bar), default=-1) for symbol, bars in self._bars.items()
        }

    @property
    def symbols(self) -> tuple[str, ...]:
        """The symbols."""
        return tuple(self._bars)

    def after(self, day: date) -> date | None:
        """Return the session after a day; None after the last."""
        at = bisect_right(self.days, day)
        return self.days[at] if at < len(self.days) else None

    def bar(self, symbol: str, day: date) -> SessionBar | None:
        """Return a session's bar as traded; None for a halt, and before and after the symbol traded."""
        bars = self._bars.get(symbol)
        return None if bars is None else bars[self._place[day]]

    def close(self, symbol: str, day: date) -> float | None:
        """Return the last close on or before a session, in shares of that session; None before the first."""
        bars = self._bars[symbol]
        if (own := bars[self._place[day]]) is not None:
            return own.close
        at = next((n for n in range(self._place[day], -1, -1) if bars[n] is not None), None)
        if at is None or (bar := bars[at]) is None:
            return None
        ratio = math.prod(
            (one for split_day, one in self._splits[symbol].items() if self.days[at] < split_day <= day),
            start=Fraction(1),
        )
        return bar.close / float(ratio)

    def has_actions(self, symbol: str, before: date | None, day: date) -> bool:
        """Tell whether there is a split or a dividend since the session before, or the symbol is gone."""
        days = self._actions.get(symbol, ())
        at = bisect_right(days, day) - 1
        return (at >= 0 and _within(before, days[at], day)) or self.is_gone(symbol, day)

    def split(self, symbol: str, before: date | None, day: date) -> Fraction | None:
        """Return what one share became since the session before; None for no split."""
        found = [ratio for on, ratio in self._splits.get(symbol, {}).items() if _within(before, on, day)]
        return math.prod(found, start=Fraction(1)) if found else None

    def dividend(self, symbol: str, before: date | None, day: date) -> CashDividend | None:
        """Return what a share of the day gets that was held at the close before; None for nothing."""
        paid = [amount for on, amount in self._dividends.get(symbol, {}).items() if _within(before, on, day)]
        return CashDividend(math.fsum(paid)) if paid else None

    def is_gone(self, symbol: str, day: date) -> bool:
        """Tell whether a symbol has traded for the last time before a session, and not only up to the data's end."""
        last = self._last.get(symbol, -1)
        return last < self._place[day] and len(self.days) - 1 - last >= GONE_AFTER

    def returns(self, symbols: Sequence[str], day: date, sessions: int) -> NDArray[np.float64]:
        """Return the daily total returns up to a close, one column a symbol; only sessions on which all traded count.

        Args:
            symbols: The symbols.
            day: The last session that is known.
            sessions: The most that are wanted.
        """
        end = self._place[day] + 1
        first = max(0, end - sessions - 1)
        columns = [self._adjusted[symbol][first:end] for symbol in symbols]
        closes = np.column_stack(columns) if columns else np.empty((0, 0))
        closes = closes[np.isfinite(closes).all(axis=1)] if len(closes) else closes
        found: NDArray[np.float64] = closes[1:] / closes[:-1] - 1 if len(closes) > 1 else np.empty((0, len(symbols)))
        return found

    def total_return(self, symbol: str, start: date, end: date) -> float | None:
        """Return the return with dividends between two closes; None unless the symbol traded on both sessions."""
        closes = self._adjusted[symbol]
        first, last = float(closes[self._place[start]]), float(closes[self._place[end]])
        return float(last / first - 1) if math.isfinite(first) and math.isfinite(last) and first > 0 else None


def _within(before: date | None, day: date, last: date) -> bool:
    """Tell whether a day that need not be a session comes into effect on a session."""
    return day <= last and (day > before if before is not None else day == last)


def _action_days(prices: Prices) -> list[date]:
    return sorted({one.day for one in prices.splits} | {one.day for one in prices.dividends})


def _split_days(prices: Prices) -> dict[date, Fraction]:
    return {one.day: Fraction(one.ratio).limit_denominator(LARGEST_DENOMINATOR) for one in prices.splits}


def _dividend_days(prices: Prices) -> dict[date, float]:
    """Return what a share of each ex-date got."""
    found: dict[date, float] = {}
    for one in () if prices.basis == "fully_adjusted" else prices.dividends:
        later = math.prod(split.ratio for split in prices.splits if split.day > one.day)
        found[one.day] = found.get(one.day, 0.0) + one.amount * later
    return found


def _as_traded(prices: Prices, days: Sequence[date]) -> list[SessionBar | None]:
    factor = np.ones(len(prices))
    for split in prices.splits:
        factor[prices.days < np.datetime64(split.day, "D")] *= split.ratio
    rows = {
        day.item(): SessionBar(*(float(value) for value in row))
        for day, *row in zip(
            prices.days, prices.open * factor, prices.high * factor, prices.low * factor, prices.close * factor,
            prices.volume / factor, strict=True,
        )
    }  # fmt: skip
    return [_sound(rows.get(day)) for day in days]


def _sound(bar: SessionBar | None) -> SessionBar | None:
    """Return a bar that can be traded on; None where open, close or volume are missing or not positive."""
    if bar is None or not all(math.isfinite(one) and one > 0 for one in (bar.open, bar.close, bar.volume)):
        return None
    return bar


def _adjusted(prices: Prices, days: Sequence[date]) -> NDArray[np.float64]:
    known = dict(zip((one.item() for one in prices.days), prices.adj_close.tolist(), strict=True))
    return np.array([known.get(day, math.nan) for day in days], dtype=np.float64)
