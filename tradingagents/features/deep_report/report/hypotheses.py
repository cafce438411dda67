"""The hypotheses of a report: how each stands, what would prove it wrong, both sides, and what contradicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.features.deep_report.evidence.falsifiers import condition, shown
from tradingagents.features.deep_report.report.citations import Citations
from tradingagents.features.deep_report.report.summary import standing_of, surest
from tradingagents.features.deep_report.schemas.falsifiers import Falsifier
from tradingagents.features.deep_report.schemas.thesis import (
    WHOLE,
    Contradiction,
    DeepReportRecord,
    HypothesisRecord,
    SynthesisRecord,
)
from tradingagents.files.plain_text import one_line
from tradingagents.reports import formatting as words
from tradingagents.reports.document import Block, Bullets, Heading, Line, Prose, Section, Table

_IMPACTS = {"HIGH": "high", "MED": "medium", "LOW": "low"}


def hypothesis_blocks(record: DeepReportRecord, citations: Citations) -> list[Block]:
    """Return the hypotheses with their standing, the evidence on both sides and their falsifiers."""
    by_model = record.written_by != "rules"  # what rules write of a hypothesis is this list already
    blocks: list[Block] = []
    for hypothesis in record.hypotheses:
        own = surest([item for item in citations.items.values() if item["hypothesis"] == hypothesis.id])
        sides = [
            (said, [item for item in own if item["direction"] == direction])
            for said, direction in (("For it", "supports"), ("Against it", "contradicts"))
        ]
        standing = standing_of(hypothesis, any(items for _, items in sides))
        impact = _IMPACTS.get(hypothesis.impact, hypothesis.impact.lower())
        lines = [
            f"{said}: "
            + "; ".join(f"{one_line(item['claim']).rstrip('.')} {citations.mark(item['id'])}" for item in items)
            + "."
            for said, items in sides
            if items
        ]
        blocks += [
            Heading(one_line(hypothesis.title)),
            Prose(hypothesis.thesis),
            Line(
                f"Impact on the value: {impact}. Standing: {standing}, "
                f"confidence {words.percent(hypothesis.confidence)}."
            ),
            *([Bullets(lines or ["No evidence was found."])] if by_model else []),
            *with_labels(falsifier_blocks(hypothesis), citations),
        ]
    return blocks


def with_labels(blocks: Sequence[Block], citations: Citations) -> list[Block]:
    """Return blocks whose lists and tables name evidence by its labels."""

    def labelled(block: Block) -> Block:
        if isinstance(block, Bullets):
            return Bullets([citations.cited(line, ()) for line in block.lines])
        if isinstance(block, Table):
            return Table(block.header, [tuple(citations.cited(cell, ()) for cell in row) for row in block.rows])
        return block

    return [labelled(block) for block in blocks]


def synthesis_blocks(record: DeepReportRecord, citations: Citations) -> list[Block]:
    """Return both sides of the whole, and of the hypotheses that were weighed."""
    titles = {WHOLE: "the report as a whole", **{hypothesis.id: hypothesis.title for hypothesis in record.hypotheses}}
    last = [made for made in record.syntheses if made.hypothesis == WHOLE]
    others = [made for made in record.syntheses if made.hypothesis != WHOLE]
    if last and record.written_by == "rules":
        others = []  # rules say nothing of a hypothesis here that the text does not say
    return [block for made in (*last, *others) for block in _synthesis(made, titles, citations)]


def _synthesis(made: SynthesisRecord, titles: Mapping[str, str], citations: Citations) -> list[Block]:
    likely = ", ".join(f"{name} {words.percent(share, 1)}" for name, share in made.probabilities)
    when = "At the end" if made.hypothesis == WHOLE else f"After iteration {made.iteration}"
    return [
        Heading(f"{when}: {one_line(titles.get(made.hypothesis, made.hypothesis))}"),
        Heading("Bull case", level=4),
        Prose(citations.cited(made.bull_case, ()), under=4),
        Heading("Bear case", level=4),
        Prose(citations.cited(made.bear_case, ()), under=4),
        Heading("Both weighed", level=4),
        Prose(citations.cited(made.synthesis, ()), under=4),
        Bullets([citations.cited(text, ()) for text in made.insights]),
        Line(f"Probabilities: {likely}."),
    ]


def falsifier_blocks(hypothesis: HypothesisRecord) -> list[Block]:
    """Return the conditions that would prove a hypothesis wrong; nothing for records made before there were any."""
    found = hypothesis.falsifiers
    if found is None:
        return []
    if not found:
        return [Line("**Proved wrong by:** no watched figure; its evidence rests on none.")]
    ahead = [falsifier for falsifier in found if not falsifier.holds(falsifier.value_then)]
    met = [falsifier for falsifier in found if falsifier.holds(falsifier.value_then)]
    blocks: list[Block] = []
    if ahead:
        blocks += [Line("**Proved wrong by**"), Bullets([_open(falsifier) for falsifier in ahead])]
    if met:
        blocks += [Line("**Already against it**"), Bullets([_met(falsifier) for falsifier in met])]
    return blocks


def _open(falsifier: Falsifier) -> str:
    words = condition(falsifier)
    last = shown(falsifier, falsifier.value_then)
    return f"{words[:1].upper()}{words[1:]} (last {last}). {one_line(falsifier.reason)}"


def _met(falsifier: Falsifier) -> str:
    """Say that the last value meets a condition, which fires again where a later one meets it too."""
    name, last = metric_label(falsifier.figure), shown(falsifier, falsifier.value_then)
    was = f"{name[:1].upper()}{name[1:]} was {last} in the period to {falsifier.after}"
    return f"{was}, {falsifier.comparison} {shown(falsifier, falsifier.threshold)}. {one_line(falsifier.reason)}"


def contradictions_section(record: DeepReportRecord) -> Section:
    """Return the section; empty where evidence was gathered and nothing in it contradicts, or in older records."""
    items = {str(item["id"]): item for item in record.evidence}
    found = [pair for pair in record.contradictions if {pair.supports, pair.contradicts} <= set(items)]
    blocks: list[Block] = []
    if found:
        decided = sum(bool(pair.prevails) for pair in found)
        blocks = [
            Line(
                f"Contradictions: {len(found)}, of which {decided} were decided by the rank or age of the source. What "
                "is overruled counts neither for the confidence nor for the value."
            ),
            Table(("About", "On one side", "On the other side", "Outcome"), [_row(pair, items) for pair in found]),
        ]
    return Section("Contradictions", blocks, id="contradictions", menu="Contradictions")


def _row(pair: Contradiction, items: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    outcome = f"{pair.prevails} prevails: {pair.why}" if pair.prevails else f"Both stand: {pair.why}"
    about = pair.about.replace("_", " ")
    return about, *(_side(items[key]) for key in (pair.supports, pair.contradicts)), outcome


def _side(item: Mapping[str, Any]) -> str:
    return f"{item['claim']} ({item['id']}, {item['source']['title']}, {item['source']['known_at'][:10]})"


def hint_blocks(record: DeepReportRecord) -> list[Block]:
    """Return what the reader asked the rounds to look at; empty for nothing."""
    found = [
        f"Iteration {hint.iteration}: {one_line(hint.text)}" + (f" ({hint.hypothesis})" if hint.hypothesis else "")
        for hint in record.hints
    ]
    return [Heading("Hints of the reader"), Bullets(found)] if found else []
