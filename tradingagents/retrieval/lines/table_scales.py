"""Scales of rows and tables that their own captions do not tell: stated by a label, excepted, or shown by other tables.

    (in millions, except remaining performance obligation, which is presented in billions)
    (dollars in millions, except ARPA)

A table that prints the figures of another one, as its whole reconciled with the statements, has their scale.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from tradingagents.dataflows.reference.currencies import is_money
from tradingagents.retrieval.lines.cells.cell_choice import digits
from tradingagents.retrieval.lines.cells.cell_units import AMOUNT, COUNTED, printed_number
from tradingagents.retrieval.lines.heads.above_tables import first_figure
from tradingagents.retrieval.lines.rows.label_words import NEUTRAL, stems_of
from tradingagents.retrieval.models import FiledTable, Row, SourceDocument

_WORDS = {"trillions": 1e12, "billions": 1e9, "millions": 1e6, "thousands": 1e3}
_IN_LABEL = (
    *(
        (re.compile(rf"(?i)\bin {word}\b|\((?:\$|dollars|u\.s\. dollars)?\s?{word}\)"), factor)
        for word, factor in _WORDS.items()
    ),
    (re.compile(r"(?i)\(['\u2018\u2019]?000s?\)"), 1e3),
    (re.compile(r"(?i)\((?:in |whole |actual )?(?:u\.s\. )?dollars\)"), 1.0),
)
"""What a label states of its row alone."""
_EXCEPTED = re.compile(
    r"(?i)\bexcept(?:ing)?(?: for)? (?:the )?(?P<what>[^():;]{3,80}?),? (?:which|that) (?:is|are) (?:\w+ )?in "
    r"(?P<scale>trillions|billions|millions|thousands)\b"
)
_EXCEPTED_SHORT = re.compile(r"\bexcept(?:ing)?(?: for)? (?P<what>[^();:]{2,80})")
_SHORT_NAME = re.compile(r"\b[A-Z][A-Za-z]{0,6}[A-Z]{2}s?\b")
"""The short name of a figure that a caption excepts, as `ARPA` or `RevPAR`: its rows are in single units of money."""
_ABOVE = 400
"""Characters above the first row of a table in which its caption stands."""
_TELLING_DIGITS, _FEWEST_ALIKE = 4, 2
"""Figures of so many digits that two tables print alike under the same names, for one to have the other's scale."""
_SCALE = re.compile(r"(?i)\b(?:thousands|millions|billions)\b|\b000\b|\$mm?\b")
"""What gives a table a scale where it stands above its first row."""
_YEAR = re.compile(r"(?:19|20)\d\d")


def with_scales(document: SourceDocument, tables: Sequence[FiledTable]) -> list[FiledTable]:
    """Return tables with the scales that labels and exceptions of captions state, and those that others show."""
    texts = {page.number: page.text for page in document.pages}
    stated: list[FiledTable] = []
    for table in tables:
        page, begin = texts.get(table.page, ""), first_figure(table) or table.start
        ended = max((each.end for each in tables if each.page == table.page and each.end <= table.start), default=0)
        above = page[max(ended, min(table.start, begin) - _ABOVE) : begin]
        excepted = list(_exceptions(above + page[begin : begin + _ABOVE]))
        singly = {
            name for found in _EXCEPTED_SHORT.findall(f"{table.title} {above}") for name in _SHORT_NAME.findall(found)
        }
        scaled = bool(_SCALE.search(f"{table.title} {above}")) or begin <= table.start
        rows = (_with_own_scale(row, excepted, singly) for row in table.rows)
        stated.append(replace(table, rows=tuple(row if scaled else _without_scale(row) for row in rows)))
    return list(_as_others_show(stated))


def _exceptions(text: str) -> Iterator[tuple[frozenset[str], float]]:
    for found in _EXCEPTED.finditer(" ".join(text.split())):
        yield stems_of(found["what"]) - NEUTRAL, _WORDS[found["scale"].lower()]


def _with_own_scale(
    row: Row, excepted: Iterable[tuple[frozenset[str], float]], singly: AbstractSet[str] = frozenset()
) -> Row:
    """Return a row in the scale that its label states, or that the caption excepts it by."""
    if not _is_amount(row) or not row.scale:
        return row
    scale = next((factor for pattern, factor in _IN_LABEL if pattern.search(row.label)), None)
    if scale is None:
        words = stems_of(row.label) - NEUTRAL
        scale = next((factor for what, factor in excepted if what and what == words), None)
    if scale is None and singly & set(_SHORT_NAME.findall(row.label)):
        scale = 1.0
    return row if scale is None else _scaled(row, scale)


def _without_scale(row: Row) -> Row:
    """Return a row that counts something in a table that no caption gives a scale: that of another table is not its."""
    counts = COUNTED.search(row.label) is not None and AMOUNT.search(row.label) is None
    return _scaled(row, 1.0) if counts and row.scale > 1 and not _states_scale(row.label) else row


def _states_scale(label: str) -> bool:
    return any(pattern.search(label) for pattern, _ in _IN_LABEL)


def _is_amount(row: Row) -> bool:
    return is_money(row.unit) and "/" not in row.unit


def _scaled(row: Row, scale: float) -> Row:
    if scale == row.scale or any(cell is not None and cell.fact is not None for cell in row.cells):
        return row
    factor = scale / row.scale
    cells = tuple(
        cell if cell is None or cell.value is None else replace(cell, value=round(cell.value * factor, 6))
        for cell in row.cells
    )
    return replace(row, scale=scale, cells=cells)


def _as_others_show(tables: Sequence[FiledTable]) -> Iterator[FiledTable]:
    """Yield tables, those in another scale than the statements in theirs where they print the same figures."""
    statements = [table for table in tables if table.statement is not None] or tables
    scales = Counter(row.scale for table in statements for row in table.rows if _is_amount(row))
    usual = scales.most_common(1)[0][0] if scales else 1.0
    shown = {each for table in tables for row in table.rows if row.scale == usual for each in _printed(table, row)}
    for table in tables:
        rows = [row for row in table.rows if row.scale != usual and not _states_scale(row.label)]
        alike = Counter(row.scale for row in rows for each in set(_printed(table, row)) & shown)
        wrong = {scale for scale, times in alike.items() if times >= _FEWEST_ALIKE}
        changed = {id(row) for row in rows if row.scale in wrong and _is_amount(row)}
        yield (
            table
            if not changed
            else replace(table, rows=tuple(_scaled(row, usual) if id(row) in changed else row for row in table.rows))
        )


def _printed(table: FiledTable, row: Row) -> Iterator[tuple[frozenset[str], int, float]]:
    """Yield the name of a row, the year, and the figure as printed, of amounts that are no years and long enough."""
    if not _is_amount(row):
        return
    name = stems_of(row.label)
    for column, cell in zip(table.columns, row.cells, strict=True):
        if cell is None or column.fiscal_year is None or digits(cell.text) < _TELLING_DIGITS:
            continue
        if name and not _YEAR.fullmatch(cell.text.strip()):
            yield name, column.fiscal_year, abs(printed_number(cell.text))
