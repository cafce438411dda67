"""The rules of the deep report: hypotheses from a company's figures, tested by figures and by sentences of its filings.

Every sentence that the rules write rests on a figure or on words of the company. A report by rules is thin, and its
scores say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.features.deep_report.rules.brief import CompanyProfile, ReadableSource, SourceFigure, ThesisBrief
from tradingagents.features.deep_report.rules.effects import REASONS
from tradingagents.features.deep_report.rules.observations import observations
from tradingagents.features.deep_report.rules.sentences import said
from tradingagents.features.deep_report.rules.topics import FigureTest, Topic, topics_of
from tradingagents.features.deep_report.schemas.thesis import HypothesisRecord
from tradingagents.retrieval.text_sentences import split_sentences

if TYPE_CHECKING:
    from tradingagents.offline.brief import Brief

RELEVANT, IRRELEVANT = 8, 2
MADE_BY = "Written by fixed rules, no language model."
STRONGEST = 3
"""Items of one side that a synthesis names."""
MOST_QUOTED = 4
"""Sentences of one call that become evidence."""
CLAIMS: Mapping[str, str] = {
    "revenue_yoy": "Revenue of the newest quarter changed by {} on the year before.",
    "eps_yoy": "Earnings per share of the newest quarter changed by {} on the year before.",
    "implied_sales_growth": "From data alone the price asks for growth of revenue of {} a year over five years.",
    "pe_ttm": "The share costs {} of its earnings.",
    "peer_median_pe_ttm": "The median peer costs {} of its earnings.",
}
"""Figures that read better in a sentence of their own."""
TILT = 0.2
"""How far the balance of evidence moves probability between bull and bear."""
WORDED = frozenset({"filing", "call"})
MARGINS: Mapping[str, str] = {"operating margin": "operating_margin", "gross margin": "gross_margin"}
SAME_MARGIN = 3.0
"""Points between a margin in a sentence and the company's own up to which they may be the same."""
_BEFORE_LEVEL = frozenset({"to", "was", "were", "is", "of", "at"})


def hypotheses(brief: Brief) -> Mapping[str, Any]:
    """Return the hypotheses about the company that were not stated before."""
    known = _thesis(brief)
    return {
        "hypotheses": [_stated(topic) for topic in _topics(known) if topic.title.casefold() not in known.known_titles]
    }


def relevance(brief: Brief) -> Mapping[str, Any]:
    """Return a score for each source: relevant where it has a figure or a sentence that tests the hypothesis."""
    known = _thesis(brief)
    topic = _topic(known)
    names = {test.name for test in topic.tests} if topic is not None else set()
    scores = [
        {
            "label": source.label,
            "relevance": RELEVANT
            if names & {figure.name for figure in source.figures} or (topic and list(_quoted(source, topic, known)))
            else IRRELEVANT,
        }
        for source in known.sources
    ]
    return {"scores": scores}


def guidance(_brief: Brief) -> Mapping[str, Any]:
    """Return no range: what rules can read of guidance stands in the ledger already."""
    return {"ranges": []}


def evidence(brief: Brief) -> Mapping[str, Any]:
    """Return an item for each figure that tests the hypothesis, the first source that has it, and for each sentence."""
    known = _thesis(brief)
    topic = _topic(known)
    if topic is None:
        return {"items": []}
    profile = _profile(known)
    figures = {
        **known.figures,
        **{figure.name: figure for source in known.sources for figure in reversed(source.figures)},
    }
    stated = {item["claim"] for item in known.evidence}
    items = {}
    for test in topic.tests:
        for source in known.sources:
            for figure in source.figures:
                if figure.name == test.name and test.name not in items:
                    item = _figure_item(source, figure, test, profile, figures)
                    if item["direction"] != "neutral" or not test.or_silent:
                        items[test.name] = item
    sentences = [item for source in known.sources for item in _quoted(source, topic, known)]
    new = {item["claim"]: item for item in sentences if item["claim"] not in stated}
    return {"items": [*items.values(), *list(new.values())[:MOST_QUOTED]]}


def _figure_item(
    source: ReadableSource,
    figure: SourceFigure,
    test: FigureTest,
    profile: CompanyProfile,
    figures: Mapping[str, SourceFigure],
) -> dict[str, Any]:
    direction = test.direction(figure.value, profile, figures)
    claim = figure.claim or _claim(figure)
    if test.against and profile.year and direction != "neutral":
        side = "above" if direction == "supports" else "below"
        claim = f"{claim.rstrip('.')}, {side} that of fiscal {profile.year - 1}."
    return {
        "source": source.label,
        "claim": claim,
        "quote": figure.row,
        "confidence": test.confidence,
        "direction": direction,
        "effect": test.effect(figure.value, profile) if test.effect is not None else None,
    }


def _claim(figure: SourceFigure) -> str:
    """Return a figure in a sentence."""
    if figure.name in CLAIMS:
        return CLAIMS[figure.name].format(figure.shown)
    return f"{_sentence(metric_label(figure.name))} is {figure.shown}."


def _quoted(source: ReadableSource, topic: Topic, known: ThesisBrief) -> Iterator[dict[str, Any]]:
    """Yield the sentences of a source that are evidence."""
    if topic.text is None:
        return
    profile = _profile(known)
    for sentence in said(source, topic.text, profile.as_of):
        if _is_of_a_part(sentence.quote, profile):
            continue
        yield {
            "source": source.label,
            "claim": sentence.claim,
            "quote": sentence.quote,
            "confidence": sentence.confidence,
            "direction": sentence.direction,
            "effect": None,
        }


def _is_of_a_part(quote: str, profile: CompanyProfile) -> bool:
    """Tell whether a sentence states a margin that is not the company's, so that it is that of a part."""
    plain = quote.lower()
    for words, name in MARGINS.items():
        own = profile.value(name)
        stated = _levels(plain) if words in plain and own is not None else []
        if stated and min(abs(level - (own or 0.0)) for level in stated) > SAME_MARGIN:
            return True
    return False


def _levels(text: str) -> list[float]:
    """Return the percentages that a sentence states as a level: after `to`, `was` and their like."""
    words = [word.strip(".,;:()") for word in text.split()]
    return [
        float(word[:-1])
        for before, word in pairwise(words)
        if before in _BEFORE_LEVEL and word.endswith("%") and word[:-1].replace(".", "", 1).isdigit()
    ]


def _topics(known: ThesisBrief) -> tuple[Topic, ...]:
    return topics_of(_profile(known))


def _topic(known: ThesisBrief) -> Topic | None:
    return next((topic for topic in _topics(known) if topic.title == known.topic), None)


def _profile(known: ThesisBrief) -> CompanyProfile:
    return known.profile if known.profile is not None else CompanyProfile(as_of=date.min)


def synthesis(brief: Brief) -> Mapping[str, Any] | None:
    """Return both sides of a hypothesis with probabilities by the balance of its evidence."""
    known = _thesis(brief)
    if not known.evidence:
        return None
    supports, contradicts = _sides(known.evidence)
    strength, weakness = (sum(item["confidence"] for item in side) for side in (supports, contradicts))
    tilt = TILT * (strength - weakness) / (strength + weakness) if strength + weakness else 0.0
    bull, bear = round(0.25 + tilt, 4), round(0.25 - tilt, 4)
    verdict = "for" if strength > weakness else "against" if weakness > strength else "neither for nor against"
    title = known.hypotheses[0].title if len(known.hypotheses) == 1 else "The thesis as a whole"
    return {
        "bull_case": _strongest("for", supports),
        "bear_case": _strongest("against", contradicts),
        "synthesis": f"{title}: the evidence weighs {verdict} it, {_number(supports)} for and {_number(contradicts)} "
        "against, each by its confidence.",
        "insights": observations(known.evidence, _profile(known)),
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
        "recommendations": ["Run it with a language model: rules read figures and single sentences."],
    }


def refinement(_brief: Brief) -> Mapping[str, Any]:
    """Ask nothing further: the rules have tested what they can."""
    return {"questions": [], "new_hypotheses": []}


def narrative(brief: Brief) -> Mapping[str, Any] | None:
    """Return the sections, a paragraph for each hypothesis with its figures and sentences."""
    known = _thesis(brief)
    if not known.evidence:
        return None
    by_hypothesis = {
        stated.id: [item for item in known.evidence if item["hypothesis"] == stated.id] for stated in known.hypotheses
    }
    shown = [(stated, by_hypothesis[stated.id]) for stated in known.hypotheses if by_hypothesis[stated.id]]
    supports, contradicts = _sides(known.evidence)
    return {
        "sections": [
            _section("Executive summary", [_summary(known, supports, contradicts)]),
            _section("Investment thesis", [_paragraph(stated, items) for stated, items in shown] or [_nothing_left()]),
            _section("Catalysts and risks", [_catalysts(known), _risks(known, contradicts)]),
            _section("Scenarios", [_scenarios(known)]),
            _section("Counter-argument", [_counter(supports, contradicts)]),
        ]
    }


def _thesis(brief: Brief) -> ThesisBrief:
    if not isinstance(brief.known, ThesisBrief):
        raise TypeError("the rules of a deep report need its brief")
    return brief.known


def _stated(topic: Topic) -> dict[str, Any]:
    return {
        "title": topic.title,
        "thesis": topic.thesis,
        "evidence_needed": list(topic.evidence_needed),
        "impact": topic.impact,
    }


def _sides(items: Iterable[Mapping[str, Any]]) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    found = list(items)
    return (
        [item for item in found if item["direction"] == "supports"],
        [item for item in found if item["direction"] == "contradicts"],
    )


def _strongest(side: str, items: Sequence[Mapping[str, Any]]) -> str:
    """Return the surest items of one side."""
    if not items:
        return f"No evidence speaks {side} it."
    return " ".join(f"{_said(item)} ({item['id']})" for item in _distinct(items)[:STRONGEST])


def _number(items: Sequence[Any]) -> str:
    return f"{len(items)} item{'' if len(items) == 1 else 's'}"


def _distinct(items: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return items with different claims, in order."""
    return list({item["claim"]: item for item in reversed(list(items))}.values())[::-1]


def _said(item: Mapping[str, Any]) -> str:
    """Return a claim; a sentence of the company with who says it."""
    if not _is_sentence(item):
        return str(item["claim"])
    source = item["source"]
    who = source["place"].rpartition(", ")[2] if source["kind"] == "call" else ""
    return f"{source['title']}{f' ({who})' if who else ''}: \u201c{item['claim']}\u201d"


def _is_sentence(item: Mapping[str, Any]) -> bool:
    """Tell whether an item quotes a sentence, and no row of a statement."""
    return item["source"]["kind"] in WORDED and split_sentences(item["quote"]) != []


def _claims(items: Iterable[Mapping[str, Any]], most: int) -> tuple[str, list[str]]:
    """Return the claims of the surest items and their ids: figures first, then sentences."""
    chosen = _distinct(items)
    figures = [item for item in chosen if not _is_sentence(item)]
    sentences = [item for item in chosen if _is_sentence(item)]
    taken = [*figures[:most], *sentences[: max(2, most - len(figures))]]
    return " ".join(map(_said, taken)), [item["id"] for item in taken]


def _section(name: str, paragraphs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"name": name, "paragraphs": list(paragraphs)}


def _nothing_left() -> Any:
    return {"text": "No hypothesis was left standing: the evidence speaks against each of them.", "evidence": []}


def _summary(
    known: ThesisBrief, supports: Sequence[Mapping[str, Any]], contradicts: Sequence[Mapping[str, Any]]
) -> Any:
    """State which hypotheses hold, the surest evidence on either side, and who wrote this."""
    upheld = [stated.title for stated in known.hypotheses if stated.status == "validated"]
    others = [stated.title for stated in known.hypotheses if stated.status != "validated"]
    sentences = [
        f"Of the hypotheses about {known.name} the evidence supports: {'; '.join(upheld)}."
        if upheld
        else f"The evidence on {known.name} fully supports none of the hypotheses."
    ]
    if others:
        sentences.append(f"It does not settle: {'; '.join(others)}.")
    named = [*supports[:1], *contradicts[:1]]
    if supports:
        sentences.append(f"The surest evidence for a hypothesis: {_said(supports[0])}")
    if contradicts:
        sentences.append(f"The surest against one: {_said(contradicts[0])}")
    sentences.append(MADE_BY)
    return {"text": " ".join(sentences), "evidence": [item["id"] for item in named or known.evidence[:1]]}


def _paragraph(hypothesis: HypothesisRecord, items: Sequence[Mapping[str, Any]]) -> Any:
    supports, contradicts = _sides(items)
    others = [item for item in items if item["direction"] == "neutral"]
    sentences, cited = [f"**{hypothesis.title}.**"], []
    for words, side, most in (("For it:", supports, 4), ("Against it:", contradicts, 3), ("To compare:", others, 3)):
        if side:
            text, ids = _claims(side, most)
            sentences.append(f"{words} {text}")
            cited += ids
    return {"text": " ".join(sentences), "evidence": cited}


def _catalysts(known: ThesisBrief) -> Any:
    """Name what may change the value: the figures that move one of its drivers, and why."""
    moving = _distinct(item for item in known.evidence if item.get("effect"))
    if not moving:
        return {"text": "No figure that the rules read moves a driver of the value.", "evidence": []}
    sentences = " ".join(f"{item['claim'].rstrip('.')}: {_reason(item['effect'])}." for item in moving)
    return {"text": f"What moves the value. {sentences}", "evidence": [item["id"] for item in moving]}


def _reason(effect: Mapping[str, Any]) -> str:
    return REASONS.get((effect["driver"], effect["change"] > 0), "")


def _risks(known: ThesisBrief, contradicts: Sequence[Mapping[str, Any]]) -> Any:
    """Name what speaks against the hypotheses, and what the filing says of the risk that it names most."""
    against, cited = _claims(contradicts, 4)
    named = [item for item in known.evidence if item["direction"] == "neutral" and _is_sentence(item)]
    warned, ids = _claims(named, 2)
    sentences = [f"Risks. {against}" if against else "Risks. Nothing that the rules read speaks against a hypothesis."]
    if warned:
        sentences.append(f"What the company warns of: {warned}")
    return {"text": " ".join(sentences), "evidence": [*cited, *ids]}


def _scenarios(known: ThesisBrief) -> Any:
    moving = _distinct(item for item in known.evidence if item.get("effect"))
    if not moving:
        return {
            "text": "No figure moves a driver of the value: the cases differ by the company's past years alone.",
            "evidence": [],
        }
    raising = [item for item in moving if _raises(item["effect"])]
    lowering = [item for item in moving if not _raises(item["effect"])]
    sentences = [
        "The bull case takes the figures that improve a driver and the best years of the past.",
        "The bear case takes those that worsen one and the worst years.",
    ]
    sentences.append(f"Bull case: {_claimed(raising)}" if raising else "No figure improves a driver.")
    sentences.append(f"Bear case: {_claimed(lowering)}" if lowering else "No figure worsens a driver.")
    return {"text": " ".join(sentences), "evidence": [item["id"] for item in (*raising, *lowering)]}


def _claimed(items: Iterable[Mapping[str, Any]]) -> str:
    return " ".join(item["claim"] for item in items)


def _raises(effect: Mapping[str, Any]) -> bool:
    """Tell whether a change improves its driver: growth and margin by rising, the others by falling."""
    return bool((effect["change"] > 0) == (effect["driver"] in ("growth", "margin")))


def _counter(supports: Sequence[Mapping[str, Any]], contradicts: Sequence[Mapping[str, Any]]) -> Any:
    """State the case against what most evidence says, and what rules cannot see."""
    unread = "Rules weigh figures and single sentences: competition, management and the law are not weighed."
    weaker, side = (contradicts, "against") if len(contradicts) <= len(supports) else (supports, "for")
    if not weaker:
        return {"text": f"No evidence speaks {side} the hypotheses. {unread}", "evidence": []}
    text, cited = _claims(weaker, 2)
    return {
        "text": f"Most evidence is on the other side; what speaks {side} the hypotheses: {text} {unread}",
        "evidence": cited,
    }


def _sentence(label: str) -> str:
    return label[:1].upper() + label[1:]
