"""Tone of a text from -1 to 1 by a finance word list; negation and burdens ("losses narrow") are understood."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from tradingagents.offline.sentiment_lexicon import BURDENS, LESS, MORE, NEGATIVE, NEGATORS, POSITIVE

REACH = 3
"""Words over which a negator acts."""
BURDEN_REACH = 2
"""Words between which a burden and a word for less or more belong together."""
DAMPING = 0.8
"""A negated word says less than its opposite."""
_MOVES = LESS | MORE
_ENDS = ".;:!?"
"""Marks that end a clause where a space follows."""
_INSIDE = "'-"
"""Marks that join the parts of a word."""


class _Letters(dict[int, str]):
    """For `str.translate`: whatever can stand in no word becomes a space."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        self[code] = kept = letter if "a" <= letter <= "z" or letter in _INSIDE else " "
        return kept


_LETTERS = _Letters()


@lru_cache(maxsize=4096)
def tone(text: str) -> float:
    """Return the tone of a text, -1 to 1 (both excluded); 0 where no word carries any.

    Positive and negative weights are summed as p and n; the tone is (p - n) / (p + n + 1), so that one ordinary word
    gives a half and more words of one kind come nearer to one.
    """
    hits = [hit for clause in _clauses(text.replace("\u2019", "'").lower()) for hit in _hits(clause)]
    good = sum(hit for hit in hits if hit > 0)
    bad = -sum(hit for hit in hits if hit < 0)
    return (good - bad) / (good + bad + 1)


def headline_tone(title: str, summary: str) -> float:
    """Return the tone of an article: the title counts 0.7, the summary 0.3; without a summary the title alone."""
    return 0.7 * tone(title) + 0.3 * tone(summary) if summary else tone(title)


def _clauses(text: str) -> Iterator[list[str]]:
    """Yield the words of each clause of a text in lower case."""
    clause: list[str] = []
    for part in text.split():
        clause += _words(part)
        if part[-1] in _ENDS:
            yield clause
            clause = []
    yield clause


def _words(part: str) -> Iterator[str]:
    """Yield the words in a part without spaces; a hyphen or apostrophe belongs to a word between two letters."""
    for piece in part.translate(_LETTERS).split():
        if piece.isalpha():
            yield piece
            continue
        word = ""
        for place, letter in enumerate(piece):
            joins = letter not in _INSIDE or (word and piece[place + 1 : place + 2].isalpha())
            if joins:
                word += letter
            elif word:
                yield word
                word = ""
        if word:
            yield word


def _hits(words: list[str]) -> list[float]:
    pairs = _pairs(words)
    hits = []
    for place, word in enumerate(words):
        value = pairs[place] if place in pairs else POSITIVE.get(word, 0.0) - NEGATIVE.get(word, 0.0)
        if value and _negated(words, place):
            value *= -DAMPING
        if value:
            hits.append(value)
    return hits


def _pairs(words: list[str]) -> dict[int, float]:
    """Find a burden with a word for less or more near it; the burden takes the tone of both, the other word none."""
    found: dict[int, float] = {}
    for place, word in enumerate(words):
        if word not in BURDENS:
            continue
        near = (
            at for step in range(1, BURDEN_REACH + 1) for at in (place - step, place + step) if 0 <= at < len(words)
        )
        partner = next((at for at in near if at not in found and words[at] in _MOVES), None)
        if partner is not None:
            found[place] = 1.0 if words[partner] in LESS else -1.0
            found[partner] = 0.0
    return found


def _negated(words: list[str], place: int) -> bool:
    return any(word in NEGATORS for word in words[max(0, place - REACH) : place])
