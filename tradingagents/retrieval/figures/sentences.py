"""The sentences of documents that come nearest to a question, by the words they share."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterator, Sequence

from tradingagents.retrieval.figures.extractive_answer import CitedSentence
from tradingagents.retrieval.models import Hit, SourceDocument, TextPlace
from tradingagents.retrieval.text_sentences import Sentence, asks_how_many, content_words, split_sentences

MAX_SENTENCES = 3
MAX_CHARACTERS = 600
MIN_WORDS = 5
ASKING_CAUSE = "drove drive driver drivers cause caused reason reasons led explain explains why"
_TELLING_CAUSE = "driven due because primarily reflecting attributable offset partially resulted lower higher"


def best_sentences(
    question: str, documents: Sequence[SourceDocument], hits: Sequence[Hit] = ()
) -> tuple[CitedSentence, ...]:
    """Return the sentences that share the most telling words with a question, in reading order.

    Sentences of `hits` alone are looked at where a search found passages; else those of all pages.
    """
    wanted, figures = _wanted(question), asks_how_many(question)
    if not wanted:
        return ()
    pieces = list(_pieces(documents, hits))
    words = [set(content_words(sentence.text)) for _, _, sentence in pieces]
    frequency = Counter(word for found in words for word in found & wanted)
    total = len(pieces) + 1
    scored = []
    for number, ((document, page, sentence), found) in enumerate(zip(pieces, words, strict=True)):
        shared = found & wanted
        if figures and not any(letter.isdigit() for letter in sentence.text):
            continue
        if len(shared) < min(2, len(wanted)) or len(found) < MIN_WORDS or len(sentence.text) > MAX_CHARACTERS:
            continue
        score = sum(math.log(total / frequency[word]) for word in shared) / math.log(10 + len(found))
        scored.append((score, number, document, page, sentence))
    best = heapq.nlargest(MAX_SENTENCES, scored, key=lambda each: (each[0], -each[1]))
    return tuple(
        CitedSentence(
            text=sentence.text,
            document_name=document[1],
            place=TextPlace(document[0], page, sentence.start, sentence.end),
            score=round(score, 4),
        )
        for score, _, document, page, sentence in sorted(best, key=lambda each: each[1])
    )


def _wanted(question: str) -> set[str]:
    """Return the words looked for; where a cause is asked, also those with which filings tell of causes."""
    wanted = set(content_words(question))
    if wanted & set(content_words(ASKING_CAUSE)):
        wanted |= set(content_words(_TELLING_CAUSE))
    return wanted


def _pieces(
    documents: Sequence[SourceDocument], hits: Sequence[Hit]
) -> Iterator[tuple[tuple[str, str], int, Sentence]]:
    """Return (key and name of the document, page, sentence) of the passages found, or of all pages."""
    if hits:
        for hit in hits:
            for sentence in split_sentences(hit.text, hit.place.start):
                yield (hit.info.key, hit.info.name), hit.place.page, sentence
        return
    for document in documents:
        for page in document.pages:
            for sentence in split_sentences(page.text):
                yield (document.info.key, document.info.name), page.number, sentence
