"""Rows that are called by the very words of a question: `Service cost` is that row, and not `Cost of services`.

A question that names nothing but rows by their printed labels, beside companies and periods, is of these rows alone.
Where several of one label differ none is taken: they are listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from tradingagents.retrieval.lines.cells.cell_choice import digits, distinct, same_value
from tradingagents.retrieval.lines.cells.cell_units import cell_figure
from tradingagents.retrieval.lines.cells.column_periods import fact_is_of, is_of_period, is_row_of_years
from tradingagents.retrieval.lines.cells.found_cells import FoundCell, LineFound, WantedLine
from tradingagents.retrieval.lines.cells.kept_tables import OfTables
from tradingagents.retrieval.lines.rows.label_words import head_words, tag_words_of
from tradingagents.retrieval.lines.rows.row_checks import is_of_kind
from tradingagents.retrieval.models import FiledTable, Row, SourceDocument
from tradingagents.retrieval.series.span import FiscalPeriod

_ANY = WantedLine()
_MOST_WORDS, _FEWEST_WORDS = 14, 2
_NOTE = re.compile(r"\((?:[a-z]|\d{1,2})(?:, ?(?:[a-z]|\d{1,2}))*\)|(?<=[a-z)]) ?\d(?:,\d)*$|\[\d+\]|\*+")
"""The sign of a note behind a label."""
_OF_SALES, _OF_COSTS = re.compile(r"(?i)\b(?:sales|revenues?)\b"), re.compile(r"(?i)\bcosts?\b")
"""What a label says whose row below costs is the cost of it."""
_SAYS_NOTHING = frozenset({"the", "our", "business", "reportable"})
_WORD = re.compile(r"[^\W_]+(?:[.'\u2019-][^\W_]+)*\.?")


@lru_cache(maxsize=200_000)
def printed_words(text: str) -> tuple[str, ...]:
    """Return the words of a label in small letters, without notes and signs between them."""
    plain = _NOTE.sub(" ", text.lower().replace("\u2019", "'").replace("&", " and "))
    return tuple(word for found in _WORD.findall(plain) if (word := found.rstrip(".")) not in _SAYS_NOTHING)


def labels_in(words: Sequence[str], documents: Sequence[SourceDocument]) -> list[tuple[int, int, bool]]:
    """Return where the words of a question are the label of a row, longest first, and whether without its heading."""
    known = frozenset().union(*(_labels_of(document) for document in documents))
    found: list[tuple[int, int, bool]] = []
    for count in range(min(_MOST_WORDS, len(words)), _FEWEST_WORDS - 1, -1):
        for start in range(len(words) - count + 1):
            end = start + count
            apart = all(end <= first or start >= last for first, last, _ in found)
            if apart and (name := tuple(words[start:end])) in known:
                found.append((start, end, any(_is_label(document, name) for document in documents)))
    return sorted(found)


def _is_label(document: SourceDocument, name: tuple[str, ...]) -> bool:
    if name not in _labels_of(document):
        return False
    return any(printed_words(row.label) == name for table in document.tables for row in table.rows)


def printed_line(
    documents: Iterable[SourceDocument], label: str, beside: Iterable[str], period: FiscalPeriod, months: int
) -> LineFound:
    """Return the figure of the rows of a label for a period, from the first document that has one.

    Args:
        documents: In the order in which they are read.
        label: Of the rows.
        beside: Labels that stand in the same table where one has them all.
        period: The year or quarter.
        months: Length of a part of a year; 0 for the period itself.
    """
    words, others = printed_words(label), [printed_words(other) for other in beside]
    for document in documents:
        cells = list(_cells(document, words, period, months))
        together = [cell for cell in cells if _has(cell.table, others)]
        cells = together or cells
        if cells:
            return _agreed(cells)
    return LineFound()


def is_called(row: str, label: str) -> bool:
    """Return whether the printed name of a row, its label or its heading has the words of a label and no other."""
    words, (heading, _, own) = printed_words(label), row.rpartition(" / ")
    return words in (printed_words(row), printed_words(own), printed_words(heading))


def shortens(row: str, label: str) -> bool:
    """Return whether the printed name of a row has words of a label alone, in its order, as `Backlog` at year-end."""
    words = iter(printed_words(label))
    return all(word in words for word in printed_words(row))


def _agreed(cells: Sequence[FoundCell]) -> LineFound:
    """Return the one figure of rows of one label: that of a statement before others, of the whole before parts."""
    sales = [cell for cell in cells if not _OF_COSTS.search(" ".join(cell.row.headings[-1:]))]
    cells = sales if sales and _OF_SALES.search(cells[0].row.label) else cells
    for chosen in (
        cells,
        [cell for cell in cells if cell.table.statement is not None],
        [cell for cell in cells if not (cell.tag_members or cell.table.section or head_words(cell.column))],
    ):
        if chosen and all(
            cell.unit == chosen[0].unit and same_value(abs(cell.value), abs(chosen[0].value)) for cell in chosen
        ):
            return LineFound(max(chosen, key=lambda cell: digits(cell.cell.text)))
    return LineFound(candidates=distinct(cells))


def _cells(document: SourceDocument, words: tuple[str, ...], period: FiscalPeriod, months: int) -> Iterator[FoundCell]:
    if words not in _labels_of(document):
        return
    for table in document.tables:
        rows = [row for row in table.rows if words in _names(row) and not is_row_of_years(row)]
        of_period = {
            at
            for at, column in enumerate(table.columns)
            if rows and is_of_period(document, table, at, column, period, growth=False, months=months)
        }
        for row in rows:
            for at, cell in enumerate(row.cells):
                if cell is None or cell.value is None or not digits(cell.text):
                    continue
                if not (at in of_period if cell.fact is None else fact_is_of(document, cell.fact, period, months)):
                    continue
                value, unit = cell_figure(table, row, table.columns[at], cell)
                if is_of_kind(unit, _ANY, table.columns[at]):
                    yield FoundCell(
                        document, table, row, table.columns[at], cell, value, unit, 0,
                        tag_members=bool(tag_words_of(document, cell)),
                    )  # fmt: skip


def _has(table: FiledTable, labels: Iterable[tuple[str, ...]]) -> bool:
    return all(any(label in _names(row) for row in table.rows) for label in labels)


def _names(row: Row) -> tuple[tuple[str, ...], ...]:
    label = printed_words(row.label)
    return (label, *((printed_words(row.headings[-1]) + label,) if row.headings else ()))


def _labels_of(document: SourceDocument) -> frozenset[tuple[str, ...]]:
    return _labels(document.info.key, document.tables)


@OfTables
def _labels(tables: Sequence[FiledTable]) -> frozenset[tuple[str, ...]]:
    """Return the words of every label of rows with figures, and of it with its heading."""
    rows = (row for table in tables for row in table.rows if any(cell is not None for cell in row.cells))
    return frozenset(name for row in rows for name in _names(row) if name)
