"""What a question demands of its answer beside what it is about: a day, a person, a count, a figure per share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tradingagents.files.yaml_file import packaged_table
from tradingagents.retrieval.questions.plain_words import IN_CJK, plain_words

_NOTHING = "none"


@dataclass(frozen=True, slots=True)
class Demand:
    """What an answer is to hold, with the words that say so."""

    kind: str
    """A key of `demands.yaml`."""
    said: str


def demands_in(text: str) -> tuple[Demand, ...]:
    """Return what a text demands of its answer, in the order of the text."""
    rest, found = f" {plain_words(text)} ", []
    for written, kind, said in _phrases():
        while (at := rest.find(written)) >= 0:
            if kind != _NOTHING:
                found.append((at, Demand(kind, said)))
            rest = rest[:at] + " " * len(written) + rest[at + len(written) :]
    once = {demand.kind: demand for _, demand in sorted(found, key=lambda each: each[0], reverse=True)}
    return tuple(reversed(once.values()))


@cache
def _phrases() -> tuple[tuple[str, str, str], ...]:
    """Return the phrases as they stand in a text, each with its kind, the longest first."""
    read: Mapping[str, list[str]] = packaged_table(__package__, "demands.yaml")
    found = [
        (said if IN_CJK.search(said) else f" {said} ", kind, said) for kind, words in read.items() for said in words
    ]
    return tuple(sorted(found, key=lambda phrase: -len(phrase[0])))
