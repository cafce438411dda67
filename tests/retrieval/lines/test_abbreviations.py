"""Abbreviations of parts of a company, written out as its filings do."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import FIGURES, annual, answered, asked, figures
from tradingagents.retrieval.models import SourceDocument

SEGMENTS = """\
Our segments are Orbital Goods & Trading (OGT) and Lunar Craft (VLC).
Revenue by segment
(in millions)
Year Ended December 31,                        2025     2024
Orbital Goods & Trading                   $  800    $  700
Lunar Craft                                  400       420
Moon and Mars Services                       252       200
Goods Trading                                 11        12
"""


def velq() -> SourceDocument:
    return annual("VELQ", "Velquor Systems", 2025, FIGURES, SEGMENTS)


@pytest.mark.parametrize(
    ("short", "value"),
    [("OGT", 800), ("VLC", 400), ("MMS", 252), ("M&MS", 252)],
)
def test_an_abbreviation_is_the_name_before_it_or_the_one_with_its_initials(short: str, value: float) -> None:
    answer = answered(f"VELQ {short} revenue in 2024 and 2025", velq())
    assert figures(answer)[("VELQ", "FY2025")] == value
    assert any(f"{short.lower()} is read as" in note for note in answer.notes)


@pytest.mark.parametrize("short", ["OLT", "XGT", "CGT"])
def test_other_letters_name_nothing(short: str) -> None:
    answer = asked(f"VELQ {short} revenue in 2024 and 2025", velq())
    assert answer is None or answer.refusal
