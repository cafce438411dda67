"""The layout of the price chart: its bars, its panels, and all positions in pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tradingagents.dataflows.models import Days, Floats, Prices
from tradingagents.reports import formatting as words
from tradingagents.reports.charts import scales
from tradingagents.reports.charts.pixels import tenths
from tradingagents.reports.charts.scales import Scale
from tradingagents.schemas.decision import Decision

LETTER = 6.3
"""Approximate maximum width of a label's letter in pixels, to keep labels apart."""
BAND = ("boll_ub", "boll_lb")
"""Series of the shaded band, upper edge first; included in the price axis."""
MACD = ("macd", "macds", "macdh")
"""Series of the MACD panel."""
BENCHMARK = "benchmark"
"""Series of the comparison line; included in the price axis."""

_TOP = 42.0
"""Space for the legend and the text of the trade date."""
_PRICE_HEIGHT, _PANEL_HEIGHT, _PANEL_GAP, _AXIS_HEIGHT = 300.0, 66.0, 16.0, 24.0


@dataclass(frozen=True, slots=True)
class ChartNote:
    """An event at a bar."""

    day: date
    letter: str
    """Shown in its mark."""
    text: str


@dataclass(frozen=True, kw_only=True)
class Plot:
    """A chart over days: its panels and their positions, for the layers that every chart shares."""

    days: list[str]
    price: Scale
    """Axis of the upper panel."""
    ticks: Sequence[tuple[float, str]]
    """Pixel and label of each line across the panels, as `axis_ticks` returns them."""
    currency: str
    """Above the labels of the upper panel."""
    width: int
    height: float
    left: float
    """Left edge of the panels."""
    right: float
    volume: Scale | None = None
    rsi: Scale | None = None
    macd: Scale | None = None
    notes: Sequence[ChartNote] = ()
    """Events drawn on the upper panel."""

    @cached_property
    def slot(self) -> float:
        """Width of each day's slot in pixels."""
        return (self.right - self.left) / len(self.days)

    @cached_property
    def half(self) -> float:
        """Half the width of a candle."""
        return min(self.slot * 0.32, 7.0)

    @cached_property
    def bottom(self) -> float:
        """The lower edge of the lowest panel."""
        return self.height - _AXIS_HEIGHT

    @cached_property
    def months(self) -> list[int]:
        """First days of a month."""
        return scales.month_starts(np.array(self.days, dtype="datetime64[D]"))

    @cached_property
    def middles(self) -> Floats:
        """The middle of each day's slot."""
        middles: Floats = self.left + (np.arange(len(self.days), dtype=np.float64) + 0.5) * self.slot
        return middles

    @cached_property
    def x_texts(self) -> list[str]:
        """The middle of each day's slot, as text: every line of the chart goes through them."""
        return tenths(self.middles)

    def x(self, at: int) -> float:
        """Return the middle of a day's slot."""
        return self.left + (at + 0.5) * self.slot


@dataclass(frozen=True, kw_only=True)
class PricePlot(Plot):
    """A chart of daily bars."""

    symbol: str
    open: Floats
    high: Floats
    low: Floats
    close: Floats
    traded: Floats
    """Volume; 0 if unknown."""
    drawn: npt.NDArray[np.bool_]
    """Whether a bar has all four prices."""
    overlays: Mapping[str, Floats]
    decision: Decision | None
    levels: Mapping[str, float]
    """Target, entry and stop as far as given; the last close if there is no entry."""
    marked: int | None
    """The trade date's bar."""
    benchmark: str = ""
    """Symbol of the benchmark."""


def axis_ticks(
    price: Scale, volume: Scale | None = None, rsi: Scale | None = None, macd: Scale | None = None
) -> list[tuple[float, str]]:
    """Return (pixel, label) for each line across the panels, prices first."""
    decimals = scales.decimals_of(scales.tick_step(price.low, price.high))
    labels = [(price(value), f"{value:,.{decimals}f}") for value in scales.round_ticks(price.low, price.high)]
    if volume:
        labels.append((volume.top, words.figure(round(volume.high))))
    if rsi:
        labels += [(rsi(value), f"{value:.0f}") for value in (30.0, 70.0)]
    if macd:
        labels += [(macd(value), f"{value:.2g}") for value in (0.0, macd.high)]
    return labels


def one_panel(
    days: Sequence[date],
    scale: Scale,
    currency: str,
    width: int,
    edges: tuple[int, float],
    *,
    below: float = 0.0,
    notes: Sequence[ChartNote] = (),
) -> Plot:
    """Return the layout of a chart of lines.

    Args:
        days: Of the values, ascending.
        scale: Axis of the values.
        currency: Or another unit, written above the axis.
        width: Width of the coordinates in pixels.
        edges: Letters of the widest label on the left, and pixels on the right.
        below: Pixels between the panel and its dates.
        notes: Events.
    """
    letters, right = edges
    return Plot(
        days=[day.isoformat() for day in days],
        price=scale,
        ticks=axis_ticks(scale),
        currency=currency,
        width=width,
        height=scale.bottom + below + _AXIS_HEIGHT,
        left=max(letters, len(currency)) * LETTER + 12,
        right=width - right,
        notes=notes,
    )


def whole_digits(low: float, high: float) -> int:
    """Return the letters of the widest label of an axis without its decimals."""
    return max(len(f"{value:,.0f}") for value in scales.round_ticks(low, high))


def level_words(name: str, level: float, price: Scale) -> str:
    """Return the label of a level, with an arrow if it lies outside the price axis."""
    arrow = "" if price.holds(level) else " ↑" if level > price.high else " ↓"
    return f"{name.capitalize()} {words.price(level)}{arrow}"


def lay_out(
    prices: Prices,
    decision: Decision | None,
    trade_date: date,
    overlays: Mapping[str, Floats],
    bars: int,
    width: int,
    benchmark: str = "",
    notes: Sequence[ChartNote] = (),
) -> PricePlot | None:
    """Lay out the last `bars` bars on `width` pixels; None if none can be drawn."""
    first = max(0, len(prices) - bars)
    columns = (prices.open, prices.high, prices.low, prices.close, prices.volume)
    opened, high, low, close, traded = (column[first:] for column in columns)
    drawn = np.isfinite(opened) & np.isfinite(high) & np.isfinite(low) & np.isfinite(close)
    if not drawn.any():
        return None
    days = prices.days[first:]
    series = {name: values[first:] for name, values in overlays.items()}
    levels = _levels(decision, float(close[drawn][-1]))
    wished = [*levels.values(), *_extremes(series)]
    lowest, highest = scales.price_range(float(low[drawn].min()), float(high[drawn].max()), wished)
    price = Scale(lowest, highest, _TOP, _TOP + _PRICE_HEIGHT)
    traded = np.where(np.isfinite(traded), traded, 0.0)
    volume = _panel_below(price, float(traded.max())) if traded.max() > 0 else None
    rsi = _panel_below(volume or price, 100.0) if np.isfinite(series.get("rsi", np.array([]))).any() else None
    macd = _momentum_panel(rsi or volume or price, series)
    ticks = axis_ticks(price, volume, rsi, macd)
    widest_level = max(len(level_words(name, level, price)) for name, level in levels.items())
    return PricePlot(
        symbol=prices.symbol,
        currency=prices.currency,
        days=days.astype(str).tolist(),
        open=opened,
        high=high,
        low=low,
        close=close,
        traded=traded,
        drawn=drawn,
        overlays=series,
        decision=decision,
        levels=levels,
        marked=_bar_of(trade_date, days),
        width=width,
        height=(macd or rsi or volume or price).bottom + _AXIS_HEIGHT,
        left=max(len(label) for _, label in ticks) * LETTER + 12,
        right=width - widest_level * LETTER - 16,
        price=price,
        ticks=ticks,
        volume=volume,
        rsi=rsi,
        macd=macd,
        notes=notes,
        benchmark=benchmark,
    )


def _bar_of(trade_date: date, days: Days) -> int | None:
    """Return the bar of a day, or the last one before it."""
    at = int(np.searchsorted(days, np.datetime64(trade_date, "D"), side="right")) - 1
    return at if at >= 0 else None


def _panel_below(above: Scale, high: float) -> Scale:
    top = above.bottom + _PANEL_GAP
    return Scale(0.0, high, top, top + _PANEL_HEIGHT)


def _momentum_panel(above: Scale, series: Mapping[str, Floats]) -> Scale | None:
    """Return the panel of the MACD, symmetrical about zero; None where no value is known."""
    values = np.concatenate([series[name] for name in MACD if name in series] or [np.array([])])
    known = np.abs(values[np.isfinite(values)])
    if not len(known) or known.max() == 0:
        return None
    panel = _panel_below(above, 1.0)
    return replace(panel, low=-float(known.max()), high=float(known.max()))


def _levels(decision: Decision | None, last_close: float) -> dict[str, float]:
    named = {"target": decision.target, "entry": decision.entry, "stop": decision.stop} if decision else {}
    levels = {name: level for name, level in named.items() if level is not None and np.isfinite(level)}
    return levels if "entry" in levels else {**levels, "close": last_close}


def _extremes(series: Mapping[str, Floats]) -> list[float]:
    """Return the lowest and highest values of the band and the benchmark, to include in the price axis."""
    known = [series[name][np.isfinite(series[name])] for name in (*BAND, BENCHMARK) if name in series]
    return [float(edge) for values in known if len(values) for edge in (values.min(), values.max())]
