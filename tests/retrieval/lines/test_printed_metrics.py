"""A figure that companies define for themselves is given as their filings print it."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import FIGURES, VELQ_2024, annual, answered, figures
from tradingagents.retrieval.lines.company_books import LineBooks
from tradingagents.retrieval.series.span import FiscalPeriod

PRINTED = """\
Free cash flow
(in millions)
Year Ended December 31,                        2025     2024
Net cash provided by operating activities  $   300  $   280
Purchases of property and equipment           (150)    (120)
Principal payments on finance leases           (30)     (20)
Free cash flow                             $   120  $   140
"""


def test_free_cash_flow_is_given_as_the_filing_prints_it() -> None:
    answer = answered(
        "VELQ free cash flow 2024 and 2025, and the total", annual("VELQ", "Velquor", 2025, FIGURES, PRINTED)
    )
    assert figures(answer) == {("VELQ", "FY2024"): 140, ("VELQ", "FY2025"): 120}
    assert [result.value for result in answer.results] == [260e6]
    assert any("as VELQ 10-K 2025 prints it; worked out of the statements: FY2024 160" in note for note in answer.notes)


def test_a_year_for_which_none_prints_it_is_no_figure_of_another_definition() -> None:
    answer = answered("VELQ free cash flow 2023 to 2025", VELQ_2024, annual("VELQ", "Velquor", 2025, FIGURES, PRINTED))
    assert figures(answer) == {("VELQ", "FY2023"): None, ("VELQ", "FY2024"): 140, ("VELQ", "FY2025"): 120}
    assert "otherwise than the statements" in answer.values[0].gap


@pytest.mark.parametrize(
    "page", ["", PRINTED.replace("(30)     (20)", "  -        -").replace("120  $   140", "150  $   160")]
)
def test_it_is_worked_out_where_none_prints_it_or_it_is_the_same(page: str) -> None:
    pages = [page] if page else []
    answer = answered("VELQ free cash flow 2024 and 2025", annual("VELQ", "Velquor", 2025, FIGURES, *pages))
    assert figures(answer) == {("VELQ", "FY2024"): 160, ("VELQ", "FY2025"): 150}
    assert all(value.formula for value in answer.values)


def test_a_rate_on_balances_is_not_worked_out_of_one_quarter() -> None:
    """Three months of income over a balance is a quarter of the rate that everybody means."""
    books = LineBooks("VELQ", "VELQ", [VELQ_2024.info], lambda _key: VELQ_2024)
    of_quarter = books.figure("net_income / average(equity, equity@-1)", FiscalPeriod(2024, 2), "percent")
    assert of_quarter.value is None
    assert "not worked out for a quarter" in of_quarter.refusal
