"""The rubric: coverage, diversity, novelty and engagement are counted by code; below the bar a report says so first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.features.deep_report.evidence.items import item
from tests.support.research import research_services
from tests.support.thesis import EVALUATION, SECTIONS, SYNTHESIS, reported, thesis_model
from tradingagents.features.deep_report.graph import rubric
from tradingagents.features.deep_report.schemas.replies import Probabilities
from tradingagents.features.deep_report.schemas.thesis import NarrativeSectionRecord, ParagraphRecord, SynthesisRecord

INSIGHTS = ("One is new.", "Two is new.", "Three is new.")


def section(*paragraphs: tuple[str, list[str]]) -> NarrativeSectionRecord:
    parts = [ParagraphRecord(text=text, evidence=ids) for text, ids in paragraphs]
    return NarrativeSectionRecord(name="Executive summary", paragraphs=parts)


def synthesis(bull: str, bear: str, *insights: str) -> SynthesisRecord:
    return SynthesisRecord(
        iteration=3,
        hypothesis="H-1",
        bull_case=bull,
        bear_case=bear,
        synthesis="Both weighed.",
        insights=list(insights or INSIGHTS),
        probabilities=Probabilities(bull=0.3, base=0.4, bear=0.3),
        confidence=0.6,
    )


def evidence_of(*items: Any) -> dict[str, dict[str, Any]]:
    return {found.id: found.model_dump(mode="json") for found in items}


def test_coverage_counts_sentences_and_takes_no_invented_id():
    known = evidence_of(item())
    (key,) = known
    told = [section(("One claim. Another claim.", [key]), ("A third.", ["E-000000000000"]), ("A fourth.", []))]
    assert rubric.coverage(told, known) == (4, 2)
    assert rubric.density(told, known) == pytest.approx(1000 / 8)
    assert rubric.coverage([], known) == (0, 0)


def test_engagement_asks_that_each_side_names_evidence_of_the_other():
    favour, against = item("Prices rise"), item("Wages rise", direction="contradicts")
    known = evidence_of(favour, against)
    both = synthesis(f"Though {against.id}, prices hold.", f"Though {favour.id}, wages eat it.")
    alone = synthesis(f"See {favour.id}.", f"See {against.id}.")
    assert rubric.engagement([both], known) == 1
    assert rubric.engagement([both, alone], known) == 0.5
    assert rubric.engagement([], known) == 0


def test_an_insight_that_restates_one_item_is_not_new():
    known = evidence_of(item("Gross margin rose to 44.1 % on mix"))
    made = synthesis(
        *("Sides agree.",) * 2,
        *("The gross margin rose on mix.", "On mix the gross margin rose."),
        *("Freight contracts end before prices are set anew.", "Leases end in the year after next."),
    )
    assert rubric.novelty([made], known) == 0.5


@pytest.mark.parametrize(
    ("changes", "shortfall"),
    [
        ({"Thesis Evaluator": {**EVALUATION, "specificity": 6.9}}, "specificity 6.9 is below 7"),
        ({"Dialectical Engine": {**SYNTHESIS, "insights": ["The same one."] * 3}}, "1 insights, fewer than 3"),
        ({"Narrative Builder": {"sections": [
            {"name": name, "paragraphs": [{"text": "A fine company indeed.", "evidence": []}]} for name in SECTIONS
        ]}}, "0% of the claims name evidence"),
    ],
)  # fmt: skip
async def test_below_the_bar_the_first_page_says_so(tmp_path: Path, changes: dict[str, Any], shortfall: str):
    services = research_services(tmp_path, thesis_model(changes))
    made = await reported(services, min_iterations=1, max_iterations=1)
    services.close()
    scores = made.record.scores
    assert not scores.passed
    assert any(words.startswith(shortfall) for words in scores.shortfalls)
    page = (Path(made.record.paths["folder"]) / "reports" / "complete_report.md").read_text()
    head = page[: page.index("## Executive summary")]
    assert "below the standard" in head
    assert shortfall in head
