"""What rows are of where nothing but the total that they add up to says it: `Total sales to external customers`."""

from __future__ import annotations

import math
import re

from tradingagents.retrieval.line_items import line_items
from tradingagents.retrieval.lines.rows.label_words import stems_of
from tradingagents.retrieval.lines.rows.named_items import NARROWER, is_named
from tradingagents.retrieval.models import FiledTable, Row

_TOTAL = re.compile(r"(?i)\W*total\b")
_FEWEST = 2
"""Rows that add up to a total."""
_SAME = 5e-3
"""Rows of rounded figures add up to a total that is rounded too."""


def is_named_by_total(table: FiledTable, row: Row, at: int, item: str, asked: frozenset[str]) -> bool:
    """Return whether a row is one of those that add up, in one column, to a total named by a line item.

    Args:
        table: That has the row.
        row: The row.
        at: The column.
        item: The line item.
        asked: What is asked for besides: `Total subscription revenue` is of a part of the revenue, which it has to say.
    """
    place = next((number for number, each in enumerate(table.rows) if each is row), len(table.rows))
    totals = [number for number, each in enumerate(table.rows) if _TOTAL.match(each.label)]
    end = next((number for number in totals if number > place), None)
    if end is None or place in totals or not is_named(line_items()[item], table.rows[end].label):
        return False
    narrower = NARROWER.findall(table.rows[end].label)
    if any(not stems_of(word) <= asked for word in narrower):
        return False
    begin = max((number + 1 for number in totals if number < place), default=0)
    cells = [each.cells[at] for each in table.rows[begin : end + 1]]
    *parts, total = [None if cell is None else cell.value for cell in cells]
    if len(parts) < _FEWEST or total is None or any(value is None for value in parts):
        return False
    return math.isclose(sum(value or 0.0 for value in parts), total, rel_tol=_SAME)
