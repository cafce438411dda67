"""An agent's memory: lessons of past situations, retrieved by BM25 and limited to those known by a day."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from rank_bm25 import BM25Okapi

from tradingagents.memory.lesson_index import LessonIndex, Statistics, words_of
from tradingagents.memory.lesson_store import LessonStore
from tradingagents.memory.lessons import Lesson
from tradingagents.memory.postings import Counted
from tradingagents.schemas.record import Record

MEMORY_NAMES = ("bull_memory", "bear_memory", "trader_memory", "invest_judge_memory", "risk_manager_memory")
MIN_SIMILARITY = 0.15
"""Minimum similarity of a match; below it, a shared word or two are chance."""
SHORTLIST = 6
"""Number of additional lessons scored to find the best."""


class Match(Record):
    """A remembered situation that resembles the present one."""

    matched_situation: str
    recommendation: str
    similarity_score: float
    """Share of the highest possible BM25 score, 0 to 1; independent of the other matches."""
    id: int | None
    """The lesson's id in the database; None without a database."""
    settled_on: str
    """The day its outcome was known, YYYY-MM-DD."""
    ticker: str | None
    """The company it is about; None when it is not about a single company."""
    outcome: str | None
    """Decision, day and outcome; None when the lesson was added by hand."""


class _Shortlist(BM25Okapi):  # type: ignore[misc]  # rank_bm25 has no types
    """rank-bm25 over a selection of documents, with the statistics of all of them.

    The inverse document frequency is never negative, so one or two documents work too:
    idf = ln(1 + (N - n + 0.5) / (n + 0.5)), Lucene's form of the weight by Robertson and Sparck Jones.
    """

    def __init__(self, documents: list[list[str]], statistics: Statistics) -> None:
        self._statistics = statistics
        super().__init__(documents)
        self.corpus_size, self.avgdl = len(documents), statistics.mean_length

    def get_scores(self, query: list[str]) -> Any:
        """Return each document's score; the words that no document has add nothing, and are left out."""
        found = set().union(*self.doc_freqs)
        return super().get_scores([word for word in query if word in found])

    def _calc_idf(self, nd: dict[str, int]) -> None:  # noqa: ARG002 - counts of the selection; those of all are used
        self.idf = self._statistics.idf


class FinancialSituationMemory:
    """One agent's memory of situations and recommendations. Thread-safe."""

    def __init__(self, name: str, store: LessonStore | Mapping[str, Any] | None = None) -> None:
        """Create or open the memory.

        Args:
            name: One of `MEMORY_NAMES`.
            store: Store of its lessons, shared by processes. `None`, or a configuration as in the public API, means
                an empty memory in this process.
        """
        self.name = name
        self._store = store if isinstance(store, LessonStore) else None
        self._lessons: list[Lesson] = []
        """Without a store: the lessons by number in the index."""
        self._ids: list[int] = []
        """With a store: the lesson id in the store by number in the index."""
        self._forgotten_seen = 0
        self._index = LessonIndex()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        with self._lock:
            self._catch_up()
            return len(self._index)

    def add_situations(
        self, situations_and_advice: Iterable[tuple[str, str]], *, settled_on: date | None = None
    ) -> None:
        """Add recommendations learned in situations.

        Args:
            situations_and_advice: Pairs of (situation, recommendation).
            settled_on: The day their outcomes were known; `None` means today, so that no study of a past day sees them.

        Raises:
            HomeNotWritable, DatabaseUnreachable: The store cannot be used; `get_memories` raises these too.
        """
        day = settled_on or datetime.now(UTC).date()
        self.add_lessons(Lesson(situation, advice, day) for situation, advice in situations_and_advice)

    def add_lessons(self, lessons: Iterable[Lesson]) -> None:
        """Add lessons. Raises as `add_situations` does."""
        if self._store is not None:
            self._store.add(self.name, lessons)
            return
        with self._lock:
            for lesson in lessons:
                self._lessons.append(lesson)
                self._index.add(Counted.of(words_of(lesson.situation)), lesson.settled_on)

    def get_memories(self, current_situation: str, n_matches: int = 2, *, as_of: date | None = None) -> list[Match]:
        """Return the remembered situations most similar to the present one, best first; [] if none is similar.

        Args:
            current_situation: Text of the present situation.
            n_matches: Maximum number of matches.
            as_of: Ignore lessons known later; `None` means all are visible.
        """
        with self._lock:
            self._catch_up()
            query = words_of(current_situation) if len(self._index) else []
            if not query or n_matches < 1:
                return []
            likely, statistics = self._index.likely(query, as_of=as_of, most=n_matches + SHORTLIST)
            lessons = self._read(likely) if likely else []
        if not lessons:
            return []
        shortlist = _Shortlist([words_of(lesson.situation) for lesson in lessons], statistics)
        best = _perfect_score(shortlist, query, statistics)
        scored = sorted(
            zip((float(score) / best for score in shortlist.get_scores(query)), lessons, strict=True),
            key=lambda pair: pair[0],
            reverse=True,
        )
        return [
            Match(
                matched_situation=lesson.situation,
                recommendation=lesson.recommendation,
                similarity_score=round(min(similarity, 1.0), 4),
                id=lesson.id,
                settled_on=lesson.settled_on.isoformat(),
                ticker=lesson.ticker,
                outcome=lesson.outcome,
            )
            for similarity, lesson in scored[:n_matches]
            if similarity >= MIN_SIMILARITY
        ]

    def _catch_up(self) -> None:
        """Index lessons added to the store, and rebuild the index after a deletion."""
        if self._store is None:
            return
        while True:
            seen = self._ids[-1] if self._ids else 0
            changes = self._store.changes(self.name, seen=seen, forgotten_seen=self._forgotten_seen)
            self._forgotten_seen = changes.forgotten_seen
            if not changes.forgotten.isdisjoint(self._ids):
                self._index, self._ids = LessonIndex(), []
                continue
            for lesson in changes.added:
                self._index.add(lesson.words, lesson.settled_on)
                self._ids.append(lesson.id)
            if changes.whole:
                return

    def _read(self, numbers: Sequence[int]) -> list[Lesson]:
        if self._store is None:
            return [self._lessons[number] for number in numbers]
        ids = [self._ids[number] for number in numbers]
        found = self._store.read(ids)
        return [found[number] for number in ids if number in found]


def new_memories(store: LessonStore | None = None) -> dict[str, FinancialSituationMemory]:
    """Return the five memories of the trading graph.

    Args:
        store: Store of their lessons; `None` means empty memories in this process.
    """
    return {name: FinancialSituationMemory(name, store) for name in MEMORY_NAMES}


def _perfect_score(shortlist: _Shortlist, query: list[str], statistics: Statistics) -> float:
    """Return the score of a document equal to the query, which is the highest possible score.

    A word that no document contains counts like the rarest word, so that a query of unknown words matches nothing.
    """
    rarest = math.log(1 + (statistics.documents + 0.5) / 0.5)
    length = 1 - shortlist.b + shortlist.b * len(query) / statistics.mean_length
    scores = (
        count * statistics.idf.get(word, rarest) * count * (shortlist.k1 + 1) / (count + shortlist.k1 * length)
        for word, count in Counter(query).items()
    )
    return float(sum(scores))
