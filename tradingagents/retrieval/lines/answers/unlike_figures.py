"""Parts of a company that are set against each other by figures of different kinds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tradingagents.retrieval.lines.company_books import LineBooks
from tradingagents.retrieval.lines.line_answer import LineValue
from tradingagents.retrieval.lines.line_questions import LineQuestion
from tradingagents.retrieval.lines.row_cells import says
from tradingagents.retrieval.lines.rows.asked_line import AskedLine
from tradingagents.retrieval.series.span import FiscalPeriod


def of_unlike_figures(
    asked: LineQuestion,
    lines: Sequence[AskedLine],
    values: Sequence[LineValue],
    is_revenue: Callable[[LineBooks, str, FiscalPeriod], bool],
    period: FiscalPeriod | None,
) -> str:
    """Say that the revenue of one part would be set against another figure of the others; empty where it is not so.

    As in `launch fees at Orbital or Lunar`, where a row of Orbital names the fees, and that of Lunar the part alone.
    """
    if len(asked.alternatives) < 2 or asked.measures or period is None or not (asked.direction or asked.against):
        return ""
    rows = {(value.company, value.line): value.row for value in values if value.row}
    of_parts: list[str] = []
    of_figures: list[str] = []
    for line in lines:
        phrase, row = " ".join(line.phrases), rows.get((line.books.name, line.name), "")
        if not row or line.growth or line.qualifiers:
            continue
        revenue = is_revenue(line.books, phrase, period)
        if says(row, phrase) and revenue:
            of_parts.append(line.name)
        elif not (says(row, phrase) or revenue):
            of_figures.append(line.name)
    if not of_parts or not of_figures:
        return ""
    return f"no figure of {of_parts[0]} is named, and that of {of_figures[0]} is not its revenue"
