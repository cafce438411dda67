"""Evidence of a run is validated once and compared once, with the results of doing it each time."""

from __future__ import annotations

from tests.features.deep_report.evidence.items import item
from tradingagents.features.deep_report.evidence import contradictions
from tradingagents.features.deep_report.graph.context import ReadItems


def test_a_record_is_read_once_and_a_changed_one_anew() -> None:
    read = ReadItems()
    made = item()
    record = {**made.model_dump(mode="json"), "label": "E1"}
    (first,) = read.items([record])
    assert first == made
    assert read.items([record])[0] is first
    (other,) = read.items([{**record, "confidence": 0.3}])
    assert (other.confidence, other.id) == (0.3, made.id)


def test_contradictions_of_a_set_are_those_of_its_items_in_any_order() -> None:
    read = ReadItems()
    records = [
        item(f"Gross margin rose to 4{number} % in 2024", address=f"F{number}", confidence=0.5 + number / 20,
             direction="supports" if number % 2 else "contradicts").model_dump(mode="json")
        for number in range(8)
    ]  # fmt: skip
    items = read.items(records)
    found = read.contradictions(items)
    assert found == contradictions(items)
    assert found
    assert read.contradictions(items[::-1]) is found
    assert read.contradictions(items[:2]) == contradictions(items[:2])
