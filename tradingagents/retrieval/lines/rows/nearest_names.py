"""The rows of a company's filings that are nearest to words no row is called by: what can be asked instead."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator

from tradingagents.retrieval.lines.rows.label_words import FIGURE_WORDS, NEUTRAL, PERIOD_WORDS, stems_of
from tradingagents.retrieval.models import Row, SourceDocument

MOST_NAMED = 3
_MOST_WORDS = 9
"""Words of a label; a longer one is a sentence."""
_PER_WORD = 0.05
"""By how much each further word of a label makes it less near."""
_LITTLE = 0.2
"""How much a word for a figure or a period tells beside the others."""


def nearest_names(phrase: str, documents: Iterable[SourceDocument], company: frozenset[str]) -> tuple[str, ...]:
    """Return the names of the rows that share most with a phrase, nearest first; none where no row shares a word.

    Args:
        phrase: The words asked for.
        documents: The filings that were read.
        company: Words of the company's name, which tell nothing.
    """
    asked = stems_of(phrase) - NEUTRAL - company
    named = {name: words for document in documents for name, words in _names(document) if words & asked}
    counts = Counter(word for words in named.values() for word in words & asked)
    weights = {
        word: (_LITTLE if word in FIGURE_WORDS | PERIOD_WORDS else 1.0) / (1 + math.log(counts[word]))
        for word in counts
    }
    near = {
        name: sum(weights[word] for word in words & asked) - _PER_WORD * len(words - asked)
        for name, words in named.items()
    }
    best = sorted(near, key=lambda name: (-near[name], name))
    return tuple(best[:MOST_NAMED])


def bears(name: str, phrase: str, company: frozenset[str]) -> bool:
    """Tell whether the name of a row has every word of a phrase that tells something."""
    asked = stems_of(phrase) - NEUTRAL - company
    return bool(asked) and asked <= stems_of(name)


def _names(document: SourceDocument) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the name of each row with figures as it is shown, and its words."""
    for table in document.tables:
        for row in table.rows:
            if 0 < len(row.label.split()) <= _MOST_WORDS and any(cell and cell.value is not None for cell in row.cells):
                yield _shown(row), stems_of(" ".join((*row.headings[-1:], row.label)))


def _shown(row: Row) -> str:
    headings = [heading for heading in row.headings[-1:] if len(heading.split()) <= _MOST_WORDS]
    return " / ".join(dict.fromkeys((*headings, row.label)))
