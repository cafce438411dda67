"""The rubric of a report: what can be counted is counted, the rest is the mean of the evaluator's scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import mean
from typing import Any

from tradingagents.features.deep_report.agents.states import ThesisState
from tradingagents.features.deep_report.schemas.thesis import (
    EvaluationRecord,
    NarrativeSectionRecord,
    ParagraphRecord,
    ReportScores,
    SynthesisRecord,
)
from tradingagents.retrieval.index.words import stems_of
from tradingagents.retrieval.text_sentences import split_sentences

STANDARD = 7.0
"""Overall score of an institutional report."""
RESTATED = 0.75
"""Share of an insight's words in one claim from which on it only restates it."""
LEAST_SPECIFICITY, LEAST_DIVERSITY, LEAST_ITEMS, LEAST_INSIGHTS, LEAST_COVERAGE = 7.0, 4, 15, 3, 0.80


def report_scores(state: ThesisState) -> ReportScores:
    """Return the scores of a report, and by which criteria it falls short."""
    evidence = state.get("evidence", {})
    notes = [note.evaluation for note in state.get("iterations", []) if note.evaluation is not None]
    specificity = mean(scores.specificity for scores in notes) if notes else 0.0
    insights = len({text for made in state.get("syntheses", []) for text in made.insights})
    claims, covered = coverage(state.get("sections", []), evidence)
    share = covered / claims if claims else 0.0
    diversity = len({item["source"]["kind"] for item in evidence.values()})
    overall = _overall(notes[-1] if notes else None, share, diversity)
    checks = {
        f"specificity {specificity:.1f} is below {LEAST_SPECIFICITY:g}": specificity < LEAST_SPECIFICITY,
        f"{diversity} types of source, fewer than {LEAST_DIVERSITY}": diversity < LEAST_DIVERSITY,
        f"{len(evidence)} items of evidence, fewer than {LEAST_ITEMS}": len(evidence) < LEAST_ITEMS,
        f"{insights} insights, fewer than {LEAST_INSIGHTS}": insights < LEAST_INSIGHTS,
        f"{share:.0%} of the claims name evidence, fewer than {LEAST_COVERAGE:.0%}": share < LEAST_COVERAGE,
        f"overall quality {overall:.1f} is below {STANDARD:g}": overall < STANDARD,
    }
    shortfalls = [name for name, short in checks.items() if short]
    return ReportScores(
        overall=overall,
        specificity=round(specificity, 1),
        diversity=diversity,
        items=len(evidence),
        insights=insights,
        coverage=round(share, 4),
        claims=claims,
        passed=not shortfalls,
        shortfalls=shortfalls,
        engagement=engagement(state.get("syntheses", []), evidence),
        novelty=novelty(state.get("syntheses", []), evidence),
        density=density(state.get("sections", []), evidence),
    )


def engagement(syntheses: Iterable[SynthesisRecord], evidence: Mapping[str, Mapping[str, Any]]) -> float:
    """Return the share of cases that name evidence of the other side: the bull's against, the bear's in favour.

    0 without syntheses. What a case makes of it is not judged.
    """
    answers = []
    for made in syntheses:
        for text, other in ((made.bull_case, "contradicts"), (made.bear_case, "supports")):
            answers.append(any(item["direction"] == other and key in text for key, item in evidence.items()))
    return round(mean(answers), 4) if answers else 0.0


def novelty(syntheses: Iterable[SynthesisRecord], evidence: Mapping[str, Mapping[str, Any]]) -> float:
    """Return the share of insights of which no item of evidence states three quarters of the words; 0 for none.

    Reports of banks, against which novelty is usually measured, are not at hand: an insight is new against the report's
    own evidence.
    """
    claims = [set(stems_of(item["claim"])) for item in evidence.values()]
    insights = {text: set(stems_of(text)) for made in syntheses for text in made.insights}
    new = [not any(len(words & claim) >= RESTATED * len(words) for claim in claims) for words in insights.values()]
    return round(mean(new), 4) if new else 0.0


def density(sections: Iterable[NarrativeSectionRecord], evidence: Mapping[str, object]) -> float:
    """Return how many items of evidence the narrative names for 1,000 of its words; 0 without words."""
    parts = [part for section in sections for part in section.paragraphs]
    words = sum(len(part.text.split()) for part in parts)
    named = {key for part in parts for key in part.evidence if key in evidence}
    return round(1000 * len(named) / words, 1) if words else 0.0


def coverage(sections: Iterable[NarrativeSectionRecord], evidence: Mapping[str, object]) -> tuple[int, int]:
    """Return how many claims the sections make, and how many stand in a paragraph that names known evidence.

    Every sentence is a claim.
    """
    claims = covered = 0
    for paragraph in (part for section in sections for part in section.paragraphs):
        count = len(split_sentences(paragraph.text))
        claims += count
        covered += count if _names_evidence(paragraph, evidence) else 0
    return claims, covered


def _names_evidence(paragraph: ParagraphRecord, evidence: Mapping[str, object]) -> bool:
    return any(key in evidence for key in paragraph.evidence)


def _overall(last: EvaluationRecord | None, share: float, diversity: int) -> float:
    """Return the mean of six scores of 0 to 10: four by the evaluator of the last round, two counted."""
    if last is None:
        return 0.0
    judged = [last.specificity, last.insights, last.logic, last.actionability]
    return round(mean([*judged, 10 * share, 10 * min(1.0, diversity / LEAST_DIVERSITY)]), 1)
