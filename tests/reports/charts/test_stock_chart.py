"""The chart of a stock without a decision: events, MACD, legend; and the comparison chart."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from datetime import date, timedelta
from itertools import pairwise

import numpy as np
import pytest

from tests.reports.hostile import PAYLOADS
from tests.reports.sample import sample_prices
from tradingagents.analytics.price.indicators import momentum_for, overlays_for
from tradingagents.reports.charts.comparison_chart import comparison_chart
from tradingagents.reports.charts.plot import ChartNote
from tradingagents.reports.charts.price_chart import stock_chart

SVG = "{http://www.w3.org/2000/svg}"


def parsed(markup: str) -> ET.Element:
    return ET.fromstring(markup)  # noqa: S314 - our own chart


def paths(chart: ET.Element, css: str) -> list[str]:
    return [path.get("d", "") for path in chart.iter(f"{SVG}path") if path.get("class") == css]


def texts(chart: ET.Element) -> list[tuple[str, float, float]]:
    return [(text.text or "", float(text.get("x", 0)), float(text.get("y", 0))) for text in chart.iter(f"{SVG}text")]


def test_events_stand_at_their_bar_and_above_each_other():
    prices = sample_prices(20)
    day = prices.days[10].item()
    notes = [ChartNote(day, "E", "results"), ChartNote(day, "N", "note"), ChartNote(prices.days[0].item(), "D", "paid")]
    chart = parsed(stock_chart(prices, overlays={}, notes=notes))
    marks = {text: (x, y) for text, x, y in texts(chart) if text in "END"}
    assert marks["E"][0] == marks["N"][0] > marks["D"][0]
    assert marks["E"][1] - marks["N"][1] == pytest.approx(17)
    told = [title.text for title in chart.iter(f"{SVG}title")]
    assert f"{day} results" in told


def test_marks_near_each_other_do_not_cover_each_other():
    prices = sample_prices(320)
    notes = [ChartNote(day, "E", "x") for day in prices.days[::5].astype(object).tolist()]
    markup = stock_chart(prices, overlays={}, notes=notes, bars=320)
    marks = [(x, y) for text, x, y in texts(parsed(markup)) if text == "E"]
    assert len(marks) == 64
    assert all(
        abs(one[0] - other[0]) >= 16.9 or abs(one[1] - other[1]) >= 16.9
        for at, one in enumerate(marks)
        for other in marks[:at]
    )


def test_an_event_on_a_closed_day_stands_at_the_next_bar_and_one_outside_nowhere():
    prices = sample_prices(20)
    gap = next(at for at in range(1, 20) if prices.days[at] - prices.days[at - 1] > np.timedelta64(1, "D"))
    closed = prices.days[gap].item() - timedelta(days=1)
    notes = [
        ChartNote(closed, "A", "x"),
        ChartNote(prices.days[gap].item(), "B", "x"),
        ChartNote(date(1999, 1, 1), "Z", "x"),
    ]
    found = {text: x for text, x, _ in texts(parsed(stock_chart(prices, overlays={}, notes=notes)))}
    assert found["A"] == found["B"]
    assert "Z" not in found


def test_the_macd_has_a_panel_symmetrical_about_zero():
    prices = sample_prices(320)
    chart = parsed(stock_chart(prices, overlays={**overlays_for(prices), **momentum_for(prices)}))
    labels = {text: y for text, _, y in texts(chart)}
    assert "MACD 12, 26, 9" in labels
    assert "MACD 12, 26, 9" not in {text for text, _, _ in texts(parsed(stock_chart(prices, overlays={})))}
    assert len(paths(chart, "vol")) == 2  # volume, and the bars of the MACD


def test_a_legend_too_long_for_a_phone_goes_on_in_a_second_row():
    prices = sample_prices(320)
    overlays = {**overlays_for(prices), **momentum_for(prices)}
    rows = {y for text, _, y in texts(parsed(stock_chart(prices, overlays=overlays, width=380))) if "Bollinger" in text}
    assert rows == {31.0}
    wide = {y for text, _, y in texts(parsed(stock_chart(prices, overlays=overlays))) if "Bollinger" in text}
    assert wide == {15.0}


@pytest.mark.parametrize("payload", PAYLOADS)
def test_texts_of_events_are_escaped(payload: str):
    prices = sample_prices(5)
    markup = stock_chart(prices, overlays={}, notes=[ChartNote(prices.days[2].item(), "N", payload)])
    assert parsed(markup) is not None
    assert "<script" not in markup


def test_compared_lines_start_at_100_and_end_at_their_label():
    days = [date(2025, 1, 1) + timedelta(days=number) for number in range(3)]
    lines = {"AAA": np.array([100.0, 110, 120]), "BBB": np.array([100.0, np.nan, 90])}
    chart = parsed(comparison_chart(days, lines))
    labels = {text: (x, y) for text, x, y in texts(chart)}
    assert {"AAA 120.0", "BBB 90.0"} <= labels.keys()
    (line,) = [path for path in paths(chart, "line c0") if "L" in path]
    heights = [float(y) for y in re.findall(r"[\d.]+ ([\d.]+)", line)]
    # axis 90 to 120 with 4% of 30 of room: 120 at 30 + 300 * 1.2 / 32.4, 100 at 330 - 300 * 11.2 / 32.4
    assert [heights[-1], heights[0]] == pytest.approx([41.1, 226.3], abs=0.05)
    assert labels["AAA 120.0"][1] < labels["BBB 90.0"][1]


@pytest.mark.parametrize("width", [960, 380])
def test_labels_of_compared_lines_fit_in_the_chart_and_do_not_overlap(width: int):
    days = [date(2025, 1, 1) + timedelta(days=number) for number in range(30)]
    names = ("WWWWW", "BRK-B", "MMMM", "SPY", "QQQ", "IWM")
    chart = parsed(comparison_chart(days, {name: np.linspace(100, 100.1, 30) for name in names}, width=width))
    ends = [(x + 7.6 * len(text), y) for text, x, y in texts(chart) if text.endswith(" 100.1")]
    assert len(ends) == 6
    assert all(end <= width for end, _ in ends)
    heights = sorted(y for _, y in ends)
    assert all(below - above >= 14.9 for above, below in pairwise(heights))


def test_more_lines_than_can_be_told_apart_are_refused():
    with pytest.raises(ValueError, match="at most 6 lines"):
        comparison_chart([date(2025, 1, 1)], {str(number): np.array([100.0]) for number in range(7)})
    with pytest.raises(ValueError, match="a value for each"):
        comparison_chart([date(2025, 1, 1)], {"A": np.array([100.0, 101.0])})
