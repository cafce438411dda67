"""What a question asks about, read word by word: every word must mean something here, or the reading is not whole.

The kinds of `phrasings.yaml` tell what a question is most like; this reading tells what it says. It is by words of
`aspects.yaml` in English, German and Chinese, so that a small word (`so`, `heute`, 一下) never changes what is asked,
and so that a word that means something else is left over and seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from tradingagents.retrieval.questions.companies import one_slip
from tradingagents.retrieval.questions.kinds import plain_words

_CJK = re.compile("[\u3400-\u9fff]")
_NUMBER = re.compile(r"\d+(?:st|nd|rd|th)?")
_FEWEST_TO_MEND = 5
"""Letters from which on a word that is left over is read as one that is a slip away from it."""
_SAME_EVERYWHERE = ("negation", "ahead", "quiet")
"""Groups of words that are told apart no further."""
_LANGUAGES = "function_words"
"""What a language is told by; it says nothing of what is asked."""


@dataclass(frozen=True, slots=True)
class AskedAspects:
    """What the words of a question say."""

    aspects: tuple[str, ...] = ()
    """What is asked about, keys of `aspects.yaml`, in the order of the question."""
    claims: tuple[str, ...] = ()
    """What it takes for granted."""
    asks: frozenset[str] = frozenset()
    """What is done with the aspects: compare, trend, most, least."""
    negated: str = ""
    """The word by which it denies something; empty for none."""
    ahead: str = ""
    """The word by which it speaks of the time after its day; empty for none."""
    left: tuple[str, ...] = ()
    """Words that mean nothing here."""
    remarks: tuple[str, ...] = ()
    """How slips of the keyboard were read."""
    phrases: tuple[tuple[str, str], ...] = ()
    """Each aspect with the words that say it."""

    def said_of(self, aspect: str) -> str:
        """Return the words that name an aspect."""
        return next((said for key, said in self.phrases if key == aspect), aspect)

    @property
    def whole(self) -> bool:
        """Tell whether every word was read, and none of them denies something."""
        return not (self.left or self.negated)

    def has(self, *names: str) -> bool:
        """Tell whether one of some aspects is asked about."""
        return any(name in self.aspects for name in names)


@cache
def _table() -> Mapping[str, Any]:
    read: Mapping[str, Any] = yaml.safe_load(files(__package__).joinpath("aspects.yaml").read_text("utf-8"))
    return read


@cache
def _phrases() -> tuple[tuple[str, str, str], ...]:
    """Return the phrases of the table with their group and key, the longest first."""
    found = [(plain_words(said), group, key) for group, key, said in _written()]
    return tuple(sorted(found, key=lambda phrase: (-len(phrase[0].split()), -len(phrase[0]))))


def _written() -> Iterator[tuple[str, str, str]]:
    for group, content in _table().items():
        if group == _LANGUAGES:
            continue
        if group in _SAME_EVERYWHERE:
            yield from ((group, group, said) for said in content)
        else:
            yield from ((group, key, said) for key, words in content.items() for said in words)


@cache
def _single_words() -> Mapping[str, str]:
    """Return the single words of the table that say something, as they are mended to, with their key."""
    return {
        said: key
        for said, group, key in _phrases()
        if " " not in said and said.isascii() and len(said) >= _FEWEST_TO_MEND and group != "quiet"
    }


def read_aspects(text: str) -> AskedAspects:
    """Return what a question says.

    Args:
        text: The question without the companies, indices, sectors and days that it names.
    """
    rest, found = _consumed(f" {plain_words(text)} ")
    remarks: list[str] = []
    mended = {word: right for word in rest.split() if (right := _one_right(word))}
    if mended:
        words = [mended.get(word, word) for word in plain_words(text).split()]
        rest, found = _consumed(f" {' '.join(words)} ")
        remarks = [f"{word} is read as {right}." for word, right in mended.items()]
    by_group: dict[str, list[str]] = {}
    for _, group, key, _said in sorted(found):
        by_group.setdefault(group, []).append(key)
    denied = next((said for _, group, _, said in found if group == "negation"), "")
    ahead = next((said for _, group, _, said in found if group == "ahead"), "")
    return AskedAspects(
        tuple(dict.fromkeys(by_group.get("aspects", ()))),
        tuple(dict.fromkeys(by_group.get("claims", ()))),
        frozenset(by_group.get("asks", ())),
        denied,
        ahead,
        tuple(word for word in rest.split() if not _NUMBER.fullmatch(word)),
        tuple(remarks),
        tuple((key, said) for _, group, key, said in sorted(found) if group == "aspects"),
    )


def spoken_language(text: str) -> str:
    """Return de or zh where a question is written in German or Chinese; empty for every other language."""
    if re.search("[\u3040-\u30ff]", text):
        return ""
    if _CJK.search(text):
        return "zh"
    words = set(re.findall(r"[^\W\d_]+", text.lower()))
    german, other = (len(words & frozenset(_table()["function_words"][name])) for name in ("de", "other"))
    return "de" if german > other else ""


def _consumed(rest: str) -> tuple[str, list[tuple[int, str, str, str]]]:
    """Return what no phrase takes out of a text, and each phrase that was found with its place, group and key."""
    found: list[tuple[int, str, str, str]] = []
    for said, group, key in _phrases():
        written = said if _CJK.search(said) else f" {said} "
        while (at := rest.find(written)) >= 0:
            found.append((at, group, key, said))
            # blanks of the same length keep the places of what follows
            rest = rest[:at] + " " * len(written) + rest[at + len(written) :]
    return rest, found


def _one_right(word: str) -> str:
    """Return the word of the table one slip away from a word; empty for none, and for words of several keys."""
    if len(word) < _FEWEST_TO_MEND - 1 or not word.isascii() or not word.isalpha():
        return ""
    near = {right: key for right, key in _single_words().items() if one_slip(word, right)}
    return min(near, key=lambda right: abs(len(right) - len(word))) if len(set(near.values())) == 1 else ""
