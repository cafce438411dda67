"""An inverted index that can grow: the documents that contain each word, in segments that are merged over time.

rank-bm25 scores every document for every query and must be rebuilt when one is added. This index reads only the
documents that share a word with the query, and adding one is cheap; rank-bm25 then scores the documents found.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FAN = 8
"""Number of segments of similar size that are merged; a document is copied once for each power of this number."""
FRESH = 256
"""Number of added documents that may wait for a segment; a query moves them into one at once."""

Ints = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Counted:
    """A document as the numbers of its words and their counts."""

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
        """Return the document as little-endian bytes: all words, then all counts."""
        return self.words.astype("<u4").tobytes() + self.counts.astype("<u2").tobytes()

    @staticmethod
    def from_bytes(packed: bytes) -> Counted:
        """Read the result of `to_bytes`."""
        size = len(packed) // 6
        return Counted(np.frombuffer(packed, "<u4", size), np.frombuffer(packed, "<u2", size, 4 * size))


@dataclass(frozen=True, slots=True)
class _Segment:
    """Postings of some documents, sorted by word."""

    words: npt.NDArray[np.uint32]
    """Ascending, without repeats."""
    offsets: npt.NDArray[np.int64]
    """Start of each word's postings; one extra entry marks the end."""
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
    """The postings of the words in a query."""

    word: Ints
    """Position of the word in the query."""
    document: Ints
    count: npt.NDArray[np.uint16]
    """How often the document contains the word."""


class Postings:
    """Documents by the words they contain. Not thread-safe: the owner serialises access."""

    def __init__(self) -> None:
        self._segments: list[_Segment] = []
        self._fresh: list[Counted] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, document: Counted) -> int:
        """Add a document and return its number, starting at 0."""
        self._fresh.append(document)
        self._count += 1
        if len(self._fresh) == FRESH:
            self._settle()
        return self._count - 1

    def find(self, words: Sequence[str]) -> QueryPostings:
        """Return every posting of the given words, which must be distinct."""
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

    def _settle(self) -> None:
        """Move added documents into a segment and merge segments of similar size."""
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
    """Return the 32-bit hash of a word; among 200,000 words about five collide, which is harmless."""
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
