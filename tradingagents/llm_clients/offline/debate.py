"""The bull and the bear: each brings the strongest evidence on its side, and answers what the other really said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tradingagents.llm_clients.offline.evidence import Evidence, View, by_strength, distinct, view_of
from tradingagents.llm_clients.offline.headlines import quote
from tradingagents.llm_clients.offline.reading import Prompt

OPENING = 4
FOLLOWING = 3
"""Pieces of evidence in an opening and in a later turn."""
FAR_STRONGER = 2.0
"""The other side's point is conceded where it moves the net score this many times as much as the best answer to it."""
_LESSON_LENGTH = 160


@dataclass(frozen=True, slots=True)
class Side:
    """One side of the debate."""

    name: str
    other: str
    sign: int
    """1: bullish evidence is its own, -1: bearish."""
    case: str


BULL = Side("bull", "bear", 1, "buying")
BEAR = Side("bear", "bull", -1, "selling")


def bull(prompt: Prompt) -> str:
    """Argue for buying."""
    return argue(BULL, prompt)


def bear(prompt: Prompt) -> str:
    """Argue for selling."""
    return argue(BEAR, prompt)


RESEARCHERS: dict[str, Callable[[Prompt], str]] = {"Bull Researcher": bull, "Bear Researcher": bear}


def argue(side: Side, prompt: Prompt) -> str:
    """Take a turn: new evidence first, then an answer to the other side where it has spoken."""
    view = view_of(prompt)
    mine, theirs = _said(side.name, prompt), _said(side.other, prompt)
    own = by_strength(view.side(side.sign), "\n".join(prompt.lessons))
    fresh = distinct([item for item in own if not any(item.said_in(turn) for turn in mine)])
    opening = not mine
    parts = [
        _lesson(prompt) if opening else "",
        _case(side, fresh[: OPENING if opening else FOLLOWING], prompt, opening=opening),
        _answer(side, own, view, mine, theirs[-1]) if theirs else "",
        _gaps(prompt) if opening else "",
        _close(side, view) if opening else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _said(name: str, prompt: Prompt) -> list[str]:
    """Return what one side has said so far, turn by turn."""
    return [turn.text for turn in prompt.turns if turn.speaker.lower().startswith(name)]


def _lesson(prompt: Prompt) -> str:
    if not prompt.lessons:
        return ""
    told = quote(prompt.lessons[0], _LESSON_LENGTH)
    return f'A lesson from a similar day comes first: "{told}" What it speaks of moves up in my order.'


def _case(side: Side, fresh: Sequence[Evidence], prompt: Prompt, *, opening: bool) -> str:
    if not fresh and opening:
        return f"The reports hold no reading that speaks for {side.case} {prompt.instrument.ticker}; I make none up."
    if not fresh:
        return f"I have brought everything that the reports hold for {side.case}, and add nothing."
    head = f"The {side.name} case for {prompt.instrument.ticker}" if opening else f"Further evidence for {side.case}"
    return "\n".join([f"{head}:", *(f"- {item.cite}: {item.row.words}" for item in fresh)])


def _answer(side: Side, own: Sequence[Evidence], view: View, mine: Sequence[str], latest: str) -> str:
    """Answer the strongest point of the other side's latest turn that was not answered before."""
    points = [item for item in view.side(-side.sign) if item.said_in(latest)]
    if not points:
        return f"The {side.other} names no figure of the reports that speaks against {side.case}: nothing to answer."
    point = next((item for item in points if not any(item.said_in(turn) for turn in mine)), None)
    if point is None:
        return f"The points the {side.other} repeats were answered before."
    said = f"The {side.other}'s strongest point is {point.cite}: {point.row.words}."
    counters = [*(item for item in own if item.report == point.report), *own]
    counter = next(
        (item for item in counters if FAR_STRONGER * abs(item.contribution) >= abs(point.contribution)), None
    )
    if counter is None:
        return f"{said} I have nothing in the reports that outweighs it, and concede the point."
    where = "In the same report" if counter.report == point.report else "Against it"
    return f"{said} {where} stands {counter.cite}: {counter.row.words}."


def _gaps(prompt: Prompt) -> str:
    if not prompt.missing:
        return ""
    return f"Not available to either side: {', '.join(sorted(prompt.missing))}."


def _close(side: Side, view: View) -> str:
    total = sum(item.contribution for item in view.side(side.sign))
    against = sum(item.contribution for item in view.side(-side.sign))
    return (
        f"By fixed rules the {side.name} side weighs {total:+.2f} and the {side.other} side {against:+.2f} (derived)."
    )
