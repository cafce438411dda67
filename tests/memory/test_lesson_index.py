"""The index finds what a full scan by rank-bm25 finds, among what may be seen, however it grew."""

from __future__ import annotations

import math
import random
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from tests.support.tiers import examples
from tradingagents.memory.lesson_index import LessonIndex, words_of
from tradingagents.memory.postings import FAN, FRESH, Counted, Postings

FIRST = date(2024, 1, 1)
WORDS = [f"w{number}" for number in range(400)]


class FullScan(BM25Okapi):
    """rank-bm25 itself, with an inverse document frequency that is never negative."""

    def _calc_idf(self, nd: dict[str, int]) -> None:
        self.idf = {word: math.log(1 + (self.corpus_size - n + 0.5) / (n + 0.5)) for word, n in nd.items()}


def written(seed: int, length: int = 40) -> list[str]:
    """Return words of which the first are frequent and the last are rare, as in a language."""
    drawn = random.Random(seed)  # noqa: S311 - no secret
    return [WORDS[min(int(drawn.paretovariate(0.4)) - 1, len(WORDS) - 1)] for _ in range(length)]


def filled(lessons: list[list[str]], days: list[date] | None = None) -> LessonIndex:
    index = LessonIndex()
    for number, words in enumerate(lessons):
        assert index.add(Counted.of(words), days[number] if days else FIRST) == number
    return index


@pytest.mark.parametrize("size", [1, 2, 9, FRESH - 1, FRESH + 1, FRESH * FAN + 3])
def test_the_best_are_those_of_a_full_scan_and_so_are_their_statistics(size: int):
    lessons = [written(seed) for seed in range(size)]
    index, scan = filled(lessons), FullScan(lessons)
    for seed in range(100_000, 100_020):
        query = written(seed, 60)
        likely, statistics = index.likely(query, as_of=None, most=3)
        scores = scan.get_scores(query)
        assert [scores[number] for number in likely] == pytest.approx(sorted(scores, reverse=True)[: len(likely)])
        assert statistics.documents == size
        assert statistics.mean_length == pytest.approx(scan.avgdl)
        assert statistics.idf == pytest.approx({word: scan.idf[word] for word in set(query) if word in scan.idf})


@settings(max_examples=examples(30))
@given(st.lists(st.integers(0, 40), min_size=1, max_size=30), st.integers(-1, 41))
def test_what_was_settled_later_changes_nothing_not_even_a_statistic(offsets: list[int], cut: int):
    days = [FIRST + timedelta(days=offset) for offset in offsets]
    lessons = [written(seed) for seed in range(len(days))]
    as_of = FIRST + timedelta(days=cut)
    seen = [number for number, day in enumerate(days) if day <= as_of]
    query = written(777)
    likely, statistics = filled(lessons, days).likely(query, as_of=as_of, most=5)
    alone, expected = filled([lessons[number] for number in seen]).likely(query, as_of=None, most=5)
    assert [seen[number] for number in alone] == likely
    assert statistics == expected


def test_what_is_added_between_queries_is_found_by_the_next_one():
    index = LessonIndex()
    for number in range(3 * FRESH):
        index.add(Counted.of(["common", f"only{number}"]), FIRST)
        assert index.likely([f"only{number}"], as_of=FIRST, most=1)[0] == [number]


def test_segments_stay_few():
    postings = Postings()
    for number in range(20_000):
        postings.add(Counted.of([f"w{number % 7}"]))
        if number % 50 == 0:
            postings.find(["w1"])
    assert len(postings._segments) < 6 * FAN
    assert postings.find(["w1", "nowhere"]).document.size == 2857


def test_a_word_said_very_often_is_counted():
    postings = Postings()
    postings.add(Counted.of(["so"] * 70_000))
    found = postings.find(["so", "what"])
    assert (found.word.tolist(), found.document.tolist(), found.count.tolist()) == ([0], [0], [65535])


def test_words_are_lower_case_with_their_figures():
    assert words_of("Revenue GREW 12.5% (Q4-2024)!") == ["revenue", "grew", "12.5%", "q4-2024"]


def test_a_document_survives_the_disk():
    document = Counted.of(["a", "b", "a", "ü"])
    again = Counted.from_bytes(document.to_bytes())
    assert again.words.tolist() == document.words.tolist()
    assert again.counts.tolist() == [2, 1, 1]
