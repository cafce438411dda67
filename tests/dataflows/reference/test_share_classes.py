"""Classes of one company: who is one company, and whose statements value which class."""

from __future__ import annotations

from datetime import date

import pytest

from tradingagents.dataflows.reference.share_classes import (
    CLASSES,
    class_ratio,
    equal_classes,
    first_classes,
    one_of_each_company,
    other_classes,
)

DAY = date(2025, 6, 16)


def test_no_symbol_is_of_two_companies():
    symbols = [symbol for company in CLASSES for symbol in company]
    assert len(symbols) == len(set(symbols))


def test_classes_with_another_claim_are_one_company_but_not_valued_alike():
    assert other_classes("GOOG") == ("GOOGL",)
    assert equal_classes("GOOG") == ("GOOGL",)
    assert other_classes("GEF") == ("GEF-B",)
    assert equal_classes("GEF") == equal_classes("GEF-B") == ()
    assert other_classes("AAPL") == ()


@pytest.mark.parametrize(
    ("symbol", "counted", "for_one"),
    [("BRK-A", 1.44e6, 1.0), ("BRK-A", 2.157e9, 1500.0), ("BRK-B", 1.44e6, 1 / 1500), ("BRK-B", 2.157e9, 1.0)],
)
def test_berkshire_is_counted_in_either_class(symbol: str, counted: float, for_one: float):
    known = class_ratio(symbol, DAY)
    assert known is not None
    assert known.counted_for_one(counted) == pytest.approx(for_one)
    assert known.counted_for_one(counted * 5) is None


def test_of_each_company_the_first_stands_and_none_of_the_own():
    assert one_of_each_company(("GOOG", "META", "FOX", "FOXA"), "GOOGL") == ("META", "FOX")
    assert one_of_each_company(("GOOGL", "GOOG", "NFLX"), "META") == ("GOOGL", "NFLX")
    assert first_classes(("GOOG", "META", "GOOGL", "BRK-A")) == ("META", "GOOGL", "BRK-A")
