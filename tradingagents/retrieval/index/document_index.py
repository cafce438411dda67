"""The words, row labels and kinds of a document's passages and pages as arrays, made when the document is added."""

from __future__ import annotations

import io
import json
import math
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradingagents.retrieval.index.passages import Passage
from tradingagents.retrieval.index.words import MOST_LABEL_TERMS, NUMBERED, label_number, term_numbers
from tradingagents.retrieval.page_kinds import PageKind, page_kind_names, page_kinds

KINDS: tuple[PageKind, ...] = page_kind_names()
VERSION = 1
"""Raised when an index made before no longer serves; documents are then indexed again from their text."""
_HEADING_LENGTH, _HEADING_WORDS = 90, 12
_SPANS = {
    "annual": re.compile(
        r"(?:twelve|12) months ended|(?:fiscal )?years? ended|fiscal years?\b|full[- ]year|annual", re.I
    ),
    "quarter": re.compile(
        r"(?:three|3) months ended|(?:thirteen|13) weeks ended|quarters? ended|(?:first|second|third|fourth) quarter",
        re.I,
    ),
}
_NUMBERING = re.compile(
    r"^(?:notes?|item|part)?\s*+[\dIVX]*[A-Z]?\s{0,20}[-.:)\u2013\u2014]++\s*+|^notes?\s++\d++\s++", re.IGNORECASE
)
_FULL = 200
"""Scores of page kinds are stored as whole numbers up to this."""
_PLAIN = b"TAI2"
"""Begins an index whose arrays stand one after the other, which is read much faster than one of NumPy files."""
_PARTS = 4
"""Arrays that make postings."""


@dataclass(frozen=True, slots=True)
class PostingArrays:
    """In which places (passages or pages) a number (of a term or a label) stands, and how often."""

    numbers: NDArray[np.uint32]
    """Ascending, each once."""
    starts: NDArray[np.int32]
    """Where a number's places begin in `places`; one more than `numbers`."""
    places: NDArray[np.uint16] | NDArray[np.uint32]
    counts: NDArray[np.uint8]

    def find(self, wanted: NDArray[np.uint32]) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """Return the postings of the wanted numbers, the position in `wanted` of each, and how many each has."""
        if not len(self.numbers):
            nothing = np.zeros(0, dtype=np.intp)
            return nothing, nothing, np.zeros(len(wanted), dtype=np.intp)
        at = np.minimum(np.searchsorted(self.numbers, wanted), len(self.numbers) - 1)
        first = self.starts[at]
        lengths = np.where(self.numbers[at] == wanted, self.starts[at + 1] - first, 0).astype(np.intp)
        owner = np.repeat(np.arange(len(wanted)), lengths)
        before = np.cumsum(lengths) - lengths
        return np.arange(len(owner)) + (first - before)[owner], owner, lengths


@dataclass(frozen=True, slots=True)
class DocumentIndex:
    """A document's passages and pages as arrays."""

    terms: PostingArrays
    """Terms by passage."""
    headings: PostingArrays
    """Terms in headings, by page."""
    labels: PostingArrays
    """Row labels and headings as a whole, and their beginnings of two terms and more, by page."""
    lengths: NDArray[np.float32]
    """Terms in each passage."""
    bounds: NDArray[np.uint32]
    """A row a passage: page, start, end."""
    spans: NDArray[np.uint8]
    """A row a page: 1 where it speaks of whole years, and 1 where it speaks of quarters."""
    kinds: NDArray[np.uint8]
    """A row a page, a column a kind of `KINDS`; 200 for a score of 1."""
    item_numbers: NDArray[np.uint16]
    speaker_numbers: NDArray[np.uint16]
    items: tuple[str, ...]
    """Items of the filing; `item_numbers` tells that of each passage."""
    speakers: tuple[str, ...]

    @property
    def pages(self) -> int:
        """Number of pages."""
        return len(self.kinds)

    @property
    def passage_pages(self) -> NDArray[np.uint32]:
        """The page of each passage."""
        return self.bounds[:, 0]

    def kind(self, name: PageKind) -> NDArray[np.float32]:
        """Return the score of a kind for every page, 0 to 1."""
        return self.kinds[:, KINDS.index(name)].astype(np.float32) / np.float32(_FULL)

    def passage(self, number: int) -> Passage:
        """Return a passage by its number."""
        page, start, end = (int(value) for value in self.bounds[number])
        item, speaker = self.items[self.item_numbers[number]], self.speakers[self.speaker_numbers[number]]
        return Passage(page, start, end, item, speaker)

    def to_bytes(self) -> bytes:
        """Return the arrays as one compressed block."""
        arrays = self._arrays()
        head = {
            "items": self.items,
            "speakers": self.speakers,
            "arrays": [[array.dtype.str, *array.shape] for array in arrays],
        }
        content = json.dumps(head).encode()
        parts = [len(content).to_bytes(4, "little"), content, *(array.tobytes() for array in arrays)]
        return _PLAIN + zlib.compress(b"".join(parts), 1)

    @classmethod
    def from_bytes(cls, block: bytes) -> DocumentIndex:
        """Read what `to_bytes` wrote, or an earlier version of it."""
        if not block.startswith(_PLAIN):
            return cls._from_numpy_files(block)
        content = zlib.decompress(block[len(_PLAIN) :])
        at = 4 + int.from_bytes(content[:4], "little")
        head = json.loads(content[4:at])
        arrays: list[Any] = []
        for kind, *shape in head["arrays"]:
            count = math.prod(shape)
            arrays.append(np.frombuffer(content, dtype=kind, count=count, offset=at).reshape(shape))
            at += count * np.dtype(kind).itemsize
        return cls._of(arrays, head["items"], head["speakers"])

    @classmethod
    def _from_numpy_files(cls, block: bytes) -> DocumentIndex:
        file = io.BytesIO(zlib.decompress(block))
        arrays = [np.load(file, allow_pickle=False) for _ in range(7 + 3 * _PARTS)]
        items, speakers = json.loads(arrays.pop(6).tobytes())
        return cls._of(arrays, items, speakers)

    @classmethod
    def _of(cls, arrays: list[Any], items: Sequence[str], speakers: Sequence[str]) -> DocumentIndex:
        lengths, bounds, spans, kinds, item_numbers, speaker_numbers, *rest = arrays
        terms, headings, labels = (PostingArrays(*rest[at : at + _PARTS]) for at in range(0, 3 * _PARTS, _PARTS))
        return cls(
            terms, headings, labels, lengths, bounds, spans, kinds, item_numbers, speaker_numbers,
            tuple(items), tuple(speakers),
        )  # fmt: skip

    @property
    def size(self) -> int:
        """Bytes that the arrays take in memory."""
        return sum(array.nbytes for array in self._arrays())

    def _arrays(self, *others: NDArray[Any]) -> list[NDArray[Any]]:
        arrays: list[NDArray[Any]] = [
            self.lengths, self.bounds, self.spans, self.kinds, self.item_numbers, self.speaker_numbers, *others
        ]  # fmt: skip
        for postings in (self.terms, self.headings, self.labels):
            arrays += [postings.numbers, postings.starts, postings.places, postings.counts]
        return arrays


def index_document(texts: Sequence[str], passages: Sequence[Passage]) -> DocumentIndex:
    """Index one document.

    Args:
        texts: The text of each page.
    """
    terms = [term_numbers(texts[passage.page][passage.start : passage.end]) for passage in passages]
    headings, labels = zip(*map(_headings_and_labels, texts), strict=True) if texts else ((), ())
    kinds = np.zeros((len(texts), len(KINDS)), dtype=np.uint8)
    for page in page_kinds(texts):
        for kind, score in page.scores.items():
            kinds[page.page, KINDS.index(kind)] = round(score * _FULL)
    spans = [[rule.search(text) is not None for rule in _SPANS.values()] for text in texts]
    items = tuple(dict.fromkeys(passage.item for passage in passages)) or ("",)
    speakers = tuple(dict.fromkeys(passage.speaker for passage in passages)) or ("",)
    return DocumentIndex(
        terms=_postings(terms),
        headings=_postings(headings),
        labels=_postings(labels),
        lengths=np.array([len(words) for words in terms], dtype=np.float32),
        bounds=np.array([(passage.page, passage.start, passage.end) for passage in passages], dtype=np.uint32).reshape(
            -1, 3
        ),
        spans=np.array(spans, dtype=np.uint8).reshape(-1, len(_SPANS)),
        kinds=kinds,
        item_numbers=np.array([items.index(passage.item) for passage in passages], dtype=np.uint16),
        speaker_numbers=np.array([speakers.index(passage.speaker) for passage in passages], dtype=np.uint16),
        items=items,
        speakers=speakers,
    )


def _headings_and_labels(text: str) -> tuple[list[int], list[int]]:
    """Return the numbers of the terms in a page's headings, and of its row labels and headings."""
    headings: list[int] = []
    labels: list[int] = []
    for line in text.splitlines():
        words = line.split()
        figures = 0
        while figures < len(words) and not any(letter.isalpha() for letter in words[-1 - figures]):
            figures += 1
        if figures == len(words):
            continue
        is_heading = (
            not figures
            and len(line) <= _HEADING_LENGTH
            and len(words) <= _HEADING_WORDS
            and next(letter for letter in line if letter.isalpha()).isupper()
            and words[-1][-1] not in ".,;"
        )
        if not figures and not is_heading:
            continue
        printed = " ".join(words[: len(words) - figures])
        name = _NUMBERING.sub("", printed)
        label = term_numbers(name)
        if is_heading:
            headings += label
            if label and name != printed:
                labels.append(label_number([NUMBERED, *label]))
        if label:
            labels.append(label_number(label))
            labels += [label_number(label[:length]) for length in range(2, min(len(label), MOST_LABEL_TERMS))]
    return headings, labels


def _postings(places: Sequence[Sequence[int]]) -> PostingArrays:
    sizes = [len(place) for place in places]
    numbers = np.fromiter((number for place in places for number in place), dtype=np.uint64, count=sum(sizes))
    keys = (numbers << np.uint64(32)) | np.repeat(np.arange(len(places), dtype=np.uint64), sizes)
    unique, counts = np.unique(keys, return_counts=True)
    number = (unique >> np.uint64(32)).astype(np.uint32)
    known, first = np.unique(number, return_index=True)
    where = unique & np.uint64(0xFFFFFFFF)
    return PostingArrays(
        known,
        np.append(first, len(number)).astype(np.int32),
        where.astype(np.uint16 if len(places) <= 2**16 else np.uint32),
        np.minimum(counts, 255).astype(np.uint8),
    )
