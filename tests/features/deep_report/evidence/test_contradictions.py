"""Contradictions are decided by the rank of the source and its age, or left with both sides; what is overruled moves
nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.features.deep_report.evidence.items import KNOWN, item
from tests.valuation.cases import SMALL
from tradingagents.features.deep_report.evidence import adjust, contradictions, upheld
from tradingagents.features.deep_report.graph.judgement import standing
from tradingagents.schemas.evidence import DriverEffect, EvidenceItem, SourceKind, ValueDriver

ROSE, FELL = "Gross margin rose in 2024", "The gross margin fell in 2024"


def effect(change: float, driver: ValueDriver = "margin", **years: int) -> DriverEffect:
    return DriverEffect(driver=driver, change=change, **years)


def pair(kind: SourceKind, other: SourceKind, *, days: int = 0, **changes: Any) -> list[EvidenceItem]:
    """Two items on the same matter that say the opposite; the second is so many days newer."""
    return [
        item(ROSE, kind=kind, effect=effect(0.01)),
        item(FELL, kind=other, effect=effect(-0.01), direction="contradicts",
             known_at=KNOWN + timedelta(days=days), **changes),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second", "days", "winner", "why"),
    [
        ("filing", "call", 30, 0, "filing outranks call"),
        ("news", "call", 0, 1, "call outranks news"),
        ("news", "filing", -90, 1, "filing outranks news"),  # though it is older
        ("filing", "filing", 90, 1, "newer"),
        ("filing", "statement", 0, None, "same rank and age"),
    ],
)
def test_one_matter_is_decided_by_rank_then_by_age(
    first: SourceKind, second: SourceKind, days: int, winner: int | None, why: str
):
    items = pair(first, second, days=days)
    (found,) = contradictions(items)
    assert found.about == "margin"
    assert found.prevails == ("" if winner is None else items[winner].id)
    assert why in found.why
    assert upheld(items) == (items if winner is None else [items[winner]])


def test_different_matters_both_stand():
    items = [item("Selling prices rise", effect=effect(0.01)),
             item("Wages rise in all regions", effect=effect(-0.01), direction="contradicts", kind="news")]  # fmt: skip
    (found,) = contradictions(items)
    assert (found.prevails, found.why) == ("", "they are about different matters")
    assert upheld(items) == items


def test_years_that_do_not_overlap_and_other_periods_do_not_contradict():
    items = [item("Mix improves", effect=effect(0.01, last_year=2), direction="neutral"),
             item("Mix improves less", effect=effect(-0.01, first_year=3), direction="neutral")]  # fmt: skip
    assert contradictions(items) == []
    earlier = [item(ROSE), item("Gross margin fell in 2021", direction="contradicts", kind="news")]
    assert [found.prevails for found in contradictions(earlier)] == [""]


def test_what_is_overruled_overrules_nothing_itself():
    filing, call = pair("filing", "call")
    news = item("Gross margin rose again in 2024", kind="news", effect=effect(0.005))
    assert upheld([filing, call, news]) == [filing, news]  # the call would outrank the news, but does not count


def test_what_is_overruled_moves_neither_confidence_nor_value():
    filing, call = pair("filing", "call")
    both, alone = adjust(SMALL, [filing, call]), adjust(SMALL, [filing])
    assert both.value == alone.value > both.base_value
    assert [step.item for step in both.steps] == [filing.id]
    assert standing([filing, call]) == standing([filing])


def test_the_order_of_items_changes_nothing():
    items = [*pair("filing", "call"), *pair("news", "news", days=2, hypothesis="H2")]
    assert contradictions(items) == contradictions(items[::-1])
