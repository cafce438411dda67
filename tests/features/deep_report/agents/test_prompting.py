"""Later agents see the last three iterations in full, older ones compressed, the oldest as a line."""

from __future__ import annotations

from itertools import pairwise

from tests.features.deep_report.evidence.items import item
from tradingagents.features.deep_report.agents.prompting import history_part, layer_of
from tradingagents.features.deep_report.schemas.replies import Probabilities
from tradingagents.features.deep_report.schemas.thesis import SynthesisRecord, ThesisIteration


def iteration(number: int, new_items: list[str]) -> ThesisIteration:
    return ThesisIteration(
        number=number,
        researched=["H-1"],
        new_items=new_items,
        dropped=[],
        contradictions=[],
        insights=[f"insight {number} {letter}" for letter in "abcd"],
        syntheses=[
            SynthesisRecord(
                iteration=number,
                hypothesis="H-1",
                bull_case=f"The bull {number}.",
                bear_case=f"The bear {number}.",
                synthesis=f"synthesis {number}",
                insights=["One.", "Two.", "Three."],
                probabilities=Probabilities(bull=0.3, base=0.5, bear=0.2),
                confidence=0.6,
            )
        ],
        evaluation=None,
        confidence=0.5,
        titles={"H-1": "Margins last"},
        confidences={"H-1": 0.61},
    )


def test_age_counts_back_from_the_present_iteration():
    layers = [layer_of(number, 15) for number in range(1, 16)]
    assert layers == ["summary"] * 5 + ["compressed"] * 7 + ["full"] * 3
    assert {layer_of(number, 3) for number in (1, 2, 3)} == {"full"}


def test_what_each_layer_shows_and_leaves_out():
    fall = item("Inventory fell by a third")
    shown = history_part(
        [iteration(number, [fall.id]) for number in range(1, 16)], {fall.id: fall.model_dump(mode="json")}, 15
    )
    parts = dict(enumerate(shown.split("## Iteration ")[1:], start=1))
    full, compressed, summary = parts[15], parts[12], parts[5]
    assert "bull 15" in full and "bear 15" in full and fall.claim in full  # noqa: PT018
    assert "synthesis 12" in compressed
    assert "Margins last: 0.61" in compressed
    assert "insight 12 c" in compressed
    assert not any(word in compressed for word in ("insight 12 d", "bull 12", "bear 12", fall.claim))
    assert "insight 5 a" in summary
    assert not any(word in summary for word in ("insight 5 b", "synthesis 5", "Margins last", fall.claim))


def test_the_prompt_stays_flat_once_iterations_are_compressed():
    fall = item("Inventory fell by a third")
    evidence = {fall.id: fall.model_dump(mode="json")}
    sizes = [
        len(history_part([iteration(number, [fall.id]) for number in range(1, last + 1)], evidence, last))
        for last in range(1, 16)
    ]
    grown = [after - before for before, after in pairwise(sizes)]
    assert max(grown[4:]) < 0.5 * grown[0]
