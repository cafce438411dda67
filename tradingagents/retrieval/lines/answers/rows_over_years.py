"""Whether two rows that give a line for two periods are one line: filings rename rows, and name others alike."""

from __future__ import annotations

from collections.abc import Callable

from tradingagents.retrieval.lines.cells.cell_choice import same_value
from tradingagents.retrieval.lines.cells.found_cells import FoundCell, WantedLine
from tradingagents.retrieval.lines.row_cells import cells_of_table
from tradingagents.retrieval.series.span import FiscalPeriod

Found = tuple[FoundCell, WantedLine]


def how_rows_differ(
    one: Found | None,
    other: Found | None,
    first: FiscalPeriod,
    then: FiscalPeriod,
    called: Callable[[FiscalPeriod], str],
) -> str:
    """Say that two figures of a line are of rows that differ; empty where no filing gives both for one period."""
    if one is None or other is None or one[0].shown == other[0].shown:
        return ""
    if one[1].nearest or other[1].nearest:
        return f"the rows {one[0].shown!r} and {other[0].shown!r} may be of different things"
    for (cell, wanted), (named, _), at in ((one, other, first), (other, one, then)):
        tables = [each for each in cell.document.tables if named.row.label in {row.label for row in each.rows}]
        found = [each for table in tables for each in cells_of_table(cell.document, table, wanted, at)]
        of_named = [each for each in found if (each.shown, each.unit) == (named.shown, cell.unit)]
        if any(not same_value(each.value, cell.value) for each in of_named):
            return f"the rows {cell.shown!r} and {named.shown!r} differ in {called(at)}"
    return ""
