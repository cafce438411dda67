"""An inverted index that grows: which documents hold a word, kept in segments that are merged as they add up.

rank-bm25 scores every document for every query and is built anew whenever one is added. Here a query touches the
documents that share a word with it, and adding one touches nothing else; what it finds is then scored by rank-bm25.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FAN = 8
"""Segments of like size that are merged into one: a document is copied once for every power of it."""
FRESH = 256
"""Documents that may wait for a segment of their own; a query does not let them wait."""

Ints = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Counted:
    """A document as its words, by number, and how often it holds each."""

    words: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.uint16]

    @staticmethod
    def of(words: Sequence[str]) -> Counted:
        """Count words."""
        counted = Counter(map(hashed, words))
        return Counted(
            np.fromiter(counted.keys(), np.uint32, len(counted)),
            np.fromiter((min(count, 65535) for count in counted.values()), np.uint16, len(counted)),
        )

    def to_bytes(self) -> bytes:
        """Return the document as little-endian bytes: the words, then the counts."""
        return self.words.astype("<u4").tobytes() + self.counts.astype("<u2").tobytes()

    @staticmethod
    def from_bytes(packed: bytes) -> Counted:
        """Read what `to_bytes` gave."""
        size = len(packed) // 6
        return Counted(np.frombuffer(packed, "<u4", size), np.frombuffer(packed, "<u2", size, 4 * size))


@dataclass(frozen=True, slots=True)
class _Segment:
    """Postings of some documents, by word."""

    words: npt.NDArray[np.uint32]
    """Ascending, without repeats."""
    offsets: npt.NDArray[np.int64]
    """Where each word's postings begin; one more for the end."""
    documents: Ints
    counts: npt.NDArray[np.uint16]
    size: int
    """Documents."""

    @staticmethod
    def of(words: npt.NDArray[np.uint32], documents: Ints, counts: npt.NDArray[np.uint16], size: int) -> _Segment:
        order = np.argsort(words, kind="stable")
        found, starts = np.unique(words[order], return_index=True)
        return _Segment(found, np.append(starts, len(words)), documents[order], counts[order], size)

    @staticmethod
    def merged(parts: Sequence[_Segment]) -> _Segment:
        spelt = [np.repeat(part.words, np.diff(part.offsets)) for part in parts]
        return _Segment.of(
            np.concatenate(spelt),
            np.concatenate([part.documents for part in parts]),
            np.concatenate([part.counts for part in parts]),
            sum(part.size for part in parts),
        )


@dataclass(frozen=True, slots=True)
class QueryPostings:
    """The postings of a query's words."""

    word: Ints
    """Which of the query's words, by its position."""
    document: Ints
    count: npt.NDArray[np.uint16]
    """How often the document holds the word."""


class Postings:
    """Documents by the words they hold. Not thread-safe: its owner takes turns."""

    def __init__(self) -> None:
        self._segments: list[_Segment] = []
        self._fresh: list[Counted] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, document: Counted) -> int:
        """Add a document and return its number: 0 for the first."""
        self._fresh.append(document)
        self._count += 1
        if len(self._fresh) == FRESH:
            self._settle()
        return self._count - 1

    def find(self, words: Sequence[str]) -> QueryPostings:
        """Return every posting of the words given, which must be without repeats."""
        self._settle()
        asked = np.array([hashed(word) for word in words], dtype=np.uint32)
        parts = [_find(segment, asked) for segment in self._segments]
        if not parts:
            nothing = np.empty(0, dtype=np.int32)
            return QueryPostings(nothing, nothing, np.empty(0, dtype=np.uint16))
        return QueryPostings(
            np.concatenate([part.word for part in parts]),
            np.concatenate([part.document for part in parts]),
            np.concatenate([part.count for part in parts]),
        )

    def spread(self, words: Sequence[str]) -> Ints:
        """Return how many documents hold each of the words."""
        self._settle()
        asked = np.array([hashed(word) for word in words], dtype=np.uint32)
        total = np.zeros(len(asked), dtype=np.int32)
        for segment in self._segments:
            at, there = _places(segment, asked)
            total[there] += np.diff(segment.offsets)[at[there]].astype(np.int32)
        return total

    def _settle(self) -> None:
        """Make a segment of what was added since, and merge those of like size."""
        if self._fresh:
            first = self._count - len(self._fresh)
            self._segments.append(
                _Segment.of(
                    np.concatenate([one.words for one in self._fresh]),
                    np.repeat(np.arange(first, self._count, dtype=np.int32), [len(one.words) for one in self._fresh]),
                    np.concatenate([one.counts for one in self._fresh]),
                    len(self._fresh),
                )
            )
            self._fresh = []
        while len(self._segments) >= FAN:
            tail = self._segments[-FAN:]
            if tail[0].size >= FAN * tail[-1].size:
                break
            self._segments[-FAN:] = [_Segment.merged(tail)]


def hashed(word: str) -> int:
    """Return the number a word goes by: of 200,000 words some five share theirs with another, which does no harm."""
    return zlib.crc32(word.encode())


def _places(segment: _Segment, asked: npt.NDArray[np.uint32]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    at = np.searchsorted(segment.words, asked)
    there = at < len(segment.words)
    there[there] = segment.words[at[there]] == asked[there]
    return at, there


def _find(segment: _Segment, asked: npt.NDArray[np.uint32]) -> QueryPostings:
    at, there = _places(segment, asked)
    starts = segment.offsets[at[there]]
    lengths = segment.offsets[at[there] + 1] - starts
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    picked = np.arange(total) + np.repeat(starts - (ends - lengths), lengths)
    return QueryPostings(
        np.repeat(np.flatnonzero(there).astype(np.int32), lengths), segment.documents[picked], segment.counts[picked]
    )
