"""Figures that a document states twice: the same line, period and unit, printed with another value in another table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from math import log10

from tradingagents.retrieval.calculation import CitedOperand
from tradingagents.retrieval.column_basis import BASIS_PATTERN
from tradingagents.retrieval.line_items import plain_label
from tradingagents.retrieval.models import Column, FiledTable, Row, SourceDocument, TableCell, TextPlace
from tradingagents.retrieval.text_tables import with_text_tables

_OTHER_BASIS = re.compile(
    rf"(?i)\b(?:{BASIS_PATTERN}|(?:dis)?continu(?:ing|ed)|non-?gaap|adjusted|excluding|constant currency|organic"
    r"|parent (?:company|only)|guarantors?|consolidating|eliminations?|segments?|reconcil\w+|unaudited|quarter(?:ly|s)?"
    r"|percent(?:age)?|average|supplemental|held for sale|acquired|variable interest|unconsolidated|reclassif\w+)\b"
)
"""Words of a row, its headings, its column or its table that make a figure another one, and so explain a difference."""
_KINDS: Mapping[str, re.Pattern[str]] = {
    "equity": re.compile(
        r"(?i)\bequity statements?\b|\bstatements? of (?:changes in |consolidated )*[\w\u2019' ]*equity\b"
    ),
    "cashflow": re.compile(r"(?i)\bcash flows?\b"),
    "balance": re.compile(r"(?i)\bbalance sheets?\b|\bstatements? of financial position\b"),
    "income": re.compile(r"(?i)\bstatements? of (?:consolidated )?(?:income|earnings|operations)\b"),
}
"""Titles of statements: a row of one is no row of another, though the labels be the same."""
_WHOLE = re.compile(r"^(?:total|consolidated) (?:company )?|(?<=[a-z]{3})s$")
"""What may stand in one name of a line and not in another."""
_OTHER_TABLE = re.compile(rf"(?i)\b(?:{BASIS_PATTERN}|(?:dis)?continu(?:ing|ed) operations|non-?gaap|adjusted)\b")
"""The same of the words above a table."""
_HEAD = 200
"""Characters before a table that are read as its head."""
_DECIMALS = re.compile(r"\.(\d+)")
_ROUNDING = 1.001
"""Two figures differ if they do by more than this many of the coarser one's last digits."""
_SAME_DIGITS = 0.002
"""Powers of ten within which two figures have the same digits."""
_FLOW_DAYS = 10
"""Days by which two columns of one length may differ."""
_DAYS_A_MONTH = 30.4


@dataclass(frozen=True, slots=True)
class _PrintedFigure:
    """A cell with the row, the column and the table in which it stands."""

    table: FiledTable
    row: Row
    column: Column
    cell: TableCell
    value: float
    place: TextPlace

    @property
    def precision(self) -> float:
        """Size of its last printed digit."""
        return last_digit(self.cell.text, self.row.scale_in(self.column))

    @property
    def unit(self) -> str:
        return self.row.unit_in(self.column)


@dataclass(frozen=True, slots=True)
class FigureStatedTwice:
    """A figure that a document prints twice with different values."""

    own: CitedOperand
    other: CitedOperand
    """The cell of another table; its name is that of `own`."""

    @property
    def said(self) -> str:
        """Both figures in a sentence, each with its page."""
        return f"The filing contradicts itself: {_shown(self.own)}, but {_shown(self.other)}."


def last_digit(text: str, scale: float) -> float:
    """Return the size of the last digit of a printed figure: of `1,577.3` in millions, 1e5."""
    decimals = _DECIMALS.search(text)
    return scale * 10.0 ** -(len(decimals[1]) if decimals else 0)


def stated_otherwise(document: SourceDocument, operands: Sequence[CitedOperand]) -> tuple[FigureStatedTwice, ...]:
    """Return the figures of operands that other tables of a document state otherwise; nothing for most figures.

    A cell of another table is the same figure where it bears the same XBRL tag, of the same period and of the company
    as a whole. Without tags, a row of another table is the same line where it has the same label, agrees in another
    period (or, with one period alone, has the same lines around it), and most of what both tables print in common is
    equal. A difference beyond the last digit of the coarser print is a contradiction then; of rows that are the same by
    their words, unless a word of the row, its column or its table explains it, such as `restated`.

    Args:
        document: Its tables are read from its text where it has none.
        operands: Cells of it; those of other documents, and those without a place, are passed over.
    """
    found: dict[tuple[TextPlace, TextPlace], FigureStatedTwice] = {}
    own_cells = [operand for operand in operands if operand.place and operand.place.document == document.info.key]
    document = document if document.tables or not own_cells else with_text_tables(document)
    for operand in own_cells:
        assert operand.place is not None  # noqa: S101 - `own_cells` has none without
        own = _figure_at(document, operand.place)
        for other in _contradictions(document, own) if own is not None else ():
            pair = FigureStatedTwice(operand, _operand(document, operand.name, other))
            found.setdefault((operand.place, other.place), pair)
    return tuple(found.values())


def _shown(operand: CitedOperand) -> str:
    page = f" on page {operand.place.page + 1}" if operand.place is not None else ""
    return f"{operand.label} ({operand.column}) is {operand.text.strip()}{page}"


def _operand(document: SourceDocument, name: str, other: _PrintedFigure) -> CitedOperand:
    return CitedOperand(
        name=name,
        label=other.row.label,
        column=other.column.name,
        text=other.cell.text,
        value=other.value,
        unit=other.unit,
        scale=other.row.scale_in(other.column),
        document_name=document.info.name,
        place=replace(other.place, document=document.info.key),
    )


def _figure_at(document: SourceDocument, place: TextPlace) -> _PrintedFigure | None:
    for table in document.tables:
        if table.page == place.page:
            for figure in _figures(table.rows, table):
                if figure.place.start == place.start:
                    return figure
    return None


def _figures(rows: Sequence[Row], table: FiledTable) -> Iterator[_PrintedFigure]:
    """Yield the figures of rows of a table that have a place; a dash or a 0 tells nothing."""
    for row in rows:
        for column, cell in zip(table.columns, row.cells, strict=False):
            if cell is not None and cell.value and cell.place is not None and "%" not in cell.text:
                value = cell.value * row.scale_in(column) / row.scale  # a column may have a scale of its own
                yield _PrintedFigure(table, row, column, cell, value, cell.place)


def _contradictions(document: SourceDocument, own: _PrintedFigure) -> Iterator[_PrintedFigure]:
    """Yield the figures of other tables that are the same as one and have another value."""
    tagged = list(_tagged_otherwise(document, own))
    yield from tagged
    places = [figure.place for figure in tagged]
    yield from (figure for figure in _named_otherwise(document, own) if figure.place not in places)


def _tagged_otherwise(document: SourceDocument, own: _PrintedFigure) -> Iterator[_PrintedFigure]:
    """Yield the figures of other tables with the tag of one (concept, period, no dimension) and another value.

    What differs by a power of ten alone is the scale of a table, which may have been read wrongly.
    """
    fact = _fact_of(document, own.cell)
    if fact is None:
        return
    for table in document.tables:
        if table.number == own.table.number:
            continue
        for figure in _figures(table.rows, table):
            same = figure.cell.fact is not None and _fact_of(document, figure.cell) == fact
            if same and figure.unit == own.unit and _differ(own, figure) and not _is_scaled(own, figure):
                yield figure


def _fact_of(document: SourceDocument, cell: TableCell) -> tuple[str, date | None, date] | None:
    """Return what a cell is tagged as, for the company as a whole; None without a tag."""
    if cell.fact is None:
        return None
    fact = document.facts[cell.fact]
    return None if fact.dimensions else (fact.concept, fact.period_start, fact.period_end)


def _is_scaled(one: _PrintedFigure, other: _PrintedFigure) -> bool:
    power = log10(abs(one.value / other.value))
    return round(power) != 0 and abs(power - round(power)) < _SAME_DIGITS


def _named_otherwise(document: SourceDocument, own: _PrintedFigure) -> Iterator[_PrintedFigure]:
    """Yield the figures of other tables that are the same as one by their words, and have another value."""
    line = _line_name(own.row)
    lines = _by_line(own.table)
    if _is_of_other_basis(own) or len(lines[line]) > 1:
        return  # a label that stands twice in a table names no one line
    for table in document.tables:
        if table.number == own.table.number or not _are_of_one_kind(own.table, table):
            continue
        rows = [row for row in table.rows if _line_name(row) == line]
        same = [figure for figure in _figures(rows, table) if _is_same_period(own, figure)]
        if len(same) != 1 or _is_of_other_basis(same[0]) or not _differ(own, same[0]):
            continue  # a table that has the figure as well agrees, whatever else it has
        if (
            not _OTHER_TABLE.search(_above(document, table))
            and _is_same_line(own, same[0], lines)
            and _tells_the_same(lines, own.table, table)
        ):
            yield same[0]


def _above(document: SourceDocument, table: FiledTable) -> str:
    """Return what stands above the first figure of a table: its head, which its title may not hold whole."""
    first = next(_figures(table.rows, table)).place
    return document.pages[first.page].text[max(0, min(table.start, first.start) - _HEAD) : first.start]


def _are_of_one_kind(one: FiledTable, other: FiledTable) -> bool:
    """Whether two tables may tell of the same lines: a cash flow called as an item of income is another figure."""
    kinds = _kind_of(one), _kind_of(other)
    return not all(kinds) or kinds[0] == kinds[1]


def _kind_of(table: FiledTable) -> str:
    return table.statement or next((kind for kind, title in _KINDS.items() if title.search(table.title)), "")


def _by_line(table: FiledTable) -> dict[str, list[Row]]:
    """Return the rows of a table by the names of their lines."""
    lines: dict[str, list[Row]] = {}
    for row in table.rows:
        lines.setdefault(_line_name(row), []).append(row)
    return lines


def _line_name(row: Row) -> str:
    return _WHOLE.sub("", _plain(row.label))


def _is_same_period(own: _PrintedFigure, other: _PrintedFigure) -> bool:
    """Whether two figures are of one unit, fiscal year, length and last day, as far as their columns tell."""
    mine, theirs = own.column, other.column
    if own.unit != other.unit or mine.fiscal_year is None or mine.fiscal_year != theirs.fiscal_year:
        return False
    if mine.period_end and theirs.period_end and mine.period_end != theirs.period_end:
        return False
    days, others = _days(mine), _days(theirs)
    if days is None or others is None:
        return _is_whole_year(days) and _is_whole_year(others)
    return abs(days - others) <= _FLOW_DAYS


def _is_whole_year(days: float | None) -> bool:
    """Whether a column is of a year, or says no length, as columns of years and of balance sheets do."""
    return days is None or days > 350


def _days(column: Column) -> float | None:
    if column.period_start is not None and column.period_end is not None:
        return (column.period_end - column.period_start).days + 1
    return None if column.months is None else column.months * _DAYS_A_MONTH


def _is_of_other_basis(figure: _PrintedFigure) -> bool:
    """Whether a word makes a figure another one than the company's own of the period."""
    words = (figure.row.label, *figure.row.headings, figure.column.header, figure.table.title)
    return bool(figure.column.basis) or any(_OTHER_BASIS.search(text) for text in words)


def _differ(one: _PrintedFigure, other: _PrintedFigure) -> bool:
    """Whether two figures differ by more than the last digit of the coarser; signs are a matter of print."""
    return abs(abs(one.value) - abs(other.value)) > max(one.precision, other.precision) * _ROUNDING


def _is_same_line(own: _PrintedFigure, other: _PrintedFigure, lines: Mapping[str, Sequence[Row]]) -> bool:
    """Whether two rows agree in another period; with none in common, whether most rows of both tables are the same."""
    pairs = list(_in_common([own.row], own.table, [other.row], other.table))
    if len(pairs) > 1:
        return not all(_differ(*pair) for pair in pairs)
    printed = [row for row in other.table.rows if any(row.cells)]
    return 2 * sum(_line_name(row) in lines for row in printed) > len(printed)


def _tells_the_same(lines: Mapping[str, Sequence[Row]], own: FiledTable, other: FiledTable) -> bool:
    """Whether most figures that two tables print for the same lines and periods are equal."""
    differing = [
        _differ(*pair)
        for row in other.rows
        if len(alike := lines.get(_line_name(row), ())) == 1
        for pair in _in_common(alike, own, [row], other)
    ]
    return differing.count(False) > differing.count(True)


def _in_common(
    rows: Sequence[Row], table: FiledTable, others: Sequence[Row], other: FiledTable
) -> Iterator[tuple[_PrintedFigure, _PrintedFigure]]:
    """Yield the figures of rows of two tables that are of the same period and unit."""
    for theirs in _figures(others, other):
        for mine in _figures(rows, table):
            if (mine.value or theirs.value) and _is_same_period(mine, theirs):
                yield mine, theirs


@lru_cache(maxsize=16_384)
def _plain(label: str) -> str:
    return plain_label(label)
