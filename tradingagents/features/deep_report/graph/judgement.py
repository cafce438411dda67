"""What is calculated and not asked of a model: confidence, status, checkpoints, when to stop, falsifiers."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tradingagents.context import RunContext
from tradingagents.errors import DataError, VendorNotConfigured
from tradingagents.features.deep_report.capabilities.falsifiers import figure_history
from tradingagents.features.deep_report.evidence import upheld
from tradingagents.features.deep_report.evidence.falsifiers import CompanyRecord, falsifiers_of
from tradingagents.features.deep_report.schemas.thesis import Contradiction, HypothesisRecord, HypothesisStatus
from tradingagents.schemas.evidence import EvidenceItem, SourceKind, claim_key

LEAST_GROWTH = 0.15
"""A round that deepens the evidence by less is a weak one."""
ROUNDING = 1e-9
WEAK_ROUNDS = 2
"""Weak rounds in a row after which a hypothesis is exhausted."""
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
DAYS = 400
"""Calendar days of closes that thresholds of falsifiers on a price or a multiple rest on."""


def depth(items: Iterable[EvidenceItem]) -> float:
    """Return the sum of confidence over distinct claims; of items with the same claim the surest counts."""
    surest: dict[str, float] = {}
    for item in items:
        key = claim_key(item.claim)
        surest[key] = max(surest.get(key, 0.0), item.confidence)
    return sum(surest.values())


def growth_of_depth(before: float, after: float) -> float:
    """Return by what part depth grew; the first evidence counts as a growth of 1, none at all as 0."""
    if before <= 0:
        return 1.0 if after > 0 else 0.0
    return after / before - 1.0


def is_exhausted(depths: Sequence[float]) -> bool:
    """Return whether the last rounds all deepened the evidence too little.

    >>> is_exhausted([1.0, 2.0, 2.1, 2.2]), is_exhausted([1.0, 1.1, 2.0, 2.1])
    (True, False)

    Args:
        depths: Depth after each round, oldest first.
    """
    if len(depths) <= WEAK_ROUNDS:
        return False
    last = depths[-WEAK_ROUNDS - 1 :]
    return all(growth_of_depth(earlier, later) < LEAST_GROWTH - ROUNDING for earlier, later in pairwise(last))


def source_kinds(items: Iterable[EvidenceItem]) -> frozenset[SourceKind]:
    """Return the types of source among items."""
    return frozenset(item.source.kind for item in items)


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
    supports = depth(item for item in counted if item.direction == "supports")
    contradicts = depth(item for item in counted if item.direction == "contradicts")
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
    weighed = [(WEIGHTS[hypothesis.impact], standings[hypothesis.id].certainty) for hypothesis in hypotheses]
    total = math.fsum(weight for weight, _ in weighed)
    return round(math.fsum(weight * sure for weight, sure in weighed) / total, 4) if total else 0.0


def open_hypotheses(hypotheses: Mapping[str, HypothesisRecord], *, level: int = 0) -> list[HypothesisRecord]:
    """Return the hypotheses to research next, by impact and then by age; at a budget level, fewer."""
    wanted = [hypothesis for hypothesis in hypotheses.values() if hypothesis.status in ("open", "uncertain")]
    wanted.sort(key=lambda hypothesis: -WEIGHTS[hypothesis.impact])
    if level >= 2:
        return wanted[:SYNTHESISED]
    return [hypothesis for hypothesis in wanted if hypothesis.impact != "LOW"] if level == 1 else wanted


def to_synthesise(hypotheses: Mapping[str, HypothesisRecord], iteration: int) -> list[HypothesisRecord]:
    """Return the hypotheses to synthesise now: at a checkpoint, the top two by impact that are sure enough."""
    if iteration not in CHECKPOINTS:
        return []
    ranked = sorted(hypotheses.values(), key=lambda other: (-WEIGHTS[other.impact], -other.confidence, other.id))
    return [hypothesis for hypothesis in ranked[:SYNTHESISED] if hypothesis.confidence >= LEAST_CONFIDENCE]


def after_round(
    hypothesis: HypothesisRecord, items: Collection[EvidenceItem], stands: Standing, *, failed: bool
) -> HypothesisRecord:
    """Return a hypothesis after a round of research: its depth, confidence and status."""
    depths = [*hypothesis.depths, round(depth(items), 4)] if not failed else hypothesis.depths
    status = hypothesis.status
    if failed:
        status = "uncertain"
    elif is_exhausted(depths):
        status = settled(stands.confidence)
    else:
        status = "open"
    return hypothesis.model_copy(
        update={"confidence": stands.confidence, "depths": depths, "status": status, "questions": []}
    )


def settled(confidence: float) -> HypothesisStatus:
    """Return the status of a hypothesis that is researched no further."""
    if confidence >= VALIDATED:
        return "validated"
    return "rejected" if confidence < REJECTED else "exhausted"


def why_stop(
    iteration: int,
    confidence: float,
    hypotheses: Mapping[str, HypothesisRecord],
    *,
    least: int,
    most: int,
    level: int,
    found_nothing: bool = False,
) -> str:
    """Return why research ends; empty where it goes on.

    Args:
        iteration: The round that has ended.
        confidence: Of the whole.
        hypotheses: Where they stand.
        least: Rounds before confidence may end it.
        most: Rounds after which it ends.
        level: Budget level.
        found_nothing: Whether the round looked wherever it meant to and left no new item: another would not either.
    """
    material = [hypothesis for hypothesis in open_hypotheses(hypotheses) if hypothesis.impact != "LOW"]
    if not material:
        return "no_material_hypotheses"
    if confidence >= ENOUGH and iteration >= least:
        return "confidence"
    if level >= len(BUDGET_LEVELS):
        return "budget_level"
    if iteration >= most:
        return "max_iterations"
    return "nothing_new" if found_nothing else ""


STOPPED = {
    "confidence": "the confidence of the whole reached its bound",
    "max_iterations": "the most iterations were made",
    "no_material_hypotheses": "no hypothesis of high or medium impact was open",
    "nothing_new": "the last iteration found nothing new",
    "budget_level": "most of the budget was used",
    "reader": "the reader ended it",
}
"""Why research ended, in words, by the reason in the record."""


def budget_level(used: float) -> int:
    """Return the level of a used share of the budget, 0 to 3.

    >>> [budget_level(share) for share in (0, 0.5, 0.8, 0.95)]
    [0, 1, 2, 3]
    """
    return sum(used >= share for share in BUDGET_LEVELS)


async def with_falsifiers(
    context: RunContext, symbol: str, hypotheses: Mapping[str, HypothesisRecord], items: Sequence[EvidenceItem]
) -> tuple[dict[str, HypothesisRecord], list[str]]:
    """Return the hypotheses with their falsifiers, and warnings: what was refused, or why there are none."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(context.executor, _with_falsifiers, context, symbol, hypotheses, items)


def _with_falsifiers(
    context: RunContext, symbol: str, hypotheses: Mapping[str, HypothesisRecord], items: Sequence[EvidenceItem]
) -> tuple[dict[str, HypothesisRecord], list[str]]:
    data = context.data
    try:
        history = figure_history(data, symbol, days=DAYS)
    except (DataError, VendorNotConfigured) as error:
        return dict(hypotheses), [f"No falsifiers were made: {error}"]
    record = CompanyRecord(history, data.cutoff.instant, history.versions[0].currency)
    warnings: list[str] = []
    made: dict[str, HypothesisRecord] = {}
    for key, hypothesis in hypotheses.items():
        own = [item for item in items if item.hypothesis == key]
        found, refused = falsifiers_of(key, hypothesis.thesis, own, record, proposed=hypothesis.proposed)
        warnings += refused
        made[key] = hypothesis.model_copy(update={"falsifiers": list(found)})
    return made, warnings
