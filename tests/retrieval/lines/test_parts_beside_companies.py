"""A part of one company beside another company, and names that go on that of their company."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import FIGURES, MODZ_2025, annual, answered, asked, figures
from tradingagents.retrieval.lines.asked.names_of_brands import with_common_rest
from tradingagents.retrieval.lines.asked.read_question import read_line_question
from tradingagents.retrieval.lines.line_questions import COMPANY_MARK
from tradingagents.retrieval.lines.store_lines import is_part
from tradingagents.retrieval.models import SourceDocument

PLACES = """\
Revenues by place
(in millions)
Year Ended December 31,                        2025     2024
U.S. operations                           $  1,000  $  900
Non-U.S. operations                          452      420
Total revenues                            $  1,452  $  1,320
"""
SEGMENTS = """\
Segment results
(in millions)
Year Ended December 31,                        2025     2024
Velquor U.S.
Net sales                                 $  800    $  700
Operating income                             160      105
"""
AVERAGES = """\
Selected sales data
Year Ended December 31,                        2025     2024
Average discount rate                        2.50 %    2.25 %
"""


def velq(*pages: str) -> SourceDocument:
    return annual("VELQ", "Velquor Systems", 2025, FIGURES, *pages)


def test_a_place_after_the_company_s_name_is_the_segment_so_called() -> None:
    """`Velquor U.S.` is a segment, and no more of the U.S. operations than it."""
    answer = answered("Velquor U.S. net sales in 2025 vs MODZ net sales in 2025", velq(PLACES, SEGMENTS), MODZ_2025)
    assert figures(answer) == {("VELQ", "FY2025"): 800, ("MODZ", "FY2025"): 800}


def test_a_name_that_goes_on_that_of_its_company_is_a_part_of_it() -> None:
    assert is_part("UnitedHealthcare", "UNH")
    assert not is_part("UnitedHealth", "UNH")
    assert not is_part("JPMorganChase", "JPM")
    assert not is_part("McDonalds", "MCD")


def test_one_figure_is_no_answer_to_what_is_set_against_another() -> None:
    answer = asked("VELQ vs Velquor U.S. operating income 2025", velq(PLACES, SEGMENTS))
    assert answer is None or answer.refusal


def test_rows_of_averages_are_not_averaged_again() -> None:
    answer = answered("VELQ average discount rate in 2024 and 2025", velq(AVERAGES))
    assert [value.value for value in answer.values] == pytest.approx([2.25, 2.50])
    assert [result.name[:6] for result in answer.results] == ["Change"]


def test_dashes_agree_and_tell_nothing() -> None:
    page = """\
Orbital revenue by product
(in millions)
Year Ended December 31,                        2025     2024
Hats
U.S.                                      $  410    $  380
Worldwide                                    500       450
Gowns
U.S.                                           -         -
Worldwide                                    390       320
Shoes
U.S.                                           -         -
Worldwide                                     20        10
"""
    answer = asked("VELQ U.S. revenue in 2024 and 2025", velq(page))
    given = [] if answer is None else [value.value for value in answer.values if value.value is not None]
    assert 0 not in given


def test_words_after_the_last_of_two_brands_are_of_both() -> None:
    one, other = chr(COMPANY_MARK), chr(COMPANY_MARK + 1)
    read = read_line_question(f"{one} Care vs {other} Brand members in 2022")
    asked = with_common_rest(read, {0: "care", 1: "brand"})
    assert (asked.labels, asked.own_labels) == (("members",), ((0, "care"), (1, "brand")))
    assert with_common_rest(read, {1: "brand"}) == read
