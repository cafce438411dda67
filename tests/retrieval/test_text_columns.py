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
IN_BASIS_POINTS = """Insurance Segment
The following table summarizes the segment's performance for the respective periods:
Change
Year Ended December 31, 2022 vs. 2021 2021 vs. 2020
In millions, except percentages and basis
points (“bps”) 2022 2021 2020 $ % $ %
Premiums $ 103,700 $ 95,600 $ 89,900 $ 8,100 8.5 % $ 5,700 6.3 %
Services 2,800 4,400 1,200 (1,600) (36.4)% 3,200 266.7 %
Total revenues 106,500 100,000 91,100 6,500 6.5 % 8,900 9.8 %
Benefit ratio (costs as a % of
premiums) 84.0 % 85.0 % 80.9% (100) bps 410 bps
"""
SHORT_YEARS = """Costs and expenses follow:
Year Ended December 31, % Change
(MILLIONS) 2021 2020 2019 21/20 20/19
Cost of sales $ 30,821 $ 8,484 $ 8,054 * 5
Percentage of revenues 37.9 % 20.4 % 19.7 %
Research expenses 13,829 9,393 8,385 47 12
Selling expenses 12,703 11,597 12,726 10 (9)
"""
MARKED = """Five-Year Summary
(Dollars in millions, except per share data)
2018 2017 2016 2015 2014
Operating cash flow $15,322 $13,346 $10,496 $9,363 $8,858
Total backlog $490,481 $474,640 $473,492 (2) $489,299 $502,391
Other results 100 (3) 2 8 9
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
        (IN_BASIS_POINTS, [2022, 2021, 2020, None, None, None, None]),
        (SHORT_YEARS, [2021, 2020, 2019, None, None]),
        (SHORT_YEARS.replace("21/20", "21/10"), [None] * 5),
    ],
    ids=[
        "differences and rates",
        "years of the change below",
        "two spans",
        "worse is negative",
        "basis points",
        "years of two digits",
        "no years of two digits",
    ],
)
def test_a_column_of_changes_has_no_year_and_the_others_have_their_own(text: str, years: list[int | None]) -> None:
    assert [column.fiscal_year for column in read(text).columns] == years


def test_the_spans_of_columns_stay_with_them_beside_changes() -> None:
    assert [column.months for column in read(TWO_SPANS).columns if column.fiscal_year] == [3, 3, 6, 6]


@pytest.mark.parametrize(
    ("text", "label", "values", "unit"),
    [
        (SEGMENT, "Pharmacy", [9.5, 9.3, 7.0, None, None, None, None], "percent"),
        (IN_BASIS_POINTS, "Benefit ratio", [84.0, 85.0, 80.9, None, None, None, None], "percent"),
        (IN_BASIS_POINTS.replace("410 bps", "610 bps"), "Benefit ratio", [None] * 7, "ratio"),
        (SHORT_YEARS, "Cost of sales", [30821e6, 8484e6, 8054e6, None, 5e6], "USD"),
        (MARKED, "Total backlog", [490481e6, 474640e6, 473492e6, 489299e6, 502391e6], "USD"),
        (MARKED, "Other results", [100e6, -3e6, 2e6, 8e6, 9e6], "USD"),
    ],
)
def test_figures_of_a_row_stand_under_its_years(text: str, label: str, values: list[float | None], unit: str) -> None:
    row = next(row for row in read(text).rows if row.label.startswith(label))
    found = [None if cell is None else cell.value for cell in row.cells]
    assert found == values
    assert row.unit == unit


def test_a_part_that_is_the_difference_of_two_columns_is_no_change() -> None:
    columns = read(PARTS).columns
    assert len(columns) == 3
    assert "change" not in [column.header for column in columns]


def test_a_figure_that_is_no_difference_keeps_the_years_of_the_header() -> None:
    table = read(WORSE_IS_NEGATIVE.replace("(40)", "91").replace(" 20\n", " 77\n"))
    assert "change" not in [column.header for column in table.columns]
