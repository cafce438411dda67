"""The words around a figure: what it measures, over which period, of whom, and which way it went.

A phrase book, not a grammar: phrases of a few words, longest first, each with what it tells. The names of statement
items come from `dataflows.reference.line_items`, so that a new item is known at once; names of companies and sectors
are learnt from the answers a run was given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, cast

from tradingagents.analytics.company.metric_names import LABELS
from tradingagents.dataflows.reference.line_items import ITEMS
from tradingagents.provenance.lexicon import (
    CONCEPTS,
    CUES,
    PERIODS,
    SAYS_NOTHING,
    SUBJECTS,
    WAYS,
    WIDER,
)

Kind = Literal["concept", "period", "subject", "way", "own", "claim", "if", "past", "pair"]
Told = Kind | Literal["symbol", "name"]
"""What a phrase tells; a symbol counts in capitals only, a name where it begins with one: `all`, `target` are words."""

_TOKEN = re.compile(r"[A-Za-z0-9&]+(?:[/][A-Za-z0-9]+)*(?:\.\d+)?")
_SOURCES = re.compile(r"\bget_[a-z_]+|\b[a-z]+(?:_[a-z]+)*_(?:report|plan)\b")
_ENDING = re.compile(r"(?:ings?|ed|es|s|e)$")

Word = tuple[str, int, int, str]
"""A word in lower case, where it begins and ends, and as it was written."""
Phrases = Mapping[str, tuple[tuple[tuple[str, ...], Told, str], ...]]
"""Phrases by their first word, longest first."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A phrase found in a text."""

    start: int
    end: int
    kind: Kind
    what: str


def phrase_book(pairs: Iterable[tuple[str, Told, str]], known: Phrases | None = None) -> Phrases:
    """Return phrases ready to be looked up, before those of another book."""
    book: dict[str, dict[tuple[str, ...], tuple[Told, str]]] = {}
    for phrase, kind, what in pairs:
        words = tuple(word for word, *_ in tokens(phrase))
        if words:
            book.setdefault(words[0], {}).setdefault(words, (kind, what))
    own = {first: tuple((words, *told) for words, told in phrases.items()) for first, phrases in book.items()}
    longest_first = {
        first: tuple(sorted((*phrases, *(known or {}).get(first, ())), key=lambda one: -len(one[0])))
        for first, phrases in own.items()
    }
    return {**(known or {}), **longest_first}


@lru_cache(maxsize=1)
def common_phrases() -> Phrases:
    """Return the phrases that hold for every run."""
    tables: tuple[tuple[Kind, Mapping[str, tuple[str, ...]]], ...] = (
        ("concept", CONCEPTS),
        ("period", PERIODS),
        ("way", WAYS),
        ("subject", SUBJECTS),
    )
    pairs: list[tuple[str, Told, str]] = [
        (phrase, kind, what) for kind, table in tables for what, phrases in table.items() for phrase in phrases
    ]
    known = {phrase for phrase, *_ in pairs}
    items = [item for statement in ITEMS.values() for item in statement]
    pairs += [(item, "concept", item) for item in items if item.replace("_", " ") not in known]
    concepts = {phrase.replace("_", " "): what for phrase, kind, what in pairs if kind == "concept"}
    labels = ((label, concepts.get(name.replace("_", " "))) for name, label in LABELS.items())
    pairs += [(label, "concept", what) for label, what in labels if what and label.lower() not in known]
    cues: tuple[Kind, ...] = ("own", "claim", "if", "past", "pair")
    pairs += [(phrase, kind, kind) for kind in cues for phrase in CUES[kind]]
    return phrase_book(pairs)


def wider(concept: str) -> tuple[str, ...]:
    """Return the concepts that a word for `concept` may stand for, itself first."""
    return (concept, *WIDER.get(concept, ()))


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[Word, ...]:
    """Return the words of a text with their places; `_` and `-` part words, names of sources are none."""
    if "_" in text:
        text = _SOURCES.sub(lambda match: " " * len(match[0]), text).replace("_", " ")
    return tuple((match[0].lower(), match.start(), match.end(), match[0]) for match in _TOKEN.finditer(text))


def marks(words: Sequence[Word], book: Phrases) -> list[Mark]:
    """Return the phrases that stand in a text, in order; of two that overlap the longer one."""
    found: list[Mark] = []
    free = 0
    for at, (word, start, _, written) in enumerate(words):
        entries = book.get(word)
        if entries is None or at < free:
            continue
        for phrase, kind, what in entries:
            size = len(phrase)
            if size == 1 or (
                at + size <= len(words) and all(words[at + step][0] == phrase[step] for step in range(1, size))
            ):
                if kind in ("symbol", "name"):
                    if not (written.isupper() or (kind == "name" and not written[0].islower())):
                        continue
                    kind = "subject"  # noqa: PLW2901 - a name is one once it is known to be meant
                found.append(Mark(start, words[at + size - 1][2], cast(Kind, kind), what))
                free = at + size
                break
    return found


def content_words(words: Iterable[Word]) -> frozenset[str]:
    """Return the words that say something, without their endings; digits are none."""
    return frozenset(stem for word, *_ in words if (stem := _stem(word)))


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    if len(word) < 3 or word in SAYS_NOTHING or word[0].isdigit():
        return ""
    return _ENDING.sub("", word) if len(word) > 3 else word
