"""Statements as a series: what cannot be true is withheld with its reason, and true changes of a company pass."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from tests.dataflows.gateway.checks.statement_rows import NOW, only, quarters, scaled, with_items, years
from tradingagents.dataflows.gateway.checks.statement_checks import check_statements
from tradingagents.dataflows.gateway.checks.statement_units import unit_jumps
from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES
from tradingagents.dataflows.vendors.snapshot.statements import load_statements

COUNTS = SHARES & quarters("income", 1)[0].items.keys()
"""The share counts of an income statement."""
NOT_MONEY = PER_SHARE | COUNTS
MONEY = {"revenue", "gross_profit", "net_income", "operating_income", "cost_of_revenue"}


def checked(rows: list[Statement], at: datetime = NOW) -> list[Statement]:
    sound, _ = check_statements(tuple(rows), at)
    return list(sound)


def losing(rows: list[Statement], at: datetime = NOW) -> list[int]:
    """Numbers of the rows that lose an item."""
    return [number for number, row in enumerate(checked(rows, at)) if row.withheld]


@pytest.mark.parametrize("kind", ["income", "balance", "cashflow"])
@pytest.mark.parametrize("make", [quarters, years])
def test_sound_statements_come_back_as_they_are(kind, make):
    rows = tuple(make(kind))
    assert check_statements(rows, NOW) == (rows, ())
    assert check_statements(rows, NOW)[0] is rows
    assert check_statements(rows, datetime(2000, 1, 1, tzinfo=UTC)) == (rows, ())
    assert check_statements((), NOW) == ((), ())


# units


@pytest.mark.parametrize("kind", ["income", "balance", "cashflow"])
@pytest.mark.parametrize("power", [-2, -3, -5, -6, -7, 3])
@pytest.mark.parametrize("number", [0, 4, 11])
def test_one_quarter_in_another_unit_is_withheld(kind, power, number):
    rows = quarters(kind)
    rows[number] = scaled(rows[number], 10.0**power, but=NOT_MONEY)
    found = checked(rows)
    assert losing(rows) == [number]
    assert not set(found[number].items) - NOT_MONEY
    (reason,) = set(found[number].withheld.values())
    assert f"{10 ** abs(power):,} times" in reason
    assert rows[number].period_end.isoformat() in reason
    assert reason.endswith("withheld (docs/reference/data-faults.md#unit-jump).")


@pytest.mark.parametrize("kind", ["income", "balance"])
def test_one_year_in_millions_is_withheld(kind):
    rows = years(kind)
    rows[2] = scaled(rows[2], 1e-6, but=NOT_MONEY)
    assert losing(rows) == [2]


@pytest.mark.parametrize("kind", ["income", "balance", "cashflow"])
def test_a_whole_early_stretch_in_thousands_is_withheld(kind):
    rows = quarters(kind)
    rows[8:] = [scaled(row, 1e-3, but=NOT_MONEY) for row in rows[8:]]
    assert losing(rows) == [8, 9, 10, 11]


def test_with_half_of_the_rows_in_thousands_earnings_per_share_tell_and_else_both_sides_are_withheld():
    rows = quarters("income")
    rows[6:] = [scaled(row, 1e-3, but=NOT_MONEY) for row in rows[6:]]
    assert losing(rows) == [*range(6, 12)]
    bare = [replace(row, items={k: v for k, v in row.items.items() if k not in NOT_MONEY}) for row in rows]
    assert losing(bare) == [*range(12)]
    assert "cannot be told" in checked(bare)[0].withheld["revenue"]


def test_amounts_and_share_counts_in_thousands_together_are_both_withheld():
    rows = quarters("income")
    rows[0] = scaled(rows[0], 1e-3, but=PER_SHARE)
    assert losing(rows) == [0]
    assert set(checked(rows)[0].items) == PER_SHARE


@pytest.mark.parametrize("number", [0, 5, 11])
@pytest.mark.parametrize("factor", [1e-3, 1e-6, 1e3])
def test_share_counts_alone_in_another_unit_are_withheld(number, factor):
    rows = quarters("income")
    rows[number] = scaled(rows[number], factor, *SHARES)
    assert losing(rows) == [number]
    assert set(checked(rows)[number].withheld) == COUNTS


@pytest.mark.parametrize("factor", [1e-3, 1e-6, 1e3])
def test_outstanding_shares_of_one_balance_sheet_in_another_unit_are_withheld(factor):
    rows = [replace(row, items={**row.items, "shares_outstanding": 1e9}) for row in quarters("balance")]
    rows[3] = scaled(rows[3], factor, "shares_outstanding")
    assert losing(rows) == [3]
    assert set(checked(rows)[3].withheld) == {"shares_outstanding"}


@pytest.mark.parametrize("ratio", [2, 10, 20, 50, 0.1])
def test_a_split_of_the_outstanding_shares_is_no_other_unit(ratio):
    rows = [replace(row, items={**row.items, "shares_outstanding": 1e9}) for row in quarters("balance")]
    rows[:3] = [scaled(row, ratio, "shares_outstanding") for row in rows[:3]]
    assert losing(rows) == []


def test_share_counts_of_every_row_in_thousands_do_not_fit_earnings_per_share():
    rows = [scaled(row, 1e-3, *SHARES) for row in quarters("income")]
    assert losing(rows) == [*range(12)]
    assert set(checked(rows)[0].withheld) == COUNTS
    assert losing(rows[:1]) == [0]


def test_a_single_row_in_thousands_does_not_fit_its_earnings_per_share():
    (row,) = quarters("income", 1)
    assert set(checked([scaled(row, 1e-3, but=NOT_MONEY)])[0].items) == NOT_MONEY


def test_earnings_per_share_in_pence_are_withheld():
    rows = quarters("income")
    rows[2] = scaled(rows[2], 100, *PER_SHARE)
    assert losing(rows) == [2]
    assert set(checked(rows)[2].withheld) == PER_SHARE


@pytest.mark.parametrize("number", [0, 3, 11])
@pytest.mark.parametrize("factor", [1e-2, 1e-3, 1e-6, 1e3])
def test_revenue_alone_in_another_unit_is_withheld(number, factor):
    rows = quarters("income")
    rows[number] = scaled(rows[number], factor, "revenue")
    assert losing(rows) == [number]
    assert set(checked(rows)[number].withheld) == {"revenue"}
    bare = [only(row, "revenue", "net_income") for row in rows]
    assert losing(bare) == [number]


@pytest.mark.parametrize(
    ("kind", "item"),
    [
        ("balance", "total_assets"),
        ("balance", "equity"),
        ("balance", "cash"),
        ("income", "cost_of_revenue"),
        ("cashflow", "capital_expenditure"),
    ],
)
def test_any_other_item_alone_in_another_unit_is_withheld(kind, item):
    rows = quarters(kind)
    rows[3] = scaled(rows[3], 1e-3, item)
    assert losing(rows) == [3]
    assert item in checked(rows)[3].withheld


def test_a_company_that_grows_a_thousandfold_from_nothing_passes():
    rows = quarters("income")
    for number, revenue in enumerate([9e9, 8e9, 8e6, 7e6, 6e6, 5e6, 5e6, 4e6, 4e6, 3e6, 3e6, 2e6]):
        cost, spent = 0.5 * revenue, 2e9 if revenue < 1e9 else 3e9
        income = revenue - cost - spent
        rows[number] = with_items(
            rows[number],
            revenue=revenue,
            cost_of_revenue=cost,
            gross_profit=revenue - cost,
            operating_expenses=spent,
            research_and_development=1e9,
            operating_income=income,
            pretax_income=income,
            income_tax=0.0,
            net_income=income,
            eps_basic=round(income / 1e9, 2),
            eps_diluted=round(income / 1e9, 2),
        )
    assert losing(rows) == []
    assert losing([only(row, "revenue", "net_income") for row in rows]) == []


def test_a_quarter_without_sales_passes_where_the_sums_hold():
    rows = quarters("income")
    rows[0] = with_items(
        rows[0], revenue=1e7, cost_of_revenue=6e6, gross_profit=4e6, operating_income=4e6 - 1.5e9, net_income=-1.5e9,
        pretax_income=-1.5e9, income_tax=0.0, eps_basic=-1.5, eps_diluted=-1.5,
    )  # fmt: skip
    assert losing(rows) == []


@pytest.mark.parametrize("ratio", [20, 1 / 50, 1 / 100, 1 / 1000])
def test_a_split_is_no_change_of_unit(ratio):
    rows = quarters("income")
    rows[:5] = [scaled(scaled(row, ratio, *SHARES), 1 / ratio, *PER_SHARE) for row in rows[:5]]
    rows = [with_items(row, eps_diluted=max(row.items["eps_diluted"], 0.01)) for row in rows]
    assert losing(rows) == []


def test_what_is_known_later_neither_judges_nor_is_judged():
    rows = quarters("income")
    rows[0] = scaled(rows[0], 1e-3, but=NOT_MONEY)
    before = rows[0].known_at - timedelta(days=1)
    assert losing(rows, before) == []
    two = quarters("income", 2)
    two[1] = scaled(two[1], 1e-3, but=NOT_MONEY)
    bare = [only(row, "revenue", "cost_of_revenue", "gross_profit", "operating_income") for row in two]
    assert losing(bare, before) == []
    assert losing(bare) == [0, 1]


# items against each other


@pytest.mark.parametrize(
    ("kind", "changed", "withheld", "slug"),
    [
        ("income", {"gross_profit": 1.5e10}, {"revenue", "gross_profit", "cost_of_revenue"}, "items-disagree"),
        ("income", {"gross_profit": 2e9}, {"revenue", "gross_profit", "cost_of_revenue"}, "items-disagree"),
        ("income", {"operating_income": 1.5e11}, {"revenue", "operating_income", "gross_profit"}, "items-disagree"),
        ("income", {"revenue": -1e10}, {"revenue"}, "items-disagree"),
        ("income", {"net_income": -2e9}, {"net_income", "eps_basic", "eps_diluted"}, "items-disagree"),
        (  # a loss leaves nothing for common shares
            "income",
            {"net_income": -3e7, "eps_basic": 0.16, "eps_diluted": 0.16},
            {"net_income", "eps_basic", "eps_diluted"},
            "items-disagree",
        ),
        ("income", {"cost_of_revenue": -6e9}, {"cost_of_revenue", "gross_profit"}, "items-disagree"),
        ("income", {"depreciation_and_amortization": -1e8}, {"depreciation_and_amortization"}, "items-disagree"),
        ("income", {"shares_diluted": -1e9}, {"shares_diluted"}, "share-count"),
        ("income", {"shares_basic": 0.0}, {"shares_basic"}, "share-count"),
        ("income", {"shares_diluted": 0.7e9}, {"shares_basic", "shares_diluted"}, "share-count"),
        ("balance", {"equity": 5e10}, {"total_assets", "total_liabilities", "equity"}, "items-disagree"),
        ("balance", {"equity": 5e9}, {"total_assets", "total_liabilities", "equity"}, "items-disagree"),
        ("balance", {"cash": 2e10}, {"cash", "current_assets"}, "items-disagree"),
        ("balance", {"current_assets": 5e10}, {"current_assets", "total_assets"}, "items-disagree"),
        ("balance", {"cash": -5e9}, {"cash"}, "items-disagree"),
        ("cashflow", {"capital_expenditure": 1e9}, {"capital_expenditure", "free_cash_flow"}, "items-disagree"),
        (
            "cashflow",
            {"free_cash_flow": 1.5e9},
            {"free_cash_flow"},
            "items-disagree",
        ),
        (
            "cashflow",
            {"free_cash_flow": 5e9},
            {"operating_cash_flow", "capital_expenditure", "free_cash_flow"},
            "items-disagree",
        ),
    ],
)
def test_items_that_contradict_each_other_are_withheld(kind, changed, withheld, slug):
    rows = quarters(kind)
    rows[0] = with_items(rows[0], **changed)
    found, faults = check_statements(tuple(rows), NOW)
    assert set(found[0].withheld) == withheld
    assert all(row is given for row, given in zip(found[1:], rows[1:], strict=True))
    assert {fault.kind for fault in faults} == {slug}
    assert all(fault.withholds for fault in faults)
    assert all(slug in reason for reason in found[0].withheld.values())


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        ("income", {"net_income": 1.5e10, "eps_basic": 15.0, "eps_diluted": 15.0}),  # a gain on a sale
        ("income", {"net_income": -5e10, "eps_basic": -50.0, "eps_diluted": -50.0}),  # a write-down
        ("income", {"net_income": 3e7, "eps_basic": -0.16, "eps_diluted": -0.16}),  # preferred shares took more
        ("income", {"operating_income": 1.5e10}),  # a property sold
        ("income", {"gross_profit": 4.4e9}),  # amortization outside the cost of revenue
        ("income", {"shares_diluted": 0.99e9}),
        ("balance", {"equity": 1.2e10}),  # minority holders and mezzanine
        ("balance", {"equity": -1e10, "total_liabilities": 5e10}),
        ("cashflow", {"operating_cash_flow": -1e9, "free_cash_flow": -2e9}),
    ],
)
def test_unusual_items_of_honest_books_pass(kind, changed):
    rows = quarters(kind)
    rows[0] = with_items(rows[0], **changed)
    assert losing(rows) == []


def test_a_part_of_minority_holders_that_is_usual_passes():
    rows = [scaled(row, 0.4, "equity") for row in quarters("balance")]
    assert check_statements(tuple(rows), NOW)[1] == ()


def test_a_bank_without_costs_and_a_company_without_revenue_pass():
    bank = [only(row, "revenue", "net_income", "eps_diluted", "shares_diluted") for row in quarters("income")]
    blank = [with_items(only(row, "net_income"), revenue=0.0, net_income=-1e6) for row in quarters("income")]
    assert check_statements(tuple(bank), NOW)[1] == ()
    assert check_statements(tuple(blank), NOW)[1] == ()


def test_a_loss_on_investments_makes_revenue_negative_and_is_noted():
    rows = [only(row, "revenue", "net_income") for row in quarters("income")]
    rows[0] = with_items(rows[0], revenue=-1e9)
    found, faults = check_statements(tuple(rows), NOW)
    assert not found[0].withheld
    assert found[0].items == rows[0].items
    assert "revenue is negative" in found[0].gate_notes[0]
    assert not faults[0].withholds


def test_a_profit_of_several_times_revenue_is_noted():
    rows = quarters("income")
    rows[0] = with_items(rows[0], net_income=3e10, eps_basic=30.0, eps_diluted=30.0)
    found, _ = check_statements(tuple(rows), NOW)
    assert not found[0].withheld
    assert "sale of a business" in found[0].gate_notes[0]


def test_what_is_worked_out_from_a_withheld_item_is_withheld_with_it():
    rows = quarters("balance")
    rows[3] = scaled(rows[3], 1e-3, "long_term_debt")
    rows[3] = with_items(rows[3], total_debt=rows[3].items["long_term_debt"] + rows[3].items["short_term_debt"])
    assert set(checked(rows)[3].withheld) == {"long_term_debt", "total_debt"}


# versions and currencies


def test_a_version_in_thousands_beside_the_one_before_is_withheld():
    rows = quarters("balance")
    again = replace(scaled(rows[2], 1e-3), known_at=rows[2].known_at + timedelta(days=90))
    assert losing([again, *rows]) == [0]


def test_a_large_restatement_is_noted_on_the_version_known_last():
    rows = quarters("income")
    again = replace(with_items(rows[2], net_income=1e9, eps_basic=1.0, eps_diluted=1.0), known_at=NOW)
    found, faults = check_statements((again, *rows), NOW)
    assert found[0].items == again.items
    assert not found[0].withheld
    assert "net_income" in found[0].gate_notes[0]
    assert found[0].gate_notes[0].endswith("#restated).")
    assert [fault.kind for fault in faults] == ["restated"]


def test_a_row_in_another_currency_is_withheld_but_for_its_share_counts():
    rows = quarters("income")
    rows[1] = replace(rows[1], currency="EUR")
    found, faults = check_statements(tuple(rows), NOW)
    assert losing(rows) == [1]
    assert set(found[1].items) == COUNTS
    assert {row.currency for row in found} == {"USD"}
    assert [fault.kind for fault in faults] == ["currency-unknown"]
    assert "in EUR, the others in USD" in found[1].withheld["revenue"]


@pytest.mark.parametrize("value", [0.0, -0.0, 5e-324, -5e-324, 1e18, -1e18, 1.0])
@pytest.mark.parametrize("kind", ["income", "balance", "cashflow"])
def test_no_value_that_a_row_may_hold_ends_the_checks(kind, value):
    for name in quarters(kind, 1)[0].items:
        for number in (0, 5, 11):
            rows = quarters(kind)
            rows[number] = with_items(rows[number], **{name: value})
            assert len(checked(rows)) == len(rows)
    blank = [replace(row, items=dict.fromkeys(row.items, value)) for row in quarters(kind)]
    assert len(checked(blank)) == len(blank)
    assert len(checked([replace(row, items={}) for row in blank])) == len(blank)


# companies whose true books look odd


def test_a_cash_flow_that_no_other_pays_for_is_withheld_with_what_rests_on_it():
    rows = quarters("cashflow")
    rows[0] = with_items(rows[0], operating_cash_flow=5e11, free_cash_flow=4.99e11)
    found = checked(rows)
    assert {"operating_cash_flow", "free_cash_flow"} <= set(found[0].withheld)


def test_a_biotech_with_a_milestone_payment_passes():
    rows = []
    for row, revenue in zip(
        quarters("income"), [2e5, 3e8, 1e5, 1e5, 5e7, 4e5, 1e5, 2e8, 1e6, 1e5, 3e5, 2e5], strict=True
    ):
        spent = 1e8
        income = revenue - spent
        items = {
            "revenue": revenue,
            "operating_expenses": spent,
            "operating_income": income,
            "net_income": income,
            "eps_diluted": round(income / 1e8, 2),
            "shares_diluted": 1e8,
            "research_and_development": 0.8 * spent,
        }
        rows.append(replace(row, items=items))
    assert losing(rows) == []


def test_a_shell_that_takes_over_a_company_passes():
    shell = {"cash": 1e6, "current_assets": 1.2e6, "total_assets": 3e8, "total_liabilities": 1.2e7, "equity": 2.88e8}
    company = {"cash": 5e8, "current_assets": 7e8, "total_assets": 2e9, "total_liabilities": 9e8, "equity": 1.1e9}
    rows = [replace(row, items=company if n < 5 else shell) for n, row in enumerate(quarters("balance"))]
    assert losing(rows) == []


@pytest.mark.parametrize("factor", [0.5, 3.0, 8.0])
def test_a_spin_off_or_a_merger_passes(factor):
    for kind in ("income", "balance", "cashflow"):
        rows = quarters(kind)
        rows[:4] = [scaled(row, factor, but=PER_SHARE) for row in rows[:4]]
        assert losing(rows) == []


@pytest.mark.parametrize("ratio", [0.1, 5.0, 10.0, 100.0])
def test_earnings_of_a_receipt_for_several_shares_pass(ratio):
    rows = [scaled(row, ratio, *PER_SHARE) for row in quarters("income")]
    assert losing(rows) == []


@pytest.mark.parametrize("kind", ["income", "balance"])
@pytest.mark.parametrize("rate", [6.9, 7.2, 32.0, 83.0, 150.0, 0.14])
@pytest.mark.parametrize("place", [0, 1, 4])
def test_one_quarter_in_another_currency_under_the_same_label_is_withheld(kind, rate, place):
    rows = [replace(row, period_start=row.period_end - timedelta(days=90)) for row in quarters(kind)]
    rows[place] = scaled(rows[place], rate, but=SHARES)
    assert losing(rows) == [place]
    assert set(checked(rows)[place].items) <= SHARES
    (reason,) = set(checked(rows)[place].withheld.values())
    assert f"of {rows[place].period_end}" in reason


@pytest.mark.parametrize("kind", ["income", "balance", "cashflow"])
@pytest.mark.parametrize("days", [-30, -5, -3, 2, 3, 5])
def test_a_quarter_given_to_a_second_end_is_left_out(kind, days):
    rows = quarters(kind)
    again = replace(rows[2], period_end=rows[2].period_end + timedelta(days=days))
    sound, faults = check_statements((*rows, again), NOW)
    assert [row.period_end for row in sound] == [row.period_end for row in rows]
    (fault,) = faults
    assert (fault.day, fault.kind, fault.withholds) == (again.period_end, "period-length", False)
    assert str(rows[2].period_end) in fault.what


def test_two_ends_with_other_items_are_two_balance_sheets():
    rows = quarters("balance")
    other = scaled(replace(rows[2], period_end=rows[2].period_end - timedelta(days=30)), 1.1)
    assert len(checked([*rows, other])) == len(rows) + 1


def test_a_net_income_with_its_sign_turned_is_told_by_tax_where_there_are_no_shares():
    rows = [only(row, "revenue", "pretax_income", "income_tax", "net_income") for row in quarters("income")]
    rows[1] = scaled(rows[1], -1.0, "net_income")
    assert [sorted(row.withheld) for row in checked(rows)[:3]] == [[], ["net_income"], []]


def test_seasons_pass():
    rows = [scaled(row, 12.0 if n % 4 else 1.0, but=PER_SHARE) for n, row in enumerate(quarters("income"))]
    assert unit_jumps(rows[::-1]) == ()


@pytest.mark.real_data
def test_recorded_statements_lose_one_quarter_that_cannot_be_true(test_data: Path):
    """Polygon's fourth quarter of 2021 of IBM is a year less three quarters restated: gross profit is twice revenue."""
    statements = load_statements(test_data / "snapshot" / "statements.jsonl.gz")
    days = [datetime(2024 + month // 12, month % 12 + 1, 15, 21, tzinfo=UTC) for month in range(20)]
    lost = set()
    for rows in statements.values():
        for kind, frequency in {(row.kind, row.frequency) for row in rows}:
            series = tuple(row for row in rows if (row.kind, row.frequency) == (kind, frequency))
            for day in days:
                sound, _ = check_statements(series, day)
                lost |= {(row.symbol, row.period_end.isoformat(), day.year) for row in sound if row.withheld}
    assert lost == {("IBM", "2021-12-31", 2024)}


# single items that no large sum shows


@pytest.mark.parametrize("factor", [1e3, 1e-3, 1e6, 1e-6])
@pytest.mark.parametrize("number", [0, 2])
@pytest.mark.parametrize(
    ("kind", "item"),
    [("balance", "equity"), ("balance", "inventory"), ("income", "net_income"), ("cashflow", "operating_cash_flow")],
)
def test_a_single_item_in_another_unit_is_withheld(kind, item, number, factor):
    rows = quarters(kind, inventory=3e9) if item == "inventory" else quarters(kind)
    rows[number] = scaled(rows[number], factor, item)
    assert item in checked(rows)[number].withheld


@pytest.mark.parametrize("number", [0, 2])
def test_equity_that_is_small_beside_the_assets_shows_by_the_exact_sum(number):
    rows = quarters("balance", total_assets=7.6e10, total_liabilities=7.5e10, equity=1e9)
    rows = [with_items(row, equity=1e9 + 1e8 * age, total_assets=7.6e10 + 1e8 * age) for age, row in enumerate(rows)]
    assert losing(rows) == []
    rows[number] = scaled(rows[number], 1e-3, "equity")
    assert losing(rows) == [number]
    assert set(checked(rows)[number].withheld) == {"equity"}


def test_part_of_the_assets_of_minority_holders_is_no_unit_of_equity():
    rows = quarters("balance", total_assets=1e11, total_liabilities=9e10)
    rows = [with_items(row, equity=8e9 + 1e8 * age) for age, row in enumerate(rows)]
    assert losing(rows) == []


def test_a_debt_that_only_annual_reports_state_is_compared_with_the_last_one():
    rows = [
        with_items(row, long_term_debt=4e10) if row.period_end.month == 12 else without(row, "long_term_debt")
        for row in quarters("balance", count=20, total_assets=9e10, total_liabilities=6e10, equity=3e10)
    ]
    newest = next(number for number, row in enumerate(rows) if "long_term_debt" in row.items)
    rows[newest] = scaled(rows[newest], 1e-3, "long_term_debt")
    assert set(checked(rows)[newest].withheld) == {"long_term_debt"}


def test_profit_beside_earnings_per_share_without_counts_is_judged_by_the_usual_count():
    rows = quarters("income")
    rows[0] = without(scaled(rows[0], 1e3, "net_income"), "shares_basic", "shares_diluted", "pretax_income")
    assert {"net_income", "eps_diluted"} <= checked(rows)[0].withheld.keys()


@pytest.mark.parametrize("rate", [83.0, 150.0])
@pytest.mark.parametrize("number", [0, 4])
def test_earnings_per_share_in_another_currency_are_withheld_with_the_amounts(rate, number):
    rows = quarters("income")
    rows[number] = scaled(rows[number], rate, but=SHARES)
    found = checked(rows)
    assert losing(rows) == [number]
    assert PER_SHARE & rows[number].items.keys() <= found[number].withheld.keys()


def without(row: Statement, *names: str) -> Statement:
    return replace(row, items={name: value for name, value in row.items.items() if name not in names})


# balances and ends that only the other rows tell


def balanced(count: int = 8) -> list[Statement]:
    return quarters("balance", count, total_assets=1e11, total_liabilities=8e10, equity=2e10)


@pytest.mark.parametrize("factor", [0.5, 1.1, 1.3])
def test_a_balance_that_only_one_quarter_misses_is_withheld(factor: float):
    rows = balanced()
    rows[3] = scaled(rows[3], factor, "equity")
    assert losing(rows) == [3]
    assert {"total_assets", "total_liabilities", "equity"} <= checked(rows)[3].withheld.keys()


def test_minority_holders_who_stay_pass():
    rows = [scaled(row, 0.9, "equity") if n < 4 else row for n, row in enumerate(balanced())]
    assert losing(rows) == []


def test_a_small_part_of_equity_passes_for_one_quarter():
    rows = balanced()
    rows[3] = with_items(rows[3], total_liabilities=7.94e10, equity=2e10)
    assert losing(rows) == []


@pytest.mark.parametrize("days", [-5, -3, -2, 2, 3, 5])
def test_of_two_near_ends_the_one_on_the_weekday_of_the_others_stays(days: int):
    newest = date(2025, 2, 2)
    rows = [replace(row, period_end=newest - timedelta(days=91 * n)) for n, row in enumerate(quarters("balance"))]
    rows[5:] = [replace(row, period_end=row.period_end + timedelta(days=7)) for row in rows[5:]]  # a 53rd week
    copy = replace(rows[1], period_end=rows[1].period_end + timedelta(days=days))
    assert [row.period_end for row in checked([*rows, copy])] == [row.period_end for row in rows]


@pytest.mark.parametrize("days", [-5, -2, 2, 5])
def test_of_two_near_ends_the_one_at_the_end_of_a_month_stays(days: int):
    rows = quarters("balance")
    copy = replace(rows[2], period_end=rows[2].period_end + timedelta(days=days))
    assert [row.period_end for row in checked([*rows, copy])] == [row.period_end for row in rows]


def test_a_copy_of_a_single_item_is_left_out():
    rows = [only(row, "equity") for row in quarters("balance")]
    copy = replace(rows[2], period_end=rows[2].period_end - timedelta(days=30))
    assert [row.period_end for row in checked([*rows, copy])] == [row.period_end for row in rows]


def test_a_balance_sheet_in_another_currency_after_one_of_a_single_item_is_withheld():
    rows = quarters("balance")
    rows[4] = only(rows[4], "equity")
    rows[3] = scaled(rows[3], 7.2)
    assert losing(rows) == [3]


def test_a_quarter_in_another_currency_is_withheld_though_one_of_four_items_moved_by_itself():
    names = ("revenue", "operating_expenses", "cost_of_revenue", "research_and_development")
    rows = [only(row, *names) for row in quarters("income")]
    rows[3] = scaled(scaled(rows[3], 7.2), 2.5, "research_and_development")
    assert losing(rows) == [3]
    rows = [only(row, *names) for row in quarters("income")]
    rows[3] = scaled(scaled(rows[3], 7.2, "revenue", "cost_of_revenue"), 2.5, "research_and_development")
    assert losing(rows) == []


def test_a_loss_per_share_in_another_currency_goes_with_amounts_near_a_hundredfold():
    rows = quarters("income")
    rows[4] = with_items(rows[4], net_income=-1.5e8, eps_basic=-0.15, eps_diluted=-0.15)
    rows[4] = scaled(rows[4], 83.0, but=SHARES)
    assert losing(rows) == [4]
    assert set(checked(rows)[4].items) == COUNTS


def test_a_cash_flow_that_is_a_thousandth_of_its_size_is_withheld_where_exchange_rates_open_the_sum():
    rows = [with_items(row, free_cash_flow=0.0) for row in quarters("cashflow")]
    rows = [only(row, *(name for name in row.items if name != "free_cash_flow")) for row in rows]
    rows[1] = with_items(rows[1], net_change_in_cash=0.5 * rows[1].items["net_change_in_cash"])
    assert losing(rows) == []
    rows[1] = scaled(rows[1], 1e-3, "operating_cash_flow")
    assert losing(rows) == [1]
    assert set(checked(rows)[1].withheld) == {"operating_cash_flow"}


def test_the_newest_balance_sheet_must_balance_where_all_before_do_and_minority_holders_are_stated():
    rows = [with_items(row, minority_interest=0.0) for row in quarters("balance")]
    off = with_items(rows[0], equity=0.9 * rows[0].items["equity"])  # 4 % of total assets
    assert losing([off, *rows[1:]]) == [0]
    held = 0.1 * rows[0].items["equity"]
    assert losing([with_items(off, minority_interest=held), *rows[1:]]) == []
    unstated = [only(row, *(name for name in row.items if name != "minority_interest")) for row in (off, *rows[1:])]
    assert losing(unstated) == []


def test_what_is_withheld_stands_in_the_order_of_the_row():
    rows = quarters("income")
    rows[3] = scaled(rows[3], 7.2, but=SHARES)
    names = [name for name in rows[3].items if name not in SHARES]
    assert list(checked(rows)[3].withheld) == names
