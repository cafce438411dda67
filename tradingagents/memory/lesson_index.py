"""Index that selects the lessons most likely to resemble a situation, among those known by a day."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from tradingagents.memory.postings import Counted, Postings

K1, B = 1.5, 0.75
"""The default parameters of rank-bm25."""
_WORD = re.compile(r"[a-z0-9][a-z0-9.%\-]*")


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics that BM25 needs of all visible documents."""

    documents: int
    mean_length: float
    """Mean number of words in a document."""
    idf: Mapping[str, float]
    """Inverse document frequency of the query words that occur in some document."""


class LessonIndex:
    """Lessons indexed by words and day. Not thread-safe: the owner serialises access."""

    def __init__(self) -> None:
        self._postings = Postings()
        self._lengths = array("i")
        self._days = array("i")

    def __len__(self) -> int:
        return len(self._postings)

    def add(self, lesson: Counted, settled_on: date) -> int:
        """Add a lesson's words and return its number, starting at 0."""
        self._lengths.append(int(lesson.counts.sum()))
        self._days.append(settled_on.toordinal())
        return self._postings.add(lesson)

    def likely(self, query: Sequence[str], *, as_of: date | None, most: int) -> tuple[list[int], Statistics]:
        """Return the numbers of the lessons with the highest scores, best first, and the statistics behind them.

        Args:
            query: The situation's words, with repeats.
            as_of: Ignore lessons known later, in the statistics too; `None` means all are visible.
            most: Maximum number of lessons.
        """
        asked = Counter(query)
        words = list(asked)
        lengths = np.frombuffer(self._lengths, dtype=np.int32)
        visible = np.ones(len(lengths), dtype=bool)
        if as_of is not None:
            visible = np.frombuffer(self._days, dtype=np.int32) <= as_of.toordinal()
        documents = int(visible.sum())
        if not documents:
            return [], Statistics(0, 1.0, {})
        mean_length = float(lengths[visible].mean()) or 1.0
        found = self._postings.find(words)
        word, document, count = found.word, found.document, found.count
        if documents < len(lengths):
            seen = visible[document]
            word, document, count = word[seen], document[seen], count[seen]
        spread = np.bincount(word, minlength=len(words))
        idf = np.log(1 + (documents - spread + 0.5) / (spread + 0.5))
        weight = (idf * np.array(list(asked.values())) * (K1 + 1)).astype(np.float32)
        norm = (K1 * (1 - B + B * lengths / mean_length)).astype(np.float32)
        often = count.astype(np.float32)
        scores = np.bincount(document, weights=weight[word] * often / (often + norm[document]), minlength=len(lengths))
        best = np.argpartition(-scores, most - 1)[:most] if len(scores) > most else np.arange(len(scores))
        order = best[np.lexsort((best, -scores[best]))]
        known = {one: float(idf[at]) for at, one in enumerate(words) if spread[at]}
        return [int(one) for one in order if scores[one] > 0], Statistics(documents, mean_length, known)


def words_of(text: str) -> list[str]:
    """Return the words by which a text is found, in lower case."""
    return _WORD.findall(text.lower())
