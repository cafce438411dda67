"""The rules of the deep report: five fixed hypotheses, tested by typed figures; every sentence names its figure.

They read no text. A report by rules is thin, and its scores say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.offline.thesis.models import ThesisBrief
from tradingagents.offline.thesis.observations import observations
from tradingagents.offline.thesis.topics import BY_TITLE, TOPICS, FigureTest, Topic

if TYPE_CHECKING:
    from tradingagents.offline.brief import Brief

RELEVANT, IRRELEVANT = 8, 2
MADE_BY = "Written by fixed rules, no language model."
STRONGEST = 3
"""Figures of one side that a synthesis names."""
REASONS: Mapping[tuple[str, bool], str] = {
    ("margin", True): "Results above the estimates raise the margin of the next two years.",
    ("margin", False): "Results below the estimates lower the margin of the next two years.",
    ("capital_intensity", True): "It is less than net income, so that growth needs more capital.",
    ("capital_intensity", False): "It is more than net income, so that growth needs less capital.",
    ("cost_of_capital", True): "Debt above equity makes capital dearer.",
}
"""Why a figure moves a driver, by the driver and whether it rises."""
TILT = 0.2
"""How far the balance of evidence moves probability between bull and bear."""


def hypotheses(brief: Brief) -> Mapping[str, Any]:
    """Return the five hypotheses that were not stated before."""
    known = _thesis(brief).known_titles
    new = [topic for topic in TOPICS if topic.title.casefold() not in known]
    return {"hypotheses": [_stated(topic) for topic in new]}


def relevance(brief: Brief) -> Mapping[str, Any]:
    """Return a score for each source: relevant where it has a figure that tests the hypothesis."""
    known = _thesis(brief)
    names = {test.name for test in _tests(known)}
    scores = [
        {
            "label": source.label,
            "relevance": RELEVANT if names & {one.name for one in source.figures} else IRRELEVANT,
        }
        for source in known.sources
    ]
    return {"scores": scores}


def evidence(brief: Brief) -> Mapping[str, Any]:
    """Return an item for each figure that tests the hypothesis; the first source that has a figure counts."""
    known = _thesis(brief)
    figures = dict(known.figures)
    for source in known.sources:
        for figure in source.figures:
            figures.setdefault(figure.name, figure)
    items: dict[str, dict[str, Any]] = {}
    for test in _tests(known):
        for source in known.sources:
            for figure in source.figures:
                if figure.name == test.name and test.name not in items:
                    items[test.name] = {
                        "source": source.label,
                        "claim": f"{_sentence(metric_label(figure.name))} is {figure.shown}.",
                        "quote": figure.row,
                        "confidence": test.confidence,
                        "direction": test.direction(figure.value, figures),
                        "effect": test.effect(figure.value, figures) if test.effect is not None else None,
                    }
    return {"items": list(items.values())}


def synthesis(brief: Brief) -> Mapping[str, Any] | None:
    """Return both sides of a hypothesis with probabilities by the balance of its evidence."""
    known = _thesis(brief)
    if not known.evidence:
        return None
    supports, contradicts = _sides(known.evidence)
    strength, weakness = (sum(one["confidence"] for one in side) for side in (supports, contradicts))
    tilt = TILT * (strength - weakness) / (strength + weakness) if strength + weakness else 0.0
    bull, bear = round(0.25 + tilt, 4), round(0.25 - tilt, 4)
    verdict = "for" if strength > weakness else "against" if weakness > strength else "neither for nor against"
    title = known.hypotheses[0]["title"] if len(known.hypotheses) == 1 else "The thesis as a whole"
    return {
        "bull_case": _strongest("for", supports),
        "bear_case": _strongest("against", contradicts),
        "synthesis": f"{title}: the figures weigh {verdict} it, {_number(supports)} for and {_number(contradicts)} "
        "against, each by its confidence.",
        "insights": observations(known.evidence),
        "probabilities": {"bull": bull, "base": round(1 - bull - bear, 4), "bear": bear},
        "confidence": round(abs(strength - weakness) / (strength + weakness), 2) if strength + weakness else 0.0,
    }


def scores(brief: Brief) -> Mapping[str, Any]:
    """Return scores that say plainly what a report by rules is: specific, consistent, and without insight."""
    known = _thesis(brief)
    return {
        "specificity": 8,
        "insights": 2,
        "logic": 6 if known.evidence else 2,
        "actionability": 5 if known.evidence else 1,
        "recommendations": ["Run it with a language model: rules read figures and no text."],
    }


def refinement(_brief: Brief) -> Mapping[str, Any]:
    """Ask nothing further: the rules have tested what they can."""
    return {"questions": [], "new_hypotheses": []}


def narrative(brief: Brief) -> Mapping[str, Any] | None:
    """Return the sections, a paragraph for each hypothesis with its figures."""
    known = _thesis(brief)
    if not known.evidence:
        return None
    by_hypothesis = {
        one["id"]: [item for item in known.evidence if item["hypothesis"] == one["id"]] for one in known.hypotheses
    }
    shown = [(one, by_hypothesis[one["id"]]) for one in known.hypotheses if by_hypothesis[one["id"]]]
    supports, contradicts = _sides(known.evidence)
    return {
        "sections": [
            _section("Executive summary", [_summary(known, supports, contradicts)]),
            _section("Investment thesis", [_paragraph(one, items) for one, items in shown]),
            _section("Catalysts and risks", [_catalysts(known), _risks(contradicts)]),
            _section("Scenarios", [_scenarios(known)]),
            _section("Counter-argument", [_counter(supports, contradicts)]),
        ]
    }


def _thesis(brief: Brief) -> ThesisBrief:
    assert brief.thesis is not None  # noqa: S101 - the graph makes it
    return brief.thesis


def _stated(topic: Topic) -> dict[str, Any]:
    return {
        "title": topic.title,
        "thesis": topic.thesis,
        "evidence_needed": list(topic.evidence_needed),
        "impact": topic.impact,
    }


def _tests(known: ThesisBrief) -> Sequence[FigureTest]:
    topic = BY_TITLE.get(known.topic)
    return topic.tests if topic is not None else ()


def _sides(items: Iterable[Mapping[str, Any]]) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    found = list(items)
    return (
        [one for one in found if one["direction"] == "supports"],
        [one for one in found if one["direction"] == "contradicts"],
    )


def _strongest(side: str, items: Sequence[Mapping[str, Any]]) -> str:
    """Return the surest items of one side."""
    if not items:
        return f"No figure speaks {side} it."
    return " ".join(f"{one['claim']} ({one['id']})" for one in items[:STRONGEST])


def _number(items: Sequence[Any]) -> str:
    return f"{len(items)} figure{'' if len(items) == 1 else 's'}"


def _claims(items: Iterable[Mapping[str, Any]]) -> str:
    return " ".join(one["claim"] for one in items)


def _section(name: str, paragraphs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"name": name, "paragraphs": list(paragraphs)}


def _summary(
    known: ThesisBrief, supports: Sequence[Mapping[str, Any]], contradicts: Sequence[Mapping[str, Any]]
) -> Any:
    """State how the figures weigh, the surest on either side, and who wrote this."""
    first = f"Of the figures that test the hypotheses about {known.name}, {len(supports)} speak for them and "
    told = [f"{first}{len(contradicts)} against."]
    named = [*supports[:1], *contradicts[:1]]
    if supports:
        told.append(f"The surest for: {supports[0]['claim']}")
    if contradicts:
        told.append(f"The surest against: {contradicts[0]['claim']}")
    told.append(MADE_BY)
    return {"text": " ".join(told), "evidence": [one["id"] for one in named or known.evidence[:1]]}


def _paragraph(one: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> Any:
    supports, contradicts = _sides(items)
    others = [item for item in items if item["direction"] == "neutral"]
    told = [f"**{one['title']}.**"]
    if supports:
        told.append(f"For it: {_claims(supports)}")
    if contradicts:
        told.append(f"Against it: {_claims(contradicts)}")
    if others:
        told.append(f"To compare: {_claims(others)}")
    return {"text": " ".join(told), "evidence": [item["id"] for item in (*supports, *contradicts, *others)]}


def _catalysts(known: ThesisBrief) -> Any:
    """Name what may change the value: the figures that move one of its drivers, and why."""
    moving = [one for one in known.evidence if one.get("effect")]
    if not moving:
        return {"text": "No figure that the rules read moves a driver of the value.", "evidence": []}
    told = " ".join(f"{one['claim']} {_reason(one['effect'])}" for one in moving)
    return {"text": f"What moves the value. {told}", "evidence": [one["id"] for one in moving]}


def _reason(effect: Mapping[str, Any]) -> str:
    return REASONS.get((effect["driver"], effect["change"] > 0), "")


def _risks(contradicts: Sequence[Mapping[str, Any]]) -> Any:
    if not contradicts:
        return {"text": "Risks. No figure that the rules read speaks against a hypothesis.", "evidence": []}
    return {"text": f"Risks. {_claims(contradicts)}", "evidence": [one["id"] for one in contradicts]}


def _scenarios(known: ThesisBrief) -> Any:
    moving = [one for one in known.evidence if one.get("effect")]
    if not moving:
        return {
            "text": "No figure moves a driver of the value, so the scenarios have the value of the base case.",
            "evidence": [],
        }
    raising = [one for one in moving if _raises(one["effect"])]
    lowering = [one for one in moving if not _raises(one["effect"])]
    told = ["The bull case takes the figures that improve a driver, the bear case those that worsen one."]
    told.append(f"Bull case: {_claims(raising)}" if raising else "No figure improves a driver.")
    told.append(f"Bear case: {_claims(lowering)}" if lowering else "No figure worsens a driver.")
    return {"text": " ".join(told), "evidence": [one["id"] for one in (*raising, *lowering)]}


def _raises(effect: Mapping[str, Any]) -> bool:
    """Tell whether a change improves its driver: growth and margin by rising, the others by falling."""
    return bool((effect["change"] > 0) == (effect["driver"] in ("growth", "margin")))


def _counter(supports: Sequence[Mapping[str, Any]], contradicts: Sequence[Mapping[str, Any]]) -> Any:
    """State the case against what the figures say: the surest of the weaker side, and what rules cannot see."""
    unread = "Rules read figures and no text: competition, management and the law are not in them."
    weaker, said = (contradicts, "against") if len(contradicts) <= len(supports) else (supports, "for")
    if not weaker:
        return {"text": f"No figure speaks {said} the hypotheses. {unread}", "evidence": []}
    text = f"The surest figure {said} the hypotheses, on the weaker side: {weaker[0]['claim']} {unread}"
    return {"text": text, "evidence": [weaker[0]["id"]]}


def _sentence(label: str) -> str:
    return label[:1].upper() + label[1:]
