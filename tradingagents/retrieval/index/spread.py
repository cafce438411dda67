"""The pages beyond the tenth: some of each kind that may hold the answer where the words of the question do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tradingagents.retrieval.index.document_index import DocumentIndex
from tradingagents.retrieval.page_kinds import LIKELY, PageKind

BEST_PAGES = 10
"""The first pages of a search are the best by score; pages of other kinds follow."""
_FROM_NEXT_DOCUMENT = 5
_SEGMENT_PAGES = 2
_MAIN_STATEMENTS: tuple[PageKind, ...] = ("income", "balance", "cashflow")

DocumentPage = tuple[int, int]
"""Number of a document, and a page of it."""


@dataclass(frozen=True, slots=True)
class ScoredDocument:
    """A document with the scores of its pages, or of its passages, for a question."""

    index: DocumentIndex
    weight: float
    """What the document adds to the scores of its pages."""
    scores: NDArray[np.float32]
    """Score of each page or passage with that weight; minus infinity for one that is left out."""
    words: NDArray[np.float32]
    """Score of each passage by its words alone."""


def spread_pages(
    ranked: Sequence[DocumentPage], documents: Mapping[int, ScoredDocument], limit: int
) -> list[DocumentPage]:
    """Return the first pages of a ranking with pages of other kinds after the tenth.

    A reader who finds nothing on the best pages turns to the primary statements, to the segments, to the page on
    which a table or list continues, and to the other report on the same period. The order says so, where scores
    would list more pages like the first ten.

    Args:
        ranked: Pages of all documents, the best first.
        documents: The scores of each document.
        limit: Most pages.
    """
    found = dict.fromkeys(ranked[: min(BEST_PAGES, limit)])
    if limit <= BEST_PAGES or len(ranked) <= BEST_PAGES:
        return list(found)
    for candidates, most in _others(ranked, documents):
        new = 0
        for page in candidates:
            if new == most or len(found) == limit:
                break
            if page not in found and np.isfinite(documents[page[0]].scores[page[1]]):
                found[page] = None
                new += 1
    for page in ranked:
        if len(found) == limit:
            break
        found.setdefault(page)
    return list(found)


def _others(
    ranked: Sequence[DocumentPage], documents: Mapping[int, ScoredDocument]
) -> Iterator[tuple[Iterator[DocumentPage], int]]:
    """Yield candidates, the best first, and how many of them are taken."""
    yield _statements(ranked[0][0], documents), len(_MAIN_STATEMENTS)
    yield _of_next_document(ranked, documents), _FROM_NEXT_DOCUMENT
    yield _of_kind("segments", ranked, documents), _SEGMENT_PAGES
    yield _by_passage(ranked, documents), 1
    yield _continued(ranked, documents), 1
    yield _of_kind("business", ranked, documents), 1
    yield _of_kind("mda", ranked, documents), 1


def _statements(document: int, documents: Mapping[int, ScoredDocument]) -> Iterator[DocumentPage]:
    """Yield the likeliest page of each main statement of a document."""
    for kind in _MAIN_STATEMENTS:
        scores = documents[document].index.kind(kind)
        if scores.max() >= LIKELY:
            yield document, int(scores.argmax())


def _of_next_document(
    ranked: Sequence[DocumentPage], documents: Mapping[int, ScoredDocument]
) -> Iterator[DocumentPage]:
    """Yield pages of the document that fits the question second best, such as the release on the same year."""
    others = [number for number in documents if number != ranked[0][0]]
    if others:
        following = max(
            others, key=lambda number: (documents[number].weight, float(documents[number].scores.max(initial=-np.inf)))
        )
        yield from (page for page in ranked if page[0] == following)


def _of_kind(
    kind: PageKind, ranked: Sequence[DocumentPage], documents: Mapping[int, ScoredDocument]
) -> Iterator[DocumentPage]:
    likely = {number: document.index.kind(kind) >= LIKELY for number, document in documents.items()}
    return (page for page in ranked if likely[page[0]][page[1]])


def _by_passage(ranked: Sequence[DocumentPage], documents: Mapping[int, ScoredDocument]) -> Iterator[DocumentPage]:
    """Yield pages by their best passage alone."""
    best = {}
    for number, document in documents.items():
        scores = np.zeros(document.index.pages, dtype=np.float32)
        np.maximum.at(scores, document.index.passage_pages, document.words)
        best[number] = scores + np.float32(document.weight)
    yield from sorted(ranked, key=lambda page: -float(best[page[0]][page[1]]))


def _continued(ranked: Sequence[DocumentPage], documents: Mapping[int, ScoredDocument]) -> Iterator[DocumentPage]:
    """Yield the pages after the best ones, on which a table or a list may continue."""
    for number, page in ranked[:BEST_PAGES]:
        if page + 1 < documents[number].index.pages:
            yield number, page + 1
