"""Lines of strategies over time."""

from __future__ import annotations

from datetime import date, timedelta

from tradingagents.reports.charts.comparison_chart import percent_chart


def test_lines_that_never_leave_zero_are_drawn():
    days = [date(2025, 3, 10) + timedelta(days=place) for place in range(3)]
    drawn = percent_chart("Drawdown", days, {"Decisions": [0.0, 0.0, 0.0]}, width=600)
    assert "On the last day: Decisions 0.0%" in drawn
    assert "nan" not in drawn
