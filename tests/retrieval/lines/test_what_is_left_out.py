"""What a question leaves out: lists of it, and what only explains a basis that leaves it out by itself."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import FIGURES, annual, answered, figures
from tradingagents.retrieval.lines.asked.read_question import read_line_question
from tradingagents.retrieval.lines.line_answer import LineAnswer
from tradingagents.retrieval.lines.line_questions import COMPANY_MARK

ADJUSTED = """\
Reconciliation of net income per share to adjusted net income per share
Year Ended December 31,                        2025     2024
Diluted earnings per share                 $  1.10  $  1.00
Litigation provisions                         0.30     0.10
Losses on equity investments                  0.10     0.05
Adjusted diluted earnings per share        $  1.50  $  1.15
"""
SAME_STORE = """\
Net revenues
(in millions)
Year Ended December 31,                        2025     2024
Orbital net revenues                       $   900  $   700
Acquisitions                                  (200)    (100)
Orbital same-store net revenues            $   700  $   600
(1) Excludes the net revenues of The Lunar and Apollo.
"""


def read(question: str) -> tuple[str, tuple[str, ...]]:
    found = read_line_question(question.replace("@", chr(COMPANY_MARK)))
    return found.excluded, found.labels


@pytest.mark.parametrize(
    ("question", "excluded"),
    [
        ("@ revenue growth in Q2 2023 excluding Lunar and Apollo, and the reported change", "lunar and apollo"),
        ("@ net sales excl. Lunar, Apollo and Vega 2022", "lunar and apollo and vega"),
        ("@ EPS 2024 (ex litigation, restructuring, equity gains)", "litigation and restructuring and equity gains"),
        ("@ revenue in 2023 and 2024 excluding Lunar and Apollo and capex", "lunar and apollo"),
        ("@ revenue excluding fuel and net income in 2024", "fuel"),
        ("@ sales without the Lunar drug and the operational growth of that figure 2022", "lunar drug"),
        ("@ adjusted free cash flow 2025, leaving out Lunar payments, and the ratio", "lunar payments"),
        ("@ 2024 net sales w/o Lunar please", "lunar"),
        ("@ comparable sales 2021 ex gas and fx", "gas"),
        ("@ advertising revenue 2024 excluding @ Lunar ads", "lunar advertising"),
    ],
)
def test_what_is_left_out_may_be_a_list(question: str, excluded: str) -> None:
    assert read(question)[0] == excluded


def test_of_what_is_left_out_nothing_is_left_as_a_label() -> None:
    assert read("@ revenue 2022 excluding Lunar and Apollo") == ("lunar and apollo", ())


def ask(question: str, *pages: str) -> LineAnswer:
    return answered(question, annual("VELQ", "Velquor Systems", 2025, FIGURES, *pages))


@pytest.mark.parametrize(
    "question",
    [
        "VELQ adjusted diluted EPS 2025, i.e. excluding litigation and equity losses",
        "VELQ adjusted diluted EPS 2025 (ex litigation, losses on equity)",
        "VELQ adjusted diluted EPS 2025 excluding special items",
    ],
)
def test_what_is_left_out_may_explain_a_basis(question: str) -> None:
    answer = ask(question, ADJUSTED)
    assert answer.complete
    assert [value.value for value in answer.values] == [1.5]
    assert any("leaves out" in note for note in answer.notes)


@pytest.mark.parametrize(
    "question",
    [
        "VELQ adjusted diluted EPS 2025, i.e. excluding litigation and restructuring",
        "VELQ adjusted diluted EPS 2025 excluding Orbital Notes",
        "VELQ diluted EPS 2025 excluding litigation",
    ],
)
def test_a_basis_that_does_not_leave_out_what_is_named_is_no_answer(question: str) -> None:
    assert ask(question, ADJUSTED).refusal


def test_a_sentence_below_a_table_tells_what_its_row_leaves_out() -> None:
    answer = ask("VELQ Orbital same-store net revenues 2024 and 2025 (without Lunar and Apollo)", SAME_STORE)
    assert figures(answer) == {("VELQ", "FY2024"): 600, ("VELQ", "FY2025"): 700}
    denied = SAME_STORE.replace("Excludes", "These figures do not exclude")
    question = "VELQ Orbital same-store net revenues 2024 and 2025 without Lunar"
    assert ask(question, SAME_STORE).complete
    assert ask(question, denied).refusal
