"""Tables read from the text of pages that are laid out row by row."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from tradingagents.retrieval.models import DocumentInfo, FiledTable, Page, Row
from tradingagents.retrieval.text_figures import parse_figure
from tradingagents.retrieval.text_tables import read_text_tables

INFO = DocumentInfo("k" * 64, "ACME 10-K 2023", "filing", "Acme", "ACME", "10-K", datetime(2024, 2, 1, tzinfo=UTC))

INCOME = """Acme Corporation
Consolidated Statements of Income
Years ended December 31
(Millions, except per share amounts) 2023 2022 2021
Net sales $ 1,200 $ 1,100 $ 1,000
Operating expenses
Cost of sales (3) 700 650 600
Selling, general and administrative expenses 200 190 180
Total operating expenses 900 840 780
Operating income 300 260 220
Other, net — (5) 2
Income before income taxes 300 255 222
Provision for income taxes 60 50 44
Net income $ 240 $ 205 $ 178
Earnings per common share
Basic $ 2.40 $ 2.05 $ 1.78
Diluted $ 2.38 $ 2.04 $ 1.77
Weighted-average number of shares outstanding
Basic 100 100 100
Diluted 101 100 101
The accompanying notes are an integral part of these statements.
41"""

BALANCE = """Beta Stores, Inc.
CONSOLIDATED BALANCE SHEETS
(In thousands, except par value)
November 27,
2015
November 28,
2014
ASSETS
Current assets:
Cash and cash equivalents......................................... $ 876,560 $ 1,117,400
Trade receivables, net of allowances of $7,293 and $7,867, respectively....... 672,006 591,800
Total current assets................. 1,548,566 1,709,200
Property and equipment, net......... 787,421 785,123
Total assets.......... $ 2,335,987 $ 2,494,323
LIABILITIES AND STOCKHOLDERS’ EQUITY
Current liabilities:
Trade payables........... $ 93,307 $ 68,377
Total current liabilities........ 93,307 68,377
Stockholders’ equity:
Common stock, $0.0001 par value; 900,000 shares authorized; 600,834 shares issued;
497,809 and 497,484 shares outstanding, respectively....... 61 61
Retained earnings........ 2,242,619 2,425,885
Total stockholders’ equity........ 2,242,680 2,425,946
Total liabilities and stockholders’ equity..... $ 2,335,987 $ 2,494,323"""  # noqa: RUF001

NOTED = """Gamma plc
Condensed Consolidated Statements of Income (Unaudited)
$ in millions, except per share amounts
Three Months Ended Six Months Ended
Notes July 29, 2023 July 30, 2022 July 29, 2023 July 30, 2022
Revenue 2 $ 9,583 $ 10,329 $ 19,050 $ 20,976
Cost of sales 3 7,365 8,050 14,681 16,344
Gross profit 2,218 2,279 4,369 4,632
Comparable sales growth (6.2)% (12.1)% (8.2)% (10.1)%"""


def tables(text: str, info: DocumentInfo = INFO) -> tuple[FiledTable, ...]:
    return read_text_tables([Page(0, text)], info)


def row(table: FiledTable, label: str) -> Row:
    return next(each for each in table.rows if each.label.startswith(label))


def values(found: Row) -> list[float | None]:
    return [cell.value if cell else None for cell in found.cells]


def test_years_named_beside_the_unit_are_the_columns() -> None:
    (table,) = tables(INCOME)
    assert [(column.fiscal_year, column.period_start, column.period_end) for column in table.columns] == [
        (year, date(year, 1, 1), date(year, 12, 31)) for year in (2023, 2022, 2021)
    ]
    assert table.statement == "income"
    assert "Consolidated Statements of Income" in table.title


def test_figures_carry_scale_sign_unit_and_their_place() -> None:
    (table,) = tables(INCOME)
    other = row(table, "Other, net")
    assert values(other) == [0.0, -5e6, 2e6]
    assert (other.unit, other.scale) == ("USD", 1e6)
    place = other.cells[1].place if other.cells[1] else None
    assert place is not None
    assert INCOME[place.start : place.end] == "(5)"


def test_per_share_rows_and_numbers_of_shares_have_units_of_their_own() -> None:
    (table,) = tables(INCOME)
    per_share = [each for each in table.rows if each.label == "Diluted"]
    assert [(each.unit, each.cells[0].value) for each in per_share if each.cells[0]] == [
        ("USD/share", 2.38),
        ("shares", 101e6),
    ]


def test_a_footnote_number_is_not_a_figure_of_the_row() -> None:
    (table,) = tables(INCOME)
    assert values(row(table, "Cost of sales")) == [700e6, 650e6, 600e6]


def test_a_caption_under_the_header_counts_before_those_of_other_tables() -> None:
    page = """Key figures
Three Months Ended December 31, 2022 2021
(Dollars in millions)
Casino revenue $ 145 $ 273
Table revenue $ 19 $ 51
The following table summarizes the share of income from affiliates, none of which is consolidated in these statements:
Three Months Ended December 31, 2022 2021
(In thousands)
First venture $ 12 $ 38,941
Other venture 7,335 9,919"""
    first, second = tables(page)
    assert values(row(first, "Casino")) == [145e6, 273e6]
    assert values(row(second, "Other venture")) == [7_335e3, 9_919e3]


def test_a_page_number_is_not_a_row() -> None:
    (table,) = tables(INCOME)
    assert table.rows[-1].label == "Diluted"


def test_a_date_on_two_lines_is_one_column() -> None:
    (table,) = tables(BALANCE)
    assert [column.header for column in table.columns] == ["November 27, 2015", "November 28, 2014"]
    assert table.statement == "balance"


def test_figures_within_a_label_stay_in_the_label() -> None:
    found = row(tables(BALANCE)[0], "Trade receivables")
    assert found.label == "Trade receivables, net of allowances of $7,293 and $7,867, respectively"
    assert values(found) == [672006e3, 591800e3]


def test_a_long_label_is_joined_and_a_row_of_equity_is_an_amount() -> None:
    found = row(tables(BALANCE)[0], "Common stock")
    assert found.label.endswith("497,809 and 497,484 shares outstanding, respectively")
    assert (found.unit, values(found)) == ("USD", [61e3, 61e3])


def test_a_total_closes_the_section_that_it_sums() -> None:
    (table,) = tables(BALANCE)
    assert row(table, "Total current assets").headings == ("ASSETS", "Current assets")
    assert row(table, "Property and equipment").headings == ("ASSETS",)
    assert row(table, "Trade payables").headings[-1] == "Current liabilities"


def test_a_quarter_and_its_year_to_date_are_different_columns() -> None:
    (table,) = tables(NOTED)
    assert [(column.period_start, column.period_end) for column in table.columns] == [
        (date(2023, 4, 30), date(2023, 7, 29)),
        (date(2022, 4, 30), date(2022, 7, 30)),
        (date(2023, 1, 30), date(2023, 7, 29)),
        (date(2022, 1, 31), date(2022, 7, 30)),
    ]


def test_note_numbers_before_the_figures_are_left_out() -> None:
    (table,) = tables(NOTED)
    revenue = row(table, "Revenue")
    assert revenue.label == "Revenue"
    assert values(revenue) == [9583e6, 10329e6, 19050e6, 20976e6]
    assert row(table, "Comparable sales growth").unit == "percent"
    assert values(row(table, "Comparable sales growth"))[0] == -6.2


def test_a_header_and_two_rows_on_one_line_are_told_apart() -> None:
    text = (
        "CONSOLIDATED STATEMENTS OF CASH FLOWS\n(In thousands)\n"
        "Year Ended December 31, 2018 2017 2016 Net income $ 583 "
        "$ 2,088 $ 1,235\nLoss on retirement of debt 3,619 45,696 66,933 "
        "Provision for doubtful accounts 39,762 20,603 10,863"
    )
    (table,) = tables(text)
    assert [column.fiscal_year for column in table.columns] == [2018, 2017, 2016]
    assert [(each.label, values(each)[0]) for each in table.rows] == [
        ("Net income", 583e3),
        ("Loss on retirement of debt", 3619e3),
        ("Provision for doubtful accounts", 39762e3),
    ]


def test_a_row_with_too_few_figures_has_no_cells_rather_than_wrong_ones() -> None:
    (table,) = tables(INCOME.replace("Other, net — (5) 2", "Other, net (5) 2"))
    assert row(table, "Other, net").cells == (None, None, None)


def test_the_fiscal_year_of_a_date_follows_the_companys_own_calendar() -> None:
    text = (
        "Balance Sheets\n(In millions)\n"
        "January 28, 2023 January 29, 2022\nTotal assets 10 20\nCash 3 4\nInventories 1 1"
    )
    named = tables(text, replace(INFO, fiscal_year=2022, period_end=date(2023, 1, 28)))[0]
    assert [column.fiscal_year for column in named.columns] == [2022, 2021]
    assert [column.fiscal_year for column in tables(text)[0].columns] == [2023, 2022]


def test_prose_makes_no_table() -> None:
    assert (
        tables(
            "We opened 12 stores in 2023 and closed 4.\nOur fiscal year ends on January 31, 2024.\nRevenue rose 4 %."
        )
        == ()
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(1,577)", -1577.0),
        ("—", 0.0),
        ("8.70", 8.7),
        ("-3.7", -3.7),
        ("( 12 )", -12.0),
        ("NM", None),
        ("(3.2)%", -3.2),
    ],
)
def test_printed_figures(text: str, value: float | None) -> None:
    assert parse_figure(text) == value


def test_years_behind_other_words_head_the_rows_below_them() -> None:
    text = "Year ended December 31,\nNet sales (Millions) 2023 2022 2021\nPumps 30 20 10\nValves 12 11 10\n"
    (table,) = tables(text)
    assert [column.fiscal_year for column in table.columns] == [2023, 2022, 2021]
    assert [row.label for row in table.rows] == ["Pumps", "Valves"]
    (rates,) = tables("Pension plans\n2023 2022\nDiscount rate 5% 4%\nYear that the rate is reached 2029 2028\n")
    assert rates.rows[-1].label == "Year that the rate is reached"  # figures that are years


@pytest.mark.parametrize(
    ("header", "row", "years"),
    [
        ("2023 2022 Change 2023 2022 Change", "Sales 5 4 25% 9 8 13%", [2023, 2022, None, 2023, 2022, None]),
        ("2023 2022 2021 2023 vs. 2022 2022 vs. 2021", "Sales 6 5 4 1 20% 1 25%", [2023, 2022, 2021, *[None] * 4]),
        ("2023 (1) 2022 2021 2020", "Sales 6 5 4 3", [2023, 2022, 2021, 2020]),
        ("2019 2020 2021 2022 2023 (1)", "Sales 3 4 5 6 7", [2019, 2020, 2021, 2022, 2023]),
        ("2023 2022 Change", "Sales 6 5 1 20%", [2023, 2022, None, None]),
    ],
)
def test_changes_and_notes_beside_years_are_no_years(header: str, row: str, years: list[int | None]) -> None:
    (table,) = tables(f"Results (in millions)\n{header}\n{row}\n{row.replace('Sales', 'Orders')}\n")
    assert [column.fiscal_year for column in table.columns] == years


def test_each_year_has_the_day_before_it() -> None:
    (table,) = tables("(in millions)\nMarch 31,\n2024\nDecember 31,\n2023 Change\nCash $ 25 $ 24 4 %\nLoans 11 10 10\n")
    assert [column.period_end for column in table.columns] == [date(2024, 3, 31), date(2023, 12, 31), None]


def test_quarters_stand_over_two_years_each() -> None:
    (table,) = tables(
        "First Quarter Second Quarter\nFiscal Year Fiscal Year\n2023 2022 2023 2022\nNet sales 5 4 6 5\nCost 3 2 4 3\n"
    )
    assert [column.header for column in table.columns] == [
        "First Quarter 2023", "First Quarter 2022", "Second Quarter 2023", "Second Quarter 2022"
    ]  # fmt: skip


def test_a_caption_is_no_heading_of_rows() -> None:
    text = (
        "Years ended December 31,\n2023 2022\n(in thousands, except percentages)\nSales $ 5 $ 4\nAs % of cost 3% 2%\n"
    )
    (table,) = tables(text)
    assert all(each.headings == () for each in table.rows)


def test_the_label_of_a_sum_over_two_lines_is_no_heading() -> None:
    text = "Years ended December 31,\n2023 2022\nPumps $ 5 $ 4\nTOTAL BRAND WHOLESALE EQUIVALENT\nREVENUES 9 8\n"
    (table,) = tables(text)
    assert [each.label for each in table.rows] == ["Pumps", "TOTAL BRAND WHOLESALE EQUIVALENT REVENUES"]


def test_what_is_counted_in_thousands_is_no_money() -> None:
    text = (
        "Operating Revenues and Statistics\n(dollars in millions)\nYears Ended December 31, 2023 2022\n"
        "Service $ 73,139 $ 67,733\nConnections (\u2018000):(1)\nRetail postpaid 91,856 91,543\n"
        "Total retail 91,856 91,543\nFiber video 3,234 3,573\n"
        "Churn Rate:\nRetail postpaid 1.01 % 0.89 %\nRevenues (\u2018000):\nOther 12 11\n"
        "Unit counts\nDomestic segment 4,756 4,769\nClub segment 599 597\nOther figures\nInterest 5 4\n"
    )
    (table,) = tables(text)
    found = {(each.label, each.unit): values(each)[0] for each in table.rows}
    assert found[("Fiber video", "count")] == 3_234_000
    assert found[("Retail postpaid", "count")] == 91_856_000
    assert found[("Retail postpaid", "percent")] == pytest.approx(1.01)
    assert found[("Service", "USD")] == 73_139e6
    assert found[("Other", "USD")] == 12e6
    assert found[("Domestic segment", "count")] == 4756
    assert found[("Interest", "USD")] == 5e6


OF_DOLLARS = """Net Revenues by Distribution Channel
Changes are due to the value of the U.S. dollar relative to the British pound.
(amounts in millions):
For the Years Ended December 31,
2019 2018
Digital channels $ 4,932 $ 5,786
Retail channels 909 1,107
Total net revenues $ 5,841 $ 6,893"""


def test_a_dollar_sign_is_of_no_currency_that_only_the_prose_above_names() -> None:
    (table,) = tables(OF_DOLLARS)
    assert values(row(table, "Digital channels")) == [4932e6, 5786e6]
    assert row(table, "Digital channels").unit == "USD"
