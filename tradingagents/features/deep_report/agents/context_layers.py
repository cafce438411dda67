"""What later agents are shown of earlier iterations: the last three in full, older ones compressed, the oldest as a line.

Age counts back from the present iteration: 0 to 2 full, 3 to 9 compressed, 10 and more summary.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from tradingagents.agents.prompting import fenced
from tradingagents.features.deep_report.schemas.thesis import SynthesisRecord, ThesisIteration

Layer = Literal["full", "compressed", "summary"]
FULL_AGES, COMPRESSED_AGES = 3, 10
"""Ages below these are shown in full, or compressed."""
MOST_INSIGHTS = 3
BREAKTHROUGHS = 1
"""Insights of an iteration that stay in the summary."""
MOST_QUOTED, MOST_CLAIMS = 30, 40
"""Items of evidence that are shown with their quotations, and of older ones their claims alone; the surest are."""


def layer_of(iteration: int, now: int) -> Layer:
    """Return how an iteration is shown.

    >>> [layer_of(number, 15) for number in (15, 13, 12, 6, 5, 1)]
    ['full', 'full', 'compressed', 'compressed', 'summary', 'summary']
    """
    age = now - iteration
    if age < FULL_AGES:
        return "full"
    return "compressed" if age < COMPRESSED_AGES else "summary"


def history_part(iterations: Sequence[ThesisIteration], evidence: Mapping[str, Mapping[str, Any]], now: int) -> str:
    """Return earlier iterations as a model reads them, the oldest first; empty for none."""
    if not iterations:
        return ""
    shown = [_shown(one, layer_of(one["number"], now), evidence) for one in iterations]
    return "\n".join(["# Iterations", *shown])


def accumulated_part(items: Sequence[Mapping[str, Any]], now: int) -> str:
    """Return what was found about a hypothesis so far: of the last iterations with quotations, of older ones claims.

    Of both the surest are shown and the others counted, so that the part stops growing.

    Args:
        items: Evidence, the surest first.
        now: The present iteration.
    """
    recent = [item for item in items if layer_of(item["iteration"], now) == "full"]
    older = [item for item in items if layer_of(item["iteration"], now) != "full"]
    parts = ["# Evidence", evidence_lines(recent[:MOST_QUOTED])]
    if older:
        parts += ["## Of earlier iterations", claim_lines(older)]
    if left_out := len(recent[MOST_QUOTED:]):
        parts.append(f"({left_out} less sure items of the last iterations are not shown.)")
    return "\n".join(parts)


def claim_lines(items: Sequence[Mapping[str, Any]]) -> str:
    """Return claims without their quotations, a line each; text from outside, fenced."""
    lines = [
        f"- {item['id']} ({item['source']['kind']}, {item['direction']}, {item['confidence']:.2f}): "
        f"{fenced(item['claim'])}"
        for item in items[:MOST_CLAIMS]
    ]
    left_out = len(items) - MOST_CLAIMS
    return "\n".join([*lines, f"({left_out} less sure items are not shown.)"] if left_out > 0 else lines)


def _shown(one: ThesisIteration, layer: Layer, evidence: Mapping[str, Mapping[str, Any]]) -> str:
    head = f"## Iteration {one['number']} (confidence {one['confidence']:.2f})"
    if layer == "summary":
        return "\n".join([head, *(f"- {fenced(text)}" for text in one["insights"][:BREAKTHROUGHS])])
    confidences = one["confidences"]
    lines = [head, *(f"- {fenced(title)}: {confidences.get(key, 0):.2f}" for key, title in one["titles"].items())]
    lines += [f"Insight: {fenced(text)}" for text in one["insights"][:MOST_INSIGHTS]]
    if layer == "compressed":
        return "\n".join([*lines, *(f"Synthesis: {fenced(made['synthesis'])}" for made in one["syntheses"])])
    lines += [line for made in one["syntheses"] for line in synthesis_lines(made)]
    items = [evidence[key] for key in one["new_items"] if key in evidence]
    return "\n".join([*lines, evidence_lines(items)])


def synthesis_lines(made: SynthesisRecord) -> list[str]:
    """Return a synthesis in full."""
    return [
        f"Bull: {fenced(made['bull_case'])}",
        f"Bear: {fenced(made['bear_case'])}",
        f"Synthesis: {fenced(made['synthesis'])}",
    ]


def evidence_lines(items: Sequence[Mapping[str, Any]]) -> str:
    """Return items of evidence, one each; text from outside, fenced."""
    if not items:
        return "(no evidence)"
    return "\n".join(
        f'<evidence id="{item["id"]}" source="{item["source"]["kind"]}" direction="{item["direction"]}" '
        f'confidence="{item["confidence"]:.2f}">\n{fenced(item["claim"])}\n"{fenced(item["quote"])}"\n</evidence>'
        for item in items
    )
