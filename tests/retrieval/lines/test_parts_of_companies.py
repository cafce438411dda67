"""Parts of a company: their ratios, their totals, regions that are no segments, short names, and what is refused."""

from __future__ import annotations

import pytest

from tests.retrieval.builders import filing
from tests.retrieval.lines.test_lines import VELQ_2024, VELQ_2025, annual, answered, asked, figures
from tradingagents.retrieval.index.companies import Companies
from tradingagents.retrieval.lines.store_lines import is_part
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.text_tables import with_text_tables

REVENUE = (1452, 1320, 232, 198, 150, 120)
SEGMENTS = """\
Segment results
(in millions)
Year Ended December 31,                        2025     2024
Net sales
Orbital U.S.                              $  800    $  700
Lunar Goods                                  652      620
Total net sales                           $  1,452  $  1,320
Operating income
Orbital U.S.                              $  160    $  105
Lunar Goods                                   72       93
Total operating income                    $  232    $  198
"""
PLACES = """\
Revenues by geography
(in millions)
Year Ended December 31,                        2025     2024
Revenues
U.S. operations                           $  1,000  $  900
Non-U.S. operations                          452      420
Total revenues                            $  1,452  $  1,320
"""
SHORT = """\
Our divisions are Orbital Goods Trading (OGT) and Lunar Trade Services (LTS), and Global Lunar Freight (GLF).
Segment results
(in millions)
Year Ended December 31,                        2025     2024
OGT revenue                               $  800    $  700
LTS revenue                                  652      620
GLF revenue                                   99       88
"""


def velq(*pages: str) -> SourceDocument:
    return annual("VELQ", "Velquor Systems", 2025, REVENUE, *pages)


def test_a_ratio_is_made_of_rows_that_name_one_part() -> None:
    answer = answered("VELQ operating margin of Orbital U.S. in 2024 and 2025", velq(SEGMENTS, PLACES))
    assert figures(answer) == {("VELQ", "FY2024"): pytest.approx(15.0), ("VELQ", "FY2025"): pytest.approx(20.0)}


def test_rows_of_different_parts_make_no_ratio() -> None:
    """The income of `Orbital U.S.` is not set over the revenues of `U.S. operations`."""
    lines = SEGMENTS.splitlines(keepends=True)
    income = "".join(lines[:3] + lines[7:])  # without the rows of net sales
    answer = asked("VELQ U.S. operating margin in 2024 and 2025", velq(income, PLACES))
    assert answer is None or all(value.value is None for value in answer.values)


def test_the_total_stands_beside_the_parts_and_is_no_part() -> None:
    answer = answered("VELQ net sales by segment in 2025 and in total", velq(SEGMENTS))
    assert {value.value for value in answer.values} == {800e6, 652e6, 1452e6}
    compared = answered("Which VELQ segment had the highest net sales in 2025, and in total?", velq(SEGMENTS))
    assert compared.winner.startswith("orbital")


def test_segments_are_no_regions() -> None:
    plain = SEGMENTS.replace("Orbital U.S.", "Orbital Home")
    answer = asked("VELQ net sales by region in 2025", velq(plain))
    assert answer is None or answer.refusal
    regions = answered("VELQ revenue by geography in 2025", velq(PLACES))
    assert {value.value for value in regions.values} == {1000e6, 452e6, 1452e6}


def test_a_name_is_found_by_the_short_one_that_the_filing_gives_it() -> None:
    answer = answered("VELQ revenue of Orbital Goods Trading in 2024 and 2025", velq(SHORT))
    assert figures(answer) == {("VELQ", "FY2024"): 700, ("VELQ", "FY2025"): 800}
    assert any("OGT" in note for note in answer.notes)
    longer = asked("VELQ revenue of Lunar Freight in 2024 and 2025", velq(SHORT))  # it is Global Lunar Freight
    assert longer is None or longer.refusal


def test_an_ordinary_word_in_capitals_names_no_company() -> None:
    stored = Companies([("IBM", "INTERNATIONAL BUSINESS MACHINES CORPORATION"), ("HD", "HOME DEPOT, INC.")])
    assert stored.named("North America versus International, and Other International") == frozenset()
    assert stored.named("Fabric & Home Care") == frozenset()
    assert stored.named("IBM and Home Depot") == {"IBM", "HD"}


def test_a_filing_of_a_company_that_another_owns_now_is_not_the_owner_s() -> None:
    assert is_part("Activision Blizzard", "MSFT")
    assert not is_part("INTERNATIONAL BUSINESS MACHINES CORPORATION", "IBM")
    page = "Statements of Operations\n(in millions)\nYear Ended December 31,  2019  2018\nRevenue  $ 6,489  $ 7,500\n"
    owned = with_text_tables(filing([page], symbol="MSFT", company="Activision Blizzard", year=2019))
    answer = asked("Microsoft revenue in 2018 and 2019", owned)
    assert answer is None or answer.refusal


def test_the_whole_of_a_share_is_what_stands_after_of() -> None:
    lines = """\
Sales
(in millions)
Year Ended December 31,                        2025     2024
Orbital Direct revenue                    $  200    $  150
Orbital Brand revenue                        800      600
"""
    answer = answered("VELQ Orbital Direct share of Orbital Brand revenue in 2024 and 2025", velq(lines))
    assert [value.value for value in answer.values] == [pytest.approx(25.0), pytest.approx(25.0)]


COMPARABLE = """\
Sales data
Year Ended December 31,                        2025     2024
Increases in comparable sales:
U.S.                                            15 %      8 %
Canada                                          20 %      5 %
Total Company                                   16 %      8 %
Increases in comparable sales excluding the impact of changes in foreign currency and gasoline prices:
U.S.                                            14 %      9 %
Canada                                          12 %      7 %
Total Company                                   13 %      9 %
"""


@pytest.mark.parametrize(
    "question",
    [
        "VELQ 2025 comps stripping out gasoline prices and FX - U.S., Canada and total",
        "VELQ 2025 comparable sales excluding FX and gasoline price changes: US, Canada, total",
    ],
)
def test_what_is_left_out_beside_currency_is_left_out_too(question: str) -> None:
    answer = answered(question, velq(COMPARABLE))
    assert [value.value for value in answer.values] == [14.0, 12.0, 13.0]
    with_them = answered("VELQ 2025 comparable sales: US, Canada, total", velq(COMPARABLE))
    assert [value.value for value in with_them.values] == [15.0, 20.0, 16.0]
    another = asked(question.replace("gasoline", "timber"), velq(COMPARABLE))
    assert another is None or all(value.value is None for value in another.values)


def test_growth_of_years_that_are_named_is_that_of_each() -> None:
    both = answered("VELQ revenue growth in 2024 and 2025", VELQ_2024, VELQ_2025)
    assert {round(result.value or 0.0, 6) for result in both.results} == {10.0}  # 1,200 to 1,320 to 1,452
    assert len(both.results) == 2
    alone = answered("VELQ revenue growth in 2024 and 2025", VELQ_2025)
    assert len(alone.results) == 1
    assert any("2024 is not given" in note for note in alone.notes)
    span = answered("VELQ revenue growth from 2024 to 2025", VELQ_2024, VELQ_2025)
    assert len(span.results) == 1


def test_home_and_abroad_are_no_segments() -> None:
    answer = asked(
        "VELQ revenue by segment in 2025",
        velq(
            PLACES.replace("U.S. operations", "United States")
            .replace("Non-United States", "International")
            .replace("geography", "segment")
        ),
    )
    assert answer is None or answer.refusal


def test_a_second_basis_is_answered_beside_the_first() -> None:
    core = """\
Reconciliation
(in millions, except per share amounts)
Year Ended December 31,                        2025     2024
Core diluted earnings per share             $  2.09  $  2.07
"""
    answer = answered("VELQ core EPS versus GAAP EPS in 2024 and 2025", velq(core))
    assert {value.line for value in answer.values} == {"core earnings per share", "earnings per share"}


def test_names_joined_by_and_are_one_row_only_where_the_row_has_them_all() -> None:
    answer = answered("VELQ net sales of Lunar Goods and Orbital U.S. in 2025", velq(SEGMENTS))
    assert {value.value for value in answer.values} == {652e6, 800e6}
    lost = asked("VELQ net sales of Lunar Goods and timber in 2025", velq(SEGMENTS))
    assert lost is None or not lost.complete


def test_subscription_revenue_by_segment_is_not_revenue_by_segment() -> None:
    page = """\
Subscription revenue by segment for fiscal 2025 and 2024 was as follows:
(in millions)
Year Ended December 31,                        2025     2024
Digital Orbit                             $  388    $  337
Digital Moon                                 612      560
"""
    answer = asked("VELQ Digital Orbit revenue in 2024 and 2025", velq(page))
    assert answer is None or not any(value.value for value in answer.values)
    told = answered("VELQ Digital Orbit subscription revenue in 2024 and 2025", velq(page))
    assert figures(told) == {("VELQ", "FY2024"): 337, ("VELQ", "FY2025"): 388}


@pytest.mark.parametrize("name", ["dividends per share", "dps", "dividend a share"])
def test_dividends_per_share_are_not_the_dividends_paid(name: str) -> None:
    page = """\
Cash flows
(in millions)
Year Ended December 31,                        2025     2024
Dividends paid                              $ (467)   $ (428)
"""
    answer = asked(f"VELQ {name} 2024 to 2025", velq(page))
    assert answer is None or not any(value.value for value in answer.values)
    stated = """\
Share data
(in dollars)
Year Ended December 31,                        2025     2024
Dividends declared per common share         $ 2.62   $ 2.41
"""
    told = answered(f"VELQ {name} 2024 to 2025", velq(page, stated))
    assert {value.value for value in told.values} == {2.62, 2.41}


def test_a_share_may_be_asked_for_beside_the_figure_and_of_each_part() -> None:
    beside = answered("VELQ Europe revenue in 2025, and share of total revenue, 2025", velq(REGIONS_OF_SALES))
    assert [value.unit for value in beside.values] == ["USD", "percent"]
    each = answered("What share of VELQ 2025 revenue came from each region?", velq(REGIONS_OF_SALES))
    assert {value.unit for value in each.values} == {"percent"}


REGIONS_OF_SALES = """\
Revenue by geographic region
(in millions)
Year Ended December 31,                        2025     2024
Americas                                   $     900  $    700
Europe                                             400      420
Asia Pacific                                       152      200
Total revenue                              $   1,452  $  1,320
"""
