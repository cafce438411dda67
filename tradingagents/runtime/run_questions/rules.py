"""Answers a question about a finished run from its record: the passages that share words with it, and their sources."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from tradingagents.runtime.run_questions.brief import RunBrief, RunPassage

if TYPE_CHECKING:
    from tradingagents.offline.brief import Brief

CHANGE = (
    *("change your mind", "change the view", "change your view", "change the answer", "change the finding", "wrong"),
    *("break", "what if", "turn the"),
)
MISSING = ("missing", "not find", "not found", "lack", "unknown", "gap")
MOST_SHOWN, MOST_SOURCES = 6, 12
_MEANS: Mapping[str, tuple[str, ...]] = {
    "cheap": ("value", "price"),
    "expensive": ("value", "price"),
    "worth": ("value", "price"),
    "valuation": ("value", "multiple"),
    "profitable": ("margin", "return"),
    "profitability": ("margin", "return"),
    "sale": ("revenue", "sale"),
    "grow": ("growth",),
    "grew": ("growth",),
    "priced": ("implie",),
    "debt": ("debt", "solvency"),
}
"""Words of figures that a word of a question may mean."""
_SMALL = frozenset(
    (
        *("and", "are", "about", "answer", "any", "can", "comparison", "compare", "compared", "conclude", "conclusion"),
        *("debate", "did", "does", "find", "finding", "for", "found", "from", "had", "has", "have", "how", "into"),
        *("its", "look", "report", "research", "researched", "result", "run", "said", "say", "saying", "tell", "that"),
        *("the", "their", "there", "they", "thi", "this", "was", "were", "what", "which", "who", "why", "will", "with"),
        *("you", "your", "company", "companie", "stock", "wa", "doe", "ha"),
    )
)
"""Words that say nothing about what is asked."""


def answer(brief: Brief) -> str:
    """Answer the question of a brief."""
    if not isinstance(brief.known, RunBrief):
        raise TypeError("the agent was given no brief on a run")
    return run_answer(brief.known)


def run_answer(known: RunBrief) -> str:
    """Return the answer with its sources; where the run says nothing about the question, its finding."""
    head = f"From the {known.what} as of {known.day} (run {known.run_id}):"
    said = f" {known.question.lower()} "
    if any(word in said for word in CHANGE):
        return _with_sources(head, _turning(known), [one.source for one in known.turning] or known.sources)
    if any(word in said for word in MISSING):
        lines = [f"- {one}" for one in known.missing] or ["It names nothing that is missing."]
        return _with_sources(head, lines, ())
    if asked := _words(said):
        found = passages_about(known.passages, asked)
        if found:
            return _with_sources(head, [f"- {one.text}" for one in found], [one.source for one in found])
        return _with_sources(head, ["It says nothing about this. Its finding:", known.finding], known.sources)
    return _with_sources(head, [known.finding or "It has no finding."], known.sources)


def passages_about(passages: Sequence[RunPassage], asked: Collection[str]) -> list[RunPassage]:
    """Return the passages that share the most words with a question, in their order.

    What the run wrote itself is left out where its sources say as much.
    """
    scored = []
    for number, passage in enumerate(passages):
        own, around = _words(passage.text), _words(passage.about)
        score = sum(2 if _means(word) & own else 1 if _means(word) & around else 0 for word in asked)
        scored.append((score, number, passage))
    best = max((score for score, _, _ in scored), default=0)
    close = [one for one in scored if one[0] == best and best > 0]
    said = [one for _, _, one in close]
    return ([one for one in said if not one.written] or said)[:MOST_SHOWN]


def _means(word: str) -> frozenset[str]:
    return frozenset((word, *_MEANS.get(word, ())))


def _turning(known: RunBrief) -> list[str]:
    lines = [f"- {one.text}" for one in known.turning]
    if not lines:
        lines = ["It names no condition that would change its finding:", known.finding]
    if known.missing:
        lines += ["- What it did not find could change it too:", *(f"  - {one}" for one in known.missing[:MOST_SHOWN])]
    return lines


def _with_sources(head: str, lines: Sequence[str], sources: Sequence[str]) -> str:
    named = [one for one in dict.fromkeys(sources) if one][:MOST_SOURCES]
    ending = [f"\nSources: {', '.join(f'[{one}]' for one in named)}"] if named else []
    return "\n".join([head, "", *lines, *ending])


def _words(text: str) -> set[str]:
    plain = "".join(one if one.isalnum() else " " for one in text.lower())
    found = {word.rstrip("s") if len(word) > 3 else word for word in plain.split() if len(word) > 2}
    return found - _SMALL
