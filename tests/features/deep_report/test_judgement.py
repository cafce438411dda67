"""Depth, confidence, contradictions, checkpoints and stopping are calculated."""

from __future__ import annotations

import pytest

from tests.features.deep_report.evidence.items import item
from tradingagents.features.deep_report.graph import judgement
from tradingagents.features.deep_report.graph.judgement import (
    Standing,
    depth,
    growth_of_depth,
    is_exhausted,
    source_kinds,
    standing,
)
from tradingagents.features.deep_report.schemas.thesis import HypothesisRecord


def hypothesis(number: int, impact: str = "HIGH", **changes: object) -> HypothesisRecord:
    return HypothesisRecord.model_validate(
        {
            "id": f"H-{number}",
            "title": f"Hypothesis {number}",
            "thesis": "It holds.",
            "evidence_needed": [],
            "impact": impact,
            "status": "open",
            "confidence": 0.0,
            "depths": [],
            "questions": [],
            "proposed": [],
            **changes,
        }
    )


def test_contradicting_evidence_lowers_confidence_and_still_settles():
    one_sided = [item("a", confidence=0.8), item("b", confidence=0.8)]
    both = [*one_sided, item("c", confidence=0.8, direction="contradicts")]
    against = [item("a", confidence=0.8, direction="contradicts"), item("b", confidence=0.8, direction="contradicts")]
    assert standing(both).confidence < standing(one_sided).confidence
    assert standing(against) == Standing(0.0, standing(one_sided).confidence)
    assert standing([]) == Standing(0.0, 0.0)
    assert standing([item("a", direction="neutral")]) == Standing(0.0, 0.0)


def test_confidence_by_hand():
    """Depth 1 of one source type: half of the doubt is gone, and one of four types takes 30 % off."""
    assert standing([item("a", confidence=1.0)]).confidence == pytest.approx(0.5 * 0.7)
    four = [item(str(kind), kind=kind, confidence=0.5) for kind in ("filing", "call", "news", "peers")]
    assert standing(four).confidence == pytest.approx(1 - 0.5**2)


def test_the_whole_is_weighted_by_impact():
    found = [hypothesis(1), hypothesis(2, "LOW")]
    standings = {"H-1": Standing(0.1, 0.8), "H-2": Standing(0.4, 0.4)}
    assert judgement.overall(found, standings) == pytest.approx((3 * 0.8 + 0.4) / 4)
    assert judgement.overall([], {}) == 0


def test_checkpoints_take_the_top_two_by_impact_that_are_sure_enough():
    found = {
        stated.id: stated
        for stated in (
            hypothesis(1, confidence=0.7),
            hypothesis(2, "LOW", confidence=0.9),
            hypothesis(3, confidence=0.59),
            hypothesis(4, "MED", confidence=0.9),
        )
    }
    for number in range(1, 16):
        chosen = [stated.id for stated in judgement.to_synthesise(found, number)]
        assert chosen == (["H-1"] if number in (3, 6, 9, 12) else [])
    found["H-3"] = hypothesis(3, confidence=0.60)
    assert [stated.id for stated in judgement.to_synthesise(found, 3)] == ["H-1", "H-3"]
    most = sum(len(judgement.to_synthesise(found, number)) for number in range(1, 16))
    assert most == 8


@pytest.mark.parametrize(
    ("iteration", "confidence", "level", "why"),
    [
        (9, 0.99, 0, ""),  # sure, but too early
        (10, 0.85, 0, "confidence"),
        (10, 0.84, 0, ""),
        (15, 0.10, 0, "max_iterations"),
        (2, 0.10, 3, "budget_level"),
        (2, 0.10, 2, ""),
    ],
)
def test_when_research_ends(iteration: int, confidence: float, level: int, why: str):
    found = {"H-1": hypothesis(1)}
    assert judgement.why_stop(iteration, confidence, found, least=10, most=15, level=level) == why


def test_without_a_material_hypothesis_research_ends_at_any_time():
    found = {"H-1": hypothesis(1, status="exhausted"), "H-2": hypothesis(2, "LOW")}
    assert judgement.why_stop(1, 0.0, found, least=10, most=15, level=0) == "no_material_hypotheses"


def test_a_round_that_finds_nothing_ends_research_and_every_reason_is_a_sentence():
    found = {"H-1": hypothesis(1)}
    assert judgement.why_stop(2, 0.1, found, least=10, most=15, level=0, found_nothing=True) == "nothing_new"
    assert all(" " in said and "_" not in said for said in judgement.STOPPED.values())


def test_a_failed_round_leaves_the_depth_and_marks_the_hypothesis_uncertain():
    before = hypothesis(1, depths=[1.0], status="open")
    stands = standing([item(confidence=1.0)])
    after = judgement.after_round(before, [item(confidence=1.0)], stands, failed=True)
    assert (after.status, after.depths) == ("uncertain", [1.0])
    again = judgement.after_round(after, [item(confidence=1.0), item("other", confidence=1.0)], stands, failed=False)
    assert (again.status, again.depths) == ("open", [1.0, 2.0])


@pytest.mark.parametrize(("confidence", "status"), [(0.6, "validated"), (0.59, "exhausted"), (0.19, "rejected")])
def test_settled(confidence: float, status: str):
    assert judgement.settled(confidence) == status


def test_budget_levels_leave_out_the_less_important():
    found = {stated.id: stated for stated in (hypothesis(1, "LOW"), hypothesis(2), hypothesis(3, "MED"), hypothesis(4))}
    ids = [[stated.id for stated in judgement.open_hypotheses(found, level=level)] for level in (0, 1, 2)]
    assert ids == [["H-2", "H-4", "H-3", "H-1"], ["H-2", "H-4", "H-3"], ["H-2", "H-4"]]


def test_of_equal_claims_only_the_surest_counts():
    items = [
        item("Margin rose to 44.1 %", confidence=0.6),
        item("margin rose to 44.1 %.", confidence=0.9, kind="call"),
        item("Margin rose to 44.2 %", confidence=0.5),
    ]
    assert depth(items) == pytest.approx(1.4)
    assert depth([]) == 0
    assert source_kinds(items) == {"filing", "call"}


@pytest.mark.parametrize(
    ("depths", "exhausted"),
    [
        ([], False),
        ([0, 0], False),
        ([0, 0, 0], True),  # nothing is found twice
        ([2.0, 2.2, 2.4], True),  # 10 % and 9 %
        ([2.0, 2.3, 2.4], False),  # exactly 15 %, then weak
        ([2.0, 2.4, 2.5, 2.6], True),
        ([1.0, 1.0, 2.0], False),
    ],
)
def test_two_weak_rounds_exhaust(depths: list[float], exhausted: bool):
    assert is_exhausted(depths) is exhausted


def test_growth_from_nothing():
    assert growth_of_depth(0, 1.2) == 1
    assert growth_of_depth(0, 0) == 0
    assert growth_of_depth(2, 3) == pytest.approx(0.5)
