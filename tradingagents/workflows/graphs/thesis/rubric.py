"""The rubric of a report: what can be counted is counted, the rest is the mean of the evaluator's scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import mean

from tradingagents.agents.thesis.states import ThesisState
from tradingagents.retrieval.text_sentences import split_sentences
from tradingagents.schemas.thesis import EvaluationRecord, NarrativeSectionRecord, ParagraphRecord, ReportScores

STANDARD = 7.0
"""Overall score of an institutional report."""
LEAST_SPECIFICITY, LEAST_DIVERSITY, LEAST_ITEMS, LEAST_INSIGHTS, LEAST_COVERAGE = 7.0, 4, 15, 3, 0.80


def report_scores(state: ThesisState) -> ReportScores:
    """Return the scores of a report, and by which criteria it falls short."""
    evidence = state.get("evidence", {})
    notes = [one["evaluation"] for one in state.get("iterations", []) if one["evaluation"] is not None]
    specificity = mean(one["specificity"] for one in notes) if notes else 0.0
    insights = len({text for one in state.get("syntheses", []) for text in one["insights"]})
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
    )


def coverage(sections: Iterable[NarrativeSectionRecord], evidence: Mapping[str, object]) -> tuple[int, int]:
    """Return how many claims the sections make, and how many stand in a paragraph that names known evidence.

    Every sentence is a claim.
    """
    claims = covered = 0
    for paragraph in (one for section in sections for one in section["paragraphs"]):
        count = len(split_sentences(paragraph["text"]))
        claims += count
        covered += count if _names_evidence(paragraph, evidence) else 0
    return claims, covered


def _names_evidence(paragraph: ParagraphRecord, evidence: Mapping[str, object]) -> bool:
    return any(one in evidence for one in paragraph["evidence"])


def _overall(last: EvaluationRecord | None, share: float, diversity: int) -> float:
    """Return the mean of six scores of 0 to 10: four by the evaluator of the last round, two counted."""
    if last is None:
        return 0.0
    judged = [last["specificity"], last["insights"], last["logic"], last["actionability"]]
    return round(mean([*judged, 10 * share, 10 * min(1.0, diversity / LEAST_DIVERSITY)]), 1)
