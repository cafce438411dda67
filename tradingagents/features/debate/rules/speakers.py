"""The rules of the debaters: which tools to call, which points to make, what to answer, how to weigh it.

Everything follows from typed figures and from the typed statements of the debate; no text is read back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tradingagents.features.debate.rules.brief import DebateBrief
from tradingagents.features.debate.rules.topics import DebateTopic, topics_of
from tradingagents.features.debate.schemas import OTHER_SIDE, SIDES, DebateSide, reply_id

if TYPE_CHECKING:
    from tradingagents.offline.brief import Brief, ToolWish

TOO_LITTLE = "The evidence answers fewer than three topics; a debate needs more of it."
GATHERED = "DONE"
BULL_CALLS = ("get_ttm_analysis", "valuation", "earnings", "fundamental_screen", "market_snapshot")
BEAR_CALLS = ("get_ttm_analysis", "reverse_valuation", "relative_valuation", "risk_profile", "get_sector_relative")
LEAST_POINTS, MOST_POINTS, ANSWERED = 3, 5, 3
STRONG, CLEAR = 0.5, 0.15
"""Leans from which on a point is strong, and moderate."""
MIDDLE, HALF = 5.5, 4.5
"""Middle of the scale of convictions, and its half."""
CONTENTIONS = 5
ALSO_CALLED: Mapping[str, tuple[str, ...]] = {
    "valuation": ("dcf", "value per share", "discounted"),
    "expectations": ("implied", "implies", "priced in"),
    "growth": ("revenue", "sales"),
    "multiples": ("peer", "p/e"),
    "balance_sheet": ("debt", "leverage"),
    "quality": ("piotroski", "f-score"),
    "results": ("estimate",),
    "trend": ("average", "momentum"),
    "risk": ("volatility", "drawdown"),
}
"""Words of a hint that mean a topic."""


def gather(brief: Brief) -> tuple[str, Sequence[ToolWish]]:
    """Return the calls of a side; nothing more once they are answered."""
    known = debate_of(brief)
    if not known.gathering:
        return GATHERED, ()
    names = BULL_CALLS if known.side == "bull" else BEAR_CALLS
    return "", [(name, {"ticker": known.ticker}) for name in names]


def opening(brief: Brief) -> Mapping[str, Any] | None:
    """Return a side's case: three to five topics, those that lean to it first; None where too few are known."""
    known = debate_of(brief)
    side = _side(known)
    ranked = _ranked(known, side)
    if len(ranked) < LEAST_POINTS:
        return None
    own = [topic for topic in ranked if topic.lean_to(side) > 0]
    chosen = (own if len(own) >= LEAST_POINTS else ranked)[: max(LEAST_POINTS, min(len(own), MOST_POINTS))]
    mean = sum(topic.lean_to(side) for topic in chosen) / len(chosen)
    return {
        "summary": _summary(known, side, len(own), len(ranked), chosen[0]),
        "points": [
            {"claim": topic.claim(side), "evidence": list(topic.evidence), "strength": _strength(topic.lean_to(side))}
            for topic in chosen
        ],
        "confidence": round((1 + mean) / 2, 2),
    }


def rebuttal(brief: Brief) -> Mapping[str, Any] | None:
    """Return answers to the other side's arguments that were not answered yet, the strongest first."""
    known = debate_of(brief)
    side = _side(known)
    other = OTHER_SIDE[side]
    by_claim = {topic.claim(other): topic for topic in topics_of(known.ticker, known.figures)}
    own = [rebuttal for rebuttal in known.rebuttals if rebuttal.side == side]
    answered = {counter["point"] for rebuttal in own for counter in rebuttal.counters}
    points = [
        (f"{other}-{number}", str(point["claim"]))
        for number, point in enumerate(known.cases.get(other, {}).get("points", ()), 1)
    ]
    left = [(name, claim) for name, claim in points if name not in answered and claim in by_claim][:ANSWERED]
    granted = _granted([by_claim[claim] for _, claim in left], side)
    best = _ranked(known, side)[0]
    counters = [
        _concession(name, claim, best, side)
        if by_claim[claim] is granted
        else _counter(name, claim, by_claim[claim], side)
        for name, claim in left
    ]
    return {"counters": counters or _last_word(known, side, answered)} if points else None


def verdict(brief: Brief) -> Mapping[str, Any] | None:
    """Weigh the topics that were argued: the mean of their leans is the conviction."""
    known = debate_of(brief)
    argued = _argued(known)
    if len(argued) < 2:
        return None
    score = _score(argued)
    number = _conviction(score)
    leading: DebateSide = "bull" if score >= 0 else "bear"
    pivots = sorted(argued, key=lambda topic: -topic.lean_to(leading))
    pivot, second = pivots[0], pivots[1]
    without = [topic for topic in argued if topic is not pivot]
    turned = _conviction((sum(topic.lean for topic in without) - pivot.lean) / len(argued))
    other = turned if turned != number else number - _sign(leading)
    return {
        "contentions": [
            _contention(topic) for topic in sorted(argued, key=lambda topic: -abs(topic.lean))[:CONTENTIONS]
        ],
        "evidence": _buckets(argued),
        "consensus": _consensus(known),
        "discrepancies": list(known.discrepancies),
        "conviction": number,
        "because": f"{_clause(pivot.claim(leading))}, and {_clause(second.claim(leading))}",
        "other_conviction": other,
        "other_if": pivot.turns_if,
        "thesis": f"the {leading} thesis on {known.ticker}",
        "breaks_if": second.turns_if if second.lean_to(leading) > 0 else pivot.turns_if,
    }


def debate_of(brief: Brief) -> DebateBrief:
    """Return what a brief says of the debate."""
    if not isinstance(brief.known, DebateBrief):
        raise TypeError("the rules of a debate need its brief")
    return brief.known


def _side(known: DebateBrief) -> DebateSide:
    if known.side is None:
        raise TypeError("an advocate's brief names its side")
    return known.side


def _sign(side: DebateSide) -> int:
    return 1 if side == "bull" else -1


def _ranked(known: DebateBrief, side: DebateSide) -> list[DebateTopic]:
    """Return the topics, those that the user's hints name first, then by how far they lean to a side."""
    advised = " ".join(known.hints).lower()
    topics = topics_of(known.ticker, known.figures)
    return sorted(topics, key=lambda topic: (not _named(topic, advised), -topic.lean_to(side)))


def _named(topic: DebateTopic, advice: str) -> bool:
    """Tell whether advice names a topic, in the singular or the plural, or by a word that people use for it."""
    stem = topic.name.replace("_", " ").rstrip("s")
    return bool(advice) and any(word in advice for word in (stem, *ALSO_CALLED.get(topic.name, ())))


def _strength(lean: float) -> str:
    return "strong" if lean > STRONG else "moderate" if lean > CLEAR else "weak"


def _summary(known: DebateBrief, side: DebateSide, own: int, topics: int, first: DebateTopic) -> str:
    if own < LEAST_POINTS:
        count = "None" if not own else f"Only {own}"
        few = f"{count} of {topics} topics speak for the {side} on {known.ticker}: a weak case."
        return f"{few} It begins with {_spelled(first)}."
    return f"{own} of {topics} topics speak for the {side} on {known.ticker}. The case begins with {_spelled(first)}."


def _spelled(topic: DebateTopic) -> str:
    return topic.name.replace("_", " ")


def _granted(topics: Sequence[DebateTopic], side: DebateSide) -> DebateTopic | None:
    """Return the topic that a side concedes: the one that leans furthest to the other, if that is far."""
    worst = min(topics, key=lambda topic: topic.lean_to(side), default=None)
    return worst if worst is not None and worst.lean_to(side) < -STRONG else None


def _concession(name: str, claim: str, best: DebateTopic, side: DebateSide) -> dict[str, Any]:
    reply = f"What is left of the {side}'s case: {_clause(best.claim(side))}."
    return {"point": name, "quote": claim, "reply": reply, "evidence": list(best.evidence), "concedes": True}


def _counter(name: str, claim: str, topic: DebateTopic, side: DebateSide) -> dict[str, Any]:
    evidence = list(topic.evidence)
    return {"point": name, "quote": claim, "reply": topic.claim(side), "evidence": evidence, "concedes": False}


def _last_word(known: DebateBrief, side: DebateSide, answered: set[str]) -> list[dict[str, Any]]:
    """Answer the other side's latest reply with the own point that was not conceded and leans furthest."""
    other = OTHER_SIDE[side]
    replies = [
        (reply_id(other, rebuttal.round, number), str(counter["reply"]))
        for rebuttal in known.rebuttals
        if rebuttal.side == other
        for number, counter in enumerate(rebuttal.counters)
        if not counter["concedes"]
    ]
    left = [reply for reply in replies if reply[0] not in answered]
    best = _ranked(known, side)[0]
    if not left:  # everything was conceded: name the first argument of the other side again
        claim = str(known.cases[other]["points"][0]["claim"])
        left = [(f"{other}-1", claim)]
    name, said = left[-1]
    reply = f"That leaves this standing: {_clause(best.claim(side))}."
    return [{"point": name, "quote": said, "reply": reply, "evidence": list(best.evidence), "concedes": False}]


def _argued(known: DebateBrief) -> list[DebateTopic]:
    """Return the topics of which a side made a point."""
    claims = {str(point["claim"]) for case in known.cases.values() for point in case.get("points", ())}
    return [
        topic for topic in topics_of(known.ticker, known.figures) if any(topic.claim(side) in claims for side in SIDES)
    ]


def _score(topics: Sequence[DebateTopic]) -> float:
    return sum(topic.lean for topic in topics) / len(topics) if topics else 0.0


def _conviction(score: float) -> int:
    return max(1, min(10, round(MIDDLE + HALF * max(-1.0, min(1.0, score)))))


def _contention(topic: DebateTopic) -> dict[str, Any]:
    leans = "bull" if topic.lean > CLEAR else "bear" if topic.lean < -CLEAR else "open"
    why = "" if leans == "open" else f"It would turn if {topic.turns_if}."
    return {
        "question": topic.question,
        "bull": topic.bull,
        "bear": topic.bear,
        "evidence": list(topic.evidence),
        "leans": leans,
        "why": why,
    }


def _buckets(topics: Sequence[DebateTopic]) -> dict[str, list[str]]:
    """Return the evidence by the side that the topics resting on it lean to; both sides' is disputed."""
    sides: dict[str, set[str]] = {}
    for topic in topics:
        for evidence in topic.evidence:
            sides.setdefault(evidence, set()).add("bull" if topic.lean > 0 else "bear")
    ids = sorted(sides, key=lambda evidence: (len(evidence), evidence))
    return {
        "bull": [evidence for evidence in ids if sides[evidence] == {"bull"}],
        "bear": [evidence for evidence in ids if sides[evidence] == {"bear"}],
        "disputed": [evidence for evidence in ids if len(sides[evidence]) > 1],
    }


def _consensus(known: DebateBrief) -> list[str]:
    return [
        f"The {rebuttal.side} accepts: {counter['quote']}"
        for rebuttal in known.rebuttals
        for counter in rebuttal.counters
        if counter["concedes"]
    ]


def _clause(sentence: str) -> str:
    """Return a sentence as a clause: without its full stop, its first word in lower case where it is no name."""
    plain = sentence.rstrip(".")
    first = plain.partition(" ")[0]
    return plain if len(first) > 1 and first.isupper() else f"{plain[:1].lower()}{plain[1:]}"
