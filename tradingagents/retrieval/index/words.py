"""Words of questions and pages: split, without those that carry nothing, and reduced to their stems."""

from __future__ import annotations

import re
import threading
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from zlib import crc32

import snowballstemmer


@cache
def _word_lists() -> dict[str, str]:
    source = files("tradingagents.retrieval.index").joinpath("word_lists.toml")
    return tomllib.loads(source.read_text("utf-8"))


def word_list(name: str) -> frozenset[str]:
    """Return a list of `word_lists.toml`."""
    return frozenset(_word_lists()[name].split())


_WORD = re.compile(r"[a-z]+(?:[&'\u2019][a-z]+)*|\d+(?:[.,]\d+)*")
_STEMMERS = threading.local()
STOP_WORDS = word_list("carry_nothing")


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a text, in lower case."""
    return _WORD.findall(text.lower())


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Return the stem of a word in lower case, such as `purchas` of `purchases`."""
    # A stemmer keeps state while it works: one for each thread.
    stemmer = getattr(_STEMMERS, "stemmer", None)
    if stemmer is None:
        stemmer = _STEMMERS.stemmer = snowballstemmer.stemmer("english")
    if word[0].isdigit():
        return word.replace(",", "")
    return str(stemmer.stemWord(word.replace("\u2019", "'").removesuffix("'s").replace("'", "")))


@lru_cache(maxsize=200_000)
def term_number(word: str) -> int:
    """Return the number under which a word is indexed; -1 for a word that carries nothing."""
    return -1 if word in STOP_WORDS else crc32(stem(word).encode())


def stems_of(text: str) -> list[str]:
    """Return the stems of the words of a text that carry meaning, in order."""
    return [stem(word) for word in words_of(text) if word not in STOP_WORDS]


def term_numbers(text: str) -> list[int]:
    """Return the numbers of the words of a text that carry meaning, in order."""
    return [number for word in words_of(text) if (number := term_number(word)) >= 0]


MOST_LABEL_TERMS = 6
NUMBERED = 0
"""Stands before the terms of a heading with a number, such as `Note 2. Acquisitions`."""


def label_number(terms: list[int]) -> int:
    """Return the number of a row label or heading, of its first `MOST_LABEL_TERMS` terms."""
    return crc32(b"".join(term.to_bytes(4, "little") for term in terms[:MOST_LABEL_TERMS]))
