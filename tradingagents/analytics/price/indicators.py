"""Technical indicators as stockstats defines them, shown only after their warm-up period, and as lines of a chart.

`indicator_values.py` works out those that every report reads, bit for bit as stockstats does, and asks it for the
others. It returns a value from the first bar on (`min_periods=1`) and scales the money flow index to 0 to 1. Here
values of the warm-up are NaN, and the index is scaled to 0 to 100.

An indicator of a day is one figure: everybody who shows one asks here (`compute`, `latest`), and after the warm-up it
no longer depends on how much history was loaded, to 0.05 points of an index and 0.05 % of the price. On-balance volume
is the exception by its nature: its level counts from the first bar used, and only its changes are those of the days.
Other figures are not these: `market_breadth` and the trading rules read closes adjusted for dividends, `daily_range` is
a plain mean of true ranges, `fear_greed` ranks distances from means of its own lengths.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import numpy as np
from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.least_history import LEAST_HISTORY
from tradingagents.analytics.price.indicator_values import IndicatorValues
from tradingagents.analytics.price.returns import last_day, price_unit
from tradingagents.dataflows.models import Floats, Prices
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData, UsageError

HISTORY = 504
"""Number of bars used, about two years: over twice the longest warm-up."""
SHOWN = 6
"""Number of values listed per indicator."""


@dataclass(frozen=True, slots=True)
class Indicator:
    """Description of an indicator and the number of bars it needs."""

    description: str
    warm_up: int
    """Bars up to and including the first whose value is shown, see `least_history`."""
    unit: str = "price"
    """`price`, `shares`, or empty for a plain number."""
    needs_volume: int = 0
    """Number of last bars over which some volume must have been traded; 0 if volume is not needed."""
    may_lack: int = 0
    """Sessions of the window that may be without a bar: one in 50 of a mean's, which is over the others and reaches no
    further back. Where they would move it by more than `moving.MOST_MOVED`, it is unknown all the same."""
    columns: tuple[str, ...] = ("close",)
    """Columns of a bar that the indicator is computed from; bars that lack one of them are left out."""


_RANGE = ("high", "low", "close")
INDICATORS: Mapping[str, Indicator] = {
    "close_50_sma": Indicator(
        "mean close of 50 sessions: the medium trend, often support or resistance",
        LEAST_HISTORY["close_50_sma"],
        may_lack=1,
    ),
    "close_200_sma": Indicator(
        "mean close of 200 sessions: the long trend that bull and bear markets are told by",
        LEAST_HISTORY["close_200_sma"],
        may_lack=4,
    ),
    "close_10_ema": Indicator(
        "exponential mean of the close, span 10: the short trend, quick to turn", LEAST_HISTORY["close_10_ema"]
    ),
    "macd": Indicator(
        "EMA 12 less EMA 26 of the close: momentum; above zero the short trend leads", LEAST_HISTORY["macd"]
    ),
    "macds": Indicator("signal line, EMA 9 of the MACD: crossings by the MACD mark turns", LEAST_HISTORY["macds"]),
    "macdh": Indicator("MACD less its signal line: momentum gaining above zero, fading below", LEAST_HISTORY["macdh"]),
    "rsi": Indicator(
        "relative strength, 14 sessions, 0 to 100: above 70 overbought, below 30 oversold", LEAST_HISTORY["rsi"], ""
    ),
    "boll": Indicator("Bollinger middle: mean close of 20 sessions", LEAST_HISTORY["boll"]),
    "boll_ub": Indicator(
        "Bollinger upper band: middle plus 2 sample deviations (n - 1) of 20 closes", LEAST_HISTORY["boll_ub"]
    ),
    "boll_lb": Indicator(
        "Bollinger lower band: middle less 2 sample deviations (n - 1) of 20 closes", LEAST_HISTORY["boll_lb"]
    ),
    "atr": Indicator(
        "average true range, 14 sessions, Wilder: the usual daily swing, for stops and sizes",
        LEAST_HISTORY["atr"],
        columns=_RANGE,
    ),
    "vwma": Indicator(
        "volume-weighted mean of the typical price, 14 sessions: the trend where volume was",
        LEAST_HISTORY["vwma"],
        "price",
        14,
        columns=(*_RANGE, "volume"),
    ),
    "mfi": Indicator(
        "money flow index, 14 sessions, 0 to 100: above 80 overbought, below 20 oversold",
        LEAST_HISTORY["mfi"],
        "",
        14,
        columns=(*_RANGE, "volume"),
    ),
    "obv": Indicator(
        "on-balance volume, from zero at most 504 sessions ago: only its slope means something",
        LEAST_HISTORY["obv"],
        "shares",
        504,
        columns=("close", "volume"),
    ),
}
"""The available indicators, by name."""

_COLUMN = {"mfi": 100.0}
"""Factors applied to the values."""


class IndicatorSeries(BaseModel):
    """One indicator's values over the requested window."""

    model_config = ConfigDict(frozen=True, ser_json_inf_nan="null")

    name: str
    description: str
    unit: str
    days: tuple[date, ...]
    values: tuple[float, ...]
    """NaN where the history is too short for the indicator, or nothing was traded."""

    @property
    def last(self) -> float | None:
        """The newest value; None while warming up."""
        return self.values[-1] if self.values and math.isfinite(self.values[-1]) else None


class Indicators(Result):
    """Indicators of one symbol, computed on prices as traded."""

    close: float
    """Last close, as traded."""
    unit: str
    """Unit of the close: the currency, or empty for an index."""
    series: tuple[IndicatorSeries, ...]
    """In the order requested."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Indicators: {self.symbol}"

    def figures(self) -> tuple[Figure, ...]:
        """Return the newest value of each indicator, and the close."""
        newest = (Figure(series.name, series.last, series.unit) for series in self.series)
        return (*newest, Figure("close", self.close, self.unit))

    def body(self) -> str:
        """Return for each indicator its description and a few values, newest last."""
        return "\n".join(
            f"- {series.name}: {series.description}. {', '.join(_shown(series)) or 'n/a'}" for series in self.series
        )


def indicators(
    prices: Prices, names: Sequence[str], *, as_of: date, known_at: datetime, look_back_days: int = 30
) -> Indicators:
    """Compute indicators and show their values over the last calendar days.

    Args:
        prices: Bars as traded.
        names: Names of `INDICATORS`; repeats count once.
        known_at: When the last bar became known.
        look_back_days: Calendar days of values returned, at least 1.

    Raises:
        UsageError: No name is given, or one is unknown; the message names the nearest.
        NoData: There are no bars.
    """
    wanted = _known(names)
    bars = prices.upto(as_of)
    if not len(bars):
        raise NoData(f"{prices.symbol} has no bars up to {as_of}; name a later date or check the symbol.")
    window = bars.since(last_day(bars) - timedelta(days=max(1, look_back_days)))
    days = tuple(window.days.astype(object).tolist())
    series = tuple(
        IndicatorSeries(
            name=name,
            description=INDICATORS[name].description,
            unit={"price": price_unit(prices)}.get(INDICATORS[name].unit, INDICATORS[name].unit),
            days=days,
            values=tuple(values[-len(days) :].tolist()),
        )
        for name, values in compute(bars, wanted).items()
    )
    return Indicators(
        symbol=prices.symbol,
        as_of=as_of,
        source=prices.vendor,
        currency=prices.currency,
        known_at=known_at,
        fetched_at=prices.fetched_at,
        start=days[0],
        end=days[-1],
        rows=min(len(bars), HISTORY),
        notes=_notes(bars, series),
        close=float(bars.close[-1]),
        unit=price_unit(prices),
        series=series,
    )


def latest(prices: Prices, *names: str) -> dict[str, float | None]:
    """Return each indicator's value at the last bar; None before the end of its warm-up, or where a price is missing.

    The one function for whoever shows an indicator beside other figures, so that it is the same everywhere.
    """
    found = compute(prices, names) if len(prices) else {}
    newest = {name: float(values[-1]) for name, values in found.items()}
    return {name: value if math.isfinite(value := newest.get(name, math.nan)) else None for name in names}


def compute(prices: Prices, names: Iterable[str], *, history: int = HISTORY) -> dict[str, Floats]:
    """Return each indicator's value at each bar; NaN before the end of its warm-up.

    Only the last `history` bars are used; earlier values are NaN. Bars that lack a price or volume that an indicator
    reads are left out, and its value there is NaN, not that of a price of 0. Volume indicators are
    NaN when nothing was traded in their window, as for an index. So are all whose window has sessions
    without a bar, except a few of a long mean's (`Indicator.may_lack`), which is over the others of its sessions.
    """
    start = max(0, len(prices) - history)
    columns = {column: getattr(prices, column)[start:] for column in ("open", "high", "low", "close", "volume")}
    found, known_bars = {}, {}
    for name in names:
        indicator, first = INDICATORS[name], INDICATORS[name].warm_up - 1
        if indicator.columns not in known_bars:
            whole = np.flatnonzero(np.isfinite([columns[column] for column in indicator.columns]).all(axis=0))
            bars = {column: values[whole] for column, values in columns.items()}
            numbers = (prices.gaps_before[start:] + np.arange(start, len(prices)))[whole] if prices.gaps else None
            known_bars[indicator.columns] = whole, IndicatorValues(bars, numbers)
        whole, values = known_bars[indicator.columns]
        known = values.of(name) * _COLUMN.get(name, 1.0)
        known[:first] = np.nan
        known[_untraded(columns["volume"][whole], indicator.needs_volume)] = np.nan
        known[_spans_gap(prices, indicator)[start + whole]] = np.nan
        found[name] = np.full(len(prices), np.nan)
        found[name][start + whole] = known
    return found


def _untraded(volume: Floats, window: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return for each bar whether the last `window` bars had no volume at all."""
    if not window:
        return np.zeros(len(volume), dtype=bool)
    total = np.cumsum(volume)
    total[window:] -= total[:-window].copy()
    return total <= 0


def _spans_gap(prices: Prices, indicator: Indicator) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return for each bar whether too many sessions of a window that ends with it have no bar."""
    if not prices.gaps:
        return np.zeros(len(prices), dtype=bool)
    gone = prices.gaps_before
    until = np.append(gone[:-1], len(prices.gaps))  # after the last bar too: it is of an earlier day then
    first = np.maximum(np.arange(len(prices)) - indicator.warm_up + 1, 0)
    found: np.ndarray[tuple[int], np.dtype[np.bool_]] = until - gone[first] > indicator.may_lack
    return found


def _known(names: Sequence[str]) -> tuple[str, ...]:
    wanted = tuple(dict.fromkeys(name.strip().lower() for name in names))
    if not wanted:
        raise UsageError(f"Name at least one indicator: {', '.join(INDICATORS)}.")
    for name in wanted:
        if name not in INDICATORS:
            nearest = difflib.get_close_matches(name, INDICATORS, n=1, cutoff=0.0)[0]
            raise UsageError(f"Unknown indicator {name!r}; the nearest is {nearest}. Known: {', '.join(INDICATORS)}.")
    return wanted


def _notes(bars: Prices, series: tuple[IndicatorSeries, ...]) -> tuple[str, ...]:
    notes = []
    for line in series:
        needed = INDICATORS[line.name].warm_up
        if len(bars) < needed:
            notes.append(f"{line.name} needs {needed} sessions, the history has {len(bars)}.")
        elif bars.gaps_within(needed) > INDICATORS[line.name].may_lack:
            notes.append(f"{line.name} is not available: sessions among the last {needed} have no bar.")
        elif line.last is None:
            notes.append(f"{line.name} is not available: no volume, or a bar is missing.")
    if bars.basis == "fully_adjusted":
        notes.append("The source adjusts all prices for dividends: levels run low.")
    return tuple(notes)


def _shown(series: IndicatorSeries) -> list[str]:
    """Return up to `SHOWN` values, evenly spaced, newest last."""
    picks = np.unique(np.linspace(0, len(series.days) - 1, min(SHOWN, len(series.days))).round().astype(int))
    return [f"{series.days[pick]} {Figure(series.name, series.values[pick]).text}" for pick in picks]


OVERLAYS = ("close_50_sma", "close_200_sma", "boll_ub", "boll_lb", "rsi")
MOMENTUM = ("close_10_ema", "macd", "macds", "macdh")


def overlays_for(prices: Prices) -> Mapping[str, Floats]:
    """Return the averages, bands and RSI of the closes as given, each as long as `prices`; NaN during the warm-up."""
    return compute(prices, OVERLAYS, history=len(prices))


def momentum_for(prices: Prices) -> Mapping[str, Floats]:
    """Return the exponential average and the MACD of the closes as given, likewise."""
    return compute(prices, MOMENTUM, history=len(prices))


def benchmark_line(prices: Prices, benchmark: Prices, bars: int) -> Floats:
    """Return the benchmark scaled to the stock's price: both start equal at the first of the last `bars`.

    The line is as long as `prices`: close of the benchmark / its close at the start x close of the stock at the start.
    The start is the first bar for which both have a close; NaN before it, and on days that the benchmark lacks.
    """
    line = np.full(len(prices), np.nan)
    at = np.searchsorted(benchmark.days, prices.days)
    there = at < len(benchmark.days)
    there[there] = benchmark.days[at[there]] == prices.days[there]
    line[there] = benchmark.close[at[there]]
    line[: max(0, len(prices) - bars)] = np.nan
    common = np.flatnonzero(np.isfinite(line) & np.isfinite(prices.close) & (line > 0))
    if not len(common):
        return np.full(len(prices), np.nan)
    scaled: Floats = line / line[common[0]] * prices.close[common[0]]
    return scaled
