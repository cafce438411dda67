"""Financials: figures of the newest period, ratios worked out by hand, and what is said where something lacks."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from tradingagents.analytics.company.financials import financials
from tradingagents.dataflows.models import Books, Frequency, Profile, Statement, StatementKind
from tradingagents.errors import NoData

FETCHED = datetime(2025, 4, 30, 21, tzinfo=UTC)
KNOWN = datetime(2025, 4, 1, 13, 30, tzinfo=UTC)
YEAR_END = date(2024, 12, 31)
QUARTERS = (YEAR_END, date(2024, 9, 30), date(2024, 6, 30), date(2024, 3, 31), date(2023, 12, 31))


def statement(kind: StatementKind, end: date = YEAR_END, freq: Frequency = "annual", **items: float) -> Statement:
    return Statement("ACME", kind, freq, end.year, "FY", end, KNOWN, "USD", "one", items)


def made(*statements: Statement, **more: Any):
    asked = {"statement_type": "all", "period": "annual", "years": 3} | more
    books = Books("one", statements, passed={}, others={}, silent={})
    return financials(books, as_of=date(2025, 4, 30), fetched_at=FETCHED, **asked)


INCOME = statement("income", revenue=800.0, gross_profit=320.0, operating_income=160.0, net_income=120.0)
BALANCE = statement(
    "balance",
    cash=90.0,
    current_assets=450.0,
    total_assets=1500.0,
    current_liabilities=300.0,
    total_debt=240.0,
    total_liabilities=900.0,
    equity=600.0,
)
CASHFLOW = statement(
    "cashflow",
    operating_cash_flow=200.0,
    investing_cash_flow=-70.0,
    financing_cash_flow=-50.0,
    capital_expenditure=-60.0,
    free_cash_flow=140.0,
)


def test_every_field():
    result = made(INCOME, BALANCE, CASHFLOW)
    assert {figure.name: (figure.value, figure.unit) for figure in result.figures()} == {
        "revenue": (800.0, "USD"),
        "gross_profit": (320.0, "USD"),
        "operating_income": (160.0, "USD"),
        "net_income": (120.0, "USD"),
        "total_assets": (1500.0, "USD"),
        "total_liabilities": (900.0, "USD"),
        "shareholders_equity": (600.0, "USD"),
        "cash_and_equivalents": (90.0, "USD"),
        "operating_cash_flow": (200.0, "USD"),
        "investing_cash_flow": (-70.0, "USD"),
        "financing_cash_flow": (-50.0, "USD"),
        "free_cash_flow": (140.0, "USD"),
        "roa": (8.0, "%"),  # 120 of 1500
        "roe": (20.0, "%"),  # 120 of 600
        "current_ratio": (1.5, "x"),
        "debt_to_equity": (0.4, "x"),
    }
    assert (result.symbol, result.source, result.currency, result.period) == ("ACME", "one", "USD", "annual")
    assert (result.period_end, result.start, result.end, result.rows) == (YEAR_END, YEAR_END, YEAR_END, 3)
    assert (result.known_at, result.fetched_at) == (KNOWN, FETCHED)
    assert result.notes == ("Not checked against another source: none was asked.",)
    (period,) = result.statements["income"]
    assert (period.end, period.fiscal_year, period.fiscal_period, period.known_at) == (YEAR_END, 2024, "FY", KNOWN)
    assert dict(period.items) == dict(INCOME.items)


def test_the_tables_hold_every_item_by_period():
    before = statement("income", date(2023, 12, 31), revenue=700.0, net_income=1.5)
    text = made(INCOME, before, BALANCE).to_markdown()
    assert "### Income statement\n\n| Item | 2024-12-31 | 2023-12-31 |" in text
    assert "| revenue | 800.00 | 700.00 |\n| gross_profit | 320.00 | n/a |" in text
    assert "### Balance sheet" in text
    assert "one gives no cash-flow statement." in text


def test_a_company_that_owes_more_than_it_has():
    result = made(INCOME, statement("balance", total_assets=1500.0, total_debt=240.0, equity=-600.0))
    assert (result.roa, result.roe, result.debt_to_equity, result.current_ratio) == (8.0, None, None, None)
    assert "Equity is not positive: return on equity and debt to equity say nothing." in result.notes


def test_debt_is_added_up_where_its_sum_is_not_given():
    parts = statement("balance", long_term_debt=200.0, short_term_debt=40.0, equity=600.0)
    assert made(parts).debt_to_equity == 0.4
    part = made(statement("balance", long_term_debt=200.0, equity=500.0))
    assert part.debt_to_equity == 0.4
    assert "Total debt counts long-term debt only: the source gives no short-term debt." in part.notes


def test_a_statement_that_ends_before_the_newest_period_gives_no_figure():
    result = made(INCOME, statement("balance", date(2023, 12, 31), total_assets=1500.0, equity=600.0))
    assert (result.revenue, result.total_assets, result.roa) == (800.0, None, None)
    assert "The newest balance sheet is of 2023-12-31, not 2024-12-31: its figures are n/a." in result.notes


def test_ends_some_days_apart_are_one_period():
    result = made(INCOME, statement("balance", date(2024, 12, 28), total_assets=1500.0))
    assert (result.period_end, result.total_assets, result.roa) == (YEAR_END, 1500.0, 8.0)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("income", ["revenue", "gross_profit", "operating_income", "net_income"]),
        (
            "balance",
            [
                *("total_assets", "total_liabilities", "shareholders_equity", "cash_and_equivalents"),
                *("current_ratio", "debt_to_equity"),
            ],
        ),
        ("cashflow", ["operating_cash_flow", "investing_cash_flow", "financing_cash_flow", "free_cash_flow"]),
    ],
)
def test_one_statement_has_its_own_figures_only(kind: StatementKind, names: list[str]):
    result = made(INCOME, BALANCE, CASHFLOW, statement_type=kind)
    assert [figure.name for figure in result.figures()] == names
    assert list(result.statements) == [kind]
    assert result.roe is None


def quarters(*incomes: float, skip: int | None = None) -> list[Statement]:
    return [
        statement("income", end, "quarterly", revenue=10 * value, net_income=value)
        for number, (end, value) in enumerate(zip(QUARTERS, incomes, strict=True))
        if number != skip
    ]


def test_returns_of_quarters_are_those_of_the_last_four():
    balance = statement("balance", YEAR_END, "quarterly", total_assets=1000.0, equity=500.0)
    result = made(*quarters(10, 20, 30, 40, 50), balance, period="quarterly", years=1)
    assert (result.net_income, result.roa, result.roe) == (10.0, 10.0, 20.0)  # 10 + 20 + 30 + 40 = 100
    assert len(result.statements["income"]) == 4


@pytest.mark.parametrize("skip", [1, 2, 3])
def test_and_are_not_known_where_one_is_missing(skip: int):
    balance = statement("balance", YEAR_END, "quarterly", total_assets=1000.0, equity=500.0)
    result = made(*quarters(10, 20, 30, 40, 50, skip=skip), balance, period="quarterly")
    assert (result.roa, result.roe) == (None, None)
    assert "Returns on assets and equity are n/a: they need four quarters in a row." in result.notes


def test_as_many_years_are_shown_as_are_asked_for():
    years = [statement("income", date(year, 12, 31), revenue=float(year)) for year in range(2024, 2010, -1)]
    for count in (1, 3, 10):
        result = made(*years, years=count)
        assert [one.end.year for one in result.statements["income"]] == list(range(2024, 2024 - count, -1))


def test_books_of_the_other_frequency_are_no_answer():
    with pytest.raises(NoData, match="one has no quarterly statement"):
        made(INCOME, period="quarterly")


def test_the_gross_profit_of_an_insurer_is_withheld_in_every_period():
    before = statement("income", date(2023, 12, 31), revenue=700.0, cost_of_revenue=80.0, gross_profit=620.0)
    insurer = Profile(symbol="ACME", name="Acme", kind="stock", sector="financials", industry="Life Insurance")
    result = made(INCOME, before, BALANCE, CASHFLOW, profile=insurer)
    assert result.gross_profit is None
    assert (result.revenue, result.operating_income) == (800.0, 160.0)
    assert [sorted(period.items) for period in result.statements["income"]] == [
        ["net_income", "operating_income", "revenue"],
        ["cost_of_revenue", "revenue"],
    ]
    assert "gross_profit" not in result.body()
    assert any(note.startswith("Gross profit and margin are withheld") for note in result.notes)
    shop = Profile(symbol="ACME", name="Acme", kind="stock", sector="technology", industry="Software")
    assert made(INCOME, before, profile=shop).gross_profit == 320.0
    balance_only = made(BALANCE, profile=insurer, statement_type="balance")
    assert not any("withheld" in note for note in balance_only.notes)
