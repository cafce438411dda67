"""Statements side by side."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from tests.support.builders import AS_OF, QUARTER_ENDS, quarters, statement
from tests.support.figures import parse_figures
from tradingagents.analytics.company.statements import consecutive, gap_of, newest_first, statement_table
from tradingagents.dataflows.models import Profile
from tradingagents.dataflows.reference.line_items import ITEMS
from tradingagents.errors import NoData

END = QUARTER_ENDS[0]


def table(statements, kind="income", freq="quarterly"):
    return statement_table(statements, as_of=AS_OF, kind=kind, freq=freq)


def test_periods_run_from_the_newest_whatever_order_they_came_in():
    result = table(list(reversed(quarters("revenue", [4.0, 3.0, 2.0, 1.0]))))
    assert result.periods == QUARTER_ENDS[:4]
    assert result.items["revenue"] == (4, 3, 2, 1)


def test_at_most_eight_periods_are_shown():
    older = [statement(date(2022, 3, 31), {"revenue": 0.5}), statement(date(2021, 12, 31), {"revenue": 0.4})]
    assert table(quarters("revenue", range(8, 0, -1)) + older).periods == QUARTER_ENDS


def test_the_latest_version_of_a_period_counts():
    first = statement(END, {"revenue": 1.0}, filed=date(2024, 4, 30))
    restated = statement(END, {"revenue": 2.0}, filed=date(2024, 6, 1))
    assert table([restated, first]).items["revenue"] == (2.0,)


def test_other_kinds_and_frequencies_are_passed_over():
    mixed = [
        statement(END, {"revenue": 1.0}),
        statement(END, {"revenue": 9.0}, frequency="annual"),
        statement(END, {"total_assets": 5.0}, "balance"),
    ]
    assert table(mixed).items == {"revenue": (1.0,)}
    assert table(mixed, freq="annual").items == {"revenue": (9.0,)}
    assert table(mixed, kind="balance").items == {"total_assets": (5.0,)}


def test_items_stand_in_our_order_and_missing_ones_are_unknown_not_zero():
    result = table(
        [statement(END, {"net_income": 0.0}), statement(QUARTER_ENDS[1], {"revenue": 7.0, "net_income": 1.0})]
    )
    assert list(result.items) == ["revenue", "net_income"]
    assert result.items["revenue"] == (None, 7.0)
    assert "| revenue | n/a | 7.00 |" in result.body()
    read = parse_figures(result.to_markdown())
    assert read["net_income"].value == 0
    assert "revenue" not in read


def test_figures_are_the_newest_periods_in_their_units():
    items = {"revenue": 124.3e9, "eps_diluted": 2.4, "shares_diluted": 15.15e9}
    read = parse_figures(table([statement(END, items)]).to_markdown())
    assert {name: (one.value, one.unit) for name, one in read.items()} == {
        "revenue": (124.3e9, "USD"),
        "eps_diluted": (2.4, "USD/share"),
        "shares_diluted": (15.15e9, "shares"),
    }


def test_a_share_count_below_zero_is_none():
    result = table([statement(END, {"shares_diluted": -55e6})])
    assert result.items["shares_diluted"] == (None,)
    assert "The source gives no share count that could be one for 2024-03-31." in result.notes


def test_assumed_filing_dates_are_said():
    assumed = table([statement(END, {"revenue": 1.0}, known_by="assumed")])
    note = "Filing date assumed (period end + 45 days, + 90 for years) for 2024-03-31."
    assert note in assumed.notes
    assert note not in table([statement(END, {"revenue": 1.0})]).notes


def test_what_the_source_does_not_give_is_named():
    given = {name: 1.0 for name in ITEMS["cashflow"] if name != "dividends_paid"}
    of_eight = [statement(end, given, kind="cashflow") for end in QUARTER_ENDS]
    assert table(of_eight, kind="cashflow").notes == ("Not given by books: dividends_paid.",)
    assert table(of_eight[:3], kind="cashflow").notes == (
        f"Not given by books: periods before {QUARTER_ENDS[2]}, dividends_paid.",
    )
    whole = [statement(end, given | {"dividends_paid": -1.0}, kind="cashflow") for end in QUARTER_ENDS]
    assert table(whole, kind="cashflow").notes == ()


def test_provenance_is_that_of_the_statements_shown():
    result = table(quarters("revenue", [2.0, 1.0]))
    assert result.known_at == datetime(2024, 4, 30, 12, tzinfo=UTC)
    assert (result.symbol, result.source, result.currency, result.rows) == ("MADE", "books", "USD", 2)
    assert (result.start, result.end) == (QUARTER_ENDS[1], QUARTER_ENDS[0])
    fetched = datetime(2024, 6, 30, tzinfo=UTC)
    assert (
        statement_table(
            quarters("revenue", [1.0]), as_of=AS_OF, kind="income", freq="quarterly", fetched_at=fetched
        ).fetched_at
        == fetched
    )


def test_nothing_filed_is_no_data_with_the_way_out():
    with pytest.raises(NoData, match="try annual"):
        table([])
    with pytest.raises(NoData, match="try quarterly"):
        table(quarters("revenue", [1.0]), freq="annual")


@pytest.mark.parametrize(
    ("ends", "length"),
    [
        ([date(2024, 3, 31), date(2023, 12, 31), date(2023, 9, 30)], 3),
        ([date(2024, 3, 31), date(2023, 9, 30)], 1),  # a quarter is missing
        ([date(2024, 9, 1), date(2024, 5, 12), date(2024, 2, 18)], 3),  # a quarter of 16 weeks, then 12
        ([date(2024, 3, 31), date(2024, 3, 1)], 1),  # too near to be the next
        ([], 0),
    ],
)
def test_quarters_follow_one_another_up_to_the_first_gap(ends: list[date], length: int):
    assert len(consecutive(newest_first(statement(end, {}) for end in ends))) == length


def test_an_income_statement_withholds_a_gross_profit_that_says_nothing():
    items = {"revenue": 100.0, "gross_profit": 88.3, "operating_income": 4.6}
    bank = Profile(symbol="MADE", name="Made", kind="stock", sector="financials", industry="Regional Banks")
    shown = statement_table(
        [statement(END, items), statement(QUARTER_ENDS[1], items)],
        as_of=AS_OF,
        kind="income",
        freq="quarterly",
        profile=bank,
    )
    assert sorted(shown.items) == ["operating_income", "revenue"]
    assert any(note.startswith("Gross profit and margin are withheld") for note in shown.notes)


def test_the_newest_period_stands_there_as_withheld_rather_than_an_older_one_in_its_place():
    newest, *older = quarters("revenue", [4.0, 3.0, 2.0])
    gone = replace(newest, items={}, withheld={"revenue": "It is in another currency."})
    result = table([gone, *older])
    assert result.periods == QUARTER_ENDS[:3]
    assert result.items["revenue"] == (None, 3, 2)
    assert "| revenue | withheld |" in result.body()


def test_half_years_are_called_so():
    rows = [statement(end, {"revenue": 1.0}) for end in (date(2024, 6, 30), date(2023, 12, 31))]
    halves = [replace(rows[0], period_start=date(2024, 1, 1)), replace(rows[1], period_start=date(2023, 7, 1))]
    (note,) = [note for note in table(halves).notes if "half-yearly" in note]
    assert note == "The company reports half-yearly: its periods to 2024-06-30 and before are half-years."


def test_the_gap_in_twelve_months_is_named():
    rows = quarters("revenue", [5.0, 4.0, 3.0, 2.0, 1.0])
    first, second, _, fourth, _ = (one.period_end for one in rows)
    assert gap_of([*rows[:2], *rows[3:]]) == (
        f"the quarter before {second} is missing, the one known before it is of {fourth}"
    )
    assert gap_of(rows[:1]) == f"the oldest quarter known is of {first}"
    assert gap_of(()) == "none is known"
