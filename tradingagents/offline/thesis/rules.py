"""The rules of the deep report: five fixed hypotheses, tested by typed figures; every sentence names its figure.

They read no text. A report by rules is thin, and its scores say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.offline.thesis.models import ThesisBrief
from tradingagents.offline.thesis.topics import BY_TITLE, TOPICS, FigureTest, Topic

if TYPE_CHECKING:
    from tradingagents.offline.brief import Brief

RELEVANT, IRRELEVANT = 8, 2
MADE_BY = "Written by fixed rules, no language model."
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
                        "direction": test.direction(figure.value),
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
    verdict = "supported" if strength > weakness else "contradicted" if weakness > strength else "undecided"
    title = known.hypotheses[0]["title"] if len(known.hypotheses) == 1 else "The thesis as a whole"
    kinds = sorted({one["source"]["kind"] for one in known.evidence})
    return {
        "bull_case": _listed("For it", supports),
        "bear_case": _listed("Against it", contradicts),
        "synthesis": f"{title}: {verdict} by {len(supports)} of {len(known.evidence)} figures. {MADE_BY}",
        "insights": [
            f"{len(supports)} of {len(known.evidence)} figures support it.",
            f"The evidence comes from {len(kinds)} types of source: {', '.join(kinds)}.",
            f"The surest figure: {known.evidence[0]['claim']}",
        ],
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
            _section("Executive summary", [_summary(known, shown)]),
            _section("Investment thesis", [_paragraph(one, items) for one, items in shown]),
            _section("Catalysts and risks", [_side("In favour", supports), _side("Risks", contradicts)]),
            _section("Scenarios", [_scenarios(known)]),
            _section("Counter-argument", [_side("Against the thesis", contradicts)]),
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


def _listed(head: str, items: Sequence[Mapping[str, Any]]) -> str:
    if not items:
        return f"{head}: no figure was found."
    return f"{head}: " + " ".join(f"{one['claim']} ({one['id']})" for one in items)


def _section(name: str, paragraphs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"name": name, "paragraphs": list(paragraphs)}


def _summary(known: ThesisBrief, shown: Sequence[tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]]) -> Any:
    held = [one["title"] for one, items in shown if len(_sides(items)[0]) > len(_sides(items)[1])]
    listed = f"The figures about {known.name} support: {'; '.join(held)}."
    said = listed if held else f"The figures about {known.name} support no hypothesis."
    return {"text": f"{said} {MADE_BY}", "evidence": [items[0]["id"] for _, items in shown]}


def _paragraph(one: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> Any:
    supports, contradicts = _sides(items)
    told = [f"{one['title']}."]
    if supports:
        told.append("For it: " + " ".join(item["claim"] for item in supports))
    if contradicts:
        told.append("Against it: " + " ".join(item["claim"] for item in contradicts))
    return {"text": " ".join(told), "evidence": [item["id"] for item in items]}


def _side(head: str, items: Sequence[Mapping[str, Any]]) -> Any:
    if not items:
        return {"text": f"{head}: no figure was found.", "evidence": []}
    return {"text": f"{head}: " + " ".join(one["claim"] for one in items), "evidence": [one["id"] for one in items]}


def _scenarios(known: ThesisBrief) -> Any:
    moving = [one for one in known.evidence if one.get("effect")]
    if not moving:
        return {
            "text": "No figure moves a driver of the value, so the scenarios have the value of the base case.",
            "evidence": [],
        }
    return {
        "text": "The bull case takes the figures that raise the value, the bear case those that lower it: "
        + " ".join(one["claim"] for one in moving),
        "evidence": [one["id"] for one in moving],
    }


def _sentence(label: str) -> str:
    return label[:1].upper() + label[1:]
