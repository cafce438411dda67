"""What is asked beside a figure is answered too: the total of several periods, the growth of one; else it is named."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import answered, asked
from tests.retrieval.lines.test_listed_parts import REVENUES, velq
from tradingagents.retrieval.lines.answers.line_results import line_results
from tradingagents.retrieval.lines.asked.read_question import read_line_question
from tradingagents.retrieval.lines.company_books import LineBooks
from tradingagents.retrieval.lines.line_answer import LineValue
from tradingagents.retrieval.lines.rows.asked_line import AskedLine

EARLIER = """\
Sales of therapies
(in millions)
Year Ended December 31,                        2021     2020
Aurexa                                    $  500    $  450
Other                                        100        90
"""


@pytest.mark.parametrize(
    "words",
    [
        "total of the two",
        "total of both",
        "plus 2y sum",
        "and the sum",
        "2 year total",
        "total of these two years",
        "what's the total?",
        "what is the total, and the average",
    ],
)
def test_a_total_of_the_periods_is_given_beside_them(words: str) -> None:
    answer = asked(f"VELQ Orbital revenue 2024 and 2025, {words}", velq(REVENUES))
    assert answer is not None
    assert [value.value for value in answer.values] == [700e6, 800e6]
    assert [result.value for result in answer.results if "otal" in result.name or "um" in result.name] == [1500e6]


def test_a_total_line_is_no_sum_of_periods() -> None:
    answer = asked("VELQ total revenue 2024 and 2025", velq(REVENUES))
    assert answer is not None
    assert [value.value for value in answer.values] == [1320e6, 1452e6]
    assert not answer.results


USERS = """\
Average subscribers by park were as follows (in millions):
Year Ended December 31,                        2025     2024
North                                           120      110
South                                            80       70
Total                                           200      180
"""


@pytest.mark.parametrize(
    ("words", "values"), [("total average subscribers", [180e6, 200e6]), ("average subscribers", [])]
)
def test_a_total_that_its_table_alone_names_is_given_where_a_total_is_asked(words: str, values: list[float]) -> None:
    answer = asked(f"VELQ {words} 2024 and 2025", velq(USERS))
    given = [] if answer is None else [value.value for value in answer.values if value.value is not None]
    assert given == values


@pytest.mark.parametrize("words", ["and its growth", "and its percent change", "plus their growth"])
def test_a_growth_beside_a_figure_leaves_the_figure(words: str) -> None:
    answer = asked(f"VELQ Orbital revenue in 2025 {words}", velq(REVENUES))
    assert answer is not None
    assert 800e6 in [value.value for value in answer.values]
    assert pytest.approx(100 * (800 / 700 - 1)) in [result.value for result in answer.results]


def test_a_refusal_says_that_the_row_is_there() -> None:
    answer = asked("VELQ Aurexa sales in 2025", velq(EARLIER))
    assert answer is not None
    assert "'Aurexa' stands in the filings" in answer.refusal


MARKED = """\
Net revenues by channel
(in millions)
Year Ended December 31,                        2025     2024     Change  % Change
Digital channels (1)                         $ 4,932  $ 5,786    $ (854)    (15)%
Other channels (2)                               648      607        41      7
(1) Net revenues from downloads.
(2) Net revenues from events.
"""


def test_the_mark_of_a_footnote_is_no_figure() -> None:
    answer = asked("VELQ digital channels revenue in 2025", velq(MARKED))
    assert answer is not None
    assert -1e6 not in [value.value for value in answer.values]


OVER_FOUR_YEARS = """\
Sales of therapies
(in millions)
Year Ended December 31,                        2025     2024     2023     2022
Aurexa                                    $  450    $  540    $  600    $  500
Velutin                                      130       120       100       110
"""


@pytest.mark.parametrize(
    ("question", "changes"),
    [
        ("VELQ Aurexa sales 2022 to 2025, how far has it dropped since its peak", [-25.0, -150e6]),
        ("VELQ Aurexa sales 2022, 2023, 2024, 2025: how far down from the high?", [-25.0, -150e6]),
        ("VELQ Velutin sales 2022 to 2025 and the percent change since the low", [30.0, 30e6]),
        ("VELQ Aurexa sales 2022 to 2025. What was the peak year and how far has it dropped since?", [-25.0, -150e6]),
        ("VELQ Velutin sales 2022 to 2025, the lowest year and how much have they risen since then", [30.0, 30e6]),
        ("VELQ Velutin sales 2022 to 2025, how far has it dropped since its peak", [None]),
    ],
)
def test_a_change_since_the_highest_or_lowest_is_to_the_last(question: str, changes: list[float | None]) -> None:
    answer = answered(question, velq(OVER_FOUR_YEARS))
    assert [result.value for result in answer.results] == pytest.approx(changes)
    assert answer.complete == (None not in changes)


@pytest.mark.parametrize(
    ("question", "winner", "verdict"),
    [
        ("VELQ Velutin sales 2022 to 2025, in which year did it fall", "FY2023", "in FY2023 (-9.09 %)"),
        ("VELQ Aurexa sales 2022 to 2025: which year did they rise?", "FY2023", "in FY2023 (20.00 %)"),
        ("VELQ Aurexa sales 2022 to 2025: in which years did they decline", "", "FY2024 (-10.00 %); FY2025 (-16.67 %)"),
        ("VELQ Aurexa sales 2022 and 2023, in which year did it fall", "", "in none"),
    ],
)
def test_the_years_of_a_fall_are_named(question: str, winner: str, verdict: str) -> None:
    answer = answered(question, velq(OVER_FOUR_YEARS))
    assert answer.winner == winner
    assert verdict in answer.verdict


@pytest.mark.parametrize("words", ["sum", "average", "growth"])
@pytest.mark.parametrize("quarters", [4, 2])
def test_a_year_is_never_computed_with_its_quarters(words: str, quarters: int) -> None:
    names = [f"Q{number} FY2025" for number in range(1, quarters + 1)]
    values = [LineValue(company="VELQ", line="revenue", period=name, value=100.0, unit="count") for name in names]
    year = LineValue(company="VELQ", line="revenue", period="FY2025", value=400.0, unit="count")
    question = read_line_question(f"revenue 2025 (Q1 to Q{quarters}) and the full year, {words}")
    line = AskedLine(LineBooks("VELQ", "VELQ", (), lambda _: velq()), question.measures[0], ())
    results = list(line_results(question, line, [year, *values]))
    assert results
    found = {"sum": 400.0, "average": 100.0, "growth": 0.0}[words]
    assert {result.value for result in results} == ({found} if quarters == 4 else {None})
