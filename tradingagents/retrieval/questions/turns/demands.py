"""What a question demands of its answer beside what it is about: a day, a person, a count, a figure per share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tradingagents.files.yaml_file import packaged_table
from tradingagents.retrieval.questions.plain_words import IN_CJK, plain_words
from tradingagents.retrieval.questions.turns.anchors import anchor_in, results_anchor

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
    if (said := results_anchor(rest)) and all(demand.kind != "event" for _, demand in found):
        found.append((rest.find(said), Demand("event", said)))
    once = {demand.kind: demand for _, demand in sorted(found, key=lambda each: each[0], reverse=True)}
    return tuple(reversed(once.values()))


def with_anchor(demands: tuple[Demand, ...], without_days: str) -> tuple[Demand, ...]:
    """Return demands with that for days which something else than their names tells, as in `since the Fed cut`.

    Args:
        demands: Those of a text.
        without_days: The text without its words for days, companies and indices.
    """
    said = anchor_in(without_days)
    return (*demands, Demand("anchored", said)) if said else demands


@cache
def _phrases() -> tuple[tuple[str, str, str], ...]:
    """Return the phrases as they stand in a text, each with its kind, the longest first."""
    read: Mapping[str, list[str]] = packaged_table(__package__, "demands.yaml")
    found = [
        (said if IN_CJK.search(said) else f" {said} ", kind, said) for kind, words in read.items() for said in words
    ]
    return tuple(sorted(found, key=lambda phrase: -len(phrase[0])))
