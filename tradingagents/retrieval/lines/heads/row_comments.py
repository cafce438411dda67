"""Text beside the names of rows that names nothing itself: comments among the rows, and a second column of text.

    PRODUCT PRIMARY INDICATION OR CLASS
    Comirnaty direct sales and alliance revenues
    Active immunization to prevent COVID-19 1,488 8,848

A line without figures there is the first of a name, and no heading of the rows below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tradingagents.retrieval.models import FiledTable, Row

DESCRIBED = re.compile(
    r"(?i)\b(?:product|brand|drug)s?\W{1,3}(?:primary |approved |main )?"
    r"(?:indications?|class|description|application)\b"
)
"""The head of two columns of text: names of rows go on with what they describe."""
_FEWEST_WORDS = 12
"""Words of a sentence that comments on figures."""
_COMMENT = re.compile(
    r"(?i)\b(?:driven by|due to|primarily|partially|offset by|reflect(?:s|ed|ing)?|compared (?:to|with)|resulted"
    r"|as well as)\b"
)


DASH = "\u2013"
"""Stands for a heading that is none of a row."""
_RUN_TOGETHER = re.compile(r"(?<![\w-])\(?(?:\d[\d,.]{0,12}|\u2014)\)? \(?(?:\d[\d,.]{0,12}|\u2014)(?!\w)|\d,\d{3}\b")
"""Figures of other rows, which stand in a label where lines ran together: whose those after it are is lost."""


def without_comments(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield rows with a dash for headings that are sentences of a comment on figures: what they name is no row's name.

    Their place stays: the headings before them are of rows before them.
    """
    for row in rows:
        kept = tuple(
            DASH if len(each.split()) >= _FEWEST_WORDS and _COMMENT.search(each) else each for each in row.headings
        )
        yield row if kept == row.headings else replace(row, headings=kept)


def with_whole_names(table: FiledTable, before: FiledTable | None) -> FiledTable:
    """Return a table of names and what they describe with its names in one piece, and the title that it goes on with.

    Rows that ran together are left out.

    Args:
        table: The table.
        before: The one before it, which it may go on.
    """
    if not DESCRIBED.search(table.title):
        return table
    goes_on = before is not None and 0 <= table.page - before.page <= 1 and DESCRIBED.search(before.title)
    title = before.title if before is not None and goes_on else table.title
    rows: list[Row] = []
    above: tuple[str, ...] = ()
    for row in table.rows:
        new = row.headings[-1:] if row.headings and row.headings != above else ()
        if not _RUN_TOGETHER.search(row.label):
            rows.append(replace(row, label=" ".join((*new, row.label)), headings=()))
        above = row.headings
    return replace(table, title=title, rows=tuple(rows))
