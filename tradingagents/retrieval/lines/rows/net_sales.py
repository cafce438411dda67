"""Net sales of companies whose income statements have another total of revenues, with fees of members beside sales."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tradingagents.retrieval.lines.cells.found_cells import FoundCell, WantedLine
from tradingagents.retrieval.lines.line_answer import LineValue
from tradingagents.retrieval.lines.row_cells import cells_of_table
from tradingagents.retrieval.lines.rows.asked_line import AskedLine
from tradingagents.retrieval.series.span import FiscalPeriod

_NAME = "net sales"
_ALIKE = 1e-4
"""Relative difference of one figure in two places."""


def says_net_sales(line: AskedLine) -> bool:
    """Return whether a line of a whole company is of its net sales by that name, or a ratio to them."""
    whole = not (line.phrases or line.qualifiers or line.growth or line.per_employee)
    return whole and line.measure is not None and _NAME in line.measure.name and "revenue" in line.measure.expression


def of_net_sales(
    line: AskedLine, periods: Sequence[FiscalPeriod], values: Sequence[LineValue]
) -> tuple[list[LineValue], tuple[str, ...]]:
    """Return the figures of a line with the net sales of income statements that differ from their total revenues.

    A ratio to the total is a gap then, and so is a period of which no stored statement shows both.
    """
    cells = [_cell(line, period) for period in periods]
    if all(cell is None for cell in cells):
        return list(values), ()
    of_sales = line.measure is not None and line.measure.item == "revenue"
    gap = f"net sales are not the total revenues of {line.books.name}, and no stored statement shows them for it"
    if not of_sales:
        gap = f"it is known over the total revenues of {line.books.name} alone, which are more than its net sales"
    found = [
        value.model_copy(update=_of_cell(cell) if cell is not None and of_sales else {**_NOTHING, "gap": gap})
        for cell, value in zip(cells, values, strict=True)
    ]
    return found, (f"Net sales of {line.books.name} are less than its total revenues, which its statements show too.",)


_NOTHING = {"value": None, "unit": "", "formula": "", "operands": ()}


def _of_cell(cell: FoundCell) -> dict[str, object]:
    operands = (cell.operand("net_sales"),)
    return {"value": cell.value, "unit": cell.unit, "formula": "", "operands": operands, "gap": "", "row": cell.shown}


def _cell(line: AskedLine, period: FiscalPeriod) -> FoundCell | None:
    """Return the net sales of a period from the first income statement that shows another total of revenues."""
    for info in line.books.filings_of(period):
        document = line.books.readable(info)
        for table in document.tables:
            if table.statement != "income" or not any(
                row.label.lower().startswith("total revenue") for row in table.rows
            ):
                continue
            wanted = WantedLine(phrase=_NAME, kind="money", company=line.books.name_words)
            cells = [
                cell
                for cell in cells_of_table(document, table, wanted, period)
                if cell.row.label.lower().strip(" :") == _NAME
            ]
            if cells and all(math.isclose(cell.value, cells[0].value, rel_tol=_ALIKE) for cell in cells):
                return cells[0]
    return None
