"""Sentences of a page and the words of a text that tell what it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_END = re.compile(r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!Inc\.)(?<!Corp\.)(?<!No\.)(?<!U\.S\.)[\"\u201d)]?\s+(?=[A-Z\u201c\"(])")
_ROW = re.compile(r"\S {2,}[$(\-\d]|\.{5,}")
"""A row of a table, or a line of a table of contents: figures set apart from the label by two blanks or by dots."""
_HEADING = 70
"""Characters below which a line without punctuation at its end is a heading."""
_CLOSING = (".", "!", "?", '"', "\u201d", ")")
_CAPTION = re.compile(
    r"(?i)\([^().!?]{0,200}\b(?:in|millions?|thousands?|billions?|unaudited|continued)\b[^().!?]{0,200}\)"
)
"""A caption in brackets by itself, such as `(In millions, except per share amounts)`."""
_WORD = re.compile(r"[a-z][a-z&'-]+|\d[\d,.]*\d|\d")
_COMMON_WORDS = """
    a an the of for to in on at by with and or from as is are was were be been has have had do does did
    what which who whom how why when where its it their they this that these those than then there any
    if not please state explain following question answer company company's fy fiscal year years between
    into about such would could should may might will we our us you your based using information
    primarily shown say says said tell tells mention mentions describe describes discuss discusses much many
"""
_COMMON = frozenset(_COMMON_WORDS.split())


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its characters on the page."""

    text: str
    start: int
    end: int


def split_sentences(text: str, start: int = 0) -> list[Sentence]:
    """Return the sentences of a text that begins at character `start` of its page; line breaks within are spaces.

    Headings, rows of tables and footers are no sentences: they end none, and no sentence goes on over them.
    """
    found: list[Sentence] = []
    for first, last in _paragraphs(text):
        at = first
        for cut in [*(match.end() for match in _END.finditer(text, first, last)), last]:
            piece = text[at:cut]
            plain = " ".join(piece.split())
            if plain and plain[-1] in _CLOSING:
                lead = len(piece) - len(piece.lstrip())
                found.append(Sentence(plain, start + at + lead, start + at + len(piece.rstrip())))
            at = cut
    return found


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the characters [first, last) of each run of lines that is prose."""
    first = at = 0
    for line in text.splitlines(keepends=True):
        end = at + len(line)
        plain = line.strip()
        caption = plain.startswith("(") and _CAPTION.fullmatch(plain)
        if not plain or caption or _ROW.search(plain) or _is_heading(text, plain, first, at, end):
            yield first, at
            first = end
        at = end
    yield first, at


def _is_heading(text: str, line: str, first: int, at: int, end: int) -> bool:
    """Tell whether a line is short, ends without punctuation, and neither ends nor begins a sentence over two lines."""
    if len(line) >= _HEADING or line[-1] in _CLOSING or line[-1] in ",;":
        return False
    return not _continues(text, end) and not _ends_open(text[first:at])


def _continues(text: str, at: int) -> bool:
    """Tell whether the next line goes on with the one before it: it begins with a small letter."""
    rest = text[at : at + 200].lstrip(" ")
    return bool(rest) and rest[0].islower()


def _ends_open(text: str) -> bool:
    """Tell whether a paragraph so far ends within a sentence, whose last line may be short."""
    plain = text.rstrip()
    return bool(plain) and plain[-1] not in _CLOSING


_HOW_MANY = re.compile(r"\bhow (?:many|much|often|large|big|old)\b|\bwhat (?:percent|share|number)", re.IGNORECASE)
"""Questions that only a sentence with a figure answers."""


def asks_how_many(question: str) -> bool:
    """Tell whether only a sentence with a figure answers a question."""
    return _HOW_MANY.search(question) is not None


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
