"""Scores of a document's pages for a question: BM25 over words and line items, and what kind of page answers it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradingagents.retrieval.index.document_index import DocumentIndex
from tradingagents.retrieval.index.question import SearchQuestion, item_of, topic_of
from tradingagents.retrieval.page_kinds import STATEMENTS, PageKind

K1, B = 1.5, 0.75
"""The parameters of rank-bm25."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each part of a page's score counts; the words of the question count 1."""

    heading: float = 2.0
    """How many times a word counts again in a heading."""
    best_passage: float = 0.3
    """Share of its best passage in a page's score for words; the page as a whole has the rest."""
    item_terms: float = 0.2
    rows: float = 0.5
    topic_terms: float = 0.5
    topic_headings: float = 0.2
    statement: float = 1.2
    no_reasons: float = 0.25
    """Subtracted from primary statements where reasons are asked for."""
    period: float = 0.12
    event: float = 0.15
    """Added to pages that report the events of an 8-K."""
    unlikely: float = 0.35
    """Subtracted from covers, contents, exhibits and signatures."""


DEFAULT_WEIGHTS = Weights()
_REASONS = "drivers"
"""Subject of questions for reasons, which no primary statement tells."""
_UNLIKELY: tuple[PageKind, ...] = ("cover", "contents", "exhibits", "signatures", "audit")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question as the numbers that page indexes are searched for, made once for all documents."""

    question: SearchQuestion
    without: frozenset[str]
    terms: NDArray[np.uint32]
    term_weights: NDArray[np.float32]
    all_terms: NDArray[np.uint32]
    """The terms of the question, of its line items and of its subjects."""
    groups: tuple[NDArray[np.float32], ...]
    """Their weights within each of the three groups."""
    labels: NDArray[np.uint32]
    """Row labels of all line items."""
    label_items: NDArray[np.intp]
    """The line item of each label."""
    item_weights: NDArray[np.float32]
    headings: NDArray[np.uint32]
    numbered_headings: NDArray[np.uint32]
    parts: tuple[PageKind, ...]


def wanted_numbers(question: SearchQuestion, *, without: Collection[str] = (), ignored: Collection[int] = ()) -> Wanted:
    """Prepare a question for `page_and_passage_scores`.

    Args:
        without: Rules (`RULES`) to leave out.
        ignored: Terms that tell no page from another, such as the name of the company.
    """
    terms = {number: weight for number, weight in question.terms.items() if number not in ignored}
    items = [item_of(name) for name in question.items]
    topics = [topic_of(name) for name in question.topics]
    labels = [(label, at) for at, item in enumerate(items) for label in item.labels]
    if "rows" in without:
        labels = []
    item_terms = sorted({term for item in items for term in item.terms})
    topic_terms = sorted({term for topic in topics for term in topic.terms})
    term_weights = np.array(list(terms.values()), dtype=np.float32)
    return Wanted(
        question,
        frozenset(without),
        np.array(list(terms), dtype=np.uint32),
        term_weights,
        np.array([*terms, *item_terms, *topic_terms], dtype=np.uint32),
        (term_weights, np.ones(len(item_terms), np.float32), np.ones(len(topic_terms), np.float32)),
        np.array([label for label, _ in labels], dtype=np.uint32),
        np.array([at for _, at in labels], dtype=np.intp),
        np.array(list(question.items.values()), dtype=np.float32),
        np.array(sorted({label for topic in topics for label in topic.labels}), dtype=np.uint32),
        np.array(sorted({label for topic in topics for label in topic.numbered_labels}), dtype=np.uint32),
        tuple(dict.fromkeys(part for topic in topics for part in topic.parts)),
    )


def page_and_passage_scores(
    index: DocumentIndex, wanted: Wanted, weights: Weights = DEFAULT_WEIGHTS
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return a score for each page, comparable between documents, and one for each passage by its words alone."""
    without = wanted.without
    heading = 0.0 if "headings" in without else weights.heading
    best = 0.0 if "passages" in without else weights.best_passage
    scores, passages = bm25(index, wanted, weights, heading, best)
    if len(wanted.labels):
        scores += weights.rows * _rows(index, wanted)
    if len(wanted.headings):
        headed = np.zeros(index.pages, dtype=np.float32)
        headed[index.labels.places[index.labels.find(wanted.headings)[0]]] = 1.0
        headed[index.labels.places[index.labels.find(wanted.numbered_headings)[0]]] = 2.0
        scores += weights.topic_headings * headed
    if wanted.question.statements:
        scores += weights.statement * _statements(index, wanted)
    elif _REASONS in wanted.question.topics and "statements" not in without:
        scores -= weights.no_reasons * np.max([index.kind(kind) for kind in STATEMENTS], axis=0)
    if "periods" not in without:
        scores += weights.period * _spans(index, wanted.question)
    if "kinds" not in without:
        scores += weights.event * index.kind("events")
        kinds = [index.kind(kind) for kind in _UNLIKELY if kind not in wanted.parts]
        scores -= weights.unlikely * np.where(index.kind("events") > 0, 0.0, np.max(kinds, axis=0))
    return scores, passages


def bm25(
    index: DocumentIndex, wanted: Wanted, weights: Weights, heading: float, best: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the BM25 score of each page and of each passage.

    The words of the question, of its line items and of its subjects count each as a share of the most that a page could
    reach by them. A word in a heading of the page counts `heading` times more; `best` is the share of its best passage
    in a page's score. The inverse document frequency is that of this document's own pages: other documents, perhaps not
    known yet at the time of the question, have no say.
    """
    terms, pages, count = wanted.all_terms, index.pages, len(wanted.all_terms)
    if not count or not pages:
        return np.zeros(pages, dtype=np.float32), np.zeros(len(index.lengths), dtype=np.float32)
    at, owner, _ = index.terms.find(terms)
    passage = index.terms.places[at]
    often = index.terms.counts[at].astype(np.float32)
    page = index.passage_pages[passage]
    table = np.bincount(owner * pages + page, weights=often, minlength=count * pages).astype(np.float64)
    table = table.reshape(count, pages)
    spread = np.count_nonzero(table, axis=1)
    idf = np.log(1 + (pages - spread + 0.5) / (spread + 0.5))
    start = 0
    for group, weight in zip(wanted.groups, (1.0, weights.item_terms, weights.topic_terms), strict=True):
        part = slice(start, start + len(group))
        idf[part] *= group
        idf[part] *= weight / ((float(idf[part].sum()) or 1.0) * (K1 + 1))
        start += len(group)
    own = idf[owner] * often * (K1 + 1) / (often + _norm(index.lengths)[passage])
    by_passage = np.bincount(passage, weights=own, minlength=len(index.lengths))
    if heading:
        found, term, _ = index.headings.find(terms)
        table[term, index.headings.places[found]] += heading * index.headings.counts[found]
    lengths = np.bincount(index.passage_pages, weights=index.lengths, minlength=pages).astype(np.float64)
    by_page = (idf[:, None] * (K1 + 1) * table / (table + _norm(lengths))).sum(axis=0)
    if best:
        top = np.zeros(pages)
        np.maximum.at(top, index.passage_pages, by_passage)
        by_page = (1 - best) * by_page + best * top
    return by_page.astype(np.float32), by_passage.astype(np.float32)


def _norm(lengths: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
    mean = float(lengths.mean()) if len(lengths) else 0.0
    return K1 * (1 - B + B * lengths / (mean or 1.0)) + 1e-9


def _rows(index: DocumentIndex, wanted: Wanted) -> NDArray[np.float32]:
    """Return the share of the line items that have a row on each page; rarer rows count more."""
    at, owner, _ = index.labels.find(wanted.labels)
    table = np.zeros((len(wanted.item_weights), index.pages), dtype=np.float32)
    table[wanted.label_items[owner], index.labels.places[at]] = 1.0
    spread = table.sum(axis=1)
    rarity = np.log(1 + (index.pages - spread + 0.5) / (spread + 0.5)) * wanted.item_weights
    total: NDArray[np.float32] = rarity @ table
    return total / (float(rarity.sum()) or 1.0)


def _statements(index: DocumentIndex, wanted: Wanted) -> NDArray[np.float32]:
    """Return how well each page is one of the statements that are wanted, times how much it is wanted."""
    kinds = [(index.kind(kind), weight) for kind, weight in wanted.question.statements.items()]
    best: NDArray[np.float32] = np.max([weight * np.where(score >= 0.3, score, 0.0) for score, weight in kinds], axis=0)
    return best


def _spans(index: DocumentIndex, question: SearchQuestion) -> NDArray[np.float32]:
    """Return 1 for pages that speak of the length of period that is asked for, less for those of the other alone."""
    if question.period is None:
        return np.zeros(index.pages, dtype=np.float32)
    annual, quarter = index.spans[:, 0].astype(np.float32), index.spans[:, 1].astype(np.float32)
    return annual - quarter * (1 - annual) if question.period.quarter is None else quarter
