"""Twelve months from periods of any lengths, worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from tests.support.builders import statement
from tradingagents.analytics.company.financials import financials
from tradingagents.analytics.company.fiscal_years import fiscal_years
from tradingagents.analytics.company.reported_periods import DayRange, Tiling, tiling_to
from tradingagents.analytics.company.statements import as_labelled, consecutive, last_year, statement_table
from tradingagents.analytics.company.trailing import months_in_words, trailing, year_before
from tradingagents.analytics.company.ttm import ttm
from tradingagents.dataflows.models import Books, Frequency, Statement, StatementKind
from tradingagents.errors import NoData

AS_OF = date(2025, 8, 20)


def lasting(
    first: str,
    last: str,
    value: float,
    kind: StatementKind = "income",
    frequency: Frequency = "quarterly",
    **items: float,
) -> Statement:
    """Return a flow over the days from `first` to `last`."""
    name = "operating_cash_flow" if kind == "cashflow" else "revenue"
    row = statement(date.fromisoformat(last), {name: value, **items}, kind, frequency)
    return replace(row, period_start=date.fromisoformat(first))


HALF_25 = lasting("2025-01-01", "2025-06-30", 60)
HALF_24 = lasting("2024-01-01", "2024-06-30", 50)
YEAR_24 = lasting("2024-01-01", "2024-12-31", 105, frequency="annual")
NINE_24 = lasting("2024-07-01", "2025-03-31", 82)
QUARTER_25 = lasting("2025-04-01", "2025-06-30", 31)


def test_a_year_with_what_came_after_less_the_same_of_the_year_before():
    """105 + 60 - 50."""
    books = trailing([HALF_25, HALF_24, YEAR_24], (), (), as_of=AS_OF)
    assert books.basis == "ttm"
    assert books.flows["revenue"] == 115
    assert books.notes[0] == (
        "Twelve months are the half-year to 2025-06-30 and the fiscal year to 2024-12-31, "
        "less the half-year to 2024-06-30."
    )
    assert [period.end for period in books.periods] == [date(2025, 6, 30), date(2024, 12, 31)]


def test_the_first_quarter_after_a_year_less_that_of_the_year_before():
    """100 + 30 - 20; quarters two to four of 2024 are not known one by one."""
    rows = [
        lasting("2025-01-01", "2025-03-31", 30),
        lasting("2024-01-01", "2024-03-31", 20),
        lasting("2024-01-01", "2024-12-31", 100, frequency="annual"),
    ]
    books = trailing(rows, (), (), as_of=date(2025, 5, 20))
    assert books.flows["revenue"] == 110
    assert "less the quarter to 2024-03-31" in books.notes[0]


def test_a_quarter_and_nine_months():
    books = trailing([QUARTER_25, NINE_24], (), (), as_of=AS_OF)
    assert books.flows["revenue"] == 113
    assert books.notes[0] == "Twelve months are the quarter to 2025-06-30 and the nine months to 2025-03-31."


def test_two_half_years_with_first_days():
    rows = [HALF_25, lasting("2024-07-01", "2024-12-31", 55), HALF_24, lasting("2023-07-01", "2023-12-31", 48)]
    found = ttm(rows, [], [], as_of=AS_OF)
    assert found.ttm_revenue == 115
    assert found.revenue_yoy == pytest.approx(20)
    assert found.revenue_qoq is None


def test_a_half_yearly_reporter_has_a_return_on_equity():
    earned = [
        replace(row, items={**row.items, "net_income": value})
        for row, value in ((HALF_25, 6.0), (lasting("2024-07-01", "2024-12-31", 55), 5.0))
    ]
    sheet = statement(date(2025, 6, 30), {"equity": 110.0, "total_assets": 220.0}, "balance")
    found = financials(
        Books("made", (*earned, sheet), {}, {}, {}),
        as_of=AS_OF,
        statement_type="all",
        period="quarterly",
        years=2,
        fetched_at=sheet.known_at,
    )
    assert found.roe == pytest.approx(10)
    assert ttm(earned, [sheet], [], as_of=AS_OF).roe == pytest.approx(10)


def test_overlapping_periods_make_no_twelve_months():
    """A half-year from January and nine months to March count three months twice; without a year nothing tiles."""
    books = trailing([HALF_25, lasting("2024-07-01", "2025-03-31", 82)], (), (), as_of=AS_OF)
    assert books.basis == "none"
    assert books.flows["revenue"] is None
    assert books.notes


def test_a_transition_period_is_summed_with_nothing():
    rows = [lasting("2025-02-01", "2025-06-30", 50), lasting("2024-02-01", "2025-01-31", 100, frequency="annual")]
    books = trailing(rows, (), (), as_of=AS_OF)
    assert books.basis == "annual"
    assert books.flows["revenue"] == 100
    assert books.quarters == ()


def test_quarters_that_overlap_are_not_consecutive():
    ends = ("2025-06-30", "2025-03-31", "2024-12-31", "2024-09-30")
    run = [lasting(str(date.fromisoformat(end) - timedelta(days=90)), end, 10) for end in ends]
    assert len(consecutive(run)) == 4
    shifted = [run[0], replace(run[1], period_end=date(2025, 3, 1)), *run[2:]]
    assert len(consecutive(shifted)) == 1


def test_growth_is_none_against_a_period_of_another_length():
    """Sixteen weeks against twelve."""
    long = lasting("2025-02-24", "2025-06-15", 40)
    short = lasting("2024-03-25", "2024-06-16", 30)
    before = lasting("2024-12-02", "2025-02-23", 28)
    found = ttm([long, before, short], [], [], as_of=AS_OF)
    assert found.revenue_yoy is None
    assert found.revenue_qoq is None


def test_a_53rd_week_is_no_other_length():
    now = lasting("2025-03-31", "2025-07-06", 42)
    then = lasting("2024-04-01", "2024-06-30", 40)
    assert ttm([now, then], [], [], as_of=AS_OF).revenue_yoy == pytest.approx(5)
    books = trailing([now, then], (), (), as_of=AS_OF)
    assert year_before(books.quarters[0], books.quarters) is books.quarters[1]


def test_cash_flows_are_tiled_on_their_own_where_quarters_of_income_have_none():
    """Income by quarters; cash flow year to date: 20 + 9 - 7."""
    ends = (
        ("2025-04-01", "2025-06-30"),
        ("2025-01-01", "2025-03-31"),
        ("2024-10-01", "2024-12-31"),
        ("2024-07-01", "2024-09-30"),
    )
    income = [lasting(first, last, 10) for first, last in ends]
    cash = [
        lasting("2025-01-01", "2025-06-30", 9, "cashflow"),
        lasting("2024-01-01", "2024-06-30", 7, "cashflow"),
        lasting("2024-01-01", "2024-12-31", 20, "cashflow", "annual"),
    ]
    books = trailing(income, (), cash, as_of=AS_OF)
    assert books.flows["revenue"] == 40
    assert books.flows["operating_cash_flow"] == 22
    assert any(note.startswith("Cash flows: Twelve months are the half-year to 2025-06-30") for note in books.notes)


def test_the_earnings_of_a_worked_out_period_come_from_income_and_shares():
    rows = [
        replace(row, items={**row.items, "net_income": value, "eps_diluted": value / 10, "shares_diluted": 10.0})
        for row, value in ((HALF_25, 6.0), (HALF_24, 5.0), (YEAR_24, 11.0))
    ]
    books = trailing(rows, (), (), as_of=AS_OF)
    assert books.flows["net_income"] == 12
    assert "eps_diluted" not in books.periods[1].income.items
    assert "eps_diluted" in books.periods[1].income.withheld


def test_a_table_of_quarters_shows_no_longer_period():
    rows = [QUARTER_25, NINE_24, YEAR_24]
    table = statement_table(rows, as_of=AS_OF, kind="income", freq="quarterly")
    assert table.periods == (date(2025, 6, 30),)
    noted = replace(NINE_24, gate_notes=("The row is of nine months.",))
    with pytest.raises(NoData, match="of nine months"):
        statement_table([noted], as_of=AS_OF, kind="income", freq="quarterly")


def test_screens_sum_no_longer_period_as_a_quarter():
    ends = ("2025-06-30", "2025-03-31", "2024-12-31", "2024-09-30")
    quarters = [lasting(str(date.fromisoformat(end) - timedelta(days=89)), end, 10) for end in ends]
    longer = replace(quarters[1], period_start=date(2024, 7, 1), items={"revenue": 30.0})
    sheet = statement(date(2025, 6, 30), {"total_assets": 100.0}, "balance")
    assert fiscal_years(quarters, [sheet], ()).years == ()  # one year: nothing to compare
    assert all(
        year.items.get("revenue") != 60
        for year in fiscal_years([*quarters[:1], longer, *quarters[2:]], [sheet], ()).years
    )
    assert last_year(as_labelled([quarters[0], longer, *quarters[2:]])) == ()


def test_a_withheld_version_does_not_give_way_to_an_older_one():
    withheld = replace(
        QUARTER_25, items={}, withheld={"revenue": "why"}, known_at=QUARTER_25.known_at + timedelta(days=1)
    )
    assert as_labelled([QUARTER_25, withheld]) == ()


@pytest.mark.parametrize(
    ("basis", "ends", "words"),
    [
        ("annual", ["2024-12-31"], "fiscal year"),
        ("ttm", ["2025-06-30", "2025-03-31", "2024-12-31", "2024-09-30"], "four quarters"),
        ("ttm", ["2025-06-30", "2024-12-31"], "two half-years"),
        ("ttm", ["2025-06-30", "2025-03-31"], "twelve months"),
    ],
)
def test_months_are_named(basis, ends, words):
    assert months_in_words(basis, [date.fromisoformat(end) for end in ends]) == words


def test_the_shortest_periods_are_preferred():
    half = DayRange(date(2025, 1, 1), date(2025, 6, 30))
    before = DayRange(date(2024, 7, 1), date(2024, 12, 31))
    first, second = DayRange(date(2025, 1, 1), date(2025, 3, 31)), DayRange(date(2025, 4, 1), date(2025, 6, 30))
    assert tiling_to([half, before, first, second], date(2025, 6, 30)) == Tiling((3, 2, 1))
    assert tiling_to([half, first, second], date(2025, 6, 30)) is None


ENDS = (date(2024, 12, 31), date(2024, 9, 30), date(2024, 6, 30), date(2024, 3, 31))


@pytest.mark.parametrize("values", [(100.0, 74.0, 49.0, 24.0), (26.0, 74.0, 49.0, 24.0), (100.0, 25.0, 25.0, 24.0)])
def test_cash_flows_that_do_not_add_up_to_the_year_are_no_quarters(values):
    cash = [statement(end, {"operating_cash_flow": value}, "cashflow") for end, value in zip(ENDS, values, strict=True)]
    year = statement(ENDS[0], {"operating_cash_flow": 100.0}, "cashflow", "annual")
    income = [statement(end, {"revenue": 10.0}) for end in ENDS]
    books = trailing(income, (), [*cash, year], as_of=date(2025, 3, 1))
    assert books.flows["revenue"] == 40
    assert books.flows["operating_cash_flow"] in (None, 100)
    assert any("may be year to date" in note for note in books.notes)


def test_cash_flows_that_add_up_to_the_year_are_quarters():
    cash = [
        statement(end, {"operating_cash_flow": value}, "cashflow")
        for end, value in zip(ENDS, (26, 25, 25, 24), strict=True)
    ]
    year = statement(ENDS[0], {"operating_cash_flow": 100.0}, "cashflow", "annual")
    income = [statement(end, {"revenue": 10.0}) for end in ENDS]
    books = trailing(income, (), [*cash, year], as_of=date(2025, 3, 1))
    assert books.flows["operating_cash_flow"] == 100
    assert not any("year to date" in note for note in books.notes)


def test_a_last_quarter_that_is_the_year_is_found_without_the_others():
    items = [{"operating_cash_flow": value, "investing_cash_flow": -value} for value in (100.0, 25.0)]
    cash = [statement(end, one, "cashflow") for end, one in zip(ENDS[:2], items, strict=True)]
    year = statement(ENDS[0], items[0], "cashflow", "annual")
    books = trailing([statement(end, {"revenue": 10.0}) for end in ENDS], (), [*cash, year], as_of=date(2025, 3, 1))
    assert [period.flows["operating_cash_flow"] for period in books.quarters] == [None] * 4
    assert any("equals it in each of 2 items" in note for note in books.notes)


def test_cash_flows_without_first_days_are_doubted_where_the_income_was_year_to_date():
    note = "each quarter is its row less those before it (docs/reference/data-faults.md#year-to-date)."
    income = [replace(statement(end, {"revenue": 10.0}), gate_notes=(note,)) for end in ENDS[:3]]
    income.append(statement(ENDS[3], {"revenue": 10.0}))
    cash = [statement(end, {"operating_cash_flow": 25.0}, "cashflow") for end in ENDS]
    books = trailing(income, (), cash, as_of=date(2025, 3, 1))
    assert books.flows["revenue"] == 40
    assert books.flows["operating_cash_flow"] is None
    assert any("whether they are year to date too cannot be told" in one for one in books.notes)
