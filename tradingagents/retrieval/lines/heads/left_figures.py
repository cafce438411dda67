"""Rows of plain text with more figures than their table has columns: those left over stand at the end of the label.

    2022 2021 2020 2022 vs. 2021 2021 vs. 2020            read as three columns, as most rows have three figures
    Billed business $ 553.0 $ 444.2 $ 337.6 24 % 32 %     the last three are not those of the three years

Where the figures behind those of the columns are their changes, the row has its own; else nobody can tell which of its
figures stand in which column, and it has none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from tradingagents.retrieval.lines.heads.above_tables import first_figure, lines_above
from tradingagents.retrieval.models import Column, FiledTable, Page, Row, SourceDocument, TableCell, TextPlace
from tradingagents.retrieval.text_columns import is_change
from tradingagents.retrieval.text_figures import PrintedFigure, PrintedLine, read_lines

_AMOUNT = re.compile(r"[$\u20ac\u00a3%()]|\d,\d{3}|\d\.\d")
"""What tells a figure that stands in a column from a year, a number of a note, or an age in a label."""
_LISTED = re.compile(r"(?:,|\band|\bof|\bor|\bto|\bat)\s*(?:[$\u20ac\u00a3]\s*)?$")
"""Stands before an amount that is a part of the label, as in `net of tax of $205, $221 and $219`."""
_FEWEST = 2
"""Rows of a table with as many figures more, all of them changes; one is enough where its changes are signed `%`."""


_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_MOST_ABOVE = 4
"""Lines between the heads and the first row."""
_SHARE = re.compile(r"[A-Za-z.] \(\d[\d.]*\s?%\)$")
_RANGE = re.compile(r"\d%?\s?[-\u2013]\s?[$\u20ac\u00a3]?\d[\d.]*\s?%?$")
"""Ends a label as a part of it, as a share that is owned does."""


@dataclass(frozen=True, slots=True)
class _FullLine:
    """The printed line of a row, and whether the figures behind those of the columns are their changes."""

    line: PrintedLine
    more: int
    of_changes: bool
    signed: bool


def with_own_figures(document: SourceDocument, table: FiledTable) -> FiledTable:
    """Return a table whose rows with figures left in their labels have those of the columns, or none."""
    if any(column.fiscal_year is None for column in table.columns):
        return table
    page = next((page for page in document.pages if page.number == table.page), None)
    lines = [None if page is None else _line_of(page, row, len(table.columns)) for row in table.rows]
    told = Counter(line.more for line in lines if line is not None and line.of_changes)
    rows = tuple(
        row if line is None else _with_cells(row, line, told, document.info.key)
        for row, line in zip(table.rows, lines, strict=True)
    )
    repaired = any(row.cells != before.cells and any(row.cells) for row, before in zip(rows, table.rows, strict=True))
    told_apart = len({(column.header, column.fiscal_year) for column in table.columns}) == len(table.columns)
    columns = table.columns if told_apart or not repaired or page is None else _first_years(page, table)
    return replace(table, rows=rows, columns=columns)


def _first_years(page: Page, table: FiledTable) -> tuple[Column, ...]:
    """Return columns with the years that begin the line of heads, where those of changes behind them were taken."""
    begin = first_figure(table) or table.start
    for line in reversed(lines_above(page, begin)[-_MOST_ABOVE:]):
        years = [int(year) for year in _YEAR.findall(line)][: len(table.columns)]
        if len(years) == len(table.columns) and {one - other for one, other in pairwise(years)} in ({1}, {-1}):
            return tuple(Column(str(year), fiscal_year=year) for year in years)
    return tuple(Column(column.header) for column in table.columns)


def _line_of(page: Page, row: Row, count: int) -> _FullLine | None:
    """Return the line of a row with figures at the end of its label; None for any other row."""
    first = next((cell for cell in row.cells if cell is not None and cell.place is not None), None)
    left = read_lines(row.label, decimal_comma=False)[-1:]
    figures = left[0].figures if left else ()
    if first is None or first.place is None or not figures or first.fact is not None:
        return None
    last = figures[-1]
    sign = row.label[: last.end]
    of_label = _SHARE.search(sign) or _RANGE.search(sign) or _LISTED.search(row.label[: last.start])
    if of_label or not _AMOUNT.search(sign[max(0, last.start - 2) :]):
        return None
    begin = page.text.rfind("\n", 0, first.place.start) + 1
    end = page.text.find("\n", first.place.start)
    printed = read_lines(page.text[begin : end if end >= 0 else None], begin, decimal_comma=False)[-1:]
    if not printed or len(printed[0].figures) <= count:
        return None
    own, rest = printed[0].figures[:count], printed[0].figures[count:]
    changes = all(_is_change(own, figure) for figure in rest)
    return _FullLine(printed[0], len(rest), changes, any(figure.percent for figure in rest))


def _is_change(own: Sequence[PrintedFigure], figure: PrintedFigure) -> bool:
    return any(is_change(new, old, figure) for new, old in combinations(own, 2))


def _with_cells(row: Row, line: _FullLine, told: Counter[int], key: str) -> Row:
    """Return a row with the figures of its columns where the others are changes; without any else."""
    count = len(row.cells)
    own = line.line.figures[:count]
    otherwise = row.unit == "percent" and not any(figure.percent for figure in own)
    if not line.of_changes or otherwise or (told[line.more] < _FEWEST and not line.signed):
        return replace(row, label=line.line.label or row.label, cells=(None,) * count)
    page = next(cell.place.page for cell in row.cells if cell is not None and cell.place is not None)
    cells = tuple(
        TableCell(
            figure.text,
            None if figure.value is None else figure.value * row.scale,
            TextPlace(key, page, figure.start, figure.end),
        )
        for figure in own
    )
    return replace(row, label=line.line.label or row.label, cells=cells)


_MARK = re.compile(r"\((?P<number>\d{1,2})\)")


def without_marked_rows(document: SourceDocument, table: FiledTable) -> FiledTable:
    """Return a table without the figures of rows whose first one is the mark of a footnote: the others stand shifted.

    `Channels (1) $ 4,932` shows that a table marks its labels: a loss of one would have the sign before it.
    """
    page = next((page.text for page in document.pages if page.number == table.page), "")
    marked = [bool(row.cells) and row.cells[0] is not None and _MARK.fullmatch(row.cells[0].text) for row in table.rows]
    pairs = list(zip(table.rows, marked, strict=True))
    if not any(
        mark and re.search(rf"{re.escape(row.label)} ?\({mark['number']}\)\s{{1,60}}\$", page) for row, mark in pairs
    ):
        return table
    rows = (
        replace(row, cells=(None,) * len(row.cells))
        if mark and re.search(rf"(?m)^\s{{0,9}}\({mark['number']}\) [A-Z]", page)
        else row
        for row, mark in pairs
    )
    return replace(table, rows=tuple(rows))
