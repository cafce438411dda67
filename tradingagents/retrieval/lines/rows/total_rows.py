"""Totals that a table calls nothing but `Total`, of what the sentence before it says: `total monthly active users`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tradingagents.retrieval.index.words import stem
from tradingagents.retrieval.lines.cells.cell_choice import distinct, same_value
from tradingagents.retrieval.lines.cells.cell_units import cell_figure
from tradingagents.retrieval.lines.cells.column_periods import fact_is_of, is_of_period
from tradingagents.retrieval.lines.cells.found_cells import FoundCell, LineFound, WantedLine
from tradingagents.retrieval.lines.rows.label_words import sentence_words, short_title_words, stems_of
from tradingagents.retrieval.lines.rows.row_checks import is_of_kind
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.series.span import FiscalPeriod

_BARE = re.compile(r"(?i)\W*(?:grand )?total\W*")
_SAYS_TOTAL = frozenset(map(stem, ("total", "overall", "companywide")))


def total_of_table(documents: Iterable[SourceDocument], wanted: WantedLine, period: FiscalPeriod) -> LineFound:
    """Return the total of the one table that is of what is wanted, where the question says total; nothing else."""
    named = wanted.item or wanted.measure or wanted.growth or wanted.qualifiers or wanted.without
    if named or not wanted.phrase or not wanted.spoken & _SAYS_TOTAL:
        return LineFound()
    for document in documents:
        cells = list(_cells(document, wanted, period))
        if cells:
            agree = all(same_value(cell.value, cells[0].value) and cell.unit == cells[0].unit for cell in cells)
            return LineFound(cells[0]) if agree else LineFound(candidates=distinct(cells))
    return LineFound()


def _cells(document: SourceDocument, wanted: WantedLine, period: FiscalPeriod) -> Iterator[FoundCell]:
    asked = stems_of(wanted.phrase)
    for table in document.tables:
        totals = [row for row in table.rows if _BARE.fullmatch(row.label)]
        if len(totals) != 1 or table.section or not asked <= sentence_words(table) | short_title_words(table):
            continue
        for at, (column, cell) in enumerate(zip(table.columns, totals[0].cells, strict=True)):
            if cell is None or cell.value is None:
                continue
            of_period = (
                is_of_period(document, table, at, column, period, growth=False, months=wanted.months)
                if cell.fact is None
                else fact_is_of(document, cell.fact, period, wanted.months)
            )
            value, unit = cell_figure(table, totals[0], column, cell)
            if of_period and is_of_kind(unit, wanted, column):
                yield FoundCell(document, table, totals[0], column, cell, value, unit, 0)
