"""The chart of an answer over several periods, a line for each company and line item."""

from __future__ import annotations

from markupsafe import Markup

from tradingagents.reports.charts.line_chart import ChartLine, line_chart
from tradingagents.reports.document import Exhibit
from tradingagents.retrieval.lines.line_answer import LineAnswer, is_amount

MOST_LINES = 8
"""A chart with more lines cannot be read; the table has them all."""
WIDTHS = (("wide", 760), ("narrow", 380))


def chart_of(answer: LineAnswer | None) -> Exhibit | None:
    """Return an answer's figures as a chart; None where there are no two periods, several units, or too many lines."""
    if answer is None:
        return None
    places, known = answer.periods, [value for value in answer.values if value.value is not None]
    units = {value.unit for value in known}
    by_place = {(value.company, value.line, value.period): value.value for value in known}
    names = list(dict.fromkeys((value.company, value.line) for value in known))
    if len(places) < 2 or len(units) != 1 or not 1 <= len(names) <= MOST_LINES or len(known) < 2:
        return None
    unit = units.pop()
    factor, name = answer.scale if is_amount(unit) else (1.0, unit)
    percent = unit == "percent"
    if percent:
        factor = 100.0
    companies = {company for company, _ in names}
    lines = [
        ChartLine(
            company if len(names) == len(companies) else f"{company} {line}" if len(companies) > 1 else line,
            [None if (value := by_place.get((company, line, place))) is None else value / factor for place in places],
        )
        for company, line in names
    ]
    title = ", ".join(dict.fromkeys(line for _, line in names)).capitalize()
    say = None if percent else _number
    charts = [
        (kind, Markup(line_chart(title, places, lines, width=width, say=say)))  # noqa: S704 - charts escape their texts
        for kind, width in WIDTHS
    ]
    span = f"{places[0]} to {places[-1]}"
    return Exhibit(1, title, f"{'Percent' if percent else name}, {span}", "the cells cited above", charts)


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 or value == round(value) else f"{value:,.2f}"
