"""The words by which the tables of a filing name what they give."""

from __future__ import annotations

from collections.abc import Iterator

from tradingagents.retrieval.index.words import stem, words_of
from tradingagents.retrieval.lines.wording import row_words
from tradingagents.retrieval.models import FiledTable, SourceDocument

_MOST_OF_A_TITLE = 12
"""Words of a heading; a longer text before a table is a sentence, whose words name no row."""


def table_words(document: SourceDocument) -> frozenset[str]:
    """Return the stems of the words of labels, headings, short titles and heads of columns of a filing."""
    texts = {text for table in document.tables for text in _texts(table)}
    words = {word for text in texts for word in words_of(row_words(text.lower()))}
    return frozenset(map(stem, words))


def _texts(table: FiledTable) -> Iterator[str]:
    if len(table.title.split()) <= _MOST_OF_A_TITLE:
        yield table.title
    yield from (column.header for column in table.columns)
    for row in table.rows:
        yield row.label
        yield from row.headings
