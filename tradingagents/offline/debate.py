"""The bull and the bear: each brings the strongest evidence on its side, and answers what the other really said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tradingagents.offline.brief import Brief
from tradingagents.offline.evidence import Evidence, View, by_strength, report_name, view_of
from tradingagents.offline.headlines import quote
from tradingagents.offline.rationale import capitalised, listed

OPENING = 4
FOLLOWING = 3
"""Pieces of evidence in an opening and in a later turn."""
FAR_STRONGER = 2.0
"""The other side's point is granted where its group weighs this many times as much as the group of the answer."""
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


def bull(brief: Brief) -> str:
    """Argue for buying."""
    return argue(BULL, brief)


def bear(brief: Brief) -> str:
    """Argue for selling."""
    return argue(BEAR, brief)


def argue(side: Side, brief: Brief) -> str:
    """Take a turn: new evidence first, then an answer to the other side where it has spoken."""
    view = view_of(brief)
    mine, theirs = _said(side.name, brief), _said(side.other, brief)
    own = by_strength(view.side(side.sign), "\n".join(brief.lessons))
    unsaid = [item for item in own if not any(item.said_in(turn) for turn in mine)]
    fresh = _one_of_each_group([item for item in unsaid if item.telling])
    opening = not mine
    parts = [
        _lesson(brief) if opening else "",
        _case(side, fresh[: OPENING if opening else FOLLOWING], brief, opening=opening),
        _answer(side, own, view, mine, theirs[-1]) if theirs else "",
        _gaps(brief) if opening else "",
        _close(side, view) if opening else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _one_of_each_group(items: Sequence[Evidence]) -> list[Evidence]:
    """Return the strongest reading of each group, then the others, in order: five readings of one trend are one."""
    seen: set[str] = set()
    first: list[Evidence] = []
    rest: list[Evidence] = []
    for item in items:
        (rest if item.group in seen else first).append(item)
        seen.add(item.group)
    return [*first, *rest]


def _said(name: str, brief: Brief) -> list[str]:
    """Return what one side has said so far, turn by turn."""
    return [turn.text for turn in brief.turns if turn.speaker.lower().startswith(name)]


def _lesson(brief: Brief) -> str:
    if not brief.lessons:
        return ""
    told = quote(brief.lessons[0], _LESSON_LENGTH)
    return f'A similar day taught us: "{told}" I put that kind of evidence first.'


def _case(side: Side, fresh: Sequence[Evidence], brief: Brief, *, opening: bool) -> str:
    if not fresh and opening:
        return f"Nothing in the reports speaks for {side.case} {brief.subject.ticker}, and I will not invent it."
    if not fresh:
        return f"I have no further argument for {side.case}."
    named = brief.subject.name or brief.subject.ticker
    head = f"The case for {side.case} {named}" if opening else f"There is more for {side.case}"
    return "\n".join([f"{head}:", *(f"- {capitalised(item.group)}: {item.cite}" for item in fresh)])


def _answer(side: Side, own: Sequence[Evidence], view: View, mine: Sequence[str], latest: str) -> str:
    """Answer the strongest argument of the other side's latest turn that was not answered before, with its weight."""
    points = view.said(-side.sign, latest)
    if not points:
        return f"The {side.other} names no figure of the reports against {side.case}, so there is nothing to answer."
    point = next((item for item in points if not any(item.group in turn for turn in mine)), None)
    if point is None:
        return f"What the {side.other} repeats I have answered."
    against = _weight_of_group(view, point.group)
    if against * side.sign > 0:
        mine_of_it = next(item for item in by_strength(view.side(side.sign)) if item.group == point.group)
        whole = f"as a whole it weighs {against:+.2f} (derived) on my side"
        return f"The {side.other} argues from {point.group}, but {whole}: {mine_of_it.cite}."
    strong = [items[0] for _, items in view.groups(side.sign)]
    answer = next((item for item in (*strong, *own) if item.group != point.group and item.telling), None)
    said = f"The {side.other}'s best argument is {point.group}, {against:+.2f} (derived) of the net score."
    if answer is None:
        return f"{said} I have nothing in the reports to set against it."
    weight = _weight_of_group(view, answer.group)
    told = f"{weight:+.2f} (derived): {answer.cite}."
    named = capitalised(answer.group)
    if abs(against) > FAR_STRONGER * abs(weight):
        return f"{said} That is the heavier point and I grant it. {named} still speaks for my side, {told}"
    return f"{said} {named} {'weighs more on my side' if abs(weight) > abs(against) else 'stands against it'}, {told}"


def _weight_of_group(view: View, group: str) -> float:
    return sum(item.contribution for item in view.evidence if item.group == group)


def _gaps(brief: Brief) -> str:
    if not brief.missing:
        return ""
    return f"Neither side has seen: {listed([report_name(name) for name in sorted(brief.missing)])}."


def _close(side: Side, view: View) -> str:
    total = sum(item.contribution for item in view.side(side.sign))
    against = sum(item.contribution for item in view.side(-side.sign))
    return (
        f"Added up, the readings for the {side.name} weigh {total:+.2f} and those for the {side.other} {against:+.2f} "
        f"(derived)."
    )
