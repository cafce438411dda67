"""The chart of an answer over periods: what is drawn, in which unit, and when nothing is."""

from __future__ import annotations

import re

import pytest

from tradingagents.features.filings_qa.chart import MOST_LINES, chart_of
from tradingagents.retrieval.lines.line_answer import LineAnswer, LineValue


def answer(*rows: tuple[str, str, str, float | None, str]) -> LineAnswer:
    """Return an answer of figures, each (company, line, period, value, unit)."""
    values = tuple(
        LineValue(company=company, line=line, period=period, value=value, unit=unit, gap="" if value else "not filed")
        for company, line, period, value, unit in rows
    )
    return LineAnswer(question="?", values=values)


def revenue(company: str, *values: float | None) -> list[tuple[str, str, str, float | None, str]]:
    years = range(2022, 2022 + len(values))
    return [(company, "revenue", f"FY{year}", value, "USD") for year, value in zip(years, values, strict=True)]


def points(svg: str) -> list[tuple[float, float]]:
    """Return the places of the first line's points."""
    path = re.findall(r'<path class="line l0" d="([^"]+)"', svg)[0]
    return [(float(x), float(y)) for x, y in re.findall(r"[ML]([\d.]+) ([\d.]+)", path)]


def test_amounts_are_drawn_in_the_unit_of_the_table():
    drawn = chart_of(answer(*revenue("VELQ", 100e6, 200e6, 400e6)))
    assert drawn is not None
    assert (drawn.title, drawn.unit) == ("Revenue", "USD millions, FY2022 to FY2024")
    assert [kind for kind, _ in drawn.charts] == ["wide", "narrow"]
    svg = str(drawn.charts[0][1])
    assert "VELQ: FY2022 100, FY2023 200, FY2024 400." in svg
    (_, first), (_, second), (_, third) = points(svg)
    assert third < second < first
    # Equal steps of value are equal steps on the chart: 100 to 200 is half of 200 to 400.
    assert second - third == pytest.approx(2 * (first - second), abs=0.2)


def test_shares_are_drawn_in_percent_and_a_gap_leaves_the_line_open():
    rows = [
        ("VELQ", "margin", f"FY{year}", value, "percent") for year, value in ((2022, 12.5), (2023, None), (2024, 20.0))
    ]
    drawn = chart_of(answer(*rows))
    assert drawn is not None
    assert drawn.unit.startswith("Percent")
    assert "FY2022 12.5%, FY2024 20.0%" in str(drawn.charts[0][1])
    assert (
        len(re.findall(r"M[\d.]+ [\d.]+", re.findall(r'<path class="line l0" d="([^"]+)"', str(drawn.charts[0][1]))[0]))
        == 2
    )


@pytest.mark.parametrize(
    "given",
    [
        None,
        answer(),
        answer(*revenue("VELQ", 1e6)),
        answer(*revenue("VELQ", 1e6, None)),
        answer(*revenue("VELQ", 1e6, 2e6), ("VELQ", "margin", "FY2023", 5.0, "percent")),
        answer(*(row for number in range(MOST_LINES + 1) for row in revenue(f"C{number}", 1e6, 2e6))),
    ],
    ids=["no figures", "empty", "one period", "one figure", "two units", "too many lines"],
)
def test_what_makes_no_chart(given: LineAnswer | None):
    assert chart_of(given) is None


def test_companies_and_lines_are_told_apart():
    rows = [*revenue("VELQ", 1e6, 2e6), *revenue("MODZ", 3e6, 5e6)]
    both = chart_of(
        answer(*rows, *(("VELQ", "net income", period, value, "USD") for _, _, period, value, _ in rows[:2]))
    )
    assert both is not None
    svg = str(both.charts[0][1])
    assert [name in svg for name in ("VELQ revenue:", "VELQ net income:", "MODZ revenue:")] == [True] * 3
    alone = chart_of(answer(*rows))
    assert alone is not None
    assert "VELQ: FY2022 1," in str(alone.charts[0][1])
