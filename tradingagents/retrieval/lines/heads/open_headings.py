"""Headings of plain text that ended before a row: one that had rows of its own is none of the rows below the next one.

Plain text shows no depth, so that headings pile up: below `Churn rate` and its rows, `Account statistics` begins anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tradingagents.retrieval.lines.heads.row_comments import DASH
from tradingagents.retrieval.models import FiledTable, Row

_PERIOD = re.compile(r"(?:19|20)\d\d|(?i:\b(?:months|weeks|quarter|year)\b)")
"""What a heading of a period says: it holds for all rows down to the next one."""


def with_open_headings(table: FiledTable) -> FiledTable:
    """Return a table of plain text with a dash for the headings of its rows that ended before them.

    Their place stays: a heading further out comes no nearer to the row.
    """
    return replace(table, rows=tuple(_rows(table)))


def _rows(table: FiledTable) -> Iterator[Row]:
    ended: set[str] = set()
    last = ""
    for row in table.rows:
        own = row.headings[-1] if row.headings else ""
        if last and own != last and not _PERIOD.search(last):
            ended.add(last)
        last = own
        ended.discard(own)
        headings = tuple(DASH if heading in ended else heading for heading in row.headings)
        yield row if headings == row.headings else replace(row, headings=headings)
