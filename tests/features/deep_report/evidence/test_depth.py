"""Depth counts distinct claims by confidence; two weak rounds in a row exhaust a hypothesis."""

from __future__ import annotations

import pytest

from tests.features.deep_report.evidence.items import item
from tradingagents.features.deep_report.evidence import depth, growth_of_depth, is_exhausted, source_kinds


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
