"""Tone of a text from -1 to 1 by a finance word list; negation and burdens ("losses narrow") are understood."""

from __future__ import annotations

import re

from tradingagents.offline.sentiment_lexicon import BURDENS, LESS, MORE, NEGATIVE, NEGATORS, POSITIVE

REACH = 3
"""Words over which a negator acts."""
BURDEN_REACH = 2
"""Words between which a burden and a word for less or more belong together."""
DAMPING = 0.8
"""A negated word says less than its opposite."""
_MOVES = LESS | MORE
_WORD = re.compile(r"[a-z]+(?:['\-][a-z]+)*")
_STOP = re.compile(r"[.;:!?]+\s")


def tone(text: str) -> float:
    """Return the tone of a text, -1 to 1 (both excluded); 0 where no word carries any.

    Positive and negative weights are summed as p and n; the tone is (p - n) / (p + n + 1), so that one ordinary word
    gives a half and more words of one kind come nearer to one.
    """
    hits = [hit for clause in _STOP.split(text.replace("\u2019", "'").lower()) for hit in _hits(_WORD.findall(clause))]
    good = sum(hit for hit in hits if hit > 0)
    bad = -sum(hit for hit in hits if hit < 0)
    return (good - bad) / (good + bad + 1)


def headline_tone(title: str, summary: str) -> float:
    """Return the tone of an article: the title counts 0.7, the summary 0.3; without a summary the title alone."""
    return 0.7 * tone(title) + 0.3 * tone(summary) if summary else tone(title)


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
