"""Figures that a company tags, found by the words of their tags where no filing is stored."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.retrieval.series.filings import COMPANY, filings, history
from tradingagents.retrieval.lines.rows.tagged_items import tag_named, tagged_figure
from tradingagents.retrieval.series.span import FiscalPeriod

TAGS = [
    "us-gaap:RevenueRemainingPerformanceObligation",
    "us-gaap:RevenueRemainingPerformanceObligationPercentage",
    "us-gaap:UnrecognizedTaxBenefits",
    "us-gaap:UnrecognizedTaxBenefitsThatWouldImpactEffectiveTaxRate",
    "us-gaap:PropertyPlantAndEquipmentGross",
    "us-gaap:PropertyPlantAndEquipmentNet",
    "us-gaap:Goodwill",
]


@pytest.mark.parametrize(
    ("phrase", "tag"),
    [
        ("remaining performance obligations", "RevenueRemainingPerformanceObligation"),
        ("gross unrecognized tax benefits", "UnrecognizedTaxBenefits"),
        ("gross property plant and equipment", "PropertyPlantAndEquipmentGross"),
        ("property plant and equipment", ""),  # gross or net
        ("current remaining performance obligation", ""),  # a word that no tag has
        ("goodwill", ""),  # too few words
    ],
)
def test_a_tag_is_named_by_all_its_words(phrase: str, tag: str) -> None:
    assert tag_named(TAGS, phrase) == (f"us-gaap:{tag}" if tag else "")


def test_a_tagged_figure_is_of_the_period_and_known_by_the_day() -> None:
    reported = list(filings(range(2021, 2025), {2021: 400e6, 2022: 500e6, 2023: 600e6, 2024: 700e6}))
    obligations = [
        replace(fact, tag="us-gaap:RevenueRemainingPerformanceObligation")
        for fact in reported
        if fact.tag == "us-gaap:Assets"
    ]
    facts = history([*reported, *obligations])
    day = datetime(2024, 6, 1, tzinfo=UTC)
    phrase = "remaining performance obligation"
    for period, value in (
        (FiscalPeriod(2022), 2 * 900e6), (FiscalPeriod(2023), 2 * 1100e6), (FiscalPeriod(2024), None),
        (FiscalPeriod(2020), None),
    ):  # fmt: skip
        found = tagged_figure(facts, COMPANY, phrase, period, day)
        assert (None if found is None else found.value) == value
    assert tagged_figure(facts, COMPANY, phrase, FiscalPeriod(2024), None) is not None
    assert tagged_figure(facts, "OTHR", phrase, FiscalPeriod(2022), None) is None
