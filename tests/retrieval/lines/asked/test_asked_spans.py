"""Periods in the writings that people use."""

from __future__ import annotations

import pytest

from tradingagents.retrieval.lines.asked.asked_spans import ANY_END, read_spans
from tradingagents.retrieval.series.span import FiscalPeriod


def periods(question: str) -> list[str]:
    span, _ = read_spans(f" {question} ")
    assert span.unread == ()
    return [period.label for period in span.periods]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("revenue 1q21 and 2q21", ["Q1 FY2021", "Q2 FY2021"]),
        ("eps q1 fy27", ["Q1 FY2027"]),
        ("margin q2 25 vs q2 24", ["Q2 FY2024", "Q2 FY2025"]),
        ("revenue q3'24", ["Q3 FY2024"]),
        ("revenue fy19 thru fy21", ["FY2019", "FY2020", "FY2021"]),
        ("revenue 2019-21", ["FY2019", "FY2020", "FY2021"]),
        ("members at the end of 2013, 14 and 15", ["FY2013", "FY2014", "FY2015"]),
        ("capex in '22 and '23", ["FY2022", "FY2023"]),
        ("income last three quarters up to 1q21", ["Q3 FY2020", "Q4 FY2020", "Q1 FY2021"]),
        ("rate q3 2020 to q1 2021", ["Q3 FY2020", "Q4 FY2020", "Q1 FY2021"]),
        ("roic over the last two fiscal years (fy2023, fy2024)", ["FY2023", "FY2024"]),
        ("sales 2022 2023, change since 2022", ["FY2022", "FY2023"]),
        ("margin in q4 against the full year, fiscal 2022", ["FY2022", "Q4 FY2022"]),
        ("backlog at year-end 2023", ["FY2023"]),
        ("revenue through 2020 (q1 to q4)", ["Q1 FY2020", "Q2 FY2020", "Q3 FY2020", "Q4 FY2020"]),
        ("revenue q1 to q4 of 2020", ["Q1 FY2020", "Q2 FY2020", "Q3 FY2020", "Q4 FY2020"]),
        ("revenue 2020 q1-q3", ["Q1 FY2020", "Q2 FY2020", "Q3 FY2020"]),
        (
            "quarterly revenue (q1-q4) in 2020 and the full year",
            ["FY2020", "Q1 FY2020", "Q2 FY2020", "Q3 FY2020", "Q4 FY2020"],
        ),
        ("revenue q2 2020 to q4", ["Q2 FY2020", "Q3 FY2020", "Q4 FY2020"]),
        ("revenue in the first through third quarter of 2020", ["Q1 FY2020", "Q2 FY2020", "Q3 FY2020"]),
        (
            "revenue by quarter in fiscal 2020 plus the full year",
            ["FY2020", "Q1 FY2020", "Q2 FY2020", "Q3 FY2020", "Q4 FY2020"],
        ),
        ("revenue q1+q2 fy26", ["Q1 FY2026", "Q2 FY2026"]),
        ("revenue q1, q2 and q3 2025", ["Q1 FY2025", "Q2 FY2025", "Q3 FY2025"]),
        ("care ratio 22, 23, 24", ["FY2022", "FY2023", "FY2024"]),
        ("when was it weakest between fy17 and fy19", ["FY2017", "FY2018", "FY2019"]),
        ("5y revenue growth, fy21 to fy23", ["FY2021", "FY2022", "FY2023"]),
        ("video connections 2020/21/22", ["FY2020", "FY2021", "FY2022"]),
        ("backlog fy19/fy20/fy21", ["FY2019", "FY2020", "FY2021"]),
        ("backlog at ye 2019, 2020", ["FY2019", "FY2020"]),
        ("backlog ye19 and ye20", ["FY2019", "FY2020"]),
        ("members at yr end 2013 thru 2015", ["FY2013", "FY2014", "FY2015"]),
        ("arr exiting fy2022", ["FY2022"]),
        ("stores eoy 2021 & 2022", ["FY2021", "FY2022"]),
        ("backlog cy21 to cy23", ["FY2021", "FY2022", "FY2023"]),
        ("backlog 1q-4q23", ["Q1 FY2023", "Q2 FY2023", "Q3 FY2023", "Q4 FY2023"]),
    ],
)
def test_common_writings(question: str, expected: list[str]) -> None:
    assert periods(question) == expected


def test_two_years_with_a_slash_may_be_one_and_are_not_read_as_a_list() -> None:
    _, rest = read_spans(" backlog 2020/21 ")
    assert "21" in rest


@pytest.mark.parametrize(
    ("question", "quarter", "month"),
    [
        ("in the june 2025 quarter", 0, 6),
        ("in the quarter ended june 28, 2025", 0, 6),
        ("in the jun quarter 2025", 0, 6),
        ("the year to june 2025", None, 6),
        ("at 30 june 2025", ANY_END, 6),
    ],
)
def test_a_period_may_be_told_by_the_month_in_which_it_ends(question: str, quarter: int | None, month: int) -> None:
    span, rest = read_spans(f" {question} ")
    assert span.periods == (FiscalPeriod(2025, quarter),)
    assert [ended for _, ended in span.ended] == [month]
    assert rest.strip() == ""


@pytest.mark.parametrize(
    ("question", "months", "expected"),
    [("first half 2025", 6, (2025, 2)), ("1h25", 6, (2025, 2)), ("first nine months of 2024", 9, (2024, 3))],
)
def test_a_part_of_a_year_ends_with_a_quarter(question: str, months: int, expected: tuple[int, int]) -> None:
    span, _ = read_spans(f" sales {question} ")
    assert (span.months, span.periods) == (months, (FiscalPeriod(*expected),))


@pytest.mark.parametrize(
    "words", ["over the three years in \ue000 latest annual report", "all three years of its newest 10-k"]
)
def test_years_of_the_newest_report_are_the_newest_ones(words: str) -> None:
    span, rest = read_spans(f" cumulative loss {words} ")
    assert (span.last, span.unread, rest.split()) == (3, (), ["cumulative", "loss"])


def test_numbers_that_run_down_are_no_years() -> None:
    span, _ = read_spans(" stores 24, 22 and 23 ")
    assert span.periods == ()
