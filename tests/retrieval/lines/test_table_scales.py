"""Scales that captions except, labels state, and other tables of a filing show."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import annual, answered
from tradingagents.retrieval.models import SourceDocument

FIGURES = (1452, 1320, 232, 198, 150, 120)
EXCEPTED = """\
Selected data
(in millions, except remaining performance obligation, which is presented in billions):
As of December 31,                             2025     2024
Unearned revenue                           $  20,743  $  19,003
Remaining performance obligation                63.4      56.9
"""
OF_STORES = """\
Results of operations
(Amounts in millions, except unit counts)
Year Ended December 31,                        2025     2024
Net sales                                  $  1,452  $  1,320
Unit counts at period end                     1,718    1,695
Retail square feet at period end                158      149
"""
EXCEPTED_SHORT = """\
Selected operating statistics
(dollars in millions, except ARPX)
Year Ended December 31,                        2025     2024
Subscription billings                      $  1,452  $  1,320
Retail monthly ARPX                          125.97   122.30
"""
IN_LABEL = """\
Selected volumes
(Millions, except percentages and where indicated)
Year Ended December 31,                        2025     2024
Network volumes (billions)                 $ 1,552.8  $ 1,284.2
Payments handled (in trillions)            $     1.5  $     1.4
"""
OF_ANOTHER_CAPTION = """\
Reconciliation of returns, with sales
(in billions)
Year Ended December 31,                        2025     2024
Revenue                                    $  1,452  $  1,320
Invested capital                              5,120    4,980
"""


def values(question: str, page: str) -> list[float | None]:
    answer = answered(question, velq(page))
    return [value.value for value in answer.values]


def velq(*pages: str) -> SourceDocument:
    return annual("VELQ", "Velquor Systems", 2025, FIGURES, *pages)


def test_a_row_that_a_caption_excepts_has_the_scale_that_it_states() -> None:
    assert values("VELQ remaining performance obligation 2024 and 2025", EXCEPTED) == [56.9e9, 63.4e9]
    assert values("VELQ unearned revenue 2024 and 2025", EXCEPTED) == [19_003e6, 20_743e6]


def test_counts_and_areas_beside_money_are_no_money() -> None:
    for asked_of, unit, expected in (("unit counts", "count", 1_718), ("retail square feet", "count", 158e6)):
        answer = answered(f"VELQ {asked_of} at period end 2025", velq(OF_STORES))
        assert [(value.value, value.unit) for value in answer.values] == [(expected, unit)]


def test_a_row_by_a_short_name_that_a_caption_excepts_is_in_single_units() -> None:
    assert values("VELQ retail monthly ARPX 2024 and 2025", EXCEPTED_SHORT) == [122.30, 125.97]
    assert values("VELQ subscription billings 2024 and 2025", EXCEPTED_SHORT) == [1320e6, 1452e6]


def test_a_label_states_the_scale_of_its_row() -> None:
    assert values("VELQ network volumes 2024 and 2025", IN_LABEL) == [1284.2e9, 1552.8e9]
    assert values("VELQ payments handled 2024 and 2025", IN_LABEL) == [1.4e12, 1.5e12]


OF_PEOPLE = """\
The following table summarizes the number of individuals served by our health plans, by major market segment:
(in thousands, except percentages)
As of December 31,                             2025     2024
Retiree plans                                 7,845    7,695
Students                                      1,210    1,105
"""
OF_BARRELS = """\
Operational results
(millions of dollars)
Year Ended December 31,                        2025     2024
Sales of gas                               $  4,105  $  3,984
Crude output (thousands of oil-equivalent barrels daily)  4,630  4,358
"""


OF_SITES = """\
Sites and floor space
(in thousands)
As of December 31,                             2025     2024
Coastal retail units                           600      610
Inland retail units                            400      390
Total retail units                            1,000    1,000
Stores                                          750      740
"""


@pytest.mark.parametrize(
    ("question", "page", "expected"),
    [
        ("VELQ stores 2024 and 2025", OF_SITES, [740.0, 750.0]),
        ("VELQ coastal retail units 2024 and 2025", OF_SITES, [610.0, 600.0]),
        ("VELQ students 2024 and 2025", OF_PEOPLE, [1_105e3, 1_210e3]),
        ("VELQ crude output 2024 and 2025", OF_BARRELS, [4_358e3, 4_630e3]),
        ("VELQ sales of gas 2024 and 2025", OF_BARRELS, [3_984e6, 4_105e6]),
    ],
)
def test_what_is_counted_has_its_own_scale_and_no_currency(question: str, page: str, expected: list[float]) -> None:
    answer = answered(question, velq(page))
    assert [value.value for value in answer.values] == expected
    assert {value.unit for value in answer.values} == {"USD" if "gas" in question else "count"}


def test_a_table_that_prints_the_figures_of_the_statements_has_their_scale() -> None:
    assert values("VELQ invested capital 2024 and 2025", OF_ANOTHER_CAPTION) == [4_980e6, 5_120e6]


def test_a_table_without_a_figure_of_another_one_keeps_its_own() -> None:
    page = OF_ANOTHER_CAPTION.replace("1,452", "1,453").replace("1,320", "1,321")
    assert values("VELQ invested capital 2024 and 2025", page) == [4_980e9, 5_120e9]


@pytest.mark.parametrize(
    ("words", "share"),
    [
        ("share of coastal in total retail units as of December 31 2025", 60.0),
        ("inland retail units as a share of total retail units 2025", 40.0),
        ("coastal retail units as a percentage of the total retail units, 2025", 60.0),
    ],
)
def test_a_share_of_a_total_that_is_counted_is_worked_out(words: str, share: float) -> None:
    answer = answered(f"VELQ {words}", velq(OF_SITES))
    assert [(value.value, value.unit) for value in answer.values] == [(pytest.approx(share), "percent")]


@pytest.mark.parametrize(
    "question",
    [
        "What percentage of VELQ stores in 2025 are large",
        "VELQ inland retail units 2025 and what part of total retail units that is",
    ],
)
def test_a_share_that_is_not_worked_out_is_said_to_be_missing(question: str) -> None:
    assert not answered(question, velq(OF_SITES)).complete
