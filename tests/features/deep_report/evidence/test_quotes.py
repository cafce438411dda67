"""A quotation stands word for word in its source, and figures stand in the quotation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.features.deep_report.evidence.items import item
from tradingagents.features.deep_report.evidence import faults_of, has_figure, stands_in

SOURCE = (
    "In fiscal 2024 gross margin was 44.1 % of net sales,\n  against 45.0 % a year before; \u201cwe expect more\u201d."
)


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("gross margin was 44.1 % of net sales", True),
        ("net sales, against 45.0 % a year", True),  # over the end of a line
        ('before; "we expect more".', True),  # other quotation marks
        ("Gross margin was 44.1 %", False),  # another capital
        ("gross margin was 44.2 %", False),
        ("margin was 4", False),  # within a number
        ("4.1 % of net sales", False),
        ("oss margin was", False),  # within a word
        ("gross margin against", False),
        ("", False),
    ],
)
def test_a_quotation_stands_word_for_word(quote: str, stands: bool):
    assert stands_in(quote, SOURCE) is stands


def test_a_number_is_not_cut_out_of_a_longer_one():
    assert not stands_in("revenue was 12", "revenue was 12.5 million")
    assert not stands_in("revenue was 12", "revenue was 12,500")
    assert not stands_in("5 million", "-5 million")
    assert stands_in("revenue was 12", "revenue was 12, as before")


@given(st.integers(0, len(SOURCE.split()) - 4), st.integers(3, 8))
def test_whole_words_in_a_row_always_stand(first: int, count: int):
    assert stands_in(" ".join(SOURCE.split()[first : first + count]), SOURCE)


def test_what_an_item_lacks_is_named():
    assert faults_of(item(figure=44.1), SOURCE) == []
    assert faults_of(item(figure=0.441), SOURCE) == []
    assert faults_of(item(figure=45.0), SOURCE) == ["the figure 45 does not stand in the quotation"]
    assert faults_of(item("Margin rose to 46 %"), SOURCE) == [
        "the claim has figures that its quotation lacks: 46",
    ]
    assert "the quotation does not stand in the source" in faults_of(item(quote="margins will be much higher"), SOURCE)
    assert "the quotation has fewer than 3 words" in faults_of(item(quote="net sales"), SOURCE)


def test_a_rounded_claim_may_stand_on_an_exact_quotation_and_scales_count():
    source = "Revenue was $18,342 million in the quarter"
    rounded = item("Revenue was about $18.3bn", quote=source, figure=18_342e6)
    assert faults_of(rounded, source) == []
    assert faults_of(item("Revenue was $19.3bn", quote=source), source) != []
    assert has_figure("a loss of (5.1 %)", -0.051)
