"""The layout of the price chart: its bars, its panels, and all positions in pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

import numpy as np

from tradingagents.dataflows.models import Floats, Prices
from tradingagents.reports import formatting as words
from tradingagents.reports.charts import scales
from tradingagents.reports.charts.scales import Scale
from tradingagents.schemas.records import DecisionRecord

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

Series = list[float]


@dataclass(frozen=True, slots=True)
class ChartNote:
    """An event at a bar."""

    day: date
    letter: str
    """Shown in its mark."""
    text: str


@dataclass(frozen=True)
class Plot:
    """Data for the layers of a chart: the visible bars and their positions."""

    symbol: str
    currency: str
    days: list[str]
    months: list[int]
    """First bars of a month."""
    open: Series
    high: Series
    low: Series
    close: Series
    traded: Series
    """Volume; 0 if unknown."""
    drawn: list[bool]
    """Whether a bar has all four prices."""
    overlays: Mapping[str, Series]
    decision: DecisionRecord | None
    levels: Mapping[str, float]
    """Target, entry and stop as far as given; the last close if there is no entry."""
    marked: int | None
    """The trade date's bar."""
    width: int
    height: float
    price: Scale
    volume: Scale | None
    rsi: Scale | None
    macd: Scale | None = None
    notes: Sequence[ChartNote] = ()
    """Events drawn on the price panel."""
    benchmark: str = ""
    """Symbol of the benchmark."""
    left: float = 0.0
    """Left edge of the panels."""
    right: float = 0.0

    @cached_property
    def slot(self) -> float:
        """Width of each bar's slot in pixels."""
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
    def x_texts(self) -> list[str]:
        """The middle of each bar as it is written in a path: every line of the chart goes through them."""
        return [f"{self.x(at):.1f}" for at in range(len(self.days))]

    def x(self, at: int) -> float:
        """Return the middle of a bar."""
        return self.left + (at + 0.5) * self.slot

    def ticks(self) -> list[tuple[float, str]]:
        """Return (pixel, label) for each line across the panels, prices first."""
        decimals = scales.decimals_of(scales.tick_step(self.price.low, self.price.high))
        values = scales.round_ticks(self.price.low, self.price.high)
        labels = [(self.price(value), f"{value:,.{decimals}f}") for value in values]
        if self.volume:
            labels.append((self.volume.top, words.figure(round(self.volume.high))))
        if self.rsi:
            labels += [(self.rsi(value), f"{value:.0f}") for value in (30.0, 70.0)]
        if self.macd:
            labels += [(self.macd(value), f"{value:.2g}") for value in (0.0, self.macd.high)]
        return labels

    def level_words(self, name: str) -> str:
        """Return the label of a level, with an arrow if it lies outside the price axis."""
        level = self.levels[name]
        arrow = "" if self.price.holds(level) else " ↑" if level > self.price.high else " ↓"
        return f"{name.capitalize()} {words.price(level)}{arrow}"


def lay_out(
    prices: Prices,
    decision: DecisionRecord | None,
    trade_date: date,
    overlays: Mapping[str, Floats],
    bars: int,
    width: int,
    benchmark: str = "",
    notes: Sequence[ChartNote] = (),
) -> Plot | None:
    """Lay out the last `bars` bars on `width` pixels; None if none can be drawn."""
    first = max(0, len(prices) - bars)
    opened, high, low, close, traded = (
        column[first:] for column in (prices.open, prices.high, prices.low, prices.close, prices.volume)
    )
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
    marked = int(np.searchsorted(days, np.datetime64(trade_date, "D"), side="right")) - 1
    plot = Plot(
        symbol=prices.symbol,
        currency=prices.currency,
        days=[str(day) for day in days],
        months=scales.month_starts(days),
        open=opened.tolist(),
        high=high.tolist(),
        low=low.tolist(),
        close=close.tolist(),
        traded=traded.tolist(),
        drawn=drawn.tolist(),
        overlays={name: values.tolist() for name, values in series.items()},
        decision=decision,
        levels=levels,
        marked=marked if marked >= 0 else None,
        width=width,
        height=(macd or rsi or volume or price).bottom + _AXIS_HEIGHT,
        price=price,
        volume=volume,
        rsi=rsi,
        macd=macd,
        notes=notes,
        benchmark=benchmark,
    )
    widest_tick = max(len(label) for _, label in plot.ticks())
    widest_level = max(len(plot.level_words(name)) for name in levels)
    return replace(plot, left=widest_tick * LETTER + 12, right=width - widest_level * LETTER - 16)


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


def _levels(decision: DecisionRecord | None, last_close: float) -> dict[str, float]:
    named = {"target": decision["target"], "entry": decision["entry"], "stop": decision["stop"]} if decision else {}
    levels = {name: level for name, level in named.items() if level is not None and np.isfinite(level)}
    return levels if "entry" in levels else {**levels, "close": last_close}


def _extremes(series: Mapping[str, Floats]) -> list[float]:
    """Return the lowest and highest values of the band and the benchmark, to include in the price axis."""
    known = [series[name][np.isfinite(series[name])] for name in (*BAND, BENCHMARK) if name in series]
    return [float(edge) for values in known if len(values) for edge in (values.min(), values.max())]
