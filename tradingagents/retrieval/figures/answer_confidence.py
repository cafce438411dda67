"""How likely an answer that rules found rests on the right page of its filings: an estimate that was measured.

The estimate is a logistic function of a few signals. Its weights are in the table `answers` of `fitted_weights.toml`,
fitted by `python -m benchmarks.filings.answer_confidence --write`, which also measures it on companies that it was not
fitted on.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from importlib.resources import files

from tradingagents.retrieval.figures.extractive_answer import ExtractiveAnswer
from tradingagents.retrieval.figures.sentences import ASKING_CAUSE
from tradingagents.retrieval.index.companies import Companies
from tradingagents.retrieval.index.question import without_periods
from tradingagents.retrieval.models import Hit, Scope
from tradingagents.retrieval.store import DocumentStore
from tradingagents.retrieval.text_sentences import content_words

BAR = 0.5
"""Confidence below which an answer is not given: at it, half of the answers rest on a right page."""
SIGNALS: Mapping[str, str] = {
    "computed": "1 where the answer is a figure computed from cells, 0 where it quotes sentences",
    "words": "share of the question's words, without companies, periods and `why`, in the best sentence or calculation",
    "first_page": "1 over the rank of the best cited page in a search for the question in the cited documents; else 0",
    "first_pages": "share of the cited pages among the first three of that search",
}
"""What is known of an answer, each 0 to 1."""
FIGURES = 0.7
"""Least confidence of a figure computed from cells: rules chose its company, item, period and unit, whatever rank its
page has. Of 23 such answers to 140 questions of analysts, each asked once, 16 were right (docs/guides/filings.md)."""
RANKED = 10
"""Pages of that search."""
_FIRST = 3


@cache
def signal_weights() -> Mapping[str, float]:
    """Return the weight of each of `SIGNALS`, and of `constant`."""
    source = files("tradingagents.retrieval.index").joinpath("fitted_weights.toml")
    return dict(tomllib.loads(source.read_text("utf-8"))["answers"])


def answer_signals(
    question: str, texts: Sequence[str], pages: Sequence[tuple[str, int]], ranked: Sequence[Hit], *, computed: bool
) -> dict[str, float]:
    """Return the `SIGNALS` of an answer.

    Args:
        question: In plain words.
        texts: Its sentences, or its calculations.
        pages: Key and page, from 0, of each passage that it cites.
        ranked: The pages that a search for the question finds in the cited documents, the best first.
        computed: Whether it is a figure computed from cells.
    """
    infos = {(hit.info.symbol, hit.info.company) for hit in ranked}
    plain = Companies(sorted(infos)).without_names(question) if infos else question
    words = set(content_words(without_periods(plain)))
    wanted = words - set(content_words(ASKING_CAUSE)) or words  # what asks why stands in no answer
    shared = max((len(wanted & set(content_words(text))) for text in texts), default=0)
    order = [(hit.place.document, hit.place.page) for hit in ranked]
    ranks = [order.index(page) + 1 for page in pages if page in order]
    return {
        "computed": float(computed),
        "words": shared / len(wanted) if wanted else 0.0,
        "first_page": 1 / min(ranks) if ranks else 0.0,
        "first_pages": sum(rank <= _FIRST for rank in ranks) / len(pages) if pages else 0.0,
    }


def answer_confidence(signals: Mapping[str, float], weights: Mapping[str, float] | None = None) -> float:
    """Return the share of answers with these signals that rest on a right page, 0 to 1, in whole percents."""
    counted = signal_weights() if weights is None else weights
    score = counted["constant"] + sum(counted[name] * signals[name] for name in SIGNALS)
    return round(1 / (1 + math.exp(-score)), 2)


def rated(
    store: DocumentStore,
    question: str,
    texts: Sequence[str],
    pages: Sequence[tuple[str, int]],
    *,
    computed: bool,
    as_of: datetime | None = None,
) -> float:
    """Return the confidence of an answer from documents of a store by its signals; of a figure at least `FIGURES`."""
    documents = tuple(dict.fromkeys(key for key, _ in pages))
    ranked = store.search_pages(question, Scope(as_of=as_of, documents=documents), RANKED) if documents else []
    estimate = answer_confidence(answer_signals(question, texts, pages, ranked, computed=computed))
    return max(estimate, FIGURES) if computed else estimate


def above_bar(
    store: DocumentStore, question: str, answer: ExtractiveAnswer, as_of: datetime | None = None
) -> ExtractiveAnswer:
    """Return an answer from documents of a store; a refusal with its sentences where it is below the bar."""
    computed = answer.kind in ("figure", "comparison")
    places = [operand.place for operand in answer.operands] if computed else [each.place for each in answer.sentences]
    pages = list(dict.fromkeys((place.document, place.page) for place in places if place is not None))
    if answer.kind == "refusal" or not pages:
        return answer
    texts = [f"{answer.text} {' '.join(each.label for each in answer.operands)}"]
    texts = texts if computed else [sentence.text for sentence in answer.sentences]
    confidence = rated(store, question, texts, pages, computed=computed, as_of=as_of)
    if confidence >= BAR:
        return answer
    said = unlikely(confidence)
    return ExtractiveAnswer(
        question=answer.question, kind="refusal", text=said, refusal=said, sentences=answer.sentences
    )


def unlikely(confidence: float) -> str:
    """Say that an answer is not given because it is too unlikely to rest on the right page."""
    return f"The answer was not found: what was found rests on the right page in about {confidence:.0%} of such cases."
