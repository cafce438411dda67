"""Comparisons of parts: the place, the sign, the span and the basis that decide them are those asked for."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import FIGURES, annual, answered, figures
from tradingagents.retrieval.lines.asked.read_question import read_line_question
from tradingagents.retrieval.lines.line_answer import LineAnswer
from tradingagents.retrieval.models import SourceDocument

DRUGS = """\
Sales of major products
(in millions)
Year Ended December 31,                        2025     2024
RINGOVA
U.S.                                      $    600  $   500
International                                  300      280
Worldwide                                      900      780
VEGALIX
U.S.                                           400      410
International                                  450      390
Worldwide                                      850      800
"""
LOSSES = """\
Segment results
(in millions)
Year Ended December 31,                        2025     2024
Operating income (loss):
Moonshots                                 $   (160) $  (130)
Balloons                                       (40)     (45)
Devices                                        390      300
"""
CREDIT = """\
Consolidated data
(in millions)
Year Ended December 31,                        2025     2024
Impairment losses on rockets              $     70  $    60
Impairment losses on gliders                    20       30
"""
GROWN = """\
Revenue by product
(in millions)
Year Ended December 31,                        2025     2024     2023
Harbour                                   $    150  $   120  $   100
Quarry                                         220      210      200
Total revenue                                  370      330      300
"""
PHARMACY = """\
Pharmacy segment
The following table summarizes the performance of the segment:
Year Ended December 31,
In millions                                    2025     2024
Revenues by major goods:
Pharmacy                                  $    700  $   650
Front store                                    200      190
Prescriptions filled                       1,623.8  1,587.6
"""
HOME = """\
Domestic streaming
(in thousands)
Year Ended December 31,                        2025     2024
Paid memberships at end of period           52,810   47,905
"""
ABROAD = """\
International streaming
(in thousands)
Year Ended December 31,                        2025     2024
Paid memberships at end of period           57,834   41,185
"""
REGIONS = """\
Revenue by region
(in millions)
Year Ended December 31,                        2025     2024
Domestic                                  $    800  $   700
International                                  652      620
Total revenue                             $  1,452  $ 1,320
"""
ORGANIC_IN_PROSE = """\
Bakery
Bakery organic net sales decreased 1 percent in 2025, driven by lower
volume growth partially offset by favorable organic net price realization and mix.
Net sales for our Bakery operating units are shown in the following table:
In Millions                                    2025     % Change     2024
Bread                                     $  3,839.8       (1)%  $  3,865.7
Cake                                         2,060.9       (4)%     2,140.5
Total                                     $  5,900.7       (2)%  $  6,006.2
"""


def velq(*pages: str) -> SourceDocument:
    return annual("VELQ", "Velquor Systems", 2025, FIGURES, *pages)


def ask(question: str, *pages: str) -> LineAnswer:
    return answered(question, velq(*pages))


def millions(answer: LineAnswer) -> dict[str, float | None]:
    return {value.line: value.value and value.value / 1e6 for value in answer.values}


def test_a_place_said_once_before_the_figure_is_that_of_each() -> None:
    answer = ask("VELQ Ringova vs Vegalix US sales in 2025: which is larger and by how much?", DRUGS)
    assert list(millions(answer).values()) == [600, 400]
    assert (answer.complete, answer.winner) == (True, "ringova")
    assert 200e6 in [result.value for result in answer.results]


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("rings vs gowns international sales 2025", ("rings international", "gowns international")),
        ("rings sales vs gowns international sales 2025", ("rings", "gowns international")),
        ("sales of rings and gowns international 2025", ("rings", "gowns international")),
        ("domestic rings vs gowns international sales 2025", ("domestic rings", "gowns international")),
    ],
)
def test_a_place_is_not_that_of_each_where_another_is_said_or_none_follows(
    question: str, labels: tuple[str, ...]
) -> None:
    assert read_line_question(question).alternatives == labels


@pytest.mark.parametrize(
    ("question", "winner", "said"),
    [
        ("VELQ 2025: which had the larger operating loss, Moonshots or Balloons?", "moonshots", "Largest loss"),
        ("VELQ 2025: which had the smaller operating loss, Moonshots or Balloons?", "balloons", "Smallest loss"),
        ("VELQ 2025: which had the larger impairment losses, rockets or gliders?", "rockets", "Highest"),
        ("VELQ 2025: which had the smaller impairment losses, rockets or gliders?", "gliders", "Lowest"),
    ],
)
def test_the_larger_loss_is_that_of_the_larger_sum_whatever_its_sign(question: str, winner: str, said: str) -> None:
    answer = ask(question, LOSSES, CREDIT)
    assert answer.complete
    assert answer.winner == winner
    assert answer.verdict.startswith(said)


def test_a_loss_that_is_asked_for_by_that_word_is_told_as_a_sum() -> None:
    answer = ask("VELQ operating loss in 2025, Moonshots vs Balloons", LOSSES)
    told = {result.name: result.value for result in answer.results if result.name.startswith("Loss")}
    assert list(told.values()) == [160e6, 40e6]
    profit = ask("VELQ operating loss in 2025, Moonshots vs Devices", LOSSES)
    assert [result.value for result in profit.results if result.name.startswith("Loss")] == [160e6]


def test_who_grew_more_over_several_years_is_decided_from_the_first_to_the_last() -> None:
    question = "Between 2023 and 2025, did VELQ's Harbour revenue or its Quarry revenue grow more in percent?"
    answer = ask(question, GROWN)
    assert (answer.complete, answer.winner) == (True, "harbour")
    assert "harbour 50.00 %; quarry 10.00 %" in answer.verdict
    assert "from FY2023 to FY2025" in answer.verdict
    each = ask("VELQ Harbour or Quarry revenue: which grew more in each year from 2023 to 2025?", GROWN)
    assert not each.winner


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("VELQ revenue 2025 vs 2024: did Cloud Nine grow while Devices shrank? % change of each", "Yes"),
        ("VELQ revenue 2025 vs 2024: did Devices grow while Cloud Nine shrank? % change of each", "No"),
        ("VELQ revenue 2025 vs 2024: did Cloud Nine grow whereas Devices grew? % change of each", "No"),
    ],
)
def test_what_is_asked_of_each_of_two_is_so_only_where_both_did_it(question: str, said: str) -> None:
    parts = """\
Revenue by segment
(in millions)
Year Ended December 31,    2025     2024
Cloud Nine             $  900    $  700
Devices                   552      620
Total revenue          $  1,452  $  1,320
"""
    answer = ask(question, parts)
    assert answer.complete
    assert f"{said}: " in answer.verdict


def test_a_row_that_counts_by_its_own_words_is_no_money_below_revenues() -> None:
    answer = ask("VELQ prescriptions filled in 2024 and 2025", PHARMACY)
    assert [(value.value, value.unit) for value in answer.values] == [(1587.6e6, "count"), (1623.8e6, "count")]
    assert ask("VELQ front store revenue in 2024 and 2025", PHARMACY).values[0].unit == "USD"


def test_home_and_abroad_are_domestic_and_international_and_the_figure_is_of_both() -> None:
    answer = ask("Did VELQ have more paid members at home or abroad at the end of 2025?", REGIONS, HOME, ABROAD)
    assert [(value.value, value.unit) for value in answer.values] == [(52.81e6, "count"), (57.834e6, "count")]
    assert answer.winner == "international"
    assert read_line_question("home improvement sales 2025").labels == ("home improvement",)


def test_a_total_below_prose_on_organic_sales_is_not_organic() -> None:
    answer = ask("VELQ organic net sales growth in 2025", ORGANIC_IN_PROSE)
    assert -2.0 not in figures(answer).values()


LEFT_OUT = """\
Revenues by product
(in millions)
Year Ended December 31,                        2025     2024
Vaccines:
Comivax                                   $    148  $   400
Paxivol                                         14      300
Hospital:
Sulpera                                        100       90
United States                                  700      600
TOTAL REVENUES                            $  1,273  $ 1,600
"""


def test_several_parts_of_one_group_are_taken_off_together() -> None:
    answer = ask("VELQ revenues ex Comivax and Paxivol in 2025", LEFT_OUT)
    assert figures(answer) == {("VELQ", "FY2025"): 1_111}
    assert answer.values[0].row == "Hospital / TOTAL REVENUES less Vaccines / Comivax less Vaccines / Paxivol"


@pytest.mark.parametrize(
    "left_out",
    [
        "Comivax and Sulpera",  # under different headings
        "Sulpera and United States",  # its sales there are taken off twice
        "Comivax and Borvax",  # no row has the second
    ],
)
def test_parts_that_may_overlap_or_are_not_there_are_not_taken_off(left_out: str) -> None:
    assert ask(f"VELQ revenues excluding {left_out} in 2025", LEFT_OUT).refusal


def test_a_company_that_is_left_out_is_not_asked_about() -> None:
    adjusted = """\
Reconciliation of revenue to adjusted revenue
(in millions)
Year Ended December 31,                        2025     2024
Revenue                                   $  1,452  $ 1,320
Modista revenue                                 50       40
Transaction costs                              400      380
Adjusted revenue                          $  1,002  $   900
"""
    documents = (velq(adjusted), annual("MODZ", "Modista Lane", 2025, (800, 700, 40, 70, 90, 80)))
    question = "Velquor adjusted revenue in 2025, i.e. excluding Modista and transaction costs"
    assert figures(answered(question, *documents)) == {("VELQ", "FY2025"): 1_002}
    both = answered("Adjusted revenue 2025 of Velquor, excluding transaction costs, and of Modista", *documents)
    assert {value.company for value in both.values} == {"VELQ", "MODZ"} or both.refusal
