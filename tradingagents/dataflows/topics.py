"""Which articles are about a topic: the topic's words and those of the subjects it names, found as whole words.

A subject is something people ask about under one name and write about under many: an article on monetary policy says
`Fed` or `Powell`. The names that call a subject stand for its words; the rest of a topic stands for itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from tradingagents.dataflows.rows import NewsItem, Profile
from tradingagents.dataflows.subjects import SECTOR_SUBJECTS, SUBJECTS, Subject

IN_TITLE = 2
"""What a word counts in the title, against 1 in the summary."""

_WORD = re.compile(r"[^\W_]+")
_ABBREVIATION = re.compile(r"\b(?:[a-z]\.){2,}")
_POSSESSIVE = re.compile(r"['\u2019]s\b")
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
class Topic:
    """What a topic is found by."""

    words: frozenset[str]
    """Folded words and phrases; an article with one of them is on the topic."""
    own: frozenset[str]
    """The topic's own folded words, filler left out: the industry they name is part of it."""
    sectors: frozenset[str]
    """Keys of the sectors it names."""


def matching(
    topic: str, items: Iterable[NewsItem], about: Callable[[NewsItem], Profile | None] | None = None
) -> tuple[NewsItem, ...]:
    """Return the articles on a topic, the most to the point first.

    Those with more of the topic's words come first (`topic_score`), of equals the newer, then by title and symbol: the
    order of any two depends on nothing else that is there.

    Args:
        topic: Free text; one of filler words only matches nothing.
        items: Articles in any order.
        about: The company an article was filed under; None where there is none.
    """
    wanted = read_topic(topic)
    scored = ((topic_score(wanted, item.title, item.summary, about(item) if about else None), item) for item in items)
    found = [(score, item) for score, item in scored if score]
    found.sort(key=lambda pair: (pair[1].title, pair[1].symbol or ""))
    found.sort(key=lambda pair: (pair[0], pair[1].published_at), reverse=True)
    return tuple(item for _, item in found)


def topic_score(topic: Topic, title: str, summary: str | None = None, profile: Profile | None = None) -> int:
    """Return how much an article is about a topic; 0 where it is not.

    Every word or phrase of the topic counts once: two in the title, one in the summary. To be filed under a company of
    a sector or industry the topic names counts one more.
    """
    in_title = _found(topic.words, title)
    in_summary = _found(topic.words, summary or "") - in_title
    return IN_TITLE * len(in_title) + len(in_summary) + (profile is not None and _covers(topic, profile))


@lru_cache(maxsize=256)
def read_topic(topic: str) -> Topic:
    """Tell what a topic is found by: its words, and those of the subjects and sectors it names, the longest name first.

    `renewable energy` is a subject of its own and not the energy sector; `trade policy sanctions` is the subject of
    trade policy and the word `sanction`.
    """
    text = folded(topic)
    own = _telling(text)
    words: set[str] = set()
    sectors: set[str] = set()
    for name, subject, sector in _NAMES:
        if f" {name} " in text:
            text = text.replace(f" {name} ", f" {_GAP} ")  # no other name may close over it
            words.update(subject)
            sectors.update((sector,) if sector else ())
    return Topic(words=_telling(text).union(words), own=own, sectors=frozenset(sectors))


def folded(text: str) -> str:
    """Return the words of a text in lower case and singular, one blank around each: `U.S. tariffs` is ` us tariff `."""
    lowered = _POSSESSIVE.sub("", text.lower())
    joined = _ABBREVIATION.sub(lambda found: found[0].replace(".", ""), lowered)
    return f" {' '.join(map(_singular, _WORD.findall(joined)))} "


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


def _found(words: Iterable[str], text: str) -> set[str]:
    within = folded(text)
    return {word for word in words if f" {word} " in within}


def _covers(topic: Topic, profile: Profile) -> bool:
    """Tell whether the topic names the company's sector, or its industry by no other words than the industry's."""
    industry = folded(profile.industry or "").split()
    return profile.sector in topic.sectors or (bool(topic.own) and topic.own.issubset(industry))


def _named_subjects() -> tuple[tuple[str, frozenset[str], str | None], ...]:
    """Return name, words and sector key of every subject by every name, folded, the longest name first."""
    subjects: list[tuple[Subject, str | None]] = [(subject, None) for subject in SUBJECTS]
    subjects += [(subject, sector) for sector, subject in SECTOR_SUBJECTS.items()]
    named = {
        (folded(name).strip(), frozenset(folded(word).strip() for word in subject.words), sector)
        for subject, sector in subjects
        for name in subject.names
    }
    return tuple(sorted(named, key=lambda row: (-len(row[0]), row[0], row[2] or "")))


_NAMES = _named_subjects()
