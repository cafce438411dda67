"""Finds the lessons that are likely to resemble a situation, among those that had been settled by a day."""

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
"""rank-bm25's defaults."""
_WORD = re.compile(r"[a-z0-9][a-z0-9.%\-]*")


@dataclass(frozen=True, slots=True)
class Statistics:
    """What BM25 needs to know of all the documents that may be seen."""

    documents: int
    mean_length: float
    """Words a document."""
    idf: Mapping[str, float]
    """Of the query's words that some document holds."""


class LessonIndex:
    """Lessons by their words and their day. Not thread-safe: its owner takes turns."""

    def __init__(self) -> None:
        self._postings = Postings()
        self._lengths = array("i")
        self._days = array("i")

    def __len__(self) -> int:
        return len(self._postings)

    def add(self, lesson: Counted, settled_on: date) -> int:
        """Add a lesson by its words and return its number: 0 for the first."""
        self._lengths.append(int(lesson.counts.sum()))
        self._days.append(settled_on.toordinal())
        return self._postings.add(lesson)

    def likely(self, query: Sequence[str], *, as_of: date | None, most: int) -> tuple[list[int], Statistics]:
        """Return the numbers of the lessons that score best, best first, and what their scores rest on.

        Args:
            query: The situation's words, with repeats.
            as_of: Lessons settled later are invisible, also to the statistics; None: all are visible.
            most: Most lessons to return.
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
    """Return the words a text is found by, in lower case."""
    return _WORD.findall(text.lower())
