"""Sentences of a page and the words of a text that tell what it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass

_END = re.compile(r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!Inc\.)(?<!Corp\.)(?<!No\.)(?<!U\.S\.)[\"\u201d)]?\s+(?=[A-Z\u201c\"(])")
_WORD = re.compile(r"[a-z][a-z&'-]+|\d[\d,.]*\d|\d")
_COMMON_WORDS = """
    a an the of for to in on at by with and or from as is are was were be been has have had do does did
    what which who whom how why when where its it their they this that these those than then there any
    if not please state explain following question answer company company's fy fiscal year years between
    into about such would could should may might will we our us you your based using information
    primarily shown
"""
_COMMON = frozenset(_COMMON_WORDS.split())


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its characters on the page."""

    text: str
    start: int
    end: int


def split_sentences(text: str, start: int = 0) -> list[Sentence]:
    """Return the sentences of a text that begins at character `start` of its page; line breaks within are spaces."""
    found: list[Sentence] = []
    at = 0
    for cut in [*(match.end() for match in _END.finditer(text)), len(text)]:
        piece = text[at:cut]
        plain = " ".join(piece.split())
        if plain:
            lead = len(piece) - len(piece.lstrip())
            found.append(Sentence(plain, start + at + lead, start + at + len(piece.rstrip())))
        at = cut
    return found


def content_words(text: str) -> tuple[str, ...]:
    """Return the words of a text that tell what it is about, in their plain form, in order."""
    return tuple(_stem(word) for word in _WORD.findall(text.lower().replace("\u2019", "'")) if word not in _COMMON)


def _stem(word: str) -> str:
    """Return a word without its plural or verb ending."""
    plain = word.removesuffix("'s")
    for ending in ("ing", "ed", "es", "s"):
        if plain.endswith(ending) and len(plain) - len(ending) >= 4:
            return plain.removesuffix(ending)
    return plain
