"""Recorded prices as an account meets them: each session as traded that day, with its splits and dividends."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tradingagents.dataflows.models import Days, Floats, ListingEnd, Prices

GONE_AFTER = 10
"""Sessions without a bar, up to the end of the recorded data, after which a silence is no halt. It is no delisting
either, unless a source states one: the recording may have stopped. Only a paper account, which has no other word of it,
takes it for one (`silence_ends`)."""
LARGEST_DENOMINATOR = 10_000


@dataclass(frozen=True, slots=True)
class SessionBar:
    """A session of one symbol, as traded on that day."""

    open: float
    high: float
    low: float
    close: float
    volume: float


@dataclass(frozen=True, slots=True)
class CashDividend:
    """What a share gets on a day, in shares of that day."""

    per_share: float
    rounding: float = 0.0
    """How far off it may be, where it was derived from adjusted closes; 0 for a listed one."""


class TradedPrices:
    """Sessions and bars of symbols. It knows nothing of decisions, and answers about any session, later ones too."""

    def __init__(self, prices: Mapping[str, Prices], days: Sequence[date], *, silence_ends: bool = False) -> None:
        """Arrange prices by session.

        Args:
            prices: By symbol, split-adjusted as vendors give them. Prices that are adjusted for dividends too contain
                them, so no dividend is paid on these: returns are right, levels and numbers of shares are not.
            days: The sessions of the exchange, in order, up to the end of the recorded data.
            silence_ends: Whether a symbol without a stated end is gone after `GONE_AFTER` sessions without a bar.
        """
        self._silence_ends = silence_ends
        self.days = tuple(days)
        self._place = {day: number for number, day in enumerate(self.days)}
        wanted = np.array(self.days, dtype="datetime64[D]")
        self._traded = {symbol: _TradedColumns.of(history, wanted) for symbol, history in prices.items()}
        self._adjusted = {
            symbol: np.where(self._traded[symbol].sound, _by_session(history, history.adj_close, wanted), math.nan)
            for symbol, history in prices.items()
        }
        self._actions = {symbol: _action_days(history) for symbol, history in prices.items()}
        self._splits = {symbol: _split_days(history) for symbol, history in prices.items()}
        self._dividends = {symbol: _dividend_days(history) for symbol, history in prices.items()}
        self._ends = {symbol: history.ended for symbol, history in prices.items() if history.ended is not None}
        self._gone_from = {
            symbol: max(bisect_left(self.days, end.day), self._traded[symbol].last + 1)
            for symbol, end in self._ends.items()
        }
        if silence_ends:
            self._gone_from |= {
                symbol: columns.last + 1
                for symbol, columns in self._traded.items()
                if symbol not in self._ends and self._silence(symbol) >= GONE_AFTER
            }
        self._acting: dict[int, set[str]] = {}
        """By session, the symbols with an action since the session before."""
        for symbol, acting in self._actions.items():
            for day in acting:
                self._acting.setdefault(bisect_left(self.days, day), set()).add(symbol)

    @property
    def symbols(self) -> tuple[str, ...]:
        """The symbols."""
        return tuple(self._traded)

    def after(self, day: date) -> date | None:
        """Return the session after a day; None after the last."""
        at = bisect_right(self.days, day)
        return self.days[at] if at < len(self.days) else None

    def bar(self, symbol: str, day: date) -> SessionBar | None:
        """Return a session's bar as traded; None for a halt, and before and after the symbol traded."""
        columns = self._traded.get(symbol)
        return None if columns is None else columns.bar(self._place[day])

    def close(self, symbol: str, day: date) -> float | None:
        """Return the last close on or before a session, in shares of that session; None before the first."""
        columns, place = self._traded[symbol], self._place[day]
        if (own := columns.closes[place]) is not None:
            return own
        at = next((n for n in range(place, -1, -1) if columns.closes[n] is not None), None)
        if at is None or (last := columns.closes[at]) is None:
            return None
        ratio = math.prod(
            (ratio for split_day, ratio in self._splits[symbol].items() if self.days[at] < split_day <= day),
            start=Fraction(1),
        )
        return last / float(ratio)

    def with_actions(self, symbols: Collection[str], before: date | None, day: date) -> list[str]:
        """Return the symbols, sorted, that have a split or a dividend since the session before."""
        place = self._place[day]
        if before is not None and place and self.days[place - 1] == before:
            acting = self._acting.get(place, set()) & {*symbols}
        else:
            acting = {symbol for symbol in symbols if self._acts(symbol, before, day)}
        return sorted(acting)

    def _acts(self, symbol: str, before: date | None, day: date) -> bool:
        days = self._actions.get(symbol, ())
        at = bisect_right(days, day) - 1
        return at >= 0 and _within(before, days[at], day)

    def split(self, symbol: str, before: date | None, day: date) -> Fraction | None:
        """Return what one share became since the session before; None for no split."""
        found = [ratio for on, ratio in self._splits.get(symbol, {}).items() if _within(before, on, day)]
        return math.prod(found, start=Fraction(1)) if found else None

    def dividend(self, symbol: str, before: date | None, day: date) -> CashDividend | None:
        """Return what a share of the day gets that was held at the close before; None for nothing."""
        paid = [dividend for on, dividend in self._dividends.get(symbol, {}).items() if _within(before, on, day)]
        if not paid:
            return None
        return CashDividend(
            math.fsum(dividend.per_share for dividend in paid), math.fsum(dividend.rounding for dividend in paid)
        )

    def is_gone(self, symbol: str, day: date) -> bool:
        """Tell whether a symbol is no longer listed on a session. Its source has to say so; bars that stop do not."""
        if symbol not in self._traded:
            return self._silence_ends and len(self.days) >= GONE_AFTER
        first = self._gone_from.get(symbol)
        return first is not None and self._place[day] >= first

    def end_of(self, symbol: str) -> ListingEnd | None:
        """Return the end of a symbol's listing that its source states, with what holders get; None for none."""
        return self._ends.get(symbol)

    def stops(self, symbol: str) -> bool:
        """Tell whether a symbol's bars stop `GONE_AFTER` sessions or more before the data's end, and nothing says why.

        It may have been delisted, or its recording ends: which of them cannot be told.
        """
        return symbol not in self._ends and self._silence(symbol) >= GONE_AFTER

    def _silence(self, symbol: str) -> int:
        """Return the sessions after the last on which a symbol traded, up to the end of the data."""
        return len(self.days) - 1 - self._traded[symbol].last

    def last_traded(self, symbol: str) -> date | None:
        """Return the last session on which a symbol could be traded; None for none."""
        place = self._traded[symbol].last
        return self.days[place] if place >= 0 else None

    def returns(self, symbols: Sequence[str], day: date, sessions: int) -> NDArray[np.float64]:
        """Return the daily total returns up to a close, one column a symbol; only sessions on which all traded count.

        Args:
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
    return sorted({split.day for split in prices.splits} | {dividend.day for dividend in prices.dividends})


def _split_days(prices: Prices) -> dict[date, Fraction]:
    return {split.day: Fraction(split.ratio).limit_denominator(LARGEST_DENOMINATOR) for split in prices.splits}


def _dividend_days(prices: Prices) -> dict[date, CashDividend]:
    """Return what a share of each ex-date got."""
    found: dict[date, CashDividend] = {}
    for dividend in () if prices.basis == "fully_adjusted" else prices.dividends:
        paid = dividend.scaled(math.prod(split.ratio for split in prices.splits if split.day > dividend.day))
        known = found.get(dividend.day, CashDividend(0.0))
        found[dividend.day] = CashDividend(known.per_share + paid.amount, known.rounding + paid.rounding)
    return found


@dataclass(frozen=True, slots=True)
class _TradedColumns:
    """The sessions of one symbol as traded, by place; None for sessions that cannot be traded on."""

    opens: list[float | None]
    highs: list[float]
    lows: list[float]
    closes: list[float | None]
    volumes: list[float]
    last: int
    """Place of the last session with a bar; -1 for none."""
    sound: NDArray[np.bool_]
    """Sessions that can be traded on: a halt tells nothing of risk either."""

    @classmethod
    def of(cls, prices: Prices, days: Days) -> _TradedColumns:
        """Arrange prices by session. Open, close and volume must be positive, or a session counts as a halt."""
        factor = np.ones(len(prices))
        for split in prices.splits:
            factor[prices.days < np.datetime64(split.day, "D")] *= split.ratio
        columns = (prices.open, prices.high, prices.low, prices.close)
        traded = [_by_session(prices, column * factor, days) for column in columns]
        volumes = _by_session(prices, prices.volume / factor, days)
        needed = np.array([traded[0], traded[3], volumes])
        sound = (np.isfinite(needed) & (needed > 0)).all(axis=0)
        opens, highs, lows, closes = (column.tolist() for column in traded)
        known, last = sound.tolist(), np.flatnonzero(sound)
        return cls(
            [price if there else None for price, there in zip(opens, known, strict=True)],
            highs,
            lows,
            [price if there else None for price, there in zip(closes, known, strict=True)],
            volumes.tolist(),
            int(last[-1]) if len(last) else -1,
            sound,
        )

    def bar(self, place: int) -> SessionBar | None:
        """Return a session; None for a halt."""
        opened, close = self.opens[place], self.closes[place]
        if opened is None or close is None:
            return None
        return SessionBar(opened, self.highs[place], self.lows[place], close, self.volumes[place])


def _by_session(prices: Prices, values: Floats, days: Days) -> Floats:
    """Return values by session; NaN for sessions without one."""
    found = np.full(len(days), math.nan)
    if len(prices):
        at = np.searchsorted(prices.days, days, side="right") - 1  # of a day that is there twice the last counts
        there = (at >= 0) & (prices.days[at] == days)
        found[there] = values[at[there]]
    return found
