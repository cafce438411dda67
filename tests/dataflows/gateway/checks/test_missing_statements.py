"""A statement that is missing of the newest period is withheld; sources that never give one are left as they are."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from tests.dataflows.gateway.checks.statement_rows import quarters, years
from tradingagents.analytics.company.fiscal_years import fiscal_years
from tradingagents.analytics.company.statements import statement_table
from tradingagents.analytics.company.trailing import trailing
from tradingagents.dataflows.gateway.checks.neighbouring_statements import all_with_missing, with_missing
from tradingagents.dataflows.models import StatementKind
from tradingagents.dataflows.reference.fiscal_periods import is_as_labelled, is_missing

AS_OF = date(2025, 6, 1)
NEWEST, BEFORE = date(2025, 3, 31), date(2024, 12, 31)


@pytest.mark.parametrize(("kind", "other"), [("income", "balance"), ("balance", "income"), ("cashflow", "income")])
def test_the_newest_statement_that_is_missing_is_withheld(kind: StatementKind, other: StatementKind) -> None:
    given = quarters(kind)[1:]
    found = with_missing(given, quarters(other))
    assert found[1:] == tuple(given)
    assert found[0].period_end == NEWEST
    assert found[0].known_at == quarters(other)[0].known_at
    assert found[0].items == {}
    assert found[0].withheld.keys() == given[0].items.keys()
    assert is_missing(found[0])
    assert is_as_labelled(found[0])
    (reason,) = set(found[0].withheld.values())
    assert reason.startswith("ACMQ 2025-03-31: its quarterly ")
    assert reason.endswith("(docs/reference/data-faults.md#statement-missing).")
    assert with_missing(found, quarters(other)) == found


@pytest.mark.parametrize("kind", ["income", "balance", "cashflow"])
def test_whole_statements_and_ends_a_few_days_apart_stay(kind: StatementKind) -> None:
    other: StatementKind = "balance" if kind == "income" else "income"
    given = quarters(kind)
    dated = [replace(row, period_end=row.period_end - timedelta(days=3)) for row in given]
    for rows in (given, dated):
        assert with_missing(rows, quarters(other)) == tuple(rows)
    assert with_missing((), quarters(other)) == ()
    assert with_missing(given, ()) == tuple(given)


def test_balance_sheets_of_half_years_beside_quarters_are_no_fault() -> None:
    halves = [row for row in quarters("balance") if row.period_end.month in (6, 12)]
    assert with_missing(halves, quarters("income")) == tuple(halves)


def test_two_quarters_missing_earlier_do_not_make_a_source_irregular() -> None:
    sheets = [row for number, row in enumerate(quarters("balance")) if number not in (0, 3, 5)]
    assert is_missing(with_missing(sheets, quarters("income"))[0])
    thin = [row for number, row in enumerate(quarters("balance")) if number not in (0, 3, 5, 7)]
    assert with_missing(thin, quarters("income")) == tuple(thin)


def test_each_label_is_judged_for_itself() -> None:
    income, balance = [*quarters("income"), *years("income")], [*quarters("balance"), *years("balance")[1:]]
    found = all_with_missing(income, balance, ())
    assert tuple(found[0]) == tuple(income)
    assert [(row.frequency, row.period_end) for row in found[1] if is_missing(row)] == [("annual", BEFORE)]


def test_an_older_balance_sheet_is_not_the_newest() -> None:
    books = trailing(quarters("income"), quarters("balance")[1:], quarters("cashflow"), as_of=AS_OF)
    assert books.balance is not None
    assert books.balance.period_end == NEWEST
    assert books.balance.items == {}
    assert sum("#statement-missing" in note for note in books.notes) == 1
    whole = trailing(quarters("income"), quarters("balance"), quarters("cashflow"), as_of=AS_OF)
    assert whole.balance is not None
    assert whole.balance.items["equity"] == quarters("balance")[0].items["equity"]
    assert not any("#statement-missing" in note for note in whole.notes)


def test_an_annual_sheet_of_the_same_day_stands_for_a_quarterly_one() -> None:
    income = [row for row in quarters("income") if row.period_end <= BEFORE]
    sheets = [row for row in quarters("balance") if row.period_end < BEFORE]
    books = trailing(income, [*sheets, *years("balance")], (), as_of=date(2025, 3, 1))
    assert books.balance is not None
    assert books.balance.frequency == "annual"
    assert books.balance.items


def test_twelve_months_do_not_end_before_a_missing_income_statement() -> None:
    books = trailing(quarters("income")[1:], quarters("balance"), quarters("cashflow"), as_of=AS_OF)
    assert books.periods[0].end == NEWEST
    assert books.flows["revenue"] is None
    assert (
        fiscal_years(with_missing(quarters("income")[1:], quarters("balance")), quarters("balance"), ())
        .years[0]
        .items.get("revenue")
        is None
    )


def test_tables_show_the_period_as_withheld() -> None:
    rows = with_missing(quarters("balance")[1:], quarters("income"))
    table = statement_table(rows, as_of=AS_OF, kind="balance", freq="quarterly")
    assert table.periods[:2] == (NEWEST, BEFORE)
    assert table.items["equity"][0] is None
    assert "withheld" in next(line for line in table.body().splitlines() if line.startswith("| equity |"))
    assert all(figure.value is None for figure in table.figures())
