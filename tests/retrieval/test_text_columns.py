"""Columns of changes in tables of plain text: told by their figures, and never dated as a period."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tradingagents.retrieval.models import DocumentInfo, FiledTable, Page
from tradingagents.retrieval.text_tables import read_text_tables

INFO = DocumentInfo("k" * 64, "ACME 10-K 2022", "filing", "Acme", "ACME", "10-K", datetime(2023, 2, 1, tzinfo=UTC))

SEGMENT = """Retail Segment
The following table summarizes the segment's performance for the respective periods:
Change
Year Ended December 31, 2022 vs. 2021 2021 vs. 2020
In millions, except percentages 2022 2021 2020 $ % $ %
Products $ 103,700 $ 95,600 $ 89,900 $ 8,100 8.5 % $ 5,700 6.3 %
Services 2,800 4,400 1,200 (1,600) (36.4)% 3,200 266.7 %
Total revenues 106,500 100,000 91,100 6,500 6.5 % 8,900 9.8 %
Same store sales increase:
Pharmacy 9.5 % 9.3 % 7.0 %
"""
RATES = """Revenue by offering for fiscal 2022, 2021 and 2020 was as follows:
(dollars in millions) 2022 2021 2020
% Change
2022-2021
Creative $ 10,459 $ 9,546 $ 7,736 10 %
Documents 2,383 1,974 1,497 21 %
Total revenue $ 12,842 $ 11,520 $ 9,233 11 %
"""
TWO_SPANS = """Selected income statement data
Three months ended June 30, Six months ended June 30,
(in millions) 2023 2022 Change 2023 2022 Change
Payments $ 2,248 $ 1,253 79 % $ 4,276 $ 2,275 88 %
Lending 234 213 10 % 463 453 2 %
Other 47 138 (66) % 58 190 (69) %
"""
WORSE_IS_NEGATIVE = """Cost of revenue by kind
Years Ended December 31, Increase/
2022 2021 (Decrease)
Equipment 500 460 (40)
Services 300 320 20
Other 75 70 (5)
"""
PARTS = """Revenues by place, in millions
Three Months Ended July 2, 2023
Worldwide U.S. International
Medicines 7,967 4,455 3,512
Vaccines 7,294 1,063 6,231
Services 324 319 5
"""


def read(text: str) -> FiledTable:
    (table,) = read_text_tables([Page(1, text)], INFO)
    return table


@pytest.mark.parametrize(
    ("text", "years"),
    [
        (SEGMENT, [2022, 2021, 2020, None, None, None, None]),
        (RATES, [2022, 2021, 2020, None]),
        (TWO_SPANS, [2023, 2022, None, 2023, 2022, None]),
        (WORSE_IS_NEGATIVE, [2022, 2021, None]),
    ],
    ids=["differences and rates", "years of the change below", "two spans", "worse is negative"],
)
def test_a_column_of_changes_has_no_year_and_the_others_have_their_own(text: str, years: list[int | None]) -> None:
    assert [column.fiscal_year for column in read(text).columns] == years


def test_the_spans_of_columns_stay_with_them_beside_changes() -> None:
    assert [column.months for column in read(TWO_SPANS).columns if column.fiscal_year] == [3, 3, 6, 6]


def test_a_row_of_rates_without_changes_stands_under_its_years() -> None:
    row = read(SEGMENT).rows[-1]
    values = [None if cell is None else cell.value for cell in row.cells]
    assert values == [9.5, 9.3, 7.0, None, None, None, None]
    assert row.unit == "percent"


def test_a_part_that_is_the_difference_of_two_columns_is_no_change() -> None:
    columns = read(PARTS).columns
    assert len(columns) == 3
    assert "change" not in [column.header for column in columns]


def test_a_figure_that_is_no_difference_keeps_the_years_of_the_header() -> None:
    table = read(WORSE_IS_NEGATIVE.replace("(40)", "91").replace(" 20\n", " 77\n"))
    assert "change" not in [column.header for column in table.columns]
