"""A row answers where every word of the question and every word of its own name is accounted for."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import FIGURES, PARTS, annual, answered, asked
from tests.retrieval.lines.test_rows_of_tables import velq

YEARS = "Year Ended December 31,                        2025     2024\n"
PEOPLE = f"""\
Selected data
(in millions, except headcount)
{YEARS}Revenue                                    $   1,452  $  1,320
Employee benefits                                  386      350
Headcount                                        2,310    2,150
"""
BENEFITS = f"""\
Accrued liabilities
(in millions)
{YEARS}Employee benefits                          $     386  $    350
Warranties                                          40       38
"""
WORKFORCE = (
    "Our people. At December 31, 2025, we had approximately 2,310 active employees, 40% of them in Norway. We hire."
)
ADS = f"""\
Revenue by source
(in millions)
{YEARS}Video ads                                  $     300  $    250
Licences                                         1,152    1,070
Total revenue                              $   1,452  $  1,320
"""
PRODUCTS = f"""\
Net revenues by product
(in millions)
{YEARS}Velomab United States                      $     300  $    250
International                                      100       80
Total                                      $       400  $    330
"""
REGIONS = f"""\
Revenue by geographic region
(in millions)
{YEARS}Americas                                   $     900  $    700
Europe                                             400      420
Asia Pacific                                       152      200
Total revenue                              $   1,452  $  1,320
"""
COUNTRIES = f"""\
Revenue by geographic area
(in millions)
{YEARS}United States                              $     800  $    650
China                                              100      150
Other countries                                    552      520
Total revenue                              $   1,452  $  1,320
"""


def figures(question: str, *pages: str) -> list[float | None]:
    return [value.value for value in answered(question, velq(*pages)).values]


def test_people_are_no_amount_of_money() -> None:
    answer = asked("VELQ number of employees in 2025", velq(BENEFITS))
    assert answer is None or answer.refusal


def test_what_a_caption_excepts_from_its_scale_is_counted_as_printed() -> None:
    assert figures("VELQ headcount in 2025 and 2024", PEOPLE) == [2150.0, 2310.0]


def test_an_amount_for_one_member_that_is_excepted_leaves_the_members_in_the_caption_s_scale() -> None:
    page = f"(in thousands, except revenue per membership)\n{YEARS}Paid memberships            1,250      1,100\n"
    assert figures("VELQ paid memberships 2024 and 2025", page) == [1_100_000.0, 1_250_000.0]


@pytest.mark.parametrize(
    "question", ["VELQ headcount at the end of 2025", "How many employees does VELQ have, FY2025?"]
)
def test_people_are_counted_in_a_sentence_that_tells_the_day(question: str) -> None:
    answer = answered(question, velq(WORKFORCE))
    assert [value.value for value in answer.values] == [2310.0]
    assert answer.values[0].operands[0].text == "2,310"


def test_a_sentence_without_the_day_of_the_year_s_end_counts_nobody() -> None:
    answer = asked("VELQ headcount at the end of 2025", velq("In spring we had approximately 2,310 active employees."))
    assert answer is None or answer.refusal


def test_a_narrower_row_is_not_the_one_that_is_asked_for() -> None:
    assert answered("VELQ ads revenue, 2025 vs 2024", velq(ADS)).refusal
    assert figures("VELQ video ads revenue, 2025 vs 2024", ADS) == [250e6, 300e6]


def test_a_product_worldwide_is_the_total_below_its_name() -> None:
    assert figures("VELQ Velomab global net revenues 2024 and 2025", PRODUCTS) == [330e6, 400e6]


def test_regions_are_taken_before_countries() -> None:
    regions = answered("VELQ fy25 by region, which grew fastest and which shrank", velq(COUNTRIES, REGIONS))
    assert regions.winner == "americas highest, asia pacific lowest"
    countries = answered("Which country of VELQ had the highest revenue in 2025?", velq(COUNTRIES))
    assert countries.winner == "united states"


FIVE_YEARS = """\
Five-year summary
(in millions)
Year Ended December 31,                      2025     2024     2023
Company backlog                          $    900  $   800  $   700
"""
OWN_BACKLOG = f"""\
The following table shows orders:
(in millions)
{YEARS}Backlog                                    $     500  $    400
Cancelled                                           20       10
"""


def test_the_rest_of_a_table_is_not_told_by_the_word_other() -> None:
    rest = f"Other income\n(in millions)\n{YEARS}Other                                  $      40  $     38\n"
    for question in ("VELQ other in fiscal 2025", "What was translation and other of VELQ in fiscal 2025?"):
        answer = asked(question, velq(rest))
        assert answer is None or not answer.complete
    assert figures("VELQ other countries revenue in fiscal 2025", COUNTRIES) == [552e6]


def test_figures_of_two_rows_that_differ_are_not_one_line() -> None:
    answer = answered("VELQ backlog, 2023 through 2025", velq(FIVE_YEARS, OWN_BACKLOG))
    assert [value.value for value in answer.values] == [None, 400e6, 500e6]
    assert "differ" in answer.values[0].gap


def test_a_row_of_years_has_no_figures() -> None:
    page = f"Reconciliation\n{YEARS}Per Share Data                          2025     2024\nOther      3.10    2.90\n"
    answer = asked("VELQ adjusted EPS 2025 and 2024", velq(page))
    assert answer is None or all(value.value != 2025.0 for value in answer.values)


NAMED = f"""\
Other data
(in millions)
{YEARS}Adjusted free cash flow productivity             87%      83%
Gross margin total Velomab                     18.4%    19.4%
Gross margin total Velomab and services        16.9%    18.2%

Segments
(in millions)
{YEARS}Velomab revenue                            $   1,000  $    900
Velomab gross profit                             150      160
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("VELQ adjusted free cash flow productivity 2024 and 2025", [83.0, 87.0]),
        ("VELQ Velomab gross margin in 2024 and 2025", [19.4, 18.4]),
        ("How many Velomab did VELQ sell in 2024 and 2025: net revenues", [330e6, 400e6]),
        ("Velomab business net revenues of VELQ in 2024 and 2025", [330e6, 400e6]),
    ],
)
def test_a_row_is_found_by_all_of_its_name_and_no_verb_is_a_part_of_it(question: str, expected: list[float]) -> None:
    assert figures(question, NAMED if "margin" in question or "free" in question else PRODUCTS) == expected


def test_a_brand_among_regions_is_no_region() -> None:
    page = REGIONS.replace("152      200", "142      190").replace(
        "Total revenue", "Velomab                                             10       10\nTotal revenue"
    )
    assert answered("Which region of VELQ had the lowest revenue in 2025?", velq(page)).winner == "asia pacific"


LOST = f"""\
Results of Velomab
(in millions)
{YEARS}Revenue                                    $     300  $    250
Loss from operations                       $     (90) $    (70)
"""


def test_the_loss_of_a_part_is_its_operating_loss() -> None:
    assert figures("VELQ Velomab loss in 2024 and 2025", LOST) == [-70e6, -90e6]


TAXES = """\
Accrued liabilities
(in millions)
December 31,               2025     2024
Taxes payable
Domestic taxes         $     30  $    20
Foreign taxes                15       10
Total taxes payable    $     45  $    30
"""


@pytest.mark.parametrize(
    ("question", "refusal", "values", "winner"),
    [
        ("What share of total taxes payable was foreign taxes at VELQ in fiscal 2025?", "a share is asked", [], ""),
        ("What percentage of total revenue was Cloud Nine of VELQ in 2025?", "", [100 * 900 / 1452], ""),
        ("Total taxes payable or foreign taxes of VELQ in 2025: which is higher?", "", [45e6, 15e6], "taxes payable"),
        (
            "Net cash provided by operating activities or foreign taxes of VELQ in 2025: which is higher?",
            "",
            [300e6, 15e6],
            "net cash provided by operating activities",
        ),
    ],
)
def test_a_figure_alone_is_neither_a_share_nor_a_comparison(
    question: str, refusal: str, values: list[float], winner: str
) -> None:
    answer = asked(question, annual("VELQ", "Velquor Systems", 2025, FIGURES, PARTS, TAXES))
    assert answer is not None
    assert bool(answer.refusal) == bool(refusal)
    assert refusal in answer.refusal
    assert [value.value for value in answer.values] == pytest.approx(values)
    assert answer.winner == winner


def test_an_item_is_no_share_of_itself() -> None:
    taxes = """\
Income taxes consisted of the following:
(in millions)
Year Ended December 31,    2025     2024
Current tax expense
Total                  $     39  $    30
Total tax expense      $     45  $    33
"""
    question = "What share of total tax expense was current tax expense total at VELQ in fiscal 2025?"
    assert asked(question, annual("VELQ", "Velquor Systems", 2025, FIGURES, PARTS, taxes)) is None
