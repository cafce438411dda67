"""What words say beside their phrases: days, capitals, and whether a number is a judgement."""

from __future__ import annotations

import pytest

from tradingagents.provenance.mentions import is_judgement
from tradingagents.provenance.numbers import read_numbers
from tradingagents.provenance.wording import Wording, common_book


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("On 2024-05-10 it fell.", {"y2024", "05", "05-10"}),
        ("Since May 10, 2024", {"y2024", "05", "05-10"}),
        ("since 3 September and (mid-)October", {"09", "09-03", "10"}),
        ("The 3/14 close, not 1/2/3", {"03", "03-14"}),
        ("Q3 of the fiscal year to 2024-01-31", {"y2024"}),
        ("By Mar-24 and Sept. 2023, it may 5% less", {"y2024", "y2023", "03", "09"}),
        ("margins, decline, market and 2024.5 of junk", set()),
        ("A2024 or B1999-12-01", set()),
        ("from 1999 to 2031", {"y1999", "y2031"}),
    ],
)
def test_days_are_found_however_they_are_written(text: str, days: set[str]) -> None:
    assert Wording(text, {}).days == days


def test_capitals_are_those_that_begin_a_word() -> None:
    assert Wording("Helvane's McKeon and iPhone, the BOLTs of Xy", {}).capitals == {"hel", "mck", "bol"}


def test_a_phrase_names_a_metric_with_or_without_hyphens() -> None:
    assert Wording("gross-margin", common_book()).metrics == {"gross_margin"}
    assert Wording("net_income and gross margin", common_book()).metrics == {"gross_margin", "net_income"}


@pytest.mark.parametrize(
    ("text", "judged"),
    [
        ("The mood is bullish 61.", True),
        ("(BEARISH: 0.35)", True),
        ("Neutral, 0.35", False),
        ("The mood is bullish at last, and the RSI 61.", False),
        ("a yield of 0.19 (derived)", True),
        ("14 readings counted", True),
        ("0.19 was nearly all that they derived", False),
        ("Put 4% of the portfolio in it", True),
        ("a 55% chance", True),
        ("**Action:** BUY **Strength:** 0.64", True),
        ("SELL (confidence 0.49)", True),
        ("its relative strength 71", False),
        ("4% of revenue", False),
    ],
)
def test_what_is_a_judgement(text: str, judged: bool) -> None:
    (number,) = read_numbers(text)
    assert is_judgement(text, number) == judged
