"""Figures that each company defines for itself, as its filings print them: its free cash flow.

What the statements give for it is another figure where a company deducts more or less than its capital expenditures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tradingagents.retrieval.lines.cells.found_cells import FoundCell, WantedLine
from tradingagents.retrieval.lines.line_answer import LineValue, shown
from tradingagents.retrieval.lines.row_cells import find_line
from tradingagents.retrieval.lines.rows.asked_line import AskedLine
from tradingagents.retrieval.lines.rows.net_sales import of_net_sales, says_net_sales
from tradingagents.retrieval.series.span import FiscalPeriod

_OWN = frozenset({"free_cash_flow"})
"""Metrics that no accounting rule defines and many filings print."""
_ALIKE = 5e-3
"""Relative difference of a figure as printed from the same one worked out, which is rounding."""


def as_printed(
    line: AskedLine, periods: Sequence[FiscalPeriod], values: Sequence[LineValue]
) -> tuple[list[LineValue], tuple[str, ...]]:
    """Return the figures of a line as its filings print them, where they define it otherwise, and notes that say so.

    A period for which none prints it is a gap then: it would be another figure than those beside it.
    """
    if says_net_sales(line):
        return of_net_sales(line, periods, values)
    metric = line.measure.metric if line.measure is not None else None
    if metric is None or metric.key not in _OWN or line.phrases or line.qualifiers or line.growth or line.per_employee:
        return list(values), ()
    printed = [_printed(line, metric.names[0], period) for period in periods]
    differ = [
        (cell, value)
        for cell, value in zip(printed, values, strict=True)
        if cell is not None and not (value.value is not None and math.isclose(cell.value, value.value, rel_tol=_ALIKE))
    ]
    if not differ:
        return list(values), ()
    name, filing = differ[0][1].line, differ[0][0].document.info.name
    worked_out = "; ".join(
        f"{value.period} {shown(value.value, value.unit)}" for _, value in differ if value.value is not None
    )
    note = f"{name} is given as {filing} prints it" + (
        f"; worked out of the statements: {worked_out}." if worked_out else "."
    )
    gap = f"its filings define {name} otherwise than the statements give it, and none prints it for this period"
    return [
        value.model_copy(update=_of_cell(cell) if cell is not None else {**_NOTHING, "gap": gap})
        for cell, value in zip(printed, values, strict=True)
    ], (note,)


_NOTHING = {"value": None, "unit": "", "formula": "", "operands": ()}


def _of_cell(cell: FoundCell) -> dict[str, object]:
    operand = cell.operand("line")
    return {"value": cell.value, "unit": cell.unit, "formula": "", "operands": (operand,), "gap": "", "row": cell.shown}


def _printed(line: AskedLine, name: str, period: FiscalPeriod) -> FoundCell | None:
    documents = [line.books.readable(info) for info in line.books.filings_of(period)]
    wanted = WantedLine(measure=name, kind="money", company=line.books.name_words)
    return find_line(documents, wanted, period).cell
