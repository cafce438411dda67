"""Charts of bars: every bar and the line lie where their values are."""

from __future__ import annotations

import re

import pytest

from tests.reports.page import Page
from tests.valuation.cases import FULL
from tradingagents.features.valuation_report.sheets.inputs import label
from tradingagents.reports.charts.value_bars import ValueBar, football_field, tornado_chart
from tradingagents.reports.charts.value_grid import value_grid
from tradingagents.valuation import grid

BARS = [ValueBar("First", 10.0, 20.0, 15.0), ValueBar("Second", 12.0, 40.0)]


def rects(svg: str) -> list[tuple[str, float, float]]:
    """Return class, left and right of each bar."""
    return [(one["class"], float(one["x"]), float(one["x"]) + float(one["width"])) for one in Page(svg).of("rect")]


def test_bars_lie_on_one_scale_with_the_price():
    svg = football_field(BARS, price=30.0, currency="USD", name="Company")
    (_, first, first_end), (_, second, second_end) = rects(svg)
    line = float(re.search(r'class="price" d="M([\d.]+)', svg)[1])

    a_point = (first_end - first) / 10
    assert second - first == pytest.approx(2 * a_point, abs=0.2)
    assert second_end - first == pytest.approx(30 * a_point, abs=0.2)
    assert line - first == pytest.approx(20 * a_point, abs=0.2)
    assert "Second: 12.00 to 40.00. The price is 30.00." in svg


def test_a_tornado_meets_at_the_base_value_whichever_shift_is_lower():
    bars = [ValueBar("Cost", 30.0, 20.0, None, "-1 points", "+1 points")]
    (low, high) = rects(tornado_chart(bars, base=25.0, currency="USD", name="Company"))

    assert low[0] == "low"
    assert low[1] == pytest.approx(high[2], abs=0.2)  # the low shift gives the higher value, on the right


@pytest.mark.parametrize("width", [320, 960])
@pytest.mark.parametrize("values", [(5.0, 5.0), (-3.0, 4.0), (1e-9, 2e-9), (1e12, 3e12)])
def test_any_values_stay_within_the_chart(values, width):
    svg = football_field([ValueBar("x" * 300, *values)], price=values[0], currency="", name="</svg>", width=width)
    for _, left, right in rects(svg):
        assert 0 <= left <= right <= width


def test_a_grid_is_coloured_around_the_price_and_marks_its_base():
    shown = value_grid(grid(FULL, "wacc", "stable_growth"), 28.0, label)
    cells = {(row, column): cell for row, (_, line) in enumerate(shown.rows) for column, cell in enumerate(line)}

    assert [at for at, cell in cells.items() if cell.base] == [(2, 2)]
    assert cells[2, 2].text == "28.79"
    assert (cells[0, 4].text, cells[0, 4].step) == ("43.02", 5)
    assert all((cell.step or 0) <= 0 for cell in cells.values() if float(cell.text) < 28)
    assert all((cell.step or 0) >= 0 for cell in cells.values() if float(cell.text) > 28)
