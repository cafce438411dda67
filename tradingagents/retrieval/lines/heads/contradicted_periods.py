"""Columns of plain text that a header dates though their figures are rates of change: the header was misread.

    As of or for the three months ended June 30,   As of or for the six months ended June 30,
    (in millions, except where
    otherwise noted) 2022 2021 Change 2022 2021 Change
    Europe $ 4,280 $ 3,784 13 % $ 8,972 $ 7,844 14 %

Such a table is read again by the years and words that end the line above its first row. Where these do not tell as
many columns, or not over which months, none of its figures has a period: a figure of another period would look right.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

from tradingagents.retrieval.lines.cells.cell_units import printed_number
from tradingagents.retrieval.lines.heads.above_tables import first_figure, lines_above
from tradingagents.retrieval.models import Column, FiledTable, Row, SourceDocument

_FEWEST, _AGREEING = 3, 0.8
"""Rows that tell a rate, and the share of those that tell that have to."""
_FARTHEST = 4
"""Columns before that of a rate within which its two amounts stand."""
_ROUNDED = 1.01
_MOST_ABOVE = 8
"""Lines above the first row that may hold the header."""
_HEAD = re.compile(r"(?:19|20)\d\d|(?:[%$] )?[Cc]hange")
_RUN = re.compile(rf"(?:(?:{_HEAD.pattern})(?:\s{{1,4}}|$)){{3,40}}$")
_SPAN = re.compile(r"(?i)\b(?P<count>three|six|nine|twelve)[ -]months\b")
_MONTHS = {"three": 3, "six": 6, "nine": 9, "twelve": 12}


def with_agreeing_periods(document: SourceDocument, table: FiledTable) -> FiledTable:
    """Return a table with the periods that its figures do not contradict."""
    if not any(_is_rate(table, at) for at in range(2, len(table.columns))):
        return table
    columns = _read_again(document, table)
    return replace(table, columns=columns or tuple(Column(column.header) for column in table.columns))


def _is_rate(table: FiledTable, at: int) -> bool:
    """Whether a column that is dated, as two side by side before it, holds in most rows the rate between those two.

    They stand just before it, or are two farther off that have one and the same head.
    """
    for first in range(max(0, at - _FARTHEST), at - 1):
        new, old, rate = (table.columns[each] for each in (first, first + 1, at))
        if None in (new.fiscal_year, old.fiscal_year, rate.fiscal_year) or (first + 2 < at and new != old):
            continue
        told = [found for row in table.rows if (found := _tells_rate(row, first, at)) is not None]
        if sum(told) >= max(_FEWEST, _AGREEING * len(told)):
            return True
    return False


def _tells_rate(row: Row, first: int, at: int) -> bool | None:
    """Whether the figure of a row is the rate between two side by side before it; None where it does not tell."""
    cells = (row.cells[first], row.cells[first + 1], row.cells[at])
    texts = [cell.text if cell is not None and cell.value is not None else "" for cell in cells]
    new, old, rate = (printed_number(text) for text in texts)
    if any(map(math.isnan, (new, old, rate))) or not old or not rate or new == old or "%" in texts[0] + texts[1]:
        return None
    return abs(100 * abs(new - old) / abs(old) - abs(rate)) <= _ROUNDED


def _read_again(document: SourceDocument, table: FiledTable) -> tuple[Column, ...]:
    """Return the columns as the line above the first row heads them; none where it does not tell all of them."""
    page = next((page for page in document.pages if page.number == table.page), None)
    begin = first_figure(table)
    lines = [] if page is None or begin is None else lines_above(page, begin)[-_MOST_ABOVE:]
    at = next((at for at in range(len(lines) - 1, -1, -1) if _RUN.search(lines[at].strip())), None)
    if at is None:
        return ()
    run = _RUN.search(lines[at].strip())
    heads = _HEAD.findall(run.group()) if run else []
    spans = [_MONTHS[found["count"].lower()] for found in _SPAN.finditer(" ".join(lines[:at]))]
    size = next((each for each in range(1, len(heads) + 1) if heads == heads[:each] * (len(heads) // each)), 0)
    if len(heads) != len(table.columns) or not spans or len(heads) != size * len(spans):
        return ()
    return tuple(
        Column(f"{spans[number // size]} months {head}", fiscal_year=int(head), months=spans[number // size])
        if head.isdigit()
        else Column(head)
        for number, head in enumerate(heads)
    )
