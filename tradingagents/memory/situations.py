"""Situations and the lessons drawn from them, found again by BM25. In process; settled lessons only, by day."""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TypedDict

from rank_bm25 import BM25Okapi

MEMORY_NAMES = ("bull_memory", "bear_memory", "trader_memory", "invest_judge_memory", "risk_manager_memory")
MIN_SIMILARITY = 0.15
"""A match that shares less with the situation than this is chance: a word or two."""
_WORD = re.compile(r"[a-z0-9][a-z0-9.%\-]*")


class Match(TypedDict):
    """A remembered situation that resembles the present one."""

    matched_situation: str
    recommendation: str
    similarity_score: float
    """Share of the best possible BM25 score, 0 to 1: absolute, so that weak resemblance stays weak."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was learned from one situation."""

    situation: str
    recommendation: str
    settled_on: date
    """The day the outcome was known: the lesson is invisible to every earlier day."""


class _Index(BM25Okapi):  # type: ignore[misc]  # rank_bm25 has no types
    """BM25 whose inverse document frequency is never negative, so that one or two documents work too.

    idf = ln(1 + (N - n + 0.5) / (n + 0.5)), the form Lucene uses for Robertson and Sparck Jones's weight.
    """

    def _calc_idf(self, nd: dict[str, int]) -> None:
        self.idf = {word: math.log(1 + (self.corpus_size - n + 0.5) / (n + 0.5)) for word, n in nd.items()}


class FinancialSituationMemory:
    """One agent's memory of situations and recommendations."""

    def __init__(self, name: str) -> None:
        """Start empty.

        Args:
            name: One of `MEMORY_NAMES`.
        """
        self.name = name
        self._lessons: list[Lesson] = []
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._lessons)

    def add_situations(
        self, situations_and_advice: Iterable[tuple[str, str]], *, settled_on: date | None = None
    ) -> None:
        """Remember what was recommended, or learned, in each situation.

        Args:
            situations_and_advice: Pairs of (situation, recommendation).
            settled_on: The day their outcomes were known; None: today, so that no study of a past day sees them.
        """
        day = settled_on or datetime.now(UTC).date()
        with self._lock:
            self._lessons.extend(Lesson(situation, advice, day) for situation, advice in situations_and_advice)

    def get_memories(self, current_situation: str, n_matches: int = 2, *, as_of: date | None = None) -> list[Match]:
        """Return the remembered situations most like the present one, best first; [] where nothing resembles it.

        Args:
            current_situation: Words of the present situation.
            n_matches: Most matches to return.
            as_of: Lessons settled later are invisible; None: all are visible.
        """
        with self._lock:
            visible = [lesson for lesson in self._lessons if as_of is None or lesson.settled_on <= as_of]
        query = _words(current_situation)
        documents = [_words(lesson.situation) for lesson in visible]
        if not query or not any(documents) or n_matches < 1:
            return []
        index = _Index(documents)
        best = _perfect_score(index, query)
        if best <= 0:
            return []
        scored = sorted(
            zip((float(score) / best for score in index.get_scores(query)), visible, strict=True),
            key=lambda pair: pair[0],
            reverse=True,
        )
        return [
            Match(
                matched_situation=lesson.situation,
                recommendation=lesson.recommendation,
                similarity_score=round(min(similarity, 1.0), 4),
            )
            for similarity, lesson in scored[:n_matches]
            if similarity >= MIN_SIMILARITY
        ]


def new_memories() -> dict[str, FinancialSituationMemory]:
    """Return the five memories of the trading graph, empty."""
    return {name: FinancialSituationMemory(name) for name in MEMORY_NAMES}


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _perfect_score(index: _Index, query: list[str]) -> float:
    """Return the score of a document that is the query itself: what the best match could reach.

    A word no document has counts as the rarest would, so that a query of unknown words resembles nothing.
    """
    rarest = math.log(1 + (index.corpus_size + 0.5) / 0.5)
    length = 1 - index.b + index.b * len(query) / index.avgdl
    counts = {word: query.count(word) for word in set(query)}
    return float(
        sum(
            count * index.idf.get(word, rarest) * count * (index.k1 + 1) / (count + index.k1 * length)
            for word, count in counts.items()
        )
    )
