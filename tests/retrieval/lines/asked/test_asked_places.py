"""Words that say where a figure stands choose the statement or the report, and are no part of a row's name."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import FIGURES, STORED, annual, answered, asked
from tradingagents.retrieval.lines.asked.read_question import read_line_question
from tradingagents.retrieval.lines.line_questions import COMPANY_MARK

ONE = chr(COMPANY_MARK)
OTHER_TABLE = """\
Spending by purpose
(in millions)
Year Ended December 31,                    2025     2024
Purchases of satellites                   $  77    $  66
"""


@pytest.mark.parametrize(
    ("words", "statement"),
    [
        ("in the cash flow statement", "cashflow"),
        ("per cash flow statement", "cashflow"),
        ("as shown in the consolidated statements of cash flows", "cashflow"),
        ("(cash flow statement)", "cashflow"),
        ("on the balance sheet", "balance"),
        ("per the income statement", "income"),
        ("(selected data)", ""),
    ],
)
def test_a_statement_that_is_named_is_no_part_of_a_name(words: str, statement: str) -> None:
    read = read_line_question(f"{ONE} launch costs 2023 and 2024 {words}, total")
    assert (read.statement, read.labels, read.functions) == (statement, ("launch costs",), ("sum",))


@pytest.mark.parametrize(
    ("words", "report"),
    [
        ("per the 2024 10-K", 2024),
        ("as reported in the 2024 annual report", 2024),
        ("from its FY24 10-K", 2024),
        ("what did the 2022 annual report show and the 2024 10-K", 0),
    ],
)
def test_the_report_of_a_year_is_chosen_by_its_name(words: str, report: int) -> None:
    assert read_line_question(f"{ONE} launch costs 2022 and 2023 {words}").of_report == report


def test_the_last_years_of_a_report_end_with_its_year() -> None:
    read = read_line_question(f"{ONE} launch costs last three years in the 2024 10-K, plus the total")
    assert [period.year for period in read.span.periods] == [2022, 2023, 2024]


def test_a_statement_is_a_condition_on_the_table() -> None:
    velq = annual("VELQ", "Velquor Systems", 2025, FIGURES, OTHER_TABLE)
    answer = answered("VELQ purchases of satellites 2024 and 2025", velq)
    assert [value.value for value in answer.values] == [66e6, 77e6]
    placed = answered("VELQ purchases of satellites 2024 and 2025 in the cash flow statement", velq)
    assert placed.refusal


def test_what_a_cash_flow_statement_prints_in_brackets_as_paid_is_a_positive_amount() -> None:
    page = """\
Velquor Systems
Consolidated Statements of Cash Flows
(in millions)
Year Ended December 31,                        2025     2024
Net cash used in investing activities      $   (90)  $   (80)
Purchases of satellites                        (40)      (30)
"""
    answer = answered(
        "VELQ cash purchases of satellites in 2024 and 2025", annual("VELQ", "Velquor Systems", 2025, FIGURES, page)
    )
    assert [value.value for value in answer.values] == [30e6, 40e6], answer


def test_only_the_named_report_answers() -> None:
    answer = answered("VELQ revenue 2023 and 2024 as reported in the 2024 10-K", *STORED)
    assert {operand.document_name for operand in answer.operands} == {STORED[0].info.name}
    missing = asked("VELQ revenue 2021 and 2022 as reported in the 2022 10-K", *STORED)
    assert missing is not None
    assert "annual report of 2022" in missing.refusal
