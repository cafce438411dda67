"""The words that questions are made of, and which of them is meant where a word was misspelt or joined.

    right_word("yeild")        # "yield": two letters swapped
    right_word("devidend")     # "dividend": another vowel
    parts_of_word("techsektor")  # ("tech", "sektor"): as German joins them

A slip is mended where one word alone can be meant by the likeliest kind of slip, and never in a word that is right
itself (`right_words` of `names.yaml`): `morning` is none of `mooning`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from tradingagents.retrieval.questions.aspects import words_of_aspects
from tradingagents.retrieval.questions.kinds import question_kinds
from tradingagents.retrieval.questions.names import market_words, names_table
from tradingagents.retrieval.questions.plain_words import plain_words

FEWEST_LETTERS = 4
"""Letters from which on a word is mended."""
FEWEST_FOR = {"swapped": 4, "doubled": 5, "dropped": 5, "vowel": 6, "letter": 6, "other": 7, "two": 9}
"""By the kind of slip, the likeliest first: letters of the right word from which on it is mended."""
FEWEST_JOINED = 3
"""Letters of each of two words that are joined."""
_VOWELS = frozenset("aeiouy")
_LINKS = ("", "s", "n", "en", "es")
"""What German puts between two words that it joins."""


@cache
def word_meanings() -> Mapping[str, str]:
    """Return the words of questions in plain letters, each with what it means; `quiet` where that is nothing."""
    table = names_table()
    found: dict[str, str] = dict(words_of_aspects())
    for measure, names in table["measures"].items():
        for name in names:
            for word in plain_words(name).split():
                found.setdefault(word, measure)
    for word in market_words():
        found.setdefault(plain_words(word), "market")
    for kind in question_kinds().values():
        for phrasing, language in zip(kind.phrasings, kind.languages, strict=True):
            if language in ("en", "de"):
                for word in phrasing.split():
                    found.setdefault(word, word[:FEWEST_LETTERS])
    return {word: meaning for word, meaning in found.items() if word.isascii() and word.isalpha()}


@cache
def _right_words() -> frozenset[str]:
    return frozenset(str(word) for word in names_table()["right_words"])


@cache
def _by_first() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for word in word_meanings():
        if len(word) >= FEWEST_LETTERS:
            found.setdefault(word[0], []).append(word)
    return {first: tuple(words) for first, words in found.items()}


def is_known(word: str) -> bool:
    """Tell whether a word, in plain letters, is one of questions, or right English that is none of them."""
    return word in word_meanings() or word in _right_words()


@cache
def right_word(word: str) -> str:
    """Return the word of questions that is meant by a misspelt one; empty where none is, or several may be.

    Args:
        word: In plain letters.
    """
    if len(word) < FEWEST_LETTERS or not (word.isascii() and word.isalpha()) or is_known(word):
        return ""
    near: dict[str, list[str]] = {}
    for right in _by_first().get(word[0], ()):
        if kind := slip_kind(word, right):
            near.setdefault(kind, []).append(right)
    for kind in FEWEST_FOR:
        if found := near.get(kind):
            meanings = {word_meanings()[right] for right in found}
            return min(found, key=lambda right: (abs(len(right) - len(word)), right)) if len(meanings) == 1 else ""
    return ""


def slip_kind(written: str, right: str) -> str:
    """Return by which kind of slip a word was written for another; empty where more than that lies between them."""
    if written == right or abs(len(written) - len(right)) > 1:
        return ""
    kind = _one_slip(written, right)
    if not kind and len(right) >= FEWEST_FOR["two"] and written[:3] == right[:3]:
        kind = "two" if any(_one_slip(written, other) for other in _one_away(right)) else ""
    return kind if kind and len(right) >= FEWEST_FOR[kind] else ""


def _one_slip(written: str, right: str) -> str:
    at = next((place for place, (one, other) in enumerate(zip(written, right, strict=False)) if one != other), None)
    at = min(len(written), len(right)) if at is None else at
    if at == 0:
        return ""
    rest, wanted = written[at:], right[at:]
    if len(rest) > 1 and rest[:2] == wanted[:2][::-1] and rest[2:] == wanted[2:]:
        return "swapped"
    if rest[1:] == wanted and rest:  # a letter too many
        return "doubled" if rest[0] == written[at - 1] else "letter"
    if rest == wanted[1:] and wanted:  # a letter too few
        return "doubled" if wanted[0] == right[at - 1] else "dropped" if wanted[0] in _VOWELS else "letter"
    if rest and wanted and rest[1:] == wanted[1:]:
        return "vowel" if {rest[0], wanted[0]} <= _VOWELS else "other"
    return ""


def _one_away(word: str) -> Iterator[str]:
    """Yield a word with one letter less, and with two letters swapped."""
    for at in range(3, len(word)):
        yield word[:at] + word[at + 1 :]
    for at in range(3, len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]


@cache
def parts_of_word(word: str) -> tuple[str, str] | None:
    """Return the two words of questions that German joined to one, such as `techsektor`; None for any other word."""
    if is_known(word) or not word.isalpha():
        return None
    known = word_meanings()
    for at in range(FEWEST_JOINED, len(word) - FEWEST_JOINED + 1):
        second = word[at:]
        if second not in known:
            continue
        for link in _LINKS:
            first = word[:at].removesuffix(link) if link else word[:at]
            if len(first) >= FEWEST_JOINED and first in known and word[:at] in (first, first + link):
                return first, second
    return None
