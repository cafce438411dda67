"""Sentences of filings and calls as evidence: what the company says of a subject, and whether that rose or fell.

The rules are plain. A sentence counts where it names the subject before a verb of change ("net sales decreased"); it
speaks for a hypothesis by the sense of that verb; one that only looks ahead is left out. A sentence about a risk counts
where it names the risk and a harm; it speaks against the hypothesis where the harm has come about. Documents older than
about a year are left out. What the words mean beyond that, no rule reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from operator import itemgetter

from tradingagents.features.deep_report.rules.brief import ReadableSource
from tradingagents.retrieval.text_sentences import split_sentences
from tradingagents.schemas.evidence import EvidenceDirection

RISING = frozenset({"increased", "grew", "rose", "improved", "up"})
FALLING = frozenset({"decreased", "declined", "fell", "contracted", "decelerated", "slowed", "down"})
CAUSES = (" due ", " primarily ", " driven by ", " partially offset", " offset by", " as a result of", " reflecting ",
          " because ", " mainly ", " attributable ", " largely ", " as ", " versus ")  # fmt: skip
"""Where a cause begins; what stands before says what happened."""
AHEAD = frozenset(
    {"could", "may", "might", "would", "will", "expect", "expects", "expected", "if", "anticipate", "believe"}
)
HARM = ("adversely", "harm ", "negatively", "reduce", "offset by", "pressure", "unfavorable", "weakness")
DONE = ("affected", "impacted", "offset by", "reduced", "unfavorable", "was ", "were ", "had ", "resulted")
"""Words of a harm that has come about; a risk that only may come about decides nothing."""
CHAT = ("i think", "you know", "i would", "i'd ", "sequentially")
OPENINGS = ("now,", "ok,", "okay,", "so,", "so ", "and ", "but ", "well,", "moving ", "turning ", "let me")
"""How sentences of a call begin that hang on what was said before."""
ENDINGS = frozenset({"driven", "due", "and", "which", "as", "was", "were", "by", "in", "up", "down"})
PART_OF = frozenset({"from", "for", "of", "by"})
"""After a subject: it is that of a part."""
COSTS = ("cost", "costs", "expense", "expenses", "tax", "taxes", "deferred", "unearned", "other")
"""A subject that is one of these is not the sales, margin or cash that a hypothesis is about."""
ARTICLES = frozenset({"a", "the", "our", "its", "company's", "company\u2019s", "that"})
WHOLE = frozenset(
    {"total", "net", "consolidated", "worldwide", "overall", "comparable", "quarter", "reported", "revenue",
     "same-store", "march", "june", "september", "december", "quarterly", "annual", "operating"}
)  # fmt: skip
"""Words that may stand between an article and a subject that is that of the company as a whole."""
LEAST_WORDS, LEAST_CLAIM, MOST_CHARS, MOST_CLAIM = 6, 4, 480, 260
BEFORE_VERB = 90
"""Characters before the verb in which the subject stands."""
OLDEST = timedelta(days=460)
CONFIDENCE = {"filing": 0.5, "call": 0.4}
RISK_CONFIDENCE = 0.3
MOST_OF_A_SOURCE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TextTest:
    """What sentences about a subject say of a hypothesis."""

    subjects: tuple[str, ...]
    """In small letters; one of them stands before the verb."""
    falls_support: bool = False
    """Whether a fall supports the hypothesis, as of debt."""
    whole: bool = False
    """Whether the subject is that of the company as a whole, and not of a part: no name stands before it."""
    risk: bool = False
    """Whether the subject is a risk, of which a harm that has come about speaks against the hypothesis."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidSentence:
    """A sentence that is evidence."""

    claim: str
    quote: str
    """As it stands in the source."""
    direction: EvidenceDirection
    confidence: float


def said(source: ReadableSource, test: TextTest, as_of: date) -> list[SaidSentence]:
    """Return the sentences of a source that are evidence, those that name a cause first."""
    if not source.text or source.kind not in CONFIDENCE or _is_old(source, as_of):
        return []
    found = [
        (" due " not in sentence.text, sentence, direction)
        for sentence in split_sentences(source.text)
        if (direction := _direction(sentence.text, test)) is not None
    ]
    found.sort(key=itemgetter(0))
    chosen: dict[str, SaidSentence] = {}
    for _, sentence, direction in found:
        claim = _claim(sentence.text, risk=test.risk)
        confidence = RISK_CONFIDENCE if test.risk else CONFIDENCE[source.kind]
        quote = source.text[sentence.start : sentence.end]
        chosen.setdefault(claim, SaidSentence(claim=claim, quote=quote, direction=direction, confidence=confidence))
    return list(chosen.values())[:MOST_OF_A_SOURCE]


def _is_old(source: ReadableSource, as_of: date) -> bool:
    return source.known_on is None or as_of - source.known_on > OLDEST


def _direction(text: str, test: TextTest) -> EvidenceDirection | None:
    """Return what a sentence says; None where it says nothing of the subject."""
    plain = text.lower()
    if len(text) > MOST_CHARS or len(text.split()) < LEAST_WORDS or not text[0].isupper():
        return None
    if any(words in plain for words in CHAT) or plain.startswith(OPENINGS):
        return None
    if test.risk:
        return _harm(plain[:MOST_CLAIM], test)
    head = _head(plain)
    if AHEAD & set(head.split()):
        return None
    for at, word in _verbs(head):
        before = head[max(0, at - BEFORE_VERB) : at]
        if any(_is_subject(before, subject, whole=test.whole) for subject in test.subjects):
            rises = word in RISING
            return "supports" if rises != test.falls_support else "contradicts"
    return None


def _harm(text: str, test: TextTest) -> EvidenceDirection | None:
    """Return what a sentence says of a risk: against the hypothesis where harm has come about, else undecided."""
    if not any(_stands_in(text, subject) for subject in test.subjects) or not any(words in text for words in HARM):
        return None
    ahead = bool(AHEAD & set(text.split())) or " can " in text
    return "contradicts" if not ahead and any(words in text for words in DONE) else "neutral"


def _verbs(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for word in text.split():
        at = text.index(word, at)
        plain = word.strip(".,;:()")
        if plain in RISING or plain in FALLING:
            yield at, plain
        at += len(word)


def _is_subject(before: str, subject: str, *, whole: bool) -> bool:
    """Tell whether the words before a verb name a subject that is not a cost of it, as `cost of sales` is."""
    at = before.rfind(subject)
    if at < 0 or not _stands_in(before, subject):
        return False
    around = before[max(0, at - 20) : at].split()[-2:] + before[at + len(subject) :].split()[:2]
    named, follows = before[:at].split(), before[at + len(subject) :].split()
    if whole and (_names_a_part(named) or (follows and follows[0] in PART_OF)):
        return False
    return not any(word.strip(",") in COSTS for word in around)


def _names_a_part(before: Sequence[str]) -> bool:
    """Tell whether the words before a subject name a part of the company, such as a region."""
    for word in reversed(before):
        if word in ARTICLES or word.endswith((",", ".", ";")):
            return False
        if word not in WHOLE:
            return True
    return False


def _stands_in(text: str, words: str) -> bool:
    """Tell whether words stand in a text as whole words; a hyphen or an ending of one letter may follow."""
    at = text.find(words)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(words) : at + len(words) + 2]
        if not before.isalnum() and not (after[:1].isalpha() and after[1:].isalpha()):
            return True
        at = text.find(words, at + 1)
    return False


def _head(text: str) -> str:
    """Return a sentence up to the cause that it names."""
    ends = [at for cause in CAUSES if (at := text.find(cause)) > 0]
    return text[: min(ends)] if ends else text


def _claim(text: str, *, risk: bool) -> str:
    """Return what happened without its cause, where that is a sentence; the quotation has the whole."""
    head = (text if risk else _head(text)).rstrip(" ,;:")
    while head.rpartition(" ")[2] in ENDINGS:
        head = head.rpartition(" ")[0].rstrip(" ,")
    if len(head.split()) < LEAST_CLAIM:
        head = text.rstrip(".")
    if len(head) > MOST_CLAIM:
        head = head[:MOST_CLAIM].rpartition(" ")[0].rstrip(",") + " …"
    return head if head.endswith("…") else f"{head.rstrip('.')}."
