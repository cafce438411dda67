"""Citations of an answer, checked against the passages."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.tiers import examples
from tradingagents.provenance.citations import (
    UNSUPPORTED,
    WITHHELD,
    Problem,
    canonical,
    check_answer,
    cited_labels,
    unknown_labels,
)

SOURCES = {
    "10K1": "Cash flows (Millions)\nPurchases of property, plant and equipment  (1,577)  (1,373)",
    "10K2": "Net sales  32,765  31,657",
    "T1": "Gross margin was 46.3%, up 80 basis points, driven by favorable costs and mix.",
    "X1": "capex / revenue = 1,577 / 32,765 = 4.81 %",
}


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("rose [10K-1]", "rose [10K1]"),
        ("rose [10k1, T-2]", "rose [10K1][T2]"),
        ("rose [N1; X01]", "rose [N1][X1]"),
        ("a list [1] and [note]", "a list [1] and [note]"),
    ],
)
def test_citations_have_one_form(written: str, read: str) -> None:
    assert canonical(written) == read


def test_labels_are_listed_once_in_order() -> None:
    assert cited_labels("a [T1] b [10K-2][T1] c [10K1]") == ("T1", "10K2", "10K1")
    assert unknown_labels("a [T1] b [10K9]", SOURCES) == ("10K9",)


@pytest.mark.parametrize(
    "line",
    [
        "Capital expenditure was $1,577 million in 2018 [10K1].",
        "Capital expenditure was $1.577 billion, or $1.6bn, in fiscal 2018 [10K1].",
        "That is 4.8 % of revenue [X1].",
        "Gross margin rose 80 basis points to 46.3 % [T-1].",
        "Sales of $32.8 billion, against $31,657 million a year before [10K2].",
    ],
)
def test_figures_at_their_citation_stay(line: str) -> None:
    checked = check_answer(line, SOURCES)
    assert checked.problems == ()
    assert checked.text == canonical(line)


@pytest.mark.parametrize(
    ("line", "figure"),
    [
        ("Capital expenditure was $1,677 million [10K1].", "$1,677 million"),
        ("Net sales were $32.9 billion [10K2].", "$32.9 billion"),
        ("Gross margin was 47.3 % [T1].", "47.3 %"),
        ("Capital expenditure was $1,577 million [10K2].", "$1,577 million"),
    ],
)
def test_a_figure_that_is_not_at_its_citation_is_withheld(line: str, figure: str) -> None:
    checked = check_answer(line, SOURCES)
    assert checked.problems == (Problem("withheld", figure),)
    assert WITHHELD in checked.text
    assert figure not in checked.text


def test_the_scale_that_a_passage_tells_is_the_only_one() -> None:
    told = {"10K1": "(In millions, except per share amounts)\nNet sales  32,765"}
    assert check_answer("Net sales were $32.8 billion [10K1].", told).problems == ()
    wrong = check_answer("Net sales were $32.8 million [10K1].", told)
    assert wrong.problems == (Problem("withheld", "$32.8 million"),)
    assert check_answer("Net sales were $32.8 million [10K1].", {"10K1": "Net sales  32,765"}).problems == ()


def test_a_source_that_was_not_given_is_removed_and_its_claim_marked() -> None:
    checked = check_answer("Margins will keep rising through the next year [10K7].", SOURCES)
    assert [problem.kind for problem in checked.problems] == ["unknown_source", "uncited"]
    assert checked.text.endswith(UNSUPPORTED)
    assert checked.cited == ()


def test_a_claim_without_a_citation_is_marked_and_headings_are_not() -> None:
    uncited = "- The weather was better than in other years"
    text = f"## Gross margin\n\nThree things drove it:\n\n- Favorable costs and mix [T1]\n{uncited}"
    checked = check_answer(text, SOURCES)
    assert [problem.text for problem in checked.problems] == [uncited]
    assert checked.cited == ("T1",)


def test_what_was_not_found_needs_no_citation() -> None:
    assert check_answer("The tax rate by country is not disclosed in what was read.", SOURCES).problems == ()


def test_figures_of_the_question_may_be_repeated() -> None:
    line = "A quick ratio of 1.25 is not reached [10K2]."
    assert check_answer(line, SOURCES).problems
    assert check_answer(line, SOURCES, given="Is the quick ratio above 1.25?").problems == ()


@given(st.integers(min_value=13_000, max_value=9_999_999), st.sampled_from(["", "10K1", "T1"]))
@settings(max_examples=examples(50))
def test_what_stays_with_a_citation_is_printed_there(value: int, label: str) -> None:
    sources = {"10K1": f"Total assets  {value:,}", "T1": "We said nothing of assets."}
    cited = f" [{label}]" if label else ""
    checked = check_answer(f"Total assets came to {value:,} at the end of the year{cited}.", sources)
    assert (not checked.problems) == (label == "10K1")
