"""The strict numeric scorer of the filings benchmark."""

from __future__ import annotations

import pytest

from benchmarks.filings.answers import score_answers
from benchmarks.filings.scoring import expected_figure, score, score_text, score_value
from tests.retrieval.figures.filings import acme


@pytest.mark.parametrize(
    ("expected", "value", "unit", "verdict"),
    [
        ("$1577.00", 1577.0, "USD millions", "right"),
        ("$1577.00", 1592.0, "USD millions", "right"),
        ("$1577.00", 1593.0, "USD millions", "wrong"),
        ("$8.70", 8.738, "USD billions", "right"),
        ("4.2%", 4.18, "percent", "right"),
        ("4.2%", 0.0418, "", "right"),
        ("0.4%", 0.447, "percent", "right"),
        ("0.4%", 0.46, "percent", "wrong"),
        ("0.66", 0.6639, "", "right"),
        ("0.66", 66.39, "percent", "right"),
        ("-3.7", -3.74, "days", "right"),
        ("-3.7", 3.7, "days", "wrong"),
        ("$2.5 billion", 2500.0, "USD millions", "right"),
        ("0.8", None, "", "refused"),
    ],
)
def test_values(expected: str, value: float | None, unit: str, verdict: str) -> None:
    figure = expected_figure(expected)
    assert figure is not None
    assert score_value(figure, value, unit) == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The capex of fiscal 2018 was $1,577 million.", "right"),
        ("It was $1,373 million in 2017 and $1,577 million in 2018.", "wrong"),
        ("I cannot tell.", "refused"),
    ],
)
def test_an_answer_in_words_counts_by_its_first_figure(text: str, verdict: str) -> None:
    figure = expected_figure("$1577.00")
    assert figure is not None
    assert score_text(figure, text) == verdict


def test_what_is_no_bare_figure_needs_a_judge() -> None:
    expected = "No. Debt fell by $229 million."
    assert expected_figure(expected) is None
    assert score("Has debt risen?", expected, "No.", refused=False) == "unscored"
    assert score("Has debt risen?", expected, "No.", refused=False, judge=lambda *texts: "No" in texts[2]) == "right"


def test_shares_by_type_of_question() -> None:
    questions = [
        {"question": question, "answer": answer, "doc": "acme", "question_type": "metrics"}
        for question, answer in (
            ("What is the FY2023 revenue in USD millions?", "$1200.00"),
            ("What is the FY2022 revenue in USD millions?", "$1200.00"),
            ("What is the FY2019 revenue in USD millions?", "$1200.00"),
            ("What is the FY2023 gross margin?", "41.7%"),
        )
    ]
    questions.append({"question": "x", "answer": "1", "doc": "not here", "question_type": "metrics"})
    assert score_answers({"acme": acme()}, questions) == {
        "metrics": {"n": 4, "right": 0.5, "refused": 0.25, "wrong": 0.25, "unscored": 0}
    }
