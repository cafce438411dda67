"""Which articles are about a topic: the words and phrases that say so, found whole, in the sense they are meant.

A subject is something people ask about under one name and write about under many: an article on monetary policy says
`Fed` or `Powell`. The names that call a subject stand for its words; the rest of a topic stands for itself. A word of
several senses counts in good company only, and not at all within a phrase that gives it another sense
(`dataflows.reference.topic_taxonomy`). How relevant an article is, `analytics.company.news_ranking` says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from tradingagents.dataflows.models import NewsItem, Profile
from tradingagents.dataflows.reference.topic_taxonomy import SECTOR_SUBJECTS, SUBJECTS, TopicSubject

TEXT_LENGTH = 600
"""Characters of a summary that are read."""
READ_TEXTS = 4096
"""Texts kept as words, so that several topics read an article once."""

_WORD = re.compile(r"[^\W_]+")
_ABBREVIATION = re.compile(r"\b(?:[a-z]\.){2,}")
_POSSESSIVE = re.compile(r"['\u2019]s\b")
_LISTING = re.compile(r"\((?:NYSE|NASDAQ|AMEX|OTC|LSE|TSX)[A-Z ]*:[^)]*\)", re.IGNORECASE)
_GAP = ","
_SHORTEST_PLURAL = 3  # `gas` is none
_NO_PLURAL = ("ss", "us", "is")
_SIBILANT = ("ches", "shes", "sses", "xes", "zes")
_FILLER = frozenset(
    (
        *("a", "about", "affecting", "after", "all", "am", "an", "and", "are", "around", "as", "at", "be", "before"),
        *("by", "can", "current", "day", "did", "do", "for", "from", "global", "has", "have", "how", "impact", "in"),
        *("including", "industry", "international", "into", "is", "it", "its", "key", "last", "latest", "major"),
        *("market", "may", "month", "more", "most", "new", "news", "of", "on", "or", "our", "outlook", "over"),
        *("policy", "recent", "related", "report", "risk", "sector", "share", "since", "stock", "than", "that", "the"),
        *("their", "this", "to", "today", "top", "trend", "update", "us", "usa", "was", "week", "what", "when"),
        *("which", "who", "why", "will", "with", "world", "worldwide", "year"),
        *("january", "february", "march", "april", "june", "july", "august"),
        *("september", "october", "november", "december"),
    )
)
"""Folded words that say nothing about what a topic is: grammar, time, and what every article of a market has."""


@dataclass(frozen=True, slots=True)
class Words:
    """A text as folded words."""

    text: str
    """The words with one blank around each."""
    each: frozenset[str]


@dataclass(frozen=True, slots=True)
class Terms:
    """Folded words and phrases, to be found together."""

    single: frozenset[str]
    phrases: Mapping[str, tuple[str, ...]]
    """Phrases by their first word."""
    firsts: frozenset[str]
    """The first words of the phrases."""

    def within(self, words: Words) -> set[str]:
        """Return those that stand in a text; what is part of a longer one that stands there counts with that."""
        found = set(self.single & words.each)
        longer = [
            phrase
            for first in self.firsts & words.each
            for phrase in self.phrases[first]
            if f" {phrase} " in words.text
        ]
        return without_parts(found.union(longer), longer)


@dataclass(frozen=True, slots=True)
class SubjectTerms:
    """The words of a subject, ready to be looked for."""

    subject: TopicSubject
    words: Terms
    hints: Terms
    context: Terms
    never: Terms
    calls: frozenset[str]
    """The words, and first words of phrases, of which an article about the subject has at least one."""

    def mention(self, title: Words, summary: Words) -> Mention | None:
        """Return what an article says about the subject; None where it says nothing."""
        if self.calls.isdisjoint(title.each) and self.calls.isdisjoint(summary.each):
            return None
        title, summary = self.plain(title), self.plain(summary)
        told, more = self.words.within(title), self.words.within(summary)
        hinted = without_parts(self.hints.within(title), told)
        hinted_more = without_parts(self.hints.within(summary), more)
        if hinted or hinted_more:
            if told or len(hinted) > 1 or self.context.within(title):
                told, hinted = told | hinted, set()
            elif not (more or len(hinted | hinted_more) > 1 or self.context.within(summary)):
                hinted, hinted_more = set(), set()
        if not (told or more or hinted or hinted_more):
            return None
        return Mention(frozenset(told), frozenset(hinted), frozenset(more - told), frozenset(hinted_more - hinted))

    def plain(self, words: Words) -> Words:
        """Return a text without the phrases that give a word another sense."""
        misleading = self.never.within(words)
        if not misleading:
            return words
        text = words.text
        for phrase in sorted(misleading, key=len, reverse=True):
            text = text.replace(f" {phrase} ", f" {_GAP} ")
        return Words(text, frozenset(text.split()))


@dataclass(frozen=True, slots=True)
class Mention:
    """What an article says about a subject: the words found, each where it stands first."""

    in_title: frozenset[str] = frozenset()
    """With the words of several senses that have company there."""
    hinted_in_title: frozenset[str] = frozenset()
    """Words of several senses whose company stands in the summary."""
    in_summary: frozenset[str] = frozenset()
    hinted_in_summary: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TopicMention:
    """What an article says about a topic."""

    subjects: tuple[tuple[SubjectTerms, Mention], ...] = ()
    own_in_title: frozenset[str] = frozenset()
    own_in_summary: frozenset[str] = frozenset()
    """Those that the title lacks."""

    def __bool__(self) -> bool:
        """Tell whether it says anything."""
        return bool(self.subjects or self.own_in_title or self.own_in_summary)


@dataclass(frozen=True, slots=True)
class Topic:
    """What a topic is found by."""

    subjects: tuple[SubjectTerms, ...]
    """The subjects it names."""
    own: frozenset[str]
    """Its further folded words: those that no subject says on its own."""
    asked: frozenset[str]
    """All its folded words, filler left out: the industry they name is part of it."""
    sectors: frozenset[str]
    """Keys of the sectors it names."""

    def mention(self, item: NewsItem) -> TopicMention:
        """Return what an article says about the topic."""
        title, summary = read_words(item.title), read_words((item.summary or "")[:TEXT_LENGTH])
        found = ((subject, subject.mention(title, summary)) for subject in self.subjects)
        subjects = tuple((subject, mention) for subject, mention in found if mention is not None)
        if not self.own & (title.each | summary.each):
            return TopicMention(subjects)
        for subject in self.subjects:
            title, summary = subject.plain(title), subject.plain(summary)
        told = self.own & title.each
        return TopicMention(subjects, told, (self.own & summary.each) - told)


def matching(
    topic: str, items: Iterable[NewsItem], about: Callable[[NewsItem], Profile | None] | None = None
) -> tuple[NewsItem, ...]:
    """Return the articles that may be on a topic, the newest first; of equals those of its sectors, then by title.

    An article that does not speak of the topic's subjects nor has one of its other words is left out, unless it is
    filed under a company of a sector or an industry that the topic names.

    Args:
        topic: Free text; one of filler words only matches nothing.
        items: Articles in any order.
        about: The company an article was filed under; None where there is none.
    """
    wanted = read_topic(topic)
    found = [item for item in items if wanted.mention(item) or _filed_under(wanted, item, about)]
    found.sort(key=lambda item: (not _filed_under(wanted, item, about), item.title, item.symbol or ""))
    found.sort(key=lambda item: item.published_at, reverse=True)
    return tuple(found)


def _filed_under(topic: Topic, item: NewsItem, about: Callable[[NewsItem], Profile | None] | None) -> bool:
    profile = about(item) if about else None
    return profile is not None and covers(topic, profile)


def without_parts(words: set[str], phrases: Iterable[str]) -> set[str]:
    """Return the words without those that are part of one of the phrases."""
    parts = {word for phrase in phrases for word in words if word != phrase and f" {word} " in f" {phrase} "}
    return words - parts if parts else words


@lru_cache(maxsize=256)
def read_topic(topic: str) -> Topic:
    """Tell what a topic is found by: the subjects and sectors it names, the longest name first, and its other words.

    `renewable energy` is a subject of its own and not the energy sector; `trade policy sanctions` is the subject of
    trade policy and the word `sanction`.
    """
    text = folded(topic)
    asked = _telling(text)
    subjects: dict[str, SubjectTerms] = {}
    sectors: set[str] = set()
    for name, subject, sector in _NAMES:
        if f" {name} " in text:
            text = text.replace(f" {name} ", f" {_GAP} ")  # no other name may close over it
            subjects[subject.subject.title] = subject
            sectors.update((sector,) if sector else ())
    covered = {word for subject in subjects.values() for word in subject.words.single}
    return Topic(tuple(subjects.values()), _telling(text) - covered, asked, frozenset(sectors))


@lru_cache(maxsize=READ_TEXTS)
def read_words(text: str) -> Words:
    """Return a text as folded words, the exchange in `(NASDAQ: MADE)` left out: it is no market news."""
    within = folded(_LISTING.sub(" ", text))
    return Words(within, frozenset(within.split()))


def folded(text: str) -> str:
    """Return the words of a text in lower case and singular, one blank around each: `U.S. tariffs` is ` us tariff `."""
    lowered = _POSSESSIVE.sub("", text.lower())
    joined = _ABBREVIATION.sub(lambda found: found[0].replace(".", ""), lowered)
    return f" {' '.join(map(_singular, _WORD.findall(joined)))} "


def subject_terms(subject: TopicSubject) -> SubjectTerms:
    """Return a subject, ready to be looked for."""
    words, hints, context, never = map(folded_terms, (subject.words, subject.hints, subject.context, subject.never))
    calls = words.single | words.firsts | hints.single | hints.firsts
    return SubjectTerms(subject, words, hints, context, never, calls)


def as_written(word: str) -> str:
    """Return a folded word or phrase of a subject as its list has it; any other word as it is."""
    return _AS_WRITTEN.get(word, word)


def folded_terms(words: Iterable[str]) -> Terms:
    """Return words and phrases, ready to be looked for."""
    every = {folded(word).strip() for word in words}
    phrases: dict[str, list[str]] = {}
    for phrase in sorted(term for term in every if " " in term):
        phrases.setdefault(phrase.split(" ", 1)[0], []).append(phrase)
    single = frozenset(word for word in every if " " not in word)
    return Terms(single, {first: tuple(rest) for first, rest in phrases.items()}, frozenset(phrases))


def covers(topic: Topic, profile: Profile) -> bool:
    """Tell whether the topic names the company's sector, or its industry by no other words than the industry's."""
    industry = folded(profile.industry or "").split()
    return profile.sector in topic.sectors or (bool(topic.asked) and topic.asked.issubset(industry))


def _telling(text: str) -> frozenset[str]:
    """Return the words of a folded topic that say what it is: no filler, no gap, no year."""
    return frozenset(word for word in text.split() if word not in _FILLER and word != _GAP and not word.isdigit())


def _singular(word: str) -> str:
    """Drop the ending of a plural; what is not quite a word afterwards is so on both sides of a comparison."""
    if len(word) <= _SHORTEST_PLURAL or not word.endswith("s") or word.endswith(_NO_PLURAL):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(_SIBILANT) else word[:-1]


def _named_subjects() -> tuple[tuple[str, SubjectTerms, str | None], ...]:
    """Return name, terms and sector key of every subject by every name, folded, the longest name first."""
    subjects: list[tuple[TopicSubject, str | None]] = [(subject, None) for subject in SUBJECTS]
    subjects += [(subject, sector) for sector, subject in SECTOR_SUBJECTS.items()]
    named: dict[tuple[str, str | None], SubjectTerms] = {}
    for subject, sector in subjects:
        terms = subject_terms(subject)
        named.update({(folded(name).strip(), sector): terms for name in subject.names})
    ordered = sorted(named, key=lambda key: (-len(key[0]), key[0], key[1] or ""))
    return tuple((name, named[name, sector], sector) for name, sector in ordered)


_NAMES = _named_subjects()
_AS_WRITTEN = {
    folded(word).strip(): word
    for subject in (*SUBJECTS, *SECTOR_SUBJECTS.values())
    for word in (*subject.hints, *subject.words)
}
