"""The last column of a table of plain text, where the line of heads above it ends with `Total` and cannot be read.

    737 * 747 767 * 777 787 Total
    2022
    Deliveries 387 (13) 5 33 (15) 24 31 480

What the other columns are stays unknown; the figures of the last one are those of all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tradingagents.retrieval.lines.heads.above_tables import first_figure, lines_above
from tradingagents.retrieval.models import FiledTable, Row, SourceDocument

_FEWEST = 3
"""Columns, and words of a line of heads."""
_MOST_ABOVE = 4
"""Lines between the heads and the first row."""
_HEADS = re.compile(r"(?:\S+ +){2,}(?<!of )Total(?: Company)?(?: ?\(\w\))?")


def with_total_heads(document: SourceDocument, tables: Sequence[FiledTable]) -> Iterator[FiledTable]:
    """Yield tables with the head of a total over their last column; those that go on have that of the one before."""
    before: FiledTable | None = None
    for table in tables:
        headed = _is_untold(table) and (_is_headed(document, table) or _goes_on(table, before))
        if headed and all(map(_is_largest_last, table.rows)):
            last = table.columns[-1]
            table = replace(  # noqa: PLW2901
                table, columns=(*table.columns[:-1], replace(last, header=f"Total {last.header}".strip()))
            )
        before = table if headed else None
        yield table


def _is_untold(table: FiledTable) -> bool:
    """Whether nothing tells the columns of a table apart."""
    return len(table.columns) >= _FEWEST and len({(each.header, each.fiscal_year) for each in table.columns}) == 1


def _is_headed(document: SourceDocument, table: FiledTable) -> bool:
    page = next((page for page in document.pages if page.number == table.page), None)
    begin = first_figure(table)
    above = [] if page is None or begin is None else lines_above(page, begin)[-_MOST_ABOVE:]
    return any(_HEADS.fullmatch(line.strip()) for line in above)


def _goes_on(table: FiledTable, before: FiledTable | None) -> bool:
    return before is not None and before.page == table.page and len(before.columns) == len(table.columns)


def _is_largest_last(row: Row) -> bool:
    """Whether the last figure of a row is the largest, as a total of others is; nothing tells it of a row with gaps."""
    values = [cell.value for cell in row.cells if cell is not None and cell.value is not None]
    return len(values) < len(row.cells) or abs(values[-1]) >= max(map(abs, values))
