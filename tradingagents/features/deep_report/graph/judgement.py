"""What is calculated and not asked of a model: confidence, contradictions, status, checkpoints, when to stop."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tradingagents.features.deep_report.evidence import Contradiction, depth, is_exhausted, source_kinds, upheld
from tradingagents.features.deep_report.schemas.thesis import ContradictionRecord, HypothesisRecord
from tradingagents.schemas.evidence import EvidenceItem

CHECKPOINTS = (3, 6, 9, 12)
"""Iterations after which hypotheses may be synthesised."""
SYNTHESISED = 2
"""Hypotheses at each checkpoint, so that there are at most eight syntheses."""
LEAST_CONFIDENCE = 0.60
"""Of a hypothesis that is synthesised."""
ENOUGH = 0.85
"""Confidence of the whole at which research ends, once `min_iterations` are done."""
MIN_ITERATIONS, MAX_ITERATIONS = 10, 15
VALIDATED, REJECTED = 0.60, 0.20
"""A hypothesis is validated at or above the first confidence, and rejected below the second."""
HALF_LIFE = 1.0
"""Depth of evidence at which half of the doubt is gone."""
LEAST_KINDS = 4
"""Types of source from which on diversity takes nothing off."""
WEIGHTS: Mapping[str, float] = {"HIGH": 3.0, "MED": 2.0, "LOW": 1.0}
BUDGET_LEVELS = (0.50, 0.75, 0.90)
"""Shares of the budget from which on the run is at level 1, 2 and 3: at 1 it leaves hypotheses of low impact alone, at
2 it researches the top two only, at 3 it ends the research and writes."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How the evidence stands for a hypothesis."""

    confidence: float
    """That it holds, 0 to 1."""
    certainty: float
    """That it is settled either way, 0 to 1."""


def standing(items: Collection[EvidenceItem], found: Iterable[Contradiction] | None = None) -> Standing:
    """Return how sure a hypothesis is by its evidence.

    The share of depth on its side, times `1 - 0.5^(depth / HALF_LIFE)`, times 0.7 to 1 by types of source.
    Evidence that contradicts lowers the confidence, however relevant it is; what is overruled does not count. Without
    evidence for or against, 0.

    Args:
        items: The evidence.
        found: Its contradictions, where they are known.
    """
    counted = upheld(items, found)
    supports = depth(one for one in counted if one.direction == "supports")
    contradicts = depth(one for one in counted if one.direction == "contradicts")
    total = supports + contradicts
    if total <= 0:
        return Standing(0.0, 0.0)
    known = 1 - 0.5 ** (total / HALF_LIFE)
    breadth = 0.6 + 0.4 * min(len(source_kinds(counted)), LEAST_KINDS) / LEAST_KINDS
    return Standing(
        confidence=round(supports / total * known * breadth, 4),
        certainty=round(max(supports, contradicts) / total * known * breadth, 4),
    )


def overall(hypotheses: Iterable[HypothesisRecord], standings: Mapping[str, Standing]) -> float:
    """Return the mean certainty of all hypotheses, weighted by impact; 0 without hypotheses."""
    weighed = [(WEIGHTS[one["impact"]], standings[one["id"]].certainty) for one in hypotheses]
    total = math.fsum(weight for weight, _ in weighed)
    return round(math.fsum(weight * sure for weight, sure in weighed) / total, 4) if total else 0.0


def recorded(found: Iterable[Contradiction]) -> list[ContradictionRecord]:
    """Return contradictions as they are kept."""
    return [
        ContradictionRecord(
            hypothesis=one.supports.hypothesis,
            supports=one.supports.id,
            contradicts=one.contradicts.id,
            about=one.about,
            prevails=one.prevails,
            why=one.why,
        )
        for one in found
    ]


def open_hypotheses(hypotheses: Mapping[str, HypothesisRecord], *, level: int = 0) -> list[HypothesisRecord]:
    """Return the hypotheses to research next, by impact and then by age; at a budget level, fewer."""
    wanted = [one for one in hypotheses.values() if one["status"] in ("open", "uncertain")]
    wanted.sort(key=lambda one: -WEIGHTS[one["impact"]])
    if level >= 2:
        return wanted[:SYNTHESISED]
    return [one for one in wanted if one["impact"] != "LOW"] if level == 1 else wanted


def to_synthesise(hypotheses: Mapping[str, HypothesisRecord], iteration: int) -> list[HypothesisRecord]:
    """Return the hypotheses to synthesise now: at a checkpoint, the top two by impact that are sure enough."""
    if iteration not in CHECKPOINTS:
        return []
    ranked = sorted(hypotheses.values(), key=lambda one: (-WEIGHTS[one["impact"]], -one["confidence"], one["id"]))
    return [one for one in ranked[:SYNTHESISED] if one["confidence"] >= LEAST_CONFIDENCE]


def after_round(
    one: HypothesisRecord, items: Collection[EvidenceItem], stands: Standing, *, failed: bool
) -> HypothesisRecord:
    """Return a hypothesis after a round of research: its depth, confidence and status."""
    depths = [*one["depths"], round(depth(items), 4)] if not failed else one["depths"]
    status = one["status"]
    if failed:
        status = "uncertain"
    elif is_exhausted(depths):
        status = settled(stands.confidence)
    else:
        status = "open"
    return {**one, "confidence": stands.confidence, "depths": depths, "status": status, "questions": []}


def settled(confidence: float) -> Any:
    """Return the status of a hypothesis that is researched no further."""
    if confidence >= VALIDATED:
        return "validated"
    return "rejected" if confidence < REJECTED else "exhausted"


def why_stop(
    iteration: int, confidence: float, hypotheses: Mapping[str, HypothesisRecord], *, least: int, most: int, level: int
) -> str:
    """Return why research ends; empty where it goes on.

    Args:
        iteration: The round that has ended.
        confidence: Of the whole.
        hypotheses: Where they stand.
        least: Rounds before confidence may end it.
        most: Rounds after which it ends.
        level: Budget level.
    """
    material = [one for one in open_hypotheses(hypotheses) if one["impact"] != "LOW"]
    if not material:
        return "no_material_hypotheses"
    if confidence >= ENOUGH and iteration >= least:
        return "confidence"
    if level >= len(BUDGET_LEVELS):
        return "budget_level"
    return "max_iterations" if iteration >= most else ""


def budget_level(used: float) -> int:
    """Return the level of a used share of the budget, 0 to 3.

    >>> [budget_level(share) for share in (0, 0.5, 0.8, 0.95)]
    [0, 1, 2, 3]
    """
    return sum(used >= one for one in BUDGET_LEVELS)
