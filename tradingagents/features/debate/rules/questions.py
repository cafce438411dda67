"""Answers questions about a debate that has ended, by rule: from its verdict, its points and what was conceded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tradingagents.features.debate.rules.brief import DebateBrief
from tradingagents.features.debate.rules.speakers import debate_of
from tradingagents.features.debate.schemas import SIDES

if TYPE_CHECKING:
    from tradingagents.offline.brief import Brief

MADE_BY = "Answered by fixed rules from the debate, no language model:"
CHANGE = ("change your mind", "change the view", "change your view", "wrong", "break", "would be", "turn", "what if")
AGREED = ("agree", "consensus", "accept", "concede", "common ground")
DIFFERENT = ("discrepan", "contradict", "differ", "disagree about facts", "inconsistent")
WHY = ("why", "conviction", "conclude", "verdict", "decide", "win", "won", "who is right")
MOST_SHOWN = 3
_SMALL = frozenset(
    (
        *("and", "are", "did", "does", "for", "from", "had", "has", "have", "how", "its", "said", "say", "side"),
        *("that", "the", "their", "there", "they", "this", "was", "were", "what", "which", "who", "will", "with"),
    )
)
"""Words that say nothing about what is asked."""


def answer(brief: Brief) -> str:
    """Answer the question of a brief."""
    return debate_answer(debate_of(brief))


def debate_answer(known: DebateBrief) -> str:
    """Answer the question about a debate."""
    said = f" {known.question.lower()} "
    named = [side for side in SIDES if side in said]
    if any(word in said for word in CHANGE):
        return f"{MADE_BY} {_what_would_change(known)}"
    if any(word in said for word in AGREED):
        return f"{MADE_BY} {_list(known.verdict.get('consensus', ()), 'Neither side conceded an argument.')}"
    if any(word in said for word in DIFFERENT):
        return f"{MADE_BY} {_list(known.verdict.get('discrepancies', ()), 'No facts were stated differently.')}"
    if found := _points_about(known, said, named):
        return "\n".join([f"{MADE_BY} this was said about it.", *(f"- {line}" for line in found)])
    if any(word in said for word in WHY):
        return f"{MADE_BY} {_why(known)}"
    if named:
        case = [f"- {point}" for point in _points(known, named[:1])]
        return "\n".join([f"{MADE_BY} the case of the {named[0]}:", *case])
    return (
        f"{MADE_BY} the debate says nothing about this. {_why(known)} Ask what would change the view, what the "
        "sides agree on, or about one of their points."
    )


def _what_would_change(known: DebateBrief) -> str:
    verdict = known.verdict
    if not verdict:
        return "the debate ended without a verdict."
    turning = [
        f"- {contention['question']} {contention['why']}"
        for contention in verdict["contentions"]
        if contention.get("why")
    ]
    other = (
        f"the conviction of {verdict['conviction']} would be {verdict['other_conviction']} if {verdict['other_if']}."
    )
    breaks = f"{_capital(verdict['thesis'])} breaks if {verdict['breaks_if']}."
    return "\n".join([f"{other} {breaks}", *turning])


def _why(known: DebateBrief) -> str:
    verdict = known.verdict
    if not verdict:
        return "The debate ended without a verdict."
    return f"The conviction is {verdict['conviction']} of 10 because {verdict['because']}."


def _points(known: DebateBrief, sides: Sequence[str]) -> list[str]:
    return [
        f"{side}-{number}: {point['claim']} [{', '.join(point['evidence'])}]"
        for side in sides
        for number, point in enumerate(known.cases.get(side, {}).get("points", ()), 1)
    ]


def _points_about(known: DebateBrief, said: str, named: Sequence[str]) -> list[str]:
    """Return the contentions, points and answers that share words with the question, the closest first."""
    wanted = _words(said) - set(SIDES)
    everything = [
        *(
            f"{contention['question']} Bull: {contention['bull']} Bear: {contention['bear']}"
            for contention in _contentions(known)
            if not named
        ),
        *_points(known, named or SIDES),
        *(
            f"{rebuttal.side} on {counter['point']}: {counter['reply']}"
            for rebuttal in known.rebuttals
            if not named or rebuttal.side in named
            for counter in rebuttal.counters
        ),
    ]
    scored = [(len(wanted & _words(text)), -number, text) for number, text in enumerate(everything)]
    return [text for score, _, text in sorted(scored, reverse=True) if score][:MOST_SHOWN]


def _contentions(known: DebateBrief) -> Sequence[dict[str, Any]]:
    found: Sequence[dict[str, Any]] = known.verdict.get("contentions", ())
    return found


def _words(text: str) -> set[str]:
    plain = "".join(letter if letter.isalnum() else " " for letter in text.lower())
    return {word.rstrip("s") for word in plain.split() if len(word) > 2 and word not in _SMALL}


def _list(lines: Sequence[str], nothing: str) -> str:
    return "\n".join(["", *(f"- {line}" for line in lines)]).strip() if lines else nothing


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
