"""Tables under the heading of a part of a company: rows of one name are told apart by it, and none stands for all."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import annual, answered, asked
from tradingagents.retrieval.lines.line_answer import LineAnswer
from tradingagents.retrieval.lines.read_tables import readable
from tradingagents.retrieval.models import SourceDocument

FIGURES = (1452, 1320, 232, 198, 150, 120)
PART = """\
{name}
Our {part} segment sells services of several kinds. Sales of the {part} segment rose as described below.
Operating Revenues and Selected Statistics
(dollars in millions)
Years Ended December 31,                      2025     2024
{rows}
{part}'s total operating revenues rose because of more customers than in the year before, as described above.
"""
CONSUMER = PART.format(
    name="Velquor Consumer Group",
    part="Consumer",
    rows="""\
Service                                   $    731  $    677
Total Operating Revenues                  $  1,035  $    953
Connections ('000):
Lumo video                                   3,234     3,573""",
)
BUSINESS = PART.format(
    name="Velquor Business Group",
    part="Business",
    rows="""\
Small companies                           $    126  $    117
Total Operating Revenues                  $    310  $    311
Connections ('000):
Lumo video                                      67        71""",
)
SPECIAL = """\
Special Items
Items of the whole company were as follows, and none of them is a result of a part of it by itself alone.
(dollars in millions)
Years Ended December 31,                      2025     2024
Severance                                 $     22  $     17
Relocation                                $     13  $     12
"""
OF_SEVERAL = """\
Sales of the Consumer segment and of the Business segment by kind
(in millions)
                                          Consumer  Business     Total
                                              2025      2025      2025
Handsets                                  $    201  $     88  $    289
"""


def velq(*pages: str) -> SourceDocument:
    return annual("VELQ", "Velquor Systems", 2025, FIGURES, *pages)


def given(answer: LineAnswer) -> dict[tuple[str, str], float | None]:
    return {(value.line, value.period): value.value for value in answer.values}


def test_a_table_has_the_part_under_whose_heading_it_stands() -> None:
    document = velq(CONSUMER, BUSINESS, SPECIAL)
    sections = {row.label: table.section for table in readable(document).tables for row in table.rows}
    assert (sections["Service"], sections["Small companies"]) == ("Consumer", "Business")
    assert (sections["Revenue"], sections["Severance"]) == ("", "")


def test_a_table_of_several_parts_has_none() -> None:
    document = velq(CONSUMER, BUSINESS + OF_SEVERAL)
    sections = {row.label: table.section for table in readable(document).tables for row in table.rows}
    assert sections["Handsets"] == ""


@pytest.mark.parametrize(("part", "thousands"), [("consumer", 3234), ("business", 67)])
def test_the_part_that_is_asked_for_chooses_the_row(part: str, thousands: int) -> None:
    answer = answered(f"VELQ {part} Lumo video connections 2025", velq(CONSUMER, BUSINESS))
    assert [value.value for value in answer.values] == [thousands * 1000.0]


def test_rows_of_one_name_in_two_parts_are_both_given_with_their_part() -> None:
    answer = answered("VELQ Lumo video connections 2025", velq(CONSUMER, BUSINESS))
    assert given(answer) == {
        ("lumo video connections (Consumer)", "FY2025"): 3_234_000.0,
        ("lumo video connections (Business)", "FY2025"): 67_000.0,
    }
    assert any("several parts" in note for note in answer.notes)


def test_a_change_of_rows_of_one_name_is_not_worked_out_of_one_of_them() -> None:
    answer = answered("VELQ Lumo video connections growth in 2025", velq(CONSUMER, BUSINESS))
    assert "Consumer" in answer.refusal
    assert "Business" in answer.refusal


WHOLE = """\
Consolidated results
(dollars in millions)
Years Ended December 31,                      2025     2024
Cost of handsets                          $    345  $    264
"""
OF_PARTS = PART.replace("{rows}", "Cost of handsets {cost}")


def test_the_whole_company_stands_before_its_parts() -> None:
    consumer = OF_PARTS.format(name="Velquor Consumer Group", part="Consumer", cost="$ 300 $ 200")
    business = OF_PARTS.format(name="Velquor Business Group", part="Business", cost="$ 45 $ 64")
    answer = answered("VELQ cost of handsets, 2025 and 2024", velq(WHOLE, consumer, business))
    assert [value.value for value in answer.values] == [264e6, 345e6]


OTHER_TABLES = """\
Cost of the {what}
(in millions)
Year Ended December 31,                        2025     2024
Freight                                    $     {now}  $     {before}
Storage                                          20       10
"""


def test_rows_of_one_name_in_two_tables_without_parts_are_named_and_none_is_taken() -> None:
    pages = (
        OTHER_TABLES.format(what="northern harbour", now=50, before=40),
        OTHER_TABLES.format(what="southern harbour", now=70, before=60),
    )
    answer = asked("VELQ freight 2025 and 2024", velq(*pages))
    assert answer is not None
    assert "northern harbour" in answer.refusal
    assert "southern harbour" in answer.refusal
