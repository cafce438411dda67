"""Lines read from tables in the shapes that filings have, of an invented company."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from tests.retrieval.builders import filing
from tests.retrieval.lines.test_lines import STORED, annual, answered, asked, figures
from tradingagents.retrieval.lines.read_tables import readable
from tradingagents.retrieval.models import Column, FiledTable, Row, SourceDocument, TableCell
from tradingagents.retrieval.text_tables import with_text_tables

REVENUE = (1452, 1320, 232, 198, 150, 120)
SEGMENTS = """\
Segment results
(in millions)
Year Ended December 31,                        2025     2024
Net sales
Orbital Systems and Services              $  800    $  700
Lunar Goods                                  652      620
Total net sales                           $  1,452  $  1,320
Operating income
Orbital Systems and Services              $  160    $  105
Lunar Goods                                   72       93
Total operating income                    $  232    $  198
"""
COMPARABLE = """\
Selected sales data
Year Ended December 31,                        2025     2024
Comparable store sales                          3.1 %   (1.8)%
"""


def velq(*pages: str) -> SourceDocument:
    return annual("VELQ", "Velquor Systems", 2025, REVENUE, *pages)


def test_a_segment_is_found_by_its_first_word_and_its_margin_worked_out() -> None:
    answer = answered("VELQ orbital op margin 2024 vs 2025", velq(SEGMENTS))
    assert figures(answer) == {("VELQ", "FY2024"): pytest.approx(15.0), ("VELQ", "FY2025"): pytest.approx(20.0)}
    assert [result.value for result in answer.results] == [pytest.approx(5.0)]
    assert answer.winner == "FY2025"


def test_segments_set_against_each_other_have_a_winner_and_the_points_between_them() -> None:
    question = "Who had the better operating margin in 2025, Orbital or Lunar Goods, and by how many points?"
    answer = answered(f"VELQ: {question}", velq(SEGMENTS))
    assert answer.winner.startswith("orbital")
    points = 100 * (160 / 800 - 72 / 652)
    assert [result.value for result in answer.results] == [pytest.approx(points)]


def test_comps_are_the_row_of_comparable_sales() -> None:
    answer = answered("VELQ comps 2024 and 2025", velq(COMPARABLE))
    assert figures(answer) == {("VELQ", "FY2024"): -1.8, ("VELQ", "FY2025"): 3.1}


def test_a_part_is_taken_from_the_whole_of_its_own_table() -> None:
    answer = answered("VELQ net sales excluding Lunar Goods, 2024 and 2025", velq(SEGMENTS))
    assert figures(answer) == {("VELQ", "FY2024"): 700, ("VELQ", "FY2025"): 800}
    assert all("1,452" in value.formula or "1,320" in value.formula for value in answer.values)


def test_a_figure_on_another_basis_is_withheld() -> None:
    answer = answered("Compare gross margins of VELQ and MODZ in 2025 (on net sales)", *STORED)
    assert "not read" in answer.refusal


def test_a_multiple_is_the_last_over_the_first() -> None:
    (result,) = answered("How many times larger is VELQ revenue in 2025 than in 2024?", velq()).results[-1:]
    assert (result.unit, result.value) == ("times", pytest.approx(1452 / 1320))


# Tables made readable


def table(headers: list[str], *rows: tuple[tuple[str, ...], str, list[str], str], title: str = "") -> FiledTable:
    columns = tuple(Column(header) for header in headers)
    made = tuple(
        Row(label, tuple(TableCell(text, 1.0) if text else None for text in texts), headings, unit)
        for headings, label, texts, unit in rows
    )
    return FiledTable(0, 0, title, columns, made)


def read(*tables: FiledTable, **more: object) -> tuple[FiledTable, ...]:
    document = with_text_tables(filing(["."], company="Velquor", symbol="VELQ", year=2025))
    return readable(SourceDocument(document.info, document.pages, tables=tables)).tables


def test_a_row_of_years_heads_the_columns() -> None:
    (found,) = read(
        table(
            ["Fiscal", "Fiscal"],
            ((), "dollars in millions", ["2025 (2)", "2024"], ""),
            ((), "ROIC", ["31 %", "36 %"], "percent"),
        )
    )
    assert [column.fiscal_year for column in found.columns] == [2025, 2024]
    assert [row.label for row in found.rows] == ["ROIC"]


def test_years_in_headings_of_rows_are_those_of_the_columns() -> None:
    found = read(
        table(
            ["", "", ""],
            ((), "", ["Model A", "Model B", "Total"], ""),
            (("2025",), "Deliveries", ["26", "14", "40"], ""),
            (("2024",), "Deliveries", ["39", "11", "50"], ""),
        )
    )
    assert [[column.fiscal_year for column in each.columns] for each in found] == [[2025] * 3, [2024] * 3]
    assert [column.header for column in found[0].columns] == ["Model A", "Model B", "Total"]


def test_a_product_is_named_by_the_first_of_its_rows() -> None:
    (found,) = read(
        table(
            ["2025"],
            ((), "Lunaria United States", ["7"], "USD"),
            ((), "International", ["2"], "USD"),
            ((), "Total", ["9"], "USD"),
            ((), "All other", ["3"], "USD"),
        )
    )
    assert [row.headings for row in found.rows] == [("Lunaria",), ("Lunaria",), ("Lunaria",), ()]


def test_a_table_that_goes_on_has_the_heads_of_the_one_before_it() -> None:
    first = table(["Three months 2025", "Three months 2024"], ((), "Products", ["3", "4"], "USD"))
    second = table(["", ""], ((), "Products", ["34.5", "35.3"], ""), title="Gross margin percentage:")
    found = read(first, second)[1]
    assert [column.header for column in found.columns] == ["Three months 2025", "Three months 2024"]
    assert found.rows[0].unit == "percent"


def test_quarters_of_a_fiscal_year_that_ends_in_another_calendar_year() -> None:
    columns = (Column("Three Months Ended July 29, 2023", period_end=date(2023, 7, 29), fiscal_year=2023, months=3),)
    rows = (Row("Comparable sales", (TableCell("(6.2)%", -6.2),), (), "percent"),)
    known_at = datetime(2023, 8, 30, tzinfo=UTC)
    document = filing(["."], company="Velquor", symbol="VELQ", year=2024, quarter=2, form="10-Q", known_at=known_at)
    made = SourceDocument(document.info, document.pages, tables=(FiledTable(0, 0, "", columns, rows),))
    assert readable(made).tables[0].columns[0].fiscal_year == 2024


PLACES = """\
Comparable sales by place
Year Ended December 31,                        2025     2024
Canada                                         20 %      5 %
Mexico                                         19 %      9 %
Iceland                                        15 %      8 %
"""
BETWEEN = """\
Results of areas
(in millions)
Year Ended December 31,                        2025     2024
Net sales
Orbital                                    $  800    $  700
Lunar                                         652      620
Total net sales                            $  1,452  $  1,320
Intersegment sales
Orbital                                    $   24    $   21
Lunar                                          12       10
Total intersegment sales                   $   36    $   31
"""


def test_parts_set_against_each_other_have_a_winner() -> None:
    answer = answered("VELQ 2025 comps: Canada vs Mexico vs Iceland", velq(PLACES))
    assert answer.winner == "canada"


def test_what_parts_sell_to_each_other_is_not_what_they_sell() -> None:
    answer = answered("VELQ orbital sales 2024 and 2025", velq(BETWEEN))
    assert figures(answer) == {("VELQ", "FY2024"): 700, ("VELQ", "FY2025"): 800}


@pytest.mark.parametrize("said", ["Orbital dept vs Lunar dept", "Orbital department against Lunar department"])
def test_a_department_is_the_part_of_its_name(said: str) -> None:
    answer = answered(f"VELQ 2025 sales growth, {said}", velq(BETWEEN))
    assert [result.value for result in answer.results][:2] == [pytest.approx(100 / 7), pytest.approx(3200 / 620)]


PAGE_BEGINS = """\
                                               2025     2024
(In millions)
Canada                                     $  984   $ 1,030
Iceland                                       168       325
Total sales to external customers          $1,152   $ 1,355
"""


@pytest.mark.parametrize("changed", ["", "168"])
def test_rows_are_what_the_total_is_to_which_they_add_up(changed: str) -> None:
    page = PAGE_BEGINS.replace(changed, "468") if changed else PAGE_BEGINS
    answer = asked("VELQ sales in Iceland 2024 and 2025", velq(page))
    if changed:
        assert answer is None or answer.refusal or not answer.complete
    else:
        assert answer is not None
        assert figures(answer) == {("VELQ", "FY2024"): 325, ("VELQ", "FY2025"): 168}


STATISTICS = """\
Selected operating statistics
(in millions)
Year Ended December 31,                        2025     2024
Subscription billings                      $  1,452  $  1,320
Churn rate:
Retail lines                                 1.01 %    0.89 %
Business lines                               1.40 %    1.25 %
Account statistics
Retail billings an account                    77.10     74.20
Retail connections per account                 2.77      2.72
Prescriptions dispensed
Mail                                          333.0     330.7
Shops                                       2,003.6   1,914.0
"""
OF_A_PART = """\
                                               2025     2024
(In millions)
Orbital                                    $  984   $ 1,030
Lunar                                         168       325
Total subscription revenue                 $1,152   $ 1,355
"""
MOVES = """\
Growth and decline by product
(in millions)
Year Ended December 31,                        2025     2024
Worldwide declines from Orbitin            $  (797)  $ (445)
Worldwide growth from Lunarin                  120       90
"""


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("VELQ churn of retail lines 2024 and 2025", [0.89, 1.01]),
        ("VELQ retail churn, billings an account, 2024 and 2025", []),
        ("VELQ retail connections per account 2024 and 2025", [2.72, 2.77]),
        ("VELQ mail prescriptions dispensed 2024 and 2025", [330.7e6, 333e6]),
    ],
)
def test_a_heading_that_ended_is_none_of_the_rows_below_the_next_one(question: str, given: list[float]) -> None:
    answer = asked(question, velq(STATISTICS))
    values = [] if answer is None or not answer.complete else [value.value for value in answer.values]
    assert values == given
    assert not any(value.unit.startswith("USD") for value in (answer.values if answer and given else ()))


@pytest.mark.parametrize("page", [OF_A_PART, MOVES])
def test_rows_of_less_than_what_is_asked_or_of_its_change_are_not_taken(page: str) -> None:
    for name in ("Orbital", "Orbitin"):
        answer = asked(f"VELQ {name} revenue decline, 2024 vs 2025", velq(page))
        assert answer is None or not answer.complete
