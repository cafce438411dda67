"""The price chart: candles, volume, averages, RSI and the decision's levels as one inline SVG, without a library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from importlib.resources import files

import numpy as np

from tradingagents.analytics.price.indicators import benchmark_line, overlays_for
from tradingagents.dataflows.models import Floats, Prices
from tradingagents.reports import formatting as words
from tradingagents.reports.charts import layers
from tradingagents.reports.charts.plot import BENCHMARK, ChartNote, Plot, PricePlot, lay_out
from tradingagents.schemas.decision import Decision

__all__ = ["chart_css", "drawn_chart", "overlays_for", "price_chart", "price_plot", "stock_chart"]


def price_chart(
    prices: Prices,
    *,
    decision: Decision | None,
    trade_date: date,
    overlays: Mapping[str, Floats] | None,
    benchmark: Prices | None = None,
    bars: int = 130,
    width: int = 960,
    tips: bool = True,
) -> str:
    """Draw the last `bars` bars as an SVG element that brings its own style and needs nothing from outside.

    Prices are drawn as given. Each bar answers the pointer with its numbers. A price level far off the bars is written
    at the edge with an arrow, so that it does not squash them.

    Args:
        prices: Daily bars; bars without all four prices stay empty.
        decision: Its action marks the trade date, its entry, stop and target become lines; None marks the day alone.
        trade_date: Day of the mark: its bar, or the last one before it. Not marked where it lies before the window.
        overlays: Series as long as `prices`, as `overlays_for` names them; NaN leaves a gap. Other names are ignored.
        benchmark: Its line is drawn as if it had stood at the stock's price at the first bar in view; None for no line.
        bars: Bars to draw.
        tips: Whether each bar answers a pointer; a phone has none.
        width: Width of the coordinates in pixels; the element itself takes the width it is given.

    Raises:
        ValueError: An overlay is not as long as `prices`.
    """
    plot = price_plot(
        prices,
        decision=decision,
        trade_date=trade_date,
        overlays=overlays or {},
        benchmark=benchmark,
        bars=bars,
        width=width,
    )
    return drawn_chart(plot, tips) if plot else empty_chart(prices.symbol, width)


def price_plot(
    prices: Prices,
    *,
    decision: Decision | None,
    trade_date: date,
    overlays: Mapping[str, Floats],
    benchmark: Prices | None,
    bars: int,
    width: int,
) -> PricePlot | None:
    """Return the layout of a price chart, None without bars to draw; arguments and errors as of `price_chart`."""
    for name, values in overlays.items():
        if len(values) != len(prices):
            raise ValueError(f"Overlay {name} has {len(values)} values for {len(prices)} bars; align it with the bars.")
    if benchmark is not None:
        overlays = {**overlays, BENCHMARK: benchmark_line(prices, benchmark, bars)}
    return lay_out(prices, decision, trade_date, overlays, bars, width, benchmark.symbol if benchmark else "")


def stock_chart(
    prices: Prices,
    *,
    overlays: Mapping[str, Floats],
    notes: Sequence[ChartNote] = (),
    bars: int = 130,
    width: int = 960,
    tips: bool = True,
) -> str:
    """Draw the last `bars` bars with chosen series and events, without a decision.

    Args:
        prices: As for `price_chart`, as are `bars`, `width` and `tips`.
        overlays: Series as long as `prices`, of those that `overlays_for` and `momentum_for` name.
        notes: Events; each is marked at the first bar on or after its day.
    """
    plot = lay_out(prices, None, date.min, overlays, bars, width, notes=notes)
    if plot is None:
        return empty_chart(prices.symbol, width)
    return drawn_chart(plot, tips)


def empty_chart(symbol: str, width: int) -> str:
    """Return a chart that says there are no prices."""
    note = layers.text(width / 2, 44, "No prices to draw.", "mid")
    return svg(symbol, "There are no prices to draw.", width, 80, note)


def drawn_chart(plot: PricePlot, tips: bool) -> str:
    """Draw a chart.

    Args:
        plot: Its layout.
        tips: Whether each bar answers a pointer.
    """
    drawn = [
        layers.axes(plot),
        _clipped(plot, layers.band(plot) + layers.candles(plot) + layers.averages(plot)),
        layers.strength(plot),
        layers.momentum(plot),
        layers.levels(plot),
        layers.mark(plot),
        layers.legend(plot),
        layers.volume(plot),
        layers.tips(plot) if tips else "",
        layers.notes(plot),
    ]
    return svg(plot.symbol, _description(plot), plot.width, plot.height, "".join(drawn))


@lru_cache(maxsize=1)
def chart_css() -> str:
    """Return the style sheet of every chart, as in its `style` element."""
    return files("tradingagents.reports").joinpath("templates/chart.css").read_text(encoding="utf-8")


def _clipped(plot: Plot, body: str) -> str:
    """Clip what exceeds the price axis to its panel: an SVG nested in an SVG clips at its edges."""
    top, height = plot.price.top, plot.price.bottom - plot.price.top
    size = f'y="{top:.1f}" width="{plot.width}" height="{height:.1f}"'
    return f'<svg {size} viewBox="0 {top:.1f} {plot.width} {height:.1f}">{body}</svg>'


def _description(plot: PricePlot) -> str:
    """Describe the chart in words, for screen readers."""
    shown = np.flatnonzero(plot.drawn)
    top, bottom = int(shown[plot.high[shown].argmax()]), int(shown[plot.low[shown].argmin()])
    parts = [
        f"{len(plot.days)} daily bars from {plot.days[0]} to {plot.days[-1]}, prices in {plot.currency}.",
        f"Last close {words.price(float(plot.close[shown[-1]]))},",
        f"highest {words.price(float(plot.high[top]))} on {plot.days[top]},",
        f"lowest {words.price(float(plot.low[bottom]))} on {plot.days[bottom]}.",
    ]
    if plot.decision:
        parts.append(f"Decision: {words.action_words(plot.decision.action)}.")
    given = [name for name in layers.LEVELS if name in plot.levels]
    parts += [f"{name.capitalize()} {words.price(plot.levels[name])}." for name in given]
    return " ".join(parts)


def svg(symbol: str, description: str, width: int, height: float, body: str) -> str:
    """Return the element of a chart with its title, its description and its style."""
    title, told = layers.clean(f"{symbol} price chart"), layers.clean(description)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="price-chart" viewBox="0 0 {width} {height:.0f}" role="img"'
        f' aria-label="{title}: {told}"><title>{title}</title><desc>{told}</desc>'
        f"<style>{chart_css()}</style>{body}</svg>"
    )
