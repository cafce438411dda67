"""Words of finance: which line items, statements and subjects a question's words stand for."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from tradingagents.retrieval.index.words import label_number, stem, term_numbers, words_of
from tradingagents.retrieval.page_kinds import PageKind, StatementPage

EntryKind = Literal["item", "measure", "topic", "statement"]


@dataclass(frozen=True, slots=True)
class LexiconItem:
    """A line item."""

    name: str
    labels: tuple[int, ...]
    """Numbers of the row labels that filings print for it (`label_number`)."""
    terms: tuple[int, ...]
    """Terms of those labels, each once."""
    statements: tuple[StatementPage, ...]
    """The primary statements that print it, the usual one first."""


@dataclass(frozen=True, slots=True)
class FilingTopic:
    """A subject of the discussion or of the notes."""

    name: str
    terms: tuple[int, ...]
    """Terms that its pages are headed by or say."""
    labels: tuple[int, ...]
    """Numbers of headings that name it."""
    parts: tuple[PageKind, ...]
    """Kinds of page that rank low otherwise but treat it."""


@dataclass(frozen=True, slots=True)
class LexiconEntry:
    """Something that a phrase of a question names."""

    kind: EntryKind
    name: str
    first: int = 0
    """Position of the phrase's first word."""
    length: int = 1
    ordinary: bool = False
    """Whether the phrase is of ordinary words, which mean the subject in a question about a company only."""


class Lexicon:
    """Phrases of questions, and what they stand for."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        """Take the tables of `finance_terms.toml`."""
        self.items = {name: _item(name, table) for name, table in content["items"].items()}
        self.measures: dict[str, tuple[str, ...]] = {
            name: tuple(table["items"]) for name, table in content["measures"].items()
        }
        self.topics = {name: _topic(name, table) for name, table in content["topics"].items()}
        self.statements: tuple[StatementPage, ...] = tuple(content["statements"])
        self._phrases: Mapping[str, list[tuple[tuple[str, ...], LexiconEntry]]] = defaultdict(list)
        kinds: tuple[tuple[EntryKind, str], ...] = (
            ("item", "items"),
            ("measure", "measures"),
            ("topic", "topics"),
            ("statement", "statements"),
        )
        for kind, table in kinds:
            for name, entry in content[table].items():
                for ordinary, phrases in ((False, entry["names"]), (True, entry.get("also", ()))):
                    for phrase in phrases:
                        stems = tuple(stem(word) for word in words_of(phrase))
                        meant = LexiconEntry(kind, name, length=len(stems), ordinary=ordinary)
                        self._phrases[stems[0]].append((stems, meant))
        for known in self._phrases.values():
            known.sort(key=lambda phrase: -len(phrase[0]))

    def without(self, name: str) -> Lexicon:
        """Return the lexicon whose phrases no longer mean one entry."""
        other = copy(self)
        other._phrases = {
            first: [(stems, entry) for stems, entry in phrases if entry.name != name]
            for first, phrases in self._phrases.items()
        }
        return other

    def find(self, words: Sequence[str]) -> list[LexiconEntry]:
        """Return what the phrases of a text name, in order; a longer phrase hides the shorter ones within it.

        Args:
            words: The words of the text, as `words_of` splits them.
        """
        stems = [stem(word) for word in words]
        found: list[LexiconEntry] = []
        at = 0
        while at < len(stems):
            longest = 0
            for phrase, entry in self._phrases.get(stems[at], ()):
                if len(phrase) < longest:
                    break
                if tuple(stems[at : at + len(phrase)]) == phrase:
                    longest = len(phrase)
                    found.append(replace(entry, first=at))
            at += max(longest, 1)
        return found


@cache
def finance_lexicon() -> Lexicon:
    """Return the lexicon that the library ships."""
    source = files("tradingagents.retrieval.index").joinpath("finance_terms.toml")
    return Lexicon(tomllib.loads(source.read_text("utf-8")))


def _item(name: str, table: Mapping[str, Any]) -> LexiconItem:
    labels = [term_numbers(label) for label in table["printed"]]
    return LexiconItem(
        name,
        tuple(dict.fromkeys(label_number(label) for label in labels)),
        tuple(dict.fromkeys(term for label in labels for term in label)),
        tuple(table["statements"]),
    )


def _topic(name: str, table: Mapping[str, Any]) -> FilingTopic:
    headings = [term_numbers(heading) for heading in table["headings"]]
    return FilingTopic(
        name,
        tuple(dict.fromkeys(term for heading in headings for term in heading)),
        tuple(label_number(heading) for heading in headings),
        tuple(table.get("parts", ())),
    )
