"""The nearest row is taken where none is called by the words of a question, and only where it is clearly nearest."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.retrieval.builders import filing
from tests.retrieval.lines.test_lines import annual, answered, asked, figures
from tradingagents.retrieval.lines.asked.read_question import read_line_question
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.text_tables import with_text_tables

REVENUE = (1452, 1320, 232, 198, 150, 120)
REVENUES = """\
Revenues
(in millions)
Year Ended December 31,                        2025     2024
Orbital launch credits                    $  110    $   90
Orbital leasing                               60       50
Lunar leasing                                 40       30
Ground services                            1,242    1,150
Total revenues                            $  1,452  $  1,320
"""
OF_SEGMENTS = """\
Rigid Modules Segment
(in millions)
Year Ended December 31,                        2025     2024
Net sales                                 $  500    $  400
Adjusted EBIT                                 60       40
Adjusted EBIT as a percentage of net sales  12.0 %   10.0 %

Soft Modules Segment
(in millions)
Year Ended December 31,                        2025     2024
Net sales                                 $  300    $  250
Adjusted EBIT                                 27       20
Adjusted EBIT as a percentage of net sales   9.0 %    8.0 %
"""
VOLUMES = """\
Selected statistical information
(in millions)
Year Ended December 31,                        2025     2024
Home Services                             $  610    $  500
Foreign Card Services                        290      250
Total billed business                     $  900    $  750
"""
PLACES = """\
Earnings excluding unusual items by place
(in millions)
Year Ended December 31,                        2025     2024
Unusual items excluding Non-U.S. trades   $   11    $    9
"""

AMONG_AMOUNTS = """\
Operating revenues and selected operating statistics
(dollars in millions)
Years Ended December 31,                       2025     2024
Service                                   $  100    $   90
Equipment                                     60       50
Total operating revenues                  $  160    $  140
Connections ('000):
Fiber video                                   67       71
Fiber internet                               361      343
"""
PROJECTS = """\
Capital expenditures
(dollars in millions)
Years Ended December 31,                       2025     2024
Store-related projects                    $  355    $  178
Technology                                   560      400
Total capital expenditures                $  915    $  578
"""
BACKLOG = """\
Backlog
(Dollars in millions)
December 31,                                   2025     2024
Commercial Airplanes                         412,307  410,986
Global Services                               20,064   18,500
Total backlog                             $  432,371 $ 429,486
"""

CARDS = """\
Selected card information
(in millions, except average fee per card)
Year Ended December 31,                        2025     2024
Net card fees                             $  610    $  520
Average fee per card (dollars)            $   82    $   74
"""
CLUBS = """\
Orbit Club U.S. Segment
(in millions)
Year Ended December 31,                        2025     2024
Excluding Fuel
Net sales                                 $  610    $  500
Percentage change from comparable period     6.3 %    4.7 %
"""


def velq(*pages: str) -> SourceDocument:
    return annual("VELQ", "Velquor Systems", 2025, REVENUE, *pages)


def test_a_row_with_one_more_word_is_taken_where_no_other_is_as_near() -> None:
    answer = answered("VELQ launch credits revenue 2024 and 2025", velq(REVENUES))
    assert figures(answer) == {("VELQ", "FY2024"): 90, ("VELQ", "FY2025"): 110}
    assert {value.row for value in answer.values} == {"Orbital launch credits"}


def test_none_of_two_rows_that_are_equally_near_is_taken() -> None:
    answer = asked("VELQ leasing revenue 2024 and 2025", velq(REVENUES))
    assert answer is None or all(value.value is None for value in answer.values)


def test_a_table_is_of_what_its_heading_names_and_a_percentage_of_sales_is_a_margin() -> None:
    question = "VELQ 2025 adjusted EBIT margin: Rigid Modules or Soft Modules higher?"
    answer = answered(question, velq(OF_SEGMENTS))
    assert [value.value for value in answer.values] == [pytest.approx(12.0), pytest.approx(9.0)]
    assert answer.winner.startswith("rigid")


def test_a_part_is_of_what_its_total_names() -> None:
    answer = answered("VELQ Foreign Card Services billed business 2024 and 2025", velq(VOLUMES))
    assert figures(answer) == {("VELQ", "FY2024"): 250, ("VELQ", "FY2025"): 290}


def test_what_a_row_leaves_out_has_to_be_asked_for() -> None:
    answer = asked("VELQ unusual items U.S. trades 2024 and 2025", velq(PLACES))
    assert answer is None or all(value.value is None for value in answer.values)


# What follows from other rows

QUARTER = """\
Revenue by product
(in millions)
                 Three Months Ended June 30,      Six Months Ended June 30,
                     2025         2024               2025         2024
Orbital          $     60     $     40           $    100     $     70
Lunar                  30           20                 55           45
Total revenue    $     90     $     60           $    155     $    115
"""
SECOND = with_text_tables(
    filing(
        [QUARTER], company="Velquor Systems", symbol="VELQ", year=2025, quarter=2, form="10-Q",
        known_at=datetime(2025, 8, 1, 21, tzinfo=UTC),
    )
)  # fmt: skip


def test_a_first_quarter_is_the_half_year_less_the_second_quarter() -> None:
    answer = answered("VELQ orbital revenue Q1 and Q2 2025", SECOND)
    assert figures(answer) == {("VELQ", "Q1 FY2025"): 40, ("VELQ", "Q2 FY2025"): 60}
    assert "100" in answer.values[0].formula
    assert "60" in answer.values[0].formula


BALANCES = """\
CONSOLIDATED BALANCE SHEETS
(in millions)
                                            June 30, 2025    December 31, 2024
Cash and cash equivalents                       $    40          $    30
Inventories                                          20               18
Total current assets                                 60               48
Total assets                                    $   160          $   148
Accounts payable                                     30               25
Total current liabilities                            30               25
Total liabilities                                    90               85
Total stockholders' equity                           70               63
Total liabilities and stockholders' equity      $   160          $   148
"""
GOODWILL = """\
Goodwill by segment
(in millions)
                                            June 30, 2025    December 31, 2024
Orbital                                         $    52          $    51
Lunar                                                 9                8
"""


@pytest.mark.parametrize("figure", ["inventories", "Orbital goodwill"])
def test_a_balance_at_the_end_of_a_year_is_none_of_a_quarter_of_it(figure: str) -> None:
    document = with_text_tables(
        filing(
            [QUARTER, BALANCES, GOODWILL], company="Velquor Systems", symbol="VELQ", year=2025, quarter=2, form="10-Q",
            known_at=datetime(2025, 8, 1, 21, tzinfo=UTC),
        )
    )  # fmt: skip
    answer = asked(f"VELQ {figure} Q2 2024 and Q2 2025", document)
    assert answer is not None
    assert [value.value for value in answer.values] == [None, 20e6 if figure == "inventories" else 52e6]


def test_the_largest_loss_is_the_lowest_figure() -> None:
    assert read_line_question("Which segment lost the most in 2024?").direction == "lowest"
    assert read_line_question("Which segment had the bigger operating loss in 2024?").direction == "lowest"
    assert read_line_question("Which segment earned the most in 2024?").direction == "highest"


PEOPLE = "Human capital\nAt December 31, 2025, we had approximately 4,000 employees.\n"


def test_an_amount_per_employee_is_that_of_the_year_over_the_employees_at_its_end() -> None:
    answer = answered("What was the revenue per employee of VELQ in 2025? Use year-end headcount.", velq(PEOPLE))
    assert figures(answer) == {("VELQ", "FY2025"): pytest.approx(1452 / 4000)}
    assert answer.values[0].line.endswith("per employee")


def test_rows_under_a_heading_in_thousands_are_counts_among_amounts_of_money() -> None:
    answer = answered("VELQ fiber video connections 2024 and 2025", velq(AMONG_AMOUNTS))
    assert [(value.value, value.unit) for value in answer.values] == [(71_000, "count"), (67_000, "count")]


def test_a_count_that_is_asked_for_is_no_amount() -> None:
    answer = asked("VELQ store count 2024 and 2025", velq(PROJECTS))
    assert answer is None or all(value.value is None for value in answer.values)


def test_a_segment_named_after_what_it_makes_has_amounts() -> None:
    answer = answered("VELQ commercial airplanes backlog 2024 and 2025", velq(BACKLOG))
    assert [(value.value, value.unit) for value in answer.values] == [(410_986e6, "USD"), (412_307e6, "USD")]


def test_an_amount_per_card_is_no_amount_of_cards() -> None:
    answer = answered("VELQ average fee per card 2024 and 2025", velq(CARDS))
    assert [value.value for value in answer.values] == [74, 82]
    fees = (
        "Fees\n(in millions)\nYear Ended December 31,   2025   2024\nNet card fees   $ 610   $ 520\nOther fees 30 20\n"
    )
    answer = asked("VELQ average fee per card 2024 and 2025", velq(fees))
    assert answer is None or all(value.value is None for value in answer.values)


@pytest.mark.parametrize(
    "question",
    [
        "VELQ U.S. comparable sales excluding fuel 2024 and 2025",
        "VELQ U.S. or Orbit Club: better comp ex fuel in 2025?",
    ],
)
def test_a_change_from_a_comparable_period_is_no_comparable_sales(question: str) -> None:
    answer = asked(question, velq(CLUBS))
    assert answer is None or all(value.value is None for value in answer.values)


def test_comparable_sales_are_asked_of_each_of_the_list_behind_them() -> None:
    question = read_line_question("comparable sales growth 2025, pharmacy vs front store")
    assert question.alternatives == ("pharmacy", "front store")
    assert question.labels[0] == "comparable sales"
