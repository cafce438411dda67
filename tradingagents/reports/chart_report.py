"""The page of a chart: candles and comparison for wide screens and phones, the numbers, and the events."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from markupsafe import Markup

from tradingagents.analytics.price.chart_data import ChartData, ChartEvent, Numbers
from tradingagents.dataflows.models import Floats, Prices
from tradingagents.reports.charts.comparison_chart import comparison_chart
from tradingagents.reports.charts.plot import ChartNote
from tradingagents.reports.charts.price_chart import chart_css, stock_chart
from tradingagents.reports.document import Block, Bullets, Card, Document, Masthead, Section, Table

LETTERS: Mapping[str, str] = {"earnings": "E", "dividend": "D", "split": "S", "note": "N"}
"""What marks each kind of event."""
SERIES_NAMES: Mapping[str, str] = {
    "close_10_ema": "EMA 10",
    "close_50_sma": "SMA 50",
    "close_200_sma": "SMA 200",
    "boll_ub": "Bollinger, upper",
    "boll_lb": "Bollinger, lower",
    "rsi": "RSI 14",
    "macd": "MACD",
    "macds": "MACD signal",
    "macdh": "MACD less signal",
}
WIDE, PHONE_WIDTH, PHONE_BARS = 960, 380, 65


def chart_document(data: ChartData) -> Document:
    """Return the page of a chart."""
    facts = [
        ("From", str(data.start)),
        ("To", str(data.end)),
        ("Currency", data.currency or ""),
        ("Source", data.source),
        ("Known by", f"{data.known_at:%Y-%m-%d %H:%M} UTC" if data.known_at else ""),
    ]
    events = [(event.day.isoformat(), LETTERS[event.kind], event.kind, event.text) for event in data.events]
    figures = [(SERIES_NAMES.get(one.name) or one.name.replace("_", " "), one.text) for one in data.figures()]
    return Document(
        title=data.title,
        facts=facts,
        masthead=Masthead(
            title=data.title,
            eyebrow="Chart",
            heading=data.title.removeprefix("Chart: "),
            detail=f"{data.start} to {data.end}",
            facts=[(name, value) for name, value in facts if value],
            identity="Drawn from data, without a language model",
        ),
        sections=[
            Section("Price", [_price_card(data)], id="price", menu="Price"),
            Section("Comparison", _comparison(data), id="comparison", menu="Comparison" if data.compared else ""),
            Section("Numbers", [Table(("Figure", "Value"), figures)], id="numbers", menu="Numbers"),
            Section(
                "Events",
                [Table(("Day", "Mark", "Event", "What"), events)] if events else [],
                id="events",
                menu="Events" if events else "",
            ),
            Section("Notes", [Bullets(data.notes)] if data.notes else [], id="notes"),
        ],
        inline_styles=(chart_css(),),
    )


def bars_of(data: ChartData) -> Prices:
    """Return the bars of a chart; a volume that was not asked for is unknown."""
    unknown: Numbers = (None,) * len(data.days)
    closes = floats(data.closes)
    return Prices(
        symbol=data.symbol or "",
        days=np.array(data.days, dtype="datetime64[D]"),
        open=floats(data.opens),
        high=floats(data.highs),
        low=floats(data.lows),
        close=closes,
        adj_close=closes,
        volume=floats(data.volumes or unknown),
        currency=data.unit,
        vendor=data.source,
        fetched_at=data.fetched_at,
    )


def floats(values: Numbers) -> Floats:
    """Return numbers as an array; NaN where one is not known."""
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _price_card(data: ChartData) -> Card:
    prices, overlays = bars_of(data), {one.name: floats(one.values) for one in data.series}
    notes = [_note(event) for event in data.events]
    wide = stock_chart(prices, overlays=overlays, notes=notes, bars=len(prices), width=WIDE)
    narrow = stock_chart(
        prices, overlays=overlays, notes=notes, bars=min(PHONE_BARS, len(prices)), width=PHONE_WIDTH, tips=False
    )
    return _figure(wide, narrow)


def _comparison(data: ChartData) -> list[Block]:
    if not data.compared:
        return []
    lines = {one.symbol: floats(one.values) for one in data.compared}
    return [_figure(*(comparison_chart(data.days, lines, width=width) for width in (WIDE, PHONE_WIDTH)))]


def _figure(wide: str, narrow: str) -> Card:
    drawn = [("wide", Markup(wide)), ("narrow", Markup(narrow))]  # noqa: S704 - the charts escape their texts
    return Card("chart", (drawn,))


def _note(event: ChartEvent) -> ChartNote:
    return ChartNote(event.day, LETTERS[event.kind], event.text)
