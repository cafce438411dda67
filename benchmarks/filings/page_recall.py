"""The share of answering pages among the first pages found, with the filing given and in one store of all filings."""

from __future__ import annotations

import statistics
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.filings.question_files import Asked
from tradingagents.retrieval.models import Scope, SourceDocument
from tradingagents.retrieval.store import DocumentStore

FIRST = (1, 5, 10, 20)


@dataclass(frozen=True, slots=True)
class Recall:
    """What was found of a set of questions."""

    questions: int
    share: Mapping[int, float]
    """Mean share of a question's answering pages among the first pages, by how many."""
    any_page: Mapping[int, float]
    """Share of questions of which at least one answering page is among them."""
    query_ms: float
    """Median processor time of a query: what other programs on the machine do is no part of it."""

    def as_json(self) -> dict[str, Any]:
        """Return it as the benchmark prints it."""
        found: dict[str, Any] = {
            "n": self.questions,
            "page_recall": {str(count): round(share, 4) for count, share in self.share.items()},
            "query_ms": round(self.query_ms, 3),
        }
        if self.any_page != self.share:
            found["any_page_recall"] = {str(count): round(share, 4) for count, share in self.any_page.items()}
        return found


def page_recall(
    store: DocumentStore,
    documents: Mapping[str, SourceDocument],
    questions: Sequence[Asked],
    *,
    given: bool,
    without: Collection[str] = (),
) -> Recall:
    """Ask every question.

    Args:
        store: Holds all the documents.
        documents: The documents by name.
        questions: The questions.
        given: Whether the filing is given, else it must be found too.
        without: Rules to leave out.
    """
    for one in questions:  # the indexes are read before time is taken
        store.search_pages(one.text, _scope(one, documents, given), 1, without=without)
    times, share, any_page = [], dict.fromkeys(FIRST, 0.0), dict.fromkeys(FIRST, 0.0)
    for one in questions:
        scope = _scope(one, documents, given)
        began = time.process_time()
        places = [hit.place for hit in store.search_pages(one.text, scope, max(FIRST), without=without)]
        times.append(1000 * (time.process_time() - began))
        key = documents[one.document].info.key
        for count in FIRST:
            shown = {place.page for place in places[:count] if place.document == key}
            found = sum(not shown.isdisjoint(group) for group in one.pages) / len(one.pages)
            share[count] += found / len(questions)
            any_page[count] += (found > 0) / len(questions)
    return Recall(len(questions), share, any_page, statistics.median(times) if times else 0.0)


def _scope(question: Asked, documents: Mapping[str, SourceDocument], given: bool) -> Scope:
    return Scope(documents=(documents[question.document].info.key,)) if given else Scope()
