"""Scores of a document's pages for a question: BM25 over words and line items, and what kind of page answers it."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradingagents.retrieval.index.document_index import DocumentIndex
from tradingagents.retrieval.index.question import SearchQuestion, item_of, topic_of
from tradingagents.retrieval.page_kinds import PageKind

K1, B = 1.5, 0.75
"""The parameters of rank-bm25."""
_SHARE_OF_GROUP = {"": 1.0, "item_": 0.2, "topic_": 0.5}
"""How much the words of the question, of its line items and of its subjects count in the score of a passage."""
_UNLIKELY: tuple[PageKind, ...] = ("cover", "contents", "exhibits", "signatures", "audit")


FEATURES: Mapping[str, str] = {
    "words": "words",
    "passage": "passages",
    "heading_words": "headings",
    "item_words": "line_items",
    "rows": "rows",
    "topic_words": "topics",
    "topic_passage": "passages",
    "topic_headings": "topics",
    "statement_named": "statements",
    "statement_of_measure": "statements",
    "statement_of_item": "statements",
    "discussion": "kinds",
    "events": "kinds",
    "unlikely": "kinds",
    "years": "periods",
    "quarters": "periods",
}
"""What is told of a page, each 0 to 1, and the rule (`RULES`) without which it is not told; `words` always are."""


@cache
def page_weights() -> Mapping[str, float]:
    """Return how much each of `FEATURES` counts; fitted by `python -m benchmarks.filings.cross_validation --write`."""
    source = files("tradingagents.retrieval.index").joinpath("fitted_weights.toml")
    return dict(tomllib.loads(source.read_text("utf-8"))["pages"])


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
        tuple(dict.fromkeys(part for topic in topics for part in topic.parts)),
    )


def page_and_passage_scores(
    index: DocumentIndex, wanted: Wanted, weights: Mapping[str, float] | None = None
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return a score for each page, comparable between documents, and one for each passage by its words alone."""
    features, passages = page_features(index, wanted)
    counted = page_weights() if weights is None else weights
    scores = np.zeros(index.pages, dtype=np.float64)
    for name, values in features.items():
        scores += counted.get(name, 0.0) * values
    return scores.astype(np.float32), passages


def page_features(
    index: DocumentIndex, wanted: Wanted
) -> tuple[dict[str, NDArray[np.floating[Any]]], NDArray[np.float32]]:
    """Return what is told of each page (`FEATURES`), zeros left out, and a score of each passage by its words alone."""
    features, passages = _word_features(index, wanted)
    if len(wanted.labels):
        features["rows"] = _rows(index, wanted)
    if len(wanted.headings):
        features["topic_headings"] = np.zeros(index.pages)
        features["topic_headings"][index.labels.places[index.labels.find(wanted.headings)[0]]] = 1.0
    features |= _statement_features(index, wanted.question)
    features |= _kind_features(index, wanted)
    if wanted.question.period is not None:
        annual, quarter = index.spans[:, 0].astype(np.float64), index.spans[:, 1].astype(np.float64)
        whole_year = wanted.question.period.quarter is None
        features["years" if whole_year else "quarters"] = annual - quarter * (1 - annual) if whole_year else quarter
    return {name: values for name, values in features.items() if FEATURES[name] not in wanted.without}, passages


def _word_features(
    index: DocumentIndex, wanted: Wanted
) -> tuple[dict[str, NDArray[np.floating[Any]]], NDArray[np.float32]]:
    """Return BM25 of each page and of its best passage for three groups of words, and BM25 of each passage.

    The words of the question, of its line items and of its subjects count each as a share of the most that a page could
    reach by them. The inverse document frequency is that of this document's own pages: other documents, perhaps not
    known yet at the time of the question, have no say.
    """
    terms, pages, count = wanted.all_terms, index.pages, len(wanted.all_terms)
    by_passage = np.zeros(len(index.lengths))
    if not count or not pages:
        return {}, by_passage.astype(np.float32)
    at, owner, _ = index.terms.find(terms)
    passage = index.terms.places[at]
    often = index.terms.counts[at].astype(np.float64)
    table = np.bincount(owner * pages + index.passage_pages[passage], weights=often, minlength=count * pages)
    table = table.reshape(count, pages)
    spread = np.count_nonzero(table, axis=1)
    idf = np.log(1 + (pages - spread + 0.5) / (spread + 0.5))
    lengths = np.bincount(index.passage_pages, weights=index.lengths, minlength=pages)
    on_page = table / (table + _norm(lengths))
    in_passage = often / (often + _norm(index.lengths)[passage])
    found, heading, _ = index.headings.find(terms)
    headed = np.zeros((count, pages))
    headed[heading, index.headings.places[found]] = 1.0
    features: dict[str, NDArray[np.floating[Any]]] = {}
    start = 0
    for group, weights in zip(("", "item_", "topic_"), wanted.groups, strict=True):
        part = slice(start, start + len(weights))
        if len(weights):
            rarity = idf[part] * weights
            rarity /= float(rarity.sum()) or 1.0
            mine = (owner >= part.start) & (owner < part.stop)
            own = np.bincount(
                passage[mine], weights=rarity[owner[mine] - start] * in_passage[mine], minlength=len(index.lengths)
            )
            features[f"{group}words"] = rarity @ on_page[part]
            if f"{group}passage" in FEATURES:
                features[f"{group}passage"] = np.zeros(pages)
                np.maximum.at(features[f"{group}passage"], index.passage_pages, own)
            by_passage += _SHARE_OF_GROUP[group] * own
            if not group:
                features["heading_words"] = rarity @ headed[part]
        start += len(weights)
    return features, by_passage.astype(np.float32)


def _norm(lengths: NDArray[Any]) -> NDArray[np.float64]:
    mean = float(lengths.mean()) if len(lengths) else 0.0
    return K1 * (1 - B + B * lengths.astype(np.float64) / (mean or 1.0)) + 1e-9


def _rows(index: DocumentIndex, wanted: Wanted) -> NDArray[np.floating[Any]]:
    """Return the share of the line items that have a row on each page; rarer rows count more."""
    at, owner, _ = index.labels.find(wanted.labels)
    table = np.zeros((len(wanted.item_weights), index.pages), dtype=np.float32)
    table[wanted.label_items[owner], index.labels.places[at]] = 1.0
    spread = table.sum(axis=1)
    rarity = np.log(1 + (index.pages - spread + 0.5) / (spread + 0.5)) * wanted.item_weights
    total: NDArray[np.floating[Any]] = rarity @ table
    return total / (float(rarity.sum()) or 1.0)


def _statement_features(index: DocumentIndex, question: SearchQuestion) -> dict[str, NDArray[np.floating[Any]]]:
    """Return how well each page is one of the statements that are wanted, by what wants them."""
    found: dict[str, NDArray[np.floating[Any]]] = {}
    for kind, wish in question.statements.items():
        scores = index.kind(kind)
        likely = np.where(scores >= 0.3, scores, 0.0)
        name = f"statement_{wish}"
        found[name] = np.maximum(found.get(name, 0.0), likely)
    return found


def _kind_features(index: DocumentIndex, wanted: Wanted) -> dict[str, NDArray[np.floating[Any]]]:
    events = index.kind("events")
    unlikely = np.max([index.kind(kind) for kind in _UNLIKELY if kind not in wanted.parts], axis=0)
    return {
        "discussion": index.kind("mda"),
        "events": events,
        "unlikely": np.where(events > 0, 0.0, unlikely),
    }
