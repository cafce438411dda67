"""What a question wants computed is given or named, whichever rule passed its words over."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import asked
from tests.retrieval.lines.test_listed_parts import REVENUES, velq
from tradingagents.retrieval.lines.answers.not_computed import NOT_COMPUTED, with_what_is_not_computed
from tradingagents.retrieval.lines.line_answer import LineAnswer, LineResult, LineValue

SUM = LineResult(name="Sum of stores, Velquor, FY2024 to FY2025", value=21.0, unit="count")
LESS = LineResult(name="north less south", value=1.0, unit="count")
GROWTH = LineResult(name="Growth of stores, Velquor, FY2024 to FY2025", value=10.0, unit="percent")


def not_given(question: str, *results: LineResult, row: str = "Stores", verdict: str = "", years: int = 2) -> list[str]:
    """What is named as not worked out in an answer of two years, or one, that has some results."""
    figures = [
        LineValue(company="Velquor", line="stores", period=period, value=value, unit="count", row=row)
        for period, value in (("FY2024", 10.0), ("FY2025", 11.0))
    ]
    answer = LineAnswer(question=question, values=tuple(figures[-years:]), results=results, verdict=verdict)
    found = with_what_is_not_computed(question, answer)
    assert found.results[: len(results)] == results
    assert all(each.refusal == NOT_COMPUTED for each in found.results[len(results) :])
    return [each.name for each in found.results[len(results) :]]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("stores by year, 2024 and 2025, then the total", ["Sum"]),
        ("stores 2024 and 2025, cumulatively", ["Sum"]),
        ("stores 2024 and 2025 and their mean", ["Average"]),
        ("stores 2024 and 2025, which year was the peak", ["Highest or lowest"]),
        ("stores 2024 and 2025, and which of them grew", ["Highest or lowest", "Change"]),
        ("stores 2024 and 2025, trend", ["Change"]),
        ("stores 2024 and 2025, cagr", ["Compound annual growth"]),
        ("store mix 2024 and 2025", ["Share of the whole"]),
        ("stores 2024 and 2025, and by how many more", ["Difference"]),
        ("store count 2024 and 2025", []),
        ("stores 2024 and 2025", []),
    ],
)
def test_each_computation_that_is_asked_for_and_not_given_is_named(question: str, named: list[str]) -> None:
    assert not_given(question) == named


def test_what_is_given_is_not_named() -> None:
    assert not_given("stores 2024 and 2025, total", SUM) == []
    assert not_given("stores 2024 and 2025, growth", GROWTH) == []
    assert not_given("stores north and south, the difference", LESS) == []
    assert not_given("stores, which year was best", verdict="Highest: FY2025 with 11. FY2024 10.") == []
    assert not_given("stores 2024 and 2025, total and growth", SUM) == ["Change"]


def test_a_word_of_the_row_asks_for_nothing() -> None:
    assert not_given("average stores 2024 and 2025", row="Average stores") == []
    assert not_given("stores by region, total", row="Total stores") == []
    assert not_given("stores in 2025 (total)", years=1) == []
    assert not_given("store growth 2024 and 2025", row="Store growth (%)") == []


def test_an_answer_that_drops_what_was_asked_beside_is_not_whole() -> None:
    answer = asked("VELQ Orbital revenue mix 2024 and 2025", velq(REVENUES))
    assert answer is None or not answer.complete


def test_an_amount_is_no_number_of_things() -> None:
    amount = LineValue(company="Velquor", line="phones", period="FY2025", value=2e9, unit="USD", row="Phones")
    answer = LineAnswer(question="", values=(amount,))
    for question in ("how many phones did it sell (units) in 2025", "phones 2025, units"):
        assert [each.name for each in with_what_is_not_computed(question, answer).results] == ["Number"]
    for question in ("how many dollars of phones did it sell in 2025", "phone sales 2025"):
        assert not with_what_is_not_computed(question, answer).results


@pytest.mark.parametrize(
    "question", ["VELQ ads vs Orbital revenue growth yoy 2025", "VELQ Quuxit versus Orbital revenue 2025"]
)
def test_one_line_is_no_comparison_of_two(question: str) -> None:
    answer = asked(question, velq(REVENUES))
    assert answer is None or answer.refusal or not answer.complete
