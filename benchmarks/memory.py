"""How fast a memory is, and how near to a full scan: `python -m benchmarks.memory`.

Lessons are made of words drawn by rank (Zipf, of a vocabulary of 20,000), as words of reports are, with some that a
topic repeats; some 200 words each. Half the queries are a lesson's situation told anew: two thirds of its words, the
rest drawn afresh; the other half are situations that nobody has been in, whose best match is a close race. Each size
runs in a process of its own.

What is measured
- add: one lesson added to a memory that holds that many, committed; the median.
- query: two matches, of a situation of 200 words, in a memory that has taken in everything; the median.
- cpu: the processor's time of such a query, which other work on the machine does not lengthen; the mean.
- open: the first query of a new process, which reads the index from the database.
- growth: how much more memory the process holds after that than before, the database's library included.
- agree: share of queries whose first match is that of rank-bm25's own scan over all documents, with the same
  inverse document frequency (`situations.py` says why it is not rank-bm25's).
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from rank_bm25 import BM25Okapi

from benchmarks.measuring import peak_mb
from tradingagents.memory.lesson_index import words_of
from tradingagents.memory.lesson_store import LessonStore
from tradingagents.memory.lessons import Lesson
from tradingagents.memory.situations import FinancialSituationMemory

SIZES = (10_000, 100_000)
WORDS, VOCABULARY, TOPICS = 200, 20_000, 400
QUERIES, ADDS = 200, 50
BOUNDS = {10_000: {"add": 5.0, "query": 20.0}, 100_000: {"query": 100.0, "growth": 300.0}}
"""Milliseconds and megabytes that must hold."""
AGREE = 0.95
PAGE = 5_000
FIRST = date(2020, 1, 1)


class Teller:
    """Makes situations, the same for the same seed."""

    def __init__(self, seed: int = 7) -> None:
        self._random = random.Random(seed)  # noqa: S311 - test data
        self._names = [f"w{number}" for number in range(VOCABULARY)]
        self._weights = list(accumulate(1 / (rank + 10) for rank in range(VOCABULARY)))

    def situation(self) -> str:
        """Return a situation of `WORDS` words, a tenth of them its topic's."""
        topic = self._random.randrange(TOPICS)
        own = [f"topic{topic}x{self._random.randrange(12)}" for _ in range(WORDS // 10)]
        return " ".join([*self._drawn(WORDS - len(own)), *own])

    def retold(self, situation: str) -> str:
        """Return a situation like this one: a third of its words are others."""
        words = situation.split()
        kept = self._random.sample(words, len(words) * 2 // 3)
        return " ".join([*kept, *self._drawn(len(words) - len(kept))])

    def _drawn(self, count: int) -> list[str]:
        return self._random.choices(self._names, cum_weights=self._weights, k=count)


def main() -> None:
    """Run every size and print the table."""
    options = _options()
    if options.fill:
        _fill(FinancialSituationMemory("bull_memory", _store(options.fill)), options.scenario)
        return
    if options.scenario:
        print(json.dumps(_scenario(options.scenario, options.kept)))
        return
    print("lessons  kept in     add ms  query ms  cpu ms   open s  growth MB  agree")
    failed = []
    for size in options.sizes:
        for kept in ("database", "process"):
            found = _in_a_process(size, kept)
            print(
                f"{size:7d}  {kept:<9}  {found['add']:7.2f}  {found['query']:8.2f}  {found['cpu']:6.2f}"
                f"  {found['open']:7.2f}  {found['growth']:9.0f}  {found['agree']:5.1%}"
            )
            bounds = BOUNDS.get(size, {}) if kept == "database" else {}
            failed += [
                f"{name} at {size}: {found[name]:.2f} > {most}" for name, most in bounds.items() if found[name] > most
            ]
            failed += [f"agree at {size}, {kept}: {found['agree']:.1%}"] if found["agree"] < AGREE else []
    print("\n".join(["", *failed]) if failed else "\nall bounds hold")


def _scenario(size: int, kept: str) -> dict[str, float]:
    teller = Teller()
    with tempfile.TemporaryDirectory() as folder:
        store = _store(folder) if kept == "database" else None
        if store is not None:
            # In a process of its own, so that what the writing took is not counted as the reader's.
            command = [sys.executable, "-m", "benchmarks.memory", "--fill", folder, "--scenario", str(size)]
            subprocess.run(command, check=True)
        situations = [teller.situation() for _ in range(size)]
        before = _resident_mb()
        memory = FinancialSituationMemory("bull_memory", store)
        if store is None:
            _fill(memory, size)
        told = random.Random(1).sample(situations, QUERIES // 2)  # noqa: S311 - test data
        queries = [*map(teller.retold, told), *(teller.situation() for _ in range(QUERIES // 2))]
        opened = _timed(lambda: memory.get_memories(queries[0]))
        growth = _resident_mb() - before
        began = time.process_time()
        asked = [_timed(lambda query=query: memory.get_memories(query)) for query in queries]  # type: ignore[misc]
        busy = (time.process_time() - began) / len(queries)
        found = [memory.get_memories(query, 1) for query in queries]
        added = [
            _timed(lambda: memory.add_situations([(teller.situation(), "x")], settled_on=FIRST)) for _ in range(ADDS)
        ]
    best = _full_scan(situations, queries)
    agree = sum(
        bool(match) and match[0]["matched_situation"] == situations[at] for match, at in zip(found, best, strict=True)
    )
    return {
        "add": 1000 * statistics.median(added),
        "query": 1000 * statistics.median(asked),
        "cpu": 1000 * busy,
        "open": opened,
        "growth": growth,
        "agree": agree / len(queries),
    }


def _store(folder: str) -> LessonStore:
    return LessonStore(Path(folder) / "memory.sqlite")


def _fill(memory: FinancialSituationMemory, size: int) -> None:
    """Add the lessons of the usual seed."""
    teller = Teller()
    for page in _pages([teller.situation() for _ in range(size)]):
        memory.add_lessons(page)


def _pages(situations: Sequence[str]) -> Iterator[list[Lesson]]:
    for start in range(0, len(situations), PAGE):
        yield [
            Lesson(situation, f"lesson {start + number}", FIRST + timedelta(days=(start + number) % 1500), "ACME")
            for number, situation in enumerate(situations[start : start + PAGE])
        ]


class _NeverNegative(BM25Okapi):  # type: ignore[misc]  # rank_bm25 has no types
    def _calc_idf(self, nd: dict[str, int]) -> None:
        self.idf = {word: math.log(1 + (self.corpus_size - n + 0.5) / (n + 0.5)) for word, n in nd.items()}


def _full_scan(situations: Sequence[str], queries: Sequence[str]) -> list[int]:
    """Return the number of each query's best document by rank-bm25's scan over all of them.

    Its `get_scores` takes a second a query and ten thousand documents: the same sum is made for all queries at once,
    and one query is checked against `get_scores` itself.
    """
    scan = _NeverNegative([words_of(situation) for situation in situations])
    wanted = [Counter(words_of(query)) for query in queries]
    places: dict[str, list[tuple[int, int]]] = {word: [] for one in wanted for word in one}
    for number, counts in enumerate(scan.doc_freqs):
        for word in counts.keys() & places.keys():
            places[word].append((number, counts[word]))
    norm = scan.k1 * (1 - scan.b + scan.b * np.array(scan.doc_len) / scan.avgdl)
    scores = np.zeros((len(queries), len(situations)))
    for word, found in places.items():
        if found:
            at, often = (np.array(column) for column in zip(*found, strict=True))
            part = scan.idf[word] * often * (scan.k1 + 1) / (often + norm[at])
            for query, one in enumerate(wanted):
                if word in one:
                    scores[query, at] += one[word] * part
    np.testing.assert_allclose(scores[0], scan.get_scores(words_of(queries[0])), rtol=1e-9)
    return [int(best) for best in scores.argmax(axis=1)]


def _timed(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _resident_mb() -> float:
    """Return how much memory this process holds now; where the system does not tell, the most it has held."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except FileNotFoundError:
        return peak_mb()
    return pages * os.sysconf("SC_PAGE_SIZE") / 1024 / 1024


def _in_a_process(size: int, kept: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.memory", "--scenario", str(size), "--kept", kept]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="lessons, one table row for each")
    parser.add_argument("--scenario", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--kept", default="database", help=argparse.SUPPRESS)
    parser.add_argument("--fill", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
