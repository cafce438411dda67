"""Figures of years that only a table over many years still shows, such as the selected data of five years."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tradingagents.retrieval.lines.cells.found_cells import FoundCell, WantedLine
from tradingagents.retrieval.lines.row_cells import line_of_table
from tradingagents.retrieval.models import FiledTable, SourceDocument
from tradingagents.retrieval.series.span import FiscalPeriod

_FEWEST_YEARS = 4
"""Years of a table that goes on beyond those of the statements."""


def of_long_table(documents: Iterable[SourceDocument], wanted: WantedLine, period: FiscalPeriod) -> FoundCell | None:
    """Return the figure of a line item of the whole company from a table over many years.

    None where no table has it, or where tables of one filing give different ones.
    """
    for document in documents:
        cells = list(_cells(document, wanted, period))
        if cells:
            agreed = all(cell.value == cells[0].value and cell.unit == cells[0].unit for cell in cells)
            return cells[0] if agreed else None
    return None


def _cells(document: SourceDocument, wanted: WantedLine, period: FiscalPeriod) -> Iterator[FoundCell]:
    for table in document.tables:
        if len(_years(table)) < _FEWEST_YEARS:
            continue
        if (cell := line_of_table(document, table, wanted, period, of_all=True)) is not None:
            yield cell


def _years(table: FiledTable) -> frozenset[int]:
    return frozenset(column.fiscal_year for column in table.columns if column.fiscal_year)
