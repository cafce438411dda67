"""Statements of a snapshot: when they were known, which period they are of, and in whose words they arrive."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.support import snapshot_folder as made
from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.line_items import ITEMS
from tradingagents.dataflows.vendors.snapshot.items import our_items
from tradingagents.dataflows.vendors.snapshot.statements import load_statements
from tradingagents.errors import VendorDown

ITEM = {"revenue": 100.0}


def load(folder: Path, *rows: made.Row) -> tuple[Statement, ...]:
    made.write_lines(folder / "statements.jsonl.gz", rows)
    found = load_statements(folder / "statements.jsonl.gz")
    return found.get("ACMQ", ())


def row(end: date, **more: Any) -> made.Row:
    return made.statement_row("ACMQ", "income", end, ITEM, **more)


def test_a_statement_is_known_from_its_filing_to_the_second(tmp_path: Path) -> None:
    (statement,) = load(tmp_path, row(date(2024, 12, 28), filed_at="2025-01-31T11:01:27Z"))
    assert statement.known_at == datetime(2025, 1, 31, 11, 1, 27, tzinfo=UTC)
    assert statement.known_by == "accepted"


def test_a_filing_of_a_day_is_known_when_the_next_session_opens(tmp_path: Path) -> None:
    (statement,) = load(tmp_path, row(date(2019, 12, 31), filed_at="2020-02-14"))
    assert statement.known_at == datetime(2020, 2, 18, 14, 30, tzinfo=UTC), "Friday, a weekend, Presidents' Day"
    assert statement.known_by == "accepted"


@pytest.mark.parametrize(
    ("end", "more", "known_at"),
    [
        (date(2024, 3, 31), {}, datetime(2024, 5, 16, 13, 30, tzinfo=UTC)),  # 45 days are 15 May
        (date(2024, 12, 31), {}, datetime(2025, 4, 1, 13, 30, tzinfo=UTC)),  # Q4, 90 days are 31 March
        (
            date(2024, 3, 31),
            {"fiscal_period": "Q4"},
            datetime(2024, 7, 1, 13, 30, tzinfo=UTC),
        ),  # 90 are Saturday 29 June
        (date(2024, 3, 31), {"period": "annual", "fiscal_period": "FY"}, datetime(2024, 7, 1, 13, 30, tzinfo=UTC)),
    ],
)
def test_without_a_filing_date_the_lag_is_assumed(
    tmp_path: Path, end: date, more: made.Row, known_at: datetime
) -> None:
    (statement,) = load(tmp_path, row(end, **more))
    assert statement.known_at == known_at
    assert statement.known_by == "assumed"


def test_an_assumed_day_is_never_later_than_the_next_filing(tmp_path: Path) -> None:
    newer, older = load(
        tmp_path,
        row(date(2024, 12, 31)),
        row(date(2025, 3, 31), filed_at="2025-03-20T12:00:00Z"),
    )
    assert older.known_at == newer.known_at == datetime(2025, 3, 20, 12, tzinfo=UTC)
    assert older.known_by == "assumed"


def test_an_earlier_filing_bounds_nothing(tmp_path: Path) -> None:
    newer, _ = load(tmp_path, row(date(2024, 12, 31)), row(date(2024, 9, 30), filed_at="2024-10-20T12:00:00Z"))
    assert newer.known_at == datetime(2025, 4, 1, 13, 30, tzinfo=UTC)


def test_fiscal_periods_are_counted_from_the_year_end_where_unnamed(tmp_path: Path) -> None:
    unnamed = {"fiscal_period": None}
    found = load(
        tmp_path,
        row(date(2024, 1, 31), period="annual", **unnamed),
        row(date(2024, 10, 31), **unnamed),
        row(date(2025, 1, 31), **unnamed),
        row(date(2025, 5, 2), **unnamed),  # a 52-week quarter that ends in the next month's first days
    )
    periods = {row.period_end: (row.fiscal_year, row.fiscal_period, row.frequency) for row in found}
    assert periods == {
        date(2024, 1, 31): (2024, "FY", "annual"),
        date(2024, 10, 31): (2025, "Q3", "quarterly"),
        date(2025, 1, 31): (2025, "Q4", "quarterly"),
        date(2025, 5, 2): (2026, "Q1", "quarterly"),
    }


def test_without_annual_statements_years_end_in_december(tmp_path: Path) -> None:
    (statement,) = load(tmp_path, row(date(2024, 6, 30), fiscal_period=None))
    assert (statement.fiscal_year, statement.fiscal_period) == (2024, "Q2")


def test_a_placeholder_without_any_central_item_is_left_out(tmp_path: Path) -> None:
    hollow = made.statement_row("ACMQ", "income", date(2024, 6, 30), {"eps_diluted": 1.0})
    assert load(tmp_path, hollow) == ()


def test_a_row_of_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VendorDown, match=r"line 1.*equity"):
        load(tmp_path, made.statement_row("ACMQ", "equity", date(2024, 6, 30), ITEM))


POLYGON_INCOME = {
    "revenues": 1000.0,
    "net_income_loss": 130.0,
    "net_income_loss_attributable_to_parent": 120.0,
    "operating_income_loss": 200.0,
    "depreciation_and_amortization": 50.0,
    "income_loss_from_continuing_operations_before_tax": 180.0,
    "income_tax_expense_benefit": 50.0,
    "income_loss_from_continuing_operations_after_tax": 130.0,
    "interest_and_debt_expense": 20.0,
    "basic_earnings_per_share": 1.2199999999999998,
    "basic_average_shares": 98.0,
    "diluted_earnings_per_share": 1.2,
    "diluted_average_shares": 100.0,
}


def test_polygon_income_reads_in_our_words() -> None:
    assert our_items("polygon", "income", POLYGON_INCOME, filed=True) == {
        "revenue": 1000.0,
        "operating_income": 200.0,
        "depreciation_and_amortization": 50.0,
        "ebitda": 250.0,
        "interest_expense": 20.0,
        "pretax_income": 180.0,
        "income_tax": 50.0,
        "net_income": 120.0,
        "eps_basic": 1.22,
        "eps_diluted": 1.2,
        "shares_basic": 98.0,
        "shares_diluted": 100.0,
    }


def test_polygon_average_shares_of_a_subtracted_quarter_are_left_out() -> None:
    items = our_items("polygon", "income", POLYGON_INCOME | {"diluted_average_shares": -2.0}, filed=False)
    assert "shares_diluted" not in items
    assert "shares_basic" not in items
    assert items["eps_diluted"] == 1.2


def test_polygon_average_shares_in_another_unit_are_left_out() -> None:
    items = our_items("polygon", "income", POLYGON_INCOME | {"diluted_average_shares": 0.0001}, filed=True)
    assert "shares_diluted" not in items
    assert items["shares_basic"] == 98.0


def test_polygon_pretax_income_that_is_revenue_is_left_out() -> None:
    wrong = POLYGON_INCOME | {"income_loss_from_continuing_operations_before_tax": 1000.0}
    assert "pretax_income" not in our_items("polygon", "income", wrong, filed=True)


def test_polygon_liabilities_of_minus_equity_are_computed_from_assets() -> None:
    items = our_items(
        "polygon",
        "balance",
        {
            "assets": 900.0,
            "equity": 300.0,
            "liabilities": -300.0,
            "temporary_equity": 10.0,
            "current_liabilities": 200.0,
        },
        filed=True,
    )
    assert items == {
        "total_assets": 900.0,
        "equity": 300.0,
        "temporary_equity": 10.0,
        "total_liabilities": 590.0,
        "current_liabilities": 200.0,
    }


def test_polygon_unclassified_balance_sheets_have_no_current_items() -> None:
    items = our_items(
        "polygon",
        "balance",
        {
            "assets": 900.0,
            "current_assets": 900.0,
            "noncurrent_assets": 0,
            "liabilities": 600.0,
            "current_liabilities": 600.0,
            "noncurrent_liabilities": 0,
            "equity": 300.0,
        },
        filed=True,
    )
    assert items == {"total_assets": 900.0, "equity": 300.0, "total_liabilities": 600.0}


def test_yahoo_rows_read_in_our_words_and_absent_ones_stay_absent() -> None:
    items = our_items(
        "yfinance",
        "cashflow",
        {
            "Operating Cash Flow": 300.0,
            "Capital Expenditure": -100.0,
            "Cash Dividends Paid": None,
            "Free Cash Flow": None,
        },
        filed=False,
    )
    assert items == {"operating_cash_flow": 300.0, "capital_expenditure": -100.0, "free_cash_flow": 200.0}


def test_our_own_names_pass_and_strangers_do_not() -> None:
    items = our_items(
        "recorded", "balance", {"long_term_debt": 5.0, "short_term_debt": 2.0, "goodwill": 9.0}, filed=True
    )
    assert items == {"long_term_debt": 5.0, "short_term_debt": 2.0, "total_debt": 7.0}


def test_a_stated_total_wins_over_the_sum() -> None:
    items = our_items(
        "recorded", "balance", {"long_term_debt": 5.0, "short_term_debt": 2.0, "total_debt": 8.0}, filed=True
    )
    assert items["total_debt"] == 8.0


@pytest.mark.parametrize("kind", ["income", "balance", "cashflow"])
def test_every_own_item_survives_the_round_trip(kind: Any) -> None:
    items = {item: float(number) for number, item in enumerate(ITEMS[kind], start=1)}
    assert our_items("recorded", kind, items, filed=True) == items
