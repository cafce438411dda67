"""Two sources side by side: when figures are the same, and what is said where they are not."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from tradingagents.analytics.company.cross_check import Check, Difference, compare
from tradingagents.dataflows.models import Statement, StatementKind

END, YEAR_BEFORE = date(2024, 9, 28), date(2023, 9, 30)


def statement(end: date = END, kind: StatementKind = "income", currency: str = "USD", **items: float) -> Statement:
    known_at = datetime(2024, 12, 1, tzinfo=UTC)
    return Statement("ACME", kind, "annual", end.year, "FY", end, known_at, currency, "one", items)


def differ(mine: float, theirs: float, *, assets: float = 0.0) -> bool:
    sizes = [statement(kind="balance", total_assets=assets)] if assets else []
    found = compare([statement(revenue=mine), *sizes], "two", [statement(revenue=theirs), *sizes])
    assert found.periods == 1
    assert found.agreed == (0 if found.differences else 1)
    return bool(found.differences)


@pytest.mark.parametrize(
    ("mine", "theirs", "different"),
    [
        (100e9, 100e9, False),
        (100e9, 100.5e9, False),  # 0.5 % of the larger is 502.5 million
        (100e9, 100.51e9, True),
        (5e6, 5.9e6, True),  # a small company's million is no rounding
        (5e6, 5.0009e6, False),
        (100_000.0, 101_000.0, False),  # a thousand is
        (-2e9, 2e9, True),
        (0.0, 0.0, False),
    ],
)
def test_half_a_percent_or_one_unit_of_rounding_is_no_difference(mine: float, theirs: float, different: bool):
    assert differ(mine, theirs) == differ(theirs, mine) == different


def test_the_unit_of_rounding_is_a_million_for_companies_that_report_in_millions():
    assert differ(3e6, 3.9e6)
    assert not differ(3e6, 3.9e6, assets=1e9)
    assert differ(3e6, 4.1e6, assets=1e9)


def test_periods_that_end_within_a_week_are_the_same():
    own = [statement(revenue=10e9), statement(YEAR_BEFORE, revenue=9e9)]
    moved = [statement(date(2024, 10, 5), revenue=10e9), statement(date(2023, 10, 8), revenue=1.0)]
    assert compare(own, "two", moved) == Check(source="two", periods=1, agreed=1, differences=())


def test_the_four_items_are_compared_and_no_others():
    own = [
        statement(revenue=1e9, net_income=2e9, gross_profit=3e9),
        statement(kind="balance", total_assets=4e9, equity=5e9),
        statement(kind="cashflow", operating_cash_flow=6e9, free_cash_flow=7e9),
    ]
    other = [
        statement(one.period_end, one.kind, **{name: 2 * value for name, value in one.items.items()}) for one in own
    ]
    found = compare(own, "two", other)
    assert found.periods == 1
    assert found.agreed == 0
    assert [(one.item, one.value, one.other) for one in found.differences] == [
        ("revenue", 1e9, 2e9),
        ("net_income", 2e9, 4e9),
        ("total_assets", 4e9, 8e9),
        ("operating_cash_flow", 6e9, 12e9),
    ]


def test_a_period_agrees_only_where_all_its_statements_do_though_their_ends_are_days_apart():
    own = [statement(revenue=10e9), statement(date(2024, 9, 30), "balance", total_assets=40e9)]
    found = compare(own, "two", [statement(revenue=10e9), statement(kind="balance", total_assets=44e9)])
    assert (found.periods, found.agreed) == (1, 0)


def test_what_one_source_lacks_or_has_in_another_currency_is_not_compared():
    own = [statement(revenue=10e9), statement(kind="balance", total_assets=40e9)]
    other = [statement(net_income=1e9), statement(kind="balance", currency="EUR", total_assets=1e9)]
    check = compare(own, "two", other)
    assert check == Check(source="two", periods=0, agreed=0, differences=())
    assert check.notes("one", "USD") == ("Not checked against two: it has none of these figures of the same periods.",)


def test_a_disagreement_is_a_warning_that_names_period_item_figures_and_sources():
    own = [statement(revenue=10e9, net_income=1e9), statement(YEAR_BEFORE, revenue=9e9)]
    check = compare(own, "two", [statement(revenue=10e9, net_income=1.2e9), statement(YEAR_BEFORE, revenue=9e9)])
    assert check.differences == (Difference(period_end=END, item="net_income", value=1e9, other=1.2e9),)
    warning, agreed = check.notes("one", "USD")
    assert warning == (
        "Warning: net_income of the period to 2024-09-28 is 1.00B USD at one and 1.20B USD at two; "
        "look into the filing."
    )
    assert agreed == "one agrees with two for 1 of 2 periods."


def test_many_disagreements_are_counted_and_nothing_is_said_to_agree():
    years = [date(year, 12, 31) for year in range(2024, 2015, -1)]
    own, other = ([statement(end, revenue=revenue) for end in years] for revenue in (1e9, 2e9))
    check = compare(own, "two", other)
    notes = check.notes("one", "USD")
    assert len(check.differences) == 9
    assert [one.period_end.year for one in check.differences] == list(range(2024, 2015, -1))
    assert len(notes) == 7
    assert notes[-1] == "Warning: 3 more figures differ between one and two."
