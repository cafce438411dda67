"""The rule in place of a language model in a cell: it quotes the sentence nearest to the question, or declines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tradingagents.offline.brief import Brief
from tradingagents.retrieval.figures.sentences import best_sentences
from tradingagents.retrieval.index.question import without_periods
from tradingagents.retrieval.models import Hit
from tradingagents.retrieval.text_sentences import content_words

LEAST_SHARED = 0.6
"""Part of the question's telling words that a quoted sentence shares at least."""


@dataclass(frozen=True, kw_only=True)
class CellBrief:
    """What the rule knows of a cell."""

    quotation: str
    """The nearest sentence with its label; empty where none is near."""


def reading(brief: Brief) -> Mapping[str, Any]:
    """Quote the nearest sentence, if one is near."""
    known = brief.known
    assert isinstance(known, CellBrief)  # noqa: S101 - the graph makes it
    return {"found": bool(known.quotation), "answer": known.quotation}


def nearest_sentence(question: str, labelled: Sequence[tuple[str, Hit]]) -> str:
    """Return the sentence of passages that is nearest to a question, with its label; empty where none is near."""
    wanted = set(content_words(without_periods(question)))
    labels = {hit.place: label for label, hit in labelled}
    for sentence in sorted(best_sentences(question, (), [hit for _, hit in labelled]), key=lambda found: -found.score):
        shared = wanted & set(content_words(sentence.text))
        inside = (
            label
            for place, label in labels.items()
            if place.page == sentence.place.page and place.start <= sentence.place.start < place.end
        )
        if wanted and len(shared) >= LEAST_SHARED * len(wanted) and (label := next(inside, None)):
            return f"{' '.join(sentence.text.split())} [{label}]"
    return ""
