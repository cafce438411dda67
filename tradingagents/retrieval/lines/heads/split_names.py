"""Where one name of a column ends and the next begins on a line of several, as the sentences of a filing tell it.

    Pension Health Care and Life            two names, over the years of each
    2021 2020 2021 2020

Words that belong together stand side by side in a sentence somewhere: `health care`, `care and life`. Words of two
names do so in lines of heads alone. The names are read where there are exactly as many breaks as they need.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from tradingagents.retrieval.models import SourceDocument

_GRAMMAR = frozenset(
    ("the", "to", "in", "a", "for", "was", "were", "is", "are", "our", "we", "that", "as", "by", "with", "from", "at")
)
_FEWEST, _SHORTEST = 3, 50
"""Different words of grammar, and characters, from which on a line is a part of a sentence; heads have fewer."""
_APART = str.maketrans({"\u2019": "'", "\u00a0": " ", "-": " ", "/": " / ", **dict.fromkeys(",;:()", " , ")})
_JOINS = frozenset(("and", "of", "&", "/"))
_OPEN = _JOINS.union(("for", "from", "in", "on", "to", "by", "before", "per"))
"""With which no name ends."""
_LONGEST = 8
"""Words of a name."""
_OF_PERIODS = re.compile(
    r"(?i)\b(?:quarters?|years?|months?|first|second|third|fourth|q[1-4]|[1-4](?:st|nd|rd|th)|vs)\b"
)
"""A word of a period, which is no name."""


class NeighbourWords:
    """Words that stand side by side in the sentences of a filing and in the labels of its rows."""

    def __init__(self, document: SourceDocument) -> None:
        """Set whose sentences are meant; they are read when they are first needed."""
        self._document = document

    @cached_property
    def _pairs(self) -> frozenset[tuple[str, str]]:
        lines = (line for page in self._document.pages for line in page.text.lower().splitlines())
        told = [line for line in lines if len(line) > _SHORTEST and len(_GRAMMAR.intersection(line.split())) >= _FEWEST]
        told += [row.label.lower() for table in self._document.tables for row in table.rows]
        return frozenset(pairwise(" , ".join(told).translate(_APART).replace(". ", " , ").split()))

    def names(self, words: Sequence[str], count: int) -> tuple[str, ...]:
        """Return words as so many names; none where sentences do not tell where they end.

        Words that come again as a whole for each of several periods are told apart by that: `Insured Total Insured
        Total`.
        """
        if len(words) < count:
            return ()
        size = _run_length(words)
        again = len(words) // size
        if again > 1 and len(words) == count and all(map(_is_name, words)):
            return tuple(words)
        if again > 1 and count % again == 0 and (own := self._cut(words[:size], count // again)):
            return own * again
        return self._cut(words, count)

    def _cut(self, words: Sequence[str], count: int) -> tuple[str, ...]:
        """Return words as so many names; none where they may be told apart otherwise."""
        apart = [at for at in range(1, len(words)) if not self._belong(words[at - 1], words[at])]
        told = [at for at, word in enumerate(words, 1) if word.lower() == words[-1].lower()]
        breaks = told[:-1] if len(told) == count and told[0] > 1 else apart  # `Pension Benefits Other Benefits`
        if len(breaks) != count - 1:
            return ()
        names = tuple(" ".join(words[start:end]) for start, end in pairwise([0, *breaks, len(words)]))
        return names if all(map(_is_name, names)) else ()

    def _belong(self, word: str, following: str) -> bool:
        pair = (word.lower().rstrip("."), following.lower().rstrip("."))
        return bool(_JOINS.intersection(pair)) or pair in self._pairs


def _is_name(name: str) -> bool:
    words = name.split()
    named = name[:1].isupper() and len(words) <= _LONGEST and words[-1].lower() not in _OPEN
    return named and not any(map(str.isdigit, name)) and not _OF_PERIODS.search(name)


def _run_length(words: Sequence[str]) -> int:
    """Return after how many words they begin again; their number where they do not."""
    whole = list(words)
    return next(size for size in range(1, len(whole) + 1) if whole[:size] * (len(whole) // size) == whole)
