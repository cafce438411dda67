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
from typing import Any

from tradingagents.files.yaml_file import packaged_table
from tradingagents.retrieval.questions.plain_words import plain_words

_CJK = re.compile("[\u3400-\u9fff]")
_NUMBER = re.compile(r"\d+(?:st|nd|rd|th)?")
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
    unheld: tuple[str, ...] = ()
    """What it asks for that no source holds, keys of `aspects.yaml`."""
    numbers: tuple[str, ...] = ()
    """Numbers that stand in none of its phrases."""
    phrases: tuple[tuple[str, str], ...] = ()
    """Each aspect and claim with the words that say it, in the order of the question."""

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
    read: Mapping[str, Any] = packaged_table(__package__, "aspects.yaml")
    return read


@cache
def _phrases() -> tuple[tuple[str, str, str], ...]:
    """Return the phrases of the table with their group and key, the longest first."""
    found = [(plain_words(said), group, key) for group, key, said in _written()]
    return tuple(sorted(found, key=lambda phrase: (-len(phrase[0].split()), -len(phrase[0]))))


@cache
def _phrases_by_first_word() -> Mapping[str, list[tuple[int, str, str, str, str]]]:
    """Return the phrases as they stand in a text with their place in `_phrases`, by their first word.

    They stand between blanks but for Chinese ones, which a text may be without: those are below the empty word.
    """
    found: dict[str, list[tuple[int, str, str, str, str]]] = {}
    for place, (said, group, key) in enumerate(_phrases()):
        signs = bool(_CJK.search(said))
        first, written = ("", said) if signs else (said.split()[0], f" {said} ")
        found.setdefault(first, []).append((place, written, said, group, key))
    return found


def _phrases_that_may_stand_in(text: str) -> list[tuple[str, str, str, str]]:
    """Return the phrases whose first word a text holds, as they stand in it, the longest first."""
    words = {*text.split(), ""} if _CJK.search(text) else set(text.split())
    phrases = _phrases_by_first_word()
    found = sorted(phrase for word in words for phrase in phrases.get(word, ()))
    return [(written, said, group, key) for _, written, said, group, key in found]


def _written() -> Iterator[tuple[str, str, str]]:
    for group, content in _table().items():
        if group == _LANGUAGES:
            continue
        if group in _SAME_EVERYWHERE:
            yield from ((group, group, said) for said in content)
        else:
            yield from ((group, key, said) for key, words in content.items() for said in words)


@cache
def words_of_aspects() -> Mapping[str, str]:
    """Return the single words of the table in plain letters, each with what it says; `quiet` where that is nothing."""
    found: dict[str, str] = {}
    for said, group, key in _phrases():
        if " " not in said:
            found.setdefault(said, "quiet" if group == "quiet" else f"{group}.{key}")
    for said, _group, _key in _phrases():
        for word in said.split():
            found.setdefault(word, "quiet")
    return found


def read_aspects(text: str) -> AskedAspects:
    """Return what a question says.

    Args:
        text: The question without the companies, indices, sectors and days that it names.
    """
    rest, found = _consumed(f" {_asked_plainly(plain_words(text))} ")
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
        tuple(dict.fromkeys(by_group.get("unheld", ()))),
        tuple(word for word in rest.split() if _NUMBER.fullmatch(word)),
        tuple((key, said) for _, group, key, said in sorted(found) if group in ("aspects", "unheld", "claims")),
    )


def spoken_language(text: str) -> str:
    """Return de or zh where a question is written in German or Chinese; empty for every other language."""
    if re.search("[\u3040-\u30ff]", text):
        return ""
    if _CJK.search(text):
        return "zh"
    words = set(re.findall(r"[^\W\d_]+", text.lower()))
    german, other = (words & frozenset(_table()["function_words"][name]) for name in ("de", "other"))
    if german == {"was"}:  # `was Apple profitable?`
        return ""
    return "de" if len(german) > len(other) else ""


_EITHER_OR = re.compile("([\u3400-\u9fff])不\\1")


def _asked_plainly(text: str) -> str:
    """Return a text with 赚不赚钱, which asks whether and denies nothing, as 赚钱, but for what the table holds."""
    if not _CJK.search(text):
        return text
    own = [said for said, _, _ in _phrases() if said in text]
    return _EITHER_OR.sub(lambda found: found[0] if any(found[0] in said for said in own) else found[1], text)


def _consumed(rest: str) -> tuple[str, list[tuple[int, str, str, str]]]:
    """Return what no phrase takes out of a text, and each phrase that was found with its place, group and key."""
    found: list[tuple[int, str, str, str]] = []
    for written, said, group, key in _phrases_that_may_stand_in(rest):
        while (at := rest.find(written)) >= 0:
            found.append((at, group, key, said))
            # blanks of the same length keep the places of what follows
            rest = rest[:at] + " " * len(written) + rest[at + len(written) :]
    return rest, found
