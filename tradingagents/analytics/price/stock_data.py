"""Price bars of a symbol as CSV, with returns, 52-week range, volatility and drawdown; and its usual daily range."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, datetime, timedelta

import numpy as np
import numpy.typing as npt

from tradingagents.analytics.least_history import LEAST_HISTORY, YEAR, is_long_enough, short_history_note
from tradingagents.analytics.price.returns import (
    annualised_volatility,
    around_gaps,
    last_day,
    max_drawdown,
    percent,
    price_unit,
    simple_return,
)
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData

DAILY_BARS = 60
"""Maximum number of sessions shown bar by bar, about 1,500 tokens; longer windows are thinned."""
DAILY_TAIL = 20
"""Number of daily bars at the end of a thinned window."""
THINNED_BARS = 48
"""Maximum number of merged bars before them."""
CHANGES = ("change_1d", "change_1w", "change_1m", "change_3m")
NEEDING_HISTORY = (*CHANGES, "high_52w", "low_52w", "avg_volume_20d", "volatility_20d", "max_drawdown_1y")
"""Figures that a short history lacks."""
_PERIODS = (("weekly", "W"), ("monthly", "M"), ("quarterly", "Q"), ("yearly", "Y"))


class StockData(Result):
    """Daily bars of a window, with the figures at its end."""

    last_close: float
    """As traded, in `currency`."""
    change_1d: float | None
    """Percent, over 1 session; `change_1w` 5, `change_1m` 21, `change_3m` 63. Dividends are included."""
    change_1w: float | None
    change_1m: float | None
    change_3m: float | None
    high_52w: float | None
    """Highest high of the last 365 days, as traded; None when the history is shorter."""
    low_52w: float | None
    avg_volume_20d: float | None
    """Shares per day; None when the source has no volume."""
    volatility_20d: float | None
    """Percent per year: sample deviation of the last 20 daily log returns, times the root of 252."""
    max_drawdown_1y: float | None
    """Percent, negative: largest decline from a running high within 252 sessions, dividends included; None: fewer."""
    unit: str
    """Unit of the prices: the currency, or empty for an index."""
    csv: str
    """Date, Open, High, Low, Close, Volume; oldest first; older bars of a long window are merged."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Stock data: {self.symbol}"

    def figures(self) -> tuple[Figure, ...]:
        """Return last price, changes, range, volume and risk."""
        return (
            Figure("last_close", self.last_close, self.unit),
            Figure("change_1d", self.change_1d, "%"),
            Figure("change_1w", self.change_1w, "%"),
            Figure("change_1m", self.change_1m, "%"),
            Figure("change_3m", self.change_3m, "%"),
            Figure("high_52w", self.high_52w, self.unit),
            Figure("low_52w", self.low_52w, self.unit),
            Figure("avg_volume_20d", self.avg_volume_20d, "shares"),
            Figure("volatility_20d", self.volatility_20d, "%"),
            Figure("max_drawdown_1y", self.max_drawdown_1y, "%"),
        )

    def body(self) -> str:
        """Return the bars as CSV."""
        return self.csv


def stock_data(prices: Prices, *, as_of: date, start: date, end: date, known_at: datetime) -> StockData:
    """Summarise the bars of [start, end], both inclusive.

    Args:
        prices: Bars as traded, including earlier ones for the figures that look back further.
        start: First day of the window.
        end: Last day of the window; it need not be a session.
        known_at: When the last bar became known.

    Raises:
        NoData: No session of the window has a bar.
    """
    bars = prices.upto(min(end, as_of))
    window = bars.since(start)
    if not len(window):
        raise NoData(f"{prices.symbol} has no bars from {start} to {end}; widen the window or check the symbol.")
    high, low = year_range(bars)
    csv, thinning = _csv(window)
    return StockData(
        symbol=prices.symbol,
        as_of=as_of,
        source=prices.vendor,
        currency=prices.currency,
        known_at=known_at,
        fetched_at=prices.fetched_at,
        start=window.days[0].astype(date),
        end=last_day(window),
        rows=len(window),
        notes=(*_notes(bars, start, end), *thinning),
        last_close=float(bars.close[-1]),
        change_1d=percent(simple_return(bars, 1)),
        change_1w=percent(simple_return(bars, 5)),
        change_1m=percent(simple_return(bars, 21)),
        change_3m=percent(simple_return(bars, 63)),
        high_52w=high,
        low_52w=low,
        avg_volume_20d=_average_volume(bars),
        volatility_20d=percent(annualised_volatility(bars, 20)),
        max_drawdown_1y=percent(max_drawdown(bars)),
        unit=price_unit(prices),
        csv=csv,
    )


def year_range(prices: Prices) -> tuple[float | None, float | None]:
    """Return the highest high and lowest low of the 365 days up to the last bar; None without a sound year of bars.

    Absent too is one that a price of a session without a bar could have changed.
    """
    if not is_long_enough(prices, "high_52w") or prices.is_cut(last_day(prices) - YEAR):
        return None, None
    year = prices.since(last_day(prices) - YEAR)
    high, low = float(year.high.max()), float(year.low.min())
    if not prices.gaps:
        return high, low
    gaps = around_gaps(prices, prices.high, prices.low)
    _, highest, lowest = gaps[gaps[:, 0] >= len(prices) - len(year)].T
    return None if (highest > high).any() else high, None if (lowest < low).any() else low


def level_notes(prices: Prices) -> list[str]:
    """Return notes on adjusted histories, whose price levels must be read with care."""
    notes = []
    if not prices.splits_listed and prices.basis != "index":
        notes.append(
            f"{prices.vendor} lists no splits of {prices.symbol}: prices may be adjusted for splits since, and are not "
            f"known to be as traded."
        )
    if prices.basis == "fully_adjusted":
        notes.append("The source adjusts all prices for dividends: returns are right, levels run low.")
    return notes


def _notes(bars: Prices, start: date, end: date) -> list[str]:
    notes = []
    if last_day(bars) < end:
        notes.append(f"No bar on {end}: the last session is {last_day(bars)}.")
    if bars.days[0].astype(date) - start > timedelta(days=7):
        notes.append(f"{bars.vendor} gives no bars before {bars.days[0]}, though asked from {start}.")
    short = short_history_note(bars, NEEDING_HISTORY)
    return [*notes, *level_notes(bars), *((short,) if short else ())]


def _average_volume(prices: Prices) -> float | None:
    volume = prices.volume[-20:]
    known = len(volume) == 20 and np.isfinite(volume).all() and volume.any() and not prices.spans_gap(20)
    return float(volume.mean()) if known else None


def _csv(window: Prices) -> tuple[str, list[str]]:
    """Return the bars as CSV, and a note if older ones were merged.

    Merged periods of which a session has no bar are left out; so is the first where bars before it are withheld.
    """
    daily, notes = 0, []
    rows = []
    numbers = window.gaps_before + np.arange(len(window))
    if numbers[-1] - numbers[0] >= DAILY_BARS:
        daily = int(np.searchsorted(numbers, numbers[-1] - DAILY_TAIL, side="right"))
        name, unit, firsts = _merging(window.days[:daily])
        gone = set(_period(np.array(window.gaps, dtype="datetime64[D]"), unit).tolist())
        spans = zip(firsts, [*firsts[1:], daily], strict=True)
        whole = [span for span in spans if not gone or _period(window.days[span[0] : span[1]], unit)[0] not in gone]
        rows = [_row(window, first, stop) for first, stop in whole if first or window.withheld is None]
        gap = len(firsts) - len(whole)
        left_out = f"; {gap} with a session without a bar {'is' if gap == 1 else 'are'} left out" if gap else ""
        notes = [f"Bars before {window.days[daily]} are {name}, dated by their last session, volume summed{left_out}."]
    rows.extend(_daily_rows(window, daily))
    return "\n".join(["Date,Open,High,Low,Close,Volume", *rows]), notes


def _merging(days: npt.NDArray[np.datetime64]) -> tuple[str, str, list[int]]:
    """Return the shortest period that gives few enough bars: its name and unit, and where each of its bars starts."""
    for name, unit in _PERIODS:
        starts: list[int] = np.flatnonzero(np.diff(_period(days, unit), prepend=-1)).tolist()
        if len(starts) <= THINNED_BARS:
            return name, unit, starts
    return name, unit, starts


def _period(days: npt.NDArray[np.datetime64], unit: str) -> npt.NDArray[np.int64]:
    """Return the number of the calendar period of each day."""
    if unit == "W":
        return (days.astype("datetime64[D]").astype(np.int64) + 3) // 7  # the epoch was a Thursday; weeks start Monday
    if unit == "Q":
        return days.astype("datetime64[M]").astype(np.int64) // 3
    return days.astype(f"datetime64[{unit}]").astype(np.int64)


def _row(bars: Prices, first: int, stop: int) -> str:
    """Format the bars [first, stop) as a single one."""
    levels = (bars.open[first], bars.high[first:stop].max(), bars.low[first:stop].min(), bars.close[stop - 1])
    return _line(bars.days[stop - 1], levels, bars.volume[first:stop].sum())


def _daily_rows(bars: Prices, first: int) -> list[str]:
    """Format the bars from `first` on, each by itself."""
    columns = (bars.days, bars.open, bars.high, bars.low, bars.close, bars.volume)
    days, *levels, volumes = [column[first:].tolist() for column in columns]
    return [_line(day, at, volume) for day, at, volume in zip(days, zip(*levels, strict=True), volumes, strict=True)]


def _line(day: object, levels: Sequence[float], volume: float) -> str:
    prices = ",".join([f"{level:.2f}" if abs(level) >= 1 else f"{level:.6g}" for level in levels])
    return f"{day},{prices},{'' if volume != volume else f'{volume:.0f}'}"


RANGE_SESSIONS = 14
"""Number of sessions averaged, as usual for the average true range."""
BAND_RANGES = 5.0
"""Largest distance of an entry from the last close in daily ranges: about a month's move, since ranges grow with the
square root of time and the root of 21 sessions is 4.6."""
LEAST_BAND = 0.05
"""Smallest half-width of the band, as a fraction of the last close; used too when the daily range is not known."""
MOST_BAND = 0.5
"""Largest half-width, as a fraction of the last close."""


def daily_range(prices: Prices) -> float | None:
    """Return the mean true range of the last 14 sessions in the currency of the prices.

    The true range (Wilder, 1978) is the largest of high minus low, |high minus previous close| and |low minus previous
    close|.

    Returns:
        The range, or None with fewer than 15 bars, with a session without a bar, or with a price among them that
        is not finite.
    """
    least = LEAST_HISTORY["daily_range"]
    if len(prices) < least or prices.spans_gap(least):
        return None
    high, low, before = (
        values[-RANGE_SESSIONS - shift : len(values) - shift]
        for values, shift in ((prices.high, 0), (prices.low, 0), (prices.close, 1))
    )
    mean = float(np.mean(np.maximum(high, before) - np.minimum(low, before)))
    return mean if math.isfinite(mean) and mean >= 0 else None


def entry_band(last_close: float, span: float | None) -> tuple[float, float]:
    """Return the lowest and highest allowed price for acting on a decision.

    Args:
        last_close: Close of the last session.
        span: The daily range; None means unknown and gives the narrowest band.
    """
    width = min(max(LEAST_BAND * last_close, BAND_RANGES * (span or 0.0)), MOST_BAND * last_close)
    return last_close - width, last_close + width
